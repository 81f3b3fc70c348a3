"""What the rules would answer: a proposal that its player takes with one tap, or changes, or leaves."""

import hashlib
from random import Random

import msgspec

from engine.core.questions import Answer, Text


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal answer to one question, and why.

    Arguments:
        answer: in plain data, as `Rules.parse` takes it; of a sheet or a plan with its orders. Empty where to do
            nothing is best, which only a question allows that nobody has to answer.
        reason: one line in the game's words.
    """

    answer: Answer
    reason: Text


def dice_of(view: msgspec.Struct) -> Random:
    """Dice for whoever samples: whoever sees the same throws the same."""
    return Random(hashlib.sha256(msgspec.json.encode(view, order="deterministic")).digest())
