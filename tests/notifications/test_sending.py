"""One delivery at a time: sent, refused, repeated, dropped, given up."""

import datetime as dt
import logging

import pytest
from django.db import transaction
from django.utils import translation

from notifications import composers
from notifications.channels.base import ChannelError
from notifications.channels.mail import suppressions
from notifications.channels.mail.channel import MailChannel
from notifications.delivery import sending
from notifications.models import Attempt, AttemptOutcome, Delivery, DeliveryState, Endpoint
from tests.notifications.conftest import Words

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)


def only(channel="mail"):
    return Delivery.objects.get(channel=channel)


def test_nothing_due_says_so(db, now):
    assert sending.deliver(now, 1) == 0


def test_a_due_delivery_is_sent_once_and_recorded(tell, anna, mail, now):
    tell(anna)
    assert sending.deliver(now, 1) == 1
    assert sending.deliver(now, 1) == 0
    delivery = only()
    assert mail.sent == [delivery.message_id]
    assert (delivery.state, delivery.tries, delivery.lease_owner) == ("accepted", 1, "")
    assert delivery.accepted_at >= now
    attempt = Attempt.objects.get()
    assert (attempt.outcome, attempt.started_at) == ("accepted", now)
    assert attempt.ended_at == delivery.accepted_at


def test_the_oldest_goes_first(tell, anna, mail, drain):
    ids = [tell(anna).deliveries.get().message_id for _ in range(3)]
    drain()
    assert mail.sent == ids


def test_while_it_is_sent_nothing_is_locked_and_the_claim_is_there_for_all_to_see(tell, anna, mail, now):
    seen = []

    def during(delivery):
        seen.append((only().state, Attempt.objects.get().outcome))

    mail.during = during
    tell(anna)
    sending.deliver(now, 1)
    assert seen == [("sending", "")]


@pytest.mark.django_db(transaction=True)
def test_delivering_inside_a_transaction_is_refused(tell, anna, mail, now):
    tell(anna)
    with pytest.raises(RuntimeError), transaction.atomic():
        sending.deliver(now, 1)
    assert mail.sent == [] and only().state == "waiting"


def test_words_are_made_in_the_readers_language(tell, ben, mail, hook, words, drain, monkeypatch):
    active = []
    monkeypatch.setattr(words, "is_current", lambda notice: "")
    compose = words.compose
    monkeypatch.setattr(words, "compose", lambda *a: (active.append(translation.get_language()), compose(*a))[1])
    tell(ben)
    drain()
    assert words.languages == ["es", "es"] and active == ["es", "es"]
    assert translation.get_language() != "es"


def test_a_stale_notice_is_dropped_with_the_reason_and_owed_again_when_it_is_told_again(tell, anna, mail, words, drain):
    tell(anna, dedupe_key="closed")
    words.stale = "the decision is closed"
    drain()
    assert mail.sent == []
    assert (only().state, only().reason) == ("stale", "the decision is closed")
    assert Attempt.objects.get().outcome == "dropped"
    words.stale = ""
    tell(anna, dedupe_key="closed")
    drain()
    assert (only().state, len(mail.sent)) == ("accepted", 1)


def test_a_channel_without_words_is_dropped(tell, ben, mail, hook, words, drain, monkeypatch):
    mail_only = words.compose
    monkeypatch.setattr(words, "compose", lambda n, lang, form: mail_only(n, lang, form) if form == "letter" else None)
    tell(ben)
    drain()
    assert (only("mail").state, only("webhook").state) == ("accepted", "stale")
    assert hook.sent == []


def test_who_asked_never_to_be_written_to_is_not(tell, anna, mail, drain):
    suppressions.suppress(" Anna@Example.org", "asked")
    tell(anna)
    drain()
    assert mail.sent == [] and only().state == "suppressed"


def test_security_mail_goes_out_all_the_same(tell, anna, mail, words, drain):
    words.is_security = True
    suppressions.suppress(anna.address, "asked")
    tell(anna)
    drain()
    assert len(mail.sent) == 1


def test_suppression_of_the_address_leaves_the_webhook_alone(tell, ben, mail, hook, drain):
    suppressions.suppress(ben.address, "asked")
    tell(ben)
    drain()
    assert mail.sent == [] and len(hook.sent) == 1


def test_nobody_writes_to_a_recipient_without_an_address(tell, anna, mail, drain):
    tell(anna)
    type(anna).objects.update(address="")
    drain()
    assert mail.sent == [] and (only().state, only().reason) == ("failed", "no_address")


def test_a_passing_failure_is_repeated_under_the_same_id(tell, anna, mail, drain, now):
    tell(anna)
    mail.errors = [ChannelError("busy", code="451")]
    drain()
    delivery = only()
    assert (delivery.state, delivery.tries, delivery.reason) == ("waiting", 1, "busy")
    assert delivery.attempt_after >= now + MailChannel.retry_delays[0]
    assert drain() == 0
    drain(now + DAY)
    assert mail.sent == [delivery.message_id]
    assert [(a.outcome, a.code) for a in Attempt.objects.order_by("pk")] == [("retry", "451"), ("accepted", "")]


def test_a_lasting_refusal_is_final(tell, anna, mail, drain, now):
    tell(anna)
    mail.errors = [ChannelError("no such mailbox", permanent=True, code="550")]
    assert drain() == 1
    assert drain(now + 30 * DAY) == 0
    assert (only().state, only().reason) == ("failed", "no such mailbox")


@pytest.mark.parametrize(("channel", "tries"), [("mail", 10), ("webhook", 10)])
def test_after_the_last_try_a_delivery_is_given_up_aloud(tell, ben, mail, hook, drain, now, caplog, channel, tries):
    tell(ben)
    recorder = {"mail": mail, "webhook": hook}[channel]
    recorder.errors = [ChannelError("busy") for _ in range(50)]
    at = now
    while only(channel).state == "waiting":
        drain(at)
        at = only(channel).attempt_after
    assert (only(channel).state, only(channel).tries) == ("quarantined", tries)
    assert len(recorder.errors) == 50 - tries
    assert [r.levelno for r in caplog.records if "given up" in r.message] == [logging.ERROR]


def test_a_server_that_asks_for_patience_gets_it(tell, anna, mail, drain, now):
    tell(anna)
    mail.errors = [ChannelError("later", retry_after=dt.timedelta(hours=3))]
    drain()
    assert now + dt.timedelta(hours=3) <= only().attempt_after < now + dt.timedelta(hours=3, minutes=1)


def test_a_row_that_raises_is_given_up_after_some_tries_and_stops_nobody_else(
    tell, anna, ben, mail, drain, now, caplog
):
    composers.register("poison", Words(error=KeyError("a secret")))
    tell(anna, kind="poison")
    tell(anna)
    drain()
    assert len(mail.sent) == 1
    for day in range(1, 10):
        drain(now + day * DAY)
    poison = Delivery.objects.get(notice__kind="poison")
    assert (poison.state, poison.tries, poison.reason) == ("quarantined", sending.POISON_TRIES, "KeyError")
    assert all("secret" not in a.detail for a in Attempt.objects.all())
    assert any(r.levelno == logging.ERROR and "given up" in r.message for r in caplog.records)


def test_a_kind_of_a_newer_version_waits_for_a_worker_that_knows_it(tell, anna, mail, words, drain, now):
    tell(anna, kind="new")
    drain()
    assert only().state == "waiting"
    composers.register("new", words)
    drain(now + DAY)
    assert only().state == "accepted"


def test_a_row_that_kills_its_sender_is_given_up_as_well(tell, anna, mail, drain, now):
    tell(anna)
    for number in range(sending.tries_allowed("mail")):
        mail.errors = [KeyboardInterrupt()]
        with pytest.raises(KeyboardInterrupt):
            drain(now + number * DAY)
    drain(now + 30 * DAY)
    assert only().state == "quarantined" and mail.sent == []


def test_who_lost_his_lease_changes_nothing(tell, anna, mail, now):
    def steal(delivery):
        Delivery.objects.update(lease_owner="somebody else")

    mail.during = steal
    tell(anna)
    sending.deliver(now, 1)
    assert (only().state, only().lease_owner) == ("sending", "somebody else")
    assert Attempt.objects.get().outcome == "accepted"


def test_a_dead_endpoint_is_switched_off_and_asked_no_more(tell, ben, mail, hook, drain, now):
    for _ in range(3):
        tell(ben)
    hook.errors = [ChannelError("410: it is gone", permanent=True, disables_endpoint=True)]
    drain()
    assert hook.sent == []
    endpoint = Endpoint.objects.get()
    assert (endpoint.is_enabled, endpoint.disabled_reason) == (False, "410: it is gone")
    assert set(Delivery.objects.filter(channel="webhook").values_list("state", flat=True)) == {"failed"}
    assert len(mail.sent) == 3


def test_a_webhook_switched_off_by_its_owner_gets_nothing_that_still_waits(tell, ben, mail, hook, drain):
    tell(ben)
    Endpoint.objects.update(is_enabled=False)
    drain()
    assert hook.sent == [] and only("webhook").state == DeliveryState.FAILED


def test_settling_says_whether_the_lease_was_still_ours(tell, anna, mail, now):
    from notifications.delivery import claims

    tell(anna)
    (claim,) = claims.claim(now, 1)
    results = {claim.delivery: sending.AttemptResult(AttemptOutcome.ACCEPTED, DeliveryState.ACCEPTED)}
    assert sending.finish(claim, results, now) is True
    assert sending.finish(claim, results, now) is False
