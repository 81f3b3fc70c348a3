"""Begins a game in a package of its own (script/new-game): a whole one that runs, to be changed into another.

On a board, everybody takes spaces that are worth points; with cards, everybody plays one from a hidden hand and the
highest wins. Sealed, all answer at once.
"""

import argparse
import re
from pathlib import Path

from tests.catalogues import ROOT

LANGUAGES = ("de", "es")
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

HEAD = '''"""{title}: say in a sentence what it is."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import TypeAlias

import msgspec

from engine.base import Action, BaseEvent, BaseRules, BaseState, BaseView, GameWords, Shown
from engine.core import Seat
from engine.core.language import _
from engine.core.rng import Rng
from engine.kits import {kits}


class {move}(Action, frozen=True, tag="{tag}"):
    """{move_doc}"""

    {field}: {kind}

'''

BOARD_TABLE = '''
class Table(msgspec.Struct):
    """What everybody sees.

    Arguments:
        worth: points by space.
        taken: by space the seat that has taken it; null where two wanted it at once.
    """

    worth: dict[str, int]
    taken: dict[str, Seat | None]


State: TypeAlias = BaseState[Table, None, None]
View: TypeAlias = BaseView[Table, None]
'''

CARD_TABLE = '''
class Table(msgspec.Struct):
    """What everybody sees.

    Arguments:
        played: by seat the cards that lie open, the newest last.
        points: by seat the rounds that were won.
    """

    played: list[list[int]]
    points: list[int]


class Hand(msgspec.Struct):
    """What a seat alone sees: its cards."""

    cards: list[int]


class Hidden(msgspec.Struct):
    """The cards that were not dealt; nobody sees them."""

    deck: list[int]


State: TypeAlias = BaseState[Table, Hand, Hidden]
View: TypeAlias = BaseView[Table, Hand]
'''

EVENT = '''

class {event}(
    BaseEvent,
    frozen=True,
    says={{"done": _("{{seat}} {verb} {{{field}}}."), "done-you": _("You {you} {{{field}}}.")}},
):
    """{move_doc}"""

    seat: Seat
    {field}: {kind}
    scores: list[int]


class {class_name}(BaseRules[Table, {secrets}, {move}]):
    """The rule set. What it does not say itself is said by the base: docs/game-base.md."""

    name = "{name}"
    seat_counts = (2, 3, 4)
    events = ({event},)
    sealed = {sealed}
    sentences = {{
        "title": _("{title}"),
        "about": _("{about}"),
        "ask-move": _("{ask}"),
        "do-{tag}": _("{do}"),
        "field-{field}": _("{label}"),
    }}
'''

BOARD_RULES = '''
    def lay_out(self, seats: int, options: Mapping[str, str], rng: Rng) -> Table:
        """Each space is worth 1 to 9 points."""
        names = [f"{{column}}{{row}}" for column in "abcd" for row in range(1, 5)]
        return Table({{name: 1 + rng.below(9) for name in names}}, {{}})

    def moves(self, state: State, seat: Seat) -> list[{move}]:
        """Any free space."""
        return [{move}(name) for name in state.table.worth if name not in state.table.taken]
{doing}
    def is_over(self, state: State) -> bool:
        """All spaces are taken."""
        return len(state.table.taken) == len(state.table.worth)

    def scores(self, shown: Shown[Table, None, None]) -> list[int]:
        """What the spaces of each seat are worth."""
        table = shown.table
        owned = [[name for name, owner in table.taken.items() if owner == seat] for seat in range(shown.seats)]
        return [sum(table.worth[name] for name in names) for names in owned]

    def draw_board(self, view: View, words: GameWords) -> BoardPart:
        """The spaces with what they are worth, and whose they are."""
        pieces = {{name: BoardPiece(seat, "" if seat is not None else "-") for name, seat in view.table.taken.items()}}
        return {kit}(4, 4, pieces, {{name: str(worth) for name, worth in view.table.worth.items()}})
'''

BOARD_TURN = '''
    def act(self, state: State, seat: Seat, action: {move}) -> Iterator[BaseEvent]:
        """The space is the seat's."""
        state.table.taken[action.space] = seat
        yield {event}(seat, action.space, self.scores(state))
'''

BOARD_SEALED = '''
    def reveal(self, state: State, answers: Mapping[Seat, {move}]) -> Iterator[BaseEvent]:
        """Everybody gets the space that nobody else wanted."""
        wanted = [answer.space for answer in answers.values()]
        for seat, answer in answers.items():
            state.table.taken[answer.space] = seat if wanted.count(answer.space) == 1 else None
        for seat, answer in answers.items():
            yield {event}(seat, answer.space, self.scores(state))
'''

CARD_RULES = '''
    def lay_out(self, seats: int, options: Mapping[str, str], rng: Rng) -> Table:
        """Nothing lies open."""
        return Table([[] for _seat in range(seats)], [0] * seats)

    def deal(self, state: State) -> None:
        """Five of twenty-five cards to each."""
        deck = state.rng.shuffled(range(1, 26))
        state.hands = [Hand(sorted(deck.pop() for _card in range(5))) for _seat in range(state.seats)]
        state.hidden = Hidden(deck)

    def imagine(self, state: State, view: View, random: Random) -> None:
        """The cards that the viewer has not seen are dealt at random."""
        seen = {{*(card for row in view.table.played for card in row), *(view.hand.cards if view.hand else ())}}
        unseen = [card for card in range(1, 26) if card not in seen]
        random.shuffle(unseen)
        for seat, row in enumerate(view.table.played):
            if seat != view.seat:
                state.hands[seat] = Hand(sorted(unseen.pop() for _card in range(5 - len(row))))
        state.hidden = Hidden(unseen)

    def moves(self, state: State, seat: Seat) -> list[{move}]:
        """Any card of the hand."""
        return [{move}(card) for card in state.hands[seat].cards]
{doing}
    def count(self, state: State) -> None:
        """When all have played a card, the highest wins the round."""
        played = state.table.played
        if len({{len(row) for row in played}}) == 1:
            state.table.points[max(range(state.seats), key=lambda seat: played[seat][-1])] += 1

    def is_over(self, state: State) -> bool:
        """All cards have been played."""
        return not any(hand.cards for hand in state.hands)

    def scores(self, shown: Shown[Table, Hand, Hidden]) -> list[int]:
        """The rounds that were won."""
        return shown.table.points

    def draw_board(self, view: View, words: GameWords) -> BoardPart:
        """What lies open, and the own hand as cards to tap."""
        rows = [cards(words.name(seat), row, prefix=f"{{seat}}-") for seat, row in enumerate(view.table.played)]
        return stacked(*rows, cards(words.sentence("field-card"), view.hand.cards) if view.hand else None)
'''

CARD_TURN = '''
    def act(self, state: State, seat: Seat, action: {move}) -> Iterator[BaseEvent]:
        """The card lies open."""
        state.hands[seat].cards.remove(action.card)
        state.table.played[seat].append(action.card)
        self.count(state)
        yield {event}(seat, action.card, self.scores(state))
'''

CARD_SEALED = '''
    def reveal(self, state: State, answers: Mapping[Seat, {move}]) -> Iterator[BaseEvent]:
        """All cards are turned over at once."""
        for seat, answer in answers.items():
            state.hands[seat].cards.remove(answer.card)
            state.table.played[seat].append(answer.card)
        self.count(state)
        for seat, answer in answers.items():
            yield {event}(seat, answer.card, self.scores(state))
'''

FOOT = '''

GAMES = ({class_name}(),)
"""Each version of the rule set, as the entry point offers them."""
'''

PROJECT = """[build-system]
requires = ["flit_core>=3.11,<5"]
build-backend = "flit_core.buildapi"

[project]
name = "{package}"
version = "1.0.0"
description = "{title} for Caravanserai"
requires-python = ">=3.11"

[project.entry-points."caravanserai.games"]
{module_name} = "{module}:GAMES"

[tool.flit.module]
name = "{module}"
"""

PO = r"""msgid ""
msgstr ""
"Project-Id-Version: {package}\n"
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"""

MARK = """<rect x="8" y="8" width="32" height="32" rx="6" fill="#f7ecd2" stroke="#5c4a2f" stroke-width="2" />
<circle cx="24" cy="24" r="9" fill="#b3261e" />
"""

RULES = """# {title}

Say what the game is, and for how many.

## A turn

1. {ask}

## The end

Whoever has most points wins.
"""


def package_of(name: str, board: str, *, sealed: bool) -> dict[str, str]:
    """The files of a new package by their paths."""
    cards = board == "cards"
    parts = {"hex": "hexagons", "grid": "squares", "cards": "cards"}
    event = "CardRevealed" if cards else "SpaceRevealed" if sealed else "SpaceTaken"  # open now, and hidden before
    facts = {
        "name": name,
        "title": name.replace("-", " ").capitalize(),
        "class_name": "".join(part.capitalize() for part in name.split("-")),
        "package": f"caravanserai-{name}",
        "module": f"caravanserai_{name.replace('-', '_')}",
        "module_name": name.replace("-", "_"),
        "kits": "BoardPart, cards, stacked" if cards else f"BoardPart, BoardPiece, {parts[board]}",
        "kit": parts[board],
        "sealed": str(sealed),
        "event": event,
        "move": "Play" if cards else "Take",
        "tag": "play" if cards else "take",
        "field": "card" if cards else "space",
        "kind": "int" if cards else "str",
        "move_doc": "A seat plays a card." if cards else "A seat takes a space.",
        "verb": "plays" if cards else "takes",
        "you": "play" if cards else "take",
        "secrets": "Hand, Hidden" if cards else "None, None",
        "about": "The highest card wins the round." if cards else "Take the spaces that are worth most.",
        "ask": "Which card do you play?" if cards else "Which space do you take?",
        "do": "Play" if cards else "Take",
        "label": "Your hand" if cards else "Space",
    }
    doing = {(True, True): CARD_SEALED, (True, False): CARD_TURN, (False, True): BOARD_SEALED}.get(
        (cards, sealed), BOARD_TURN
    )
    table, rules = (CARD_TABLE, CARD_RULES) if cards else (BOARD_TABLE, BOARD_RULES)
    code = HEAD.format(**facts) + table + EVENT.format(**facts)
    code += rules.format(**facts, doing=doing.format(**facts)) + FOOT.format(**facts)
    if not cards:
        code = code.replace("from random import Random\n", "")
    module = facts["module"]
    return {
        "pyproject.toml": PROJECT.format(**facts),
        f"{module}/__init__.py": code,
        f"{module}/rules/{name}.md": RULES.format(**facts),
        f"{module}/templates/games/marks/{name}.svg": MARK,
        **{
            f"{module}/locale/{language}/LC_MESSAGES/{facts['module_name']}.po": PO.format(**facts, language=language)
            for language in LANGUAGES
        },
    }


def main() -> None:
    """Write the package into a folder that does not exist yet, or say what is wrong."""
    parser = argparse.ArgumentParser(prog="script/new-game", description=__doc__)
    parser.add_argument("name", help="of the rule set, such as royal-goose")
    parser.add_argument("--sealed", action="store_true", help="all answer at once, each in secret")
    boards = parser.add_mutually_exclusive_group()
    for board, shown in (("hex", "a board of hexagons"), ("grid", "of squares (default)"), ("cards", "hands of cards")):
        boards.add_argument(f"--{board}", dest="board", action="store_const", const=board, default="grid", help=shown)
    options = parser.parse_args()
    if not NAME.fullmatch(options.name):
        parser.error("a name has small letters, digits and hyphens, such as royal-goose")
    folder = Path(f"caravanserai-{options.name}")
    if folder.exists():
        parser.error(f"{folder} exists")
    for path, text in package_of(options.name, options.board, sealed=options.sealed).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    print(f"""Wrote {folder}. Beside the service, in {ROOT}:
  .venv/bin/pip install --editable {folder.resolve()}
  ./script/test-game {options.name}         what the service relies on, and a game by mail to its winner
  ./script/messages {folder.resolve()}      its sentences, to be translated in locale/
docs/adding-a-game.md walks through such a game.""")


if __name__ == "__main__":
    main()
