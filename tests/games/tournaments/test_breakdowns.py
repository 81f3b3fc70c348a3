"""Tournaments in which a table breaks, a seat changes hands, or a host must not speak."""

import datetime as dt

import pytest

from games.errors import Forbidden
from games.lobby import lifecycle
from games.models import Seat, Tournament, TournamentTable, User
from games.privacy import erasure
from games.tournaments import tournaments
from tests.games.conftest import make_user
from tests.games.tournaments.conftest import DAY, Open, again, enter_many, tables, work
from tests.games.tournaments.test_tournaments import close

pytestmark = pytest.mark.slow
State = TournamentTable.State


def test_a_table_that_breaks_as_it_is_opened_keeps_no_round_from_its_end(
    open_cup: Open, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_facts: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(lifecycle, "start_seated", broken)
    cup = open_cup(round_days=5, rounds=1)
    enter_many(cup, 3, now)
    work(now + DAY)
    assert again(cup).retry_at is not None and [table.state for table in tables(cup, 1)] == [State.DRAWN]
    work(now + 7 * DAY)
    assert again(cup).status == Tournament.Status.FINISHED
    assert {row.place for row in tournaments.standings(cup)} == {1}


def test_whoever_was_replaced_did_not_stay_when_a_game_ends_without_a_result(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    people = enter_many(cup, 3, now)
    work(now + DAY)
    [table] = tables(cup, 1)
    Seat.objects.filter(user=people[0]).update(user=make_user("Substitute"))
    close(table.game, now)
    work(now + DAY)
    assert {seat.entrant.name: seat.place for seat in table.seats.all()} == {"Player0": 3, "Player1": 1, "Player2": 1}


def test_who_is_muted_opens_no_tournament(open_cup: Open, now: dt.datetime, anna: User) -> None:
    User.objects.filter(pk=anna.pk).update(silent_until=now + DAY)
    with pytest.raises(Forbidden, match="muted"):
        open_cup(about="What others should read")
    assert not Tournament.objects.exists()


def test_when_the_host_deletes_the_account_the_tables_get_hosts_who_play_there(
    open_cup: Open, now: dt.datetime, anna: User
) -> None:
    cup = open_cup(title="Anna's cup")
    people = enter_many(cup, 3, now)
    work(now + DAY)
    assert erasure.erase(anna, takes_words=False, now=now + DAY)
    [table] = tables(cup, 1)
    assert table.game is not None and table.game.host in people
    assert "Anna" not in table.game.title
