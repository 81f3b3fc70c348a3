"""The hash chain over a game's moves: changing, dropping or inserting one breaks every hash after it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from engine.core.rng import game_seed


class Played(Protocol):
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
    def is_by_person(self) -> bool:
        """False for what was answered in its player's place."""


class Agreed(msgspec.Struct, frozen=True):
    """What a table had agreed on when its game began, and what its shuffles come from.

    Arguments:
        ref: of the table, where it was played.
        entropies: what the players added to the seed, by seat.
    """

    ref: str
    rules: str
    version: int
    options: Mapping[str, Any]
    commitment: str
    server_seed: str
    entropies: tuple[str, ...]

    @property
    def seats(self) -> int:
        """How many there are."""
        return len(self.entropies)

    def seed(self, branch: int = 0) -> str:
        """What a branch of the game is dealt from, in hexadecimal."""
        return game_seed(bytes.fromhex(self.server_seed), self.entropies, branch)


def genesis(*, ref: str, rules: str, version: int, seats: int, options: Mapping[str, Any], commitment: str) -> str:
    """The hash before the first move: what the table agreed on."""
    facts = [ref, rules, version, seats, options, commitment]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def link(previous: str, move: Played, state: bytes) -> str:
    """The hash of a move: of the one before, of what was done, and of the state it led to."""
    facts = [previous, move.seq, move.kind, move.seat, move.decision, move.action, hashlib.sha256(state).hexdigest()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
