"""An account's owner changes it: name, language, who sees the profile, and the email address.

Both addresses must confirm a move, and the old one is notified at the end. The move ends every session but the one it
is finished in, and voids all links in emails sent so far: whoever reads the old mailbox later must not be able to act.
Password, webhooks and API tokens stay, as they never were in any mailbox."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.dispatch import Signal
from django.utils.translation import gettext as _

from games.errors import Conflict, NotFound, ServiceError, check_rate
from games.links import page_url
from games.people.models import AddressChange, User, normal_address
from notifications.channels.mail.suppressions import is_suppressed
from notifications.models import Recipient
from notifications.outbox import Notification, notify


@dataclass(frozen=True, kw_only=True)
class ProfileChange:
    """How a person wants to be called, spoken to and seen.

    Arguments:
        has_profile: whether others may see a page about him; None for as it is.
        is_ranked: whether others may see his ratings; None for as it is.
        curve_shown, hours_shown: who may see how his ratings have changed, and when he usually answers, each a
            `User.Audience`; None or "" for as it is.
        lends_positions: whether positions of his finished games may become puzzles; None for as it is.
        proposals_shown: when he sees what the rules propose to him; None for as it is.
        discord_id: by which Discord knows him, so that his table's channel can mention him; "" for none, None for as
            it is.
    """

    name: str
    language: str
    zone: str
    has_profile: bool | None = None
    is_ranked: bool | None = None
    curve_shown: str | None = None
    hours_shown: str | None = None
    lends_positions: bool | None = None
    proposals_shown: str | None = None
    discord_id: str | None = None


positions_withdrawn = Signal()  # of `user`: those of his games are no puzzles any more


@transaction.atomic
def change_profile(*, user: User, wanted: ProfileChange) -> None:
    """Stores how a person is called and spoken to. Seats already taken keep the name they had."""
    user.name = wanted.name
    user.has_profile = user.has_profile if wanted.has_profile is None else wanted.has_profile
    user.is_ranked = user.is_ranked if wanted.is_ranked is None else wanted.is_ranked
    user.curve_shown = wanted.curve_shown or user.curve_shown
    user.hours_shown = wanted.hours_shown or user.hours_shown
    user.proposals_shown = user.proposals_shown if wanted.proposals_shown is None else wanted.proposals_shown
    user.discord_id = user.discord_id if wanted.discord_id is None else wanted.discord_id
    shown = ["curve_shown", "hours_shown", "proposals_shown", "discord_id"]
    if wanted.lends_positions is not None:  # written only when he says so: what is read here may be withdrawn by now
        user.lends_positions = wanted.lends_positions
        shown.append("lends_positions")
    user.save(update_fields=["name", "has_profile", "is_ranked", *shown])
    if wanted.lends_positions is False:
        positions_withdrawn.send(User, user=user)
    recipient = user.recipient
    recipient.name, recipient.language, recipient.zone = wanted.name, wanted.language, wanted.zone
    recipient.save(update_fields=["name", "language", "zone"])


# The move to another email address

address_changed = Signal()  # of `user`, at `now`: links to where he was asked before are no longer good
OLD, NEW = "old", "new"
ADDRESS_CHANGE_SALT = "games.address-change"
ADDRESS_CHANGE_GOOD_FOR = timedelta(days=3)
MOST_ADDRESS_CHANGES_A_DAY = 5


@dataclass(frozen=True)
class PendingChange:
    """An address change as one of its two addresses sees it."""

    change: AddressChange
    side: str

    @property
    def is_confirmed(self) -> bool:
        """True once this address has said yes."""
        at = self.change.old_confirmed_at if self.side == OLD else self.change.new_confirmed_at
        return at is not None


@transaction.atomic
def request_address_change(*, user: User, new_address: str, now: datetime) -> AddressChange:
    """Asks both addresses. An earlier request that is still open is dropped.

    Nothing tells whether the new address has an account already, or asked never to be written to: then it is simply
    not asked, and the request expires.
    Raises ServiceError for what is no address or the present one, TooMany after five wishes a day.
    """
    address = _checked_address(new_address)
    if address == user.email:
        raise ServiceError(_("This is already your address."), code="same-address", field="address")
    user.one_at_a_time()
    requests = user.recipient.notices.filter(kind="address_asked")
    message = _("You've asked for this several times today. Please try again tomorrow.")
    check_rate(requests, most=MOST_ADDRESS_CHANGES_A_DAY, within=timedelta(days=1), now=now, message=message)
    user.address_changes.filter(done_at=None).delete()
    change = AddressChange.objects.create(user=user, new_address=address, created_at=now)
    _ask_address(change, OLD, user.recipient, now)
    if not User.objects.filter(email=address).exists() and not is_suppressed(address):
        _ask_address(change, NEW, _stranger(address, user), now)
    return change


def find_pending_address_change(user: User, now: datetime) -> AddressChange | None:
    """Returns the request that still waits for a confirmation, if there is one."""
    return (
        user.address_changes.filter(done_at=None, created_at__gt=now - ADDRESS_CHANGE_GOOD_FOR).order_by("-pk").first()
    )


def find_address_change(token: str, now: datetime) -> PendingChange:
    """Returns the request a link is about. Raises NotFound for a forged, used or expired link (three days)."""
    gone = NotFound(_("This link is invalid or has expired."))
    try:
        pk, side = signing.loads(token, salt=ADDRESS_CHANGE_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise gone from error
    change = AddressChange.objects.filter(pk=pk).select_related("user__recipient").first()
    if change is None or change.created_at <= now - ADDRESS_CHANGE_GOOD_FOR:
        raise gone
    return PendingChange(change, side)


@transaction.atomic
def confirm_address_change(*, token: str, now: datetime) -> PendingChange:
    """One address says yes; with the second yes the account moves. Saying it twice changes nothing.

    Raises NotFound as `find_by_link` does, Conflict if the new address has got an account in the meantime.
    """
    pending_change = find_address_change(token, now)
    user = User.objects.select_for_update().get(pk=pending_change.change.user.pk)
    change = find_address_change(token, now).change  # once more: it may have been answered while we waited for the lock
    if change.done_at is None:
        field = "old_confirmed_at" if pending_change.side == OLD else "new_confirmed_at"
        if getattr(change, field) is None:
            setattr(change, field, now)
            change.save(update_fields=[field])
        if change.old_confirmed_at and change.new_confirmed_at:
            _move(change, user, now)
    change.user = user
    return PendingChange(change, pending_change.side)


@transaction.atomic
def refuse_address_change(*, token: str, now: datetime) -> None:
    """One address says no: the change is dropped. Changes nothing when the account has moved already.

    Raises NotFound as `find_by_link` does.
    """
    pending_change = find_address_change(token, now)
    AddressChange.objects.filter(pk=pending_change.change.pk, done_at=None).delete()


@transaction.atomic
def restore_address(*, user: User, address: str, now: datetime) -> None:
    """The account returns to an address that it has left, whose owner says that he never agreed; the other one is told.

    Raises Conflict if that address belongs to another account by now.
    """
    change = AddressChange.objects.create(user=user, new_address=address, created_at=now)
    _move(change, user, now)


def address_change_of(subject: str) -> int:
    """The primary key of the change that a notice with this subject key is about; 0 if it is about none."""
    kind, pk, *_side = f"{subject}:".split(":")
    return int(pk) if kind == "address" else 0


def address_change_link(change: AddressChange, side: str) -> str:
    """The absolute link that one of the two addresses confirms with."""
    token = signing.dumps((change.pk, side), salt=ADDRESS_CHANGE_SALT)
    return page_url("confirm_address", token)


def _move(change: AddressChange, user: User, now: datetime) -> None:
    if User.objects.filter(email=change.new_address).exclude(pk=user.pk).exists():
        raise Conflict(_("This address now belongs to another account."))
    old_address = user.email
    user.email = change.new_address
    user.save(update_fields=["email"])
    Recipient.objects.filter(pk=user.recipient.pk).update(address=change.new_address)
    user.recipient.refresh_from_db()
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    change.done_at = now
    change.save(update_fields=["done_at"])
    _tell_old(change, _stranger(old_address, user), now)
    address_changed.send(User, user=user, now=now)


def _ask_address(change: AddressChange, side: str, recipient: Recipient, now: datetime) -> None:
    key = f"address:{change.pk}:{side}"
    notify(Notification(recipient=recipient, kind="address_asked", subject=key, dedupe_key=key), now)


def _tell_old(change: AddressChange, recipient: Recipient, now: datetime) -> None:
    key = f"address:{change.pk}"
    notify(Notification(recipient=recipient, kind="address_changed", subject=key, dedupe_key=f"{key}:changed"), now)


def _stranger(address: str, user: User) -> Recipient:
    recipient = Recipient.objects.filter(address=address, user__isnull=True).first()
    return recipient or Recipient.objects.create(
        address=address, name=user.name, language=user.recipient.language, zone=user.recipient.zone
    )


def _checked_address(address: str) -> str:
    address = normal_address(address)
    try:
        validate_email(address)
    except ValidationError as error:
        raise ServiceError(
            _("%(address)s is not an email address.") % {"address": address[:80]}, code="no-address", field="address"
        ) from error
    return address
