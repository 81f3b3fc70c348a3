"""Measures one simulated game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from games.lab.simulation.reports.critical_path import count_by_kind, days_by, waits_of
from games.models import Game, Move, Seat

if TYPE_CHECKING:
    from games.lab.simulation.simulated_game import SimulatedGame

ORDERED = "OrderFired"  # the event of an answer that an order gave
DAY = 86_400


class GameFigures(NamedTuple):
    """The figures of one game.

    Arguments:
        days: calendar days from the start to the end.
        rounds: of the rules, the last one included; turns of all where the rules know no rounds.
        waits: questions, simultaneous ones together, that people were waited for one after the other.
        waits_by_kind: the same by kind of decision.
        days_by: for how long the game stood on them, by kind, last answer, person and hour; see `critical_path`.
        mails: sent to all players together.
        accepted: answers of people that were proposals as they were.
        passed: answers given by deadlines.
        given: answers given by people, in time.
        ordered: answers given by orders and plans.
        sheets, sheets_by_steward: round sheets that were answered, and those of them that a steward answered.
        crashes, outages: of the workers.
        refused: answers of people that came too late.
        trace: a hash of every move and its instant: the same seed must give the same.
    """

    seed: int
    players: int
    days: float
    rounds: int
    waits: int
    waits_by_kind: Mapping[str, int]
    days_by: Mapping[str, Mapping[str, float]]
    mails: int
    passed: int
    given: int
    accepted: int
    ordered: int
    sheets: int
    sheets_by_steward: int
    crashes: int
    outages: int
    refused: int
    trace: str


def measure_game(simulated: SimulatedGame) -> GameFigures:
    """Measures a finished game."""
    game, moves = simulated.game, simulated.checker.moves
    assert game.finished_at is not None
    assert game.started_at is not None
    waits = waits_of(game, moves)
    counts = count_by_kind(waits)
    sheets = _sheets(game, moves)
    rules: Any = game.rules
    return GameFigures(
        seed=simulated.seed,
        players=game.seat_count,
        days=(game.finished_at - game.started_at).total_seconds() / DAY,
        rounds=max(1, rules.vocabulary.period(game.load_state())),
        waits=sum(counts.values()),
        waits_by_kind=counts,
        days_by=days_by(waits, {seat.number: seat.user.recipient.zone for seat in _seats(game) if seat.user}),
        mails=simulated.transport.mails.total(),
        passed=sum(move.source == Move.Source.DEADLINE for move in moves),
        given=sum(move.kind == Move.Kind.ANSWER and move.is_by_person for move in moves),
        accepted=sum(person.accepted for person in simulated.people.values()),
        ordered=sum(event["type"] == ORDERED for move in moves for event in _events(move)),
        sheets=len(sheets),
        sheets_by_steward=sum(move.source == Move.Source.STEWARD for move in sheets),
        crashes=simulated.workers.crashes,
        outages=simulated.workers.outages,
        refused=sum(person.door.refused for person in simulated.people.values()),
        trace=sha256("".join(map(_describe, moves)).encode()).hexdigest(),
    )


def _seats(game: Game) -> Iterable[Seat]:
    return game.seats.select_related("user__recipient")


def _sheets(game: Game, moves: Iterable[Move]) -> list[Move]:
    """The answers to round sheets."""
    codes = set(game.decisions.filter(kind="sheet").values_list("code", flat=True))
    return [move for move in moves if move.kind == Move.Kind.ANSWER and move.decision in codes]


def _describe(move: Move) -> str:
    """Describes a move without what is really random, such as the table's reference."""
    return f"{move.seat} {move.decision} {move.source} {move.action} {move.events} {move.made_at.isoformat()}\n"


def _events(move: Move) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = msgspec.json.decode(move.events)
    return found
