"""A process may die between any two steps: every notice still goes out, at least once, under one and the same id."""

import datetime as dt
import itertools
from collections import Counter
from pathlib import Path

import pytest
from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent
from django.db import transaction

from notifications import composers, outbox
from notifications.channels.base import Answer
from notifications.channels.mail import suppressions
from notifications.composers import Topic
from notifications.delivery import claims, sending
from notifications.inbound import addresses, listener, provider, receiving
from notifications.messages import MailMessage
from notifications.models import Attempt, Bounce, Delivery, DeliveryState, Inbound, Notice
from tests.crashes import deaths, step
from tests.notifications.conftest import KIND, replace_sending

pytestmark = pytest.mark.django_db


class OtherSide:
    """A channel whose receiver keeps what it took, and that may die before and after."""

    def __init__(self):
        self.took = []

    def send(self, delivery, message):
        step("about to send")
        self.took.append(delivery.message_id)
        step("sent, and not known yet")
        return Answer("taken")


@pytest.fixture
def other_side(monkeypatch):
    made = OtherSide()
    replace_sending(monkeypatch, "mail", made)
    replace_sending(monkeypatch, "webhook", made)
    return made


@pytest.mark.slow
def test_several_that_were_claimed_together_survive_a_crash_at_every_step(tell, anna, ben, other_side, now):
    for recipient in (anna, ben, anna):
        tell(recipient)
    ids, repeated = set(Delivery.objects.values_list("message_id", flat=True)), 0

    def work():
        other_side.took.clear()
        sending.deliver(now)

    for where in deaths(work, least=21):
        sent = restart(now, other_side)
        assert set(sent) == ids and sent.total() <= len(ids) + 1, where
        assert set(Delivery.objects.values_list("state", flat=True)) == {DeliveryState.ACCEPTED}, where
        repeated += sent.total() - len(ids)
    assert repeated >= len(ids), "each of them died between taken and recorded"


def test_what_is_given_back_survives_a_crash_at_every_step(tell, anna, other_side, now, monkeypatch):
    ids = {tell(anna).deliveries.get().message_id for _ in range(3)}

    def work():
        other_side.took.clear()
        with monkeypatch.context() as patch:
            patch.setattr(sending.time, "monotonic", itertools.count(step=sending.PATIENCE + 1).__next__)
            sending.deliver(now)

    for where in deaths(work, least=12):
        sent = restart(now, other_side)
        assert set(sent) == ids and sent.total() <= len(ids) + 1, where
        assert set(Delivery.objects.values_list("state", flat=True)) == {DeliveryState.ACCEPTED}, where


def restart(now, other_side):
    """The next processes take up what is left, when the lease of the dead one has lapsed; returns all that was sent."""
    for round_ in range(1, 4):
        while sending.deliver(now + round_ * claims.LEASE):
            pass
    return Counter(other_side.took)


@pytest.mark.parametrize("channel", ["mail", "webhook"])
def test_delivering_survives_a_crash_at_every_step(tell, ben, other_side, now, channel):
    tell(ben)
    Delivery.objects.exclude(channel=channel).delete()
    delivery, repeats = Delivery.objects.get(), 0
    other_side.took.clear()
    for where in deaths(lambda: sending.deliver(now, 1), least=8):
        sent = restart(now, other_side)
        assert set(sent) == {delivery.message_id} and sent.total() <= 2, where
        assert Delivery.objects.get().state == DeliveryState.ACCEPTED, where
        assert outbox.accepted_at("key-0") is not None, where
        repeats += sent.total() - 1
        other_side.took.clear()
    assert repeats > 0, "no crash between taken and recorded was tried"


def test_a_mail_of_several_notices_survives_a_crash_at_every_step(tell, anna, words, other_side, now):
    composers.register(KIND, words, topic=Topic("test", "Test"))
    composers.register_merger(lambda notices, language: MailMessage(f"{len(notices)} news", "Text"))
    for _ in range(3):
        tell(anna)
    first = Delivery.objects.earliest("pk").message_id
    for where in deaths(lambda: sending.deliver(now, 1), least=8):
        sent = restart(now, other_side)
        assert set(Delivery.objects.values_list("state", flat=True)) == {DeliveryState.ACCEPTED}, where
        led = set(Delivery.objects.filter(leader__message_id=first).values_list("notice", flat=True))
        assert set(sent) == {first} and sent.total() <= 2, where
        assert len(led) == 2, where
        other_side.took.clear()


@pytest.mark.parametrize("_case", ["the server says no for now", "it is stale by now", "it was muted"])
def test_what_is_not_sent_survives_a_crash_at_every_step(tell, anna, words, other_side, now, _case):
    tell(anna)
    if _case == "it is stale by now":
        words.stale = "answered"
    elif _case == "it was muted":
        composers.register(KIND, words, topic=Topic("test", "Test"))
        anna.muted = ["test"]
        anna.save()
    else:
        words.error = ValueError()
    for where in deaths(lambda: sending.deliver(now, 1)):
        words.error = None
        sent = restart(now, other_side)
        assert sent.total() == (1 if _case == "the server says no for now" else 0), where
        assert Delivery.objects.get().attempt_after is None, where
        other_side.took.clear()
        words.error = ValueError() if _case == "the server says no for now" else None


def test_telling_is_all_or_nothing_at_every_step(owe, ben, now):
    def told():
        with transaction.atomic():
            owe(ben, dedupe_key="once")

    for where in deaths(told, least=2):
        told()
        assert Notice.objects.count() == 1, where


def test_deliveries_are_made_all_or_not_at_every_step(owe, anna, ben, now):
    owe(ben)
    owe(anna)
    for where in deaths(lambda: claims.make_deliveries(now), least=5):
        is_pending = Notice.objects.filter(pending__isnull=False).exists()
        assert Delivery.objects.count() == (0 if is_pending else 3), where
        claims.make_deliveries(now)
        assert Delivery.objects.count() == 3, where


def test_work_left_by_many_dead_processes_is_finished_by_one_that_lives(tell, anna, other_side, now):
    ids = {tell(anna).deliveries.get().message_id for _ in range(10)}
    for _ in range(10):
        claims.claim(now, 1)  # and never heard of again
    assert not sending.deliver(now, 1), "the leases still hold"
    assert restart(now + dt.timedelta(seconds=1), other_side) == Counter(ids)
    assert set(Attempt.objects.filter(ended_at=None).values_list("outcome", flat=True)) == {""}


class Product:
    """Knows one address; what is said there is done once for each row, in the row's transaction."""

    def __init__(self, recipient, tell):
        self.recipient, self.tell = recipient, tell

    def whose(self, token):
        return ("thing:1", self.recipient)

    def line_for(self, token, line):
        return line

    def handle(self, inbound, now):
        self.tell(self.recipient, dedupe_key=f"heard:{inbound.ref}")
        inbound.answer = inbound.line.upper()
        return Inbound.State.DONE


@pytest.fixture
def hears(anna, owe, settings, monkeypatch):
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    monkeypatch.setattr(receiving, "_handlers", [Product(anna, owe)])


ADDRESS = "reply+k3v9pq2mzt7a-aaaaaaaaaaaaaaaaaaaaaaaaaa@play.example.org"
MAIL = b"From: anna@example.org\r\nMessage-ID: <1@example.org>\r\n\r\n9 crowns\r\n"


def by_our_listener():
    listener._take(MAIL, ADDRESS, "anna@example.org")


def by_a_provider():
    message = AnymailInboundMessage.parse_raw_mime_bytes(MAIL)
    message.envelope_recipient, message.envelope_sender = ADDRESS, "anna@example.org"
    provider.hear(None, AnymailInboundEvent(event_type="inbound", message=message), "Test")


@pytest.mark.parametrize("received", [by_our_listener, by_a_provider])
def test_a_mail_that_is_taken_in_is_there_once_at_every_step(hears, received):
    for where in deaths(received, least=4):
        assert Inbound.objects.count() <= 1, where
        received()  # whoever brought it heard nothing, and comes again
        assert Inbound.objects.get().line == "9 crowns", where


def test_a_mail_that_is_dealt_with_counts_once_at_every_step(hears, anna, now):
    Inbound.objects.create(recipient=anna, subject="thing:1", line="9 crowns", key="k", received_at=now)
    for where in deaths(lambda: receiving.handle_one(now), least=6):
        is_done = Inbound.objects.get().state == Inbound.State.DONE
        assert Notice.objects.count() == (1 if is_done else 0), where
        while receiving.handle_one(now):
            pass
        row = Inbound.objects.get()
        assert (row.state, row.answer, row.tries) == ("done", "9 CROWNS", 0), where
        assert Notice.objects.count() == 1, where


def test_a_report_that_comes_back_is_learned_whole_or_comes_again_at_every_step(tell, anna, mail, settings, drain):
    settings.BOUNCE_ADDRESS = "bounce+{token}@play.example.org"
    tell(anna)
    drain()
    to = addresses.sender_of(Delivery.objects.get().message_id, anna.address)
    report = (Path(__file__).parent / "returned" / "postfix-no-such-mailbox.eml").read_bytes()
    for where in deaths(lambda: listener._take(report, to, ""), least=6):
        is_learned = Delivery.objects.get().state == "returned"
        assert Bounce.objects.exists() == suppressions.is_suppressed(anna.address) == is_learned, where
        listener._take(report, to, "")  # whoever brought it heard nothing, and comes again
        assert Delivery.objects.get().state == "returned" and Bounce.objects.count() == 1, where
        assert suppressions.is_suppressed(anna.address), where
