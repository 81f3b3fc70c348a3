"""A game whose rules broke is released, and the kept answer counts."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from engine.core import StaleDecision
from engine.rules import OpenDecision
from games.errors import Conflict, Quarantined
from games.models import Decision, Game, Move, Seat, User
from games.moderation import repair
from games.play import deadlines, locking
from tests.games.admin.conftest import signed_in
from tests.games.conftest import (
    answer,
    fresh,
    open_rows,
    settle,
)  # fmt: skip


@pytest.fixture
def broken(game: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> tuple[Game, Decision]:
    """A game whose rules broke on an answer, and are repaired now."""
    (row, *_others) = open_rows(game)
    with monkeypatch.context() as patch:
        patch.setattr(OpenDecision, "apply", lambda *_args, **_how: 1 / 0)
        with pytest.raises(Quarantined):
            answer(game, row, now, source=Move.Source.LINK, idempotency_key="k1")
    assert fresh(game).quarantined_at
    return fresh(game), row


def release_by(client: Client, game: Game) -> None:
    form = {"act": "release", "release-reason": "The rules are repaired."}
    client.post(reverse("admin:games_game_moderate", args=[game.pk]), form)


@pytest.mark.slow
def test_an_administrator_releases_a_game_and_the_kept_answer_counts(
    broken: tuple[Game, Decision], administrator: Client
) -> None:
    game, row = broken
    release_by(administrator, game)
    row.refresh_from_db()
    assert fresh(game).quarantined_at is None
    assert (row.status, row.kept_answer) == (Decision.Status.ANSWERED, "")
    assert game.moves.get(kind=Move.Kind.ANSWER).seat == row.seat.number


def test_a_kept_answer_is_its_players_own(broken: tuple[Game, Decision], now: dt.datetime) -> None:
    """He gave it in time, by his own way: his row of misses ends, and sending it once more changes nothing."""
    game, row = broken
    Seat.objects.filter(pk=row.seat.pk).update(misses=2)
    later = now + dt.timedelta(hours=1)
    assert repair.release(game_id=game.pk, now=later) == 1
    move = game.moves.get(kind=Move.Kind.ANSWER)
    assert (move.source, move.actor, move.received_at) == (Move.Source.LINK, row.seat.user, later)
    row.seat.refresh_from_db()
    assert row.seat.misses == 0
    assert answer(game, row, later, {}, idempotency_key="k1").pk == move.pk


@pytest.mark.parametrize("source", [Move.Source.DEADLINE, Move.Source.BOT, Move.Source.ABSENT])
def test_only_answers_of_people_are_kept(
    game: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """When the game is released clocks start anew: a deadline that broke the rules must not count a moment later."""
    row = open_rows(game)[0]
    with monkeypatch.context() as patch:
        patch.setattr(OpenDecision, "apply", lambda *_args, **_how: 1 / 0)
        with pytest.raises(Quarantined):
            answer(game, row, now, source=source, actor=None)
    row.refresh_from_db()
    assert row.kept_answer == ""
    assert repair.release(game_id=game.pk, now=now) == 0
    assert row in open_rows(game)


def test_who_is_no_moderator_cannot_release_a_game(broken: tuple[Game, Decision], anna: User) -> None:
    anna.is_staff = True
    anna.save()
    release_by(signed_in(anna), broken[0])
    assert fresh(broken[0]).quarantined_at


def test_a_released_game_gives_everybody_fresh_time(broken: tuple[Game, Decision], now: dt.datetime) -> None:
    game, _row = broken
    later = now + dt.timedelta(days=9)
    repair.release(game_id=game.pk, now=later)
    assert {row.due_at for row in open_rows(game)} == {later + dt.timedelta(days=1)}
    assert not deadlines.expire_one(later)


def test_rules_that_break_again_keep_the_answer(
    broken: tuple[Game, Decision], now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, row = broken
    monkeypatch.setattr(OpenDecision, "apply", lambda *_args, **_how: 1 / 0)
    with pytest.raises(Quarantined):
        repair.release(game_id=game.pk, now=now)
    row.refresh_from_db()
    assert row.kept_answer
    assert fresh(game).quarantined_at


def test_a_kept_answer_that_no_longer_fits_is_dropped_and_asked_again(
    broken: tuple[Game, Decision], now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_how: object) -> None:
        raise StaleDecision("stale")

    game, row = broken
    with monkeypatch.context() as patch:
        patch.setattr(OpenDecision, "apply", refuse)
        assert repair.release(game_id=game.pk, now=now) == 0
    row.refresh_from_db()
    assert (row.status, row.kept_answer) == (Decision.Status.OPEN, "")


def test_only_a_game_in_quarantine_is_released(game: Game, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        repair.release(game_id=game.pk, now=now)


def test_a_game_waiting_at_a_phase_boundary_goes_on_when_released(game: Game, now: dt.datetime) -> None:
    for row in open_rows(game):
        answer(game, row, now)
    locking.quarantine(game.pk, now)
    settle(now)
    assert open_rows(game) == []
    repair.release(game_id=game.pk, now=now)
    settle(now)
    assert [row.kind for row in open_rows(game)] == ["place"]
