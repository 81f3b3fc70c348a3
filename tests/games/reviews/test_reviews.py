"""Reviews of finished games: made one at a time by a process that is bound, and shown to whoever may see the game."""

import datetime as dt
import time
from collections.abc import Iterator
from typing import Any

import pytest

from engine.records import model
from games import ticks
from games.archive import records
from games.models import Game, GameReview, User
from games.reviews import bounded, making, queries, queue
from tests.engine.records.making import played

PATIENCE = 120.0  # seconds
SECOND = dt.timedelta(seconds=1)


@pytest.fixture(autouse=True)
def reviews_are_on(settings: Any) -> Iterator[None]:
    settings.REVIEW_SECONDS = 2
    yield
    while making._now_making:
        making._forget()


@pytest.fixture
def over(anna: User, now: dt.datetime) -> Game:
    """A finished game of Anna's, which was played elsewhere and taken back twice."""
    return records.take_in(data=model.dump(played("cave-of-wonders", 3, 7, 60)), by=anna, now=now)[0]


def make_all(now: dt.datetime) -> None:
    """What a worker's ticker does until no review waits."""
    stop = time.monotonic() + PATIENCE
    while GameReview.objects.filter(state__in=("waiting", "running")).exists():
        assert time.monotonic() < stop, "a review is not made"
        ticks.look_at_processes()
        time.sleep(0.02)


@pytest.mark.slow
def test_a_review_that_is_asked_for_is_made_stored_small_and_shown(over: Game, now: dt.datetime) -> None:
    assert queries.review_of(over).may_be_asked
    row = queue.request_review(over, now)
    assert queue.request_review(over, now) == row
    assert queries.review_of(over).is_coming
    make_all(now)
    found = queries.review_of(over)
    assert found.review is not None and found.row is not None
    assert found.review.points[-1].seq == over.seq and found.review.taken_back
    assert len(bytes(found.row.data)) < 20_000 and 0 < found.row.seconds < 2 + bounded.SPARE
