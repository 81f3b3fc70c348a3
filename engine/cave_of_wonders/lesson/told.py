"""What a turn has brought, from its events."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from engine.cave_of_wonders.board import events
from engine.cave_of_wonders.board.events import Event
from engine.cave_of_wonders.board.facts import Token
from engine.cave_of_wonders.board.model import SeenToken, View
from engine.cave_of_wonders.gains import gains_at
from engine.cave_of_wonders.moves import landings
from engine.cave_of_wonders.questions import token_param
from engine.core import JsonObject, Seat, Text

EXPLAINED = ("number", "row", "column", "trio", "sorcerer", "carpet")  # parts of points
WORTH_SAYING = 2  # points by which a move may miss the best one


def last_turn(seen: Sequence[Event], me: Seat) -> list[Event]:
    """The events of the latest turn of this seat."""
    turns: list[list[Event]] = []
    for event in seen:
        if isinstance(event, events.RollRevealed) and not event.again:
            turns.append([])
        if turns:
            turns[-1].append(event)
    return next((turn for turn in reversed(turns) if getattr(turn[0], "seat", None) == me), [])


def parts_before(seen: Sequence[Event], me: Seat, turn: Sequence[Event]) -> set[str]:
    """What this seat has had points for before its latest turn, which is explained no more."""
    placed = [event for event in seen if isinstance(event, events.TokenPlaced) and event.seat == me]
    return {part for event in placed if event not in turn for part in event.points}


def own_turn(turn: Sequence[Event], known: Collection[str] = ()) -> list[Text]:
    """How the beginner went, and what each token brought.

    Arguments:
        known: parts of points that have been explained.
    """
    told: list[Text] = []
    roll, went, took, explained = 0, "", "lesson-took", set(known)
    for event in turn:
        match event:
            case events.RollRevealed(_, _, roll, again):
                went = "lesson-again" if again else "lesson-went"
            case events.AladdinMoved(_, origin, to, flew):
                told.append(Text("lesson-flew" if flew else went, {"roll": roll, "origin": origin, "to": to}))
            case events.TokenRevealed():
                took = "lesson-turned"
            case events.TokenPlaced(_, token, square, points, score):
                told.append(_took(token, took, square, points, score))
                took = "lesson-took"
                told += [Text(f"lesson-part-{part}") for part in EXPLAINED if part in points and part not in explained]
                explained |= set(points)
    return told


def _took(token: Token, code: str, square: str, points: Mapping[str, int], score: int) -> Text:
    params: JsonObject = {"parts": {"parts": dict(points)}, "score": {"points": score}}
    if token.character == "genie":
        return Text("lesson-took-genie", {**params, "square": {"square": square}})
    return Text(code, {**params, "token": _token(token)})


def other_turn(turn: Sequence[Event]) -> list[Text]:
    """What another player took."""
    told: list[Text] = []
    space = ""
    for event in turn:
        match event:
            case events.AladdinMoved(_, _, space):
                pass
            case events.TokenPlaced(seat, token, _, points, score):
                params: JsonObject = {"seat": {"seat": seat}, "token": _token(token), "space": space}
                code = "lesson-other-genie" if token.character == "genie" else "lesson-other-took"
                told.append(Text(code, {**params, "parts": {"parts": points}, "score": {"points": score}}))
    return told


def better(view: View, turn: Sequence[Event]) -> list[Text]:
    """Where the same roll would have brought more; nothing of a turn with several tokens, or one that lay face down."""
    match turn:
        case [
            events.RollRevealed(_, seat, roll),
            events.AladdinMoved(_, origin, to),
            events.TokenPlaced(_, token, square, points),
        ]:
            lying = SeenToken(token.kind, face_up=True, number=token.number, character=token.character)
            board = {**view.boards[seat], square: view.boards[seat][square][:-1]}
            boards = [board if owner == seat else other for owner, other in enumerate(view.boards)]
            before = replace(view, spaces={**view.spaces, to: lying}, boards=boards, aladdin=origin)
            reach = landings(before.spaces, origin, roll, full_distance=view.full_distance)
            open_to = [space for space in reach if (found := before.spaces[space]) and found.face_up]
            gains = gains_at(before, seat, open_to)
            best = max(gains, key=gains.__getitem__)
            if gains[best] - sum(points.values()) >= WORTH_SAYING:
                return [Text("lesson-better", {"space": best, "gain": {"gain": gains[best]}})]
    return []


def _token(token: object) -> JsonObject:
    return token_param(token.kind, token.number, token.character)  # type: ignore[attr-defined]
