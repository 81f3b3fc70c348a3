"""Acts that concern one seat: a bot plays it for a while, its player gets it back, somebody else sits down."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.accounts.models import normal_address
from games.errors import Conflict, Illegal, NotFound
from games.models import Game, ModerationEntry, Seat, User
from games.moderation.entries import check_host_or_moderator, check_moderator, is_host, record_entry
from games.play import notify
from games.timing import absences

Action = ModerationEntry.Action


@transaction.atomic
def hand_to_bot(*, seat: Seat, bot: str, by: User, reason: str, now: datetime) -> None:
    """A bot plays the seat until its player comes back, which one click does. Raises Conflict and Illegal."""
    check_moderator(by, seat.game)
    seat = _of_a_person(seat)
    if bot not in seat.game.rules.bots:
        raise Illegal(_("There is no bot of that name."))
    absences.leave(seat, now, stand_in=bot)
    notify.absent(seat, f"{seat.pk}:{now.isoformat()}", now)
    record_entry(Action.TO_BOT, by=by, game=seat.game, seat=seat.number, user=seat.user, reason=reason, now=now)


@transaction.atomic
def give_back(*, seat: Seat, by: User, reason: str, now: datetime) -> None:
    """The player is waited for again. Raises Conflict if he is already."""
    check_moderator(by, seat.game)
    seat = _of_a_person(seat)
    if seat.status != Seat.Status.ABSENT:
        raise Conflict(_("This seat's player is waited for already."))
    absences.come_back(seat_id=seat.pk, now=now)
    record_entry(Action.GIVE_BACK, by=by, game=seat.game, seat=seat.number, user=seat.user, reason=reason, now=now)


@transaction.atomic
def replace(*, seat: Seat, address: str, by: User, reason: str, now: datetime) -> None:
    """Somebody else with an account sits down; the former player is told, and his links are void.

    A host may do so with seats nobody waits for. Raises NotFound without such an account, Conflict if he sits there
    already, or if the seat is not a host's to give; SameOwner if his bot sits there and the table does not allow that.
    """
    check_host_or_moderator(by, seat.game)
    user = User.objects.filter(email=normal_address(address), is_active=True).first()
    if user is None:
        raise NotFound(_("There is no open account with this address."))
    seat = _of_a_person(seat)
    if seat.game.seats.filter(user=user).exists():
        raise Conflict(_("%(name)s sits at this table already.") % {"name": user.name})
    if is_host(by, seat.game) and seat.status != Seat.Status.ABSENT:
        raise Conflict(_("A host gives away the seats of absent players only."))
    former = seat.user
    absences.leave(seat, now)  # whoever sits down is asked anew, with a clock of his own
    absences.hand_over(seat, user, now)
    record_entry(Action.REPLACE, by=by, game=seat.game, seat=seat.number, user=former, reason=reason, now=now)


def _of_a_person(seat: Seat) -> Seat:
    seat = absences.locked_seat(seat.pk)
    if seat.game.status != Game.Status.RUNNING:
        raise Conflict(_("This game is over.") if seat.game.is_over else _("This game has not begun yet."))
    if seat.user is None or seat.status == Seat.Status.RESIGNED:
        raise Conflict(_("Nobody plays this seat."))
    return seat
