"""Inviting an email address, or a friend, to a club; and the answers."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.clubs import clubs
from games.clubs.models import Club, ClubInvitation, Membership
from games.errors import Conflict, NotFound
from games.links import is_signed, page_url, sign
from games.people import blocks
from games.people.inviting import claim, person_at, record_invitation
from games.people.models import User, normal_address
from notifications.models import Recipient
from notifications.outbox import Notification, notify

Status = ClubInvitation.Status


@transaction.atomic
def invite(*, club: Club, by: User, address: str, now: datetime, name: str = "") -> ClubInvitation:
    """Invites an address to a club; any member may. Inviting it again changes nothing and sends nothing.

    Arguments:
        name: what members are shown instead of an address that is not theirs to see.
    Raises NotFound for who is no member, and what `record_invitation` raises, which says what a member learns by it.
    """
    _lock_club(club.pk)  # two members may invite the same address at once
    if not club.memberships.filter(user=by).exists():
        raise NotFound(_("There's no such club, or you're not a member."))
    row: ClubInvitation
    row, is_written = record_invitation(
        club.invitations,
        by=by,
        address=address,
        name=name,
        is_there=lambda: club.memberships.filter(user__email=normal_address(address)).exists(),
        already=_("%(name)s is already a member."),
        now=now,
    )
    if is_written:
        _notify_invited(row, now)
    return row


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
    return clubs.join(club=row.club, user=user, now=now)


@transaction.atomic
def accept_as(*, invitation: ClubInvitation, user: User, now: datetime) -> Membership:
    """Somebody who is signed in joins by an invitation that went to another address; see `claim`.

    Raises Conflict if the invitation is no longer open, or he is a member already.
    """
    row = _locked(invitation)
    if not is_open(row):
        raise Conflict(_("This invitation is no longer open."))
    if row.club.memberships.filter(user=user).exists():
        raise Conflict(_("%(name)s is already a member.") % {"name": user.name})
    claim(row, row.club.invitations, user)
    return clubs.join(club=row.club, user=user, now=now)


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
    rows = blocks.unblocked(ClubInvitation.objects.filter(address=user.email, status=Status.SENT)).exclude(club__in=own)
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


def join_url(club: Club) -> str:
    """The link that members may send to anybody: whoever opens it and signs in may join the club."""
    return page_url("join_club", club.ref, sign("club", club.ref, club.link_generation))


def find_club(ref: str, token: str) -> Club | None:
    """Returns the club of such a link, or None."""
    club = Club.objects.filter(ref=ref).select_related("owner").first()
    return club if is_signed(token, "club", ref, club.link_generation if club else 0) and club else None


def invitation_url(invitation: ClubInvitation) -> str:
    """The page where an invited person joins a club, declines or unsubscribes."""
    token = sign("club_invitation", invitation.ref, invitation.address)
    return page_url("club_invitation", invitation.ref, token)


def find_invitation(ref: str, token: str) -> ClubInvitation | None:
    """Returns the invitation of such a link, or None."""
    row = ClubInvitation.objects.filter(ref=ref).select_related("club", "inviter", "recipient").first()
    return row if is_signed(token, "club_invitation", ref, row.address if row else "") and row else None
