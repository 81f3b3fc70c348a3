"""A state that looks like a view: what lies face down is drawn at random from what has not been seen."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from engine.cave_of_wonders.board.facts import KINDS, TOKENS, Token
from engine.cave_of_wonders.board.model import CaveToken, SeenToken, State, View
from engine.core.rng import Rng


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
        spaces={space: _lying(seen, unseen) for space, seen in view.spaces.items()},
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
    yield from (seen.token() for seen in view.spaces.values() if seen is not None and seen.face_up)
    yield from (token for board in view.boards for tokens in board.values() for token in tokens)
    if view.held is not None:
        yield view.held


def _lying(seen: SeenToken | None, unseen: dict[str, list[Token]]) -> CaveToken | None:
    if seen is None:
        return None
    return CaveToken(seen.token() if seen.face_up else unseen[seen.kind].pop(), seen.face_up)
