"""The critical path of a game: the questions on which it stood, one after the other, and whom it waited for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.models import Decision, Game, Move

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ONE_VISIT = timedelta(minutes=10)
"""A question that is answered so soon was answered in the visit in which it came up: nobody waited for it."""
BLOCK = 3  # hours that are counted together
IN_TIME = "in time"  # how the last answer came: from the person, or as the move's source says


class Wait(NamedTuple):
    """A question, or several put at once, on which the game stood.

    Arguments:
        last: how the last answer came: in time, by the deadline, ...
        seat: whose answer came last; None if it was withdrawn.
    """

    kind: str
    begins: datetime
    ends: datetime
    last: str
    seat: int | None

    @property
    def days(self) -> float:
        """For how long the game stood on it."""
        return (self.ends - self.begins) / DAY


def waits_of(game: Game, moves: Sequence[Move]) -> list[Wait]:
    """The waits of a finished game; a simultaneous question is one, and ends with its last answer."""
    assert game.finished_at is not None
    together: dict[str, list[Decision]] = defaultdict(list)
    for row in game.decisions.filter(is_automatic=False).exclude(status=Decision.Status.WITHDRAWN):
        together[row.code].append(row)
    answers = {move.decision: move for move in moves if move.kind == Move.Kind.ANSWER}  # the last of each question
    return one_after_the_other(_wait(rows, answers.get(code), game.finished_at) for code, rows in together.items())


def one_after_the_other(waits: Iterable[Wait]) -> list[Wait]:
    """The waits without the time in which the game stood on another one anyway, such as treasures beside a sheet."""
    found: list[Wait] = []
    for wait in sorted(waits, key=lambda wait: (wait.begins, -wait.ends.timestamp())):
        begins = max(wait.begins, found[-1].ends) if found else wait.begins
        if begins < wait.ends or not found:
            found.append(wait._replace(begins=begins))
    return found


def _wait(rows: Sequence[Decision], answer: Move | None, end: datetime) -> Wait:
    begins, ends = min(row.opened_at for row in rows), max(row.closed_at or end for row in rows)
    if answer is None:
        return Wait(rows[0].kind, begins, ends, "withdrawn", None)
    return Wait(rows[0].kind, begins, ends, IN_TIME if answer.is_by_person else answer.source, answer.seat)


def count_by_kind(waits: Iterable[Wait]) -> dict[str, int]:
    """How many of each kind somebody waited for, longer than one visit lasts."""
    return dict(Counter(wait.kind for wait in waits if wait.ends - wait.begins > ONE_VISIT))


def days_by(waits: Iterable[Wait], zones: Mapping[int, str]) -> dict[str, dict[str, float]]:
    """The days the game stood: by kind of question, by how the last answer came, by person and by hour.

    Persons are the slowest of the game, the second slowest and so on; hours are by the clock of who answered last.
    """
    found: dict[str, dict[str, float]] = {name: defaultdict(float) for name in ("kind", "last", "hour")}
    people: dict[int, float] = defaultdict(float)
    for wait in waits:
        found["kind"][wait.kind] += wait.days
        found["last"][wait.last] += wait.days
        if wait.seat is not None:
            people[wait.seat] += wait.days
            for block, days in _by_hour(wait, ZoneInfo(zones[wait.seat])):
                found["hour"][block] += days
    slowest = sorted(people.values(), reverse=True)
    found["person"] = {f"slowest {number}": days for number, days in enumerate(slowest, 1)}
    return {name: dict(days) for name, days in found.items()}


def _by_hour(wait: Wait, zone: ZoneInfo) -> Iterator[tuple[str, float]]:
    """The parts of a wait by block of hours of the day, in days."""
    begins = wait.begins
    while begins < wait.ends:
        ends = min(wait.ends, begins.replace(minute=0, second=0, microsecond=0) + HOUR)
        first = begins.astimezone(zone).hour // BLOCK * BLOCK
        yield f"{first:02}-{first + BLOCK:02} h", (ends - begins) / DAY
        begins = ends
