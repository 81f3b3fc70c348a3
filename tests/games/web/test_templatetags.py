"""How times are told."""

import datetime as dt
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import time_machine
from django.contrib.staticfiles import finders
from django.template import Context, Template
from django.utils import timezone, translation

from games.play.history import LogLine
from games.web.answers.order_rows import BlankItem
from games.web.elements import blank_select, local_time, log_items, time_in_words
from games.web.jinja import board_figure, footer

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


def test_a_time_in_german_has_the_german_letters_of_its_zone():
    with time_machine.travel(NOON), translation.override("de"):
        assert time_in_words(NOON, "Europe/Berlin").endswith("13:00 MEZ")


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


def test_a_time_that_was_told_before_is_told_anew_in_another_language_and_another_year():
    with time_machine.travel(NOON):
        assert time_in_words(NOON) == "Sat 21 Nov, 12:00 UTC"
        with translation.override("es"):
            assert time_in_words(NOON) == "sáb 21 nov, 12:00 UTC"
    with time_machine.travel(NOON + dt.timedelta(days=60)):
        assert time_in_words(NOON) == "Sat 21 Nov 2026, 12:00 UTC"


def test_a_log_says_each_time_once_marks_what_is_new_and_strikes_what_was_taken_back():
    lines = [
        LogLine(3, NOON + dt.timedelta(minutes=1), "Ben <b> plays", None),
        LogLine(None, NOON, "Only you know", None),
        LogLine(2, NOON, "Anna plays", None, is_taken_back=True),
    ]
    with time_machine.travel(NOON):
        items = log_items(lines, 2).split("\n")
    assert items == [
        '<li value="3" class="new">Ben &lt;b&gt; plays <span class="small muted">'
        '<time datetime="2026-11-21T12:01:00+00:00">Sat 21 Nov, 12:01 UTC</time></span></li>',
        '<li>Only you know <span class="small muted">'
        '<time datetime="2026-11-21T12:00:00+00:00">Sat 21 Nov, 12:00 UTC</time></span></li>',
        '<li value="2"><s>Anna plays</s> <span class="small">(taken back)</span> </li>',
        "",
    ]


def test_to_a_first_look_nothing_in_a_log_is_new():
    assert "new" not in log_items([LogLine(3, NOON, "Ben plays", None)], None)


def test_a_blank_may_stay_empty_and_shows_what_is_chosen():
    blank = BlankItem("row.a", 'a "space"', [("market", "Market & Co", True), ("tent", "Tent", False)])
    assert blank_select(blank, "The <city>") == (
        '<select name="row.a" aria-label="The &lt;city&gt;: a &quot;space&quot;">\n'
        '<option value="">a &quot;space&quot;…</option>\n'
        '<option value="market" selected>Market &amp; Co</option>\n'
        '<option value="tent">Tent</option>\n</select>'
    )


def test_the_foot_of_a_page_is_kept_for_a_language_and_never_for_another():
    english = footer(False)
    with translation.override("es"):
        assert "Reglas" in footer(False)
    assert footer(False) == english and "Rules" in english
    assert "/mailbox/" in footer(True) and "/mailbox/" not in english


def test_a_picture_for_which_something_is_missing_leaves_a_gap_and_is_written_down(caplog):
    game = SimpleNamespace(rules_name="aladdins-dragons", ref="thursday", pk=None)
    assert board_figure(game, {}, ()) == ""
    assert "The board of game thursday could not be drawn" in caplog.text


def test_every_static_file_that_a_template_names_is_one() -> None:
    """A folder is none: where files are named by what is in them, a page that asks for one is an error."""
    root = Path(__file__).resolve().parents[3] / "games"
    texts = {path: path.read_text() for folder in ("templates", "jinja2") for path in (root / folder).rglob("*.*ml")}
    named = [
        (path.name, name)
        for path, text in texts.items()
        for name in re.findall(r"""static[ (]["']([^"'{]+)["']""", text)
    ]
    assert named
    assert [pair for pair in named if not Path(str(finders.find(pair[1]))).is_file()] == []
