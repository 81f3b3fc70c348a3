"""Rows that our own statements write: all of them or none, on both databases."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from notifications.database.bulk_write import MOST_ROWS, insert, update
from notifications.models import Notice, Recipient

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(anna):
    """A notice that is stored."""
    (row,) = insert(notices(anna, "told"))
    return row


def notices(reader: Recipient, *keys: str) -> list[Notice]:
    return [Notice(recipient=reader, kind="test", subject="thing:1", dedupe_key=key) for key in keys]


def stored():
    return set(Notice.objects.values_list("dedupe_key", flat=True))


@pytest.mark.django_db(transaction=True)
def test_of_rows_that_fail_together_none_stays_without_a_transaction_around_them(anna, told):
    with pytest.raises(IntegrityError):
        insert(notices(anna, "new", "told"))
    assert stored() == {"told"}


@pytest.mark.django_db(transaction=True)
def test_nor_of_so_many_that_they_take_several_statements(anna, told):
    with pytest.raises(IntegrityError):
        insert(notices(anna, *map(str, range(MOST_ROWS)), "told"))
    assert stored() == {"told"}


def test_of_rows_that_fail_together_none_stays_after_their_transaction(anna, told):
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(notices(anna, "new", "told"))
    assert stored() == {"told"}


def test_a_row_that_may_not_be_changed_so_stays_as_it_was(anna, told):
    (other,) = insert(notices(anna, "other"))
    other.dedupe_key, other.kind = "told", "changed"
    with pytest.raises(IntegrityError), transaction.atomic():
        update(other, "kind", "dedupe_key")
    assert stored() == {"told", "other"} and not Notice.objects.filter(kind="changed").exists()


@pytest.mark.django_db(transaction=True)
def test_a_row_by_itself_needs_no_transaction(anna):
    with CaptureQueriesContext(connection) as asked:
        insert(notices(anna, "new"))
    assert len(asked) == 1
