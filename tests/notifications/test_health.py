"""A channel rests when its other side is down, and keeps to a rate; the mails lose no tries by it."""

import datetime as dt

import pytest
from django.core.management import call_command

from notifications import ledger
from notifications.channels.base import ChannelError
from notifications.channels.mail import refusals
from notifications.clock import present
from notifications.delivery import claims, health, sending
from notifications.models import Attempt, ChannelHealth, Delivery

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
    assert health.failing_channels(), "at the first failure that a second one confirms"
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


def test_while_one_tries_whether_it_works_again_no_other_does(tell, anna, mail, drain, now):
    for _ in range(health.FAILURES + 2):
        tell(anna)
    mail.errors = down(health.FAILURES)
    drain()
    assert [len(claims.claim(now + MINUTE, channel="mail")) for _ in range(2)] == [1, 0]


def test_the_rest_does_not_grow(now, db):
    for failures in range(40):
        health.record_failure("mail", now, failures, "down")
    assert ChannelHealth.objects.get().paused_until == now + health.REST


def test_one_failure_that_no_second_one_confirms_lets_nothing_rest(tell, anna, mail, drain, now):
    for _ in range(3):
        tell(anna)
    mail.errors = down()
    drain()
    assert len(mail.sent) == 2 and not health.failing_channels()


def test_after_three_days_without_a_server_everything_goes_out_within_a_minute(tell, anna, mail, drain, now):
    for _ in range(3):
        tell(anna)
    mail.errors = down(100_000)
    at = now
    for _ in range(3 * 24 * 6):
        drain(at)
        at += 10 * MINUTE
    assert max(Delivery.objects.values_list("tries", flat=True)) == 1
    assert Attempt.objects.count() <= 3, "the ledger keeps no row of each look at a dead server"
    mail.errors = []
    drain(at)
    drain(at + MINUTE)
    assert len(mail.sent) == 3 and not health.failing_channels()


def test_a_mail_that_makes_a_server_hang_up_does_not_stop_the_others_and_is_given_up(
    tell, anna, mail, drain, now, monkeypatch
):
    poison = tell(anna).deliveries.get()
    take = mail.send

    def hangs_up_on_it(delivery, packed):
        if delivery.pk == poison.pk:
            raise ChannelError("it hung up", is_general=True)
        return take(delivery, packed)

    monkeypatch.setattr(mail, "send", hangs_up_on_it)
    at = now
    for _ in range(3 * sending.tries_allowed("mail")):
        tell(anna, now=at)
        drain(at)
        drain(at + MINUTE)
        drain(at + 2 * MINUTE)
        at += dt.timedelta(days=1)
    assert len(mail.sent) == 3 * sending.tries_allowed("mail")
    poison.refresh_from_db()
    assert poison.state == "quarantined"


def test_the_rest_can_be_ended_by_a_command(tell, anna, mail, drain, now, capsys):
    for _ in range(3):
        tell(anna)
    mail.errors = down(2)
    drain()
    assert drain(now + SECOND) == 0
    call_command("resume_channel", "mail")
    assert "mail is tried now" in capsys.readouterr().out
    drain(now + SECOND)
    assert mail.sent and not health.failing_channels()
    call_command("resume_channel", "mail")
    assert "does not rest" in capsys.readouterr().out


def test_tries_that_were_under_way_together_are_one_failure(now, db):
    for known in (0, 0, 0):
        health.record_failure("mail", now, known, "down")
    row = ChannelHealth.objects.get()
    assert (row.failures, row.paused_until) == (1, None)
    for known in (1, 1, 1, 0):
        health.record_failure("mail", now, known, "down")
    row.refresh_from_db()
    assert (row.failures, row.paused_until) == (health.FAILURES, now + health.REST)


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


def test_while_the_mail_server_takes_nothing_the_ledger_says_why_a_mail_waits(tell, anna, mail, drain, now):
    notices = [tell(anna) for _ in range(3)]
    mail.errors = down(2)
    drain()
    ChannelHealth.objects.update(paused_until=present.now() + MINUTE)
    lines = [line for entry in ledger.entries(notices) for line in entry.lines]
    assert {line.reason_code for line in lines if line.state == "waiting"} >= {refusals.NOT_NOW}
