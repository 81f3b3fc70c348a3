"""What a program reads is the same in every language; the words beside it are for people."""

import datetime as dt
from typing import Any

import pytest

from games.models import Decision, Extension, Game, User
from notifications.channels.mail import suppressions
from tests.games.api.conftest import Program
from tests.games.api.playing import abandoned
from tests.games.conftest import deliveries

ENGLISH, SPANISH = {"Accept-Language": "en"}, {"Accept-Language": "es"}


@pytest.mark.parametrize(
    ("reason", "code"),
    [(reason, "service" if reason in ("outage", "not_told") else reason) for reason in Extension.Reason.values],
)
def test_why_a_deadline_moved_is_a_code_that_names_no_cause_of_one_person(
    placing: Game, annas: Program, now: dt.datetime, reason: str, code: str
) -> None:
    row = Decision.objects.get(game=placing, status="open")
    Extension.objects.create(decision=row, reason=reason, old_due_at=now, new_due_at=now + dt.timedelta(hours=1))
    told, other = (annas.get(f"games/{placing.ref}/", **language)["extensions"][0] for language in (ENGLISH, SPANISH))
    assert told["code"] == other["code"] == code
    assert told["reason"] != other["reason"]


@pytest.mark.parametrize(("missed", "code"), [("ask", "default-"), ("proposal", "proposal")])
def test_what_happens_at_the_deadline_is_a_code(game: Game, annas: Program, missed: str, code: str) -> None:
    Game.objects.filter(pk=game.pk).update(missed=missed)
    told, other = (annas.get(f"games/{game.ref}/decisions/", **language)["items"][0] for language in (ENGLISH, SPANISH))
    assert told["default_code"] == other["default_code"] and told["default_code"].startswith(code)
    assert told["default"] != other["default"]


def test_figures_have_the_same_codes_in_every_language(game: Game, annas: Program, now: dt.datetime) -> None:
    abandoned(game, now)
    told, other = (annas.get(f"games/{game.ref}/statistics/", **language)["items"] for language in (ENGLISH, SPANISH))

    def codes(tables: list[Any]) -> list[Any]:
        return [(one["code"], [(row["code"], row["params"], row["numbers"]) for row in one["rows"]]) for one in tables]

    assert codes(told) == codes(other) and len({one["code"] for one in told}) == len(told)
    assert [one["title"] for one in told] != [one["title"] for one in other]


def test_why_a_webhook_is_off_and_why_nothing_is_sent_there_are_codes_beside_words(annas: Program) -> None:
    made = annas.post("me/webhooks/", {"url": "https://hooks.example.org/x"}, status=201)
    annas.post(f"me/webhooks/{made['ref']}/ping/")
    deliveries()
    annas.post(f"me/webhooks/{made['ref']}/switch/", {"is_on": False})
    told, other = (annas.get(f"me/webhooks/{made['ref']}/", **language) for language in (ENGLISH, SPANISH))
    assert told["reason_code"] == other["reason_code"] == "by_owner"
    assert (told["reason"], other["reason"]) == ("you switched it off", "lo has desactivado tú")
    (call,), (otra,) = (
        annas.get(f"me/webhooks/{made['ref']}/calls/", **language)["items"] for language in (ENGLISH, SPANISH)
    )
    assert call["reason_code"] == otra["reason_code"] == "webhook_off"
    assert call["reason"] != otra["reason"]


def test_why_an_address_gets_no_email_is_a_code_beside_words(annas: Program, anna: User) -> None:
    suppressions.suppress(anna.recipient.address, suppressions.BOUNCED)
    told, other = (annas.get("me/mail/", **language) for language in (ENGLISH, SPANISH))
    assert told["trouble_code"] == other["trouble_code"] == "bounced"
    assert told["trouble"] == "email to it bounced" and other["trouble"] != told["trouble"]
