"""Key."""

from collections.abc import Iterable
from dataclasses import replace

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import Artifact, Shown, at
from engine.aladdins_dragons.facts import GUARD
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Seat
from engine.core.language import _


class Key(Artifact):
    """Enters the palace at the owner's guard decision, with tokens there or without, and pays no bribe (A64)."""

    name = "key"
    title = _("Key")
    rule = _("You enter the palace, whatever the strength of the guard and of your tokens there.")
    moments = frozenset({"entry"})
    keep = 3.0

    def fits(self, state: State, seat: Seat, window: Window) -> bool:
        """Whenever the seat is still out."""
        return seat not in state.admitted

    def resolve(self, board: Board, play: Play) -> None:
        """Nobody can prevent it."""
        board.unlock(play.seat)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """Nobody else: who enters stands for himself (A61). If a borrowed one is negated its player decides again."""
        return at(GUARD, "bribe") if seat == play.seat else ()

    def judge(self, case: Case) -> float:
        """If there is something to buy inside, and no cheaper way in."""
        return case.gain(replace(case.outlook, inside=case.outlook.inside | {case.caster}))
