"""Invitations from the side of those who abuse them, and of those who moved."""

import datetime as dt

import pytest

from games.api.tables import invitations_of
from games.clubs import invitations as club_invitations
from games.errors import Conflict, ServiceError, TooMany
from games.lobby import invitations, lifecycle
from games.models import Game, User
from games.people import accounts
from notifications.channels.mail.suppressions import suppress
from notifications.models import Notice
from tests.games.clubs.founding import found

HOUR = dt.timedelta(hours=1)


@pytest.mark.parametrize("ended_by", ["withdraw", "decline"])
def test_the_limit_of_a_day_counts_mails_and_not_what_is_left_of_them(
    table: Game, anna: User, now: dt.datetime, settings: object, ended_by: str
) -> None:
    settings.INVITATIONS_PER_HOST_AND_DAY = 2  # type: ignore[attr-defined]
    for minute in range(6):
        at = now + dt.timedelta(minutes=minute)
        try:
            row = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=at)
        except ServiceError:
            break
        if ended_by == "withdraw":
            invitations.withdraw(ref=row.ref, game_id=table.pk, host=anna)
        else:
            invitations.decline(invitation=row)
    assert Notice.objects.filter(kind="invited").count() <= 2


def test_the_next_day_somebody_may_be_asked_again(table: Game, anna: User, now: dt.datetime) -> None:
    first = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    invitations.decline(invitation=first)
    invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now + 25 * HOUR)
    assert Notice.objects.filter(kind="invited").count() == 2


def test_an_invitation_sent_to_an_address_that_was_left_seats_nobody(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    change = accounts.request_address_change(user=ben, new_address="ben@elsewhere.example.org", now=now)
    for side in (accounts.OLD, accounts.NEW):
        accounts.confirm_address_change(
            token=accounts.address_change_link(change, side).rstrip("/").rsplit("/", 1)[1], now=now
        )
    row.refresh_from_db()
    with pytest.raises(Conflict):
        invitations.accept(invitation=row, name="Somebody", now=now)
    assert table.seats.count() == 1


def test_who_was_sent_away_by_the_host_is_not_let_in_again_by_the_old_mail(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    seat = invitations.accept(invitation=row, name="", now=now)
    lifecycle.remove_seat(game_id=table.pk, host=anna, number=seat.number)
    row.refresh_from_db()
    with pytest.raises(Conflict):
        invitations.accept(invitation=row, name="", now=now)


def test_an_invitation_taken_back_while_its_page_is_open_seats_nobody(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    invitations.withdraw(ref=row.ref, game_id=table.pk, host=anna)
    assert row.status == "sent"  # as the page that is being answered has read it
    with pytest.raises(Conflict):
        invitations.accept(invitation=row, name="", now=now)


def test_asking_for_another_address_writes_to_nobody_who_said_never(anna: User, now: dt.datetime) -> None:
    suppress("eva@example.org", "asked by link")
    accounts.request_address_change(user=anna, new_address="eva@example.org", now=now)
    assert not Notice.objects.filter(recipient__address="eva@example.org").exists()


def test_an_address_of_somebody_at_the_table_looks_like_any_other_to_who_does_not_know_it(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    stranger = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    seated = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    assert (seated.status, seated.label) == (stranger.status, "ben@example.org")
    written_to = [row.recipient for row in Notice.objects.filter(kind="invited").order_by("pk")]
    assert written_to == [stranger.recipient, seated.recipient], "they are told alike"
    assert not invitations_of(ben).exists()
    lifecycle.leave(game_id=table.pk, user=ben)
    assert list(invitations_of(ben)) == [seated]


def test_a_host_who_knows_the_address_is_told_who_sits_there(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    invitations.accept(invitation=row, name="", now=now)
    for address, name in ((ben.email, ""), (ben.email, "Ben"), (anna.email, "")):
        with pytest.raises(Conflict, match="already at this table"):
            invitations.invite(game_id=table.pk, host=anna, address=address, name=name, now=now)


def test_invitations_to_tables_and_clubs_are_counted_together(
    table: Game, anna: User, now: dt.datetime, settings: object
) -> None:
    settings.INVITATIONS_PER_HOST_AND_DAY = 2  # type: ignore[attr-defined]
    club = found(anna)
    invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    club_invitations.invite(club=club, by=anna, address="eva@example.org", now=now + HOUR)
    for invite in (
        lambda: invitations.invite(game_id=table.pk, host=anna, address="gil@example.org", now=now + 2 * HOUR),
        lambda: club_invitations.invite(club=club, by=anna, address="gil@example.org", now=now + 2 * HOUR),
    ):
        with pytest.raises(TooMany) as refused:
            invite()
        assert refused.value.wait == 22 * 3600
    invitations.invite(game_id=table.pk, host=anna, address="gil@example.org", now=now + 25 * HOUR)
