"""Seats whose player is absent: marked after repeated misses, taken over by others, or active again."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.people import blocks, names
from games.people.models import User
from games.play import decisions, notify, pauses, standing_orders
from games.play.models import Decision
from games.tables import own_bots, pace, seats
from games.tables.models import Game
from games.tables.seats import Invitation, Seat


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
    seat.wants_pause = seat.wants_end = False
    seat.steward_hours = None
    seat.save(update_fields=["status", "wants_pause", "wants_end", "stand_in", "steward_hours"])
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


@transaction.atomic
def take_over(*, seat_id: int, user: User, now: datetime) -> Seat:
    """Gives an offered seat to another person, and notifies its former player, whose links become void.

    Raises Conflict if the seat is not free, he sits here, or has held another seat, SameOwner if his bot sits here and
    the table does not allow that.
    """
    seat = locked_seat(seat_id)
    if seat.user_id is None or not is_offered(seat):
        raise Conflict(_("This seat is no longer free."))
    if seat.game.seats.filter(user=user).exists():
        raise Conflict(_("You're already at this table."))
    seats.check_club_seat(seat.game, user)
    blocks.check_host(seat.game.host, user)
    return hand_over(seat, user, now)


def hand_over(seat: Seat, user: User, now: datetime, *, is_by_absence: bool = True) -> Seat:
    """Transfers a seat to another person. Called with its game locked.

    The new player begins with a full time bank, and with one excused miss if the table excuses one.

    Arguments:
        is_by_absence: whether its former player had left it; he is rated as last then.
    Raises SameOwner if a bot of his plays on another seat and the table does not allow that, Conflict if he, or a bot
    of his, has held another one.
    """
    assert seat.user is not None
    own_bots.check(seat.game, user, left=seat)
    former = seat.user.recipient
    seat.user = user
    seat.owner = None  # people sit down on seats that are free, bots do not
    others = [other.name for other in seat.game.seats.exclude(pk=seat.pk)]
    seat.name = names.told_apart(user.name, others)
    seat.link_generation += 1
    seat.remind_before = None
    seat.is_excused, seat.bank = False, pace.full_bank(seat.game.pace)
    seat.steward_hours = pace.steward_hours(seat.game.pace)
    standing_orders.seat_changed_hands(game_id=seat.game_id, seat=seat.number, now=now)
    seat.played_since = Game.objects.values_list("seq", flat=True).get(pk=seat.game_id)
    seat.tenures.filter(ended_at=None).update(ended_at=now, is_by_absence=is_by_absence)
    seat.tenures.create(user=user, since_seq=seat.played_since, began_at=now)
    _reactivate(seat, now)
    notify.taken_over(seat, former, now)
    return seat


def is_offered(seat: Seat) -> bool:
    """True if anybody may sit down here."""
    game = seat.game
    return (
        game.status == Game.Status.RUNNING
        and seat.status == Seat.Status.ABSENT
        and game.absent_seats == Game.AbsentSeats.TAKEOVER
    )


def locked_seat(seat_id: int) -> Seat:
    """Loads the seat, with its game locked."""
    seat = Seat.objects.select_related("game").get(pk=seat_id)
    seat.game = Game.objects.select_for_update().get(pk=seat.game_id)
    seat.refresh_from_db(fields=["status", "user", "link_generation", "misses"])
    return seat


def _reactivate(seat: Seat, now: datetime) -> None:
    seat.status = Seat.Status.ACTIVE
    seat.misses, seat.stand_in = 0, ""
    seat.save()
    seat.offers.filter(status=Invitation.Status.SENT).update(status=Invitation.Status.WITHDRAWN)
    for row in decisions.start_waiting(seat, now):
        notify.ask(row, seat, now, is_again=True)
    pauses.apply_wishes(seat.game, now)
