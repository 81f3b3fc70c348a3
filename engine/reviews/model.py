"""A review as data: what is stored, and what pages, emails and the API are made of. Chances are in thousandths."""

from typing import Any

import msgspec

from engine.core import Seat

FORMAT = 1

Entry = dict[str, Any]
"""A sentence of the rules in plain data: code and parameters, and an amount where one was chosen."""


class Point(msgspec.Struct, frozen=True, array_like=True):
    """How the game stood after a move.

    Arguments:
        seq: number of the move.
        chances: of each seat to win, in thousandths.
        low, high: bounds between which they lie 19 times of 20, as far as the playouts tell.
    """

    seq: int
    chances: list[int]
    low: list[int]
    high: list[int]


class Turned(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move in which chance had a part, and how much it changed each seat's chance, in thousandths.

    Arguments:
        errors: standard errors of the changes.
    """

    seq: int
    changes: list[int]
    errors: list[int]


class Graded(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision of a person beside the best answer found.

    Arguments:
        seq: number of the move.
        title, answer: the question, and what was answered, as sentences.
        best: the best other answer that was found; none if the question left no other worth trying.
        loss: by how much the best one raises the chance to win, in thousandths, as far as the player could know;
            below 0 if it lowers it.
        error: standard error of the loss.
        deals: in how many deals both were played on; none if no other answer looked better at first.
        tried: how many other answers were tried.
        proposed: whether it is what the rules propose there, at the time and with the time they have.
    """

    seq: int
    seat: Seat
    title: Entry
    answer: list[Entry]
    best: list[Entry] = []
    loss: int = 0
    error: int = 0
    deals: int = 0
    tried: int = 0
    proposed: bool = False


class Review(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holds all that a review has found.

    Arguments:
        format: of this data.
        points: the curve, from the layout to the end.
        luck: the moves in which chance had a part, in order; those that were not looked at are left out.
        decisions: of people, in order; those that were not looked at are left out.
        moves: how many the game has that count.
        chance_moves: how many of them chance had a part in.
        choices: how many decisions people had that left a choice.
        playouts: how many were played.
        taken_back: whether moderators took the game back: the moves since are not in the review.
        has_orders: whether orders given in advance answered too; their answers are not graded one by one.
    """

    format: int
    seats: int
    points: list[Point]
    luck: list[Turned]
    decisions: list[Graded]
    moves: int
    chance_moves: int
    choices: int
    playouts: int
    taken_back: bool = False
    has_orders: bool = False
