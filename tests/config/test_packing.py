"""On SQLite rows of many columns are read as one JSON value each: what is found is what Django finds."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, models
from django.db.models import Count, F, Func, QuerySet, Value
from django.db.models.functions import Concat
from hypothesis import given
from hypothesis import strategies as st

from config.sqlite3.packing import FINAL, MOST, STORED, Packing
from games.models import Decision, Game, Seat
from notifications.models import Conversation, Notice, Recipient
from notifications.prepared import prepared

pytestmark = pytest.mark.django_db
NO_NUL = st.characters(exclude_characters="\0", exclude_categories=["Cs"])  # which PostgreSQL has not
WORDS = st.text(NO_NUL, max_size=20) | st.sampled_from(["null", "true", '"', "\\u0041", "\x1f\n", "1", "[]"])
INSTANTS = st.datetimes(timezones=st.just(dt.UTC))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)


@prepared
def told(reader: int) -> QuerySet[Notice]:
    """All that somebody was told."""
    return Notice.objects.filter(recipient_id=reader).select_related("recipient").order_by("pk")


@prepared
def threads_of(reader: int) -> QuerySet[Conversation]:
    """What somebody has wished of threads."""
    return Conversation.objects.filter(recipient_id=reader).select_related("recipient").order_by("pk")


def facts_of(row: Any) -> dict[str, Any]:
    """All that is stored of a row, with what kind it is."""
    return {name: (type(value), value) for name, value in vars(row).items() if name != "_state"}


def are_alike(ask: Callable[..., list[Any]], *values: Any) -> None:
    """What it finds is what Django finds, and something; the same of who is joined."""
    found, wanted = ask(*values), list(ask.__wrapped__(*values))  # type: ignore[attr-defined]
    assert list(map(facts_of, found)) == list(map(facts_of, wanted)) != []
    assert [facts_of(row.recipient) for row in found] == [facts_of(row.recipient) for row in wanted]


@given(
    st.fixed_dictionaries(
        {"name": WORDS, "quiet_from": st.none() | st.times(), "is_loud": st.booleans(), "at": INSTANTS, "data": JSON}
    )
)
def test_whatever_is_stored_is_read_as_django_reads_it(facts: dict[str, Any]) -> None:
    reader = Recipient.objects.create(
        address="anna@example.org",
        name=facts["name"],
        quiet_from=facts["quiet_from"],
        quiet_holds_all=facts["is_loud"],
    )
    more = {
        "subject": facts["name"],
        "data": {"said": facts["data"]},
        "created_at": facts["at"],
        "not_before": facts["at"],
    }
    Notice.objects.create(recipient=reader, kind="news", dedupe_key="one", **more)
    Notice.objects.create(recipient=reader, kind="news", dedupe_key="two", **more | {"not_before": None})
    Conversation.objects.create(recipient=reader, thread="t", snoozed_until=facts["at"], muted=[facts["name"]])
    try:
        are_alike(told, reader.pk)
        are_alike(threads_of, reader.pk)
    finally:
        reader.delete()


@pytest.mark.parametrize("stored", ["2026-05-04T12:00", "2026-05-04 12:00:00.5", "2026-05-04 14:00+02:00"])
def test_what_was_stored_in_other_words_is_read_as_django_reads_it(stored: str) -> None:
    reader = Recipient.objects.create(address="anna@example.org")
    Notice.objects.create(recipient=reader, kind="news", dedupe_key="one", created_at=dt.datetime.now(dt.UTC))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE notifications_notice SET created_at = %s", [stored])
    are_alike(told, reader.pk)


def packing_of(rows: QuerySet[Any, Any]) -> Packing:
    """How its rows would be read."""
    compiler = rows.query.get_compiler("default")
    sql, _params = compiler.as_sql()
    return Packing(compiler, sql)


def test_all_columns_are_read_at_once_but_long_texts() -> None:
    packing = packing_of(Seat.objects.select_related("game").filter(game_id=1))
    names = [column.name for model in (Seat, Game) for column in model._meta.concrete_fields]
    assert [names[place] for place in packing.apart] == ["state"]
    assert packing.sql.count("json_array(") == 1 and " FROM " in packing.sql


@pytest.mark.parametrize(
    "rows",
    [
        Recipient.objects.distinct,
        lambda: Recipient.objects.annotate(word=Concat("name", Value("!"))).order_by("word"),
        lambda: Recipient.objects.annotate(count=Count("notices")).order_by("pk"),
        lambda: Recipient.objects.filter(pk=1).union(Recipient.objects.filter(pk=2)),
        lambda: Decision.objects.select_related(
            "game__host__recipient", "game__again_of__host", "seat__user__recipient"
        ),
        lambda: Recipient.objects.annotate(share=Value(Decimal("1.5")), kind=F("name")),
        lambda: Game.objects.only("state").values_list("state"),
    ],
    ids=[
        "distinct",
        "sorted by what is made",
        "grouped",
        "united",
        "too many",
        "values that change places",
        "nothing to pack",
    ],
)
def test_a_statement_that_cannot_be_packed_is_left_as_it_is(rows: Callable[[], QuerySet[Any, Any]]) -> None:
    with pytest.raises(ValueError, match=r"^Its? (is|has|order)"):
        packing_of(rows())


def test_a_text_that_is_made_stays_a_column() -> None:
    """SQLite may have it as JSON, and puts it into an array as such."""
    packing = packing_of(Recipient.objects.annotate(quoted=Func(F("name"), function="JSON_QUOTE")))
    assert packing.apart == [len(Recipient._meta.concrete_fields)]


def test_a_function_takes_no_more_than_that() -> None:
    assert MOST <= 127  # SQLITE_MAX_FUNCTION_ARG


def test_fields_of_no_known_kind_stay_columns() -> None:
    for kind in (models.FloatField, models.DecimalField, models.BinaryField, models.UUIDField, models.TextField):
        assert kind not in FINAL and kind not in STORED
