"""Asking somebody to be friends, answering, ending it, and whom one may invite by name."""

import datetime as dt

import pytest

from games.clubs import clubs
from games.errors import Conflict, NotFound, TooMany
from games.lobby import bot_accounts, fellow_players
from games.models import Friendship, Game, Membership, User
from games.people import friends
from notifications.models import Notice
from tests.games.clubs.founding import found
from tests.games.conftest import make_user

MONTH = dt.timedelta(days=30)


def names(people: object) -> list[str]:
    return [one.name for one in people]  # type: ignore[attr-defined]


def test_who_says_yes_is_a_friend_of_who_asked(anna: User, ben: User, now: dt.datetime) -> None:
    row = friends.ask(user=anna, other=ben, now=now)
    assert Notice.objects.get(kind="friend_asked").recipient == ben.recipient
    assert friends.friends_of(anna) == [] and not clubs.are_acquainted(anna, ben)
    friends.accept(user=ben, ref=row.ref, now=now)
    friends.accept(user=ben, ref=row.ref, now=now)
    assert friends.friends_of(anna) == [ben] and friends.friends_of(ben) == [anna]
    assert clubs.are_acquainted(anna, ben) and clubs.are_acquainted(ben, anna)


def test_two_who_ask_each_other_are_friends_at_once(anna: User, ben: User, now: dt.datetime) -> None:
    friends.ask(user=anna, other=ben, now=now)
    assert friends.ask(user=ben, other=anna, now=now).status == Friendship.Status.FRIENDS
    assert Friendship.objects.count() == 1
    assert friends.ask(user=ben, other=anna, now=now).status == Friendship.Status.FRIENDS


def test_asking_twice_writes_once(anna: User, ben: User, now: dt.datetime) -> None:
    assert friends.ask(user=anna, other=ben, now=now) == friends.ask(user=anna, other=ben, now=now)
    assert Notice.objects.filter(kind="friend_asked").count() == 1


def test_a_no_is_not_told_and_holds(anna: User, ben: User, now: dt.datetime) -> None:
    row = friends.ask(user=anna, other=ben, now=now)
    friends.decline(user=ben, ref=row.ref, now=now)
    assert [one.ref for one in friends.requests_sent(anna)] == [row.ref]
    assert friends.between(anna, ben) == row and friends.between(ben, anna) is None
    assert friends.requests_received(ben) == []
    friends.ask(user=anna, other=ben, now=now + MONTH)
    assert friends.requests_received(ben) == [] and Notice.objects.filter(kind="friend_asked").count() == 1
    friends.take_back(user=anna, ref=row.ref)
    with pytest.raises(Conflict):
        friends.ask(user=anna, other=ben, now=now + MONTH - dt.timedelta(days=1))
    friends.ask(user=anna, other=ben, now=now + MONTH)
    assert len(friends.requests_received(ben)) == 1


def test_who_declined_may_still_ask_and_is_a_friend_then(anna: User, ben: User, now: dt.datetime) -> None:
    friends.decline(user=ben, ref=friends.ask(user=anna, other=ben, now=now).ref, now=now)
    assert friends.ask(user=ben, other=anna, now=now).status == Friendship.Status.FRIENDS


def test_a_request_that_was_taken_back_cannot_be_accepted(anna: User, ben: User, now: dt.datetime) -> None:
    row = friends.ask(user=anna, other=ben, now=now)
    friends.take_back(user=anna, ref=row.ref)
    with pytest.raises(NotFound):
        friends.accept(user=ben, ref=row.ref, now=now)
    assert friends.friends_of(ben) == []


def test_people_of_a_former_game_are_called_what_they_were_called_there(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED, finished_at=now)
    User.objects.filter(pk__in=(ben.pk, carla.pk)).update(name="Renamed", has_profile=False)
    assert [one.name for one in fellow_players.of_game(anna, game.ref)] == ["Ben", "Carla"]
    User.objects.filter(pk=ben.pk).update(has_profile=True)  # his profile tells the name to everybody
    assert [one.name for one in fellow_players.of_game(anna, game.ref)] == ["Carla", "Renamed"]


def test_either_may_end_it_and_nobody_else(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    row = friends.ask(user=anna, other=ben, now=now)
    for nobody in (ben, carla):  # who was asked declines instead
        with pytest.raises(NotFound):
            friends.take_back(user=nobody, ref=row.ref)
    friends.accept(user=ben, ref=row.ref, now=now)
    with pytest.raises(NotFound):
        friends.take_back(user=carla, ref=row.ref)
    friends.take_back(user=ben, ref=row.ref)
    assert friends.friends_of(anna) == []


def test_only_people_with_a_public_profile_can_be_asked(anna: User, ben: User, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        friends.ask(user=anna, other=anna, now=now)
    bot = bot_accounts.create(owner=ben, name="Robo", is_for_all=True, now=now)
    User.objects.filter(pk=ben.pk).update(has_profile=False)
    for nobody in (User.objects.get(pk=ben.pk), bot):
        with pytest.raises(NotFound):
            friends.ask(user=anna, other=nobody, now=now)


def test_nobody_asks_a_crowd_in_a_day(anna: User, now: dt.datetime) -> None:
    crowd = [make_user(f"Player{number}") for number in range(friends.ASKED_A_DAY + 1)]
    for one in crowd[:-1]:
        friends.ask(user=anna, other=one, now=now)
    with pytest.raises(TooMany):
        friends.ask(user=anna, other=crowd[-1], now=now)
    friends.ask(user=anna, other=crowd[-1], now=now + dt.timedelta(days=2))


def test_what_is_for_friends_is_for_club_members_too(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    club = found(anna)
    Membership.objects.create(club=club, user=ben)
    audience = User.Audience
    for viewer, sees in ((anna, True), (ben, True), (carla, False), (None, False)):
        assert clubs.may_see(viewer, anna, audience.FRIENDS) is sees
        assert clubs.may_see(viewer, anna, audience.ALL)
        assert clubs.may_see(viewer, anna, audience.NOBODY) is (viewer == anna)


def test_by_name_one_invites_friends_members_and_fellow_players_alone(
    game: Game, anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    refs = [one.ref for one in (anna, ben, carla, david)]
    assert names(fellow_players.invitable(anna, refs)) == []  # a running game is nobody's acquaintance
    Game.objects.filter(pk=game.pk).update(status="finished", finished_at=now)
    User.objects.filter(pk=carla.pk).update(has_profile=False)
    assert names(fellow_players.invitable(anna, refs)) == ["Ben"]
    assert names(fellow_players.lately(anna, 8)) == ["Ben"]
    friends.accept(user=anna, ref=friends.ask(user=david, other=anna, now=now).ref, now=now)
    assert names(fellow_players.invitable(anna, refs)) == ["Ben", "David"]
    assert fellow_players.invitable(anna, []) == []
