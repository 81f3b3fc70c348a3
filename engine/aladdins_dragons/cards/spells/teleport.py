"""Teleport."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import (
    TREASURE,
    Shown,
    Spell,
    all_tokens,
    amounts_field,
    at,
    find_token,
    move_fields,
    owner_of,
    possible,
    space_of,
    text,
    treasure,
)
from engine.aladdins_dragons.effects import may_move_to
from engine.aladdins_dragons.facts import KINDS
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _

PRICE = 3


class Teleport(Spell):
    """A token of another player goes where its owner may put one; he is paid three of value for it (S20, A45).

    From any space but the guard, face up or down as it lies. Nothing is paid for a token that does not move.
    """

    name = "teleport"
    title = _("Teleport")
    rule = _("Move another player's token to a space that has not been tallied, and pay its owner treasure worth 3.")
    keep = 2.4

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """The token, where it goes, and what its owner gets: less of whoever has less."""
        others = [(space, token) for space, token in all_tokens(state, guard=False) if token.seat != seat]
        move = move_fields(state, seat, others)
        return [*move, *amounts_field("pay", state.hoards[seat], PRICE)] if move else None

    def resolve(self, board: Board, play: Play) -> None:
        """If the token still lies where it lay and may still go there."""
        match, to = find_token(board.state, text(play, "token")), text(play, "to")
        if not match or not may_move_to(board.state, match[1].seat, to):
            board.fizzle(play)
            return
        board.move_token(match[1], match[0], to)
        wanted = treasure(play, "pay") if "pay" in play.targets else {}
        amounts = _as_much(wanted, board.state.hoards[play.seat])
        if amounts:
            board.give_treasure(play.seat, match[1].seat, amounts)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The space that the token leaves and the one to which it goes; the treasure of its owner and of the caster."""
        has_share = seat in (play.seat, owner_of(shown, text(play, "token")))
        return [*at(space_of(play), text(play, "to")), *(TREASURE if has_share else ())]

    def judge(self, case: Case) -> float:
        """If a rival's token is in the way, by more than the treasure that he gets for it."""
        token = case.outlook.find(case.text("token"))
        if token is None:
            return 0.0
        moved = case.outlook.with_moved(case.text("token"), case.text("to"))
        return case.gain(moved.with_gain(case.caster, -PRICE).with_gain(token[1].seat, PRICE))


def _as_much(wanted: dict[str, int], hoard: dict[str, int]) -> dict[str, int]:
    """Returns what is wanted; where it is gone by now, other kinds fill it up to the price."""
    amounts = possible(wanted, hoard)
    for kind in KINDS:
        more = min(PRICE - sum(amounts.values()), hoard[kind] - amounts.get(kind, 0))
        if more > 0:
            amounts[kind] = amounts.get(kind, 0) + more
    return amounts
