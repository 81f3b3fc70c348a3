"""How times are told."""

import datetime as dt

import pytest
import time_machine
from django.template import Context, Template
from django.utils import timezone, translation

from games.templatetags.games_tags import local_time, time_in_words

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("UTC", "Sat 21 Nov, 12:00 UTC"),
        ("Europe/Madrid", "Sat 21 Nov, 13:00 CET"),
        ("America/Argentina/Buenos_Aires", "Sat 21 Nov, 09:00 UTC-3"),
        ("Asia/Kathmandu", "Sat 21 Nov, 17:45 UTC+5:45"),
        ("Pacific/Kiritimati", "Sun 22 Nov, 02:00 UTC+14"),
    ],
)
def test_a_time_names_its_zone(zone, words):
    with time_machine.travel(NOON):
        assert time_in_words(NOON, zone) == words


def test_the_year_is_said_where_it_is_another():
    with time_machine.travel(NOON + dt.timedelta(days=60)):
        assert time_in_words(NOON) == "Sat 21 Nov 2026, 12:00 UTC"


def test_the_active_zone_is_the_readers():
    with time_machine.travel(NOON), timezone.override("Europe/Madrid"):
        html = Template("{% load games_tags %}{% local_time value %}").render(Context({"value": NOON}))
    assert html == '<time datetime="2026-11-21T12:00:00+00:00">Sat 21 Nov, 13:00 CET</time>'


def test_the_same_instant_in_summer_and_in_spanish():
    with time_machine.travel(NOON), translation.override("es"):
        summer = dt.datetime(2026, 7, 1, 12, 0, tzinfo=dt.UTC)
        assert time_in_words(summer, "Europe/Madrid").endswith("14:00 CEST")
        assert time_in_words(summer, "Europe/Madrid").startswith("mié 1 jul,")


def test_no_instant_is_nothing():
    assert local_time(None) == ""
