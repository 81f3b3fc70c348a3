"""PostgreSQL's clock is the one that counts (RELIABILITY check 49)."""

import datetime as dt

import pytest
from django.db import connection, transaction

from config.database import clock
from notifications.clock import present
from notifications.clock.present import Follower

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
SECOND = dt.timedelta(seconds=1)


def told() -> dt.datetime:
    """What the database says."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (at,) = cursor.fetchone()
    return at


def test_a_process_on_postgresql_goes_by_the_clock_of_its_database():
    with present.going_by(present.host):
        clock.install()
        before = told()
        assert before - SECOND <= present.now() <= told() + SECOND


@pytest.mark.parametrize("skew", [90, -90])
def test_a_machine_whose_clock_is_wrong_decides_nothing(skew: int):
    follower = Follower(clock.read_clock, host=lambda: present.host() + skew * SECOND)
    assert abs(follower() - told()) < SECOND
    assert abs(follower.skew - skew * SECOND) < SECOND


def test_in_a_transaction_time_goes_on():
    with transaction.atomic():
        first = clock.read_clock()
        second = clock.read_clock()
    assert first is not None and second is not None and first < second


def test_a_transaction_that_is_broken_is_not_asked():
    with transaction.atomic():
        transaction.set_rollback(True)
        assert clock.read_clock() is None
