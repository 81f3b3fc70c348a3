"""History: the game after each of its steps, for one viewer.

A step is a move with public events; hidden moves belong to the step that follows, so that the numbers have no gap. A
step shows the rules' `view` of the state right after it: what the viewer's seat could see then, and never more.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games.log import log_entries, replay
from games.log.log_entries import LogLine
from games.models import Game, Move, Snapshot
from games.play.queries import Access

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
    firsts = _firsts(access.game)
    count = firsts.count()
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
    return list(game.moves.filter(first_public=_firsts(game)[number - 1]).order_by("seq"))


def newest(game: Game, most: int) -> list[tuple[int, list[Move]]]:
    """Returns number and moves of the newest steps, newest first."""
    firsts = list(_firsts(game))
    wanted = dict(enumerate(firsts, start=1))
    numbers = list(wanted)[-most:]
    moves: dict[int, list[Move]] = {wanted[number]: [] for number in numbers}
    for move in game.moves.filter(first_public__in=moves).order_by("seq"):
        moves[move.first_public].append(move)
    return [(number, moves[wanted[number]]) for number in reversed(numbers)]


def count_of(game: Game) -> int:
    """How many steps a game has."""
    return _firsts(game).count()


def count_until(game: Game, event: int) -> int:
    """How many steps have begun when a public event happens, by its number."""
    return _firsts(game).filter(first_public__lte=event).count()


def _firsts(game: Game) -> "QuerySet[Move, int]":
    """The numbers of the first public events of all steps: hidden moves share theirs with the step that follows."""
    rows = game.moves.filter(first_public__lte=game.public_events).order_by("first_public")
    return rows.values_list("first_public", flat=True).distinct()


def state_after(game: Game, seq: int) -> object:
    """The state after a move: from the nearest snapshot before it, or from the beginning."""
    rules = game.rules
    nearest = game.snapshots.filter(seq__lte=seq).order_by("-seq").first()
    state = rules.load(nearest.state.encode()) if nearest else None
    for move in game.moves.filter(seq__gt=nearest.seq if nearest else 0, seq__lte=seq).order_by("seq").iterator():
        state, _events = replay.step(game, state, move, lambda seq: state_after(game, seq))
        if move.seq % SNAPSHOT_EVERY == 0:
            data = {"state": rules.dump(state).decode()}
            Snapshot.objects.get_or_create(game=game, seq=move.seq, defaults=data)
    return state
