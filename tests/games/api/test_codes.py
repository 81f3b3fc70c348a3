"""What programs read is a word, whatever language its people speak: codes, states, and how long to wait."""

import datetime as dt
from collections.abc import Iterator

import pytest

from games.errors import TooMany
from games.models import Game, User
from games.moderation import people
from games.people import notification_preferences, staff
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.conftest import deliveries

HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    with present.going_by(lambda: now):
        yield


def test_a_refusal_has_the_same_code_in_every_language(annas: Program, anna: User) -> None:
    english = annas.get("games/nosuchgame12/", 404, **{"Accept-Language": "en"})
    spanish = annas.get("games/nosuchgame12/", 404, **{"Accept-Language": "es"})
    assert english["code"] == spanish["code"] and english["detail"] != spanish["detail"]
    anna.recipient.language = "es"
    anna.recipient.save()
    assert annas.get("games/nosuchgame12/", 404) == spanish, "who asks for no language is spoken to in his own"


def test_the_state_of_a_call_is_a_word_for_programs_and_one_for_people(annas: Program) -> None:
    made = annas.post("me/webhooks/", {"url": "https://hooks.example.org/x"}, status=201)
    annas.post(f"me/webhooks/{made['ref']}/ping/")
    deliveries()
    (call,) = annas.get(f"me/webhooks/{made['ref']}/calls/", **{"Accept-Language": "es"})["items"]
    assert call["state"] == "waiting" and call["words"] not in ("", "waiting")


def test_whoever_asks_too_often_is_told_how_long_to_wait(annas: Program, settings: object) -> None:
    """Unlike a quota, which no waiting raises."""
    settings.INVITATIONS_PER_HOST_AND_DAY = 1  # type: ignore[attr-defined]
    table = annas.post("games/", {"rules": "aladdins-dragons", "seat_count": 3}, status=201)
    path = f"/api/v1/games/{table['ref']}/invitations/"
    answers = [
        annas.client.post(path, {"address": address}, content_type="application/json", headers=annas.headers)
        for address in ("gil@example.org", "hal@example.org")
    ]
    assert (answers[1].status_code, answers[1].json()["code"], answers[1]["Retry-After"]) == (429, "too-many", "86400")


def test_the_wait_ends_when_the_first_of_them_is_old_enough(anna: User, now: dt.datetime) -> None:
    notification_preferences.send_test_mail(user=anna, now=now)
    with pytest.raises(TooMany) as refused:
        notification_preferences.send_test_mail(user=anna, now=now + dt.timedelta(seconds=20))
    assert refused.value.wait == 40
    assert notification_preferences.send_test_mail(user=anna, now=now + dt.timedelta(seconds=60))


def test_the_token_of_a_closed_account_says_so_and_works_again_when_it_is_opened(
    game: Game, annas: Program, anna: User, now: dt.datetime
) -> None:
    eva = staff.make_moderator("eva@example.org")
    people.suspend(user=anna, by=eva, reason="He shouts.", now=now, until=now + HOUR)
    refused = annas.get("me/", 403)
    assert refused["code"] == "account-closed"
    assert Program(anna).get("me/", 403)["code"] == "account-closed"
    people.lift_suspension(user=anna, by=eva, reason="It was a mistake.", now=now)
    assert annas.get("me/")["name"] == "Anna"
