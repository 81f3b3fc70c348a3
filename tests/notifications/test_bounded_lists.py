"""Lists of the admin site cost the same however many rows there are, and say what they leave out."""

import re
from datetime import timedelta

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from notifications.admin import base
from notifications.clock import present
from notifications.database import key_of_time
from notifications.database.key_of_time import first_key_since
from notifications.models import Conversation, Notice, Recipient

pytestmark = pytest.mark.django_db
NOTICES, RECIPIENTS = (reverse(f"admin:notifications_{name}_changelist") for name in ("notice", "recipient"))
GROWING = (
    "games_game", "games_seat", "games_decision", "games_move", "games_user",
    "notifications_recipient", "notifications_notice", "notifications_delivery", "notifications_attempt",
)  # fmt: skip
SEARCHED = f"LIMIT {base.COUNTED + 1}"


@pytest.fixture
def many(ben, monkeypatch, now):
    """Seven notices, an hour apart, where lists show five and count three."""
    monkeypatch.setattr(base, "NEWEST", 5)
    monkeypatch.setattr(base, "COUNTED", 3)
    for number in range(7):
        Recipient.objects.create(address=f"r{number}@example.org", name=f"Reader {number}")
        at = present.now() - timedelta(hours=7 - number)
        Notice.objects.create(recipient=ben, kind="test", subject=f"s{number}", dedupe_key=f"k{number}", created_at=at)


def said(client, page, **query):
    return client.get(page, query).content.decode()


def test_a_list_shows_the_newest_rows_and_says_so(many, admin_client):
    shown = said(admin_client, RECIPIENTS)
    assert "Reader 6" in shown and "Reader 1" not in shown
    assert "Listed are the newest 5. Search to find older ones." in shown


def test_a_list_says_that_there_are_more_than_it_counts(many, admin_client):
    assert "more than 3 entries" in said(admin_client, RECIPIENTS)
    assert re.search(r"\b3 entries", said(admin_client, RECIPIENTS, q="r6@example.org")) is None
    assert admin_client.get(RECIPIENTS).context["cl"].result_count == 3


def test_a_search_finds_what_is_too_old_for_the_list(many, admin_client):
    assert "Reader 1" in said(admin_client, RECIPIENTS, q="R1@Example.org")
    assert "Listed are" not in said(admin_client, RECIPIENTS, q="R1@Example.org")


def test_a_list_that_leaves_rows_out_is_bounded_by_time_and_not_by_their_number(many, admin_client, monkeypatch):
    assert ">s0<" in said(admin_client, NOTICES) and "Listed is" not in said(admin_client, NOTICES)  # a club's
    monkeypatch.setattr(base, "CLUB", 0)
    monkeypatch.setattr(key_of_time, "ABREAST", 1)
    monkeypatch.setattr(base, "LOOKED_AT", base.A_DAY * _span_of_keys() / 24 * 8)  # eight hours
    shown = said(admin_client, NOTICES)
    assert "Listed is what&#x27;s new in the last 6 hours." in shown
    assert ">s2<" in shown and ">s1<" not in shown
    assert ">s0<" in said(admin_client, NOTICES, q="s0")


def _span_of_keys():
    keys = list(Recipient.objects.order_by("pk").values_list("pk", flat=True))
    return keys[-1] - keys[0] + 1


@pytest.mark.parametrize("hours", [0, 1, 3.5, 7, 8])
def test_the_first_row_since_an_instant_is_found_by_its_key(many, hours):
    since = present.now() - timedelta(hours=hours)
    newer = list(Notice.objects.filter(created_at__gte=since).order_by("pk").values_list("pk", flat=True))
    first = first_key_since(Notice.objects.all(), "created_at", since)
    assert (
        list(Notice.objects.filter(pk__gte=first).order_by("pk").values_list("pk", flat=True))[-len(newer) or 99 :]
        == newer
    )
    assert first_key_since(Conversation.objects.all(), "seen_at", since) == 0


def test_a_name_is_found_by_how_it_begins_however_it_is_capitalised(ben, django_user_model):
    for name in ("Änne", "änni", "anna 100%", "Zoë"):
        django_user_model.objects.create_user(f"{len(name)}{ord(name[0])}@example.org", name=name)
    found = django_user_model.objects.filter
    assert {one.name for one in found(name__begins="ANNA 100%")} == {"anna 100%"}
    assert {one.name for one in found(name__begins="Änn")} >= {"Änne"}
    assert not found(name__begins="nna").exists() and not found(name__begins="anna 100_").exists()


@pytest.mark.parametrize(
    "model", [one for one in admin.site._registry if hasattr(admin.site.get_model_admin(one), "window")]
)
def test_no_search_goes_through_a_table_that_grows(admin_client, monkeypatch, model):
    monkeypatch.setattr(type(admin.site.get_model_admin(model)), "recent_search_fields", ())  # those look in the window
    page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")  # of tables that are all but empty
    with CaptureQueriesContext(connection) as captured:
        admin_client.get(page, {"q": "abc"})
    fields = admin.site.get_model_admin(model).search_fields
    searches = [one["sql"] for one in captured if SEARCHED in one["sql"]]
    assert len(searches) >= len(fields)
    for sql in searches:
        assert not _read_in_full(sql), sql


def _read_in_full(sql):
    how = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        cursor.execute(f"{how} {sql}")
        plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
    return [table for table in GROWING if re.search(rf"(?:SCAN|Seq Scan on) {table}(?! USING)\b", plan)]
