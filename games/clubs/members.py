"""Who is a member of a club, and what that means at its tables."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.clubs.models import Club, Membership
from games.errors import Conflict, NotFound
from games.people.models import User
from games.tables.models import Game


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


def check_seat(game: Game, user: User) -> None:
    """Raises Conflict for a person who is not a member, at a table of a club. Bots may be seated there."""
    if game.club_id is not None and not user.is_bot and not is_member(game.club_id, user):
        club = Club.objects.get(pk=game.club_id)
        raise Conflict(_("Only members of %(club)s can take a seat at this table.") % {"club": club.display_name})


def check_invitation(game: Game, address: str, label: str) -> None:
    """Raises Conflict for an address that is no member's, at a table of a club.

    Arguments:
        label: what the host calls the person.
    """
    if game.club_id is None or Membership.objects.filter(club=game.club_id, user__email=address).exists():
        return
    club = Club.objects.get(pk=game.club_id)
    raise Conflict(
        _("%(name)s is not a member of %(club)s. Invite them to the club first.")
        % {"name": label, "club": club.display_name}
    )
