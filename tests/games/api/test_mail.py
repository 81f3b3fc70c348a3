"""What a person wants by mail, and what he was told, by the API."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.models import Game, User
from games.people import notification_preferences
from notifications.channels.mail import bounces, suppressions
from notifications.clock import present
from notifications.delivery.sending import deliver
from notifications.models import Bounce, Conversation, Notice
from tests.games.api.conftest import Program

WANTED = {
    "wants_weekly": False,
    "rhythm": "news_daily",
    "daily_at": "19:30",
    "quiet_holds_all": True,
    "muted": ["reminders"],
    "ways": "mail",
}
TALK = {"snoozed_until": None, "hears_all_talk": False, "hears_next": False}
HERE = {"rhythm": "daily", "ways": "webhook", "muted": ["tables"], "remind_before": [180, 60]}
PERSON = {"name": "Anna", "language": "es", "zone": "Europe/Madrid"}


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    with present.going_by(lambda: now):
        yield


def put(program: Program, path: str, data: object, status: int = 200) -> Any:
    return program.patch(path, data, status) if path == "me/" else program.put(path, data, status)


def test_what_is_wanted_by_mail_is_read_and_changed(annas: Program, anna: User) -> None:
    before = annas.get("me/mail/")
    assert (before["address"], before["rhythm"], before["muted"], before["trouble"]) == (
        anna.email,
        "at_once",
        [],
        None,
    )
    assert {topic["name"]: topic["is_needed"] for topic in before["topics"]}["turns"] is True
    after = put(annas, "me/mail/", WANTED)
    assert {name: after[name] for name in WANTED} == WANTED
    assert annas.get("me/mail/") == after


@pytest.mark.parametrize(
    "change",
    [
        {"rhythm": "hourly"}, {"daily_at": "25:00"}, {"muted": ["turns"]}, {"muted": ["nonsense"]}, {"muted": "news"},
        {"quiet_holds_all": "perhaps"}, {"ways": "pigeon"}, {"sleep": "well"},
    ],
)  # fmt: skip
def test_wishes_that_cannot_be_are_refused_and_nothing_changes(annas: Program, anna: User, change: dict) -> None:
    answer = put(annas, "me/mail/", WANTED | change, status=422)
    assert next(iter(change)) in {error["field"].split(".")[0] for error in answer["errors"]}
    assert annas.get("me/mail/")["rhythm"] == "at_once"


def test_a_pause_begins_and_ends_and_is_never_longer_than_three_days(annas: Program, now: dt.datetime) -> None:
    week = annas.post("me/mail/snooze/", {"until": (now + dt.timedelta(days=7)).isoformat()})
    assert dt.datetime.fromisoformat(week["snoozed_until"]) == now + dt.timedelta(days=3)
    assert annas.post("me/mail/snooze/", {"until": None})["snoozed_until"] is None
    annas.post("me/mail/snooze/", {"until": now.isoformat()}, status=422)
    annas.post("me/mail/snooze/", {}, status=422)


def test_a_test_mail_is_sent_once_a_minute_and_stands_in_the_ledger(annas: Program, now: dt.datetime) -> None:
    response = annas.client.post("/api/v1/me/mail/test/", {}, content_type="application/json", headers=annas.headers)
    assert response.status_code == 202 and not response.content
    annas.post("me/mail/test/", status=429)
    while deliver(now, 1):
        pass
    told = annas.get("me/told/")
    assert len(told["items"]) == Notice.objects.count() == 2
    notice, token = told["items"]  # newest first
    assert (token["kind"], token["name"]) == ("token_made", "A new API token")
    assert (notice["kind"], notice["name"], notice["game_ref"]) == ("mail_test", "Test email", None)
    part = annas.get("me/told/?limit=1")
    assert part["items"] == [notice]
    assert annas.get(f"me/told/?limit=1&cursor={part['next']}") == {"items": [token], "next": None}
    (line,) = notice["channels"]
    assert (line["channel"], line["state"], line["words"]) == ("mail", "accepted", "was sent")
    assert [one["outcome"] for one in line["tries"]] == ["accepted"]


def test_nobody_reads_what_somebody_else_was_told(
    game: Game, annas: Program, ben: User, program: Callable[[User], Program]
) -> None:
    his, hers = program(ben).get("me/told/"), annas.get("me/told/")
    assert len(his["items"]) == Notice.objects.filter(recipient=ben.recipient).count() != 0
    assert len(hers["items"]) + len(his["items"]) < Notice.objects.count()
    assert game.ref in {notice["game_ref"] for notice in his["items"]}


def test_what_was_told_about_one_table_can_be_asked_for(
    game: Game, annas: Program, anna: User, david: User, program: Callable[[User], Program], now: dt.datetime
) -> None:
    notification_preferences.send_test_mail(user=anna, now=now)
    of_table = annas.get(f"me/told/?game_ref={game.ref}")
    assert 0 < len(of_table["items"]) < len(annas.get("me/told/")["items"])
    assert {notice["game_ref"] for notice in of_table["items"]} == {game.ref}
    program(david).get(f"me/told/?game_ref={game.ref}", status=404)


def test_an_address_that_fails_is_said_and_opened_again(annas: Program, anna: User, now: dt.datetime) -> None:
    bounces.record_bounce(address=anna.email, kind=Bounce.Kind.BOUNCED, event="1", now=now, is_final=True)
    assert annas.get("me/mail/")["trouble"] == "email to it bounced"
    assert annas.post("me/mail/reopen/")["trouble"] is None
    assert not suppressions.is_suppressed(anna.email)


def test_a_new_address_of_the_calendar_makes_the_old_one_void(annas: Program, settings: Any) -> None:
    old = annas.get("me/mail/")["calendar_url"].removeprefix(settings.SITE_URL)
    assert annas.client.get(old).status_code == 200
    new = annas.post("me/calendar/renew/")["calendar_url"].removeprefix(settings.SITE_URL)
    assert (annas.client.get(old).status_code, annas.client.get(new).status_code) == (404, 200)


def test_one_table_wants_something_else(annas: Program, anna: User, game: Game) -> None:
    path, usual = f"games/{game.ref}/mail/", {"rhythm": "", "ways": "", "muted": [], "remind_before": None}
    assert annas.get(path) == usual | TALK
    assert put(annas, path, HERE) == annas.get(path) == HERE | TALK
    assert Conversation.objects.get(recipient=anna.recipient).rhythm == "daily"
    assert put(annas, path, HERE | {"hears_all_talk": True})["hears_all_talk"]
    assert not put(annas, path, HERE | {"hears_all_talk": False})["hears_all_talk"]
    assert put(annas, path, HERE | {"hears_next": True})["hears_next"]
    assert not put(annas, path, HERE | {"hears_next": False})["hears_next"]
    for wrong in (
        {"rhythm": "hourly"},
        {"muted": ["turns"]},
        {"muted": ["invitations"]},
        {"ways": "pigeon"},
        {"remind_before": [5]},
    ):
        put(annas, path, usual | wrong, status=422)
    assert annas.get(path) == HERE | TALK


def test_one_table_is_silent_for_a_while(annas: Program, game: Game, now: dt.datetime) -> None:
    path = f"games/{game.ref}/mail/"
    week = annas.post(path + "snooze/", {"until": (now + dt.timedelta(days=7)).isoformat()})
    assert dt.datetime.fromisoformat(week["snoozed_until"]) == now + dt.timedelta(days=3)
    assert annas.get(path) == week and annas.get("me/mail/")["snoozed_until"] is None
    annas.post(path + "snooze/", {"until": now.isoformat()}, status=422)
    assert annas.post(path + "snooze/", {"until": None})["snoozed_until"] is None


def test_who_does_not_sit_there_chooses_nothing(david: User, game: Game, program: Callable[[User], Program]) -> None:
    path = f"games/{game.ref}/mail/"
    program(david).get(path, status=404)
    put(program(david), path, {"rhythm": "", "muted": []}, status=404)


def test_name_language_and_zone_are_changed(annas: Program, anna: User) -> None:
    told = put(annas, "me/", PERSON | {"name": "Ana"})
    assert (told["name"], told["language"], told["zone"]) == ("Ana", "es", "Europe/Madrid")
    for wrong in ({"name": "\u202e "}, {"name": "x" * 41}, {"language": "xx"}, {"zone": "Europe/Atlantis"}, {"a": 1}):
        put(annas, "me/", PERSON | wrong, status=422)
    for none in ("localtime", "Factory", "posixrules", "posix/Europe/Madrid", "tzdata.zi"):
        refused = put(annas, "me/", PERSON | {"zone": none}, status=422)
        assert refused["errors"][0] == {"field": "zone", "message": f"No existe la zona horaria {none}."}
    anna.refresh_from_db()
    assert anna.name == anna.recipient.name == "Ana"
