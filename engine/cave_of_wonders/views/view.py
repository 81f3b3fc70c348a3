"""Who may see what: the view of a state, field by field. Everything is public but what lies face down (C49)."""

from msgspec.structs import replace

from engine.cave_of_wonders.board.model import CaveToken, SeenToken, State, View
from engine.cave_of_wonders.questions import decisions, question
from engine.core import Seat


def view(state: State, seat: Seat | None) -> View:
    """What the seat may see (None: a spectator)."""
    asked = decisions(state)
    seen = View(
        rules_version=state.rules_version,
        equal_turns=state.equal_turns,
        full_distance=state.full_distance,
        seat=seat,
        start=state.start,
        active=state.active,
        favourites=list(state.favourites),
        turn=state.turn,
        taken=state.taken,
        aladdin=state.aladdin,
        spaces={space: _seen(lying) for space, lying in state.spaces.items()},
        boards=[{square: list(tokens) for square, tokens in board.items()} for board in state.boards],
        scores=list(state.scores),
        held=state.held,
        is_last_round=state.is_last_round,
        frame=state.frame,
        resigned=list(state.resigned),
        asked=asked,
        questions=[],
        outcome=state.outcome,
        branch=state.branch,
    )
    seen.questions = [question(seen, decision) for decision in asked if decision.seat == seat]
    return seen


def still(state: State, seat: Seat | None) -> View:
    """What the seat sees between two events of a step: the cave as it is, while nobody is asked anything."""
    return view(replace(state, frame=None), seat)


def _seen(lying: CaveToken | None) -> SeenToken | None:
    """Face down a token shows its kind alone (C10); so does a genie (C11)."""
    if lying is None:
        return None
    if not lying.face_up:
        return SeenToken(lying.token.kind, face_up=False)
    return SeenToken(lying.token.kind, face_up=True, number=lying.token.number, character=lying.token.character)
