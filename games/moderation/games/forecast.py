"""What would happen if the open questions were answered by default now, as far as a spectator could work it out.

It is played on states that look like the game's own to a spectator, with all that is hidden drawn at random: what comes
out the same in all of them is certain, and nothing of what is hidden can show.
"""

from dataclasses import dataclass
from itertools import takewhile
from random import Random
from typing import Any

from django.utils.translation import gettext as _

from engine.registry import AnyRules
from games.errors import Conflict
from games.play import queries
from games.tables.models import Game

WORLDS = 5


@dataclass(frozen=True)
class Forecast:
    """The outcome of a dry run.

    Arguments:
        defaults: name of each seat that is asked, and what its default answer does.
        lines: the log lines everybody would read, in order.
        is_whole: False if what follows depends on what is hidden.
    """

    defaults: list[tuple[str, str]]
    lines: list[str]
    is_whole: bool


def forecast(game: Game) -> Forecast:
    """The dry run of `table.force`. Raises Conflict if nothing is open."""
    asked = list(queries.asked_rows(game)) if game.status == Game.Status.RUNNING else []
    if not asked:
        raise Conflict(_("There are no open questions at this table."))
    rules, view = game.rules, queries.view_of(queries.Access(game, None))
    worlds = [rules.determinise(view, Random(number)) for number in range(WORLDS)]  # noqa: S311  # guesses
    told = [[queries.say(game, event) for event in _forced(rules, world)] for world in worlds]
    same = takewhile(lambda lines: len(set(lines)) == 1, zip(*told, strict=False))
    lines = [lines[0] for lines in same]
    return Forecast(
        defaults=[(row.seat.spoken_name, _silence(game, row.code, row.seat.number, worlds)) for row in asked],
        lines=[line for line in lines if line],
        is_whole=all(len(one) == len(lines) for one in told),
    )


def _silence(game: Game, code: str, seat: int, worlds: list[object]) -> str:
    """Describes the default answer of a seat, from the first world in which it is asked."""
    for world in worlds:
        for question in game.rules.questions(game.rules.view(world, seat)):
            if question.decision.id == code:
                return queries.say(game, question.default)
    return ""


def _forced(rules: AnyRules, state: object) -> list[Any]:
    """The public events of what `force` does, up to the end of the phase."""
    events: list[Any] = []
    for decision in [one for one in rules.decisions(state) if one.prompted]:
        still = [one for one in rules.decisions(state) if (one.id, one.seat) == (decision.id, decision.seat)]
        if still and still[0].prompted:
            opened = rules.open(state, decision.id, decision.seat)
            state, new = opened.apply(rules.default(state, decision), by_player=False)
            events += new
    if rules.is_advance_pending(state):
        events += rules.advance(state)[1]
    return [seen for event in events if (seen := rules.redact(event, None)) is not None]
