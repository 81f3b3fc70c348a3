"""A channel rests when its other side is down, and keeps to a rate; the mails lose no tries by it."""

import datetime as dt

import pytest

from notifications import health
from notifications.channels import ChannelError
from notifications.models import ChannelHealth, Delivery

pytestmark = pytest.mark.django_db
SECOND = dt.timedelta(seconds=1)
MINUTE = dt.timedelta(minutes=1)


def down(number=1):
    return [ChannelError("connection refused", is_general=True) for _ in range(number)]


def test_a_server_that_is_down_is_left_alone_for_a_while_and_costs_the_rest_no_tries(tell, anna, mail, drain, now):
    for _ in range(20):
        tell(anna)
    mail.errors = down(100)
    assert drain() == health.FAILURES
    assert drain(now + 20 * SECOND) == 0
    assert Delivery.objects.filter(tries=0).count() == 20 - health.FAILURES


def test_one_try_finds_out_whether_it_works_again(tell, anna, mail, drain, now):
    for _ in range(20):
        tell(anna)
    mail.errors = down(health.FAILURES + 1)
    drain()
    assert drain(now + MINUTE) == 1  # still down
    assert drain(now + MINUTE) == 0
    drain(now + 10 * MINUTE)
    assert len(mail.sent) == 20
    assert ChannelHealth.objects.get().failures == 0


def test_the_rest_grows_and_has_an_end(now, db):
    for failures in range(40):
        health.went_wrong("mail", now, failures)
    assert ChannelHealth.objects.get().paused_until == now + health.LONGEST


def test_tries_that_were_under_way_together_are_one_failure(now, db):
    for known in (0, 0, 1, 2, 3, 3, 3):
        health.went_wrong("mail", now, known)
    row = ChannelHealth.objects.get()
    assert (row.failures, row.paused_until) == (4, None)
    for known in (4, 4, 4, 3):
        health.went_wrong("mail", now, known)
    row.refresh_from_db()
    assert (row.failures, row.paused_until) == (health.FAILURES, now + health.SHORTEST)


def test_a_mailbox_that_is_full_says_nothing_about_the_server(tell, anna, mail, drain, now):
    for _ in range(8):
        tell(anna)
    mail.errors = [ChannelError("the recipient was refused (452)") for _ in range(8)]
    assert drain() == 8
    assert not ChannelHealth.objects.exists()


def test_while_mail_rests_webhooks_go_on(tell, ben, mail, hook, drain, now):
    for _ in range(6):
        tell(ben)
    mail.errors = down(100)
    drain()
    assert len(hook.sent) == 6


def test_no_more_mails_a_minute_than_the_provider_allows(tell, anna, mail, drain, now, settings):
    settings.MAIL_PER_MINUTE = 3
    for _ in range(7):
        tell(anna)
    drain(now)
    drain(now + 50 * SECOND)
    assert len(mail.sent) == 3
    drain(now + MINUTE)
    assert len(mail.sent) == 6
    drain(now + 2 * MINUTE)
    assert len(mail.sent) == 7
