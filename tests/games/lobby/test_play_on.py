"""Playing on from a position, alone against bots: from where it was, what it tells, and who may."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.errors import Conflict, NotFound, ServiceError
from games.lobby import practice
from games.models import Game, User
from games.play import history, lists, queries
from games.play.replay import replay
from notifications.models import Notice
from tests.games.conftest import answer, fresh, open_rows, running, settle, some_answer

pytestmark = pytest.mark.slow


def goes_on(game: Game, user: User, now: dt.datetime, step: int, seat: int | None = None) -> Game:
    access = queries.Access(game, game.seats.filter(user=user).first())
    return fresh(practice.play_on(user=user, access=access, step=step, seat=seat, now=now))


def cave(anna: User, ben: User, now: dt.datetime, answers: int) -> Game:
    game = running(anna, [ben], now, rules_name="cave-of-wonders", seat_count=2, options={})
    for dice in range(answers):
        settle(now)
        rows = open_rows(game)
        if not rows:
            break
        answer(game, rows[0], now, some_answer(fresh(game), rows[0], dice))
    settle(now)
    return fresh(game)


def seen(game: Game, seat: int) -> object:
    access = queries.Access(game, game.seats.get(number=seat))
    first = history.step_of(access, 1)
    return queries.describe(access, first.view)


def test_in_a_running_game_one_plays_on_from_what_ones_own_seat_sees(
    placing: Game, anna: User, david: User, now: dt.datetime
) -> None:
    told, own = Notice.objects.count(), placing.seats.get(user=anna)
    step = history.count_steps(placing)
    made = goes_on(placing, anna, now, step)
    before, after = placing.load_state(), made.rules.load(made.snapshots.get(seq=1).state.encode())
    assert queries.describe(queries.Access(made, own), made.rules.view(after, own.number)) == queries.describe(
        queries.Access(made, own), made.rules.view(before, own.number)
    )
    assert (before.rng, before.deck) != (after.rng, after.deck)
    assert {seat.user for seat in made.seats.all()} == {anna, None}
    assert [seat.display_name for seat in made.seats.exclude(user=anna).order_by("number")] == ["Nur", "Nur II"]
    assert goes_on(placing, anna, now, step).pk == made.pk  # a second click
    assert Notice.objects.count() == told
    assert replay(made).moves == made.seq
    with pytest.raises(NotFound):
        queries.access_game(david, made.ref)
    others = (own.number + 1) % 3
    for user, seat, error in ((anna, others, NotFound), (david, None, NotFound)):
        with pytest.raises(error):
            goes_on(placing, user, now, step, seat)


def test_of_a_finished_game_every_seat_and_step_but_the_last_can_be_played_on(
    anna: User, ben: User, david: User, now: dt.datetime
) -> None:
    over = cave(anna, ben, now, 3000)
    assert over.status == Game.Status.FINISHED
    steps = history.count_steps(over)
    made = goes_on(over, david, now, steps // 2, seat=1)
    assert made.seats.get(number=1).user == david
    for dice in range(3000):
        settle(now)
        if not (rows := open_rows(made)):
            break
        answer(made, rows[0], now, some_answer(fresh(made), rows[0], dice))
    made = fresh(made)
    assert made.status == Game.Status.FINISHED
    assert replay(made).moves == made.seq
    assert lists.finished_games(david, david) == []
    for step in (0, steps, steps + 1):
        with pytest.raises(Conflict):
            goes_on(over, anna, now, step)


def test_there_is_an_end_to_it_in_a_day_and_what_is_not_played_goes(
    placing: Game, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "COPIES_A_DAY", 1)
    goes_on(placing, anna, now, 1)
    with pytest.raises(ServiceError):
        goes_on(placing, anna, now, 2)
    copy = Game.objects.get(sandbox_of=placing)
    goes_on(copy, anna, now + practice.COPY_KEPT / 2, 1)
    assert not practice.remove_one(now + practice.COPY_KEPT), "a copy of it is kept"
    for _nth in range(2):
        assert practice.remove_one(now + 2 * practice.COPY_KEPT)
    assert not Game.objects.filter(sandbox_of=placing).exists()


def test_the_button_stands_at_each_step_for_who_plays_and_leads_to_the_table(
    placing: Game, anna: User, client: Client
) -> None:
    page = reverse("history", args=[placing.ref])
    client.force_login(anna)
    assert b"Play on from here" in client.get(f"{page}?step=1").content
    response = client.post(reverse("play_on", args=[placing.ref]), {"step": "2"})
    made = Game.objects.get(sandbox_of=placing)
    assert response["Location"] == reverse("table", args=[made.ref])
    assert client.get(response["Location"]).status_code == 200
    for sent in ({}, {"step": "x"}, {"step": "99999"}, {"step": "1", "seat": "7"}):
        assert client.post(reverse("play_on", args=[placing.ref]), sent).status_code in (404, 409)
    assert Game.objects.filter(sandbox_of=placing).count() == 1
    Game.objects.filter(pk=placing.pk).update(is_watchable=True)
    client.logout()
    assert b"Play on from here" not in client.get(page).content
    assert client.post(reverse("play_on", args=[placing.ref]), {"step": "1"}).status_code == 404
