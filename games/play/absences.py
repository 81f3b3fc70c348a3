"""Seats whose player is absent: marked after repeated misses, taken over by others, or active again."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.errors import Conflict, NotFound, ServiceError
from games.people import blocks, names
from games.people.models import User
from games.play import clocks, decisions, notify, pauses, standing_orders
from games.play.game_letters import occasion_of
from games.play.models import Decision, Extension, Vacation
from games.tables import pace
from games.tables.models import Game
from games.tables.seats import Invitation, Seat, check_club_seat, check_owners
from games.tables.settings import one_of
from notifications.clock.calendar import day_span, used


def make_absent(seat: Seat, missed: Decision, now: datetime) -> None:
    """Marks a seat as absent: the game no longer waits for it, and its player can come back with one click."""
    if seat.status != Seat.Status.ACTIVE:
        return
    leave(seat, now)
    notify.absent(seat, missed.ref, now)


def leave(seat: Seat, now: datetime, stand_in: str = "") -> None:
    """Marks a seat as absent without a notice. Called with its game locked.

    Arguments:
        stand_in: the bot that answers for it; "" for what the table does with absent seats.
    """
    seat.status, seat.stand_in = Seat.Status.ABSENT, stand_in
    seat.wants_pause = seat.wants_end = seat.agrees_to_hour = False
    seat.absent_wish, seat.steward_hours = "", None
    wishes = ["wants_pause", "wants_end", "agrees_to_hour", "absent_wish"]
    seat.save(update_fields=["status", *wishes, "stand_in", "steward_hours"])
    decisions.stop_waiting(seat)
    pauses.apply_wishes(seat.game, now)


@transaction.atomic
def come_back(*, seat_id: int, now: datetime) -> Seat:
    """Makes an absent seat active again: the game asks it and waits for it. Does nothing for an active seat."""
    seat = locked_seat(seat_id)
    if seat.status == Seat.Status.RESIGNED:
        raise Conflict(_("You've resigned from this game, and that can't be undone."))
    if seat.status == Seat.Status.ABSENT:
        seat.steward_hours = pace.steward_hours(seat.game.pace)
        _reactivate(seat, now)
        standing_orders.player_is_back(game_id=seat.game_id, seat=seat.number, now=now)
    return seat


shares_in_time: list[Callable[[User, datetime], int | None]] = []
"""The room that keeps profiles says here what share of his answers somebody gives in time; None for too few."""


def check_company(game: Game, user: User, now: datetime, *, is_invited: bool = False) -> None:
    """Checks that a person may sit down at a table. Raises Conflict, which says what to do about it.

    Arguments:
        is_invited: by the host, who wants this person whatever the table asks of others.
    """
    check_has_not_left(user, game)
    if is_invited or user.is_bot or game.company == Game.Company.ALL or game.host_id == user.pk:
        return
    share = next((share for of in shares_in_time if (share := of(user, now)) is not None), None)
    if share is None and not game.welcomes_newcomers:
        raise Conflict(_("This table is for players with some finished games. The host can still invite you."))
    if share is not None and share < int(game.company):
        raise Conflict(
            _(
                "This table asks for %(least)s %% of answers in time, and you gave %(share)s %%. The host can still "
                "invite you."
            )
            % {"least": game.company, "share": share}
        )


def check_has_not_left(user: User, game: Game | None = None) -> None:
    """Raises Conflict for a person who is absent in another running game, in which others play on."""
    if user.is_bot:
        return
    others = Seat.objects.filter(game=OuterRef("game"), status=Seat.Status.ACTIVE, bot="", user__isnull=False)
    left = Seat.objects.filter(Exists(others), user=user, status=Seat.Status.ABSENT, game__status=Game.Status.RUNNING)
    left = left.filter(game__is_lesson=False, game__sandbox_of=None)
    found = left.exclude(game=game).select_related("game").first()
    if found is not None:
        raise Conflict(
            _("You're absent at %(table)s, and others play on there. Return there or resign, then you can join others.")
            % {"table": found.game.spoken_title}
        )


@transaction.atomic
def take_over(*, seat_id: int, user: User, now: datetime) -> Seat:
    """Gives an offered seat to another person, and notifies its former player, whose links become void.

    Who has looked for a successor has left in order: that counts neither for his ratings nor as an absence.

    Raises Conflict if the seat is not free, he sits here, or has held another seat, SameOwner if his bot sits here and
    the table does not allow that.
    """
    seat = locked_seat(seat_id)
    if seat.user_id is None or not is_offered(seat):
        raise Conflict(_("This seat is no longer free."))
    if seat.game.seats.filter(user=user).exists():
        raise Conflict(_("You're already at this table."))
    check_club_seat(seat.game, user)
    blocks.check_host(seat.game.host, user)
    check_company(seat.game, user, now)
    is_in_order = seat.status == Seat.Status.ACTIVE
    if is_in_order:
        leave(seat, now)  # whoever sits down is asked anew, with a clock of his own
    return hand_over(seat, user, now, is_by_absence=not is_in_order)


@transaction.atomic
def seek_successor(*, seat_id: int, is_wanted: bool, now: datetime) -> Seat:
    """Offers the seat of a player who plays on until somebody takes it over, or takes the offer back.

    Raises Conflict for a seat that nobody can be found for: of a bot, at a tournament or in practice.
    """
    seat = locked_seat(seat_id)
    if is_wanted and not can_seek(seat):
        raise Conflict(_("A successor can be looked for while you play, in a running game that's no tournament's."))
    if seat.seeks_successor != is_wanted:
        seat.seeks_successor = is_wanted
        seat.save(update_fields=["seeks_successor"])
    return seat


def can_seek(seat: Seat) -> bool:
    """True if the player of this seat may look for a successor."""
    game = seat.game
    is_free = not game.is_practice and not (game.is_listed and occasion_of(game))
    return game.status == Game.Status.RUNNING and seat.has_a_say and is_free


@transaction.atomic
def wish_for_absent(*, seat_id: int, wish: str, now: datetime) -> Game:
    """Records what a player would have become of absent seats; it holds from when more than half wish the same.

    Arguments:
        wish: one of `Game.AbsentSeats`; "" for as it is.
    Raises Conflict for a seat that is not waited for or a game that is not running, ServiceError for another wish.
    """
    seat = locked_seat(seat_id)
    game = seat.game
    if game.status != Game.Status.RUNNING or not seat.has_a_say:
        raise Conflict(_("Only active players in a running game can vote on this."))
    one_of("wish", wish, ["", *Game.AbsentSeats.values])
    seat.absent_wish = "" if wish == game.absent_seats else wish
    seat.save(update_fields=["absent_wish"])
    wanted, people = count_absent_wishes(game, wish)
    if seat.absent_wish and 2 * wanted > people:
        game.absent_seats = seat.absent_wish
        game.save(update_fields=["absent_seats"])
        game.seats.update(absent_wish="")
    return game


def count_absent_wishes(game: Game, wish: str) -> tuple[int, int]:
    """Returns how many players wish this for absent seats, and how many may vote."""
    people = [seat for seat in game.seats.all() if seat.has_a_say]
    return sum(seat.absent_wish == wish for seat in people), len(people)


def hand_over(seat: Seat, user: User, now: datetime, *, is_by_absence: bool = True) -> Seat:
    """Transfers a seat to another person. Called with its game locked.

    The new player begins with a full time bank, and with one excused miss if the table excuses one.

    Arguments:
        is_by_absence: whether its former player had left it; he is rated as last then.
    Raises SameOwner if a bot of his plays on another seat and the table does not allow that, Conflict if he, or a bot
    of his, has held another one.
    """
    assert seat.user is not None
    check_owners(seat.game, user, left=seat)
    former = seat.user.recipient
    seat.user = user
    seat.owner = None  # people sit down on seats that are free, bots do not
    others = [other.name for other in seat.game.seats.exclude(pk=seat.pk)]
    seat.name = names.told_apart(user.name, others)
    seat.link_generation += 1
    seat.remind_before, seat.hears_all_talk, seat.hears_next = None, False, False
    seat.agrees_to_hour = False
    seat.is_excused, seat.bank = False, pace.full_bank(seat.game.pace)
    seat.steward_hours = pace.steward_hours(seat.game.pace)
    standing_orders.seat_changed_hands(game_id=seat.game_id, seat=seat.number, now=now)
    was_sought, seat.seeks_successor = seat.seeks_successor and not is_by_absence, False
    seat.played_since = Game.objects.values_list("seq", flat=True).get(pk=seat.game_id)
    seat.tenures.filter(ended_at=None).update(ended_at=now, is_by_absence=is_by_absence)
    seat.tenures.create(user=user, since_seq=seat.played_since, began_at=now)
    _reactivate(seat, now)
    notify.taken_over(seat, former, now, was_sought=was_sought)
    return seat


def is_offered(seat: Seat) -> bool:
    """True if anybody may sit down here."""
    game = seat.game
    is_left = seat.status == Seat.Status.ABSENT and game.absent_seats == Game.AbsentSeats.TAKEOVER
    is_sought = seat.seeks_successor and seat.status in (Seat.Status.ACTIVE, Seat.Status.ABSENT)
    return game.status == Game.Status.RUNNING and (is_left or is_sought)


def locked_seat(seat_id: int) -> Seat:
    """Loads the seat, with its game locked."""
    seat = Seat.objects.select_related("game").get(pk=seat_id)
    seat.game = Game.objects.select_for_update().get(pk=seat.game_id)
    seat.refresh_from_db(fields=["status", "user", "link_generation", "misses", "seeks_successor"])
    return seat


def _reactivate(seat: Seat, now: datetime) -> None:
    seat.status = Seat.Status.ACTIVE
    seat.misses, seat.stand_in = 0, ""
    seat.save()
    seat.offers.filter(status=Invitation.Status.SENT).update(status=Invitation.Status.WITHDRAWN)
    for row in decisions.start_waiting(seat, now):
        notify.ask(row, seat, now, is_again=True)
    pauses.apply_wishes(seat.game, now)


# Vacations: days on which a person's clocks stand still, from a budget for each calendar year.

FARTHEST = timedelta(days=366)  # how far ahead one may plan


@transaction.atomic
def plan(*, user: User, first_day: date, last_day: date, now: datetime) -> Vacation:
    """Plans a vacation from the first to the last day, both included, in the person's time zone.

    One that begins today begins now. Deadlines that would fall into it move.

    Raises ServiceError for impossible days, Conflict for days that are planned already or exceed the budget.
    """
    User.objects.select_for_update().get(pk=user.pk)  # two plans at once would not see each other
    zone = user.recipient.zone_info
    today = now.astimezone(zone).date()
    _check_days(first_day, last_day, today)
    planned = list(Vacation.objects.filter(user=user))
    if any(absence.first_day <= last_day and first_day <= absence.last_day for absence in planned):
        raise Conflict(_("Some of these days overlap with another of your vacations."))
    _check_budget(first_day, last_day, planned)
    span = day_span(first_day, zone, last=last_day)
    before = [(game, clocks.calendars(game, [user], now)) for game in _games(user)]
    vacation = Vacation.objects.create(
        user=user,
        first_day=first_day,
        last_day=last_day,
        begins_at=max(span.begin, now),
        ends_at=span.end,
        created_at=now,
    )
    for game, without in before:
        _move(game, user, without, now)
    return vacation


@transaction.atomic
def end(*, user: User, ref: str, now: datetime) -> None:
    """Ends or cancels a vacation. Unused days return to the budget, unless it has moved a deadline that is still open.

    Such a deadline was announced to the table: it stays, and so do the days that it cost.

    Raises NotFound for somebody else's vacation, Conflict for one that is over.
    """
    User.objects.select_for_update().get(pk=user.pk)
    vacation = Vacation.objects.filter(user=user, ref=ref).first()
    if vacation is None:
        raise NotFound(_("There's no such vacation."))
    if vacation.ends_at <= now:
        raise Conflict(_("This vacation has already ended."))
    is_used = _has_moved_a_deadline(user, vacation, now)
    if vacation.begins_at > now and not is_used:
        vacation.delete()
        return
    if not is_used:
        today = now.astimezone(user.recipient.zone_info).date()
        vacation.last_day = min(vacation.last_day, max(today, vacation.first_day))
    vacation.ends_at = max(vacation.begins_at, now)
    vacation.save(update_fields=["last_day", "ends_at"])


def days_left(user: User, year: int) -> int:
    """Returns how many days of the budget of a calendar year are not planned yet."""
    return int(settings.VACATION_DAYS_PER_YEAR) - _days_by_year(Vacation.objects.filter(user=user))[year]


def upcoming(user: User, now: datetime) -> list[Vacation]:
    """The vacations that are not over, in order."""
    return list(Vacation.objects.filter(user=user, ends_at__gt=now).order_by("begins_at"))


def _check_days(first_day: date, last_day: date, today: date) -> None:
    if last_day < first_day:
        raise ServiceError(_("The last day is before the first."), code="out-of-range", field="last_day")
    if first_day < today:
        raise ServiceError(_("A vacation can't start before today."), code="out-of-range", field="first_day")
    if last_day > today + FARTHEST:
        raise ServiceError(
            _("You can plan vacations up to twelve months ahead."), code="out-of-range", field="last_day"
        )


def _check_budget(first_day: date, last_day: date, planned: Iterable[Vacation]) -> None:
    budget, taken = int(settings.VACATION_DAYS_PER_YEAR), _days_by_year(planned)
    wanted = _days_by_year([Vacation(first_day=first_day, last_day=last_day)])
    for year, days in sorted(wanted.items()):
        left = budget - taken[year]
        if days > left:
            text = ngettext(
                "You have %(left)s vacation day left in %(year)s; this would use %(days)s.",
                "You have %(left)s vacation days left in %(year)s; this would use %(days)s.",
                left,
            )
            raise Conflict(text % {"left": left, "year": year, "days": days})


def _days_by_year(vacations: Iterable[Vacation]) -> Counter[int]:
    return Counter(
        (vacation.first_day + timedelta(days=number)).year for vacation in vacations for number in range(vacation.days)
    )


def _games(user: User) -> list[Game]:
    """The running games whose clocks a vacation of this person stops."""
    rows = Game.objects.filter(
        seats__user=user, seats__status="active", status=Game.Status.RUNNING, allows_vacation=True
    )
    return list(rows.select_for_update(of=("self",)).order_by("pk"))


def _move(game: Game, user: User, before: clocks.Calendars, now: datetime) -> None:
    """Recomputes the deadlines of a person after his vacations changed: each clock keeps the running time it has left.

    Deadlines of sealed questions move for all their seats, answered or not: they must not reveal who has answered.
    """
    rows = [row for row in clocks.asked(game).filter(is_automatic=False) if row.due_at is not None]
    old = {row.pk: row.due_at for row in rows if row.due_at is not None}
    people = {row.seat.user for row in rows if row.seat.user is not None}
    theirs = clocks.calendars(game, people, now)
    for row in rows:
        row.game = game
        if row.seat.user_id == user.pk and old[row.pk] > now:
            left = used(now, old[row.pk], clocks.calendar_in(before, row))
            clocks.set_left(row, left, clocks.calendar_in(theirs, row), now)
    codes = {row.code for row in rows if row.due_at != old[row.pk]}
    touched = [row for row in rows if row.code in codes]
    clocks.finish(touched, theirs, now)
    for row in touched:
        if row.due_at != old[row.pk]:
            row.save(update_fields=clocks.FIELDS)
            clocks.record_extension(row, Extension.Reason.VACATION, old[row.pk], now)


def _has_moved_a_deadline(user: User, vacation: Vacation, now: datetime) -> bool:
    """True if an open deadline of the person was computed with the vacation, being later than its beginning."""
    rows = Decision.objects.filter(seat__user=user, game__status=Game.Status.RUNNING, game__allows_vacation=True)
    return rows.filter(status=Decision.Status.OPEN, due_at__gt=max(vacation.begins_at, now)).exists()
