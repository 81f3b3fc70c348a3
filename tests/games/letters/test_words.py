"""Language and time zone of the reader."""

import datetime as dt

import pytest
from django.utils import timezone, translation

from games.models import Decision, User
from games.people import letters
from notifications.models import Recipient
from tests.games.letters.conftest import mail

SUMMER = dt.datetime(2026, 7, 18, 22, 30, tzinfo=dt.UTC)
WINTER = dt.datetime(2026, 11, 21, 17, 30, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("zone", "at", "expected"),
    [
        ("UTC", WINTER, "Saturday 21 November 2026, 17:30 UTC"),
        ("Europe/Berlin", WINTER, "Saturday 21 November 2026, 18:30 CET (UTC+1)"),
        ("Europe/Berlin", SUMMER, "Sunday 19 July 2026, 00:30 CEST (UTC+2)"),
        ("America/New_York", WINTER, "Saturday 21 November 2026, 12:30 EST (UTC-5)"),
        ("Asia/Kolkata", WINTER, "Saturday 21 November 2026, 23:00 IST (UTC+5:30)"),
        ("America/Sao_Paulo", WINTER, "Saturday 21 November 2026, 14:30 UTC-3"),
        ("America/St_Johns", WINTER, "Saturday 21 November 2026, 14:00 NST (UTC-3:30)"),
        ("Nowhere/At_All", WINTER, "Saturday 21 November 2026, 17:30 UTC"),
        ("../../etc/passwd", WINTER, "Saturday 21 November 2026, 17:30 UTC"),
    ],
)
def test_an_instant_names_its_zone_in_letters_and_numbers(zone: str, at: dt.datetime, expected: str) -> None:
    with letters.reading(Recipient(zone=zone), "en"):
        assert letters.moment(at) == expected


@pytest.mark.parametrize(("language", "abbreviation"), [("de", "MEZ (UTC+1)"), ("es", "CET (UTC+1)")])
def test_the_letters_of_a_zone_are_those_of_the_readers_language(language: str, abbreviation: str) -> None:
    with letters.reading(Recipient(zone="Europe/Berlin"), language):
        assert letters.moment(WINTER).endswith(abbreviation)


def test_days_and_months_are_in_the_language_of_the_reader() -> None:
    with letters.reading(Recipient(zone="Europe/Madrid"), "es"):
        assert letters.moment(WINTER).startswith("sábado 21")


@pytest.mark.slow
def test_a_letter_leaves_language_and_zone_as_they_were(turn: Decision, ben: User) -> None:
    ben.recipient.language, ben.recipient.zone = "es", "Asia/Tokyo"
    ben.recipient.save()
    with translation.override("en"), timezone.override("UTC"):
        mail("due", ben)
        assert translation.get_language() == "en"
        assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize("language", ["es", "es-mx", "de-at", "tlh"])
def test_a_language_that_is_not_there_yet_still_makes_a_letter(turn: Decision, ben: User, language: str) -> None:
    ben.recipient.language = language
    ben.recipient.save()
    letter = mail("due", ben)
    assert "Thursday" in letter.subject
    assert "/act/" in letter.text
    assert "None" not in letter.text


def test_the_html_says_which_language_it_is_in(turn: Decision, ben: User) -> None:
    ben.recipient.language = "es"
    ben.recipient.save()
    assert '<html lang="es">' in mail("due", ben).html
