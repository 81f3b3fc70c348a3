"""The view of one seat, and states that look like it to that seat."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from engine.cave_of_wonders import events
from engine.cave_of_wonders.events import Event
from engine.cave_of_wonders.facts import KINDS, TOKENS, Token
from engine.cave_of_wonders.model import CaveToken, SeenToken, State, View
from engine.cave_of_wonders.questions import decisions, question
from engine.core import Seat
from engine.core.rng import Rng

# Who may see what: the view of a state, field by field. Everything is public but what lies face down (C49).


def view(state: State, seat: Seat | None) -> View:
    """Returns what the seat may see (None: a spectator)."""
    open_decisions = decisions(state)
    result = View(
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
        asked=open_decisions,
        questions=[],
        outcome=state.outcome,
        branch=state.branch,
    )
    result.questions = [question(result, decision) for decision in open_decisions if decision.seat == seat]
    return result


def still(state: State, seat: Seat | None) -> View:
    """Returns what the seat sees between two events of a step: the cave as it is, while nobody is asked anything."""
    return view(replace(state, frame=None), seat)


def _seen(lying: CaveToken | None) -> SeenToken | None:
    """Face down a token shows its kind alone (C10); so does a genie (C11)."""
    if lying is None:
        return None
    if not lying.face_up:
        return SeenToken(lying.token.kind, face_up=False)
    return SeenToken(lying.token.kind, face_up=True, number=lying.token.number, character=lying.token.character)


# Which events of a step a replay shows one after the other.

OPENING = (events.RollRevealed, events.AladdinMoved, events.TokenPlaced, events.GenieTaken, events.GameEnded)
"""Aladdin goes, and what lies there is turned over; the token goes to its square; the die is rolled again."""


def opens_scene(event: Event, before: Event) -> bool:
    """True if the cave is shown as it was before this event."""
    return isinstance(event, OPENING)


# A state that looks like a view: what lies face down is drawn at random from what has not been seen.


def determinise(view: View, random: Random) -> State:
    """Face-down tokens are dealt anew among those of their kind (C10), and the die falls as it may."""
    unseen = unseen_tokens(view)
    for pool in unseen.values():
        random.shuffle(pool)
    return State(
        rules_version=view.rules_version,
        equal_turns=view.equal_turns,
        full_distance=view.full_distance,
        rng=Rng(random.randbytes(32).hex()),
        start=view.start,
        favourites=list(view.favourites),
        turn=view.turn,
        taken=view.taken,
        aladdin=view.aladdin,
        spaces={space: _lying(seen_token, unseen) for space, seen_token in view.spaces.items()},
        boards=[{square: list(tokens) for square, tokens in board.items()} for board in view.boards],
        scores=list(view.scores),
        held=view.held,
        is_last_round=view.is_last_round,
        frame=view.frame,
        resigned=list(view.resigned),
        outcome=view.outcome,
        branch=view.branch,
    )


def unseen_tokens(view: View) -> dict[str, list[Token]]:
    """By kind the tokens that lie face down somewhere: as many as there are backs of that kind in the cave."""
    unseen = Counter(TOKENS)
    unseen.subtract(_seen_tokens(view))
    return {kind: [token for token in unseen.elements() if token.kind == kind] for kind in KINDS}


def _seen_tokens(view: View) -> Iterator[Token]:
    """Everything that lies open: in the cave, on the boards, in hand."""
    yield from (
        seen_token.token() for seen_token in view.spaces.values() if seen_token is not None and seen_token.face_up
    )
    yield from (token for board in view.boards for tokens in board.values() for token in tokens)
    if view.held is not None:
        yield view.held


def _lying(seen_token: SeenToken | None, unseen: dict[str, list[Token]]) -> CaveToken | None:
    if seen_token is None:
        return None
    return CaveToken(seen_token.token() if seen_token.face_up else unseen[seen_token.kind].pop(), seen_token.face_up)


# The same position with fresh randomness: what lies face down is dealt anew among tokens of its kind.


def reshuffle(state: State) -> None:
    """Nobody has seen a token that lies face down (C10, C49); the roll on the table stays."""
    spaces = state.spaces
    hidden = {space: lying for space, lying in spaces.items() if lying is not None and not lying.face_up}
    for kind in KINDS:
        places = [space for space, lying in hidden.items() if lying.token.kind == kind]
        tokens = state.rng.shuffled([hidden[space].token for space in places])
        spaces |= {space: CaveToken(token, face_up=False) for space, token in zip(places, tokens, strict=True)}
