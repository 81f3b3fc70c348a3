"""`python -m tests.soak.measure memory --tasks 100000`, `... lateness --passes 500`, `... push --messages 600`: figures
of a healthy service.

The programs are those of `python -m tests.soak`: PostgreSQL, Redis, two workers, Beat, a mail server. None is killed.
`memory` gives the workers tasks, and real mails among them, and says how much they grew after the first tenth.
`lateness` lets people miss deadlines and says how long after each the seat was passed. `push` seats people with devices
and says how long after the commit that asks them the push service has the message. The exit status is 0 if the goals
of docs/reliability.md are met.
"""

import argparse
import itertools
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.soak.__main__ import surroundings

QUEUES = {"games.play": "play", "notifications.deliver": "deliver"}
PAUSE = 2.0  # seconds between two tables of which mails and webhooks are sent
QUEUED = 400  # tasks that wait at a time
GROWTH = 0.05  # at most, over all tasks
LATEST = 60.0  # seconds after its deadline by which 99 of 100 are passed
PACE_SECONDS = 15
PUSH_PAUSE = 0.5  # seconds between two tables of which people with devices are told
PUSH_SOON, PUSH_LATEST = 3.0, 30.0  # seconds in which half of the messages, and 99 of 100, are with the push service
PAGE = 4096  # bytes


def main(arguments: list[str]) -> int:
    """Run one of them; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.measure", description=__doc__)
    parser.add_argument("what", choices=("memory", "lateness", "push"))
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--passes", type=int, default=500)
    parser.add_argument("--messages", type=int, default=600)
    parser.add_argument("--tables", type=int, default=60, help="of three, whose people never answer")
    parser.add_argument("--most", type=float, default=7200.0, help="seconds after which it ends in any case")
    options = parser.parse_args(arguments)
    with surroundings(1, EXTRA_PACE=f"trial:{PACE_SECONDS}") as (programs_of, _world, port):
        programs = programs_of()
        with programs.running():
            if options.what == "memory":
                return memory(programs, port, options.tasks, options.most)
            if options.what == "push":
                return push(options.messages, options.most)
            return lateness(options.tables, options.passes, options.most)


# Memory


def memory(programs: Any, port: int, tasks: int, most: float) -> int:
    """Sizes of the workers while they do so many tasks; what came before a tenth of them is warming up."""
    from tests.soak.people import Hosts

    samples: list[tuple[int, dict[str, float]]] = []
    end = time.monotonic() + most
    with _busy(Hosts(port, 1, pause=PAUSE)), _feeding(programs.redis_url) as fed:
        while (done := fed()) < tasks and time.monotonic() < end:
            samples.append((done, {name: _size_of(child.process.pid) for name, child in _workers(programs)}))
            print(f"{done} tasks, MB: {samples[-1][1]}", flush=True)
            time.sleep(5)
    warm = [sizes for count, sizes in samples if count >= tasks / 10]
    fifth = max(1, len(warm) // 5)
    growth = {}
    for name in warm[0]:
        first, last = (statistics.median(s[name] for s in part) for part in (warm[:fifth], warm[-fifth:]))
        growth[name] = last / first - 1
        print(f"{name}: {first:.1f} MB, at last {last:.1f} MB: {growth[name]:+.1%}")
    print(f"{done} tasks of {tasks}")
    return 0 if done >= tasks and max(growth.values()) <= GROWTH else 1


def _workers(programs: Any) -> Iterator[tuple[str, Any]]:
    return ((name, child) for name, child in programs.children.items() if name.startswith("worker"))


def _size_of(pid: int) -> float:
    """Megabytes that a worker itself holds: the processes of its pool are new after a thousand tasks."""
    resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(resident * PAGE / 1e6, 1)


@contextmanager
def _busy(hosts: Any) -> Iterator[None]:
    thread = threading.Thread(target=hosts.run, daemon=True)
    hosts.is_busy = True
    thread.start()
    try:
        yield
    finally:
        hosts.stop()
        thread.join()


@contextmanager
def _feeding(redis_url: str) -> Iterator[Callable[[], int]]:
    """Keeps the queues filled; what is given says how many tasks have been taken from them."""
    import redis
    from celery import Celery

    app, client = Celery(broker=redis_url), redis.Redis.from_url(redis_url)
    sent, over = 0, threading.Event()

    def feed() -> None:
        nonlocal sent
        while not over.is_set():
            for task, queue in QUEUES.items():
                for _ in range(QUEUED // 2 - int(client.llen(queue))):
                    app.send_task(task, queue=queue, ignore_result=True)
                    sent += 1
            over.wait(0.2)

    thread = threading.Thread(target=feed, daemon=True)
    thread.start()
    try:
        yield lambda: sent - sum(int(client.llen(queue)) for queue in QUEUES.values())
    finally:
        over.set()
        thread.join()


# Lateness


def lateness(tables: int, passes: int, most: float) -> int:
    """How long after their deadlines those are passed who do not answer; the service gives them a while by intent."""
    from games.models import Move
    from tests.soak.people import seat_silent

    seat_silent(tables)
    end = time.monotonic() + most
    made = Move.objects.filter(source=Move.Source.DEADLINE)
    while (count := made.count()) < passes and time.monotonic() < end:
        print(f"{count} passes", flush=True)
        time.sleep(5)
    late = sorted(_seconds_late(made))
    if not late:
        print("nobody was passed")
        return 1
    share = {part: late[min(len(late) - 1, int(part * len(late)))] for part in (0.0, 0.5, 0.99, 1.0)}
    print(f"{len(late)} passes; seconds after the deadline: {share}")
    return 0 if len(late) >= passes and share[0.0] > 0 and share[0.99] <= LATEST else 1


# Notifications on devices


def push(messages: int, most: float) -> int:
    """How long after a commit the push service has its messages, of games that begin one after the other."""
    from notifications.models import Delivery
    from tests.notifications.web import running_web
    from tests.soak.people import seat_silent

    told = Delivery.objects.filter(channel="push", accepted_at__isnull=False).select_related("notice")
    end = time.monotonic() + most
    with running_web() as service:
        service.status = 201
        numbers = itertools.count()
        while (count := told.count()) < messages and time.monotonic() < end:
            seat_silent(1, next(numbers), f"{service.url}/")
            time.sleep(PUSH_PAUSE)
            print(f"{count} messages", flush=True)
        late = sorted((row.accepted_at - row.notice.created_at).total_seconds() for row in told if row.accepted_at)
        received = len(service.requests)
    share = {part: late[min(len(late) - 1, int(part * len(late)))] for part in (0.5, 0.99, 1.0)}
    print(f"{len(late)} messages, {received} received; seconds after the commit: {share}")
    is_met = share[0.5] <= PUSH_SOON and share[0.99] <= PUSH_LATEST
    return 0 if len(late) >= messages and is_met else 1


def _seconds_late(made: Any) -> Iterator[float]:
    from games.models import Decision

    for move in made.order_by("pk"):
        row = Decision.objects.get(game=move.game_id, code=move.decision, seat__number=move.seat)
        assert row.due_at is not None
        yield (move.made_at - row.due_at).total_seconds()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
