"""The hash chain over a game's moves: see `engine.records.chain`."""

from engine.records import chain
from engine.records.chain import link
from games.models import Game

__all__ = ["genesis", "link"]


def genesis(game: Game) -> str:
    """The hash before the first move: what the table agreed on, where it was played."""
    return chain.genesis(
        ref=game.recorded_as or game.ref,
        rules=game.rules_name,
        version=game.rules_version,
        seats=game.seat_count,
        options=game.options,
        commitment=game.commitment,
    )
