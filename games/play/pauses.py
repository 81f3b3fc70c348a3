"""Pauses and hours together: when the clocks of a game do not run by its own pace.

In a pause all clocks of a game stand still, by a vote of more than half of its players or by a moderator.

Votes are public, and a pause by vote lasts as long as more than half want it: nobody can hold a game up alone. A game
has thirty days for all its pauses by vote together, and each takes a day at least: so they come to an end. After one
everybody has the time that was left, to the minute: pausing before a deadline gains nothing.
While a game is paused everybody may still answer, bots play on and phases are completed; only the clocks are stopped.

An hour together is one that a player proposes and all others agree to. The clocks run by the live pace then, for two
hours, or until everybody has left it, or until an answer takes longer than that gives. Nobody is ever passed in it.
Then the table's own pace comes back, and everybody has at least the time that he had.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict, ServiceError
from games.play import clocks, notify
from games.play.models import Decision, Extension
from games.tables import pace
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.clock.calendar import deadline
from notifications.database.compiled_query import compiled_exists

logger = logging.getLogger(__name__)
MOST = timedelta(days=30)  # of all pauses of a game by vote
SHORTEST = timedelta(days=1)  # what one of them takes of that
NOT_BY_VOTE = (Game.PausedBy.MODERATOR, Game.PausedBy.LESSON, Game.PausedBy.SANDBOX)  # no vote ends these


@transaction.atomic
def set_wish(*, game_id: int, seat: int, is_wanted: bool, now: datetime) -> Game:
    """Records whether a player votes for a pause. Repeating a vote changes nothing.

    Raises Conflict in a game that is not running, for a seat nobody waits for, where a moderator has paused it, and for
    a pause where none is left.
    """
    game = _locked(game_id)
    voter = game.seats.get(number=seat)
    if not voter.has_a_say:
        raise Conflict(_("Only active players can vote for a pause."))
    if game.paused_by == Game.PausedBy.MODERATOR:
        raise Conflict(_("A moderator has paused this game, and only a moderator can resume it."))
    if is_wanted and not game.paused_at and not is_left(game):
        raise Conflict(
            _("This game has had its %(most)s days of pauses by vote. A moderator can still pause it.")
            % {"most": MOST.days}
        )
    if voter.wants_pause != is_wanted:
        voter.wants_pause = is_wanted
        voter.save(update_fields=["wants_pause"])
        apply_wishes(game, now)
    return game


def apply_wishes(game: Game, now: datetime) -> None:
    """Pauses or resumes the game if the votes ask for it. Called with the game locked, after any change of votes."""
    _settle_hour(game, now)
    if game.status != Game.Status.RUNNING or game.paused_by in NOT_BY_VOTE:
        return
    wanted, people = count_wishes(game)
    if 2 * wanted > people and not game.paused_at and is_left(game):
        _pause(game, Game.PausedBy.VOTE, now, now + MOST - game.paused_for)
    elif 2 * wanted <= people and game.paused_at:
        _go_on(game, now)


def is_left(game: Game) -> bool:
    """Whether the players can still pause the game by vote."""
    return game.paused_for < MOST


def count_wishes(game: Game) -> tuple[int, int]:
    """Returns how many players vote for a pause, and how many may vote."""
    people = [seat for seat in game.seated() if seat.has_a_say]
    return sum(seat.wants_pause for seat in people), len(people)


@transaction.atomic
def pause_by_moderator(*, game_id: int, now: datetime, until: datetime | None = None) -> Game:
    """Pauses a game by a moderator, or makes a pause by vote the moderator's.

    Arguments:
        until: when it resumes by itself; None: only when a moderator resumes it.
    Raises Conflict if it is not running, or `until` is not in the future.
    """
    game = _locked(game_id)
    if until is not None and until <= now:
        raise Conflict(_("A pause must end after it begins."))
    if game.paused_at:
        game.paused_by, game.pause_ends_at = Game.PausedBy.MODERATOR, until
        game.save(update_fields=["paused_by", "pause_ends_at"])
    else:
        _pause(game, Game.PausedBy.MODERATOR, now, until)
    return game


@transaction.atomic
def resume_by_moderator(*, game_id: int, now: datetime) -> Game:
    """Resumes a game by a moderator, whoever paused it. Raises Conflict if it is not paused."""
    game = _locked(game_id)
    if not game.paused_at:
        raise Conflict(_("This game isn't paused."))
    _go_on(game, now)
    return game


def end_one(now: datetime) -> bool:
    """Resumes one game whose pause is over. Returns whether there was one."""
    if not _is_any_to_end(now):
        return False
    with transaction.atomic():
        game = _to_end(now).select_for_update().first()
        if game is None:
            return False
        _go_on(game, now)
        return True


def _to_end(now: datetime) -> QuerySet[Game]:
    return Game.objects.filter(pause_ends_at__lte=now, status=Game.Status.RUNNING).order_by("pause_ends_at")


_is_any_to_end = compiled_exists(_to_end)


def _locked(game_id: int) -> Game:
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.status != Game.Status.RUNNING:
        raise Conflict(_("This game is over.") if game.is_over else _("This game hasn't started yet."))
    return game


def _pause(game: Game, by: str, now: datetime, until: datetime | None) -> None:
    if game.is_live_hour:
        _end_hour(game, now)
    rows = list(clocks.asked(game).filter(due_at__isnull=False, is_automatic=False))
    clocks.stop(rows, now)
    for row in rows:
        row.save(update_fields=clocks.FIELDS)
    game.paused_at, game.paused_by, game.pause_ends_at = now, by, until
    game.save(update_fields=["paused_at", "paused_by", "pause_ends_at"])
    notify.paused(game, _seats(game), now)


def _go_on(game: Game, now: datetime) -> None:
    began = game.paused_at
    assert began is not None, game
    by_vote = game.paused_by == Game.PausedBy.VOTE
    if by_vote:
        game.paused_for += max(now - began, SHORTEST)
    game.paused_at, game.paused_by, game.pause_ends_at = None, "", None
    game.save(update_fields=["paused_at", "paused_by", "pause_ends_at", "paused_for"])
    game.seats.update(wants_pause=False)
    rows = list(clocks.asked(game).filter(left__isnull=False, is_automatic=False))
    old = _deadlines_before(game, rows, began)
    clocks.go_on(game, rows, now, is_topped_up=not by_vote)
    for row in rows:
        row.save(update_fields=clocks.FIELDS)
        if row.pk in old:
            clocks.record_extension(row, Extension.Reason.PAUSE, old[row.pk], now)
    notify.resumed(game, _seats(game), began, now)


def _deadlines_before(game: Game, rows: list[Decision], began: datetime) -> dict[int, datetime]:
    """Returns the deadlines at the beginning of the pause, of the questions that were open by then."""
    theirs = clocks.calendars(game, {row.seat.user for row in rows if row.seat.user}, began)
    return {
        row.pk: deadline(began, row.left, clocks.calendar_in(theirs, row))
        for row in rows
        if row.left is not None and row.opened_at < began
    }


def _seats(game: Game) -> list[Seat]:
    seats = list(game.seats.select_related("user__recipient").order_by("number"))
    for seat in seats:
        seat.game = game
    return seats


# An hour together

AHEAD = timedelta(days=14)  # how far ahead one may be proposed
LASTS = timedelta(hours=2)
REMINDED_BEFORE = timedelta(hours=1)
NO_HOUR = {"hour_at": None, "hour_state": "", "hour_seat": None, "hour_step_at": None}


@transaction.atomic
def agree_on_hour(*, game_id: int, seat: int, starts_at: datetime, now: datetime) -> Game:
    """Proposes an hour together, or agrees to the one that is proposed. Repeating it changes nothing.

    Raises Conflict in a game that is not running, is paused or plays live anyway, for a seat nobody waits for, and
    while another hour is proposed or agreed; ServiceError for one that is over or too far ahead.
    """
    game = _locked(game_id)
    voter = game.seats.get(number=seat)
    if not voter.has_a_say:
        raise Conflict(_("Only active players can agree on an hour together."))
    if game.is_practice or pace.is_live(game.pace):
        raise Conflict(_("This table has no clocks that an hour together could change."))
    if game.paused_at:
        raise Conflict(_("The game is paused. Agree on an hour together once it goes on."))
    starts_at = starts_at.replace(second=0, microsecond=0)
    if not (game.has_hour_ahead or game.is_live_hour):
        _propose_hour(game, voter, starts_at, now)
    elif starts_at != game.hour_at:
        raise Conflict(_("Another time is already proposed at this table. Agree to it, or decline it first."))
    if not voter.agrees_to_hour:
        voter.agrees_to_hour = True
        voter.save(update_fields=["agrees_to_hour"])
        _settle_hour(game, now)
    return game


def _propose_hour(game: Game, voter: Seat, starts_at: datetime, now: datetime) -> None:
    if not now < starts_at <= now + AHEAD:
        raise ServiceError(
            _("Choose a time between now and two weeks from now."), code="out-of-range", field="starts_at"
        )
    game.seats.update(agrees_to_hour=False)
    voter.agrees_to_hour = False
    _save_hour(game, hour_at=starts_at, hour_state=Game.Hour.PROPOSED, hour_seat=voter.number, hour_step_at=starts_at)
    others = [other for other in _seats(game) if other.number != voter.number]
    notify.hour(game, others, now)


@transaction.atomic
def decline_hour(*, game_id: int, seat: int, now: datetime) -> Game:
    """Declines an hour together, which is then off for all; leaves one that has begun, which ends once all have left.

    Repeating it changes nothing. Raises Conflict in a game that is not running, and for a seat nobody waits for.
    """
    game = _locked(game_id)
    voter = game.seats.get(number=seat)
    if not voter.has_a_say:
        raise Conflict(_("Only active players can agree on an hour together."))
    if game.has_hour_ahead:
        starts_at = game.hour_at
        _forget_hour(game)
        others = [other for other in _seats(game) if other.number != seat]
        notify.hour(game, others, now, starts_at)
    elif game.is_live_hour and voter.agrees_to_hour:
        voter.agrees_to_hour = False
        voter.save(update_fields=["agrees_to_hour"])
        _settle_hour(game, now)
    return game


def step_one_hour(now: datetime) -> bool:
    """Lets one hour together lapse, be told, begin or end, if it is time. Returns whether there was one."""
    if not _is_any_hour_due(now):
        return False
    with transaction.atomic():
        game = _hours_due(now).select_for_update(skip_locked=True).first()
        if game is None:
            return False
        _step_hour(game, now)
        return True


def _hours_due(now: datetime) -> QuerySet[Game]:
    return Game.objects.filter(hour_step_at__lte=now).order_by("hour_step_at")


_is_any_hour_due = compiled_exists(_hours_due)


def _step_hour(game: Game, now: datetime) -> None:
    assert game.hour_at is not None, game
    is_playing = game.status == Game.Status.RUNNING and not game.paused_at
    if game.is_live_hour and is_playing:
        _end_hour(game, now)
    elif not is_playing or game.hour_state == Game.Hour.PROPOSED or now >= game.hour_at + LASTS:
        starts_at, was_agreed = game.hour_at, game.hour_state != Game.Hour.PROPOSED
        _forget_hour(game)
        if was_agreed and game.status == Game.Status.RUNNING:
            notify.hour(game, _seats(game), now, starts_at)
    elif game.hour_state == Game.Hour.AGREED:
        _save_hour(game, hour_state=Game.Hour.REMINDED, hour_step_at=game.hour_at)
        notify.hour(game, _seats(game), now)
    else:
        _begin_hour(game, now)


def _settle_hour(game: Game, now: datetime) -> None:
    """An hour stands once all who are waited for agree, and ends once none of them is left in it."""
    if game.hour_at is None or game.status != Game.Status.RUNNING:
        return
    people = [seat.agrees_to_hour for seat in game.seated() if seat.has_a_say]
    if game.hour_state == Game.Hour.PROPOSED and people and all(people):
        _save_hour(game, hour_state=Game.Hour.AGREED, hour_step_at=max(now, game.hour_at - REMINDED_BEFORE))
    elif game.is_live_hour and not any(people):
        _end_hour(game, now)


def _begin_hour(game: Game, now: datetime) -> None:
    rows = _with_clocks(game)
    old = {row.pk: row.due_at for row in rows}
    clocks.stop(rows, now)
    _save_hour(game, hour_state=Game.Hour.LIVE, hour_step_at=now + LASTS)
    clocks.start_hour(game, rows, now)
    _save_moved(rows, old, now)


def miss_hour(game: Game, now: datetime) -> None:
    """Ends an hour together in which an answer has taken too long. Called with the game locked."""
    starts_at = game.hour_at
    _end_hour(game, now)
    _save_hour(game, hour_at=starts_at, hour_state=Game.Hour.MISSED)


def _end_hour(game: Game, now: datetime) -> None:
    """Ends an hour together: the clocks run by the table's own pace again."""
    assert game.hour_step_at is not None, game
    began, rows = game.hour_step_at - LASTS, _with_clocks(game)
    old = {row.pk: row.due_at for row in rows}
    _forget_hour(game)
    clocks.end_hour(game, rows, began, now)
    _save_moved(rows, old, now)


def _with_clocks(game: Game) -> list[Decision]:
    rows = list(clocks.asked(game).filter(due_at__isnull=False, is_automatic=False, seat__user__isnull=False))
    for row in rows:
        row.game = row.seat.game = game
    return rows


def _save_moved(rows: list[Decision], old: dict[int, datetime | None], now: datetime) -> None:
    for row in rows:
        before = old[row.pk]
        assert before is not None, row
        row.save(update_fields=clocks.FIELDS)
        clocks.record_extension(row, Extension.Reason.HOUR, before, now)


def _forget_hour(game: Game) -> None:
    game.seats.update(agrees_to_hour=False)
    _save_hour(game, **NO_HOUR)


def _save_hour(game: Game, **facts: datetime | int | str | None) -> None:
    for name, value in facts.items():
        setattr(game, name, value)
    game.save(update_fields=list(facts))
    logger.info("Game %s: hour together %s, %s", game.ref, game.hour_state or "over or off", game.hour_at)
