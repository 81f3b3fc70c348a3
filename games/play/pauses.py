"""Pauses: all clocks of a game stand still, by a vote of more than half of its players or by a moderator.

Votes are public, and a pause by vote lasts as long as more than half want it: nobody can hold a game up alone. A game
has thirty days for all its pauses by vote together, and each takes a day at least: so they come to an end. After one
everybody has the time that was left, to the minute: pausing before a deadline gains nothing.
While a game is paused everybody may still answer, bots play on and phases are completed; only the clocks are stopped.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.play import clocks, notify
from games.play.models import Decision, Extension
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.clock.calendar import deadline
from notifications.database.compiled_query import compiled_exists

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
