"""Counterspell."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import CARDS, Artifact, Shown, Spell, number, play_field
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _


def spells_of_others(seat: Seat, window: Window) -> list[tuple[int, Play]]:
    """The spells other seats have declared in this window, with their indices (A80)."""
    return [
        (index, play)
        for index, play in enumerate(window.plays)
        if play.seat != seat and isinstance(CARDS[play.card], Spell)
    ]


class Counterspell(Artifact):
    """Negates a spell another seat has declared in the open window, before anything takes effect (A79-A81)."""

    name = "counterspell"
    title = _("Counterspell")
    short = _("Counter")
    rule = _("Negate a spell that another player has just played. The spell is spent and does nothing.")
    moments = frozenset({"window", "reply"})
    is_answer = True
    keep = 1.5

    def fits(self, state: State, seat: Seat, window: Window) -> bool:
        """There is something to negate."""
        return bool(spells_of_others(seat, window))

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """One spell of another seat."""
        return [*play_field(spells_of_others(seat, window))] or None

    def first(self, board: Board, play: Play, plays: list[Play]) -> None:
        """Several against one spell are all spent (A80)."""
        target = plays[number(play, "play")]
        if not target.is_struck:
            board.strike(target, play.seat)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """Returns what the negated spell would have touched, its own player included."""
        window = next(frame for frame in reversed(shown.agenda) if isinstance(frame, Window))
        answered = window.plays[number(play, "play")]
        return CARDS[answered.card].touches(shown, answered, seat)

    def judge(self, case: Case) -> float:
        """The card that is answered, turned round."""
        answered = case.shown_plays[case.number("play")]
        return -CARDS[answered.card].judge(case.turned_against(answered))
