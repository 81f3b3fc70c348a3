"""What people choose about their mail: on their pages, by link from a mail, for one table; the ledger; the calendar."""

import datetime as dt

import icalendar
import pytest
from bs4 import BeautifulSoup
from django.core import mail as django_mail
from django.test import Client
from django.urls import reverse

from games.lobby import invitations, lifecycle
from games.models import Extension, Game, User
from games.people import notification_preferences
from games.play import deadlines
from games.tables import table_links
from games.tables.settings import TablePlan
from notifications.channels.mail import bounces, suppressions
from notifications.delivery import sending
from notifications.models import Bounce, Conversation, Endpoint, Notice
from tests.games.conftest import deliveries
from tests.games.letters.conftest import asked_again, kept_turn, mail, turn
from tests.games.web.filling import pressed, soup_of, untouched

__all__ = ["kept_turn", "turn"]
MAIL = reverse("mail_settings")
TOLD = reverse("told")
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def member(client: Client, ben: User) -> Client:
    client.force_login(ben)
    return client


def path_of(url: str, settings) -> str:
    return url.removeprefix(settings.SITE_URL)


def forms(response) -> list[dict[str, str]]:
    return [untouched(form) for form in BeautifulSoup(response.content, "html.parser").find_all("form")]


def deliver(now: dt.datetime) -> None:
    while sending.deliver(now):
        pass


# By link from a mail


@pytest.fixture
def link(game: Game, ben: User, settings) -> str:
    return path_of(notification_preferences.mails_url(ben, "reminders", game.ref), settings)


def test_the_link_in_a_mail_opens_without_signing_in_and_changes_nothing(client, link, ben):
    response = client.get(link)
    assert response.status_code == 200 and "sessionid" not in response.cookies
    assert client.head(link).status_code == 200
    ben.recipient.refresh_from_db()
    assert ben.recipient.muted == [] and not Conversation.objects.filter(recipient=ben.recipient).exists()


def test_a_scanner_that_sends_every_form_untouched_stops_no_mail(client, link, ben):
    for data in [*forms(client.get(link)), {}, {"answer": "nonsense"}]:
        assert client.post(link, data).status_code == 422
    assert soup_of(client.post(link, {"answer": "everywhere"})).select_one("form.who"), "a button alone"
    ben.recipient.refresh_from_db()
    assert ben.recipient.muted == []


@pytest.mark.parametrize("end", ["", "\r\n", "\n", " "])
def test_one_click_of_a_mail_program_stops_the_mails_of_this_kind_at_this_table(link, ben, game, end):
    stranger = Client(enforce_csrf_checks=True)
    response = stranger.post(link, f"List-Unsubscribe=One-Click{end}", content_type="application/x-www-form-urlencoded")
    assert response.status_code == 200 and not response.cookies
    assert Conversation.objects.get(recipient=ben.recipient).muted == ["reminders"]
    ben.recipient.refresh_from_db()
    assert ben.recipient.muted == []


def test_mails_are_stopped_in_all_games_and_taken_up_again(client, link, ben):
    assert client.post(link, {"answer": "everywhere"} | pressed()).status_code == 200
    ben.recipient.refresh_from_db()
    assert ben.recipient.muted == ["reminders"]
    client.post(link, {"answer": "here"} | pressed())
    client.post(link, {"answer": "again"} | pressed())
    ben.recipient.refresh_from_db()
    assert ben.recipient.muted == Conversation.objects.get(recipient=ben.recipient).muted == []


def test_what_others_wait_for_cannot_be_stopped_by_any_link(client, ben, game, settings):
    path = path_of(notification_preferences.mails_url(ben, "turns", game.ref), settings)
    page = soup_of(client.get(path))
    assert "you can't stop them" in page.text
    assert page.find("a", href=reverse("table_mail", args=[game.ref])) is not None  # once a day, or not for a while
    for data in ({"List-Unsubscribe": "One-Click"}, {"answer": "everywhere"}):
        assert client.post(path, data).status_code == 200
    ben.recipient.refresh_from_db()
    assert ben.recipient.muted == []


def test_the_link_under_a_mail_of_many_tables_stops_all_that_can_be_stopped(client, ben, settings):
    client.post(
        path_of(notification_preferences.mails_url(ben, "news"), settings), {"answer": "everywhere"} | pressed()
    )
    ben.recipient.refresh_from_db()
    assert "reminders" in ben.recipient.muted and "turns" not in ben.recipient.muted


def test_the_link_under_an_invitation_stops_invitations_to_all_tables(client, anna, ben, settings, now):
    plan = TablePlan(title="Friday", rules_name="cave-of-wonders", seat_count=3)
    other = lifecycle.open_table(host=anna, plan=plan, now=now)
    invitations.invite(game_id=other.pk, host=anna, address=ben.email, now=now)
    sent = mail("invited", ben)
    assert sent.has_one_click
    assert client.post(path_of(sent.unsubscribe_url, settings), {"List-Unsubscribe": "One-Click"}).status_code == 200
    ben.recipient.refresh_from_db()
    assert ben.recipient.muted == ["invitations"] and not Conversation.objects.exists()


def test_the_link_about_all_news_of_one_table_says_when_they_are_off(client, ben, game, settings):
    path = path_of(notification_preferences.mails_url(ben, "news", game.ref), settings)
    assert "Invitations" not in soup_of(client.get(path)).text
    client.post(path, {"answer": "here"} | pressed())
    assert "turned off for the table" in soup_of(client.get(path)).text
    assert "invitations" not in Conversation.objects.get(recipient=ben.recipient).muted


@pytest.mark.parametrize(("old", "new"), [("reminders", "invitations"), ("/mails/", "/mails/x")])
def test_a_link_that_was_tampered_with_opens_nothing(client, link, old, new):
    assert client.get(link.replace(old, new)).status_code == 404


def test_a_link_dies_with_the_address_it_went_to(client, link, ben):
    ben.email = "ben@example.net"
    ben.save()
    assert client.get(link).status_code == 404


# On one's pages


def test_choices_are_stored_and_shown_again(member, ben):
    shown = next(form for form in forms(member.get(MAIL)) if "rhythm" in form)
    assert shown["rhythm"] == "at_once" and shown["daily_at"] == "08:00"
    data = {"do": "choose", "rhythm": "daily", "daily_at": "19:30", "quiet_holds_all": "on", "wanted": ["results"]}
    assert member.post(MAIL, data).status_code == 302
    ben.recipient.refresh_from_db()
    assert (ben.recipient.rhythm, ben.recipient.daily_at) == ("daily", dt.time(19, 30))
    assert ben.recipient.quiet_holds_all and "reminders" in ben.recipient.muted and "results" not in ben.recipient.muted
    assert 'value="19:30"' in member.get(MAIL).content.decode()


@pytest.mark.parametrize(
    "wrong", [{"rhythm": "hourly"}, {"daily_at": "25:99"}, {"daily_at": ""}, {"wanted": ["turns"]}, {"wanted": ["x"]}]
)
def test_what_is_wrong_is_said_where_it_was_typed_and_nothing_changes(member, ben, wrong):
    data = {"do": "choose", "rhythm": "daily", "daily_at": "19:30", "wanted": ["results"]} | wrong
    response = member.post(MAIL, data)
    assert response.status_code == 422 and soup_of(response).select(".field-error")
    ben.recipient.refresh_from_db()
    assert ben.recipient.rhythm == "at_once"


@pytest.mark.parametrize("do", ["", "nonsense"])
def test_a_button_that_is_none_does_nothing(member, do):
    assert member.post(MAIL, {"do": do}).status_code == 422


@pytest.mark.slow
def test_a_pause_begins_and_ends(member, ben):
    assert member.post(MAIL, {"do": "snooze"}).status_code == 422
    member.post(MAIL, {"do": "snooze", "length": "morning"})
    ben.recipient.refresh_from_db()
    assert ben.recipient.snoozed_until.astimezone(dt.UTC).hour == 8
    assert "No email until" in soup_of(member.get(MAIL)).text
    member.post(MAIL, {"do": "snooze", "length": "end"})
    ben.recipient.refresh_from_db()
    assert ben.recipient.snoozed_until is None


def test_a_test_mail_comes_at_once_whatever_is_held_and_once_a_minute(member, ben):
    member.post(MAIL, {"do": "snooze", "length": "days"})
    assert member.post(MAIL, {"do": "test"}).status_code == 302
    assert member.post(MAIL, {"do": "test"}).status_code == 429
    deliver(Notice.objects.latest("pk").created_at)
    assert [sent.subject for sent in django_mail.outbox] == ["A test email from Caravanserai"]
    assert deliveries().get(notice__kind="mail_test").state == "accepted"


@pytest.mark.slow
def test_an_address_that_fails_is_said_and_opened_again(member, ben, now):
    bounces.record_bounce(address=ben.email, kind=Bounce.Kind.BOUNCED, event="1", now=now, is_final=True)
    for page in (MAIL, reverse("settings")):
        assert "email to it bounced" in soup_of(member.get(page)).text
    member.post(MAIL, {"do": "works"})
    assert not suppressions.is_suppressed(ben.email)
    assert "email to it bounced" not in soup_of(member.get(MAIL)).text


@pytest.mark.slow
def test_one_table_wants_something_else(member, ben, game, now):
    path = reverse("table_mail", args=[game.ref])
    assert path in member.get(reverse("table", args=[game.ref])).content.decode()
    assert member.get(path).status_code == 200
    assert member.post(path, {"rhythm": "hourly"}).status_code == 422
    assert member.post(path, {"rhythm": "news_daily", "wanted": ["results"]}).status_code == 302
    side = Conversation.objects.get(recipient=ben.recipient, thread=f"game:{game.ref}")
    assert side.rhythm == "news_daily" and "reminders" in side.muted and "results" not in side.muted


def test_only_who_sits_there_chooses_for_a_table(client, david, game):
    client.force_login(david)
    assert client.get(reverse("table_mail", args=[game.ref])).status_code == 404


def test_signed_out_people_are_asked_to_sign_in(client, game):
    for page in (MAIL, TOLD, reverse("table_mail", args=[game.ref])):
        assert client.get(page).status_code == 302


# Looking at the table


@pytest.mark.slow
def test_who_looks_at_the_table_is_not_written_to_at_the_same_moment(member, ben, game):
    page = reverse("table", args=[game.ref])
    member.get(page, headers={"HX-Request": "true"})
    assert not Conversation.objects.filter(seen_at__isnull=False).exists()  # the page asked by itself
    member.get(page)
    assert Conversation.objects.get(recipient=ben.recipient).seen_at is not None


@pytest.mark.slow
def test_an_onlooker_leaves_no_trace(client, david, game):
    Game.objects.update(is_listed=True)
    client.force_login(david)
    assert client.get(reverse("table", args=[game.ref])).status_code == 200
    assert not Conversation.objects.exists()


@pytest.mark.slow
def test_one_table_is_chosen_for_by_itself_and_shown_again(member, ben, game):
    page = reverse("table_mail", args=[game.ref])
    shown = soup_of(member.get(page))
    assert "webhooks only" not in shown.text  # he has none
    assert not shown.select("[value=invitations]")  # nobody is invited to where he sits
    Endpoint.objects.create(recipient=ben.recipient, url="https://ben.example.org/hook")
    sent = {"do": "choose", "ways": "webhook", "rhythm": "daily", "remind": "chosen", "leads": ["60", "180"]}
    assert member.post(page, sent | {"wanted": ["results"], "talk": "every", "next": "on"}).status_code == 302
    side = Conversation.objects.get(recipient=ben.recipient)
    assert (side.ways, side.rhythm, "talk" in side.muted) == ("webhook", "daily", False)
    assert game.seats.get(user=ben).remind_before == [180, 60] and game.seats.get(user=ben).hears_all_talk
    assert game.seats.get(user=ben).hears_next
    boxes = {(box["name"], box.get("value", "on")) for box in soup_of(member.get(page)).select("input[checked]")}
    assert boxes == {
        *{("ways", "webhook"), ("rhythm", "daily"), ("remind", "chosen"), ("leads", "60"), ("leads", "180")},
        *{("wanted", "results"), ("talk", "every"), ("next", "on")},
    }
    member.post(page, sent | {"wanted": ["results"], "talk": "none"})
    assert "talk" in Conversation.objects.get(recipient=ben.recipient).muted
    for wrong in ({"leads": []}, {"remind": "sometimes"}, {"ways": "pigeon"}):
        assert member.post(page, sent | wrong).status_code == 422
    assert game.seats.get(user=ben).remind_before == [180, 60]


@pytest.mark.slow
def test_one_table_is_silenced_for_a_while(member, ben, game):
    page = reverse("table_mail", args=[game.ref])
    assert member.post(page, {"do": "snooze", "length": "for ever"}).status_code == 422
    assert member.post(page, {"do": "snooze", "length": "days"}).status_code == 302
    assert Conversation.objects.get(recipient=ben.recipient).snoozed_until is not None
    assert "No email until" in soup_of(member.get(page)).text
    ben.recipient.refresh_from_db()
    assert ben.recipient.snoozed_until is None
    member.post(page, {"do": "snooze", "length": "end"})
    assert "No email until" not in soup_of(member.get(page)).text


# The ledger


@pytest.mark.slow
def test_the_ledger_of_one_table_tells_of_no_other(member, client, ben, david, game, now):
    notification_preferences.send_test_mail(user=ben, now=now)
    of_table = soup_of(member.get(TOLD, {"table": f"{game.ref}\0"})).text  # PostgreSQL takes no NUL
    assert "The game has begun" in of_table and "Test email" not in of_table
    client.force_login(david)
    assert client.get(TOLD, {"table": game.ref}).status_code == 404


@pytest.mark.slow
def test_everything_one_was_told_is_listed_with_what_became_of_it(member, ben, turn, now):
    asked_again("reminder", turn, now)
    notification_preferences.mute_topic(user=ben, topic="reminders")
    deliver(now)
    text = " ".join(soup_of(member.get(TOLD)).text.split())
    assert "The game has begun" in text and "Email was sent in one email with other news" in text
    assert "Email wasn't sent, as you asked: you've turned this kind of email off" in text
    assert "Email was no longer needed and wasn't sent: it has been answered or is no longer asked" in text


@pytest.mark.slow
def test_the_ledger_is_in_the_readers_language(member, ben, game, now):
    ben.recipient.language = "es"
    ben.recipient.save()
    deliver(now)
    text = soup_of(member.get(TOLD)).text
    assert "Tu jugada" in text and "was sent" not in text


@pytest.mark.slow
def test_the_ledger_is_ones_own(client, david, ben, turn, now):
    deliver(now)
    client.force_login(david)
    assert "Thursday" not in soup_of(client.get(TOLD)).text


@pytest.mark.slow
def test_a_long_ledger_has_pages(member, ben, now, monkeypatch):
    for number in range(35):
        Notice.objects.create(recipient=ben.recipient, kind="due", subject="x", dedupe_key=str(number), created_at=now)
    assert len(soup_of(member.get(TOLD)).select("ul.told > li")) == 30
    assert len(soup_of(member.get(TOLD, {"page": 2})).select("ul.told > li")) == 5
    assert member.get(TOLD, {"page": "x"}).status_code == 200


# The calendar


def test_deadlines_are_in_a_calendar_at_a_secret_address(client, ben, turn, settings):
    response = client.get(path_of(notification_preferences.calendar_url(ben), settings))
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    (event,) = icalendar.Calendar.from_ical(response.content).walk("VEVENT")
    assert event.decoded("dtend") == turn.due_at
    assert event["summary"] == "Your move in Thursday is due"
    assert event["url"] == table_links.game_url(turn.game)
    assert event["uid"] == f"decision-{turn.ref}@{settings.MAIL_DOMAIN}"
    assert b"/act/" not in response.content


def read_strictly(content: bytes) -> icalendar.Calendar:
    """A calendar in which nothing is missing, wrong, or longer than a line may be (RFC 5545)."""
    (made,) = icalendar.Calendar.from_ical(content, multiple=True)
    made.validate()
    assert [part.errors for part in made.walk() if part.errors] == []
    lines = content.split(b"\r\n")
    assert lines.pop() == b"" and b"\n" not in b"".join(lines) and all(len(line) <= 75 for line in lines)
    for event in made.walk("VEVENT"):
        assert all(
            len([name for name in event if name == each]) == 1 for each in ("UID", "DTSTAMP", "DTSTART", "DTEND")
        )
        assert event.start < event.end and event["dtstamp"].to_ical() == event["last-modified"].to_ical()
    return made


def test_a_deadline_that_moves_has_a_higher_sequence_and_the_calendar_another_etag(client, ben, turn, settings, now):
    path = path_of(notification_preferences.calendar_url(ben), settings)
    first = client.get(path)
    (event,) = read_strictly(first.content).walk("VEVENT")
    assert (event["sequence"], event.decoded("last-modified")) == (0, turn.opened_at.replace(microsecond=0))
    unchanged = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    deadlines.extend(turn, Extension.Reason.HOST, now + HOUR)
    moved = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert moved.status_code == 200 and moved["ETag"] != first["ETag"]
    (again,) = read_strictly(moved.content).walk("VEVENT")
    assert (again["uid"], again["sequence"], again["last-modified"].dt) == (event["uid"], 1, now + HOUR)
    assert again.decoded("dtend") > event.decoded("dtend")


def test_a_new_address_makes_the_old_one_void(client, ben, turn, settings):
    old = path_of(notification_preferences.calendar_url(ben), settings)
    client.force_login(ben)
    client.post(MAIL, {"do": "new_calendar"})
    ben.recipient.refresh_from_db()
    assert client.get(old).status_code == 404
    assert client.get(path_of(notification_preferences.calendar_url(ben), settings)).status_code == 200


def test_a_title_cannot_break_the_calendar(client, ben, turn, settings):
    Game.objects.update(title="END:VEVENT\r\nX-EVIL:1;,\\")
    response = client.get(path_of(notification_preferences.calendar_url(ben), settings))
    assert b"\nX-EVIL" not in response.content
    assert len(read_strictly(response.content).walk("VEVENT")) == 1


@pytest.mark.parametrize("title", ["é" * 60, "a,b;c\\d", "Ⅷ \N{GAME DIE} " * 12])
def test_any_title_makes_a_calendar_that_programs_take(client, ben, turn, settings, title):
    Game.objects.update(title=title)
    for language in ("en", "es", "de"):
        ben.recipient.language = language
        ben.recipient.save()
        (event,) = read_strictly(
            client.get(path_of(notification_preferences.calendar_url(ben), settings)).content
        ).walk("VEVENT")
        assert title.strip() in event["summary"]
