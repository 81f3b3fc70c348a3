"""Blocking while the other acts. Real races on PostgreSQL."""

import datetime as dt
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from games.clubs import clubs
from games.models import Friendship, User
from games.people import blocks, friends

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def is_waited_for() -> bool:
    """Whether somebody waits for what this transaction has locked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
        return cursor.fetchone() is not None


def before_it_is_stored(act: Callable[[], object], other_act: Callable[[], object]) -> None:
    """Does something else in another thread after the act and before its transaction ends."""

    def do() -> None:
        other_act()
        connection.close()

    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            act()
            doing = thread.submit(do)
            while not (doing.done() or is_waited_for()):
                threading.Event().wait(0.01)
        doing.result()


def test_who_accepts_a_request_as_he_is_blocked_is_no_friend(anna: User, ben: User, now: dt.datetime) -> None:
    row = friends.ask(user=anna, other=ben, now=now)
    before_it_is_stored(
        lambda: friends.accept(user=ben, ref=row.ref, now=now),
        lambda: blocks.block(by=anna.recipient, other=ben, now=now),
    )
    assert friends.friends_of(anna) == [] and not clubs.are_acquainted(anna, ben)


def test_no_request_of_somebody_who_asks_as_he_is_blocked_waits(anna: User, ben: User, now: dt.datetime) -> None:
    before_it_is_stored(
        lambda: friends.ask(user=ben, other=anna, now=now), lambda: blocks.block(by=anna.recipient, other=ben, now=now)
    )
    assert friends.requests_received(anna) == []
    assert Friendship.objects.get().status == Friendship.Status.DECLINED
