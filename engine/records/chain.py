"""The hash chain over a game's moves: changing, dropping or inserting one breaks every hash after it.

docs/record.md has the exact bytes, for verifiers in other languages.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Protocol

import msgspec

from engine.core.rng import game_seed

NEWEST = 2
"""The hash chain of games that begin now. Version 1 leaves out who answered, and the outcome."""
PLAYER = "player"


class PlayedMove(Protocol):
    """A move that has been made, wherever it is kept."""

    @property
    def seq(self) -> int:
        """Its number, from 1."""

    @property
    def kind(self) -> str:
        """Start, answer, advance, resign, end, orders or branch."""

    @property
    def seat(self) -> int | None:
        """Whose move it was; None for a step of the service."""

    @property
    def decision(self) -> str:
        """The id of the decision that it answers."""

    @property
    def action(self) -> str:
        """What was done, as compact JSON."""

    @property
    def events(self) -> str:
        """What happened because of it, as a compact JSON list."""

    @property
    def chain(self) -> str:
        """The hash that was stored with it."""

    @property
    def by(self) -> str:
        """Who made it: a player himself, or who answered in his place; see `engine.records.model.By`."""


class Agreed(msgspec.Struct, frozen=True):
    """What a table had agreed on when its game began, and what its shuffles come from.

    Arguments:
        ref: of the table, where it was played.
        entropies: what the players added to the seed, by seat.
        chain_version: what its hashes are made over; the version of its record's format as well.
    """

    ref: str
    rules: str
    version: int
    options: Mapping[str, str]
    commitment: str
    server_seed: str
    entropies: tuple[str, ...]
    chain_version: int = NEWEST

    @property
    def seats(self) -> int:
        """How many there are."""
        return len(self.entropies)

    def seed(self, branch: int = 0) -> str:
        """What a branch of the game is dealt from, in hexadecimal."""
        return game_seed(bytes.fromhex(self.server_seed), self.entropies, branch)


def genesis(agreed: Agreed) -> str:
    """The hash before the first move: what the table agreed on."""
    facts: list[object] = [
        agreed.ref,
        agreed.rules,
        agreed.version,
        agreed.seats,
        agreed.options,
        agreed.commitment,
    ]
    if agreed.chain_version > 1:
        facts.append(agreed.chain_version)
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def position_of(state: bytes) -> str:
    """The hash of a position, as the chain and the record have it."""
    return hashlib.sha256(state).hexdigest()


def link(previous: str, move: PlayedMove, state: bytes, outcome: object, version: int) -> str:
    """The hash of a move: of the one before, of what was done and by whom, and of what it led to.

    Arguments:
        state: the whole position after it.
        outcome: how the game ended by it; None if it goes on.
        version: of the chain.
    """
    facts = [previous, move.seq, move.kind, move.seat, move.decision, move.action, position_of(state)]
    if version > 1:
        facts += [move.by, "" if outcome is None else outcome_bytes(outcome).decode()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def outcome_bytes(outcome: object) -> bytes:
    """How a game ended as compact JSON, with the names in order: a database does not keep theirs."""
    return msgspec.json.encode(outcome, order="sorted")
