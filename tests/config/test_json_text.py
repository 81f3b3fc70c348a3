"""What is stored as JSON is what Django would store, in fewer words."""

import json
from typing import Any

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from config.json_text import json_text
from games.models import Move

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
DATA = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


class Word(str):
    """A text of a class of its own."""

    __slots__ = ()


@given(DATA)
def test_it_is_read_as_it_was(data: Any) -> None:
    assert json.loads(json_text(data)) == data


@pytest.mark.parametrize("data", [Word("x"), {"a": Word("y")}, "\ud800", {True: 1, None: 2}, Move.Kind.ANSWER, (1, 2)])
def test_what_msgspec_does_not_write_python_does(data: Any) -> None:
    assert json.loads(json_text(data)) == json.loads(json.dumps(data))


def test_what_nobody_can_write_is_refused() -> None:
    with pytest.raises(TypeError):
        json_text({"a": object()})


def test_a_field_with_an_encoder_of_its_own_is_written_by_that() -> None:
    adapted = connection.ops.adapt_json_value({"a": 1.5}, DjangoJSONEncoder)
    text = adapted if isinstance(adapted, str) else adapted.dumps(adapted.obj)
    assert text == '{"a": 1.5}'
