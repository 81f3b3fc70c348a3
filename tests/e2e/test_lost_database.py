"""The line to PostgreSQL goes dead: a pooler that stops, packets that are lost one way or the other.

One web and one worker with the settings of production, over a line of ours. No socket is closed and no server timeout
applies (BEHIND_POOLER): only the limits of the processes themselves help.
`python -m pytest -s tests/e2e/test_lost_database.py` prints the slowest answer.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests

from tests.e2e.running import WEB, WORKER, Running, until
from tests.tcp_line import TO_CLIENT, TO_SERVER, Line, line_to

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.redis]

WAITING = 30  # seconds somebody waits for an answer: a dead line is never answered
ASKED = ("archive/", "api/v1/me/", "archive/")
OUTAGES: dict[str, Callable[[Line], None]] = {
    "a pooler stops": Line.stop,
    "what is sent to the server is lost": lambda line: line.lose(TO_SERVER),
    "what the server sends is lost": lambda line: line.lose(TO_CLIENT),
}


@pytest.fixture
def house(postgres_url: str, redis_url: str, tmp_path: Path) -> Iterator[tuple[Running, Line]]:
    with line_to(postgres_url) as (line, url):
        running = Running(tmp_path, url, redis_url, "smtp://127.0.0.1:9")
        running.environment["BEHIND_POOLER"] = "on"
        running.run("python", "-m", "config.prepare")
        started = [running.children[name] for name in (WEB, WORKER)]
        try:
            for child in started:
                child.environment = running.environment | dict(child.environment) | {"BEHIND_POOLER": "on"}
                child.start()
            for name in (WEB, WORKER):
                running.wait_for(name)
            yield running, line
        finally:
            line.mend()
            for child in started:
                child.stop()


def test_a_dead_line_to_the_database_holds_up_nobody(house: tuple[Running, Line]) -> None:
    running, line = house
    for what, begin in OUTAGES.items():
        assert ask(running, "archive/").status_code == 200
        begin(line)
        refused, slowest = refusals(running)
        print(f"  {what}: {dict(refused)}, the slowest after {slowest:.1f} s", flush=True)
        assert refused == {503: len(ASKED)}, what
        assert (running.health(WEB), running.readiness(WEB)) == (200, 503), what
        ticked = until(rounds(running, 2), f"two rounds of the ticker though {what}")
        line.mend()
        mended = until(lambda: running.readiness(WEB) == 200, f"all is well after {what}")  # nothing was started anew
        until(rounds(running, 1), f"the ticker goes on after {what}")
        print(f"  {ticked:.1f} s for two rounds of the ticker meanwhile, well {mended:.1f} s after it", flush=True)


def refusals(running: Running) -> tuple[Counter[int], float]:
    """The status of each answer while the line is dead, and the seconds that the slowest took."""
    seen: Counter[int] = Counter()
    slowest = 0.0
    for path in ASKED:
        begun = time.monotonic()
        answer = ask(running, path)
        slowest = max(slowest, time.monotonic() - begun)
        assert answer.status_code != 503 or answer.headers["Retry-After"], path
        seen[answer.status_code] += 1
    return seen, slowest


def ask(running: Running, path: str) -> requests.Response:
    address = f"http://127.0.0.1:{running.ports[WEB]}/{path}"
    headers = {"X-Forwarded-Proto": "https", "Host": "localhost", "Authorization": "Bearer no-token-of-ours"}
    return requests.get(address, headers=headers, timeout=WAITING, allow_redirects=False)


def rounds(running: Running, number: int) -> Callable[[], bool]:
    """Whether the ticker has ended so many rounds since now."""
    file = running.tick_file(WORKER)
    seen = {file.stat().st_mtime_ns}

    def have_ended() -> bool:
        seen.add(file.stat().st_mtime_ns)
        return len(seen) > number

    return have_ended
