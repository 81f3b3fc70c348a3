"""Mail that comes back: an address that fails is written to no more, its owner can open it again."""

import datetime as dt

import pytest

from notifications import composers
from notifications.channels.base import ChannelError
from notifications.channels.mail import bounces, suppressions
from notifications.composers import Topic
from notifications.models import Bounce, Suppression
from tests.notifications.conftest import Words

pytestmark = pytest.mark.django_db
ADDRESS = "anna@example.org"
DAY = dt.timedelta(days=1)
BOUNCED, COMPLAINED = Bounce.Kind.BOUNCED, Bounce.Kind.COMPLAINED


def test_an_address_that_does_not_exist_is_given_up_at_once(db, now):
    bounces.record_bounce(address=" Anna@Example.org", kind=BOUNCED, event="1", now=now, is_final=True)
    assert suppressions.why_suppressed(ADDRESS) == suppressions.BOUNCED


def test_one_that_is_full_is_given_up_after_three_days_in_a_month(db, now):
    for day in (0, 20, 55, 60):
        bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event=f"{day} again", now=now + day * DAY)
        bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event=str(day), now=now + day * DAY)
        assert not suppressions.is_suppressed(ADDRESS)
    bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event="61", now=now + 61 * DAY)
    assert suppressions.is_suppressed(ADDRESS)


def test_a_report_that_comes_twice_counts_once(db, now):
    assert bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event="same", now=now)
    for _ in range(5):
        assert not bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event="same", now=now)
    assert not suppressions.is_suppressed(ADDRESS)


def test_a_mail_that_arrives_makes_good_what_came_back_before(db, now):
    for event in "12":
        bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event=event, now=now)
    bounces.record_arrival(ADDRESS)
    bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event="3", now=now)
    assert not suppressions.is_suppressed(ADDRESS)


def test_a_complaint_ends_all_mail_that_is_not_about_the_account(tell, anna, mail, words, drain, now):
    composers.register("turn", Words(), topic=Topic("turns", "Turns", is_needed=True))
    composers.register("account", Words(is_security=True))
    bounces.record_bounce(address=ADDRESS, kind=COMPLAINED, event="1", now=now)
    tell(anna, kind="turn")
    account = tell(anna, kind="account").deliveries.get()
    drain()
    assert mail.sent == [account.message_id]


def test_who_only_asked_for_no_more_mail_is_still_asked_what_others_wait_for(tell, anna, mail, words, drain, now):
    composers.register("turn", Words(), topic=Topic("turns", "Turns", is_needed=True))
    composers.register("news", Words(), topic=Topic("news", "News"))
    suppressions.suppress(ADDRESS, suppressions.ASKED)
    turn = tell(anna, kind="turn").deliveries.get()
    tell(anna, kind="news")
    drain()
    assert mail.sent == [turn.message_id]


def test_what_an_address_cannot_take_outweighs_what_was_asked(db, now):
    suppressions.suppress(ADDRESS, suppressions.ASKED)
    bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event="1", now=now, is_final=True)
    suppressions.suppress(ADDRESS, suppressions.ASKED)
    assert suppressions.why_suppressed(ADDRESS) == suppressions.BOUNCED


def test_a_refusal_at_the_door_counts_as_a_mail_that_came_back(tell, anna, mail, drain, now):
    for number in range(3):
        tell(anna)
        mail.errors = [ChannelError("the recipient was refused (550)", permanent=True, is_address=True)]
        drain(now + number * DAY)
    assert suppressions.why_suppressed(ADDRESS) == suppressions.BOUNCED


def test_its_owner_says_that_it_works_again_and_the_count_begins_anew(db, now):
    for event in "123":
        bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event=event, now=now)
    bounces.reopen_address(ADDRESS)
    assert not Suppression.objects.exists()
    bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event="4", now=now)
    assert not suppressions.is_suppressed(ADDRESS)


def test_no_address_is_kept_in_clear(db, now):
    bounces.record_bounce(address=ADDRESS, kind=BOUNCED, event="1", now=now, detail="mailbox full")
    row = Bounce.objects.values().get()
    assert "anna" not in str(row)
