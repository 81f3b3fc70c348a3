"""Taking a game back to an earlier step, and what one should know before: what everybody has learned since."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.log import history, log_entries
from games.log.log_entries import LogLine
from games.models import Game, ModerationEntry, Move, Seat, User
from games.moderation.entries import check_moderator, record_entry
from games.play import game_moves, queries

STEPS_SHOWN = 60


@dataclass(frozen=True)
class RollBackStep:
    """A step a game can be taken back to: its number, and what everybody was told of it."""

    number: int
    at: datetime
    text: str


@dataclass(frozen=True)
class Disclosure:
    """What came after a step.

    Arguments:
        lines: what everybody has been shown since, oldest first; it cannot be made unseen.
        by_seat: the seats that were shown more of it than everybody, and of which lines: that they were is public.
        told: who sits there and will be told.
    """

    lines: list[LogLine]
    by_seat: list[tuple[Seat, list[LogLine]]] = field(default_factory=list)
    told: list[Seat] = field(default_factory=list)


def steps(game: Game, most: int = STEPS_SHOWN) -> list[RollBackStep]:
    """The steps behind a game, newest first; the last one of all is where it stands."""
    access = queries.Access(game, None)
    return [_step(access, number, moves) for number, moves in history.newest(game, most + 1)[1:]]


def _step(access: queries.Access, number: int, moves: list[Move]) -> RollBackStep:
    words = " · ".join(line.text for line in log_entries.events_of(access, moves) if line.text)
    return RollBackStep(number, moves[-1].made_at, words)


def learned(game: Game, step: int) -> Disclosure:
    """What everybody has learned since a step. Raises Conflict for one that is not behind the game."""
    check_step(game, step)
    since = game.moves.filter(seq__gt=history.moves_of(game, step)[-1].seq).order_by("seq")
    seats = list(game.seats.select_related("user").order_by("number"))
    shown = list(log_entries.events_of(queries.Access(game, None), since))
    more = [(seat, list(_more(game, list(since), seat))) for seat in seats]
    return Disclosure(
        lines=[line for line in shown if line.text and not line.is_taken_back],
        by_seat=[(seat, lines) for seat, lines in more if lines],
        told=[seat for seat in seats if seat.user is not None],
    )


def _more(game: Game, moves: list[Move], seat: Seat) -> Iterator[LogLine]:
    """The public lines of which a seat has seen more than everybody, in the words that everybody has read."""
    own = {line.number: line for line in log_entries.events_of(queries.Access(game, seat), moves) if line.number}
    for line in log_entries.events_of(queries.Access(game, None), moves):
        if line.text and line.number in own and own[line.number].event != line.event and not line.is_taken_back:
            yield line


def check_step(game: Game, step: int) -> None:
    """Raises Conflict for a step that is not behind the game."""
    if not 1 <= step < history.count_of(game):
        raise Conflict(_("There is no such step behind this game."))


@transaction.atomic
def roll_back(*, game: Game, step: int, by: User, reason: str, now: datetime) -> Move:
    """Takes a game back to a step, with fresh randomness; everybody is told, and all that came since stays in the log.

    Raises Conflict for a step that is not behind the game or a game that does not run, Quarantined if the rules break.
    """
    check_moderator(by, game)
    record_entry(ModerationEntry.Action.ROLL_BACK, by=by, game=game, reason=reason, now=now)
    return game_moves.branch_off(game_id=game.pk, step=step, actor=by, now=now)
