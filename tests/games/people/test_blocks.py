"""Blocking somebody: what ends, what is refused, what goes on, and that nobody is told."""

import datetime as dt
import json

import pytest

from games.api.tables import invitations_of
from games.clubs import clubs
from games.clubs import invitations as club_invitations
from games.errors import Conflict, Forbidden, LimitReached, NotFound, ServiceError
from games.lobby import fellow_players, invitations, lifecycle, rematch
from games.models import Block, Friendship, Game, Invitation, Seat, User
from games.people import blocks, friends
from games.people import blocks as queries
from games.play import absences, lists, table_talk
from games.privacy import erasure, personal_data, retention
from games.tournaments import tournaments
from notifications.channels.mail import suppressions
from notifications.models import Notice, Recipient
from tests.games.clubs.founding import found
from tests.games.conftest import new_table
from tests.games.tournaments.conftest import plan


def block(by: User, other: User, now: dt.datetime) -> Block:
    return blocks.block(by=by.recipient, other=other, now=now)


def test_who_is_blocked_is_told_nothing_and_nothing_is_sent(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    """A refusal would tell whose address it is: somebody's who has blocked him."""
    block(ben, anna, now)
    club = found(anna)
    assert invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now).status == "sent"
    assert club_invitations.invite(club=club, by=anna, address=ben.email, now=now).status == "sent"
    assert not Notice.objects.exists()
    assert not invitations_of(ben).exists() and club_invitations.received(ben) == []


def test_who_is_invited_by_name_and_has_blocked_the_host_reads_as_who_cannot_be_written_to(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    suppressions.suppress("carla@example.org", suppressions.ASKED)
    with pytest.raises(ServiceError) as usual:
        invitations.invite(game_id=table.pk, host=anna, address="carla@example.org", name="Carla", now=now)
    block(ben, anna, now)
    with pytest.raises(ServiceError) as refused:
        invitations.invite(game_id=table.pk, host=anna, address=ben.email, name="Ben", now=now)
    assert refused.value.message == usual.value.message and refused.value.code == usual.value.code


def test_who_blocks_invites_the_blocked_no_more_either(table: Game, anna: User, ben: User, now: dt.datetime) -> None:
    block(anna, ben, now)
    with pytest.raises(ServiceError):
        invitations.invite(game_id=table.pk, host=anna, address=ben.email, name="Ben", now=now)


def test_a_request_of_the_blocked_looks_to_them_as_if_it_waited(anna: User, ben: User, now: dt.datetime) -> None:
    block(ben, anna, now)
    row = friends.ask(user=anna, other=ben, now=now)
    assert [one.ref for one in friends.requests_sent(anna)] == [row.ref]
    assert friends.requests_received(ben) == [] and not Notice.objects.exists()
    with pytest.raises(Conflict):
        friends.ask(user=ben, other=anna, now=now)


def test_blocking_ends_a_friendship_and_what_is_open_between_the_two(
    table: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    friends.accept(user=ben, ref=friends.ask(user=anna, other=ben, now=now).ref, now=now)
    friends.ask(user=anna, other=carla, now=now)
    sent = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    to_club = club_invitations.invite(club=found(anna), by=anna, address=ben.email, now=now)
    block(ben, anna, now)
    assert friends.friends_of(anna) == []
    for row in (sent, to_club):
        row.refresh_from_db()
        assert row.status == row.Status.DECLINED
    kept = invitations.invite(game_id=table.pk, host=anna, address=carla.email, now=now)
    block(anna, carla, now)
    kept.refresh_from_db()
    assert kept.status == Invitation.Status.WITHDRAWN
    assert Friendship.objects.get().status == Friendship.Status.WITHDRAWN


def test_the_blocked_cannot_join_and_who_blocked_is_told_why_not(
    table: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    block(anna, ben, now)
    block(carla, anna, now)
    with pytest.raises(Conflict) as refused:
        lifecycle.join(game_id=table.pk, user=ben, now=now)
    assert "block" not in refused.value.message
    with pytest.raises(Conflict, match="You've blocked Anna"):
        lifecycle.join(game_id=table.pk, user=carla, now=now)
    club = found(anna)
    with pytest.raises(Conflict) as refused:
        clubs.join(club=club, user=ben, now=now)
    assert "block" not in refused.value.message
    blocks.unblock(by=anna.recipient, ref=anna.recipient.blocks.get().ref)
    lifecycle.join(game_id=table.pk, user=ben, now=now)


def test_neither_is_shown_what_the_other_opens(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    table = new_table(anna, now, is_listed=True)
    tournament = tournaments.open_tournament(host=anna, plan=plan(now), now=now)
    block(ben, anna, now)
    for reader, is_shown in ((ben, False), (carla, True), (None, True)):
        assert lists.newest_tables(9, reader) == [table] * is_shown
        assert list(lists.listed_tables(lists.TableFilter(viewer=reader))) == [table] * is_shown
        assert tournaments.open_for_entries(reader) == [tournament] * is_shown
    table_of_ben = new_table(ben, now, is_listed=True)
    assert lists.newest_tables(9, anna) == [table] and set(lists.newest_tables(9, carla)) == {table_of_ben, table}


def test_a_clubs_table_is_not_shown_either(anna: User, ben: User, now: dt.datetime) -> None:
    club = found(anna)
    clubs.join(club=club, user=ben, now=now)
    table = new_table(anna, now, club=club.ref)
    assert lists.tables_of_clubs(ben) == lists.games_of_club(club, 9, ben) == [table]
    block(anna, ben, now)
    assert lists.tables_of_clubs(ben) == lists.games_of_club(club, 9, ben) == []
    assert lists.games_of_club(club, 9, anna) == [table]
    assert not clubs.are_acquainted(ben, anna)


def test_the_blocked_enter_no_tournament_of_who_blocked_them(anna: User, ben: User, now: dt.datetime) -> None:
    tournament = tournaments.open_tournament(host=anna, plan=plan(now), now=now)
    block(anna, ben, now)
    with pytest.raises(Conflict) as refused:
        tournaments.enter(tournament_id=tournament.pk, user=ben, now=now)
    assert "block" not in refused.value.message


def test_a_running_game_goes_on_unharmed(game: Game, anna: User, ben: User, now: dt.datetime) -> None:
    before = game.seats.values_list("user", "status")
    told = Notice.objects.count()
    block(anna, ben, now)
    assert list(game.seats.values_list("user", "status")) == list(before) and Notice.objects.count() == told
    table_talk.say(game_id=game.pk, user=ben, text="Hello", now=now)


def test_an_offered_seat_at_a_table_of_who_blocked_is_not_for_the_blocked(
    game: Game, anna: User, carla: User, david: User, now: dt.datetime
) -> None:
    Game.objects.filter(pk=game.pk).update(absent_seats=Game.AbsentSeats.TAKEOVER, is_listed=True)
    seat = game.seats.get(user=carla)
    Seat.objects.filter(pk=seat.pk).update(status=Seat.Status.ABSENT)
    assert lists.offered_seats(david) == [seat]
    block(anna, david, now)
    assert lists.offered_seats(david) == [] and lists.offered_seats() == [seat]
    with pytest.raises(Conflict):
        absences.take_over(seat_id=seat.pk, user=david, now=now)


def test_talk_of_the_blocked_and_of_their_bots_is_folded_and_mentions_nobody(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    line = table_talk.say(game_id=game.pk, user=ben, text="Hello", now=now)
    block(anna, ben, now)
    for reader, is_folded in ((anna, True), (ben, False), (carla, False), (None, False)):
        table_talk.fold([line], reader)
        assert line.is_folded == is_folded
    User.objects.filter(pk=carla.pk).update(owner=ben)
    carla.refresh_from_db()
    line = table_talk.say(game_id=game.pk, user=carla, text="Hello @Anna", now=now)
    table_talk.fold([line], anna)
    assert line.is_folded
    table_talk.say(game_id=game.pk, user=ben, text="@Anna @Carla", now=now)
    assert {row.recipient for row in Notice.objects.filter(kind="talk")} == {carla.recipient}


def test_a_rematch_leaves_the_blocked_out_as_anybody_who_cannot_be_invited(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED, finished_at=now)
    assert [one.name for one in fellow_players.of_game(anna, game.ref)] == ["Ben", "Carla"]
    block(ben, anna, now)
    assert [one.name for one in fellow_players.of_game(anna, game.ref)] == ["Carla"]
    assert fellow_players.invitable(anna, [ben.ref]) == [] and ben not in fellow_players.lately(anna, 9)
    assert rematch.open_rematch(game_id=game.pk, user=anna, now=now).missing == ["Ben"]


def test_blocking_twice_is_once_and_nobody_blocks_himself(anna: User, ben: User, now: dt.datetime) -> None:
    assert block(anna, ben, now) == block(anna, ben, now)
    with pytest.raises(Conflict):
        block(anna, anna, now)
    row = blocks.unblock(by=anna.recipient, ref=anna.recipient.blocks.get().ref)
    with pytest.raises(NotFound):
        blocks.unblock(by=anna.recipient, ref=row.ref)


def test_there_is_an_end_to_blocking(anna: User, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST", 0)
    with pytest.raises(LimitReached):
        block(anna, ben, now)
    User.objects.filter(pk=ben.pk).update(is_guest=True)
    with pytest.raises(Forbidden):
        block(ben, anna, now)


def test_a_person_without_an_account_blocks_as_well_and_his_address_is_kept_for_it(
    table: Game, anna: User, now: dt.datetime
) -> None:
    sent = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    blocks.block(by=sent.recipient, other=anna, now=now)
    other = new_table(anna, now)
    invitations.invite(game_id=other.pk, host=anna, address="eva@example.org", now=now)
    assert Notice.objects.filter(kind="invited").count() == 1
    Game.objects.update(status=Game.Status.CLOSED, finished_at=now)
    Notice.objects.all().delete()
    late = now + dt.timedelta(days=1000)
    for rule in retention.EXPIRIES:
        rule.apply(late)
        rule.apply(late)
    assert Recipient.objects.filter(address="eva@example.org").exists()


def test_the_copy_of_ones_data_names_whom_one_has_blocked_and_not_by_whom_one_is(
    anna: User, ben: User, now: dt.datetime
) -> None:
    block(anna, ben, now)
    User.objects.filter(pk=ben.pk).update(name="Benjamin")
    assert [row["name"] for row in json.loads(personal_data.as_text(anna, now))["blocked"]] == ["Ben"]
    copy = json.loads(personal_data.as_text(ben, now))
    assert copy["blocked"] == [] and "blocked_by_others" not in copy and "Anna" not in json.dumps(copy)


@pytest.mark.parametrize("leaver", ["anna", "ben"])
def test_a_block_goes_with_either_account(anna: User, ben: User, now: dt.datetime, leaver: str) -> None:
    block(anna, ben, now)
    erasure.erase({"anna": anna, "ben": ben}[leaver], takes_words=False, now=now)
    assert not Block.objects.exists()


def test_only_people_whose_name_one_may_know_are_blocked_by_reference(
    game: Game, anna: User, ben: User, david: User
) -> None:
    User.objects.filter(pk__in=(ben.pk, david.pk)).update(has_profile=False)
    assert fellow_players.find_person(anna, ben.ref) == (ben, "Ben")
    with pytest.raises(NotFound):
        fellow_players.find_person(anna, david.ref)
    assert queries.blocked_by(None) == set()


def test_who_is_blocked_by_reference_is_called_what_one_knows_them_by(
    game: Game, anna: User, ben: User, david: User, now: dt.datetime
) -> None:
    row = friends.ask(user=anna, other=david, now=now)
    friends.accept(user=david, ref=row.ref, now=now)
    User.objects.filter(pk__in=(ben.pk, david.pk)).update(has_profile=False, name="Somebody else")
    assert fellow_players.find_person(anna, ben.ref) == (ben, "Ben")
    assert fellow_players.find_person(anna, david.ref) == (david, "Somebody else")
    found(anna, ben)
    assert fellow_players.find_person(anna, ben.ref) == (ben, "Somebody else")
