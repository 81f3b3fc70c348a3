"""What Jinja's templates know, and how they and Django's are put together."""

from types import SimpleNamespace

import pytest
from django.template import engines
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation

from games.web import jinja
from tests.games.web.filling import soup_of

MARKUP = '<img src="x" onerror="alert(1)">'
ESCAPED = "&lt;img src=&#34;x&#34; onerror=&#34;alert(1)&#34;&gt;"


def made(source: str, **values: object) -> str:
    return engines[jinja.ENGINE].from_string(source).render(values)


@pytest.mark.parametrize(
    "source",
    [
        "{{ name }}",
        '{{ _("Next: %(title)s")|format(title=name) }}',
        '{% include "games/parts/seat_name.html" %}',
        '{% call live("log", name) %}{{ name }}{% endcall %}',
    ],
)
def test_what_people_have_written_is_escaped_wherever_it_stands(source):
    page = made(source, name=MARKUP, seat=SimpleNamespace(display_name=MARKUP))
    assert "<img" not in page and ("&lt;img" in page)


def test_a_page_of_djangos_hands_its_blocks_and_its_values_over_as_they_are():
    source = (
        '{% extends "base.html" %}{% load games_tags %}{% block title %}{{ name }}{% endblock %}'
        '{% block content %}<b>{{ name }}</b>{% part "games/parts/seat_name.html" seat=seat %}{% endblock %}'
    )
    seat = SimpleNamespace(display_name=MARKUP)
    page = engines["django"].from_string(source).render({"name": "A & B", "seat": seat})
    assert "<title>A &amp; B · " in page and "<b>A &amp; B</b>" in page
    assert f"<bdi>{ESCAPED}</bdi>" in page


def test_a_sentence_is_kept_for_its_language_and_its_html_is_a_translators():
    assert jinja.sentence("Log") == "Log"
    with translation.override("es"):
        assert jinja.sentence("Log") == "Registro"
    assert jinja.sentence("Log") == "Log"
    assert jinja.sentence("<b>%(name)s</b>") % {"name": "<i>"} == "<b>&lt;i&gt;</b>"


def test_the_query_of_a_page_is_changed_and_the_rest_of_it_kept():
    request = RequestFactory().get("/?done=1&may=x&may=y")
    assert jinja.querystring(request, done=None, also="a b") == "?may=x&may=y&also=a+b"


def test_all_forms_of_a_page_have_one_token_and_it_is_taken(placing, anna):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(anna)
    fields = soup_of(browser.get(reverse("table", args=[placing.ref]))).select("input[name=csrfmiddlewaretoken]")
    (token,) = {field["value"] for field in fields}
    assert len(fields) > 3
    sent = {"csrfmiddlewaretoken": token, "text": "A note"}
    assert browser.post(reverse("note", args=[placing.ref]), sent).status_code == 302
    assert (
        browser.post(reverse("note", args=[placing.ref]), sent | {"csrfmiddlewaretoken": "x" * 64}).status_code == 403
    )
