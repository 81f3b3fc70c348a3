"""Who may send what: one claimer per delivery, one delivery at a time per endpoint, no lease for ever."""

import datetime as dt
import secrets
import threading

import pytest
from django.db import IntegrityError, connection, transaction

from notifications.channels.base import ChannelError
from notifications.delivery import claims
from notifications.models import Attempt, Delivery, DeliveryState, Notice
from tests.notifications.conftest import KIND

pytestmark = pytest.mark.django_db
SECOND = dt.timedelta(seconds=1)


def claim_one(now):
    return next(iter(claims.claim(now, 1)), None)


def test_a_claimed_delivery_is_nobody_elses(tell, anna, now):
    tell(anna)
    claim = claim_one(now)
    assert claim is not None and claim.delivery.state == "sending" and claim.delivery.tries == 1
    assert claim_one(now) is None


def test_a_lapsed_lease_is_claimed_again_by_the_same_query(tell, anna, now):
    tell(anna)
    first = claim_one(now)
    assert claim_one(now + claims.LEASE - SECOND) is None
    second = claim_one(now + claims.LEASE)
    assert second.delivery.pk == first.delivery.pk
    assert second.delivery.message_id == first.delivery.message_id
    assert second.delivery.lease_owner != first.delivery.lease_owner
    assert second.delivery.tries == 2 and Attempt.objects.count() == 2


def test_of_two_claimers_at_once_one_gets_the_row_and_the_other_the_next(tell, anna, now, monkeypatch):
    first, second = (tell(anna).deliveries.get() for _ in range(2))
    token_hex = secrets.token_hex

    def somebody_is_faster(length):
        monkeypatch.setattr(secrets, "token_hex", token_hex)
        Delivery.objects.filter(pk=first.pk).update(
            state=DeliveryState.SENDING, attempt_after=now + claims.LEASE, lease_owner="faster"
        )
        return token_hex(length)

    monkeypatch.setattr(secrets, "token_hex", somebody_is_faster)
    assert claim_one(now).delivery == second
    assert Delivery.objects.get(pk=first.pk).lease_owner == "faster"
    assert Attempt.objects.count() == 1


def test_an_endpoint_gets_one_delivery_at_a_time_and_mail_does_not_wait_for_it(tell, ben, now):
    older, newer = tell(ben), tell(ben)
    claimed = [claim_one(now) for _ in range(4)]
    taken = [claim.delivery for claim in claimed if claim]
    assert sorted((d.channel, d.notice_id) for d in taken) == [
        ("mail", older.pk),
        ("mail", newer.pk),
        ("webhook", older.pk),
    ]


def test_a_newer_delivery_waits_while_an_older_one_to_the_endpoint_is_retried(tell, ben, mail, hook, drain, now):
    tell(ben)
    tell(ben)
    hook.errors = [ChannelError("busy")]
    drain()
    assert hook.sent == []
    drain(now + dt.timedelta(days=1))
    ids = list(Delivery.objects.filter(channel="webhook").order_by("pk").values_list("message_id", flat=True))
    assert hook.sent == ids


def test_a_delivery_put_off_to_a_later_time_holds_nothing_up(tell, ben, mail, hook, drain, now):
    tell(ben)
    Delivery.objects.update(attempt_after=now + dt.timedelta(days=1))
    tell(ben)
    drain()
    assert len(hook.sent) == 1


def test_one_dead_endpoint_does_not_hold_up_another(tell, ben, anna, mail, hook, drain):
    from notifications.models import Endpoint

    Endpoint.objects.create(recipient=anna, url="https://anna.example.org/hook")
    tell(ben)
    tell(anna)
    hook.errors = [ChannelError("busy")]
    drain()
    assert hook.sent == [Delivery.objects.get(channel="webhook", notice__recipient=anna).message_id]


def test_the_database_itself_refuses_two_begun_deliveries_to_one_endpoint(tell, ben):
    tell(ben)
    tell(ben)
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.filter(channel="webhook").update(tries=1)
    Delivery.objects.filter(channel="mail").update(tries=1)


def test_what_is_settled_is_out_of_the_claims_index_and_never_claimed(tell, anna, mail, drain, now):
    tell(anna)
    drain()
    assert Delivery.objects.get().attempt_after is None
    Delivery.objects.update(attempt_after=now)
    assert claim_one(now) is None


def test_the_claim_reads_open_deliveries_only_on_every_database(db, now):
    plan = claims.due(now).explain()
    if connection.vendor == "sqlite":
        assert plan.count("USING INDEX delivery_due") == 2  # what is due, and what was begun
        assert "SCAN" not in plan


def test_losing_the_race_for_an_endpoint_is_no_error(tell, ben, now, monkeypatch):
    tell(ben)
    monkeypatch.setattr(claims, "_lease_free", _raise_integrity_error)
    assert claim_one(now) is None
    assert claims.claim(now) == []


def _raise_integrity_error(now, channels, most, failing):
    raise IntegrityError


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("most", [1, 7])
def test_many_claimers_at_once_share_the_work_without_overlap(tell, anna, ben, now, most):
    for _ in range(20):
        tell(anna)
        tell(ben)
    taken: list[int] = []
    start = threading.Barrier(4)

    def work():
        start.wait()
        while claimed := claims.claim(now, most):
            taken.extend(claim.delivery.pk for claim in claimed)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == len(set(taken))
    # Of Ben's twenty webhooks one is being sent, the others wait for it; all forty mails are taken in the end.
    while (claim := claim_one(now)) is not None:
        taken.append(claim.delivery.pk)
    assert len(taken) == len(set(taken)) == 41


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_while_somebody_makes_deliveries_nobody_makes_those_of_later_notices(owe, anna, ben, now):
    owe(ben)

    def at_work() -> None:
        owe(anna)
        claims.make_deliveries(now)
        connection.close()

    with transaction.atomic():
        assert claims.make_deliveries(now) == 1
        worker = threading.Thread(target=at_work)
        worker.start()
        worker.join()
    assert set(Delivery.objects.values_list("recipient", flat=True)) == {ben.pk}
    assert claims.make_deliveries(now) == 1
    assert list(Delivery.objects.order_by("pk").values_list("recipient", flat=True)) == [ben.pk, ben.pk, anna.pk]


@pytest.mark.postgres
def test_a_claim_of_webhooks_reads_no_mail_that_waits(tell, anna, ben, now):
    notices = [tell(ben) for _ in range(20)]
    Delivery.objects.filter(channel="mail").update(attempt_after=None)
    waiting = [
        Notice(recipient=anna, kind=KIND, subject="thing:1", dedupe_key=f"mail {number}", created_at=now)
        for number in range(2000)
    ]
    Delivery.objects.bulk_create(
        Delivery(notice=notice, recipient=anna, channel="mail", message_id=f"<{notice.ref}>", attempt_after=now)
        for notice in Notice.objects.bulk_create(waiting)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE notifications_delivery")
        cursor.execute("SET LOCAL enable_seqscan = off")  # so few rows PostgreSQL would rather read one after the other
    before = rows_read()
    assert [claim.delivery.notice for claim in claims.claim(now, 20, "webhook")] == notices[:1]
    assert rows_read() - before < 500


def rows_read() -> int:
    """How many deliveries this transaction has read."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
            " WHERE relname = 'notifications_delivery'"
        )
        return cursor.fetchone()[0]
