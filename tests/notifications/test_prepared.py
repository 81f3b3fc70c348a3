"""Statements whose SQL is made once: they find, and write, what Django's own would."""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, models, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from notifications.models import Conversation, Delivery, Endpoint, Notice, Recipient
from notifications.prepared import prepared, prepared_rows
from notifications.written import (
    AT_ONCE,
    Columns,
    Stored,
    insert,
    insert_unknown,
    inserting,
    update,
    updating,
)

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2026, 5, 4, 12, 0, tzinfo=dt.UTC)


@prepared
def told(recipient: int, before: dt.datetime, *kinds: str) -> QuerySet[Notice]:
    """Notices of these kinds."""
    rows = Notice.objects.filter(recipient_id=recipient, created_at__lte=before, kind__in=kinds)
    return rows.select_related("recipient").order_by("-created_at")


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


def test_a_prepared_query_finds_what_django_finds_with_all_that_is_joined() -> None:
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


@prepared_rows
def kinds_told(before: dt.datetime, *recipients: int) -> QuerySet[Notice, Any]:
    """Kinds and names."""
    rows = Notice.objects.filter(recipient__pk__in=recipients, created_at__lte=before, thread="")
    return rows.order_by("pk").values_list("kind", "recipient__name")[: 2 * len(recipients)]


def test_prepared_rows_are_those_that_django_finds_for_any_number_of_values() -> None:
    anna, ben = recipient("anna"), recipient("ben")
    insert([notice(anna, 1), notice(ben, 2, kind="due"), notice(anna, 3), notice(anna, 4), notice(ben, 9)])
    for before, *readers in ((9, anna), (9, ben), (3, anna, ben), (2, ben, anna)):
        values = (NOON + dt.timedelta(hours=before), *(one.pk for one in readers))
        found, wanted = kinds_told(*values), list(kinds_told.__wrapped__(*values))  # type: ignore[attr-defined]
        assert list(map(tuple, found)) == wanted != []


@prepared_rows
def said_to(recipient: int) -> QuerySet[Notice, Any]:
    """When, and what."""
    rows = Notice.objects.filter(recipient_id=recipient).order_by("pk")
    return rows.values_list("created_at", "data", "data__n", "kind", "pk")


def test_prepared_rows_are_what_django_makes_of_them_too() -> None:
    anna = recipient("anna")
    kept = [{"n": 5}, {"n": "5"}, {"n": None}, {"n": [{"x": "y"}]}, {}]
    insert([notice(anna, number, data=data) for number, data in enumerate(kept)])
    found = said_to(anna.pk)
    assert found == list(said_to.__wrapped__(anna.pk)) != []  # type: ignore[attr-defined]
    assert {type(row) for row in found} == {tuple}


def test_inserted_rows_know_their_keys_and_are_stored_as_django_would_store_them() -> None:
    anna = recipient("anna")
    rows = insert([notice(anna, number, not_before=NOON) for number in range(AT_ONCE + 1)])
    assert list(map(facts_of, rows)) == list(map(facts_of, Notice.objects.order_by("pk")))
    rows[3].save()  # it is known to be stored
    assert Notice.objects.count() == AT_ONCE + 1


def test_what_is_known_is_passed_over_and_only_what_was_added_comes_back() -> None:
    anna = recipient("anna")
    (first,) = insert([notice(anna, 1)])
    again, new, twice = notice(anna, 1, subject="other"), notice(anna, 2), notice(anna, 2, subject="other")
    assert insert_unknown([again, new, twice], Stored(by=("dedupe_key",))) == [new]
    assert list(map(facts_of, Notice.objects.order_by("pk"))) == [facts_of(first), facts_of(new)]


def test_what_is_known_is_changed_where_it_is_as_it_must_be_and_keeps_all_else() -> None:
    anna = recipient("anna")
    keys = Stored(by=("dedupe_key",), changed=("subject", "not_before"), only_if=("kind", "news"))
    insert([notice(anna, 1), notice(anna, 2, kind="other")])
    changed = notice(anna, 1, subject="changed", not_before=NOON, thread="not written")
    left_alone, new = notice(anna, 2, subject="changed"), notice(anna, 3)
    assert insert_unknown([changed, left_alone, new], keys) == [changed, new]
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


@prepared
def deliveries_of(notice: int) -> QuerySet[Delivery]:
    """With whom and where to they go."""
    return (
        Delivery.objects.filter(notice_id=notice)
        .select_related("notice__recipient", "endpoint", "leader")
        .order_by("pk")
    )


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


@prepared
def hooks_at(address: str) -> QuerySet[Endpoint]:
    """Webhooks of somebody."""
    return Endpoint.objects.filter(recipient__address=address).select_related("recipient")


@prepared
def names_at(address: str) -> QuerySet[Recipient]:
    """Somebody, of whom little is read."""
    return Recipient.objects.filter(address=address).only("name")


def test_a_model_that_makes_its_objects_itself_makes_those_of_prepared_queries_too() -> None:
    Endpoint.objects.create(recipient=recipient("anna"), url="https://hooks.example.org/", secret="whsec_x")
    (found,) = hooks_at("anna@example.org")
    assert found.read_at > 0
    assert found.recipient.name == "anna"


def test_what_a_prepared_query_leaves_out_is_read_when_it_is_asked_for() -> None:
    anna = Recipient.objects.create(address="anna@example.org", name="Anna", zone="Europe/Paris")
    (found,) = names_at("anna@example.org")
    assert found.get_deferred_fields() == Recipient.objects.only("name").get().get_deferred_fields()
    with CaptureQueriesContext(connection) as asked:
        assert (found.name, found.pk) == ("Anna", anna.pk)
        assert not asked.captured_queries
        assert found.zone == "Europe/Paris"
    assert len(asked.captured_queries) == 1


class Word(models.TextChoices):
    """Something that a field of text may hold."""

    HERE = "here"


STORABLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 2**15),
    st.text("a%'\0", max_size=3),
    st.sampled_from(Word),
    st.datetimes(timezones=st.sampled_from([dt.UTC, ZoneInfo("Europe/Paris")])),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers() | st.floats(allow_nan=False), max_size=2),
)
FIELDS = sorted(
    {type(field): field for row in (Notice, Recipient, Delivery) for field in row._meta.concrete_fields}.values()
)


@given(st.sampled_from(FIELDS), st.lists(STORABLE, max_size=4))
def test_a_value_is_stored_as_its_field_would_have_it_whatever_was_stored_before(field: Any, values: list[Any]) -> None:
    columns, row = Columns([field]), field.model()
    for value in values:
        try:
            wanted = field.get_db_prep_save(value, connection)
        except (TypeError, ValueError, ValidationError):
            continue  # no such thing is ever stored there
        vars(row)[field.attname] = value
        (found,) = columns.values(row, connection)
        assert isinstance(wanted, type(found))  # of a number Django says which kind of PostgreSQL's it is
        assert str(found) == str(wanted)  # JSON for PostgreSQL is equal to nothing else


@pytest.mark.parametrize("how", ["auto_now", "auto_now_add"])
def test_a_field_that_is_set_as_it_is_written_is_refused(how: str) -> None:
    with pytest.raises(ValueError, match="as it is written"):
        Columns([models.DateTimeField(**{how: True})])  # type: ignore[arg-type]


def test_truth_values_are_read_as_such() -> None:
    """SQLite itself knows numbers only."""
    Recipient.objects.create(address="anna@example.org", quiet_holds_all=True)
    Recipient.objects.create(address="ben@example.org")
    (anna,), (ben,) = at("anna@example.org"), at("ben@example.org")
    assert (anna.quiet_holds_all, ben.quiet_holds_all) == (True, False)
    assert {type(one.quiet_holds_all) for one in (anna, ben, *Recipient.objects.all())} == {bool}
    assert {type(value) for value in Recipient.objects.values_list("quiet_holds_all", flat=True)} == {bool}
    assert {type(value) for (value,) in Recipient.objects.distinct().values_list("quiet_holds_all")} == {bool}


@prepared
def at(address: str) -> QuerySet[Recipient]:
    """Somebody."""
    return Recipient.objects.filter(address=address)


def test_what_is_written_together_is_all_written_and_known() -> None:
    anna = recipient("anna")
    (stored,) = insert([notice(anna, 1)])
    side = Conversation.objects.create(recipient=anna, thread="a")
    side.muted, new, other = ["b"], notice(anna, 2), Conversation(recipient=anna, thread="b%s")
    beside = [inserting([other]), updating(side, "muted")]
    assert insert_unknown([notice(anna, 1), new], Stored(by=("dedupe_key",)), beside) == [new]
    assert facts_of(Notice.objects.get(pk=new.pk)) == facts_of(new)
    assert Conversation.objects.get(pk=other.pk).thread == "b%s"
    assert Conversation.objects.get(pk=side.pk).muted == ["b"]
    assert list(Notice.objects.order_by("pk")) == [stored, new]


def test_what_is_written_beside_is_written_with_no_rows_and_with_many() -> None:
    anna = recipient("anna")
    for count in (0, 2 * AT_ONCE + 1):
        side = Conversation(recipient=anna, thread=f"{count}")
        rows = [notice(anna, number) for number in range(count)]
        assert insert_unknown(rows, Stored(by=("dedupe_key",)), [inserting([side])]) == rows
        assert Conversation.objects.filter(thread=f"{count}").count() == 1
    assert Notice.objects.count() == 2 * AT_ONCE + 1


def test_nothing_that_is_written_together_stays_if_one_of_it_cannot_be() -> None:
    anna = recipient("anna")
    gone = Conversation.objects.create(recipient=anna, thread="a")
    Conversation.objects.all().delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        insert_unknown([notice(anna, 1)], Stored(by=("dedupe_key",)), [updating(gone, "muted")])
    assert not Notice.objects.exists()
