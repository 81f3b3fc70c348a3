"""Inviting an email address, or a friend, to a club; and the answers."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games.blocking import queries as blocks
from games.clubs import clubs
from games.errors import Conflict, NotFound
from games.models import Club, ClubInvitation, Membership, User
from games.tables.invitations import check_limit, checked_address, person_at, recipient_of
from notifications.models import Recipient
from notifications.outbox import Notification, notify

DAY = timedelta(days=1)
Status = ClubInvitation.Status


@transaction.atomic
def invite(*, club: Club, by: User, address: str, now: datetime, name: str = "") -> ClubInvitation:
    """Invites an address to a club; any member may. Inviting it again changes nothing and sends nothing.

    Arguments:
        name: what members are shown instead of an address that is not theirs to see.
    A member's address looks as if it were invited, to a sender who does not know whose it is: no email goes to it.
    Raises NotFound for who is no member, Conflict for a member whom the sender knows by the address, or for who was
    invited today and has declined, ServiceError for an address that is none or must not be written to, TooMany past
    the day's limit.
    """
    _lock_club(club.pk)  # two members may invite the same address at once
    if not club.memberships.filter(user=by).exists():
        raise NotFound(_("There's no such club, or you're not a member."))
    address = checked_address(address)
    by.one_at_a_time()
    known = club.invitations.filter(address=address).first()
    if known is not None and known.status == Status.SENT:
        return known
    is_member = club.memberships.filter(user__email=address).exists()
    if is_member and (name or address == by.email or _has_come_by(known, by)):
        raise Conflict(_("%(name)s is already a member.") % {"name": name or address})
    recipient = recipient_of(address, by)
    blocks.check_invitation(by, recipient)
    if known is not None and known.created_at > now - DAY and not is_member:
        raise Conflict(_("already invited"))
    check_limit(by, now)
    if known is not None:
        known.delete()
    row = ClubInvitation.objects.create(
        club=club, inviter=by, recipient=recipient, address=address, name=name, created_at=now
    )
    if not is_member:
        _notify_invited(row, now)
    return row


def _has_come_by(known: ClubInvitation | None, by: User) -> bool:
    """Whether the person has come by this member's own invitation, who therefore knows the address."""
    return known is not None and known.status == Status.JOINED and known.inviter_id == by.pk


def _notify_invited(row: ClubInvitation, now: datetime) -> None:
    notify(
        Notification(
            recipient=row.recipient,
            kind="club_invited",
            subject=f"club_invitation:{row.ref}",
            dedupe_key=f"club_invited:{row.ref}",
        ),
        now,
    )


@transaction.atomic
def accept(*, invitation: ClubInvitation, name: str, now: datetime, zone: str = "") -> Membership:
    """The person behind an invitation joins. Whoever holds the link owns the address: no account is needed before.

    A new account gets `name`, and `zone` unless that is "". Raises Conflict if the invitation is no longer open.
    """
    row = _locked(invitation)
    if not is_open(row):
        raise Conflict(_("This invitation is no longer open."))
    user = person_at(row.address, row.recipient, name, zone)
    member = clubs.join(club=row.club, user=user, now=now)
    ClubInvitation.objects.filter(pk=row.pk).update(status=Status.JOINED)
    return member


@transaction.atomic
def decline(*, invitation: ClubInvitation) -> None:
    """Says no. Harmless when said twice; raises Conflict once the person has joined."""
    row = _locked(invitation)
    if row.status not in (Status.SENT, Status.DECLINED):
        raise Conflict(_("This invitation is no longer open."))
    row.status = Status.DECLINED
    row.save(update_fields=["status"])


@transaction.atomic
def withdraw(*, club: Club, by: User, ref: str) -> str:
    """Takes an invitation back. Its sender and the owner may. Raises NotFound for everybody else.

    Returns whose it was, "" for an owner who does not know: an address is its sender's to see.
    """
    rows = club.invitations.select_for_update().filter(ref=ref, status=Status.SENT)
    row = (rows if club.owner_id == by.pk else rows.filter(inviter=by)).first()
    if row is None:
        raise NotFound(_("There's no such invitation."))
    row.status = Status.WITHDRAWN
    row.save(update_fields=["status"])
    return row.label if row.inviter_id == by.pk else row.name


def received(user: User) -> list[ClubInvitation]:
    """The open invitations of a person, the newest first."""
    own = Membership.objects.filter(user=user).values("club")
    rows = ClubInvitation.objects.filter(address=user.email, status=Status.SENT).exclude(club__in=own)
    rows = rows.select_related("club", "inviter")
    return list(rows.order_by("-created_at", "-pk"))


def open_in(club: Club) -> list[ClubInvitation]:
    """The invitations to a club that are not answered."""
    return list(club.invitations.filter(status=Status.SENT).select_related("inviter").order_by("created_at"))


def is_open(invitation: ClubInvitation) -> bool:
    """False for one that is answered or taken back, and for one in the mailbox of an address its account has left."""
    moved = User.objects.filter(recipient=invitation.recipient).exclude(email=invitation.address)
    return invitation.status == Status.SENT and not moved.exists()


def _lock_club(key: int) -> None:
    """Locks a club, always before its invitations. Raises Conflict if it is closed."""
    if not Club.objects.select_for_update().filter(pk=key):
        raise Conflict(_("This club was closed."))


def _locked(invitation: ClubInvitation) -> ClubInvitation:
    """The invitation as it is now. Its club and its recipient are locked: two clicks at once make one account."""
    _lock_club(invitation.club_id)
    Recipient.objects.select_for_update(no_key=True).get(pk=invitation.recipient_id)
    rows = ClubInvitation.objects.select_for_update(of=("self",)).select_related("club", "recipient")
    row = rows.filter(pk=invitation.pk).first()
    if row is None:
        raise Conflict(_("This club was closed."))
    return row
