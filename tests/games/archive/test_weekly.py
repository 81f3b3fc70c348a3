"""The weekly summary: who gets it, when, what is in it, and how it stops."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from games.archive import ratings, weekly
from games.archive.letters import Weekly
from games.models import Game, User
from games.people import friends, notification_preferences
from games.ticks import tick
from notifications import preferences
from notifications.delivery.policy import Facts, Verdict, decide, next_weekly
from notifications.models import Notice, Recipient
from tests.conftest import NOON
from tests.games.archive.test_ratings import over
from tests.games.clubs.founding import found
from tests.games.conftest import deliveries, new_table
from tests.games.letters.conftest import mail, stale
from tests.games.web.filling import pressed, words
from tests.games.web.test_players import signed_in

MAIL = reverse("mail_settings")
WEEK = dt.timedelta(days=7)


@pytest.fixture
def subscriber(ben: User) -> User:
    """Ben in Tokyo, who wants the summary."""
    Recipient.objects.filter(pk=ben.recipient_id).update(zone="Asia/Tokyo")
    wanted = {"rhythm": "at_once", "daily_at": dt.time(8), "quiet_holds_all": False, "muted": [], "ways": "both"}
    preferences.choose(Recipient.objects.get(pk=ben.recipient_id), **wanted, weekly=True, now=NOON)  # type: ignore[arg-type]
    return User.people.get(pk=ben.pk)


def write_all(now: dt.datetime) -> int:
    return sum(1 for _one in iter(lambda: weekly.write_one(now), False))


def summaries_of(user: User) -> list[Notice]:
    return list(Notice.objects.filter(kind="weekly", recipient=user.recipient))


def test_nobody_gets_it_who_has_not_asked(game: Game, anna: User, ben: User, carla: User) -> None:
    assert write_all(NOON + 4 * WEEK) == 0 and not Notice.objects.filter(kind="weekly").exists()
    assert "weekly" in preferences.switched_off(ben.recipient)


def test_it_comes_on_monday_at_the_hour_of_the_daily_mail_where_its_reader_is(
    game: Game, subscriber: User, anna: User
) -> None:
    due = subscriber.recipient.weekly_at
    assert due is not None
    there = due.astimezone(ZoneInfo("Asia/Tokyo"))
    assert (there.weekday(), there.hour, there.minute) == (0, 8, 0) and NOON < due <= NOON + WEEK
    assert write_all(due - dt.timedelta(seconds=1)) == 0
    assert write_all(due) == 1 and len(summaries_of(subscriber)) == 1
    assert write_all(due) == 0
    subscriber.recipient.refresh_from_db()
    assert subscriber.recipient.weekly_at == due + WEEK
    assert write_all(due + 5 * WEEK) == 1  # after an outage it comes once
    assert len(summaries_of(subscriber)) == 2


def test_the_next_monday_is_never_now_and_an_hour_that_the_clock_skips_is_passed_over() -> None:
    recipient = Recipient(zone="Europe/Madrid", daily_at=dt.time(2, 30))
    monday = next_weekly(recipient, NOON)
    assert next_weekly(recipient, monday) == monday + WEEK
    spring = dt.datetime(2026, 3, 28, tzinfo=dt.UTC)  # on the 29th two o'clock does not come
    assert next_weekly(recipient, spring).astimezone(recipient.zone_info).date() == dt.date(2026, 3, 30)


def test_nothing_is_written_when_there_is_nothing_to_say(subscriber: User) -> None:
    due = subscriber.recipient.weekly_at
    assert due is not None and write_all(due) == 1
    assert summaries_of(subscriber) == []
    User.objects.filter(pk=subscriber.pk).update(is_active=False)
    assert write_all(due + 2 * WEEK) == 1
    subscriber.recipient.refresh_from_db()
    assert subscriber.recipient.weekly_at is None  # a closed account


def test_a_tick_writes_it(game: Game, subscriber: User, anna: User) -> None:
    Recipient.objects.filter(pk=subscriber.recipient_id).update(weekly_at=NOON)
    tick(lambda: None)
    assert len(summaries_of(subscriber)) == 1


def test_it_tells_what_waits_results_ratings_friends_and_clubs(
    game: Game, subscriber: User, anna: User, carla: User, now: dt.datetime
) -> None:
    over([anna, subscriber], now=now - dt.timedelta(days=30))
    over([subscriber, anna], now=now)
    while ratings.rate_one(now + 90 * WEEK):
        pass
    friends.ask(user=anna, other=subscriber, now=now)
    club = found(anna, subscriber)
    new_table(anna, now, club=club.ref, title="Club evening")
    due = subscriber.recipient.weekly_at
    assert due is not None
    write_all(due)
    letter = mail("weekly", subscriber)
    assert letter.subject == "Your week: 1 game waits for you"
    for part in (letter.text, letter.html):
        assert "/act/" in part and "Thursday" in part and "place 1 of 2" in part and "place 2 of 2" not in part
        assert "Anna would like to be friends" in part and "/friend-request/" in part
        assert "Club evening" in part and "Lamp" in part
        assert "points" in part and "from" in part
    assert letter.has_one_click and "/weekly/" in letter.unsubscribe_url


def test_a_week_that_cannot_be_summed_up_keeps_nobody_elses_back(
    game: Game, subscriber: User, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    due, whole = subscriber.recipient.weekly_at, weekly.week_of
    assert due is not None
    Recipient.objects.filter(pk=anna.recipient_id).update(weekly_at=due - WEEK)

    def broken(user: User, now: dt.datetime) -> weekly.Week:
        if user == anna:
            raise RuntimeError
        return whole(user, now)

    monkeypatch.setattr(weekly, "week_of", broken)
    assert write_all(due) == 2 and not summaries_of(anna) and len(summaries_of(subscriber)) == 1


def test_of_others_games_it_says_nothing(subscriber: User, anna: User, carla: User, now: dt.datetime) -> None:
    over([anna, carla], now=now)
    new_table(anna, now, club=found(anna, carla).ref)
    assert weekly.week_of(subscriber, now + WEEK).is_empty


def test_it_is_dropped_when_nothing_is_left_to_say_and_when_the_week_is_over(
    game: Game, subscriber: User, anna: User
) -> None:
    due = subscriber.recipient.weekly_at
    assert due is not None
    write_all(due)
    assert stale("weekly", subscriber) == ""
    notice = summaries_of(subscriber)[0]
    assert Weekly().is_over(notice, due + dt.timedelta(days=5)) == ""
    assert Weekly().is_over(notice, due + WEEK) == "week_over"
    game.seats.filter(user=subscriber).update(user=None)
    assert stale("weekly", subscriber) == "nothing_new"


def test_one_tap_in_the_mail_program_stops_it_and_the_page_starts_it_again(subscriber: User, client: Client) -> None:
    path = "/" + notification_preferences.mails_url(subscriber, "weekly").split("/", 3)[3]
    assert client.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    subscriber.recipient.refresh_from_db()
    assert subscriber.recipient.weekly_at is None and subscriber.recipient.muted == []
    client.post(path, {"answer": "again", **pressed()})
    subscriber.recipient.refresh_from_db()
    assert subscriber.recipient.weekly_at is not None


def test_all_news_off_stops_it_and_all_news_on_does_not_begin_it(subscriber: User, client: Client) -> None:
    path = "/" + notification_preferences.mails_url(subscriber, "news").split("/", 3)[3]
    client.post(path, {"answer": "everywhere", **pressed()})
    subscriber.recipient.refresh_from_db()
    assert subscriber.recipient.weekly_at is None
    client.post(path, {"answer": "again", **pressed()})
    subscriber.recipient.refresh_from_db()
    assert subscriber.recipient.weekly_at is None and subscriber.recipient.muted == []


def test_it_is_chosen_in_the_settings_like_every_other_kind(ben: User) -> None:
    client, wanted = signed_in(ben), ["results", "weekly"]
    assert 'value="weekly"' in client.get(MAIL).content.decode()
    data = {"do": "choose", "rhythm": "at_once", "daily_at": "19:30"}
    client.post(MAIL, data | {"wanted": wanted})
    ben.recipient.refresh_from_db()
    due = ben.recipient.weekly_at
    assert due is not None and due.hour == 19 and "weekly" not in ben.recipient.muted
    client.post(MAIL, data | {"wanted": ["results"]})
    ben.recipient.refresh_from_db()
    assert ben.recipient.weekly_at is None


def test_the_policy_lets_it_out_at_its_own_hour_and_not_to_who_has_stopped_it(
    game: Game, subscriber: User, anna: User
) -> None:
    Recipient.objects.filter(pk=subscriber.recipient_id).update(rhythm="daily")
    due = subscriber.recipient.weekly_at
    assert due is not None
    write_all(due)
    delivery = deliveries().select_related("notice__recipient").get(notice__kind="weekly", channel="mail")
    assert decide(delivery, due, Facts.of([delivery])).verdict == Verdict.SEND
    preferences.mute(subscriber.recipient, ["weekly"])
    delivery = deliveries().select_related("notice__recipient").get(pk=delivery.pk)
    assert decide(delivery, due, Facts.of([delivery])).verdict == Verdict.DECLINE
    assert "Your week" in words(signed_in(subscriber).get(reverse("told")))
