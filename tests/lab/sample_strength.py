"""How strong the sample bot of docs/examples is: one against others of a kind, each seat in turn.

    python -m tests.lab.sample_strength GAME [--against random] [--seats 3 4 5] [--games 100] [--option NAME=VALUE]

It gets what the API would send: questions and views as plain data, and nothing else. Prints the share of games that it
wins outright or shares, and that in which it comes in before each of the others.
"""

import argparse
import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from msgspec import to_builtins

from engine.registry import AnyRules, newest
from tests.engine.playing import question_of, seed_of

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
NAMES = ("Anna", "Ben", "Carla", "David", "Eva")


def sample_bot() -> ModuleType:
    """The bot's module, as a program that was copied somewhere would import it."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return importlib.import_module("sample_bot")
    finally:
        sys.path.remove(str(EXAMPLES))


class Sample:
    """The bot at a table of the rules, in this process."""

    def __init__(self, rules: AnyRules, seats: int) -> None:
        self._rules, self._choose = rules, sample_bot().choose
        self._names = NAMES[:seats]

    def choose(self, view: object, question: Any, random: Random) -> Any:
        """Its answer to a question."""
        from games.api.game_shapes import ActionShape  # it needs Django, which the command sets up

        asked = {
            "code": question.decision.id,
            "kind": question.decision.kind,
            "actions": [
                ActionShape(one, context={"say": lambda text: self._rules.say(text, "en", self._names)}).data
                for one in question.actions
            ],
        }
        action = self._choose(asked, {"rules": self._rules.name, "view": to_builtins(view)}, random)
        return self._rules.parse(action)


def play(rules: AnyRules, seats: int, number: int, seat: int, against: str, options: Mapping[str, str]) -> Any:
    """One game with the sample bot on this seat; returns its outcome."""
    random, sample, other = Random(number), Sample(rules, seats), rules.bots[against]
    state, _events = rules.new(seats, options, seed_of(number))
    while (outcome := rules.outcome(state)) is None:
        if rules.is_advance_pending(state):
            state, _events = rules.advance(state)
            continue
        decision = next(one for one in rules.decisions(state) if one.prompted)
        view, question = rules.view(state, decision.seat), question_of(rules, state, decision)
        bot = sample if decision.seat == seat else other
        state, _events = rules.apply(state, decision.id, decision.seat, bot.choose(view, question, random))
    return outcome


def measure(rules: AnyRules, seats: int, games: int, against: str, options: Mapping[str, str]) -> tuple[int, int]:
    """Returns how many games it won, and before how many opponents it came in, of games times seats less one."""
    won = before = 0
    for number in range(games):
        seat = number % seats
        outcome = play(rules, seats, number // seats, seat, against, options)
        won += seat in outcome.winners
        before += seats - 1 - outcome.ranking.index(seat)
    return won, before


def main() -> None:
    """The command."""
    known = {rules.name: rules for rules in newest()}
    parser = argparse.ArgumentParser(prog="python -m tests.lab.sample_strength", description=__doc__)
    parser.add_argument("game", choices=sorted(known))
    parser.add_argument("--against", default="random")
    parser.add_argument("--seats", type=int, nargs="*", help="all numbers the game can have, unless given")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    options = dict(option.split("=", 1) for option in asked.option)
    rules = known[asked.game]
    for seats in asked.seats or rules.seat_counts:
        won, before = measure(rules, seats, asked.games, asked.against, options)
        pairs = asked.games * (seats - 1)
        print(
            f"{seats} seats  {asked.games} games  won {won}  before {before} of {pairs} ({before / pairs:.1%})",
            flush=True,
        )


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
