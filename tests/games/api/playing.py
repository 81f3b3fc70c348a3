"""How a program finds an answer: from what the API told it, and from nothing else."""

import datetime as dt
from random import Random
from typing import Any

from games.models import Game, Move
from games.play import game_moves
from tests.games.conftest import fresh


def some_action(question: dict[str, Any], random: Random) -> dict[str, Any]:
    """A legal answer, drawn from the description of the question."""
    form = random.choice(question["actions"])
    while True:
        action = {"type": form["type"]} | {field["name"]: _value(field, random) for field in form["fields"]}
        groups: dict[str, list[Any]] = {}
        for field in form["fields"]:
            if field["distinct"]:
                groups.setdefault(field["distinct"], []).append(action[field["name"]])
        if all(len(values) == len(set(values)) for values in groups.values()) and not _barred(form, action):
            return action


def _barred(form: dict[str, Any], action: dict[str, Any]) -> bool:
    """Whether one of the chosen options rules out what is chosen in another field."""
    choices = [field for field in form["fields"] if field["kind"] == "choice"]
    chosen = [action[field["name"]] for field in choices]
    options = [option for field in choices for option in field["options"] if option["value"] == action[field["name"]]]
    return any(value in option["bars"] for option in options for value in chosen)


def _value(field: dict[str, Any], random: Random) -> Any:
    if field["kind"] == "choice":
        return random.choice(field["options"])["value"]
    given: dict[str, int] = {}
    for _unit in range(field["total"]):
        free = [o for o in field["options"] if o["limit"] is None or given.get(o["value"], 0) < o["limit"]]
        chosen = random.choice(free)["value"]
        given[chosen] = given.get(chosen, 0) + 1
    return given


def abandoned(game: Game, now: dt.datetime) -> Game:
    """The game, over: all but one have resigned, and he has ended it (A99). Quicker than playing on."""
    winner, *others = game.seats.order_by("number")
    for seat in others:
        game_moves.resign(game_id=game.pk, seat=seat.number, actor=seat.user, source=Move.Source.WEB, now=now)
    game_moves.end_by_wish(game_id=game.pk, seat=winner.number, actor=winner.user, source=Move.Source.WEB, now=now)
    return fresh(game)
