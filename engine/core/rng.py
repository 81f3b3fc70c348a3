"""Randomness that can be checked afterwards: an HMAC-SHA256 counter stream.

A draw depends on the seed and the counter only, never on a Python version, so a game replays to the same
shuffles years later and a stand-alone verifier can redo each of them.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

import msgspec

T = TypeVar("T")


class Rng(msgspec.Struct, omit_defaults=True):
    """A seed and how much of its stream has been used. Part of a game's state, and of no view.

    Arguments:
        seed: 32 bytes as 64 hexadecimal digits.
        counter: 64-bit words drawn so far.
    """

    seed: str
    counter: int = 0

    def word(self) -> int:
        """The next 64 bits of the stream, as an integer in 0 .. 2**64 - 1."""
        block = hmac.digest(bytes.fromhex(self.seed), self.counter.to_bytes(8, "big"), "sha256")
        self.counter += 1
        return int.from_bytes(block[:8], "big")

    def below(self, bound: int) -> int:
        """A uniform integer in 0 .. bound - 1, without modulo bias: words past the last whole multiple are redrawn."""
        assert bound > 0, bound
        limit = (1 << 64) - (1 << 64) % bound
        while (word := self.word()) >= limit:
            pass
        return word % bound

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each as likely as any other."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list with the items in a uniformly random order (Fisher-Yates, from the end)."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result


def commitment(server_seed: bytes) -> str:
    """Returns what a table publishes when it opens: the SHA-256 of its server seed, in hexadecimal."""
    return hashlib.sha256(server_seed).hexdigest()


def game_seed(server_seed: bytes, entropies: Sequence[str], branch: int = 0) -> str:
    """The seed a game is dealt from, in hexadecimal.

    Arguments:
        server_seed: the 32 bytes committed to when the table opened.
        entropies: what each player added when joining ("" for nothing), in seat order.
        branch: 0, or the number of the roll-back that gave the game fresh randomness.
    """
    parts = [*entropies, str(branch)]
    message = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
    return hmac.new(server_seed, message, hashlib.sha256).hexdigest()
