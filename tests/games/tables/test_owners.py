"""A player and that player's bot, or two bots of one player, share a table only where the host has allowed it."""

import datetime as dt

import pytest

from games.archive import ratings
from games.errors import SameOwner
from games.lobby import bot_accounts, invitations, lifecycle
from games.lobby import rematch as tables_rematch
from games.models import Game, Seat, User
from games.moderation import tables
from games.play import absences, game_moves
from tests.games.conftest import fresh, make_user, new_table, seat_of


@pytest.fixture
def robo(ben: User, now: dt.datetime) -> User:
    """Ben's bot, which every host may seat."""
    return bot_accounts.create(owner=ben, name="Robo", is_for_all=True, now=now)


@pytest.fixture
def carlo(ben: User, now: dt.datetime) -> User:
    """Another bot of Ben's, which every host may seat."""
    return bot_accounts.create(owner=ben, name="Carlo", is_for_all=True, now=now)


@pytest.fixture
def with_robo(anna: User, robo: User, table: Game, now: dt.datetime) -> Game:
    """Anna's open table with Robo."""
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    return table


@pytest.fixture
def offered(anna: User, carla: User, robo: User, now: dt.datetime) -> Game:
    """Anna, Carla and Robo play; Carla is absent and her seat is offered."""
    return offering(new_table(anna, now, absent_seats="takeover"), anna, carla, now)


def offering(table: Game, host: User, absent: User, now: dt.datetime) -> Game:
    """The table when its game has begun with Robo and a player who is absent."""
    lifecycle.add_bot(game_id=table.pk, host=host, bot="Robo", now=now)
    lifecycle.join(game_id=table.pk, user=absent, now=now)
    lifecycle.start(game_id=table.pk, host=host, now=now)
    absences.leave(absences.locked_seat(seat_of(table, absent).pk), now)
    return fresh(table)


def shared(anna: User, ben: User, now: dt.datetime, **changes: object) -> Game:
    """A table that allows it, with Anna, Ben and Robo."""
    table = new_table(anna, now, allows_own_bots=True, **changes)
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    return table


def test_an_owner_does_not_join_the_table_where_his_bot_sits(ben: User, with_robo: Game, now: dt.datetime) -> None:
    with pytest.raises(
        SameOwner, match=r"Bot Robo.*, a bot owned by Ben, is already playing here. .*ask the host to open a table"
    ):
        lifecycle.join(game_id=with_robo.pk, user=ben, now=now)
    assert not with_robo.seats.filter(user=ben).exists()


def test_an_owner_does_not_accept_an_invitation_to_the_table_where_his_bot_sits(
    anna: User, ben: User, with_robo: Game, now: dt.datetime
) -> None:
    invitation = invitations.invite(game_id=with_robo.pk, host=anna, address=ben.email, now=now)
    with pytest.raises(SameOwner):
        invitations.accept(invitation=invitation, name="", now=now)
    invitation.refresh_from_db()
    assert invitation.status == "sent" and not with_robo.seats.filter(user=ben).exists()


def test_a_host_does_not_seat_a_bot_beside_its_owner(
    anna: User, ben: User, robo: User, table: Game, now: dt.datetime
) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    with pytest.raises(SameOwner, match="who owns the bot Robo"):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    assert not table.seats.filter(user=robo).exists()


def test_a_host_does_not_seat_two_bots_of_one_player(
    anna: User, carlo: User, with_robo: Game, now: dt.datetime
) -> None:
    with pytest.raises(SameOwner, match="another bot of the same owner"):
        lifecycle.add_bot(game_id=with_robo.pk, host=anna, bot="Carlo", now=now)
    assert not with_robo.seats.filter(user=carlo).exists()


def test_no_table_is_opened_with_a_bot_of_the_host_or_two_bots_of_one_player(
    anna: User, ben: User, robo: User, carlo: User, now: dt.datetime
) -> None:
    for host, names in ((ben, ("Robo",)), (anna, ("Robo", "Carlo"))):
        with pytest.raises(SameOwner):
            new_table(host, now, bots=names)
    assert not Game.objects.exists()


def test_an_owner_does_not_take_over_a_seat_beside_his_bot(
    ben: User, carla: User, offered: Game, now: dt.datetime
) -> None:
    with pytest.raises(SameOwner):
        absences.take_over(seat_id=seat_of(offered, carla).pk, user=ben, now=now)
    assert seat_of(offered, carla).status == Seat.Status.ABSENT


def test_neither_host_nor_moderator_gives_an_owner_a_seat_beside_his_bot(
    anna: User, ben: User, carla: User, offered: Game, now: dt.datetime
) -> None:
    moderator = User.objects.create_superuser("eve@example.org", name="Eve")
    with pytest.raises(SameOwner):
        tables.replace_player(seat=seat_of(offered, carla), address=ben.email, by=moderator, reason="away", now=now)
    row = tables.offer_seat(seat=seat_of(offered, carla), address=ben.email, by=anna, reason="away", now=now)
    with pytest.raises(SameOwner):
        tables.accept_seat(invitation=row, name="", now=now)
    assert seat_of(offered, carla).link_generation == 0


def test_an_owner_takes_over_the_seat_of_his_own_bot(ben: User, robo: User, offered: Game, now: dt.datetime) -> None:
    seat = seat_of(offered, robo)
    absences.leave(absences.locked_seat(seat.pk), now)
    assert absences.take_over(seat_id=seat.pk, user=ben, now=now).user == ben


def test_bots_of_different_players_and_of_the_rules_sit_together(
    anna: User, carla: User, with_robo: Game, now: dt.datetime
) -> None:
    bot_accounts.create(owner=carla, name="Other", is_for_all=True, now=now)
    lifecycle.add_bot(game_id=with_robo.pk, host=anna, bot="Other", now=now)
    table = new_table(anna, now, bots=("greedy", "greedy"))
    assert table.seats.count() == 3


def test_at_a_table_that_allows_it_every_way_in_is_open(
    anna: User, ben: User, robo: User, carlo: User, now: dt.datetime
) -> None:
    assert shared(anna, ben, now).seats.filter(user__in=(ben, robo)).count() == 2
    own = new_table(ben, now, allows_own_bots=True, bots=("Robo", "Carlo"))
    assert own.seats.count() == 3
    gil = make_user("Gil")
    game = offering(new_table(anna, now, absent_seats="takeover", allows_own_bots=True), anna, gil, now)
    assert absences.take_over(seat_id=seat_of(game, gil).pk, user=ben, now=now).user == ben


def test_a_rematch_allows_what_its_table_has_allowed(anna: User, ben: User, robo: User, now: dt.datetime) -> None:
    game = shared(anna, ben, now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    game_moves.close_game(fresh(game), now)
    rematch = tables_rematch.open_rematch(game_id=game.pk, user=ben, now=now)
    assert rematch.table.allows_own_bots and rematch.missing == []
    assert rematch.table.seats.filter(user__in=(ben, robo)).count() == 2


def test_a_rematch_leaves_out_the_bot_of_its_host_where_that_is_not_allowed(
    anna: User, ben: User, robo: User, now: dt.datetime
) -> None:
    game = shared(anna, ben, now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    game_moves.close_game(fresh(game), now)
    Game.objects.update(allows_own_bots=False)
    rematch = tables_rematch.open_rematch(game_id=game.pk, user=ben, now=now)
    assert rematch.missing == ["Bot Robo"] and not rematch.table.seats.filter(user=robo).exists()


def test_a_game_at_a_table_that_allows_it_is_not_rated(anna: User, ben: User, robo: User, now: dt.datetime) -> None:
    game = shared(anna, ben, now)
    game.outcome = {"ending": "complete", "winners": [0], "ranking": [0, 1, 2]}
    assert ratings.places_of(game, game.seats.all()) == {}
    game.allows_own_bots = False
    assert set(ratings.places_of(game, game.seats.all())) == {anna.pk, ben.pk}
