"""Measures one simulated game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from games.models import Decision, Move

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
        waits_by_kind, days_by_kind: the same by kind of decision, and for how long the game stood on them.
        mails: sent to all players together.
        passed: answers given by deadlines.
        given: answers given by people, in time.
        ordered: answers given by orders and plans.
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
    days_by_kind: Mapping[str, float]
    mails: int
    passed: int
    given: int
    ordered: int
    crashes: int
    outages: int
    refused: int
    trace: str


def measure_game(simulated: SimulatedGame) -> GameFigures:
    """Measures a finished game."""
    game, moves = simulated.game, simulated.checker.moves
    assert game.finished_at is not None
    assert game.started_at is not None
    asked = game.decisions.filter(is_automatic=False).exclude(status=Decision.Status.WITHDRAWN)
    waits = _waits(asked, game.finished_at)
    kinds = {kind for kind, _begins, _ends in waits}
    rules: Any = game.rules
    return GameFigures(
        seed=simulated.seed,
        players=game.seat_count,
        days=(game.finished_at - game.started_at).total_seconds() / DAY,
        rounds=max(1, rules.vocabulary.period(game.load_state())),
        waits=len(waits),
        waits_by_kind=dict(Counter(kind for kind, _begins, _ends in waits)),
        days_by_kind={kind: _days(wait for wait in waits if wait[0] == kind) for kind in sorted(kinds)},
        mails=simulated.transport.mails.total(),
        passed=sum(move.source == Move.Source.DEADLINE for move in moves),
        given=sum(move.kind == Move.Kind.ANSWER and move.source != Move.Source.DEADLINE for move in moves),
        ordered=sum(event["type"] == ORDERED for move in moves for event in _events(move)),
        crashes=simulated.workers.crashes,
        outages=simulated.workers.outages,
        refused=sum(person.door.refused for person in simulated.people.values()),
        trace=sha256("".join(map(_describe, moves)).encode()).hexdigest(),
    )


def _describe(move: Move) -> str:
    """Describes a move without what is really random, such as the table's reference."""
    return f"{move.seat} {move.decision} {move.source} {move.action} {move.events} {move.made_at.isoformat()}\n"


Wait = tuple[str, datetime, datetime]


def _waits(rows: Iterable[Decision], end: datetime) -> list[Wait]:
    """Kind, beginning and end of each question; a simultaneous one ends with its last answer."""
    together: dict[str, list[Decision]] = defaultdict(list)
    for row in rows:
        together[row.code].append(row)
    return [
        (same[0].kind, min(row.opened_at for row in same), max(row.closed_at or end for row in same))
        for same in together.values()
    ]


def _days(waits: Iterable[Wait]) -> float:
    return sum((ends - begins).total_seconds() for _kind, begins, ends in waits) / DAY


def _events(move: Move) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = msgspec.json.decode(move.events)
    return found
