"""Several deliveries in one claim: each is still tried, settled and repeated for itself."""

import datetime as dt
import itertools
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from notifications import composers
from notifications.channels.base import ChannelError
from notifications.composers import Topic
from notifications.delivery import claims, sending
from notifications.messages import MailMessage
from notifications.models import Attempt, Delivery, Endpoint, Notice, Recipient
from tests.bench import crowd
from tests.notifications.conftest import KIND, Words

pytestmark = pytest.mark.django_db
FAR = 1_000_000  # keys of copies stand behind it
DAY = dt.timedelta(days=1)


def claimed(now, most=claims.MOST):
    return [claim.delivery for claim in claims.claim(now, most)]


def states():
    return list(Delivery.objects.order_by("pk").values_list("state", "tries"))


def merge(words):
    composers.register(KIND, words, topic=Topic("test", "Test"))
    composers.register_merger(lambda notices, language: MailMessage("several", str(len(notices))))


def test_the_oldest_go_together_each_with_an_attempt_of_its_own(tell, anna, now):
    rows = [tell(anna).deliveries.get() for _ in range(5)]
    assert claimed(now, 3) == rows[:3]
    assert states() == [("sending", 1)] * 3 + [("waiting", 0)] * 2
    assert list(Attempt.objects.order_by("pk").values_list("delivery", flat=True)) == [row.pk for row in rows[:3]]
    assert claimed(now) == rows[3:]


def test_there_is_a_bound_to_what_one_process_takes_away_from_others(tell, anna, now):
    for _ in range(claims.MOST + 1):
        tell(anna)
    assert len(claimed(now, claims.MOST)) == claims.MOST
    assert len(claimed(now)) == 1


def test_mails_go_before_webhooks_which_may_take_long(tell, ben, now):
    tell(ben)
    Endpoint.objects.create(recipient=ben, url="https://ben.example.org/other")
    tell(ben)
    assert [row.channel for row in claimed(now)] == ["mail", "mail", "webhook", "webhook"]


def test_what_is_tried_again_is_claimed_alone(tell, anna, mail, drain, now):
    tell(anna)
    mail.errors = [ChannelError("busy")]
    drain()
    later = [tell(anna).deliveries.get() for _ in range(3)]
    again = Delivery.objects.earliest("pk")
    at = now + DAY
    Delivery.objects.filter(pk__in=[row.pk for row in later]).update(attempt_after=at)
    assert claimed(at) == [again]
    assert claimed(at) == later


def test_what_is_tried_again_does_not_go_with_what_came_before_it(tell, anna, mail, drain, now):
    again = tell(anna).deliveries.get()
    mail.errors = [ChannelError("busy")]
    drain()
    fresh = tell(anna).deliveries.get()
    assert claimed(now + DAY) == [fresh]
    assert claimed(now + DAY) == [again]


def test_each_address_of_a_webhook_still_gets_one_after_the_other(tell, ben, now):
    first, second = tell(ben), tell(ben)
    hooks = [row.notice for row in claimed(now) if row.channel == "webhook"]
    assert hooks == [first] and claimed(now) == []
    assert second.deliveries.get(channel="webhook").tries == 0


def test_a_webhook_in_trouble_is_called_alone(tell, ben, anna, now):
    Endpoint.objects.create(recipient=anna, url="https://anna.example.org/hook")
    tell(ben)
    tell(anna)
    Endpoint.objects.filter(recipient=ben).update(failing_since=now)
    taken = [[(row.channel, row.notice.recipient) for row in claimed(now)] for _ in range(3)]
    assert taken == [[("mail", ben), ("mail", anna), ("webhook", anna)], [("webhook", ben)], []]


def test_what_waits_for_one_person_is_still_one_mail(tell, anna, ben, words, now):
    merge(words)
    for recipient in (anna, ben, anna, anna):
        tell(recipient, forms=("letter",))
    found = {claim.delivery.notice.recipient: len(claim.followers) for claim in claims.claim(now)}
    assert found == {anna: 2, ben: 0}
    assert claimed(now) == []


def test_of_many_for_one_person_the_rest_follows_in_a_second_mail(tell, anna, words, now):
    merge(words)
    for _ in range(claims.MOST_TOGETHER + 3):
        tell(anna)
    assert [len(claim.followers) for claim in claims.claim(now)] == [claims.MOST_TOGETHER]
    assert [len(claim.followers) for claim in claims.claim(now)] == [1]


def test_one_that_waits_behind_another_that_waits_longer_is_not_held_up_by_it(tell, anna, words, mail, drain, now):
    merge(words)
    older, newer = tell(anna), tell(anna)
    older.deliveries.update(attempt_after=now + DAY)
    assert drain() == 1
    assert newer.deliveries.get().state == "accepted" and older.deliveries.get().state == "waiting"


def test_one_that_kills_its_sender_costs_those_beside_it_a_minute_and_nothing_else(tell, anna, mail, drain, now):
    rows = [tell(anna).deliveries.get() for _ in range(3)]

    def dies(delivery):
        if delivery == rows[1]:
            raise KeyboardInterrupt

    mail.during = dies
    for number in range(sending.tries_allowed("mail")):
        with pytest.raises(KeyboardInterrupt):
            drain(now + number * claims.LEASE)
    drain(now + DAY)
    assert states() == [("accepted", 1), ("quarantined", 11), ("accepted", 2)]
    assert mail.sent.count(rows[0].message_id) == mail.sent.count(rows[2].message_id) == 1


def test_what_could_not_be_begun_in_time_is_given_back_untried(tell, anna, mail, now, monkeypatch):
    for _ in range(3):
        tell(anna)
    clock = [100.0]
    monkeypatch.setattr(sending.time, "monotonic", lambda: clock[0])

    def stalls(delivery):
        clock[0] += 15

    mail.during = stalls
    assert sending.deliver(now) == 1
    assert states() == [("accepted", 1), ("waiting", 0), ("waiting", 0)]
    assert Attempt.objects.count() == 1
    rest = Delivery.objects.filter(state="waiting")
    assert {(row.attempt_after, row.lease_owner) for row in rest} == {(now, "")}


def let_each_take_long(monkeypatch):
    """Whoever looks at the clock finds that more time has passed than what waits behind has patience."""
    monkeypatch.setattr(sending.time, "monotonic", itertools.count(step=sending.PATIENCE + 1).__next__)


def test_what_is_given_back_is_joined_anew(tell, anna, ben, mail, words, drain, now, monkeypatch):
    merge(words)
    let_each_take_long(monkeypatch)
    for recipient in (anna, ben, ben):
        tell(recipient, forms=("letter",))
    assert sending.deliver(now) == 1
    assert states() == [("accepted", 1), ("waiting", 0), ("waiting", 0)]
    tell(ben, forms=("letter",))
    assert [len(claim.followers) for claim in claims.claim(now)] == [2]


def test_after_a_server_that_takes_nothing_the_rest_is_given_back(tell, anna, mail, now):
    for _ in range(3):
        tell(anna)
    mail.errors = [ChannelError("connection refused", is_general=True)]
    assert sending.deliver(now) == 1
    assert states() == [("waiting", 1), ("waiting", 0), ("waiting", 0)]


def test_giving_back_leaves_what_somebody_else_has_taken_over(tell, anna, mail, now, monkeypatch):
    let_each_take_long(monkeypatch)
    for _ in range(2):
        tell(anna)

    def lost(delivery):
        Delivery.objects.exclude(pk=delivery.pk).update(lease_owner="somebody else")

    mail.during = lost
    sending.deliver(now)
    assert Delivery.objects.latest("pk").lease_owner == "somebody else"
    assert states() == [("accepted", 1), ("sending", 1)]


def test_each_attempt_begins_when_its_turn_comes(tell, anna, mail, now, monkeypatch):
    for _ in range(2):
        tell(anna)
    clock = [100.0]
    monkeypatch.setattr(sending.time, "monotonic", lambda: clock[0])

    def takes_a_second(delivery):
        clock[0] += 1

    mail.during = takes_a_second
    sending.deliver(now)
    assert [attempt.milliseconds for attempt in Attempt.objects.order_by("pk")] == [1000, 1000]
    assert Attempt.objects.latest("pk").started_at == now + dt.timedelta(seconds=1)


def test_what_is_answered_while_another_is_sent_is_not_sent(tell, anna, words, mail, now):
    for _ in range(2):
        tell(anna)
    mail.during = lambda delivery: setattr(words, "stale", "it was answered")
    assert sending.deliver(now) == 2
    assert states() == [("accepted", 1), ("stale", 1)]


def test_where_so_many_a_minute_are_allowed_each_is_counted_before_the_next(tell, anna, mail, drain, now, settings):
    settings.MAIL_PER_MINUTE = 3
    for _ in range(5):
        tell(anna)
    assert len(claimed(now)) == 1


def test_many_mails_cost_two_statements_each_and_their_transaction_or_one_that_is_both(tell, anna, mail, now):
    needed = Topic("needed", "Needed", is_needed=True, is_alone=True)
    composers.register(KIND, Words(), forms=("letter",), topic=needed)

    def statements(number):
        for _ in range(number):
            tell(anna, thread="game:1")
        with CaptureQueriesContext(connection) as asked:
            assert sending.deliver(now) == number
        return sum("SAVEPOINT" not in query["sql"] for query in asked)

    is_postgresql = connection.vendor == "postgresql"  # it settles in one, which is a transaction; and sees who claims
    expected = (9 + 2, 9 + 12) if is_postgresql else (8 + 2 * 2, 8 + 2 * 12)
    assert (statements(2), statements(12)) == expected


def test_the_claim_of_several_reads_open_deliveries_only(db, now):
    plan = claims._free(now, (), (("webhook", 2),), True, (KIND,), claims.MOST).explain()
    if connection.vendor == "sqlite":
        for index in ("delivery_due", "delivery_leased"):
            assert index in plan
        assert "SCAN notifications_delivery" not in plan and "SCAN U" not in plan


def rows_looked_at(node):
    """By this step of a plan that PostgreSQL has carried out, and by those below it."""
    names = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter", "Rows Removed by Index Recheck")
    own = sum(node.get(name, 0) for name in names) * node["Actual Loops"]
    return own + sum(map(rows_looked_at, node.get("Plans", ())))


@pytest.mark.postgres
def test_a_claim_looks_at_each_that_waits_so_many_times_and_no_more_though_hardly_any_waited_before(tell, anna, now):
    """As after an outage: the database still believes that next to nothing is open, and might use any index."""
    told = tell(anna).deliveries.get()
    Delivery.objects.filter(pk=told.pk).update(attempt_after=None, state="accepted")

    def deliveries(first, last, **changes):
        crowd.copy(Recipient, f"t.id = {anna.pk}", first, last, {"id": f"{FAR} + n", "address": "n || '@many.test'"})
        to = {"id": f"{FAR} + n", "recipient_id": f"{FAR} + n"}
        crowd.copy(Notice, f"t.id = {told.notice_id}", first, last, {**to, "ref": "n", "dedupe_key": "n"})
        for channel, target, key in (("mail", "NULL", 2 * FAR), ("webhook", "'t' || n % 50", 3 * FAR)):
            its = {"id": f"{key} + n", "notice_id": f"{FAR} + n", "message_id": f"'{channel}' || n", "target": target}
            crowd.copy(Delivery, f"t.id = {told.pk}", first, last, {**to, **its, "channel": f"'{channel}'", **changes})

    def cost(first, last):
        deliveries(first, last, attempt_after=f"'{now}'", state="'waiting'")
        rows = claims._free(now, (), (("webhook", 2),), True, (KIND,), claims.MOST)
        (plan,) = json.loads(rows.explain(format="json", analyze=True))
        assert plan["Plan"]["Actual Rows"] == claims.MOST
        return rows_looked_at(plan["Plan"])

    deliveries(1, 2_000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    few = cost(2_001, 2_100)
    assert cost(2_101, 2_800) < 10 * few  # eight times as many
