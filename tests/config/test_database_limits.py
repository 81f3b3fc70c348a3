"""Nobody who is waited for by others waits long for PostgreSQL: neither for an answer nor for a connection."""

import gc
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.errors import ConnectionTimeout

from config.database import limits
from config.database.limits import LimitedConnection, limited
from tests.servers import frozen_postgres

pytestmark = [pytest.mark.slow]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that is soon reached, and no failure before."""
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(limits, "PAUSE_SECONDS", 60.0)
    monkeypatch.setattr(limits._Process, "failed_at", float("-inf"))


@pytest.fixture
def connection(postgres_url: str) -> Iterator[psycopg.Connection]:
    with LimitedConnection.connect(postgres_url, connect_timeout=2, prepare_threshold=None) as made:
        yield made


@pytest.mark.parametrize("asked", ["SELECT 1", "COMMIT", "ROLLBACK"])
def test_a_frozen_server_is_given_up(connection: psycopg.Connection, postgres_url: str, asked: str) -> None:
    connection.execute("SELECT 1")  # begins a transaction
    ask = {"COMMIT": connection.commit, "ROLLBACK": connection.rollback}.get(asked, lambda: connection.execute(asked))
    with (
        limited(),
        frozen_postgres(postgres_url),
        pytest.raises(psycopg.OperationalError, match="has not answered within 1 s"),
    ):
        ask()
    assert connection.closed


def test_who_comes_after_one_that_was_given_up_is_refused_at_once(
    connection: psycopg.Connection, postgres_url: str
) -> None:
    with limited(), frozen_postgres(postgres_url), pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    with limited(), pytest.raises(psycopg.OperationalError, match="nobody connects yet"):
        LimitedConnection.connect(postgres_url)


def test_a_frozen_server_that_does_not_greet_is_not_asked_again_at_once(postgres_url: str) -> None:
    with limited(), frozen_postgres(postgres_url):
        with pytest.raises(ConnectionTimeout):
            LimitedConnection.connect(postgres_url, connect_timeout=2)
        with pytest.raises(psycopg.OperationalError, match="nobody connects yet"):
            LimitedConnection.connect(postgres_url, connect_timeout=2)


def test_one_that_does_not_greet_leaves_no_socket_open(postgres_url: str) -> None:
    sockets = len(list(Path("/proc/self/fd").iterdir()))
    gc.disable()  # it comes by rarely in a web process
    try:
        with limited(), frozen_postgres(postgres_url), pytest.raises(ConnectionTimeout) as raised:
            LimitedConnection.connect(postgres_url, connect_timeout=2)
        assert raised and len(list(Path("/proc/self/fd").iterdir())) == sockets
    finally:
        gc.enable()


def test_after_the_pause_it_is_asked_again(
    connection: psycopg.Connection, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with limited(), frozen_postgres(postgres_url), pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    monkeypatch.setattr(limits, "PAUSE_SECONDS", 0.0)
    with limited(), LimitedConnection.connect(postgres_url) as again:
        assert again.execute("SELECT 1").fetchone() == (1,)


def test_commands_and_tasks_wait_as_long_as_it_takes(connection: psycopg.Connection) -> None:
    assert connection.execute("SELECT 1 FROM pg_sleep(1.5)").fetchone() == (1,)


def test_an_error_of_the_server_is_no_outage(connection: psycopg.Connection, postgres_url: str) -> None:
    with limited(), pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute("SELECT 1 / 0")
    with limited(), LimitedConnection.connect(postgres_url):
        assert not connection.closed


def test_a_limit_holds_for_its_own_thread() -> None:
    seen = []
    with limited():
        thread = threading.Thread(target=lambda: seen.append(limits.is_limited()))
        thread.start()
        thread.join()
        seen.append(limits.is_limited())
    assert [*seen, limits.is_limited()] == [False, True, False]
