"""Artifacts and spells: a card is one class in one file, and says only what it changes.

A class enters itself when it is defined; `deck` imports all of them. Cards never name each other: they meet in the
plays of a window, in effects and in the verbs of the board.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from engine.aladdins_dragons.actions import Action, Reply, play_type
from engine.aladdins_dragons.board.model import Ask, Play, State, Window
from engine.aladdins_dragons.cards.touching import Shown
from engine.aladdins_dragons.judging.case import Case
from engine.core import ActionForm, Field, Seat, Text
from engine.orders.model import EVERYTHING

if TYPE_CHECKING:
    from engine.aladdins_dragons.board.verbs import Board

CARDS: dict[str, Card] = {}
"""Every card by its name, in the order in which the files were read; `deck` fills it."""


class Card:
    """What a card is to the rules. All hooks do nothing unless a card says otherwise.

    Arguments:
        name: the name of its file.
        title, rule: its name and what it does in one or two sentences, marked for translation with `text._`.
        short: a shorter name where there is little room, if the name is long.
        other_rules: what it does at tables where the option of its name has another value than the default.
        sentences: further sentences of its own by code, each code beginning with the card's name and "-".
        moments: in which kinds of `Window` it can be declared.
        keep: how useful it is to a bot to have it, in treasure, beside counting for victory.
        is_answer: it answers a spell that has just been shown, so it can also be declared in a reply.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    short: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    other_rules: ClassVar[dict[str, str]] = {}
    sentences: ClassVar[dict[str, str]] = {}
    moments: ClassVar[frozenset[str]] = frozenset({"window"})
    is_answer: ClassVar[bool] = False
    keep: ClassVar[float]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.name:
            assert cls.name not in CARDS, cls.name
            CARDS[cls.name] = cls()

    # It is declared

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """What it may be aimed at now, one field for each thing to name; None if it cannot be declared."""
        return []

    def forms(self, state: State, seat: Seat, window: Window) -> list[ActionForm]:
        """The ways to declare it now: one, unless a card has variants."""
        fields = self.targets(state, seat, window) if window.kind in self.moments else None
        return [] if fields is None else [self.form(state, fields)]

    def form(self, state: State, fields: list[Field], variant: str = "") -> ActionForm:
        """The form that declares the card with these fields."""
        label = Text("do-play", {"card": {"card": self.name}})
        return ActionForm(play_type(self.name, variant), label, fields, rule_text(self.name, state.magic.last_first))

    def declared(self, board: Board, play: Play) -> None:
        """It has just been shown: for what is paid on declaration."""

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """What a play of it touches of a seat's orders, as everybody can see (`touching`): everything, unless a card
        says what; nothing, if it acts on its player alone. Of its own player it is what negating it would change."""
        return (EVERYTHING,)

    # Its window closes

    def first(self, board: Board, play: Play, plays: list[Play]) -> None:
        """Before anything takes effect: negation lives here (A79). `plays` are all of the window, as declared."""

    def struck(self, board: Board, play: Play) -> None:
        """Its turn comes, but it has been negated."""

    def resolve(self, board: Board, play: Play) -> None:
        """Its turn comes: what it does, judged by what is possible now (A78)."""

    # A bot thinks about it

    def judge(self, case: Case) -> float:
        """What playing it so brings the viewer, in treasure, before what it costs."""
        raise AssertionError(self.name)

    # It has asked something, with an `Ask` frame

    def question(self, state: State, ask: Ask, seat: Seat) -> tuple[Text, list[ActionForm]]:
        """The title, and every way to answer, each of a type made by `actions.answer_type`."""
        raise AssertionError(self.name)

    def answer(self, board: Board, ask: Ask, seat: Seat, reply: Reply) -> None:
        """Takes an answer. The seat has already left `ask.waiting`; a card that asks again puts it back."""
        raise AssertionError(self.name)

    def default(self, state: State, ask: Ask, seat: Seat) -> Action:
        """What the deadline answers (A99)."""
        raise AssertionError(self.name)

    def default_text(self, state: State, ask: Ask, seat: Seat) -> Text:
        """What the deadline answers, as a sentence."""
        return Text(f"{self.name}-default")


def rule_text(card: str, last_first: str) -> Text:
    """What a card does at a table with that value of the option `last_first` (S3)."""
    code = f"{card}-{last_first}" if last_first in CARDS[card].other_rules else card
    return Text("rule", {"rule": {"rule": code}})


class Artifact(Card):
    """A tile its owner keeps; declaring it costs one of the uses of the round (A82, A83).

    Arguments:
        can_be_borrowed: a spell may have its power as well (S13).
    """

    can_be_borrowed: ClassVar[bool] = True

    def borrowed_targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """What a spell that has its power may be aimed at: never the guard's space (S13, A66)."""
        return self.targets(state, seat, window)

    def fits(self, state: State, seat: Seat, window: Window) -> bool:
        """Could a seat that had it declare it here, as far as everybody can see? Decides who is asked."""
        return False


class Spell(Card):
    """A card played once under a lamp that is lit (A84); never at the guard, and never to a tallied space."""
