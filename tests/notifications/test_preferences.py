"""By which channels: who has a webhook may do without mail, and gets it all the same while the webhook fails."""

import datetime as dt

import pytest

from notifications import composers, preferences
from notifications.channels.base import ChannelError
from notifications.channels.webhook import webhooks
from notifications.composers import Topic
from notifications.models import Delivery, Endpoint
from tests.notifications.conftest import KIND, Words

pytestmark = pytest.mark.django_db
SECOND = dt.timedelta(seconds=1)
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture(autouse=True)
def topic(words, monkeypatch):
    monkeypatch.setattr(composers, "_topics", {})
    monkeypatch.setattr(composers, "_merger", [])
    composers.register(KIND, Words(), topic=Topic("turns", "Turns", is_needed=True))


def choose(recipient, ways, now, thread=""):
    if thread:
        preferences.choose_for(recipient, thread, rhythm="", muted=[], ways=ways, now=now)
    else:
        preferences.choose(
            recipient, rhythm="at_once", daily_at=dt.time(8), quiet_holds_all=False, muted=[], ways=ways, now=now
        )


def states(channel):
    return list(Delivery.objects.filter(channel=channel).order_by("pk").values_list("state", flat=True))


def test_both_is_usual(tell, ben, mail, hook, drain):
    tell(ben)
    drain()
    assert (len(mail.sent), len(hook.sent)) == (1, 1)


def test_who_wants_webhooks_alone_gets_no_mail_and_the_ledger_says_why(tell, ben, mail, hook, drain, now):
    choose(ben, "webhook", now)
    tell(ben)
    drain()
    assert (len(mail.sent), len(hook.sent)) == (0, 1)
    assert Delivery.objects.get(channel="mail").reason == webhooks.TELLS_INSTEAD


def test_who_wants_mail_alone_is_not_told_by_webhook(tell, ben, mail, hook, drain, now):
    choose(ben, "mail", now)
    tell(ben)
    drain()
    assert (len(mail.sent), len(hook.sent)) == (1, 0)


def test_one_thread_differs_from_the_rest(tell, ben, mail, hook, drain, now):
    choose(ben, "webhook", now)
    choose(ben, "mail", now, thread="game:1")
    tell(ben, thread="game:1")
    tell(ben, thread="game:2")
    drain()
    assert (len(mail.sent), len(hook.sent)) == (1, 1)


def test_without_a_webhook_there_is_mail(tell, anna, mail, drain, now):
    choose(anna, "webhook", now)
    tell(anna)
    drain()
    assert len(mail.sent) == 1


def test_a_webhook_of_the_table_stands_for_nobodys_mail_and_is_silenced_by_nobody(
    tell, anna, ben, mail, hook, drain, now
):
    Endpoint.objects.update(recipient=anna, thread="game:1")
    choose(ben, "webhook", now)
    choose(anna, "mail", now)
    tell(ben, thread="game:1")
    tell(anna, thread="game:1")
    drain()
    assert len(mail.sent) == 2 and states("webhook") == ["accepted", "accepted"]  # in one call


def test_a_webhook_that_is_not_told_of_the_kind_stands_for_no_mail(tell, ben, mail, hook, drain, now):
    Endpoint.objects.update(muted=[KIND])
    choose(ben, "webhook", now)
    tell(ben)
    drain()
    assert (len(mail.sent), len(hook.sent)) == (1, 0)


def test_what_a_webhook_does_not_take_comes_by_mail_until_it_works_again(tell, ben, mail, hook, drain, now):
    choose(ben, "webhook", now)
    tell(ben)
    hook.errors.append(ChannelError("503"))
    drain()
    drain(now + SECOND)
    assert (states("mail"), states("webhook")) == (["accepted"], ["waiting"])
    tell(ben)
    drain(now + SECOND)
    assert len(mail.sent) == 2
    drain(now + MINUTE)
    tell(ben, now=now + MINUTE)
    drain(now + MINUTE)
    assert (len(mail.sent), len(hook.sent)) == (2, 3)


def _switch_off(endpoint, now):
    webhooks.stop(endpoint, webhooks.BY_OWNER, now)


def _remove(endpoint, now):
    webhooks.release_declined(endpoint, now)
    endpoint.delete()


@pytest.mark.parametrize("end", [_switch_off, _remove])
def test_what_a_webhook_has_not_told_when_it_ends_comes_by_mail(tell, ben, mail, hook, drain, now, end):
    choose(ben, "webhook", now)
    tell(ben)
    drain()
    tell(ben)
    end(Endpoint.objects.get(), now)
    drain()
    assert (len(mail.sent), len(hook.sent)) == (1, 1)
    assert states("mail") == ["declined", "accepted"]


def test_what_waits_by_mail_is_told_by_webhook_once_that_is_chosen(tell, ben, mail, hook, drain, now):
    tell(ben, not_before=now + MINUTE)
    choose(ben, "webhook", now)
    drain(now + MINUTE)
    assert (len(mail.sent), len(hook.sent)) == (0, 1)
