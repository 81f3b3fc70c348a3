"""The host's role changes hands: it is offered to somebody at the table, who accepts or declines, or taken by a player
when the host has vanished.

Nobody becomes a host unasked, and until an offer is accepted the host stays what he is.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict, LimitReached, NotFound, check_rate
from games.lobby import absent_hosts, notices
from games.lobby.models import HostOffer
from games.moderation import canned
from games.moderation.entries import record_entry
from games.moderation.models import ModerationEntry
from games.people.models import User
from games.tables.models import Game
from games.tables.seats import Seat

CHANGES_A_DAY = 3  # of one table's host


@transaction.atomic
def offer(*, game_id: int, host: User, seat: int, now: datetime) -> HostOffer:
    """Offers the role to the player of a seat. Offering it to the same person again changes nothing.

    Raises NotFound for who is not the host, Conflict for a seat that cannot have it, for a second offer while one is
    open, and for a game that is over, TooMany once the host has changed three times in a day.
    """
    game = _lock_alive(game_id)
    if game.host_id != host.pk:
        raise NotFound(_("Only the host of a table can do that."))
    chair = game.seats.filter(number=seat).select_related("user__recipient").first()
    if chair is None or not may_host(chair):
        raise Conflict(_("This player can't be the host. Choose somebody who is playing and has an account."))
    assert chair.user is not None
    known = HostOffer.objects.filter(game=game).first()
    if known is not None and known.user_id == chair.user_id:
        return known
    if known is not None:
        raise Conflict(_("You've already offered the host role to somebody. Withdraw that offer first."))
    _check_rate(game, now)
    made = HostOffer.objects.create(game=game, user=chair.user, created_at=now)
    notices.host_offered(made, now)
    return made


def _check_rate(game: Game, now: datetime) -> None:
    """Raises TooMany: each change is an email to everybody, and two could pass the role to and fro."""
    rows = game.moderation.filter(action=ModerationEntry.Action.HAND_OVER)
    message = _("This table's host has changed several times today. Please wait until tomorrow.")
    check_rate(rows, most=CHANGES_A_DAY, within=timedelta(days=1), now=now, message=message)


def may_host(seat: Seat) -> bool:
    """Whether the player of a seat could take the role: a person other than the host who plays here."""
    user = seat.user
    can = user is not None and seat.has_a_say and user.is_active and not user.is_guest
    return can and seat.user_id != seat.game.host_id


def candidates(game: Game) -> list[Seat]:
    """Returns the seats to whose players the role may be offered now."""
    if game.is_over or game.is_practice or game.is_imported or offer_of(game) is not None:
        return []
    return [seat for seat in game.seated() if may_host(seat)]


def offer_of(game: Game) -> HostOffer | None:
    """Returns the open offer of a table, if there is one."""
    return HostOffer.objects.filter(game=game).select_related("user").first()


def offers_to(user: User) -> list[HostOffer]:
    """Returns the open offers to a person, newest first."""
    rows = HostOffer.objects.filter(user=user, game__status__in=(Game.Status.OPEN, Game.Status.RUNNING))
    return list(rows.select_related("game__host").defer("game__state").order_by("-pk"))


@transaction.atomic
def withdraw(*, game_id: int, host: User) -> None:
    """The host takes his offer back. Raises NotFound if there is none, or he is not the host."""
    game = _lock_alive(game_id)
    if game.host_id != host.pk or not HostOffer.objects.filter(game=game).delete()[0]:
        raise NotFound(_("There's no such offer."))


@transaction.atomic
def decline(*, offer: HostOffer) -> None:
    """Says no. Harmless when said twice."""
    HostOffer.objects.filter(pk=offer.pk).delete()


@transaction.atomic
def accept(*, offer: HostOffer, now: datetime) -> Game:
    """Makes the person to whom the role was offered the host; all at the table are told.

    Raises Conflict if the offer is gone or its person no longer plays there, LimitReached past the number of open
    tables that one may host.
    """
    game = _lock_alive(offer.game_id)
    held = HostOffer.objects.filter(pk=offer.pk).select_related("user__recipient").first()
    seats = list(game.seats.select_related("user__recipient").order_by("number"))
    seat = next((one for one in seats if held and one.user_id == held.user_id), None)
    if held is None or seat is None or not may_host(seat):
        raise Conflict(_("This offer is no longer open."))
    _check_limit(game, held.user)
    _change_host(game, seat, seats, by=game.host, reason=canned.ACCEPTED, now=now)
    return game


@transaction.atomic
def take(*, game_id: int, user: User, now: datetime) -> Game:
    """Makes a player the host of a running game whose host has vanished; all at the table are told.

    Raises NotFound for who does not play there, Conflict if the host has not vanished, TooMany once the host has
    changed three times in a day.
    """
    game = _lock_alive(game_id)
    if game.host_id == user.pk:
        return game
    seats = list(game.seats.select_related("user__recipient").order_by("number"))
    seat = next((one for one in seats if one.user_id == user.pk and may_host(one)), None)
    if seat is None:
        raise NotFound(_("You're not at this table."))
    if not absent_hosts.has_vanished(game, now):
        raise Conflict(_("The host is here, or was lately. Ask them to hand over the role."))
    _check_rate(game, now)
    _change_host(game, seat, seats, by=user, reason=canned.TAKEN, now=now)
    return game


def can_take(game: Game, seat: Seat | None, now: datetime) -> bool:
    """Whether the player of this seat could take the role now."""
    return seat is not None and may_host(seat) and absent_hosts.has_vanished(game, now)


def _change_host(game: Game, seat: Seat, seats: list[Seat], *, by: User, reason: str, now: datetime) -> None:
    assert seat.user is not None
    game.host = seat.user
    game.save(update_fields=["host"])
    HostOffer.objects.filter(game=game).delete()
    record_entry(ModerationEntry.Action.HAND_OVER, by=by, game=game, seat=seat.number, reason=reason, now=now)
    notices.host_changed(game, [one for one in seats if one.pk != seat.pk], now)


def _check_limit(game: Game, user: User) -> None:
    user.one_at_a_time()
    hosted = user.hosted_games.filter(status=Game.Status.OPEN)
    if game.status == Game.Status.OPEN and hosted.count() >= settings.OPEN_TABLES_PER_HOST:
        raise LimitReached(_("You have too many tables waiting for players. Start or close one first."))


def _lock_alive(game_id: int) -> Game:
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.is_over or game.is_practice or game.is_imported:
        raise Conflict(_("This game is over.") if game.is_over else _("This table's host can't change."))
    return game
