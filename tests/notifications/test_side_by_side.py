"""Channels that do not keep each other waiting."""

import threading

import pytest

from notifications.channels.base import ChannelError
from notifications.channels.registry import CHANNELS
from notifications.delivery import claims, ticks
from notifications.models import Delivery, Endpoint
from tests.notifications.conftest import Recorder

WAIT = 60.0  # seconds until a test gives up


@pytest.fixture
def hooks(ben):
    """Ben has three webhooks more, each at an address of its own."""
    return [Endpoint.objects.create(recipient=ben, url=f"https://{n}.example.org/hook") for n in range(3)]


@pytest.mark.django_db
@pytest.mark.parametrize("channel", ["mail", "webhook"])
def test_a_claim_of_one_channel_is_never_behind_another_channels(tell, ben, hooks, now, channel):
    for _ in range(claims.MOST):
        tell(ben)
    Delivery.objects.filter(channel=channel).update(attempt_after=now)  # all others are older
    Delivery.objects.exclude(channel=channel).update(attempt_after=now - claims.LEASE)
    claimed = claims.claim(now, channel=channel)
    assert claimed and {claim.delivery.channel for claim in claimed} == {channel}


@pytest.mark.django_db
def test_a_mail_server_in_trouble_does_not_make_webhooks_go_out_one_by_one(tell, anna, ben, hooks, mail, now):
    tell(anna)
    mail.errors = [ChannelError("down", is_general=True)]
    ticks.deliver_due("mail")
    tell(ben)
    assert len(claims.claim(now, channel="webhook")) > 1


class Waiting(Recorder):
    """A channel whose other side takes nothing until it is let go; it says when it was first asked."""

    def __init__(self):
        super().__init__()
        self.asked, self.go_on = threading.Event(), threading.Event()

    def send(self, delivery, packed):
        self.asked.set()
        assert self.go_on.wait(WAIT)
        return super().send(delivery, packed)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("slow", "other"), [("mail", "webhook"), ("webhook", "mail")])
def test_while_one_channel_waits_the_other_delivers_even_what_comes_later(tell, ben, monkeypatch, slow, other):
    waiting, quick = Waiting(), Recorder()
    monkeypatch.setitem(CHANNELS, slow, waiting)
    monkeypatch.setitem(CHANNELS, other, quick)
    tell(ben)
    done = threading.Event()
    quick.during = lambda delivery: done.set()
    round_of_all = threading.Thread(target=ticks.deliver_side_by_side)
    round_of_all.start()
    try:
        for _ in range(2):  # what was there, and what comes while the slow one still waits
            assert done.wait(WAIT) and waiting.asked.wait(WAIT)
            assert waiting.sent == []
            done.clear()
            tell(ben)
        assert done.wait(WAIT) and waiting.sent == []
    finally:
        waiting.go_on.set()
        round_of_all.join()
