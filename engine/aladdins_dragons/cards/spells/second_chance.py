"""2nd Chance."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import Shown, Spell, all_tokens, at, find_token, move_fields, space_of, text
from engine.aladdins_dragons.effects import may_move_to
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _


class SecondChance(Spell):
    """One own token, even from a tallied space, goes to a space not yet tallied and lies there as it lay (S1).

    Never from or to the guard (A66), and only where its owner may put a token (A24, A25, A27, A68).
    """

    name = "second_chance"
    title = _("2nd Chance")
    rule = _("Move one of your tokens to another space that has not been tallied. It stays face up or face down.")
    keep = 2.5

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """An own token and where it goes."""
        own = [(space, token) for space, token in all_tokens(state, guard=False) if token.seat == seat]
        return [*move_fields(state, seat, own)] or None

    def resolve(self, board: Board, play: Play) -> None:
        """If the token still lies where it lay and may still go there."""
        match, to = find_token(board.state, text(play, "token")), text(play, "to")
        if match and may_move_to(board.state, play.seat, to):
            board.move_token(match[1], match[0], to)
        else:
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The space that the token leaves, and the one to which it goes."""
        return at(space_of(play), text(play, "to"))

    def judge(self, case: Case) -> float:
        """If the token does more elsewhere."""
        return case.gain(case.outlook.with_moved(case.text("token"), case.text("to")))
