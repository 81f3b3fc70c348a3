"""Scenes: a step of the history, shown one thing after the other, as whoever sits at the table would see it happen.

A whole tally is one step of the rules. Its move is played again, and the rules' `still` is taken where a scene ends: it
shows what the viewer's seat could see then. Where scenes begin follows from public events alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from engine.records import checking
from games.play import history, log_entries
from games.play.log_entries import LogLine
from games.play.models import Move
from games.play.queries import Access
from games.tables.models import Game

UNWATCHED = (Move.Kind.START, Move.Kind.BRANCH)  # they begin something, and are shown as one


@dataclass(frozen=True)
class Scene:
    """One scene: its number of `count` in its step, the step's number of `steps`, its log lines, the view after it.

    `step_lines` are those of the whole step.
    """

    step: int
    steps: int
    number: int
    count: int
    at: datetime
    lines: list[LogLine]
    step_lines: list[LogLine]
    view: object

    @property
    def is_first(self) -> bool:
        """True if nothing comes before it."""
        return (self.step, self.number) == (1, 1)

    @property
    def is_last(self) -> bool:
        """True if nothing comes after it."""
        return (self.step, self.number) == (self.steps, self.count)


def scene_of(access: Access, step: int | None = None, number: int | None = None) -> Scene:
    """Returns a scene of a game that has begun: the last one for None, the nearest one for numbers out of range.

    Arguments:
        step, number: counted from 1.
    """
    steps = history.count_of(access.game)
    step = steps if step is None else min(max(step, 1), steps)
    made = history.moves_of(access.game, step)
    parts = _parts(access, made)
    number = len(parts) if number is None else min(max(number, 1), len(parts))
    lines = parts[number - 1]
    return Scene(
        step=step,
        steps=steps,
        number=number,
        count=len(parts),
        at=made[-1].made_at,
        lines=log_entries.merge_lines(lines),
        step_lines=[line for part in parts for line in part if line.text],
        view=_view_after(access, made[-1], None if number == len(parts) else _end(lines)),
    )


def find_scene(access: Access, event: int) -> tuple[int, int]:
    """Returns step and number of the scene in which a public event happened; the nearest one if there is none.

    Arguments:
        event: the public number of it, as in the log.
    """
    event = min(max(event, 0), access.game.public_events)
    step = max(1, history.count_until(access.game, event))
    parts = _parts(access, history.moves_of(access.game, step))
    return step, next((at for at, lines in enumerate(parts, start=1) if _end(lines) >= event), len(parts))


def tally_begins(game: Game, told: Iterable[LogLine]) -> int:
    """Returns the public number of the event with which the latest tally begins; 0 if there has been none.

    Arguments:
        told: the events of the game.
    """
    begun = (line.number + 1 for line in told if line.number is not None and _begins_tally(game, line))
    return max((number for number in begun if number <= game.public_events), default=0)


def _begins_tally(game: Game, line: LogLine) -> bool:
    return not line.is_stewards and game.rules.begins_tally(line.event)


def _parts(access: Access, made: list[Move]) -> list[list[LogLine]]:
    """The events of a step by its scenes. What has no words for anybody stands in no scene of its own."""
    rules = access.game.rules
    parts: list[list[LogLine]] = [[]]
    before: object = None
    for line in log_entries.events_of(access, made, has_stewards=True):
        if line.number is not None and not line.is_stewards:
            is_opening = before is not None and rules.opens_scene(line.event, before)
            if is_opening and made[-1].kind not in UNWATCHED and any(said.text for said in parts[-1]):
                parts.append([])
            before = line.event
        parts[-1].append(line)
    return parts


def _end(lines: list[LogLine]) -> int:
    """The number of the last public event of a scene."""
    return max((line.number for line in lines if line.number is not None), default=0)


def _view_after(access: Access, move: Move, event: int | None) -> object:
    """What the viewer could see after the move, or after a public event in its middle."""
    game, rules = access.game, access.game.rules
    if event is None:
        return rules.view(history.state_after(game, move.seq), access.number)
    numbers = count(move.first_public)
    found: list[object] = []

    def see(state: object, happened: object) -> None:
        if rules.redact(happened, None) is not None and next(numbers) == event:
            found.append(rules.still(state, access.number))

    checking.step(rules.watched(see), history.state_after(game, move.seq - 1), move)
    return found[0]
