"""What every test stands on: no network beyond this machine, a fixed time, and suites chosen by what is installed."""

import atexit
import datetime as dt
import gc
import ipaddress
import itertools
import logging
import os
import shutil
import socket
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import capabilities
from tests.servers import postgres_server, postgres_url, redis_url

__all__ = ["postgres_server", "postgres_url", "redis_url"]

NOON = dt.datetime(2026, 3, 4, 12, 0, tzinfo=dt.UTC)
"""A Wednesday at noon: no change of clocks, no weekend, no month's end near it."""

LEFT_OUT = pytest.StashKey[Counter[tuple[str, str]]]()


def pytest_configure(config: pytest.Config) -> None:
    """Settings no test should have to think of."""
    from django.conf import settings
    from hypothesis import HealthCheck, Phase
    from hypothesis import settings as hypothesis_settings

    settings.WORKER_HINTS_ENABLED = False
    settings.STAFF_SECOND_FACTOR = False  # tests of it say so
    settings.REVIEW_SECONDS = 0  # no email about an end waits; tests of reviews say so
    settings.DEADLINE_GRACE_SECONDS = 0  # deadlines are exact; tests of the grace say so
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.MAILBOX_ENABLED = True
    settings.STATIC_ROOT = settings.BASE_DIR / "tests" / "nothing-collected"
    settings.WHITENOISE_AUTOREFRESH = True  # else every test client reads all static files before its first request
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        # A file, as in production: SQLite's shared memory database knows no waiting for another writer. Never synced.
        folder = Path(tempfile.mkdtemp(prefix="caravanserai-tests-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        database.setdefault("TEST", {})["NAME"] = str(folder / "test.sqlite3")
        database["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    hypothesis_settings.register_profile(
        "here",
        deadline=None,  # no timing is asserted
        max_examples=1000 if capabilities.has_time() else 50,  # tests that need more to mean anything say so
        phases=[phase for phase in Phase if phase is not Phase.explain],
        suppress_health_check=[HealthCheck.too_slow],
    )
    hypothesis_settings.load_profile("here")
    config.stash[LEFT_OUT] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Some hundred thousand objects that stay to the end: the garbage collector need not visit them again and again.

    Nor need it look for others as often as in a process that has to be small.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        gc.enable()


@pytest.hookimpl(trylast=True)  # when nothing is left but what is to run
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this machine cannot run, and remember why: silence would look like success."""
    kept, left_out = [], []
    for item in items:
        missing = capabilities.first_missing(item)
        if missing is None:
            kept.append(item)
        else:
            left_out.append(item)
            config.stash[LEFT_OUT][missing] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    items[:] = long_ones_first(kept)


def long_ones_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Those marked `long` begin, each with a short one behind it: a process is dealt two at first, and keeps both."""
    long = [item for item in items if item.get_closest_marker("long")]
    short = [item for item in items if not item.get_closest_marker("long")]
    pairs = itertools.chain.from_iterable(zip(long, short, strict=False))
    return [*pairs, *long[len(short) :], *short[len(long) :]]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a process of pytest-xdist: hand what was left out to the process that prints."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = [[*what, number] for what, number in session.config.stash[LEFT_OUT].items()]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take it; every process collects all tests, so each of them says the same."""
    for suite, reason, number in getattr(node, "workeroutput", {}).get("left_out", ()):
        node.config.stash[LEFT_OUT][suite, reason] = number


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say at the end which suites were left out, and what would bring them in."""
    for (suite, reason), number in sorted(config.stash[LEFT_OUT].items()):
        terminalreporter.write_line(f"left out: {number} of {suite} ({reason})")


class NetworkRefused(RuntimeError):
    """A test reached for a machine other than this one."""


def is_loopback(host: str) -> bool:
    """Whether the name or address is this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]").split("%", 1)[0]).is_loopback
    except ValueError:
        return host in ("localhost", "")


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Refuse every connection that would leave this machine, and every question to a name server."""
    patch = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex"):
        patch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
    patch.setattr(socket, "getaddrinfo", _guarded_lookup(socket.getaddrinfo))
    yield
    patch.undo()


def _guarded(connect: Any) -> Any:
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not is_loopback(str(address[0])):
            raise NetworkRefused(f"a test tried to connect to {address[0]}")
        return connect(self, address)

    return guarded


def _guarded_lookup(lookup: Any) -> Any:
    def guarded(host: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host or ""
        if not (is_loopback(name) or _is_address(name)):
            raise socket.gaierror(socket.EAI_NONAME, f"a test asked for the address of {name}")
        return lookup(host, *args, **kwargs)

    return guarded


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@pytest.fixture
def npm_packages() -> Path:
    """Where the packages are that make a client in TypeScript; a test that asks is left out where they are not."""
    return capabilities.NPM_PACKAGES


@pytest.fixture
def nu_checker() -> list[str]:
    """The command; a test that asks for it is left out where it is not."""
    return capabilities.nu_checker() or []


@pytest.fixture
def caddy() -> str:
    """The program; a test that asks for it is left out where it is not."""
    return capabilities.caddy_binary() or ""


@pytest.fixture
def systemd_analyze() -> str:
    """The program; a test that asks for it is left out where it is not."""
    return capabilities.systemd_analyze_binary() or ""


@pytest.fixture(autouse=True, scope="session")
def own_clock() -> None:
    """Tests go by this machine's clock; those of the database's say so themselves. Not every test has a database."""
    from notifications.clock import present

    present.go_by(present.host)


@pytest.fixture(autouse=True)
def own_language_and_zone() -> Iterator[None]:
    """A request leaves its reader's language and zone behind in the thread; the next test starts without."""
    from django.utils import timezone, translation

    yield
    translation.activate("en")
    timezone.deactivate()


@pytest.fixture(autouse=True)
def own_settings() -> Iterator[None]:
    """Importing `config.listener` may choose the settings of child processes: it ends with the test."""
    name = "DJANGO_SETTINGS_MODULE"
    before = os.environ.get(name)
    yield
    if before is not None:
        os.environ[name] = before


@pytest.fixture(autouse=True)
def logs_are_heard() -> None:
    """Whatever a test, or a library it woke, has switched off: the next one hears its log again."""
    logging.disable(logging.NOTSET)
    for logger in list(logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.disabled = False


@pytest.fixture
def now() -> dt.datetime:
    """The moment of most tests."""
    return NOON
