"""Double."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import (
    Artifact,
    Found,
    Shown,
    at_open,
    find_token,
    space_of,
    text,
    token_field,
    token_name,
)
from engine.aladdins_dragons.facts import GUARD
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Choice, Field, Option, Seat, Text
from engine.core.language import _

CARPET = 3  # the strength of one that is on its way


def doublable(state: State, seat: Seat) -> list[Found]:
    """Own face-up tokens, doubles excepted, in spaces not yet tallied (A87); at the guard as well (A65)."""
    return [
        (space, token)
        for space, row in state.spaces.items()
        for token in row
        if token.face_up and token.seat == seat and token.source != "double" and space not in state.tallied
    ]


def declared_carpet(seat: Seat, window: Window) -> str:
    """The name of a carpet the seat has declared in this window, whatever brings it; "" if there is none."""
    names = {play.card for play in window.plays if play.seat == seat}
    names |= {str(play.targets.get("variant")) for play in window.plays if play.seat == seat}
    return f"{window.where}:carpet" if "carpet" in names else ""


class Double(Artifact):
    """A second token as strong as one of the owner's that lies face up, in the same space (A71, A87, A88)."""

    name = "double"
    title = _("Double")
    rule = _("One of your face-up tokens counts twice in its space. In a room you pay for the second one too.")
    keep = 2.6

    def fits(self, state: State, seat: Seat, window: Window) -> bool:
        """There is something to double, as everybody sees."""
        return bool(doublable(state, seat)) or bool(declared_carpet(seat, window))

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A token, or a carpet that is on its way in the same window (A77)."""
        (field,) = token_field(seat, doublable(state, seat)) or [Choice("token", Text("field-token"), [])]
        if carpet := declared_carpet(seat, window):
            field.options.append(Option(carpet, Text("card", {"card": {"card": "carpet"}})))
        return [field] if field.options else None

    def borrowed_targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """Nothing at the guard (S13)."""
        fields = self.targets(state, seat, window) or []
        names = {token_name(GUARD, token) for token in state.spaces[GUARD]} | {f"{GUARD}:carpet"}
        options = [option for field in fields for option in field.options if option.value not in names]
        return [Choice("token", Text("field-token"), options)] if options else None

    def resolve(self, board: Board, play: Play) -> None:
        """If the token still lies where it lay."""
        doubled = find_doubled(board.state, play)
        if doubled is None or doubled[0] in board.state.tallied:
            board.fizzle(play)
        else:
            space, token = doubled
            board.add_token(play.seat, space, token.value, self.name)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The space of the token; at the guard nobody else (A62)."""
        return at_open([space_of(play)])

    def judge(self, case: Case) -> float:
        """If the token's own strength once more in its space brings a better rank."""
        token, outlook = case.outlook.find(case.text("token")), case.outlook
        if token is None:  # a carpet on its way
            return case.gain(outlook.with_token(outlook.view.tallying, case.caster, CARPET))
        space, piece = token
        return case.gain(outlook.with_token(space, piece.seat, piece.value))


def find_doubled(state: State, play: Play) -> Found | None:
    """The token a play names; a carpet that was on its way is the last one its owner has there."""
    name = text(play, "token")
    if not name.endswith(":carpet"):
        return find_token(state, name)
    space = name.partition(":")[0]
    carpets = [token for token in state.spaces[space] if token.seat == play.seat and token.source == "carpet"]
    return (space, carpets[-1]) if carpets else None
