"""The same position with fresh randomness: what lies face down is dealt anew among tokens of its kind."""

from msgspec.structs import replace

from engine.cave_of_wonders.board.facts import KINDS
from engine.cave_of_wonders.board.model import CaveToken, State
from engine.core.rng import Rng


def redeal(state: State, seed: str, branch: int) -> State:
    """Nobody has seen a token that lies face down (C10, C49); the roll on the table stays."""
    rng, spaces = Rng(seed), dict(state.spaces)
    hidden = {space: lying for space, lying in spaces.items() if lying is not None and not lying.face_up}
    for kind in KINDS:
        places = [space for space, lying in hidden.items() if lying.token.kind == kind]
        tokens = rng.shuffled([hidden[space].token for space in places])
        spaces |= {space: CaveToken(token, face_up=False) for space, token in zip(places, tokens, strict=True)}
    return replace(state, rng=rng, spaces=spaces, branch=branch)
