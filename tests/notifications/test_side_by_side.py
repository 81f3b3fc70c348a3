"""Channels, and owners of webhooks, that do not keep each other waiting."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from config import ticker
from config.celery import app
from notifications import tasks
from notifications.channels.base import ChannelError
from notifications.channels.webhook import webhooks
from notifications.delivery import claims, sending
from notifications.models import Delivery, Endpoint, Recipient
from tests.notifications.conftest import Recorder, replace_sending
from tests.waiting import until

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
    sending.deliver_due("mail")
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
    replace_sending(monkeypatch, slow, waiting)
    replace_sending(monkeypatch, other, quick)
    tell(ben)
    done = threading.Event()
    quick.during = lambda delivery: done.set()
    round_of_all = threading.Thread(target=sending.deliver_side_by_side)
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


@pytest.mark.django_db(transaction=True)
def test_two_mails_that_hang_keep_two_threads_and_neither_webhooks_nor_the_clock(tell, ben, monkeypatch):
    waiting, quick = Waiting(), Recorder()
    replace_sending(monkeypatch, "mail", waiting)
    replace_sending(monkeypatch, "webhook", quick)
    monkeypatch.setattr(claims, "MOST", 1)
    monkeypatch.setattr(sending, "SECONDS", 0.5)
    try:
        for number in range(1, 5):
            tell(ben)
            until(lambda number=number: ticker.tick_once() and len(quick.sent) == number, "the webhook went out")
        assert (sending._senders["mail"], waiting.sent) == (sending.ROUNDS, [])
    finally:
        waiting.go_on.set()
        wait(ticker._sending)
    assert sending._senders.total() == 0


@pytest.mark.django_db(transaction=True)
def test_tasks_that_deliver_leave_threads_of_the_worker_to_play(monkeypatch):
    go_on, begun = threading.Event(), []
    monkeypatch.setattr(sending, "deliver_side_by_side", lambda: begun.append(go_on.wait(WAIT)))
    monkeypatch.setattr(sending, "handle_waiting_replies", lambda: begun.append(None))
    with ThreadPoolExecutor(tasks.MOST) as pool:
        under_way = [pool.submit(tasks.deliver) for _ in range(tasks.MOST)]
        until(lambda: len(begun) == tasks.MOST, "as many as may")
        tasks.deliver()
        assert len(begun) == tasks.MOST
        go_on.set()
        wait(under_way)
    assert app.conf.worker_concurrency > tasks.MOST


@pytest.fixture
def carla(db):
    """She has a webhook as well, and it works."""
    made = Recipient.objects.create(address="carla@example.org", name="Carla")
    Endpoint.objects.create(recipient=made, url="https://carla.example.org/hook")
    return made


def claimed_for(now, **given):
    """The owners of the webhooks that one claim leases, each as often as he has some in it."""
    return [claim.delivery.endpoint.recipient.name for claim in claims.claim(now, channel="webhook", **given)]


def fail(owner, now):
    assert Endpoint.objects.filter(pk=owner.endpoints.first().pk).update(failing_since=now)


@pytest.mark.django_db
def test_one_sender_at_a_time_claims_webhooks_of_one_owner(tell, ben, hooks, carla, now):
    tell(ben)
    assert claimed_for(now, most=1) == ["Ben"]
    tell(carla)
    assert claimed_for(now) == ["Carla"]
    assert claimed_for(now) == []
    assert claimed_for(now + claims.LEASE, most=1) == ["Ben"], "as the first sender is dead"


@pytest.mark.django_db
def test_where_one_webhook_fails_no_other_owners_are_claimed_with_those_of_its_owner(tell, ben, hooks, carla, now):
    fail(ben, now)
    for one in (ben, carla):
        tell(one)
    assert [claimed_for(now), claimed_for(now), claimed_for(now)] == [["Ben"], ["Carla"], []]


@pytest.mark.django_db
def test_one_sender_tries_the_webhooks_of_all_owners_where_one_fails_whatever_the_bound(
    tell, ben, carla, now, settings
):
    settings.WEBHOOKS_AT_ONCE = 1
    dora, eva = (Recipient.objects.create(address=f"{name}@example.org", name=name) for name in ("Dora", "Eva"))
    for one in (dora, eva):
        Endpoint.objects.create(recipient=one, url=f"https://{one.name}.example.org/hook")
    fail(ben, now)
    fail(dora, now)
    for one in (ben, dora, carla, eva):
        tell(one)
    assert claimed_for(now, failing=False, most=1) == ["Carla"]
    assert claimed_for(now) == ["Ben"], "he takes none of the places of the others"
    assert claimed_for(now) == []
    Delivery.objects.filter(endpoint__recipient__in=(ben, carla)).update(state="accepted", lease_until=None)
    assert claimed_for(now) == ["Dora"]
    assert claimed_for(now) == ["Eva"]


@pytest.mark.django_db
def test_a_webhook_that_is_switched_off_makes_its_owners_others_wait_no_more(tell, ben, hooks, carla, now):
    fail(ben, now)
    webhooks.stop(ben.endpoints.first(), "gone", now)
    for one in (ben, carla):
        tell(one)
    assert sorted(claimed_for(now)) == ["Ben", "Ben", "Ben", "Carla"]


class Stalling(Recorder):
    """A channel on which the web servers of one owner take nothing until they are let go."""

    def __init__(self, owner):
        super().__init__()
        self.owner, self.asked, self.go_on = owner, [], threading.Event()

    def send(self, delivery, packed):
        if delivery.endpoint.recipient == self.owner:
            self.asked.append(delivery.pk)
            assert self.go_on.wait(WAIT)
            raise ChannelError("timeout")
        return super().send(delivery, packed)


@pytest.fixture
def stalling(ben, hooks, monkeypatch):
    """Ben's four webhooks stall."""
    channel = Stalling(ben)
    replace_sending(monkeypatch, "webhook", channel)
    replace_sending(monkeypatch, "mail", Recorder())
    return channel


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_known", [False, True])
def test_while_one_owners_webhooks_stall_all_of_anothers_go_out(tell, ben, carla, stalling, now, monkeypatch, is_known):
    monkeypatch.setattr(sending, "MOST_IN_ROUND", 3)  # however many shares that takes
    monkeypatch.setattr(sending, "PATIENCE", 0.01)
    if is_known:
        fail(ben, now)
    for _ in range(8):
        tell(ben)
    for _ in range(8):
        tell(carla)
    round_of_all = threading.Thread(target=sending.deliver_side_by_side)
    round_of_all.start()
    try:
        until(lambda: len(stalling.sent) == 8, "all of Carla's went out")
        tell(carla)
        until(lambda: len(stalling.sent) == 9, "what came meanwhile went out")
        assert len(stalling.asked) == 1, "one sender waits for Ben's web servers"
    finally:
        stalling.go_on.set()
        round_of_all.join()


@pytest.mark.django_db(transaction=True)
def test_what_was_claimed_with_one_that_stalls_is_given_back_while_it_stalls(
    tell, ben, carla, stalling, now, monkeypatch
):
    monkeypatch.setattr(sending, "PATIENCE", 0.2)
    tell(ben)
    tell(carla)
    claimed = claims.claim(now, channel="webhook")
    assert len(claimed) == 5
    sender = threading.Thread(target=sending.send_all, args=(claimed, now))
    sender.start()
    try:
        left = Delivery.objects.filter(channel="webhook", state="waiting", tries=0)
        until(lambda: left.count() == 4, "the others were given back")
        assert claimed_for(now) == ["Carla"]
    finally:
        stalling.go_on.set()
        sender.join()
    assert len(stalling.asked) == 1 and stalling.sent == [], "the first sender begins none of them"


@pytest.mark.django_db(transaction=True)
def test_however_long_words_take_the_first_of_a_claim_is_tried(tell, anna, words, mail, now, monkeypatch):
    monkeypatch.setattr(sending, "PATIENCE", 0.01)
    first, second = tell(anna), tell(anna)
    claimed = claims.claim(now, channel="mail")
    is_given_back, compose = threading.Event(), words.compose
    give_back = sending.give_back

    def noted(left):
        give_back(left)
        is_given_back.set()

    def takes_long(*given):
        assert is_given_back.wait(WAIT)
        return compose(*given)

    monkeypatch.setattr(sending, "give_back", noted)
    monkeypatch.setattr(words, "compose", takes_long)
    assert sending.send_all(claimed, now) == 1
    assert first.deliveries.get().state == "accepted" and second.deliveries.get().state == "waiting"
