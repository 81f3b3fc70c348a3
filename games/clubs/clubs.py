"""Founding, changing and closing a club; its members, and what membership means at its tables."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.clubs.models import LONGEST_ABOUT, LONGEST_NAME, Club, ClubInvitation, Membership
from games.errors import Conflict, Forbidden, Illegal, LimitReached, NotFound
from games.people import blocks, names
from games.people.blocks import has_blocked, not_open
from games.people.models import Friendship, User
from games.people.speech import checked, refuse_muted
from notifications.channels.webhook import webhooks
from notifications.clock import present
from notifications.models import Endpoint

DAY = timedelta(days=1)  # in which a member may send so many invitations
MOST_OWNED = 10
MOST_MEMBERS = 200


def clubs_of(user: User) -> Sequence[Club]:
    """The clubs of a person, by name."""
    return list(Club.objects.filter(memberships__user=user).order_by("name", "pk"))


def memberships_of(club: Club) -> Sequence[Membership]:
    """The members of a club whose accounts are open, by name."""
    rows = club.memberships.filter(user__is_active=True).select_related("user")
    return list(rows.order_by("user__name", "pk"))


def is_member(club: int | None, user: User | None) -> bool:
    """Whether a person is a member of the club with this primary key; False for no club, or no person."""
    return club is not None and user is not None and Membership.objects.filter(club=club, user=user).exists()


def find_club(user: User, ref: str) -> Club:
    """A club as its members find it. Raises NotFound for everybody else, whether or not it exists."""
    club = Club.objects.filter(ref=ref, memberships__user=user).select_related("owner").first()
    if club is None:
        raise NotFound(_("There's no such club, or you're not a member."))
    return club


@transaction.atomic
def found(*, user: User, name: str, about: str = "", now: datetime) -> Club:
    """Founds a club; its founder is its owner and first member.

    Raises Illegal for an empty name and for too long a description, LimitReached for the eleventh club of an owner,
    Forbidden for who is muted by a moderator.
    """
    _refuse_bots_and_guests(user)
    refuse_muted(user, now)
    user.one_at_a_time()
    if user.clubs_owned.count() >= MOST_OWNED:
        raise LimitReached(_("You own many clubs. Close one first, or hand one over."))
    club = Club.objects.create(owner=user, name=checked_name(name), about=checked(about, LONGEST_ABOUT), created_at=now)
    Membership.objects.create(club=club, user=user, joined_at=now)
    return club


@transaction.atomic
def change(*, club: Club, by: User, name: str, about: str, now: datetime) -> None:
    """Stores name and description. Raises Forbidden for others than the owner, for who is muted by a moderator, and
    while a moderator hides them."""
    club = locked(club, by)
    refuse_muted(by, now)
    if club.hidden_at:
        raise Forbidden(_("A moderator has hidden the name and description. They can't be changed meanwhile."))
    club.name, club.about = checked_name(name), checked(about, LONGEST_ABOUT)
    club.save(update_fields=["name", "about"])


def checked_name(name: str) -> str:
    """A club's name on one line. Raises Illegal for one without visible characters, or that deceives."""
    if not names.visible(name):
        raise Illegal(_("A club needs a name."), code="missing", field="name")
    return names.checked(names.visible(name)[:LONGEST_NAME])


@transaction.atomic
def join(*, club: Club, user: User, now: datetime) -> Membership:
    """Makes a person a member, and answers an invitation to the same address. Joining twice changes nothing.

    Raises Conflict for a full club, for one whose owner has blocked him, and for one that is closed meanwhile.
    """
    _refuse_bots_and_guests(user)
    club = locked(club)
    known = club.memberships.filter(user=user).first()
    if known is None and has_blocked(club.owner.recipient_id, user):
        raise not_open()
    if known is None and club.memberships.count() >= MOST_MEMBERS:
        raise Conflict(_("This club is full."))
    if known is None:  # else its sender would learn which member's address it is
        club.invitations.filter(address=user.email).update(status=ClubInvitation.Status.JOINED)
    return known or Membership.objects.create(club=club, user=user, joined_at=now)


@transaction.atomic
def leave(*, club: Club, user: User) -> None:
    """Ends a membership. Raises Conflict for the owner, NotFound for who is no member."""
    club = locked(club)
    if club.owner_id == user.pk:
        raise Conflict(_("You own this club. Hand it over to another member first, or close it."))
    if not club.memberships.filter(user=user).delete()[0]:
        raise NotFound(_("There's no such club, or you're not a member."))


@transaction.atomic
def remove(*, club: Club, by: User, member: str) -> str:
    """The owner ends somebody's membership; returns the name. The former join link and invitation lead nowhere.

    Raises Forbidden for others than the owner, Conflict for himself, NotFound for who is no member.
    """
    club = locked(club, by)
    row = _member(club, member)
    if row.user_id == by.pk:
        raise Conflict(_("You own this club. Hand it over to another member first, or close it."))
    came_by = club.invitations.filter(address=row.user.email, status=ClubInvitation.Status.JOINED)
    came_by.update(status=ClubInvitation.Status.WITHDRAWN)
    row.delete()
    renew_link(club=club, by=by)
    return row.user.name


@transaction.atomic
def hand_over(*, club: Club, by: User, member: str) -> str:
    """Makes another member the owner; returns the name. The webhooks of the former one are removed.

    Raises Forbidden, NotFound, LimitReached as `found`, Conflict for a member whose account is closed.
    """
    club = locked(club, by)
    row = _member(club, member)
    if not row.user.is_active:
        raise Conflict(_("This account is closed. Choose another member."))
    if row.user_id != by.pk and row.user.clubs_owned.count() >= MOST_OWNED:
        raise LimitReached(_("%(name)s owns many clubs already.") % {"name": row.user.name})
    if row.user_id != by.pk:
        _remove_webhooks(club)
    club.owner = row.user
    club.save(update_fields=["owner"])
    return row.user.name


@transaction.atomic
def renew_link(*, club: Club, by: User) -> None:
    """Makes a new join link; the former one leads nowhere. Raises Forbidden for others than the owner."""
    club = locked(club, by)
    club.link_generation += 1
    club.save(update_fields=["link_generation"])


@transaction.atomic
def close(*, club: Club, by: User, now: datetime) -> None:
    """Deletes a club and its webhooks. Its tables and their games stay with those who play there.

    Raises Forbidden for others than the owner, Conflict on the day of an invitation: those of a day are counted by
    their rows, and whoever could delete them would write to strangers without a limit.
    """
    club = locked(club, by)
    if club.invitations.filter(created_at__gt=now - DAY).exists():
        raise Conflict(
            _("People were invited to this club today. You can take the invitations back now, and close it tomorrow.")
        )
    _remove_webhooks(club)
    club.delete()


def pass_on(user: User) -> None:
    """Gives the clubs of somebody who goes to their oldest other members; those of nobody else are closed."""
    for club in Club.objects.select_for_update().filter(owner=user):
        _remove_webhooks(club)
        heir = club.memberships.exclude(user=user).filter(user__is_active=True).order_by("joined_at", "pk").first()
        if heir is None:
            club.delete()
        else:
            club.owner_id = heir.user_id
            club.save(update_fields=["owner"])


def _remove_webhooks(club: Club) -> None:
    """Only who owns a club hears of its tables: an address that the former owner chose is nobody else's."""
    webhooks.remove(Endpoint.objects.filter(thread=club.thread), present.now())


def locked(club: Club, owner: User | None = None) -> Club:
    """The club, locked. Raises Conflict if it is closed, Forbidden if `owner` is given and is not its owner."""
    found = Club.objects.select_for_update().filter(pk=club.pk).first()
    if found is None:
        raise Conflict(_("This club was closed."))
    if owner is not None and found.owner_id != owner.pk:
        raise Forbidden(_("Only the owner of a club can do that."))
    return found


def _member(club: Club, ref: str) -> Membership:
    row = club.memberships.filter(user__ref=ref).select_related("user").first()
    if row is None:
        raise NotFound(_("There's no such member."))
    return row


def _refuse_bots_and_guests(user: User) -> None:
    if user.is_bot or user.is_guest:
        raise Forbidden(_("Clubs are for people with an account."))


def are_acquainted(user: User, other: User) -> bool:
    """True for friends and for members of the same club, unless one of them has blocked the other."""
    pair = Q(asker=user, asked=other) | Q(asker=other, asked=user)
    if Friendship.objects.filter(pair, status=Friendship.Status.FRIENDS).exists():
        return True
    shared = Membership.objects.filter(user=other, club=OuterRef("club"))
    is_shared = Membership.objects.filter(Exists(shared), user=user).exists()
    return is_shared and not blocks.is_between(user, other)


def may_see(viewer: User | None, person: User, audience: str) -> bool:
    """Whether a viewer belongs to those who may see something of a person: a `User.Audience`."""
    if viewer is not None and viewer.pk == person.pk:
        return True
    if audience == User.Audience.FRIENDS:
        return viewer is not None and are_acquainted(viewer, person)
    return audience == User.Audience.ALL
