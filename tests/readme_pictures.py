"""Draws the boards of the README and the pictures of the front page, in the middle of a game of greedy bots.

    python -m tests.readme_pictures

The boards are drawn by the templates of the pages and written to docs/pictures/ and, for each language, to
games/static/games/front/.
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
FRONT = ROOT / "games" / "static" / "games" / "front"
NAMES = ("Anna", "Ben", "Carla")
ANSWERS = 30  # by then the table is full of tokens, and nobody has won
PLACING = 14  # by then tokens are being placed, and two treasure hunters have met a good deal
WIDTH = 800  # pixels: twice what a mail has, for sharp screens

SHEET = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 220" width="300" height="220">{body}</svg>'
BUTTON = (
    '<rect x="{x}" y="{y}" width="{width}" height="22" rx="6" fill="#1f4583"/>'
    '<text x="{middle}" y="{baseline}" text-anchor="middle" font-family="system-ui, sans-serif" font-size="11" '
    'font-weight="600" fill="#fff">{{answer}}</text>'
)
MAIL = (
    '<rect width="300" height="220" rx="12" fill="#e9dcc2"/>'
    '<path d="M30 80 150 12 270 80V208H30z" fill="#c9a05c"/>'
    '<rect x="62" y="20" width="176" height="180" rx="4" fill="#fffdf8" stroke="#dfd2bb"/>'
    '<path d="M78 34H190M78 46H222" stroke="#857862" stroke-width="5" stroke-linecap="round"/>{board}'
    + BUTTON.format(x=78, y=166, width=144, middle=150, baseline=181)
)
PLACE = (
    '{board}<rect x="3" y="2" width="72" height="131" rx="7" fill="none" stroke="#ffcf70" stroke-width="4"/>'
    '<circle cx="58" cy="96" r="18" fill="#fff" fill-opacity="0.55" stroke="#fff" stroke-width="2"/>'
)
PHONE = (
    '<rect width="300" height="220" rx="12" fill="#e9dcc2"/>'
    '<rect x="94" y="6" width="112" height="208" rx="14" fill="#0b1120"/>'
    '<rect x="100" y="14" width="100" height="192" rx="6" fill="#fffdf8"/>{board}'
    + BUTTON.format(x=106, y=178, width=88, middle=150, baseline=193)
)


def main() -> None:
    """Draw a picture of each game."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    FOLDER.mkdir(exist_ok=True)
    for rules in newest():
        path = FOLDER / f"{rules.name}.png"
        path.write_bytes(draw(rules, view_after(rules, ANSWERS)))
        print(path)
    from django.conf import settings

    FRONT.mkdir(exist_ok=True)
    for language, _name in settings.LANGUAGES:
        for name, svg in front_pictures(language).items():
            path = FRONT / f"{name}.{language}.svg"
            path.write_text(svg)
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


def front_pictures(language: str) -> dict[str, str]:
    """The pictures of the front page by name, as SVG: both boards, an email, a place on the board, and a phone."""
    from django.utils.translation import gettext, override

    from games.tables import boards

    dragons, cave = newest()[:2]
    drawn = {
        rules.name: boards.svg(
            rules.name, rules.picture(view_after(rules, answers, seats=seats), language, NAMES), is_plain=True
        )
        for rules, seats, answers in ((dragons, 3, ANSWERS), (cave, 2, PLACING))
    }
    mine = dragons.picture(view_after(dragons, PLACING, seat=0), language, NAMES)
    board = boards.svg(dragons.name, mine, is_plain=True)
    with override(language):
        answer = gettext("Play it so")
    return drawn | {
        "letter": SHEET.format(
            x=60, body=MAIL.format(board=part(board, "0 100 400 300", 78, 62, 144, 96), answer=answer)
        ),
        "board": SHEET.format(x=0, body=PLACE.format(board=part(board, "0 335 320 235", 0, 0, 300, 220))),
        "phone": SHEET.format(
            x=0, body=PHONE.format(board=part(board, "0 0 400 704", 102, 24, 96, 150), answer=answer)
        ),
    }


def part(board: str, box: str, x: int, y: int, width: int, height: int) -> str:
    """A board, or some of it, as a part of another picture."""
    inner = board.split(">", 1)[1]
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{box}" preserveAspectRatio="xMidYMin slice" '
        f'font-family="system-ui, sans-serif" font-size="12">{inner}'
    )


if __name__ == "__main__":
    main()
