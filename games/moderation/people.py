"""Moderators' acts on accounts and deliveries, their notes, and hints that several accounts belong to one person.

The hints are shown to moderators, never acted on by the service. Of each sign-in two keyed hashes are stored, of the
network address and of address and browser: they can be compared, and nothing can be read from them. They are deleted
after `SIGN_INS_KEPT`. People of one household share them too: a hint is no proof."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.errors import Conflict, Forbidden, Illegal, ServiceError
from games.moderation.entries import check_moderator, exclude_own_games
from games.moderation.models import ModeratorNote
from games.people.models import SignIn, User
from games.people.sessions import SIGN_INS_KEPT
from games.people.speech import checked
from games.people.staff import MODERATE_GAME, MODERATE_USER
from games.play import absences
from games.tables import webhooks
from games.tables.audit import ModerationEntry, notify_moderated, record_entry
from games.tables.models import Game
from games.tables.seats import Seat, SeatTenure
from notifications import outbox
from notifications.channels.webhook import webhooks as fate
from notifications.database.compiled_query import compiled_exists
from notifications.models import Delivery, Endpoint
from notifications.reasons import declare

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
        raise Illegal(_("That time has already passed."), code="in-the-past", field="until")
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
        raise Illegal(_("The reopening date must be in the future."), code="in-the-past", field="until")
    user.is_active, user.closed_until = False, until
    user.save(update_fields=["is_active", "closed_until"])
    chairs = Seat.objects.filter(Q(user=user) | Q(owner=user), status=Seat.Status.ACTIVE)  # his bots stop with him
    for seat in chairs.filter(game__status=Game.Status.RUNNING).order_by("game"):
        absences.leave(absences.locked_seat(seat.pk), now)
    notify_moderated(record_entry(Action.SUSPEND, by=by, user=user, reason=reason, until=until, now=now), now)


@transaction.atomic
def lift_suspension(*, user: User, by: User, reason: str, now: datetime) -> None:
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


# Notes: nobody but moderators reads them

NOTES_SHOWN = 50


def add_note(*, about: Game | User, by: User, text: str, now: datetime) -> ModeratorNote:
    """Adds a note. Raises Forbidden and Conflict as acts do, Illegal for no text or too much."""
    if isinstance(about, Game):
        check_moderator(by, about)
    elif not (by.is_active and by.has_perm(MODERATE_USER)) or about.pk == by.pk:
        raise Forbidden(_("Only another moderator can do that."))
    text = checked(text, ModeratorNote.TEXT_LENGTH)
    if not text:
        raise Illegal(_("Write something first."), code="missing", field="text")
    game, user = (about, None) if isinstance(about, Game) else (None, about)
    return ModeratorNote.objects.create(game=game, user=user, author=by, text=text, created_at=now)


def readable_notes(rows: QuerySet[ModeratorNote], by: User) -> list[ModeratorNote]:
    """Returns the notes that a moderator may read, newest first: none about himself or his own tables."""
    allowed = exclude_own_games(rows.exclude(user=by), by)
    return list(allowed.select_related("author").order_by("-pk")[:NOTES_SHOWN])


# Deliveries and webhooks

BY_MODERATOR = declare("by_moderator", gettext_noop("a moderator switched it off"))


@transaction.atomic
def send_again(*, webhook: Endpoint, message_id: str, by: User, reason: str, now: datetime) -> None:
    """Sends once more what was sent, as its owner could. Raises NotFound, and Conflict where it cannot be."""
    _record_webhook_act(Action.RESEND, webhook, by, reason, now)
    webhooks.send_again(endpoint=webhook, message_id=message_id, now=now)


@transaction.atomic
def switch_webhook_off(*, webhook: Endpoint, by: User, reason: str, now: datetime) -> None:
    """Switches it off, and all that send to the same chat; their owners are told. Raises Conflict if it is off."""
    if not webhook.is_enabled:
        raise Conflict(_("This webhook is already off."))
    _record_webhook_act(Action.HOOK_OFF, webhook, by, reason, now)
    fate.switch_off(webhook, BY_MODERATOR, now)


@transaction.atomic
def switch_webhook_on(*, webhook: Endpoint, by: User, reason: str, now: datetime) -> None:
    """Switches it on again. Raises Conflict if it is on."""
    if webhook.is_enabled:
        raise Conflict(_("This webhook is already on."))
    _record_webhook_act(Action.HOOK_ON, webhook, by, reason, now)
    fate.start(webhook)


def _record_webhook_act(
    action: ModerationEntry.Action, webhook: Endpoint, by: User, reason: str, now: datetime
) -> None:
    if not (by.is_active and by.has_perm(MODERATE_USER)):
        raise Forbidden(_("Only a moderator can do that."))
    owner = User.objects.filter(recipient=webhook.recipient_id).first()
    record_entry(action, by=by, user=owner, reason=reason, now=now)


@transaction.atomic
def retry_delivery(*, delivery: Delivery, by: User, reason: str, now: datetime) -> None:
    """Has a message tried again that was given up. Raises Forbidden, and Conflict if it was not given up."""
    if not (by.is_active and by.has_perm(MODERATE_GAME)):
        raise Forbidden(_("Only a moderator can do that."))
    if not outbox.try_again(delivery, now):
        raise Conflict(_("This is already being resent."))
    to = User.objects.filter(recipient=delivery.notice.recipient_id).first()
    record_entry(ModerationEntry.Action.TRY_AGAIN, by=by, user=to, reason=reason, now=now)


# Hints of several accounts of one person

MOST_HINTS = 20  # accounts shown
FEW_GAMES = 3  # together, before that is mentioned


@dataclass(frozen=True)
class Hint:
    """Another account, and what it has in common with the one in question."""

    user: User
    signs: list[str]


def find_hints(user: User, now: datetime) -> list[Hint]:
    """Returns the accounts that have most in common with this one; [] for most people."""
    signs: dict[int, list[str]] = {}
    for other, sign in (*_same_marks(user, now), *_same_mailbox(user)):
        signs.setdefault(other, []).append(sign)
    for other, sign in _same_tables(user):
        if other in signs:  # to play together is no sign by itself
            signs[other].append(sign)
    ranked = sorted(signs, key=lambda pk: -len(signs[pk]))[:MOST_HINTS]
    people = User.objects.in_bulk(ranked)
    return [Hint(people[pk], signs[pk]) for pk in ranked]


def _same_marks(user: User, now: datetime) -> Iterator[tuple[int, str]]:
    words = {SignIn.Kind.NETWORK: _("the same network"), SignIn.Kind.BROWSER: _("the same kind of browser there")}
    own = SignIn.objects.filter(user=user, at__gt=now - SIGN_INS_KEPT).values("mark")
    rows = SignIn.objects.filter(mark__in=own, at__gt=now - SIGN_INS_KEPT).exclude(user=user)
    for pk, kind in sorted(set(rows.values_list("user", "kind"))):
        yield pk, words[SignIn.Kind(kind)]


def _same_mailbox(user: User) -> Iterator[tuple[int, str]]:
    """Addresses that lead to one mailbox with many providers: "anna+two@example.org"."""
    name, _at, domain = user.email.partition("@")
    base = name.partition("+")[0]
    others = User.objects.exclude(pk=user.pk).filter(email__endswith=f"@{domain}", email__startswith=base)
    for other in others:
        if other.email.partition("@")[0].partition("+")[0] == base:
            yield other.pk, _("the same mailbox with another ending")


def _same_tables(user: User) -> Iterator[tuple[int, str]]:
    games = set(user.tenures.values_list("seat__game", flat=True))
    count = len(games)
    together: dict[int, int] = {}
    others = SeatTenure.objects.filter(seat__game__in=user.tenures.values("seat__game")).exclude(user=user)
    for pk, _game in others.values_list("user", "seat__game").distinct():
        together[pk] = together.get(pk, 0) + 1
    for pk, number in together.items():
        if number >= FEW_GAMES:
            words = ngettext("%(number)s of %(all)s game together", "%(number)s of %(all)s games together", count)
            yield pk, words % {"number": number, "all": count}
