"""Acts that concern a person: a warning, an account that is closed for a while or for good."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict, Forbidden, Illegal, ServiceError
from games.moderation.entries import MODERATE_USER, notify_moderated, record_entry
from games.moderation.models import ModerationEntry
from games.people.models import User
from games.play import absences
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.database.compiled_query import compiled_exists

Action = ModerationEntry.Action


@transaction.atomic
def warn(*, user: User, by: User, reason: str, now: datetime) -> None:
    """Tells somebody by mail what he must not do again."""
    _check(by, user)
    notify_moderated(record_entry(Action.WARN, by=by, user=user, reason=reason, now=now), now)


@transaction.atomic
def mute(*, user: User, by: User, reason: str, now: datetime, until: datetime) -> None:
    """Until then he says nothing at any table; he plays on. Raises Illegal for a time that is over."""
    _check(by, user)
    if until <= now:
        raise Illegal(_("That time has already passed."))
    User.objects.filter(pk=user.pk).update(silent_until=until)
    notify_moderated(record_entry(Action.MUTE, by=by, user=user, reason=reason, until=until, now=now), now)


@transaction.atomic
def unmute(*, user: User, by: User, reason: str, now: datetime) -> None:
    """He may speak at tables again. Raises Conflict if he may."""
    _check(by, user)
    if not is_silent(user, now):
        raise Conflict(_("This player isn't muted."))
    User.objects.filter(pk=user.pk).update(silent_until=None)
    notify_moderated(record_entry(Action.UNMUTE, by=by, user=user, reason=reason, now=now), now)


def is_silent(user: User, now: datetime) -> bool:
    """Whether he must say nothing at tables now."""
    until = User.objects.values_list("silent_until", flat=True).get(pk=user.pk)
    return until is not None and until > now


@transaction.atomic
def suspend(*, user: User, by: User, reason: str, now: datetime, until: datetime | None = None) -> None:
    """Closes an account: its person is signed out, his links and keys do nothing, and no table waits for him.

    Arguments:
        until: when it opens again by itself; None for not before a moderator says so.
    Raises Conflict if it is closed, Illegal for a time that is over.
    """
    _check(by, user)
    user = User.objects.select_for_update().get(pk=user.pk)
    if not user.is_active:
        raise Conflict(_("This account is already closed."))
    if until is not None and until <= now:
        raise Illegal(_("The reopening date must be in the future."))
    user.is_active, user.closed_until = False, until
    user.save(update_fields=["is_active", "closed_until"])
    chairs = Seat.objects.filter(Q(user=user) | Q(owner=user), status=Seat.Status.ACTIVE)  # his bots stop with him
    for seat in chairs.filter(game__status=Game.Status.RUNNING).order_by("game"):
        absences.leave(absences.locked_seat(seat.pk), now)
    notify_moderated(record_entry(Action.SUSPEND, by=by, user=user, reason=reason, until=until, now=now), now)


@transaction.atomic
def lift(*, user: User, by: User, reason: str, now: datetime) -> None:
    """Opens a closed account again. At his tables its person comes back himself. Raises Conflict if it is open."""
    _check(by, user)
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.is_active:
        raise Conflict(_("This account is open."))
    if user.erased_at is not None:
        raise Conflict(_("This account was deleted."))
    _open(user)
    notify_moderated(record_entry(Action.LIFT, by=by, user=user, reason=reason, now=now), now)


def open_one(now: datetime) -> bool:
    """Opens one account whose time has come. Returns whether there was one."""
    if not _is_any_to_open(now):
        return False
    with transaction.atomic():
        user = _to_open(now).select_for_update().first()
        if user is None:
            return False
        _open(user)
        return True


def _to_open(now: datetime) -> QuerySet[User]:
    return User.objects.filter(closed_until__lte=now).order_by("closed_until")


_is_any_to_open = compiled_exists(_to_open)


def _open(user: User) -> None:
    user.is_active, user.closed_until = True, None
    user.save(update_fields=["is_active", "closed_until"])


def why_barred(by: User, user: User) -> str:
    """Returns why this moderator may not act on this account, or ""."""
    try:
        _check(by, user)
    except ServiceError as error:
        return error.message
    return ""


def _check(by: User, user: User) -> None:
    if not (by.is_active and by.has_perm(MODERATE_USER)):
        raise Forbidden(_("Only a moderator can do that."))
    if user.pk == by.pk:
        raise Conflict(_("You can't moderate your own account."))
    if user.is_staff and not by.is_superuser:
        raise Forbidden(_("Only an administrator can do this to a moderator."))
