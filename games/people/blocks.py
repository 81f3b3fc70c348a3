"""Between whom there is a block, and the refusals that follow from one.

Who is blocked reads the same sentences as anybody who cannot be invited or seated for another reason.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict, Forbidden, LimitReached, NotFound, ServiceError
from games.people import friends
from games.people.models import AddressInvitation, Block, User
from notifications.database.compiled_query import compiled_rows
from notifications.models import Recipient

Row = TypeVar("Row", bound=Model)


def has_blocked(recipient: Recipient | int, user: User) -> bool:
    """Whether a recipient (object or primary key) has blocked an account, or the owner of a bot account."""
    return Block.objects.filter(recipient=recipient, blocked__in=_with_owner(user)).exists()


def is_between(user: User, other: User) -> bool:
    """Whether one of two people has blocked the other."""
    return has_blocked(user.recipient_id, other) or has_blocked(other.recipient_id, user)


def apart_from(user: User) -> set[int]:
    """Primary keys of the accounts that this person has blocked, or that have blocked him: what they open is not
    shown to each other."""
    keys = set()
    for blocked, blocker in _of_either(user.recipient_id, user.pk):
        keys |= {blocked, blocker} - {None, user.pk}
    return keys


@compiled_rows("blocked_id", "recipient__user")
def _of_either(recipient: int, user: int) -> "QuerySet[Block, object]":
    return Block.objects.filter(Q(recipient_id=recipient) | Q(blocked_id=user))


def blocked_by(user: User | None) -> set[int]:
    """Primary keys of the accounts that a person has blocked; {} for nobody."""
    return {key for (key,) in _blocked_by(user.recipient_id)} if user is not None else set()


@compiled_rows("blocked_id")
def _blocked_by(recipient: int) -> "QuerySet[Block, object]":
    return Block.objects.filter(recipient_id=recipient)


def blocks_of(recipient: Recipient) -> list[Block]:
    """Returns a person's blocks, by name."""
    return list(recipient.blocks.select_related("blocked").order_by("name", "pk"))


def check_invitation(host: User, recipient: Recipient) -> None:
    """Raises ServiceError if an invitation must not be sent: one of the two has blocked the other."""
    blocker = User.objects.filter(recipient=recipient).first()
    if has_blocked(recipient, host) or (blocker is not None and has_blocked(host.recipient_id, blocker)):
        raise cannot_be_invited()


def unblocked(rows: "QuerySet[Row]") -> "QuerySet[Row]":
    """Invitations without those whose recipient has blocked the inviter: he is told nothing of them."""
    return rows.exclude(Exists(Block.objects.filter(recipient=OuterRef("recipient"), blocked=OuterRef("inviter"))))


def cannot_be_invited() -> ServiceError:
    """The refusal to write to an address, which does not say why."""
    return ServiceError(
        _("We can't send an invitation to this address. Send them the link yourself instead."),
        code="not-invitable",
        field="address",
    )


def not_open() -> Conflict:
    """The refusal to take part, which does not say why."""
    return Conflict(_("This isn't open to you. Choose another one, or open one of your own."))


def check_host(host: User, user: User) -> None:
    """Raises Conflict for a person who would play at a table, or in a tournament, of somebody from whom a block keeps
    him apart."""
    if has_blocked(host.recipient_id, user):
        raise not_open()
    if has_blocked(user.recipient_id, host):
        raise Conflict(
            _("You've blocked %(name)s, who is the host. Unblock them in your settings first.") % {"name": host.name}
        )


def _with_owner(user: User) -> Iterable[int]:
    return [user.pk] if user.owner_id is None else [user.pk, user.owner_id]


# Blocking somebody, and taking it back. Whom it is about is told nothing.

MOST = 1000  # people that one person may have blocked


@transaction.atomic
def block(*, by: Recipient, other: User, name: str = "", now: datetime) -> Block:
    """Blocks an account. Blocking it again changes nothing.

    It ends what is between the two: they are no friends, requests and invitations of either to the other are
    answered with no or taken back. Where both sit at a table already, both stay there.

    Arguments:
        by: who blocks, with or without an account.
        name: what they know the other by; "" for the account's name.
    Raises Conflict for oneself, Forbidden for bots and guests, LimitReached for too many.
    """
    user = User.objects.filter(recipient=by).first()
    if user is not None and (user.is_bot or user.is_guest):
        raise Forbidden(_("Only people can block somebody."))
    if user is not None and user.pk in (other.pk, other.owner_id):
        raise Conflict(_("You can't block yourself."))
    if user is not None:
        friends.lock(user, other)
    Recipient.objects.select_for_update(no_key=True).get(pk=by.pk)
    existing = by.blocks.filter(blocked=other).first()
    if existing is not None:
        return existing
    if by.blocks.count() >= MOST:
        raise LimitReached(_("You've blocked very many people. Unblock someone first."))
    row = Block.objects.create(recipient=by, blocked=other, name=name or other.name, created_at=now)
    _part(by, user, other)
    return row


def _part(by: Recipient, user: User | None, other: User) -> None:
    """Ends what is open between who blocks and who is blocked."""
    for model in AddressInvitation.__subclasses__():
        rows: QuerySet[Any] = model._default_manager.filter(status=model.Status.SENT)
        rows.filter(inviter=other, recipient=by).update(status=model.Status.DECLINED)
        if user is not None:
            rows.filter(inviter=user, recipient=other.recipient).update(status=model.Status.WITHDRAWN)
    if user is not None:
        friends.part(user, other)


@transaction.atomic
def unblock(*, by: Recipient, ref: str) -> Block:
    """Takes a block back; returns what it was. Raises NotFound if there is none."""
    row = by.blocks.select_for_update(of=("self",)).select_related("blocked").filter(ref=ref).first()
    if row is None:
        raise NotFound(_("You haven't blocked this person, or you've unblocked them already."))
    Block.objects.filter(pk=row.pk).delete()
    return row
