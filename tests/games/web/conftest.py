"""Games brought to the point a page is to be tested at."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.test import Client

from games.models import Decision, Game, User
from tests.games.conftest import answer, fresh, open_rows, settle, some_answer

Reach = Callable[[str], Decision]


@pytest.fixture
def reach(placing: Game, now) -> Reach:
    """Plays at random until a decision of that kind is asked."""

    def play_until(kind: str) -> Decision:
        for dice in range(2000):
            settle(now)
            row = open_rows(placing)[0]
            if row.kind == kind:
                return row
            answer(placing, row, now, some_answer(fresh(placing), row, dice))
        raise AssertionError(f"no {kind} in sight")

    return play_until


@pytest.fixture
def member(client: Client, anna: User) -> Client:
    """Anna, signed in."""
    client.force_login(anna)
    return client


@pytest.fixture
def counted_anew(db: None) -> None:
    """The counts of tries are kept in the cache, which is no part of a test's transaction everywhere."""
    cache.clear()
