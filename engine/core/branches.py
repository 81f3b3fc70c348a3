"""Branches of a game: what a roll-back begins, and what it leaves in states and decision ids.

The number of a branch is public. It enters the randomness (`engine.core.rng.game_seed`) and the ids of all decisions:
no link, page or program answers on one branch what it was asked on another.
"""

import msgspec


class Branched(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """The game stands where it stood after an earlier step, and what nobody had seen then is dealt anew. Public.

    Arguments:
        step: which, as its history counts them.
        branch: number of the roll-back; 0 for a copy of another game.
    """

    step: int
    branch: int


def branch_mark(branch: int | msgspec.UnsetType) -> str:
    """What the ids of a branch's decisions begin with; nothing in a game that was never rolled back."""
    return "" if branch is msgspec.UNSET else f"b{branch}-"
