"""Answers are the JSON that Django REST framework would write."""

import json
from typing import Any

import pytest
from django.utils.translation import gettext_lazy
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ErrorDetail
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.serializer_helpers import ReturnDict

from games.api.rendering import QuickRenderer
from games.api.shaping import Shape

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
DATA = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
PLAIN = [
    ReturnDict({"name": "Anna"}, serializer=Shape()),
    {"said": gettext_lazy("This game is over.")},
    {"name": [ErrorDetail("Too long.", code="max_length")]},
    {"name": "half \ud800"},
    {"many": 2**70, "é": "\u2028"},
    [],
]


def test_nothing_is_no_text() -> None:
    assert QuickRenderer().render(None) == b""


@given(DATA)
def test_whoever_reads_it_reads_the_same(data: Any) -> None:
    if data is not None:
        assert json.loads(QuickRenderer().render(data)) == json.loads(JSONRenderer().render(data)) == data


@pytest.mark.parametrize("data", PLAIN)
def test_so_it_is_with_what_is_not_quite_plain(data: Any) -> None:
    def read(renderer: JSONRenderer) -> Any:
        return json.loads(renderer.render(data))

    try:
        wanted = read(JSONRenderer())
    except UnicodeEncodeError:
        with pytest.raises(UnicodeEncodeError):
            read(QuickRenderer())
    else:
        assert read(QuickRenderer()) == wanted


def test_who_wants_it_indented_gets_it_so() -> None:
    told = QuickRenderer().render({"name": "Anna"}, "application/json; indent=2")
    assert told == b'{\n  "name": "Anna"\n}'
