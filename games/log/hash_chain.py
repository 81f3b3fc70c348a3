"""The hash chain over a game's moves: see `engine.records.chain`."""

from engine.records import chain
from engine.records.chain import NEWEST, Agreed
from games.models import Game, Move


def begin(game: Game) -> None:
    """Starts the chain of a game that begins, with the hash before its first move: what the table agreed on."""
    game.chain_version = NEWEST
    game.chain = genesis(game)


def genesis(game: Game) -> str:
    """The hash before the first move: what the table agreed on, where it was played."""
    agreed = Agreed(
        ref=game.recorded_as or game.ref,
        rules=game.rules_name,
        version=game.rules_version,
        options=game.options,
        commitment=game.commitment,
        server_seed=game.server_seed,
        entropies=("",) * game.seat_count,  # only their number is in it
        chain_version=game.chain_version,
    )
    return chain.genesis(agreed)


def link(game: Game, previous: str, move: Move, state: bytes, outcome: object) -> str:
    """The hash of a move of this game: see `engine.records.chain.link`."""
    return chain.link(previous, move, state, outcome, game.chain_version)
