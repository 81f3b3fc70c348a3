"""Cards that bring, move or remove tokens, or change how they are ranked."""

from dataclasses import replace

from engine.aladdins_dragons.board.facts import CITY, GUARD, rooms
from engine.aladdins_dragons.bots.judgement.case import Case
from engine.aladdins_dragons.bots.judging.outlook import Outlook, Piece, Row
from engine.core import Seat

CARPET = 3
SPYING = 4.0  # what it brings to see the tokens of others as they come
LOCK = 0.3  # the part of a prize that is saved by letting nobody else come near it


def carpet(case: Case) -> float:
    """If three more in the space being tallied bring a better rank, or let it in at the guard."""
    return case.gain(_added(case.outlook, case.outlook.view.tallying, case.caster, CARPET))


def double(case: Case) -> float:
    """The same for a token's own strength."""
    found = case.outlook.find(case.text("token"))
    if found is None:  # a carpet on its way
        return case.gain(_added(case.outlook, case.outlook.view.tallying, case.caster, CARPET))
    space, piece = found
    return case.gain(_added(case.outlook, space, piece.seat, piece.value))


def second_chance(case: Case) -> float:
    """If the token does more elsewhere."""
    return case.gain(_moved(case.outlook, case.text("token"), case.text("to")))


def teleport(case: Case) -> float:
    """If a rival's token is in the way, by more than the treasure that he gets for it."""
    found = case.outlook.find(case.text("token"))
    if found is None:
        return 0.0
    moved = _moved(case.outlook, case.text("token"), case.text("to"))
    return case.gain(moved.with_gain(case.caster, -3).with_gain(found[1].seat, 3))


def eye_for_an_eye(case: Case) -> float:
    """If a rival's token is worth more than the own one that goes with it."""
    outlook, gone = case.outlook, case.outlook.find(case.text("token"))
    if gone is None:
        return 0.0
    without = outlook.without([gone[1].name])
    own = [p for space, row in outlook.rows.items() if space != GUARD for p in row if p.seat == case.caster]
    after = [case.gain(without.without([piece.name])) for piece in own]
    return min(after, default=case.gain(without))


def lunar_eclipse(case: Case) -> float:
    """If the odd tokens that go are mostly in the way."""
    return _eclipse(case, 1)


def solar_eclipse(case: Case) -> float:
    """The same for even ones."""
    return _eclipse(case, 0)


def _eclipse(case: Case, parity: int) -> float:
    def left(row: Row) -> Row:
        return tuple(piece for piece in row if not piece.face_up or piece.value % 2 != parity)

    return case.gain(case.outlook.with_row(case.text("space"), left))


def last_first(case: Case) -> float:
    """If it is mostly the weakest from here on; at another table the same hint serves, 1 and 9 changing places."""
    return case.gain(replace(case.outlook, is_turned=not case.outlook.is_turned))


def taboo(case: Case) -> float:
    """If something is to be kept there: what the space brings with its tokens, of which a part might get lost."""
    space = case.text("space")
    return -LOCK * case.gain(case.outlook.with_row(space, lambda _row: ()))


def spy(case: Case) -> float:
    """Before tokens are placed."""
    return 0.0 if any(case.outlook.view.turns) else SPYING


def smuggler(case: Case) -> float:
    """What the empty spaces of the city bring."""
    return case.gain(replace(case.outlook, smuggler=case.caster))


def city_tax(case: Case) -> float:
    """Two of each rival's treasure for each of his tokens in the city, or the token."""
    spaces = [space for space in CITY if space in case.outlook.rows and space not in case.outlook.view.tallied]
    return _tax(case, spaces, 2)


def sultans_tax(case: Case) -> float:
    """One of each rival's treasure for each of his tokens in the rooms, or the tokens."""
    return _tax(case, [room for room in rooms(case.outlook.view.seats) if room in case.outlook.rows], 1)


def _tax(case: Case, spaces: list[str], price: int) -> float:
    """Whoever can pays; the others take back what lies there."""
    outlook = case.outlook
    for seat in range(outlook.view.seats):
        names = [piece.name for space in spaces for piece in outlook.rows[space] if piece.seat == seat != case.caster]
        if price * len(names) <= case.outlook.hoard(seat):
            outlook = outlook.with_gain(seat, -price * len(names))
        else:
            outlook = outlook.without(names)
    return case.gain(outlook)


def _added(outlook: Outlook, space: str, seat: Seat, value: float) -> Outlook:
    return outlook.with_row(space, lambda row: (*row, Piece(seat, value, "", True, "added")))


def _moved(outlook: Outlook, name: str, to: str) -> Outlook:
    found = outlook.find(name)
    if found is None:
        return outlook
    return outlook.without([name]).with_row(to, lambda row: (*row, found[1]))
