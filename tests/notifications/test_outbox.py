"""Telling: what is written, when, and what it says afterwards."""

import datetime as dt

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from notifications import composers, ledger, outbox, worker_hints
from notifications.composers import Topic
from notifications.delivery import claims, health, sending
from notifications.models import Delivery, DeliveryState, Endpoint, Notice
from tests.notifications.conftest import KIND, Words

pytestmark = pytest.mark.django_db
MINUTE = dt.timedelta(minutes=1)


def states():
    return sorted(Delivery.objects.values_list("channel", "state"))


def test_a_notice_gets_one_delivery_by_mail(tell, anna):
    notice = tell(anna)
    delivery = notice.deliveries.get()
    assert (delivery.channel, delivery.state, delivery.tries) == ("mail", "waiting", 0)
    assert delivery.message_id.startswith("<") and delivery.message_id.endswith(">")


def test_a_recipient_with_a_webhook_gets_both(tell, ben):
    tell(ben)
    assert states() == [("mail", "waiting"), ("webhook", "waiting")]
    hook = Delivery.objects.get(channel="webhook")
    assert hook.endpoint == ben.endpoints.get()
    assert "." not in hook.message_id


@pytest.mark.parametrize("_case", ["switched off", "kind without words for it", "kind unknown here"])
def test_no_delivery_is_written_for_a_webhook_that_cannot_be_used(tell, ben, words, _case):
    kind = "test"
    if _case == "switched off":
        Endpoint.objects.update(is_enabled=False)
    elif _case == "kind without words for it":
        composers.register("test", words, forms=("letter",))
    else:
        kind = "from a newer version"
    tell(ben, kind=kind)
    assert states() == [("mail", "waiting")]


def test_the_same_key_again_returns_the_same_notice_and_writes_nothing(tell, anna, ben):
    first = tell(anna, dedupe_key="once", data={"n": 1})
    again = tell(ben, dedupe_key="once", data={"n": 2})
    assert again == first and again.recipient == anna and again.data == {"n": 1}
    assert (Notice.objects.count(), Delivery.objects.count()) == (1, 1)


def test_a_notice_of_a_transaction_that_fails_was_never_there(owe, anna):
    with transaction.atomic():
        owe(anna)
        transaction.set_rollback(True)
    assert Notice.objects.count() == 0


def test_its_deliveries_are_made_and_decided_once_by_whoever_claims_first(owe, ben, mail, hook, now):
    notice = owe(ben)
    assert notice.pending is not None and states() == []
    claims.make_deliveries(now)
    made = list(Delivery.objects.order_by("pk"))
    claims.make_deliveries(now)
    assert list(Delivery.objects.order_by("pk")) == made and len(made) == 2
    notice.refresh_from_db()
    assert notice.pending is None
    assert {delivery.attempt_after for delivery in made} == {notice.created_at}


def test_until_then_its_ledger_says_that_it_waits_and_that_is_nobodys_fault_but_ours(owe, ben, now):
    notice = owe(ben)
    ((line,),) = [entry.lines for entry in ledger.entries([notice])]
    assert (line.state, line.via, line.at) == ("waiting", "", notice.created_at)
    assert outbox.accepted_at(notice.dedupe_key) is None
    assert health.is_our_fault(notice.dedupe_key, now, now)
    assert set(health.measure_health(now + MINUTE).oldest_due.values()) == {MINUTE}


def test_what_its_recipient_chooses_before_a_worker_looks_counts(owe, ben, mail, hook, drain):
    owe(ben)
    Endpoint.objects.update(is_enabled=False)
    drain()
    assert states() == [("mail", "accepted")]


def test_what_waits_for_its_time_alone_is_let_go_before_its_deliveries_are_made_too(owe, anna, mail, drain, now):
    owe(anna, dedupe_key="over", not_before=now + MINUTE)
    outbox.release(["over"], now)
    assert drain() == 1


def test_one_of_which_nothing_can_be_decided_keeps_no_other_back(owe, anna, ben, mail, drain, words, monkeypatch):
    decide = claims.decide

    def breaks(delivery, *given, **more):
        if delivery.notice.subject == "broken":
            raise KeyError("broken")
        return decide(delivery, *given, **more)

    monkeypatch.setattr(claims, "decide", breaks)
    owe(anna, subject="broken")
    owe(anna)
    assert drain() == 2 and len(mail.sent) == 2


def test_a_notice_waits_for_its_time(tell, anna, mail, drain, now):
    tell(anna, not_before=now + MINUTE)
    assert drain(now + MINUTE - dt.timedelta(seconds=1)) == 0
    assert drain(now + MINUTE) == 1
    assert len(mail.sent) == 1


def test_workers_are_nudged_after_the_commit_and_not_before(
    tell, anna, monkeypatch, django_capture_on_commit_callbacks
):
    nudges = []
    monkeypatch.setattr(worker_hints, "hint_workers", nudges.append)
    with django_capture_on_commit_callbacks(execute=True):
        tell(anna)
        assert nudges == []
    assert nudges == ["deliver"]


def test_a_nudge_that_fails_does_not_fail_the_caller(
    tell, anna, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def broken(name):
        raise OSError("no broker")

    monkeypatch.setattr(worker_hints, "hint_workers", broken)
    with django_capture_on_commit_callbacks(execute=False) as callbacks:
        tell(anna)
    assert len(callbacks) == 1
    robust = [robust for _ids, _function, robust in transaction.get_connection().run_on_commit]
    assert all(robust)


def test_accepted_at_is_when_the_first_channel_took_it(tell, ben, mail, hook, drain, now):
    tell(ben, dedupe_key="key")
    assert outbox.accepted_at("key") is None
    first, second = Delivery.objects.order_by("pk")
    accepted = {"state": DeliveryState.ACCEPTED, "attempt_after": None}
    Delivery.objects.filter(pk=first.pk).update(accepted_at=now + MINUTE, **accepted)
    Delivery.objects.filter(pk=second.pk).update(accepted_at=now + 2 * MINUTE, **accepted)
    assert outbox.accepted_at("key") == now + MINUTE
    assert outbox.accepted_at("another") is None


@pytest.mark.parametrize(("address", "calls", "emails"), [("ben@example.org", 2, 1), ("", 1, 0)])
def test_of_three_of_a_kind_within_an_hour_a_webhook_hears_two_and_without_email_one(
    tell, ben, mail, hook, drain, now, address, calls, emails
):
    ben.address = address
    ben.save()
    for at in (now, now + MINUTE, now + 2 * MINUTE):
        tell(ben, folded_by="subject", now=at)
        drain(at)
    assert (len(hook.sent), len(mail.sent)) == (calls, emails)


BESIDE = ("SAVEPOINT", "RELEASE", "SELECT pg_try_advisory")


def test_a_mail_costs_eleven_statements(tell, anna, mail, now, monkeypatch):
    monkeypatch.setattr(composers, "_topics", {})
    composers.register(KIND, Words(), forms=("letter",), topic=Topic("needed", "Needed", is_needed=True))
    tell(anna, thread="game:1")
    with CaptureQueriesContext(connection) as asked:
        assert sending.deliver(now, 1)
    # On PostgreSQL one more asks who claims webhooks alone, and one settles the delivery and its attempt together.
    statements = [query["sql"] for query in asked if not query["sql"].startswith(BESIDE)]
    assert mail.sent and len(statements) == (10 if connection.vendor == "postgresql" else 11), statements
