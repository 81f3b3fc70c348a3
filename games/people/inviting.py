"""Inviting an address to a table or a club: limited for each sender and day, and never who said never again."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict, Forbidden, ServiceError, TooMany
from games.people import blocks, names
from games.people.models import AddressInvitation, User, normal_address
from notifications.channels.mail.suppressions import is_suppressed
from notifications.models import Recipient

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


DAY = timedelta(days=1)
TO_ONE_A_DAY = 5  # invitations of one sender to one address


def record_invitation(
    rows: Any,
    *,
    by: User,
    address: str,
    name: str,
    is_there: Callable[[], bool],
    already: "StrPromise | str",
    now: datetime,
    **facts: object,
) -> tuple[Any, bool]:
    """Stores an invitation of an address to a table or a club, or finds the open one; returns whether to write it, too.

    It decides by what its sender has typed and by earlier invitations of that address, and looks for the person only
    where the sender knows already who it is: by name, or since he has come by an invitation of that sender. So what a
    sender sees, and what is sent, is the same for every other address, whether or not it belongs to an account, to
    somebody at the table or to a member. Who has blocked the sender is not written to, which the sender cannot tell.

    Arguments:
        rows: the invitations of the table or club, which is locked.
        is_there: whether the person has a seat, or is a member.
        already: the refusal then.
        facts: further columns of the row.
    Raises ServiceError for something that is no address or must not be written to, Conflict for who is known to be
    there, or was invited today, TooMany past the day's limit.
    """
    address = checked_address(address)
    by.one_at_a_time()
    existing = rows.filter(address=address).first()
    if (
        existing is not None
        and existing.status == AddressInvitation.Status.SENT
        and facts.get("seat") == getattr(existing, "seat", None)
    ):
        return existing, False
    has_come_by = (
        existing is not None and existing.status == AddressInvitation.Status.JOINED and existing.inviter_id == by.pk
    )
    if (name or has_come_by or address == by.email) and is_there():
        raise Conflict(already % {"name": name or address})
    if existing is not None and existing.created_at > now - DAY:
        raise Conflict(_("already invited"))  # else taking it back would let a host write as often as he likes
    check_limit(by, now, address)
    recipient = recipient_of(address, by)
    if name:
        blocks.check_invitation(by, recipient)
    if existing is not None:
        existing.delete()
    row = rows.create(inviter=by, recipient=recipient, address=address, name=name, created_at=now, **facts)
    return row, not blocks.has_blocked(recipient, by)


def claim(invitation: Any, siblings: Any, user: User) -> None:
    """Makes an invitation to a table or a club one of somebody who is signed in, whatever address it went to.

    Called with it locked, before he accepts it: the address that it went to can't use it any more.

    Arguments:
        siblings: all invitations to the same table or club.
    Raises Forbidden for bots and guests.
    """
    if user.is_bot or user.is_guest:
        raise Forbidden(_("Sign in with an account first."))
    siblings.filter(address=user.email).exclude(pk=invitation.pk).delete()
    invitation.address, invitation.recipient, invitation.name = user.email, user.recipient, user.name
    invitation.save(update_fields=["address", "recipient", "name"])


def person_at(address: str, recipient: Recipient, name: str, zone: str) -> User:
    """The account of an address to which a recipient was written; a new one where there is none. Raises Conflict."""
    user = User.objects.filter(email=address).first()
    if user is not None and not user.is_active:
        raise Conflict(_("This invitation is no longer open."))
    if user is None:
        user = User(email=address, name=names.checked(name) if name else "", recipient=recipient)
        user.set_unusable_password()
        user.save()
        recipient.name, recipient.zone = user.name, zone or recipient.zone
        recipient.save(update_fields=["name", "zone"])
    return user


def checked_address(address: str) -> str:
    """An address in its one spelling. Raises ServiceError for what is none, and for who wants no email from us."""
    address = normal_address(address)
    try:
        validate_email(address)
    except ValidationError as error:
        raise ServiceError(
            _("%(address)s is not an email address.") % {"address": address[:80]}, code="no-address", field="address"
        ) from error
    if is_suppressed(address):
        raise blocks.cannot_be_invited()
    return address


def check_limit(sender: User, now: datetime, address: str) -> None:
    """Raises TooMany past the invitations, to tables and clubs together, that one person may send in a day: to all
    addresses, and to this one."""
    sender.one_at_a_time()  # at two tables at once it is one limit
    message = _("You've reached today's limit of invitations. Send the link yourself instead.")
    invitations: list[tuple[datetime, str]] = []
    for model in AddressInvitation.__subclasses__():
        rows: QuerySet[Any] = model._default_manager.filter(created_at__gt=now - DAY)
        invitations += rows.filter(inviter=sender).order_by("-created_at").values_list("created_at", "address")
    to_one = [at for at, to in invitations if to == address]
    for times, most in (
        ([at for at, _to in invitations], settings.INVITATIONS_PER_HOST_AND_DAY),
        (to_one, TO_ONE_A_DAY),
    ):
        if len(times) >= most:
            oldest = sorted(times, reverse=True)[most - 1] if most else now
            raise TooMany(message, oldest + DAY - now)


def recipient_of(address: str, host: User) -> Recipient:
    """The recipient at an address; a stranger is written to in the language of whoever invites."""
    user = User.objects.filter(email=address).select_related("recipient").first()
    if user is not None:
        return user.recipient
    stranger = Recipient.objects.filter(address=address, user__isnull=True).first()
    return stranger or Recipient.objects.create(address=address, language=host.recipient.language)
