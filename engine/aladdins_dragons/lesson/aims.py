"""Where the next token might well go, and whether the last one is wasted: from the beginner's view alone."""

from collections.abc import Sequence

from engine.aladdins_dragons.board.facts import CAVES, GUARD, KINDS, PIECES, cave_kind, rooms
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.tally.payments import is_payable
from engine.core import Text

ROOM, FREE = 2, 7  # steps


def own_tokens(view: View, space: str) -> list[int]:
    """The beginner's tokens there, in the order in which they came."""
    return [token.value for token in view.spaces[space] if token.seat == view.seat and token.value is not None]


def _reach(view: View) -> dict[str, int]:
    """By kind what he can have at most when the rooms are tallied: what he has and the top shelf that he may win."""
    hoard = (view.hoards[view.seat] if view.seat is not None else None) or {}
    in_reach = {kind: bool(view.hand) or bool(own_tokens(view, f"cave-{kind}")) for kind in KINDS}
    return {kind: hoard.get(kind, 0) + max(view.caves[kind], default=0) * in_reach[kind] for kind in KINDS}


def aim(step: int, view: View) -> tuple[int, list[str]]:
    """A token in hand and the spaces where it may well go at this step."""
    hand = view.hand or []
    caves = sorted(
        (one for one in CAVES if view.caves[cave_kind(one)]), key=lambda one: -max(view.caves[cave_kind(one)])
    )
    new = [space for space in caves if not own_tokens(view, space)] or caves
    room_tokens = [token for token in hand if token <= max(_reach(view).values())]
    open_rooms = [room for room in rooms(view.seats) if view.offers[room]]
    fewest = min(len(view.spaces[room]) for room in open_rooms)
    free = [space for space in (*caves, "market", "caravanserai", GUARD) if own_tokens(view, space)] + new
    aims = {
        1: (_nearest(hand, 8), new[:1]),
        2: (_nearest(room_tokens or hand, 4), [room for room in open_rooms if len(view.spaces[room]) == fewest]),
        3: (max(hand), [GUARD]),
        4: (_nearest(hand, 7), new[:2]),
        5: (_nearest(hand, 5), ["market"]),
        6: (_nearest(hand, 6), ["caravanserai"]),
    }
    return aims.get(step, (max(hand), list(dict.fromkeys(free))))


def _nearest(hand: Sequence[int], wanted: int) -> int:
    return min(hand, key=lambda token: (abs(token - wanted), token))


def last_placed(view: View, space: str, value: int) -> list[Text]:
    """What is to be said of the token that was placed last: where it lies, and whether that may be wasted."""
    return [Text("lesson-placed", {"value": value, "at": {"at": space}}), *_waste(view, space, value)]


def _waste(view: View, space: str, value: int) -> list[Text]:
    tokens = own_tokens(view, space)
    has_room = any(own_tokens(view, room) for room in rooms(view.seats))
    if space.startswith("room-") and not is_payable(tokens, _reach(view)):
        return [Text("lesson-waste-price", {"price": {"sum": tokens}, "at": {"at": space}})]
    before = sum(tokens) - value
    if space == GUARD and before >= max(PIECES.guards):
        return [Text("lesson-waste-strong", {"total": before})]
    if not view.hand and has_room and not own_tokens(view, GUARD):
        return [Text("lesson-waste-no-guard")]
    if not view.hand and own_tokens(view, GUARD) and not has_room:
        return [Text("lesson-waste-no-room")]
    return []
