"""Nobody learns by inviting whose address it is: the same steps, tried on a stranger's address and on a player's."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.clubs import clubs
from games.clubs import invitations as club_invitations
from games.errors import ServiceError, TooMany
from games.lobby import invitations, lifecycle
from games.models import Game, Invitation, Membership, User
from games.people import blocks
from notifications.models import Notice
from tests.games.clubs.founding import found
from tests.games.conftest import new_table

HOUR = dt.timedelta(hours=1)
STRANGER = "eva@example.org"
Room = tuple[Callable[[str, dt.datetime], Any], Callable[[str], Any], Callable[[], list[tuple[str, str]]]]


def at_a_table(host: User, guest: User, now: dt.datetime) -> Room:
    """A table that the guest has joined by its link."""
    game = new_table(host, now)
    lifecycle.join(game_id=game.pk, user=guest, now=now)
    return (
        lambda address, at: invitations.invite(game_id=game.pk, host=host, address=address, now=at),
        lambda ref: invitations.withdraw(ref=ref, game_id=game.pk, host=host),
        lambda: list(game.invitations.order_by("pk").values_list("address", "status")),
    )


def in_a_club(host: User, guest: User, now: dt.datetime) -> Room:
    """A club that the guest has joined by its link."""
    club = found(host)
    clubs.join(club=club, user=guest, now=now)
    return (
        lambda address, at: club_invitations.invite(club=club, by=host, address=address, now=at),
        lambda ref: club_invitations.withdraw(club=club, by=host, ref=ref),
        lambda: list(club.invitations.order_by("pk").values_list("address", "status")),
    )


def heard(room: Room, address: str, now: dt.datetime) -> list[object]:
    """All that a host sees who invites, takes back, and invites again, at once and two days later."""
    invite, withdraw, listed = room
    seen: list[object] = []
    for at in (now, now + HOUR, now + 48 * HOUR, now + 49 * HOUR):
        before = Notice.objects.count()
        try:
            row = invite(address, at)
            seen.append((row.status, row.label == address, row.created_at == at))
            withdraw(row.ref)
        except ServiceError as error:
            seen.append((type(error), error.message.replace(address, "X")))
        seen.append([status for one, status in listed() if one == address])
        seen.append(Notice.objects.count() - before)
    return seen


@pytest.mark.parametrize("room", [at_a_table, in_a_club])
def test_a_host_sees_and_sends_the_same_whoever_it_is(
    room: Callable[..., Room], anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    made = room(anna, ben, now)
    there, elsewhere, nobody = (heard(made, address, now) for address in (ben.email, carla.email, STRANGER))
    assert there == elsewhere == nobody


def test_a_table_of_a_club_does_not_tell_whose_address_is_a_members(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = new_table(anna, now, club=found(anna, ben).ref)
    room: Room = (
        lambda address, at: invitations.invite(game_id=game.pk, host=anna, address=address, now=at),
        lambda ref: invitations.withdraw(ref=ref, game_id=game.pk, host=anna),
        lambda: list(game.invitations.order_by("pk").values_list("address", "status")),
    )
    assert heard(room, ben.email, now) == heard(room, carla.email, now) == heard(room, STRANGER, now)


def test_a_block_does_not_tell_whose_address_it_is(
    table: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    blocks.block(by=anna.recipient, other=ben, now=now)
    blocks.block(by=carla.recipient, other=anna, now=now)
    for address in (ben.email, carla.email, STRANGER):
        assert invitations.invite(game_id=table.pk, host=anna, address=address, now=now).status == "sent"


def test_sending_somebody_away_takes_no_other_invitation_with_him(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    """Else one sees whose address it was."""
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    row = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    lifecycle.remove_seat(game_id=table.pk, host=anna, number=1)
    assert Invitation.objects.get(pk=row.pk).status == "sent"
    club = found(anna, ben)
    row = club_invitations.invite(club=club, by=anna, address=ben.email, now=now)
    clubs.remove(club=club, by=anna, member=ben.ref)
    row.refresh_from_db()
    assert row.status == "sent"


def test_who_sits_there_already_says_yes_and_the_host_sees_no_difference(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    row = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    assert invitations.accept(invitation=row, name="", now=now).user == ben
    assert Invitation.objects.get(pk=row.pk).status == "sent"
    club = found(anna, ben)
    row = club_invitations.invite(club=club, by=anna, address=ben.email, now=now)
    club_invitations.accept(invitation=row, name="", now=now)
    row.refresh_from_db()
    assert row.status == "sent" and Membership.objects.filter(user=ben).count() == 1


def test_the_page_of_the_table_says_the_same_of_both(
    client: Client, table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    client.force_login(anna)
    pages = []
    for address in (ben.email, STRANGER):
        page = client.post(f"/table/{table.ref}/invite/", {"addresses": address}, follow=True).content.decode()
        pages.append("is on its way" in page)
    assert pages == [True, True]


def test_one_address_gets_few_invitations_of_one_person_a_day_however_many_tables_he_opens(
    anna: User, now: dt.datetime
) -> None:
    sent = 0
    for number in range(9):
        game = new_table(anna, now)
        try:
            invitations.invite(game_id=game.pk, host=anna, address=STRANGER, now=now + dt.timedelta(minutes=number))
            sent += 1
        except TooMany:
            pass
        lifecycle.close(game_id=game.pk, host=anna, now=now)
    assert sent == Notice.objects.filter(kind="invited").count() == 5
