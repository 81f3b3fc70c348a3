"""Founding a club, joining, leaving, handing over, removing somebody, closing; and its tables."""

import datetime as dt

import pytest

from games.archive import ratings
from games.clubs import clubs, invitations
from games.errors import Conflict, Forbidden, Illegal, LimitReached, NotFound, ServiceError
from games.lobby import bot_accounts, lifecycle, rematch
from games.lobby import invitations as table_invitations
from games.models import Club, ClubInvitation, Game, Invitation, Membership, User
from games.play import absences, lists, queries
from games.privacy import erasure
from notifications.channels.mail import suppressions
from notifications.models import Notice
from tests.conftest import NOON
from tests.games.clubs.founding import found
from tests.games.conftest import fresh, new_table, seat_of
from tests.games.letters.conftest import end_soon


def of_club(host: User, club: Club, now: dt.datetime, **changes: object) -> Game:
    return new_table(host, now, club=club.ref, **changes)


def names(club: Club) -> list[str]:
    return [row.user.name for row in clubs.memberships_of(club)]


def test_a_founder_is_owner_and_first_member(anna: User) -> None:
    club = found(anna, name="  The\n Lamp\u202e ")
    assert (club.name, club.owner, names(club)) == ("The Lamp", anna, ["Anna"])


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e"])
def test_a_club_needs_a_name_that_can_be_read(anna: User, name: str) -> None:
    with pytest.raises(Illegal):
        found(anna, name=name)
    with pytest.raises(Illegal):
        found(anna, about="x" * 601)
    assert not Club.objects.exists()


def test_nobody_owns_more_than_ten_clubs(anna: User, ben: User) -> None:
    for _number in range(clubs.MOST_OWNED):
        club = found(anna, ben)
    with pytest.raises(LimitReached):
        found(anna)
    other = found(ben, anna)
    with pytest.raises(LimitReached):
        clubs.hand_over(club=other, by=ben, member=anna.ref)
    clubs.close(club=club, by=anna, now=NOON)
    clubs.hand_over(club=other, by=ben, member=anna.ref)


def test_bots_and_guests_are_no_members(anna: User, ben: User, now: dt.datetime) -> None:
    club, bot = found(anna), bot_accounts.create(owner=ben, name="Robo", is_for_all=True, now=now)
    guest = User.objects.create_user("guest@example.org", name="Guest", is_guest=True)
    for one in (bot, guest):
        with pytest.raises(Forbidden):
            clubs.join(club=club, user=one, now=now)
        with pytest.raises(Forbidden):
            found(one)


def test_who_is_muted_names_no_club(anna: User, now: dt.datetime) -> None:
    club = found(anna)
    User.objects.filter(pk=anna.pk).update(silent_until=now + dt.timedelta(days=1))
    with pytest.raises(Forbidden):
        found(anna)
    with pytest.raises(Forbidden):
        clubs.change(club=club, by=anna, name="Rude", about="", now=now)
    clubs.change(club=club, by=anna, name="Kind", about="", now=now + dt.timedelta(days=2))


def test_a_full_club_takes_nobody(anna: User, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 1)
    club = found(anna)
    with pytest.raises(Conflict):
        clubs.join(club=club, user=ben, now=now)
    assert clubs.join(club=club, user=anna, now=now).user == anna


def test_the_owner_hands_over_before_leaving(anna: User, ben: User) -> None:
    club = found(anna, ben)
    with pytest.raises(Conflict):
        clubs.leave(club=club, user=anna)
    with pytest.raises(Forbidden):
        clubs.hand_over(club=club, by=ben, member=ben.ref)
    clubs.hand_over(club=club, by=anna, member=ben.ref)
    clubs.leave(club=club, user=anna)
    with pytest.raises(NotFound):
        clubs.leave(club=club, user=anna)
    assert names(club) == ["Ben"] and Club.objects.get().owner == ben


def test_only_the_owner_removes_members_and_not_himself(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    club = found(anna, ben, carla)
    with pytest.raises(Forbidden):
        clubs.remove(club=club, by=ben, member=carla.ref)
    with pytest.raises(Conflict):
        clubs.remove(club=club, by=anna, member=anna.ref)
    clubs.remove(club=club, by=anna, member=carla.ref)
    assert names(club) == ["Anna", "Ben"] and Club.objects.get().link_generation == 1
    with pytest.raises(NotFound):
        clubs.remove(club=club, by=anna, member=carla.ref)


def test_a_closed_club_leaves_its_games_to_their_players(anna: User, ben: User, now: dt.datetime) -> None:
    club = found(anna, ben)
    game = of_club(anna, club, now)
    with pytest.raises(Forbidden):
        clubs.close(club=club, by=ben, now=NOON)
    clubs.close(club=club, by=anna, now=NOON)
    assert fresh(game).club is None and queries.access_game(anna, game.ref).seat
    with pytest.raises(NotFound):
        queries.access_game(ben, game.ref)
    with pytest.raises(Conflict):
        clubs.join(club=club, user=ben, now=now)


def test_the_club_of_somebody_who_deletes_his_account_goes_to_its_oldest_member(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    alone, shared = found(anna, name="Alone"), found(anna, name="Shared")
    clubs.join(club=shared, user=carla, now=now + dt.timedelta(days=1))
    clubs.join(club=shared, user=ben, now=now)
    invitations.invite(club=shared, by=anna, address="eva@example.org", now=now)
    assert erasure.erase(anna, takes_words=False, now=now)
    assert not Club.objects.filter(pk=alone.pk).exists()
    assert Club.objects.get().owner == ben and names(shared) == ["Ben", "Carla"]
    assert not ClubInvitation.objects.exists()


# Inviting


def test_an_invited_stranger_joins_by_the_link_in_the_mail(anna: User, now: dt.datetime) -> None:
    club = found(anna)
    row = invitations.invite(club=club, by=anna, address=" Eva@example.org ", now=now)
    assert Notice.objects.get(kind="club_invited").recipient == row.recipient
    assert invitations.invite(club=club, by=anna, address="eva@example.org", now=now) == row
    invitations.accept(invitation=row, name="Eva", now=now)
    assert names(club) == ["Anna", "Eva"] and User.objects.get(name="Eva").email == "eva@example.org"
    with pytest.raises(Conflict):
        invitations.accept(invitation=row, name="Eva", now=now)


def test_who_declined_is_not_asked_again_that_day(anna: User, ben: User, now: dt.datetime) -> None:
    club = found(anna)
    row = invitations.invite(club=club, by=anna, address=ben.email, now=now)
    assert invitations.received(ben) == [row]
    invitations.decline(invitation=row)
    assert invitations.received(ben) == []
    with pytest.raises(Conflict):
        invitations.invite(club=club, by=anna, address=ben.email, now=now)
    again = invitations.invite(club=club, by=anna, address=ben.email, now=now + dt.timedelta(days=2))
    with pytest.raises(Conflict):
        invitations.decline(invitation=row)  # the former one is gone
    invitations.accept(invitation=again, name="", now=now)
    assert names(club) == ["Anna", "Ben"]
    with pytest.raises(Conflict):
        invitations.invite(club=club, by=anna, address=ben.email, now=now)


def test_an_invitation_is_taken_back_by_its_sender_or_the_owner(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    club = found(anna, ben, carla)
    row = invitations.invite(club=club, by=ben, address="eva@example.org", now=now)
    with pytest.raises(NotFound):
        invitations.withdraw(club=club, by=carla, ref=row.ref)
    invitations.withdraw(club=club, by=anna, ref=row.ref)
    with pytest.raises(Conflict):
        invitations.accept(invitation=row, name="Eva", now=now)


def test_closing_a_club_does_not_give_back_the_invitations_of_the_day(anna: User, now: dt.datetime) -> None:
    club = found(anna)
    row = invitations.invite(club=club, by=anna, address="eva@example.org", now=now)
    invitations.withdraw(club=club, by=anna, ref=row.ref)
    with pytest.raises(Conflict, match="close it tomorrow"):
        clubs.close(club=club, by=anna, now=now)
    assert anna.club_invitations_sent.count() == 1
    clubs.close(club=club, by=anna, now=now + dt.timedelta(days=1, seconds=1))


def test_an_owner_who_takes_back_an_invitation_of_another_learns_no_address(
    anna: User, ben: User, now: dt.datetime
) -> None:
    club = found(anna, ben)
    first = invitations.invite(club=club, by=ben, address="eva@example.org", now=now)
    assert invitations.withdraw(club=club, by=anna, ref=first.ref) == ""
    second = invitations.invite(club=club, by=ben, address="fay@example.org", now=now)
    assert invitations.withdraw(club=club, by=ben, ref=second.ref) == "fay@example.org"


def test_a_club_is_not_handed_to_a_closed_account(anna: User, ben: User) -> None:
    club = found(anna, ben)
    User.objects.filter(pk=ben.pk).update(is_active=False)
    with pytest.raises(Conflict, match="This account is closed"):
        clubs.hand_over(club=club, by=anna, member=ben.ref)
    assert Club.objects.get().owner == anna


def test_nobody_else_invites_and_nobody_is_written_to_who_wants_no_mail(
    anna: User, ben: User, now: dt.datetime
) -> None:
    club = found(anna)
    with pytest.raises(NotFound):
        invitations.invite(club=club, by=ben, address="eva@example.org", now=now)
    suppressions.suppress("eva@example.org", suppressions.ASKED)
    for address in ("eva@example.org", "no address"):
        with pytest.raises(ServiceError):
            invitations.invite(club=club, by=anna, address=address, now=now)


# Tables


def test_only_members_see_a_table_of_the_club_and_take_its_seats(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    club = found(anna, ben)
    game = of_club(anna, club, now)
    assert queries.access_to_sit(ben, game.ref).game == game and lists.tables_of_clubs(ben) == [game]
    assert lists.tables_of_clubs(carla) == lists.tables_of_clubs(anna) == []
    for outsider in (carla, None):
        with pytest.raises(NotFound):
            queries.access_game(outsider, game.ref)
    with pytest.raises(Conflict, match="Only members of Lamp & Genie"):
        lifecycle.join(game_id=game.pk, user=carla, now=now)
    lifecycle.join(game_id=game.pk, user=ben, now=now)
    lifecycle.add_bot(game_id=game.pk, host=anna, bot="greedy", now=now)
    assert Game.objects.filter(queries.visible_to(ben)).exists()
    assert not Game.objects.filter(queries.visible_to(carla)).exists()


def test_at_a_table_of_the_club_only_members_sit_down_and_by_name_only_they_are_invited(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = of_club(anna, found(anna, ben), now)
    row = table_invitations.invite(game_id=game.pk, host=anna, address="eva@example.org", now=now)
    with pytest.raises(Conflict, match="Only members of"):
        table_invitations.accept(invitation=row, name="Eva", now=now)
    with pytest.raises(Conflict, match="Carla is not a member") as refused:
        table_invitations.invite(game_id=game.pk, host=anna, address=carla.email, name="Carla", now=now)
    assert carla.email not in str(refused.value)
    row = table_invitations.invite(game_id=game.pk, host=anna, address=ben.email, now=now)
    Membership.objects.filter(user=ben).delete()
    with pytest.raises(Conflict):
        table_invitations.accept(invitation=Invitation.objects.get(pk=row.pk), name="", now=now)


def test_a_table_is_for_a_club_of_its_host_and_not_public(anna: User, ben: User, now: dt.datetime) -> None:
    club = found(ben)
    with pytest.raises(NotFound):
        of_club(anna, club, now)
    with pytest.raises(ServiceError):
        of_club(ben, club, now, is_listed=True)


def test_an_offered_seat_goes_to_members_alone(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    club = found(anna, ben, carla)
    game = of_club(anna, club, now, absent_seats="takeover")
    for one in (ben, carla):
        lifecycle.join(game_id=game.pk, user=one, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    seat = seat_of(fresh(game), carla)
    absences.leave(absences.locked_seat(seat.pk), now)
    with pytest.raises(Conflict):
        absences.take_over(seat_id=seat.pk, user=david, now=now)
    clubs.join(club=club, user=david, now=now)
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    assert seat_of(fresh(game), david).number == seat.number


@pytest.mark.slow
def test_standings_count_people_who_were_beaten_and_a_rematch_is_for_the_club(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    club = found(anna, ben, carla, david)
    assert ratings.club_standings(club) == []
    game = of_club(anna, club, now)
    for one in (ben, carla):
        lifecycle.join(game_id=game.pk, user=one, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    game = end_soon(fresh(game), anna, now)  # the others resign
    rows = ratings.club_standings(club)
    assert [(one.user.name, one.games, one.wins, one.beaten, one.percent) for one in rows] == [
        ("Anna", 1, 1, 2, 100),
        ("Ben", 1, 0, 0, 0),
        ("Carla", 1, 0, 0, 0),
    ]
    assert rematch.open_rematch(game_id=game.pk, user=ben, now=now).table.club == club
    assert [one.status for one in lists.games_of_club(club, 5, anna)] == ["open", "finished"]
    clubs.remove(club=club, by=anna, member=carla.ref)
    assert [one.user.name for one in ratings.club_standings(club)] == ["Anna", "Ben"]
