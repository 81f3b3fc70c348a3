"""Clubs for tests."""

from games.clubs import clubs
from games.models import Club, User
from tests.conftest import NOON


def found(owner: User, *members: User, name: str = "Lamp & Genie", about: str = "We play on Thursdays.") -> Club:
    """A club of these people, founded by the first of them."""
    club = clubs.found(user=owner, name=name, about=about, now=NOON)
    for member in members:
        clubs.join(club=club, user=member, now=NOON)
    return club
