"""Clubs when people press buttons at the same moment. Real races on PostgreSQL."""

import datetime as dt
from contextlib import suppress

import pytest

from games.clubs import clubs, invitations
from games.errors import Conflict
from games.models import ClubInvitation, User
from tests.games.clubs.founding import found
from tests.games.play.test_concurrency import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TIMES = 4


def test_two_members_who_invite_the_same_address_have_sent_one_invitation(
    anna: User, ben: User, now: dt.datetime
) -> None:
    club, members = found(anna, ben), (anna, ben)
    for number in range(TIMES):
        address = f"eva{number}@example.org"

        def invite(index: int, to: str = address) -> ClubInvitation:
            return invitations.invite(club=club, by=members[index], address=to, now=now)

        first, second = at_once(2, invite)
        assert first == second and ClubInvitation.objects.filter(address=address).count() == 1


def test_who_accepts_two_invitations_at_once_has_one_account(anna: User, ben: User, now: dt.datetime) -> None:
    lamps = [found(owner) for owner in (anna, ben)]
    for number in range(TIMES):
        address = f"eva{number}@example.org"
        rows = [invitations.invite(club=lamp, by=lamp.owner, address=address, now=now) for lamp in lamps]

        def accept(index: int, sent: list[ClubInvitation] = rows) -> str:
            return invitations.accept(invitation=sent[index], name="Eva", now=now).user.name

        assert at_once(2, accept) == ["Eva", "Eva"]
        assert User.objects.get(email=address).memberships.count() == 2


def test_accepting_an_invitation_and_joining_by_the_link_at_once_is_no_deadlock(
    anna: User, ben: User, now: dt.datetime
) -> None:
    for _again in range(TIMES):
        club = found(anna)
        row = invitations.invite(club=club, by=anna, address=ben.email, now=now)

        def come(index: int, made: ClubInvitation = row) -> bool:
            with suppress(Conflict):  # joining has answered the invitation
                if index:
                    clubs.join(club=made.club, user=ben, now=now)
                else:
                    invitations.accept(invitation=made, name="", now=now)
            return True

        assert at_once(2, come) == [True, True]
        assert club.memberships.filter(user=ben).count() == 1
