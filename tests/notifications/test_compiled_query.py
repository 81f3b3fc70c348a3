"""Compiled queries find what Django's own find, and rows written by our own SQL are stored as Django stores them."""

import datetime as dt
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from notifications.database.bulk_write import MOST_ROWS, OnConflict, insert, update
from notifications.database.compiled_query import (
    AS_SQLITE_STORES,
    compiled,
    compiled_exists,
    compiled_rows,
    pad_to_power_of_two,
)
from notifications.models import Conversation, Delivery, Endpoint, Notice, Recipient

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2026, 5, 4, 12, 0, tzinfo=dt.UTC)
FAR = NOON + dt.timedelta(days=365)


@compiled("recipient")
def told(recipient: int, before: dt.datetime, *kinds: str) -> QuerySet[Notice]:
    """Notices of these kinds."""
    rows = Notice.objects.filter(recipient_id=recipient, created_at__lte=before, kind__in=kinds)
    return rows.order_by("-created_at")


def recipient(name: str) -> Recipient:
    """Somebody."""
    return Recipient.objects.create(address=f"{name}@example.org", name=name)


def notice(reader: Recipient, number: int, **more: Any) -> Notice:
    """Something to tell him, not stored yet."""
    at = NOON + dt.timedelta(hours=number)
    facts = {"kind": "news", "subject": "s", "data": {"n": [number]}, "dedupe_key": f"k{number}", "created_at": at}
    return Notice(recipient=reader, **facts | more)


def facts_of(row: Any) -> dict[str, Any]:
    """All that is stored of a row."""
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_compiled_query_finds_what_django_finds_with_all_that_is_joined() -> None:
    anna, ben = recipient("anna"), recipient("ben")
    insert([notice(anna, 1), notice(anna, 2, kind="due"), notice(ben, 3), notice(anna, 4), notice(anna, 5, kind="x")])
    for reader, before, kinds in ((anna, 4, ("news", "due")), (anna, 3, ("due",)), (ben, 9, ("news",))):
        at = NOON + dt.timedelta(hours=before)
        found, wanted = told(reader.pk, at, *kinds), list(told.__wrapped__(reader.pk, at, *kinds))  # type: ignore[attr-defined]
        assert list(map(facts_of, found)) == list(map(facts_of, wanted)) != []
        assert not found[0]._state.adding
        assert [type(value) for value in facts_of(found[0].recipient).values()] == [
            type(value) for value in facts_of(Recipient.objects.get(pk=reader.pk)).values()
        ]
        with CaptureQueriesContext(connection) as asked:
            assert {facts_of(row.recipient)["name"] for row in found} == {reader.name}
        assert not asked.captured_queries


KIND_AND_NAME = ("kind", "recipient__name")


@compiled_rows(*KIND_AND_NAME)
def kinds_told(before: dt.datetime, *recipients: int) -> QuerySet[Notice]:
    """Kinds and names."""
    rows = Notice.objects.filter(recipient__pk__in=recipients, created_at__lte=before, thread="")
    return rows.order_by("pk")[: 2 * len(recipients)]


def test_compiled_rows_are_those_that_django_finds_for_any_number_of_values() -> None:
    anna, ben = recipient("anna"), recipient("ben")
    insert([notice(anna, 1), notice(ben, 2, kind="due"), notice(anna, 3), notice(anna, 4), notice(ben, 9)])
    for before, *readers in ((9, anna), (9, ben), (3, anna, ben), (2, ben, anna)):
        values = (NOON + dt.timedelta(hours=before), *(one.pk for one in readers))
        found, wanted = kinds_told(*values), kinds_told.__wrapped__(*values)  # type: ignore[attr-defined]
        assert found == list(wanted.values_list(*KIND_AND_NAME)) != []


FACTS = ("created_at", "data", "not_before", "kind", "pk")


@compiled_rows(*FACTS)
def said_to(recipient: int) -> QuerySet[Notice]:
    """When, and what."""
    return Notice.objects.filter(recipient_id=recipient).order_by("pk")


def test_compiled_rows_hold_what_django_makes_of_columns() -> None:
    anna = recipient("anna")
    kept = [{"n": 5}, {"n": "5"}, {"n": None}, {"n": [{"x": "y"}]}, {}]
    insert([notice(anna, number, data=data) for number, data in enumerate(kept)])
    found = said_to(anna.pk)
    assert found == list(said_to.__wrapped__(anna.pk).values_list(*FACTS)) != []  # type: ignore[attr-defined]
    assert {type(row) for row in found} == {tuple}


@compiled_exists
def is_told(kind: str) -> QuerySet[Notice]:
    """Whether there is one of this kind."""
    return Notice.objects.filter(kind=kind)


def test_whether_there_is_a_row_is_known_without_reading_it() -> None:
    insert([notice(recipient("anna"), 1), notice(recipient("ben"), 2)])
    assert (is_told("news"), is_told("due")) == (True, False)


def test_every_field_that_sqlite_stores_otherwise_is_converted() -> None:
    """Django converts those of other fields as well where their values do not come as they were stored."""
    if connection.vendor != "sqlite":
        return
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if connection.ops.get_db_converters(field.get_col(model._meta.db_table)):
                assert type(field) in AS_SQLITE_STORES or hasattr(field, "from_db_value"), field


def test_few_queries_are_compiled_for_lists_of_any_length() -> None:
    assert [len(pad_to_power_of_two(range(number))) for number in (0, 1, 2, 3, 4, 5, 20)] == [0, 1, 2, 4, 4, 8, 32]
    assert pad_to_power_of_two("abcde") == list("abcdeeee")


def test_inserted_rows_know_their_keys_and_are_stored_as_django_would_store_them() -> None:
    anna = recipient("anna")
    rows = insert([notice(anna, number, not_before=NOON) for number in range(MOST_ROWS + 1)])
    assert list(map(facts_of, rows)) == list(map(facts_of, Notice.objects.order_by("pk")))
    rows[3].save()  # it is known to be stored
    assert Notice.objects.count() == MOST_ROWS + 1


def test_what_is_known_is_passed_over_and_only_what_was_added_comes_back() -> None:
    anna = recipient("anna")
    (first,) = insert([notice(anna, 1)])
    again, new, twice = notice(anna, 1, subject="other"), notice(anna, 2), notice(anna, 2, subject="other")
    assert insert([again, new, twice], OnConflict(unique=("dedupe_key",))) == [new]
    assert list(map(facts_of, Notice.objects.order_by("pk"))) == [facts_of(first), facts_of(new)]


def test_what_is_known_is_changed_where_it_is_as_it_must_be_and_keeps_all_else() -> None:
    anna = recipient("anna")
    keys = OnConflict(unique=("dedupe_key",), changed=("subject", "not_before"), only_if=("kind", "news"))
    insert([notice(anna, 1), notice(anna, 2, kind="other")])
    changed = notice(anna, 1, subject="changed", not_before=NOON, thread="not written")
    left_alone, new = notice(anna, 2, subject="changed"), notice(anna, 3)
    assert insert([changed, left_alone, new], keys) == [changed, new]
    stored = Notice.objects.order_by("pk")
    assert [(row.subject, row.thread) for row in stored] == [("changed", ""), ("s", ""), ("s", "")]
    assert [changed.pk, new.pk] == [stored[0].pk, stored[2].pk]


def test_an_update_writes_these_fields_and_no_others() -> None:
    side = Conversation.objects.create(recipient=recipient("anna"), thread="t", muted=["a"])
    side.muted, side.snoozed_until, side.rhythm = ["b", "c"], NOON, "daily"
    update(side, "muted", "snoozed_until")
    stored = Conversation.objects.get()
    assert (stored.muted, stored.snoozed_until, stored.rhythm) == (["b", "c"], NOON, "")
    Conversation.objects.all().delete()
    with pytest.raises(DatabaseError):
        update(side, "muted")


@compiled("notice", "notice__recipient", "endpoint", "leader")
def deliveries_of(notice: int) -> QuerySet[Delivery]:
    """With whom and where to they go."""
    return Delivery.objects.filter(notice_id=notice).order_by("pk")


def test_what_is_joined_is_known_at_any_depth_and_where_nothing_is_joined_that_is_known_too() -> None:
    anna = recipient("anna")
    hook = Endpoint.objects.create(recipient=anna, url="https://hooks.example.org/", secret="whsec_x")
    (told,) = insert([notice(anna, 1)])
    for channel, endpoint in (("mail", None), ("webhook", hook)):
        facts = {"channel": channel, "endpoint": endpoint, "message_id": f"<{channel}@example.org>"}
        Delivery.objects.create(notice=told, recipient=anna, **facts)
    with CaptureQueriesContext(connection) as asked:
        mail, call = deliveries_of(told.pk)
        assert mail.endpoint is None and mail.leader is None and call.leader is None
        assert call.endpoint is not None and call.endpoint.url == hook.url
        assert mail.notice.recipient.name == call.notice.recipient.name == "anna"
    assert len(asked.captured_queries) == 1


@compiled("recipient")
def hooks_at(address: str) -> QuerySet[Endpoint]:
    """Webhooks of somebody."""
    return Endpoint.objects.filter(recipient__address=address)


@compiled(without=["zone"])
def names_at(address: str) -> QuerySet[Recipient]:
    """Somebody, of whom the zone is not read."""
    return Recipient.objects.filter(address=address)


def test_a_model_that_makes_its_objects_itself_makes_those_of_compiled_queries_too() -> None:
    Endpoint.objects.create(recipient=recipient("anna"), url="https://hooks.example.org/", secret="whsec_x")
    (found,) = hooks_at("anna@example.org")
    assert found.read_at > 0
    assert found.recipient.name == "anna"


def test_what_a_compiled_query_leaves_out_is_read_when_it_is_asked_for() -> None:
    anna = Recipient.objects.create(address="anna@example.org", name="Anna", zone="Europe/Paris")
    (found,) = names_at("anna@example.org")
    assert found.get_deferred_fields() == Recipient.objects.defer("zone").get().get_deferred_fields()
    with CaptureQueriesContext(connection) as asked:
        assert (found.name, found.pk) == ("Anna", anna.pk)
        assert not asked.captured_queries
        assert found.zone == "Europe/Paris"
    assert len(asked.captured_queries) == 1


STORABLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.text("a%'\"\\", max_size=3),
    st.lists(st.text("ab", max_size=3), max_size=2),
    st.dictionaries(st.text("ab", max_size=3), st.integers(-9, 9) | st.floats(-9, 9), max_size=2),
)


@given(st.lists(STORABLE, min_size=1, max_size=4))
def test_values_are_stored_and_read_as_by_django(values: list[Any]) -> None:
    with transaction.atomic():
        anna = recipient("anna")
        rows = insert([notice(anna, number, data={"value": value}) for number, value in enumerate(values)])
        assert [row.data for row in told(anna.pk, FAR, "news")][::-1] == [row.data for row in rows]
        assert list(map(facts_of, Notice.objects.order_by("pk"))) == list(map(facts_of, rows))
        transaction.set_rollback(True)


def test_truth_values_are_read_as_such() -> None:
    """SQLite itself knows numbers only."""
    Recipient.objects.create(address="anna@example.org", quiet_holds_all=True)
    Recipient.objects.create(address="ben@example.org")
    (anna,), (ben,) = at("anna@example.org"), at("ben@example.org")
    assert (anna.quiet_holds_all, ben.quiet_holds_all) == (True, False)
    assert {type(one.quiet_holds_all) for one in (anna, ben, *Recipient.objects.all())} == {bool}
    assert {type(value) for value in Recipient.objects.values_list("quiet_holds_all", flat=True)} == {bool}
    assert {type(value) for (value,) in Recipient.objects.distinct().values_list("quiet_holds_all")} == {bool}


@compiled()
def at(address: str) -> QuerySet[Recipient]:
    """Somebody."""
    return Recipient.objects.filter(address=address)
