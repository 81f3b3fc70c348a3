"""Former fellow players, and people who may be invited by name without knowing an address."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.clubs.models import Membership
from games.errors import NotFound
from games.people import friends
from games.people.blocks import apart_from
from games.people.models import Friendship, User
from games.tables.models import PRACTICE, Game
from games.tables.seats import Seat

LATELY = 50  # games back


def lately(user: User, most: int) -> list[User]:
    """Returns the fellow players of the last finished games who have a public profile, the latest first."""
    games = Game.objects.exclude(PRACTICE).filter(status=Game.Status.FINISHED, recorded_as="", seats__user=user)
    keys = list(games.order_by("-finished_at").values_list("pk", flat=True)[:LATELY])
    people = User.objects.filter(seats__game__in=keys, is_active=True, has_profile=True, owner=None, is_guest=False)
    people = people.exclude(pk__in=[user.pk, *apart_from(user)])
    by_last_game = people.annotate(last=Max("seats__game__finished_at", filter=Q(seats__game__in=keys)))
    return list(by_last_game.order_by("-last", "pk")[:most])


@dataclass(frozen=True)
class Fellow:
    """Somebody whom a person may invite by name.

    Arguments:
        name: what that person knows them by.
    """

    user: User
    name: str


def of_game(user: User, ref: str) -> Sequence[Fellow]:
    """The other people of a finished game in which somebody has a seat; [] for any other game.

    They are called what they were called there: a later name is for who may know it anyway.
    """
    games = Game.objects.exclude(PRACTICE).filter(
        ref=ref, status=Game.Status.FINISHED, recorded_as="", seats__user=user
    )
    seats = Seat.objects.filter(game__in=games, user__is_active=True, user__owner=None, user__is_guest=False)
    seats = seats.exclude(user__in=[user.pk, *apart_from(user)]).select_related("user__recipient")
    invitable_keys = {person.pk for person in invitable(user, [seat.user.ref for seat in seats if seat.user])}
    fellows = [
        Fellow(seat.user, seat.user.name if seat.user.pk in invitable_keys else seat.name)
        for seat in seats
        if seat.user
    ]
    return sorted(fellows, key=lambda fellow: (fellow.name, fellow.user.pk))


def invitable(user: User, refs: Collection[str]) -> Sequence[User]:
    """Returns those of the people with these references whom somebody may invite by name.

    They are his friends, members of his clubs, or people with a public profile who have played with him.
    """
    if not refs:
        return []
    people = User.objects.filter(ref__in=refs, is_active=True, owner=None, is_guest=False)
    people = people.exclude(pk__in=[user.pk, *apart_from(user)])
    invitables = people.filter(_is_friend(user) | _is_in_a_club(user) | (Q(has_profile=True) & _has_played(user)))
    return list(invitables.select_related("recipient").order_by("name", "pk"))


def _is_friend(user: User) -> Q:
    rows = Friendship.objects.filter(status=Friendship.Status.FRIENDS)
    outgoing, received = rows.filter(asker=user, asked=OuterRef("pk")), rows.filter(asked=user, asker=OuterRef("pk"))
    return Q(Exists(outgoing)) | Q(Exists(received))


def _is_in_a_club(user: User) -> Q:
    own = Membership.objects.filter(user=user, club=OuterRef("club"))
    return Q(Exists(Membership.objects.filter(Exists(own), user=OuterRef("pk"))))


def _has_played(user: User) -> Q:
    over: QuerySet[Seat] = Seat.objects.filter(user=OuterRef("pk"), game__status=Game.Status.FINISHED)
    own = Seat.objects.filter(game=OuterRef("game"), user=user)
    return Q(Exists(over.filter(Exists(own))))


def find_person(user: User, ref: str) -> tuple[User, str]:
    """The account with this reference, and the name that this person knows it by.

    Whoever has a public profile, is a friend or is in a club with them has the name of today; of others with whom they
    share a table, they know the name there. Raises NotFound for everybody else.
    """
    people = User.objects.filter(ref=ref, is_active=True, is_guest=False).select_related("recipient")
    is_shown = Q(has_profile=True) | Q(memberships__club__in=Membership.objects.filter(user=user).values("club"))
    person = people.filter(is_shown | Q(pk__in=[friend.pk for friend in friends.friends_of(user)])).first()
    if person is not None:
        return person, person.name
    shared = Seat.objects.filter(user=user).values("game")
    seats = Seat.objects.filter(user__in=people, game__in=shared, hides_name=False)
    seat = seats.select_related("user__recipient").order_by("-pk").first()
    if seat is None or seat.user is None:
        raise NotFound(_("There's no such person, or you don't know them."))
    return seat.user, seat.name
