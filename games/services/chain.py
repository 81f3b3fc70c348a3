"""The hash chain over a game's moves: changing, dropping or inserting one breaks every hash after it."""

import hashlib
import json

from games.models import Game, Move


def genesis(game: Game) -> str:
    """The hash before the first move: what the table agreed on."""
    facts = [game.ref, game.rules_name, game.rules_version, game.seat_count, game.options, game.commitment]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def link(previous: str, move: Move, state: bytes) -> str:
    """The hash of a move: of the one before, of what was done, and of the state it led to."""
    facts = [previous, move.seq, move.kind, move.seat, move.decision, move.action, hashlib.sha256(state).hexdigest()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
