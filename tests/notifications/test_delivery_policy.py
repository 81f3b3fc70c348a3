"""A mail waits while its reader looks at the matter anyway, sleeps, or wants it once a day; it is never lost by it."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notifications import composers, conversations, preferences
from notifications.composers import Topic
from notifications.delivery import policy
from notifications.models import Conversation, Delivery, Recipient
from tests.notifications.conftest import Words

pytestmark = pytest.mark.django_db
MINUTE = dt.timedelta(minutes=1)
HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
AT_NOON = dt.datetime(2026, 3, 4, 12, 0, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def kinds(words, monkeypatch):
    monkeypatch.setattr(composers, "_topics", {})
    monkeypatch.setattr(composers, "_merger", [])
    composers.register("turn", Words(), topic=Topic("turns", "Turns", is_needed=True))
    composers.register("news", Words(), topic=Topic("news", "News"))


def only():
    return Delivery.objects.get(channel="mail")


def choose(recipient, now, **changes):
    usual = {"rhythm": "at_once", "daily_at": dt.time(8), "quiet_holds_all": False, "muted": [], "ways": "both"}
    preferences.choose(recipient, **(usual | changes), now=now)


def test_who_looks_at_the_game_gets_no_mail_about_it_for_a_while(tell, anna, mail, drain, now):
    conversations.record_view(anna, "game:1", now)
    tell(anna, kind="turn", thread="game:1", now=now + MINUTE)
    drain(now + MINUTE)
    assert mail.sent == [] and (only().state, only().reason) == ("waiting", policy.LOOKS)
    drain(now + 2 * MINUTE)
    assert len(mail.sent) == 1


def test_what_was_answered_meanwhile_is_never_sent(tell, anna, mail, words, drain, now):
    conversations.record_view(anna, "game:1", now)
    tell(anna, kind="turn", thread="game:1")
    composers.composer_for("turn").stale = "answered"
    drain(now + 2 * MINUTE)
    assert mail.sent == [] and only().state == "stale"


def test_a_page_left_open_delays_a_mail_by_ten_minutes_and_no_more(tell, anna, mail, drain, now):
    tell(anna, kind="turn", thread="game:1")
    Conversation.objects.create(recipient=anna, thread="game:1", seen_at=now)
    for minute in range(10):
        conversations.record_view(anna, "game:1", now + minute * MINUTE)
        drain(now + minute * MINUTE)
    assert mail.sent == []
    conversations.record_view(anna, "game:1", now + 10 * MINUTE)
    drain(now + 10 * MINUTE)
    assert len(mail.sent) == 1
    assert only().tries == 1 and only().attempts.count() == 1  # holding is no try


def test_looking_at_one_game_holds_back_nothing_of_another(tell, anna, mail, drain, now):
    conversations.record_view(anna, "game:1", now)
    tell(anna, kind="turn", thread="game:2")
    drain()
    assert len(mail.sent) == 1


def test_looking_is_written_down_at_most_every_half_minute(anna, now):
    conversations.record_view(anna, "game:1", now)
    conversations.record_view(anna, "game:1", now + dt.timedelta(seconds=20))
    assert Conversation.objects.get().seen_at == now
    conversations.record_view(anna, "game:1", now + dt.timedelta(seconds=40))
    assert Conversation.objects.get().seen_at > now


def test_a_webhook_never_waits_for_what_is_chosen_about_mail(tell, ben, mail, hook, drain, now):
    preferences.snooze(ben, now + DAY, now)
    tell(ben, kind="turn")
    drain()
    assert (len(mail.sent), len(hook.sent)) == (0, 1)


def test_a_snooze_holds_everything_and_ends(tell, anna, mail, drain, now):
    preferences.snooze(anna, now + DAY, now)
    tell(anna, kind="turn")
    tell(anna, kind="news")
    drain(now + DAY - MINUTE)
    assert mail.sent == []
    drain(now + DAY)
    assert len(mail.sent) == 2


def test_who_ends_his_snooze_is_told_at_once(tell, anna, mail, drain, now):
    preferences.snooze(anna, now + DAY, now)
    tell(anna, kind="turn")
    preferences.snooze(anna, None, now + HOUR)
    drain(now + HOUR)
    assert len(mail.sent) == 1


def test_a_snooze_of_one_thread_holds_its_mails_and_no_others(tell, anna, mail, drain, now):
    preferences.snooze(anna, now + DAY, now, thread="game:1")
    tell(anna, kind="turn", thread="game:1")
    tell(anna, kind="turn", thread="game:2")
    drain()
    assert Delivery.objects.get(state="accepted").notice.thread == "game:2"
    assert Delivery.objects.get(state="waiting").reason == policy.SNOOZED_HERE
    drain(now + DAY)
    assert len(mail.sent) == 2


def test_quiet_hours_hold_news_and_not_what_waits_for_an_answer(tell, anna, mail, drain, now):
    Recipient.objects.update(quiet_from=dt.time(11), quiet_until=dt.time(13), zone="UTC")
    anna.refresh_from_db()
    tell(anna, kind="news")
    tell(anna, kind="turn")
    drain()
    assert len(mail.sent) == 1
    assert Delivery.objects.get(notice__kind="news").attempt_after == now + HOUR
    drain(now + HOUR)
    assert len(mail.sent) == 2


def test_who_wants_it_is_not_asked_for_his_move_in_quiet_hours_either(tell, anna, mail, drain, now):
    Recipient.objects.update(quiet_from=dt.time(11), quiet_until=dt.time(13))
    anna.refresh_from_db()
    choose(anna, now, quiet_holds_all=True)
    tell(anna, kind="turn")
    drain()
    assert mail.sent == [] and only().reason == policy.QUIET


def test_quiet_hours_that_never_end_hold_nothing_and_break_no_move(tell, anna, mail, drain, now):
    Recipient.objects.update(quiet_from=dt.time(11), quiet_until=dt.time(11))
    anna.refresh_from_db()
    tell(anna, kind="news")
    drain()
    assert len(mail.sent) == 1


def test_a_daily_mail_comes_at_its_time_on_the_readers_wall(tell, anna, mail, drain, now):
    anna.zone = "Europe/Madrid"
    anna.save()
    choose(anna, now, rhythm="daily", daily_at=dt.time(19, 30))
    tell(anna, kind="turn")
    assert only().attempt_after == dt.datetime(2026, 3, 4, 18, 30, tzinfo=dt.UTC)
    assert only().reason == policy.DAILY
    drain(now + 6 * HOUR)
    assert mail.sent == []
    drain(now + 7 * HOUR)
    assert len(mail.sent) == 1


def test_the_middle_way_asks_at_once_and_tells_the_rest_daily(tell, anna, mail, drain, now):
    choose(anna, now, rhythm="news_daily")
    tell(anna, kind="turn")
    tell(anna, kind="news")
    drain()
    assert len(mail.sent) == 1


def test_what_one_thread_wants_differs_from_the_rest(tell, anna, mail, drain, now):
    choose(anna, now, rhythm="daily")
    tell(anna, kind="turn", thread="game:1")
    drain()
    assert mail.sent == []
    preferences.choose_for(anna, "game:1", rhythm="at_once", muted=["news"], ways="", now=now)  # what waits goes too
    tell(anna, kind="news", thread="game:1")
    tell(anna, kind="turn", thread="game:2")
    drain()
    assert list(Delivery.objects.order_by("pk").values_list("state", flat=True)) == ["accepted", "declined", "waiting"]


def test_a_topic_that_is_switched_off_is_not_sent_and_the_ledger_knows_why(tell, anna, mail, drain, now):
    choose(anna, now, muted=["news"])
    tell(anna, kind="news")
    drain()
    assert mail.sent == [] and (only().state, only().reason) == ("declined", policy.MUTED)
    assert not only().attempts.exists()


def test_what_is_switched_off_while_it_waits_is_not_sent_either(tell, anna, mail, drain, now):
    tell(anna, kind="news", not_before=now + HOUR)
    preferences.mute(anna, ["news"])
    drain(now + HOUR)
    assert mail.sent == [] and only().state == "declined"


def test_what_is_needed_cannot_be_switched_off(tell, anna, mail, drain, now):
    choose(anna, now, muted=["turns", "news", "nonsense"])
    assert anna.muted == ["news"]
    preferences.mute(anna, ["turns"])
    tell(anna, kind="turn")
    drain()
    assert len(mail.sent) == 1


def test_mute_and_unmute_anywhere_and_in_one_thread(anna):
    preferences.mute(anna, ["news"], thread="game:1")
    preferences.mute(anna, ["news"])
    preferences.mute(anna, ["news"])
    anna.refresh_from_db()
    assert anna.muted == Conversation.objects.get().muted == ["news"]
    preferences.unmute(anna, ["news"])
    anna.refresh_from_db()
    assert anna.muted == [] and Conversation.objects.get().muted == ["news"]


@given(
    hours=st.integers(0, 24 * 400),
    at=st.times(),
    zone=st.sampled_from(["UTC", "Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati"]),
)
def test_the_next_daily_mail_is_within_two_days_and_never_in_the_past(hours, at, zone):
    after = AT_NOON + hours * HOUR
    found = policy.next_daily(Recipient(zone=zone, daily_at=at), after)
    assert after < found <= after + 2 * DAY
