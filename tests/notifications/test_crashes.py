"""A process may die between any two steps: every notice still goes out, at least once, under one and the same id."""

import contextlib
import datetime as dt
from dataclasses import dataclass

import pytest
from django.db import connection, transaction

from notifications import claims, outbox
from notifications.models import Attempt, Delivery, Notice

pytestmark = pytest.mark.django_db(transaction=True)


class Crash(BaseException):
    """The process died."""


@dataclass
class CrashAt:
    """Dies before or after the statement of a given number; counts on for ever without one."""

    step: int = -1
    after: bool = False
    count: int = 0

    def __call__(self, execute, sql, params, many, context):
        if sql.startswith("BEGIN"):  # SQLite's; nothing has happened yet before the statement after it
            return execute(sql, params, many, context)
        here = self.count == self.step
        self.count += 1
        if here and not self.after:
            raise Crash
        result = execute(sql, params, many, context)
        if here:
            raise Crash
        return result


def count_steps(work):
    counter = CrashAt()
    with connection.execute_wrapper(counter):
        work()
    return counter.count


def points(steps):
    return [(step, after) for step in range(steps) for after in (False, True)]


def test_delivering_survives_a_crash_before_and_after_every_statement(tell, anna, mail, now):
    tell(anna, dedupe_key="count")
    steps = count_steps(lambda: outbox.deliver_one(now))
    assert steps >= 6, "a claim, an attempt, and what became of both"
    repeated = 0
    for step, after in points(steps):
        mail.sent.clear()
        key = f"{step} {after}"
        delivery = tell(anna, dedupe_key=key).deliveries.get()
        with contextlib.suppress(Crash), connection.execute_wrapper(CrashAt(step, after)):
            outbox.deliver_one(now)
        for round_ in range(1, 4):
            while outbox.deliver_one(now + round_ * claims.LEASE):
                pass
        delivery.refresh_from_db()
        assert delivery.state == "accepted", key
        assert set(mail.sent) == {delivery.message_id} and len(mail.sent) <= 2, key
        assert outbox.accepted_at(key) is not None
        repeated += len(mail.sent) - 1
    assert repeated > 0, "no crash between accepted and recorded was tried"


@pytest.mark.parametrize("_case", ["before it is sent", "after it was accepted"])
def test_a_crash_around_the_sending_itself_repeats_it_at_most_once(tell, anna, mail, now, drain, _case):
    delivery = tell(anna).deliveries.get()
    if _case == "before it is sent":
        mail.errors = [Crash()]
    else:
        mail.during = _die_once()
    with pytest.raises(Crash):
        outbox.deliver_one(now)
    assert drain(now) == 0, "the lease still holds"
    drain(now + claims.LEASE)
    assert mail.sent == [delivery.message_id] * (1 if _case == "before it is sent" else 2)
    assert Delivery.objects.get().state == "accepted"
    assert list(Attempt.objects.order_by("pk").values_list("outcome", flat=True)) == ["", "accepted"]


def _die_once():
    deaths = iter([Crash()])

    def during(delivery):
        for death in deaths:
            raise death

    return during


def test_telling_is_all_or_nothing_at_every_statement(tell, ben, now):
    def told(key):
        with transaction.atomic():
            tell(ben, dedupe_key=key)

    for step, after in points(count_steps(lambda: told("count"))):
        key = f"{step} {after}"
        with contextlib.suppress(Crash), connection.execute_wrapper(CrashAt(step, after)):
            told(key)
        written = Notice.objects.filter(dedupe_key=key).count()
        assert Delivery.objects.filter(notice__dedupe_key=key).count() == 2 * written, key
        told(key)
        assert Delivery.objects.filter(notice__dedupe_key=key).count() == 2, key


def test_work_left_by_many_dead_processes_is_finished_by_one_that_lives(tell, anna, mail, now, drain):
    ids = {tell(anna).deliveries.get().message_id for _ in range(10)}
    for _ in range(10):
        claims.claim_one(now)  # and never heard of again
    assert drain(now) == 0
    drain(now + claims.LEASE + dt.timedelta(seconds=1))
    assert set(mail.sent) == ids and len(mail.sent) == 10
