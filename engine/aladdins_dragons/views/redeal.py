"""The same position with fresh randomness: what no seat has seen is drawn anew, and everything else stays."""

from collections import Counter

from engine.aladdins_dragons.board.facts import PIECES
from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.board.setup import artifacts_in_stacks
from engine.aladdins_dragons.board.verbs import copy_state
from engine.aladdins_dragons.cards.deck import LAMP
from engine.core.rng import Rng


def redeal(state: State, seed: str, branch: int) -> State:
    """Cards still in a deck, tiles nobody has looked at and a guard that stands face down; hands and hoards stay."""
    own = copy_state(state)
    own.rng, own.branch = Rng(seed), branch
    own.deck = own.rng.shuffled(own.deck)
    if own.round and not own.is_guard_shown:
        own.guard = own.rng.choice(PIECES.guards)
    if own.has_magic:
        _deal_unknown_tiles(own)
        own.magic.spell_deck = own.rng.shuffled(own.magic.spell_deck)
    else:
        _deal_artifacts(own)
    return own


def _deal_artifacts(state: State) -> None:
    """In the basic version nobody has seen any of them, not even his own (A7, A47)."""
    pool = state.rng.shuffled(artifacts_in_stacks(state.seats, state.version))
    for stack in (*state.stacks.values(), *state.artifacts):
        stack[:] = [pool.pop() for _ in stack]


def _deal_unknown_tiles(state: State) -> None:
    """Tiles of the stacks that nobody has looked at, mixed with those that stayed out of the game."""
    pool = Counter(artifacts_in_stacks(state.seats, state.version)) + Counter({LAMP: state.seats})
    places = []
    for room, stack in state.stacks.items():
        for place, knowers in enumerate(state.magic.known[room]):
            if knowers:
                pool[stack[place]] -= 1
            else:
                places.append((stack, place))
    for owned in state.artifacts:
        pool.subtract(owned)
    unseen = state.rng.shuffled(list(pool.elements()))
    for stack, place in places:
        stack[place] = unseen.pop()
