"""An invitation that is opened by somebody who is signed in as somebody else."""

import datetime as dt

import pytest
from django.test import Client

from games.clubs import invitations as club_invitations
from games.lobby import invitations
from games.models import ClubInvitation, Game, Invitation, User
from games.moderation import tables
from games.play import absences
from games.tables import table_links
from notifications.clock import present
from tests.games.clubs.founding import found
from tests.games.conftest import seat_of
from tests.games.web.filling import pressed

STRANGER = "eva@example.org"


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages ask for the time themselves."""
    monkeypatch.setattr(present, "now", lambda: now)


@pytest.fixture
def david_in(client: Client, david: User) -> Client:
    """The browser in which David is signed in."""
    client.force_login(david)
    return client


def test_the_page_says_whose_it_is_and_asks_as_whom(
    david_in: Client, table: Game, anna: User, david: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=STRANGER, now=now)
    shown = david_in.get(table_links.invitation_url(row)).content.decode()
    assert "This invitation is for eva@example.org" in shown and david.email in shown
    assert "Accept as" in shown and "Or answer as eva@example.org here" in shown
    for client, address in ((Client(), STRANGER), (david_in, david.email)):
        own = invitations.invite(game_id=table.pk, host=anna, address=address, now=now)
        assert "This invitation is for" not in client.get(table_links.invitation_url(own)).content.decode()


def test_he_sits_down_himself_and_the_invitation_is_used_up(
    david_in: Client, table: Game, anna: User, david: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=STRANGER, now=now)
    answer = david_in.post(table_links.invitation_url(row) + "as-me/", {"seen": table.settings_version})
    assert answer.headers["Location"] == f"/table/{table.ref}/"
    assert table.seats.filter(user=david).exists() and not User.objects.filter(email=STRANGER).exists()
    row = Invitation.objects.get()
    assert (row.status, row.address, row.label) == ("joined", david.email, "David")
    assert "You're in" in Client().get(table_links.invitation_url(row)).content.decode().replace("&#x27;", "'")


def test_he_may_still_answer_as_the_one_who_was_invited(
    david_in: Client, table: Game, anna: User, david: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=STRANGER, now=now)
    david_in.post(table_links.invitation_url(row), {"answer": "join", "name": "Eva", "seen": "0", **pressed()})
    assert table.seats.filter(user__email=STRANGER).exists() and not table.seats.filter(user=david).exists()


def test_no_other_site_sits_somebody_down_and_nobody_twice(
    table: Game, anna: User, david: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=STRANGER, now=now)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(david)
    assert strict.post(table_links.invitation_url(row) + "as-me/").status_code == 403
    assert Client().post(table_links.invitation_url(row) + "as-me/").status_code == 302  # to sign in
    host = Client()
    host.force_login(anna)
    assert (
        "already at this table" in host.post(table_links.invitation_url(row) + "as-me/", follow=True).content.decode()
    )
    assert table.seats.count() == 1 and Invitation.objects.get().address == STRANGER


def test_an_invitation_that_was_taken_back_seats_nobody(
    david_in: Client, table: Game, anna: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=STRANGER, now=now)
    invitations.withdraw(ref=row.ref, game_id=table.pk, host=anna)
    david_in.post(table_links.invitation_url(row) + "as-me/")
    assert table.seats.count() == 1


def test_the_seat_of_an_absent_player_is_taken_the_same_way(
    david_in: Client, placing: Game, anna: User, ben: User, david: User, now: dt.datetime
) -> None:
    absences.leave(absences.locked_seat(seat_of(placing, ben).pk), now)
    row = tables.offer_seat(seat=seat_of(placing, ben), address=STRANGER, by=anna, reason="gone", now=now)
    assert "Accept as" in david_in.get(table_links.invitation_url(row)).content.decode()
    david_in.post(table_links.invitation_url(row) + "as-me/")
    assert seat_of(placing, david).status == "active"


def test_in_a_club_it_is_the_same(david_in: Client, anna: User, david: User, now: dt.datetime) -> None:
    club = found(anna)
    row = club_invitations.invite(club=club, by=anna, address=STRANGER, now=now)
    url = club_invitations.invitation_url(row)
    assert "This invitation is for eva@example.org" in david_in.get(url).content.decode()
    assert david_in.post(url + "as-me/").headers["Location"] == f"/club/{club.ref}/"
    assert club.memberships.filter(user=david).exists() and ClubInvitation.objects.get().status == "joined"
