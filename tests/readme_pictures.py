"""Draws the boards of the README, in the middle of a game of greedy bots.

    python -m tests.readme_pictures

They are drawn by the templates of emails and written to docs/pictures/.
"""

import os
from pathlib import Path
from random import Random
from typing import Any

import django

from engine.registry import AnyRules, newest
from tests.engine.playing import question_of, seed_of

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
NAMES = ("Anna", "Ben", "Carla")
ANSWERS = 30  # by then the table is full of tokens, and nobody has won
WIDTH = 800  # pixels: twice what a mail has, for sharp screens


def main() -> None:
    """Draw a picture of each game."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    FOLDER.mkdir(exist_ok=True)
    for rules in newest():
        path = FOLDER / f"{rules.name}.png"
        path.write_bytes(draw(rules, view_after(rules, ANSWERS)))
        print(path)


def view_after(rules: AnyRules, answers: int, *, seats: int = len(NAMES), seat: int | None = None) -> Any:
    """What a spectator, or the player of a seat, sees after so many answers of greedy bots."""
    random, bot = Random(1), rules.bots["greedy"]
    state, _ = rules.new(seats, {}, seed_of(1))
    while answers:
        if rules.is_advance_pending(state):
            state, _ = rules.advance(state)
            continue
        decision = next(decision for decision in rules.decisions(state) if decision.prompted)
        action = bot.choose(rules.view(state, decision.seat), question_of(rules, state, decision), random)
        state, _ = rules.apply(state, decision.id, decision.seat, action)
        answers -= 1
    return rules.view(state, seat)


def draw(rules: AnyRules, view: Any) -> bytes:
    """The board as PNG, as emails have it."""
    from games.play import pictures  # models are loaded by now
    from games.tables import boards

    board = rules.picture(view, "en", NAMES)
    return pictures.encode(pictures.draw(boards.svg(rules.name, board, is_plain=True), WIDTH))


if __name__ == "__main__":
    main()
