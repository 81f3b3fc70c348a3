"""Repairs games: takes them out of quarantine, rolls them back to an earlier step, or copies them to a sandbox."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from random import SystemRandom

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict, Illegal, KeyReused, NotFound
from games.lobby import practice
from games.moderation.entries import check_moderator
from games.people.models import User
from games.play import (
    clocks,
    decisions,
    game_moves,
    history,
    notify,
    queries,
    roll_backs,
    stored_moves,
)
from games.play.history import LogLine
from games.play.models import Decision, Extension, Move
from games.tables.audit import ModerationEntry, record_entry
from games.tables.models import Game
from games.tables.seats import Seat

logger = logging.getLogger(__name__)


def release(*, game_id: int, now: datetime) -> int:
    """Takes a game out of quarantine: clocks start anew, and the answers the rules broke on are given again.

    Returns how many of those answers count now. Raises Conflict for a game that is not in quarantine, Quarantined if
    the rules break again (then the answer is still kept).
    """
    _set_going(game_id, now)
    kept = Decision.objects.filter(game_id=game_id).exclude(kept_answer="").select_related("seat__user")
    return sum([_submit_kept(row, now) for row in kept.order_by("opened_at", "pk")])


@transaction.atomic
def _set_going(game_id: int, now: datetime) -> None:
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.quarantined_at is None:
        raise Conflict(_("This game isn't in quarantine."))
    game.quarantined_at = None
    game.failures = 0
    if game.advance_at:
        game.advance_at = now
    game.save(update_fields=["quarantined_at", "failures", "advance_at"])
    _start_clocks(game, now)


def _start_clocks(game: Game, now: datetime) -> None:
    """Starts the clocks anew together: a sealed question keeps one deadline for everybody, answered or not."""
    waiting = clocks.asked(game).filter(is_automatic=False, due_at__isnull=False, seat__user__isnull=False)
    rows = list(waiting.order_by("pk"))
    old = {row.pk: row.due_at for row in rows}
    clocks.start(game, rows, now)
    for row in rows:
        row.save(update_fields=clocks.FIELDS)
        before = old[row.pk]
        if before is not None and row.due_at != before:
            clocks.record_extension(row, Extension.Reason.OUTAGE, before, now)
            notify.extended(row, now)


def _submit_kept(row: Decision, now: datetime) -> bool:
    """Gives a kept answer again, as its player gave it: by his way, with his key, and ending his row of misses.

    What no longer fits is dropped: its seat is still asked, or the question is gone.
    """
    kept = decisions.load_kept_answer(row)
    try:
        game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=kept.action,
            source=kept.source,
            actor=row.seat.user,
            received_at=now,
            idempotency_key=kept.idempotency_key,
        )
        is_counted = True
    except (Conflict, Illegal, KeyReused):
        logger.warning("The kept answer to decision %s no longer fits", row.ref)
        is_counted = False
    Decision.objects.filter(pk=row.pk).update(kept_answer="")
    return is_counted


# Earlier steps

STEPS_SHOWN = 60


@dataclass(frozen=True)
class RollBackStep:
    """A step a game can be rolled back to: its number, its time, and its public log lines."""

    number: int
    at: datetime
    text: str


@dataclass(frozen=True)
class SeatHolder:
    """An account that has held a seat, or the bot of the rules that plays there: its number and its name."""

    number: int
    display_name: str


@dataclass(frozen=True)
class Disclosure:
    """The facts that players have learned since a step.

    Arguments:
        lines: what everybody has been shown since, oldest first; it cannot be made unseen.
        by_seat: who was shown more of it than everybody in his seat, and of which lines: that he was is public.
        told: the seats whose players will be notified.
    """

    lines: list[LogLine]
    by_seat: list[tuple[SeatHolder, list[LogLine]]] = field(default_factory=list)
    told: list[Seat] = field(default_factory=list)


def steps(game: Game, most: int = STEPS_SHOWN) -> list[RollBackStep]:
    """Returns the earlier steps of a game, newest first; its present step is not among them."""
    access = queries.Access(game, None)
    return [_step(access, number, moves) for number, moves in history.newest_steps(game, most + 1)[1:]]


def _step(access: queries.Access, number: int, moves: list[Move]) -> RollBackStep:
    words = " · ".join(line.text for line in history.events_of(access, moves) if line.text)
    return RollBackStep(number, moves[-1].made_at, words)


def learned(game: Game, step: int) -> Disclosure:
    """Returns what everybody has learned since a step. Raises Conflict for one that is not behind the game."""
    check_step(game, step)
    since = stored_moves.find(game, seq__gt=history.moves_of_step(game, step)[-1].seq)
    seats = list(game.seats.select_related("user").order_by("number"))
    shown = list(history.events_of(queries.Access(game, None), since))
    more = [pair for seat in seats for pair in _learned_at(seat, list(_more(game, since, seat)))]
    return Disclosure(
        lines=[line for line in shown if line.text and not line.is_taken_back],
        by_seat=more,
        told=[seat for seat in seats if seat.user is not None],
    )


def _learned_at(seat: Seat, lines: list[LogLine]) -> Iterator[tuple[SeatHolder, list[LogLine]]]:
    """Whoever has held a seat, with those of its lines that he has seen: a newcomer sees the earlier ones too."""
    tenures = list(seat.tenures.select_related("user").order_by("began_at", "pk"))
    if not tenures and lines:
        yield SeatHolder(seat.number, seat.display_name), lines
    for tenure in tenures:
        name = seat.display_name if tenure.ended_at is None else _former_name(seat, tenure.user)
        if shown := [line for line in lines if tenure.ended_at is None or line.at <= tenure.ended_at]:
            yield SeatHolder(seat.number, name), shown


def _former_name(seat: Seat, user: User) -> str:
    if seat.hides_name:
        return _("Former player %(number)s") % {"number": seat.number + 1}
    return user.get_short_name()


def _more(game: Game, moves: list[Move], seat: Seat) -> Iterator[LogLine]:
    """The public lines of which a seat has seen more than everybody, in the words that everybody has read."""
    own = {line.number: line for line in history.events_of(queries.Access(game, seat), moves) if line.number}
    for line in history.events_of(queries.Access(game, None), moves):
        if line.text and line.number in own and own[line.number].event != line.event and not line.is_taken_back:
            yield line


def check_step(game: Game, step: int) -> None:
    """Raises Conflict for a step that is not behind the game."""
    if not 1 <= step < history.count_steps(game):
        raise Conflict(_("This game has no such earlier step."))


@transaction.atomic
def roll_back(*, game: Game, step: int, by: User, reason: str, now: datetime) -> Move:
    """Rolls a game back to a step, with fresh randomness; everybody is notified, and later moves stay in the log.

    Raises Conflict for a step that is not behind the game or a game that does not run, Quarantined if the rules break.
    """
    check_moderator(by, game)
    record_entry(ModerationEntry.Action.ROLL_BACK, by=by, game=game, reason=reason, now=now)
    return roll_backs.branch_off(game_id=game.pk, step=step, actor=by, now=now)


@transaction.atomic
def copy_to_sandbox(*, game: Game, step: int, seat: int, by: User, reason: str, now: datetime) -> Game:
    """Copies a game as it stood after a step to a table of its own; bots play the other seats.

    All that a spectator could not see then is drawn at random: a sandbox tells nothing of the game.

    Arguments:
        seat: number of the seat on which the moderator sits.
    Raises Conflict for a game that has not begun, a step there is not or a position that is over, NotFound for a seat
    there is not.
    """
    check_moderator(by, game)
    position = practice.position_after(game, step)
    if not 0 <= seat < game.seat_count:
        raise NotFound(_("There's no such seat at this table."))
    record_entry(ModerationEntry.Action.SANDBOX, by=by, game=game, reason=reason, now=now)
    state = game.rules.determinise(game.rules.view(position, None), SystemRandom())
    return practice.copy_position(
        game=game,
        step=step,
        title=_("Sandbox: %(table)s") % {"table": game.title[:40]},
        user=by,
        seat=seat,
        seat_names=[row.name for row in game.seated()],
        lay_out=lambda _table: state,
        now=now,
    )
