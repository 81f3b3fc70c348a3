"""A table before its game."""

import datetime as dt
import hashlib

import pytest
from django.test import override_settings

from games.errors import Conflict, LimitReached, NotFound, ServiceError, TooMany
from games.lobby import invitations, lifecycle
from games.models import Game, Move, Seat, User
from notifications.channels.mail.suppressions import suppress
from notifications.models import Notice
from tests.games.conftest import fresh, new_table, running


def test_a_table_opens_with_its_host_and_a_commitment(table: Game, anna: User) -> None:
    assert table.status == Game.Status.OPEN
    assert [seat.user for seat in table.seats.all()] == [anna]
    assert table.commitment == hashlib.sha256(bytes.fromhex(table.server_seed)).hexdigest()


@pytest.mark.parametrize(
    ("_case", "change"),
    [
        ("a game nobody knows", {"rules_name": "chess"}),
        ("two seats (A1)", {"seat_count": 2}),
        ("six seats (A1)", {"seat_count": 6}),
        ("a pace nobody knows", {"pace": "warp"}),
        ("an option nobody knows", {"options": {"dragons": "many"}}),
        ("a value nobody knows", {"options": {"open_hoards": "maybe"}}),
        ("a bot nobody knows", {"bots": ("deep-thought",)}),
        ("more bots than seats", {"bots": ("random",) * 3}),
        ("a bot without a name", {"bots": ("",)}),
        ("a timeout nobody knows", {"missed": "shout"}),
    ],
)
def test_a_plan_that_cannot_be_opens_no_table(anna: User, now: dt.datetime, _case: str, change: dict) -> None:
    with pytest.raises(ServiceError):
        new_table(anna, now, **change)
    assert Game.objects.count() == 0


@override_settings(OPEN_TABLES_PER_HOST=2)
def test_a_host_has_a_limit_of_open_tables(anna: User, now: dt.datetime) -> None:
    new_table(anna, now)
    new_table(anna, now)
    with pytest.raises(LimitReached):
        new_table(anna, now)


def test_a_title_is_one_clean_line(anna: User, now: dt.datetime) -> None:
    assert new_table(anna, now, title="a\r\nBcc: b@example.org\x00" + "x" * 99).title.startswith("a Bcc: b@example.org")
    assert len(new_table(anna, now, title="x" * 999).title) == 60
    assert new_table(anna, now, title=" \n ").title == "Anna's table"


def test_joining_twice_is_joining_once_and_a_full_table_is_full(
    table: Game, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    seat = lifecycle.join(game_id=table.pk, user=ben, now=now)
    assert lifecycle.join(game_id=table.pk, user=ben, now=now) == seat
    lifecycle.join(game_id=table.pk, user=carla, now=now)
    with pytest.raises(Conflict):
        lifecycle.join(game_id=table.pk, user=david, now=now)


def test_only_the_host_fills_removes_starts_and_closes(table: Game, ben: User, now: dt.datetime) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    for attempt in (
        lambda: lifecycle.add_bot(game_id=table.pk, host=ben, bot="random", now=now),
        lambda: lifecycle.remove_seat(game_id=table.pk, host=ben, number=0),
        lambda: lifecycle.start(game_id=table.pk, host=ben, now=now),
        lambda: lifecycle.close(game_id=table.pk, host=ben, now=now),
    ):
        with pytest.raises(NotFound):
            attempt()
    assert table.seats.count() == 2


def test_guests_leave_and_seats_move_up(table: Game, anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    lifecycle.join(game_id=table.pk, user=carla, now=now)
    lifecycle.leave(game_id=table.pk, user=ben)
    assert list(table.seats.order_by("number").values_list("number", "user__name")) == [(0, "Anna"), (1, "Carla")]
    with pytest.raises(Conflict):
        lifecycle.leave(game_id=table.pk, user=anna)


def test_two_people_of_one_name_are_told_apart(table: Game, now: dt.datetime) -> None:
    other = User.objects.create_user("other@example.org", name="Anna")
    assert lifecycle.join(game_id=table.pk, user=other, now=now).name == "Anna II"


def test_a_game_starts_only_when_all_seats_are_taken(table: Game, anna: User, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        lifecycle.start(game_id=table.pk, host=anna, now=now)
    for bot in ("random", "random"):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot=bot, now=now)
    lifecycle.start(game_id=table.pk, host=anna, now=now)
    game = fresh(table)
    assert game.status == Game.Status.RUNNING
    assert game.moves.get().kind == Move.Kind.START
    with pytest.raises(Conflict):
        lifecycle.start(game_id=table.pk, host=anna, now=now)
    with pytest.raises(Conflict):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="random", now=now)


def test_the_seats_are_drawn_at_random_a4(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    orders = set()
    for _number in range(12):
        game = running(anna, [ben, carla], now)
        orders.add(tuple(game.seats.order_by("number").values_list("user__name", flat=True)))
        game.delete()
    assert len(orders) > 1


def test_what_players_add_changes_the_deal(anna: User, now: dt.datetime) -> None:
    games = [new_table(anna, now, bots=("random", "random")) for _two in range(2)]
    seed = games[0].server_seed
    Game.objects.update(server_seed=seed)
    Seat.objects.filter(game=games[1], user=anna).update(entropy="shuffle well")
    states = [lifecycle.start(game_id=game.pk, host=anna, now=now).state for game in games]
    assert states[0] != states[1]


def test_a_table_that_never_starts_expires_with_a_notice(table: Game, anna: User, ben: User, now: dt.datetime) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    assert not lifecycle.expire_one(now + dt.timedelta(days=14, seconds=-1))
    assert lifecycle.expire_one(now + dt.timedelta(days=14))
    assert not lifecycle.expire_one(now + dt.timedelta(days=14))
    assert fresh(table).status == Game.Status.CLOSED
    told = Notice.objects.filter(kind="closed").values_list("recipient__address", flat=True)
    assert sorted(told) == ["anna@example.org", "ben@example.org", "eva@example.org"]


def test_an_invitation_is_sent_once_and_makes_an_account_when_accepted(
    table: Game, anna: User, now: dt.datetime
) -> None:
    invitation = invitations.invite(game_id=table.pk, host=anna, address=" Eva@Example.org ", now=now)
    assert invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now) == invitation
    assert Notice.objects.filter(kind="invited").count() == 1
    seat = invitations.accept(invitation=invitation, name="Eva", now=now)
    assert seat.user is not None
    assert (seat.user.email, seat.name, seat.user.has_usable_password()) == ("eva@example.org", "Eva", False)
    invitation.refresh_from_db()
    assert invitation.status == "joined"
    assert invitations.accept(invitation=invitation, name="Eva", now=now) == seat
    with pytest.raises(Conflict):
        invitations.decline(invitation=invitation)


def test_a_declined_invitation_is_closed(table: Game, anna: User, now: dt.datetime) -> None:
    invitation = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    invitations.decline(invitation=invitation)
    invitation.refresh_from_db()
    with pytest.raises(Conflict):
        invitations.accept(invitation=invitation, name="Eva", now=now)
    assert not User.objects.filter(email="eva@example.org").exists()


@override_settings(INVITATIONS_PER_HOST_AND_DAY=2)
def test_invitations_are_limited_for_each_host_and_day(table: Game, anna: User, now: dt.datetime) -> None:
    invitations.invite(game_id=table.pk, host=anna, address="a1@example.org", now=now)
    invitations.invite(game_id=table.pk, host=anna, address="a2@example.org", now=now)
    with pytest.raises(TooMany):
        invitations.invite(game_id=table.pk, host=anna, address="a3@example.org", now=now)
    invitations.invite(game_id=table.pk, host=anna, address="a3@example.org", now=now + dt.timedelta(days=1))


def test_whoever_said_never_again_is_not_invited(table: Game, anna: User, now: dt.datetime) -> None:
    suppress("eva@example.org", "asked by link")
    with pytest.raises(ServiceError):
        invitations.invite(game_id=table.pk, host=anna, address="Eva@example.org", now=now)
    assert Notice.objects.count() == 0


@pytest.mark.parametrize("address", ["", "eva", "eva@", "eva@example.org\nBcc: x@example.org", "a" * 400])
def test_what_is_no_address_is_refused(table: Game, anna: User, now: dt.datetime, address: str) -> None:
    with pytest.raises(ServiceError):
        invitations.invite(game_id=table.pk, host=anna, address=address, now=now)
