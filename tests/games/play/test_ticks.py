"""One tick does everything that is due, and one part that breaks never stops the others."""

import datetime as dt
import sys
import threading

import pytest

from config import ticker
from games import tasks, ticks
from games.archive import reviews
from games.lobby import lifecycle
from games.models import Decision, Game, GameReview, Heartbeat, User
from games.play import deadlines, game_moves, proposals
from notifications.delivery import sending
from tests.games.conftest import answer, beat, fresh, new_table, open_rows, row_of

WAIT = 30.0  # seconds until a test gives up
FOR_EVER = "import threading; threading.Event().wait()"


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No mail leaves in these tests."""
    monkeypatch.setattr(ticks, "deliver_due", lambda: None)


@pytest.mark.usefixtures("quiet")
def test_a_tick_plays_bots_and_crosses_boundaries(anna: User) -> None:
    now = dt.datetime.now(dt.UTC)
    game = new_table(anna, now, bots=("random", "random"))
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    ticks.tick()
    (row,) = open_rows(game)
    answer(game, row, now)
    tasks.play()  # what a worker does at once
    (row,) = open_rows(game)
    assert (row.kind, row.seat.user) == ("place", anna)
    assert set(Heartbeat.objects.values_list("name", flat=True)) == {"ticker", "housekeeping"}


@pytest.mark.usefixtures("quiet")
def test_a_part_that_breaks_does_not_stop_the_others(anna: User, monkeypatch: pytest.MonkeyPatch) -> None:
    past = dt.datetime.now(dt.UTC) - dt.timedelta(days=30)
    table = new_table(anna, past)

    def broken(_now: dt.datetime) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(game_moves, "advance_one", broken)
    ticks.tick()
    assert fresh(table).status == Game.Status.CLOSED


def test_a_game_whose_boundary_breaks_is_tried_again_and_then_left_alone(
    game: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for row in open_rows(game):
        answer(game, row, now)

    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(game.rules), "advance", broken)
    minute = dt.timedelta(minutes=1)
    for failure in range(game_moves.MOST_FAILURES):
        assert fresh(game).quarantined_at is None
        assert game_moves.advance_one(now + failure * minute)
        assert not game_moves.advance_one(now + failure * minute)
    game = fresh(game)
    assert game.quarantined_at is not None
    assert not game_moves.advance_one(now + 99 * minute)
    assert game_moves.Quarantined.status == 503


@pytest.mark.usefixtures("quiet")
def test_what_falls_due_while_a_proposal_is_made_goes_before_the_next_one(
    proposing: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def propose(*_given: object) -> tuple[str, str]:
        done.append("proposal")
        return "", ""

    def expire(_now: dt.datetime) -> bool:
        if done and done[-1] == "proposal":
            done.append("deadline")
            return True
        return False

    monkeypatch.setattr(proposals, "_propose", propose)
    monkeypatch.setattr(deadlines, "expire_one", expire)
    ticks.tick()
    assert done == ["proposal", "deadline"] * 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quiet")
def test_while_a_proposal_and_a_review_are_made_people_answer_and_the_clock_of_the_only_worker_goes_on(
    proposing: Game, anna: User, ben: User, carla: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, day = dt.datetime.now(dt.UTC), dt.timedelta(days=1)
    beat(now)
    Game.objects.filter(pk=proposing.pk).update(missed="default")
    rows = [row_of(proposing, user) for user in (anna, ben, carla)]
    Decision.objects.exclude(pk=rows[0].pk).update(wants_proposal=False, due_at=now + day)
    late = rows[2]
    monkeypatch.setattr(deadlines, "why_not", lambda _row, _now: None)
    Decision.objects.filter(pk=late.pk).update(due_at=now - day / 24)
    thinking, go_on = threading.Event(), threading.Event()

    def think(row: Decision, *_given: object) -> tuple[str, str]:
        if row == rows[0]:
            thinking.set()
            assert go_on.wait(WAIT)
        return "", ""

    monkeypatch.setattr(proposals, "_propose", think)
    monkeypatch.setattr(sending, "begin_round", list)
    monkeypatch.setattr(reviews, "COMMAND", (sys.executable, "-c", FOR_EVER))
    review = GameReview.objects.create(game=proposing, state="running", tries=1, leased_until=now, requested_at=now)
    reviews._now_making.append(reviews.Making(review, b"", now, is_lent=False))
    worker = threading.Thread(target=tasks.play)
    worker.start()
    try:
        assert thinking.wait(WAIT)
        assert ticker.tick_once()
        late.refresh_from_db()
        assert late.status == Decision.Status.ANSWERED, "the deadline was passed"
        for row in rows[:2]:
            answer(fresh(proposing), row, now)
        before = fresh(proposing).seq
        assert ticker.tick_once()
        assert fresh(proposing).seq > before, "the game went on to its next phase"
        assert worker.is_alive() and reviews._now_making[0].status is None
    finally:
        go_on.set()
        worker.join()
        reviews._forget()
