"""Strict JSON: refuses what two readers could understand differently."""

import json
import re
from typing import NoReturn

MOST_DIGITS = 19
ESCAPED = re.compile(r"\\(?:([bfnrt]|u00(?:[01]|7[fF]|[89]))|.)", re.DOTALL)  # with a group: a control character
CONTROL = re.compile(r"[\x7f-\x9f]")  # those that JSON lets stand as they are


def check_json(data: bytes) -> None:
    """Raises ValueError for what is no JSON in UTF-8, a name twice in one object, and a number that is not whole.

    A record has no fractions; `10.0`, `1e1` and `-0` would be other bytes for the same number, and of two members of
    one name each reader takes another. Nor is there a control character in any string: databases refuse some.
    """
    text = data.decode()
    if CONTROL.search(text) or any(escape[1] for escape in ESCAPED.finditer(text)):
        raise ValueError("a string has a control character")
    json.loads(
        text,
        object_pairs_hook=check_names,
        parse_int=_check_whole,
        parse_float=_refuse_number,
        parse_constant=_refuse_number,
    )


def check_names(pairs: list[tuple[str, object]]) -> None:
    """Raises ValueError if one object has two members of one name; in one pass, for strangers choose the names."""
    if len(dict(pairs)) == len(pairs):
        return
    seen: set[str] = set()
    for name, _value in pairs:
        if name in seen:
            raise ValueError(f"the name {name[:40]!r} is there twice")
        seen.add(name)


def _check_whole(written: str) -> None:
    if written == "-0" or len(written) > MOST_DIGITS:
        _refuse_number(written)


def _refuse_number(written: str) -> NoReturn:
    raise ValueError(f"{written[:40]} is not written as a whole number")
