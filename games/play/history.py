"""History: the game after each of its steps, for one viewer.

A step is a move with public events; hidden moves belong to the step that follows, so that the numbers have no gap. A
step shows the rules' `view` of the state right after it: what the viewer's seat could see then, and never more.
"""

from dataclasses import dataclass
from datetime import datetime

from games.play import log_entries, replay, stored_moves
from games.play.log_entries import LogLine
from games.play.models import Move, Snapshot
from games.play.queries import Access
from games.tables.models import Game

SNAPSHOT_EVERY = 64  # moves: at most so many are replayed once the snapshots are stored


@dataclass(frozen=True)
class Step:
    """One step: its number of `count`, its time, its log lines, and the view after it."""

    number: int
    count: int
    at: datetime
    lines: list[LogLine]
    view: object


def step_of(access: Access, number: int | None) -> Step:
    """Returns a step of a game that has begun: the last one for None, the nearest one for a number out of range.

    Arguments:
        number: counted from 1.
    """
    count = count_of(access.game)
    number = count if number is None else min(max(number, 1), count)
    made = moves_of(access.game, number)
    state = state_after(access.game, made[-1].seq)
    return Step(
        number=number,
        count=count,
        at=made[-1].made_at,
        lines=[line for line in log_entries.events_of(access, made, has_stewards=True) if line.text],
        view=access.game.rules.view(state, access.number),
    )


def moves_of(game: Game, number: int) -> list[Move]:
    """Returns the moves of an existing step; the last of them has the public events."""
    return stored_moves.find(game, first_public=stored_moves.first_publics(game)[number - 1])


def newest(game: Game, most: int) -> list[tuple[int, list[Move]]]:
    """Returns number and moves of the newest steps, newest first."""
    wanted = dict(enumerate(stored_moves.first_publics(game), start=1))
    numbers = list(wanted)[-most:]
    made: dict[int, list[Move]] = {wanted[number]: [] for number in numbers}
    for move in stored_moves.find(game, first_public__in=list(made)):
        made[move.first_public].append(move)
    return [(number, made[wanted[number]]) for number in reversed(numbers)]


def count_of(game: Game) -> int:
    """How many steps a game has."""
    return len(stored_moves.first_publics(game))


def count_until(game: Game, event: int) -> int:
    """How many steps have begun when a public event happens, by its number."""
    return sum(first <= event for first in stored_moves.first_publics(game))


def state_after(game: Game, seq: int) -> object:
    """The state after a move: from the nearest snapshot before it, or from the beginning."""
    rules = game.rules
    nearest = game.snapshots.filter(seq__lte=seq).order_by("-seq").first()
    state = rules.load(nearest.state.encode()) if nearest else None
    for move in stored_moves.between(game, nearest.seq + 1 if nearest else 1, seq):
        state, _events = replay.step(game, state, move, lambda seq: state_after(game, seq))
        if move.seq % SNAPSHOT_EVERY == 0:
            data = {"state": rules.dump(state).decode()}
            Snapshot.objects.get_or_create(game=game, seq=move.seq, defaults=data)
    return state
