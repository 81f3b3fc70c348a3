"""Parasite."""

from collections.abc import Iterable

from msgspec.structs import replace

from engine.aladdins_dragons.actions import VARIANT
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import CARDS, Artifact, Shown, Spell, text
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import ActionForm, Seat, Text
from engine.core.language import _


def lent(state: State, seat: Seat) -> list[Artifact]:
    """The artifacts opponents have used this round whose power a spell can have, each once."""
    names = dict.fromkeys(name for other, used in enumerate(state.magic.used) if other != seat for name in used)
    return [card for name in names if isinstance(card := CARDS[name], Artifact) and card.can_be_borrowed]


class Parasite(Spell):
    """The power of an artifact an opponent has used this round, free of the limit and under its own timing (S13).

    It is a spell and can be negated. The power is borrowed through the registry: no artifact is named here.
    """

    name = "parasite"
    title = _("Parasite")
    rule = _("Use the power of an artifact that an opponent has used this round. It doesn't count as one of your uses.")
    sentences = {"parasite-do": _("Play {card} as {power}")}
    moments = frozenset({"window", "reply", "entry"})
    keep = 2.0

    def forms(self, state: State, seat: Seat, window: Window) -> list[ActionForm]:
        """One for each power that fits here."""
        forms = []
        for artifact in lent(state, seat):
            fields = artifact.borrowed_targets(state, seat, window) if window.kind in artifact.moments else None
            if fields is not None:
                label = Text("parasite-do", {"card": {"card": self.name}, "power": {"card": artifact.name}})
                forms.append(replace(self.form(state, fields, artifact.name), label=label))
        return forms

    def first(self, board: Board, play: Play, plays: list[Play]) -> None:
        CARDS[text(play, VARIANT)].first(board, play, plays)

    def resolve(self, board: Board, play: Play) -> None:
        CARDS[text(play, VARIANT)].resolve(board, play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """Returns what the artifact touches."""
        return CARDS[text(play, VARIANT)].touches(shown, play, seat)

    def judge(self, case: Case) -> float:
        """By the power that is borrowed."""
        return CARDS[case.text(VARIANT)].judge(case)
