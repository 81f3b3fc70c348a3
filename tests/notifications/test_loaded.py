"""New rows are what Django's constructor makes of the same values."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from notifications.loaded import made
from notifications.models import Conversation, Delivery, Endpoint, Notice, Recipient

pytestmark = pytest.mark.django_db


def held(row: Model) -> dict[str, Any]:
    """All that a row holds; of what is drawn by lot for each row no more than what it is."""
    drawn = {field.attname for field in row._meta.concrete_fields if callable(field.default)}
    values = {name: value for name, value in vars(row).items() if name != "_state"}
    return {name: type(value) if name in drawn and value else value for name, value in values.items()}


@pytest.mark.parametrize("kind", [Notice, Delivery, Conversation, Endpoint])
@pytest.mark.parametrize("is_told", [True, False])
def test_a_row_is_made_of_its_values_and_of_defaults(kind: type[Model], is_told: bool) -> None:
    anna = Recipient.objects.create(address="anna@example.org")
    values: dict[str, Any] = {"recipient": anna if is_told else None}
    found, wanted = made(kind, **values), kind(**values)
    assert held(found) == held(wanted)
    assert found._state.fields_cache == wanted._state.fields_cache
    assert found._state.adding and wanted._state.adding
    if is_told:
        with CaptureQueriesContext(connection) as asked:
            assert found.recipient is anna  # type: ignore[attr-defined]
        assert not asked.captured_queries


def test_a_default_that_is_made_is_made_for_each_row_and_not_in_place_of_what_is_given() -> None:
    one, other, given = made(Notice), made(Notice), made(Notice, data={"n": 1}, ref="r")
    assert one.data == {} and one.data is not other.data and one.ref != other.ref
    assert (given.data, given.ref) == ({"n": 1}, "r")


def test_a_row_that_was_made_is_stored_as_any_other() -> None:
    anna = Recipient.objects.create(address="anna@example.org")
    side = made(Conversation, recipient=anna, thread="a")
    side.save()
    assert Conversation.objects.get() == side
    assert not side._state.adding


def test_what_is_no_field_is_refused() -> None:
    with pytest.raises(KeyError):
        made(Notice, colour="red")
