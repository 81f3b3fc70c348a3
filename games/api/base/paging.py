"""Pagination by cursors: no row is missed or repeated when rows are added meanwhile.

A cursor holds the key of the last row, encrypted. The same row always has the same cursor, so that an unchanged answer
keeps its ETag.
"""

import base64
import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers

from games.api.base.parsing import Body, Checked

Row = TypeVar("Row")
RowModel = TypeVar("RowModel", bound=Model)
Key = list[Any]  # by which the rows of a list are told apart
LONGEST = 200
NEXT = "The cursor of the next part; null if this is the last."


class PageQuery(Body):
    """Which part of a list."""

    limit = serializers.IntegerField(min_value=1, max_value=200, default=50, help_text="At most so many.")
    cursor = serializers.CharField(
        max_length=LONGEST,
        default="",
        allow_blank=True,
        help_text="`next` of the part before; without it the list begins.",
    )


class Cursor:
    """Where the next page begins. Encrypted, as row ids would reveal how many hidden rows there are."""

    @classmethod
    def of_rows(cls, rows: QuerySet[RowModel], by: str, page: Checked) -> tuple[list[RowModel], str | None]:
        """Returns a page of these rows, newest first, and the cursor of the next; None after the last.

        Arguments:
            by: the field with the public name of a row.
        """
        rows = rows.order_by("-pk")
        if page["cursor"]:
            last = rows.model._default_manager.filter(**{by: _read(page["cursor"], str)[0]}).only("pk").first()
            if last is None:
                raise _not_ours()
            rows = rows.filter(pk__lt=last.pk)
        part = list(rows[: page["limit"] + 1])
        return cls._cut(part, lambda row: [getattr(row, by)], page["limit"])

    @classmethod
    def of_list(cls, rows: Sequence[Row], key: Callable[[Row], Key], page: Checked) -> tuple[list[Row], str | None]:
        """Returns a page of a list that is sorted by the unique `key`."""
        begin = bisect_right(rows, _read(page["cursor"], (int, float)), key=key) if page["cursor"] else 0
        return cls._cut(list(rows[begin : begin + page["limit"] + 1]), key, page["limit"])

    @classmethod
    def _cut(cls, part: list[Row], key: Callable[[Row], Key], limit: int) -> tuple[list[Row], str | None]:
        shown = part[:limit]
        return shown, _written(key(shown[-1])) if len(part) > limit else None


def _written(key: Key) -> str:
    cipher = _ciphers(tuple(settings.SEALING_KEYS))[0]
    return base64.urlsafe_b64encode(cipher.encrypt(json.dumps(key).encode(), None)).decode()


def _read(cursor: str, kind: type | tuple[type, ...]) -> Key:
    """Returns the key in a cursor. Raises ValidationError for an invalid one, or one of another list."""
    for cipher in _ciphers(tuple(settings.SEALING_KEYS)):
        with suppress(InvalidTag, ValueError):
            key: Key = json.loads(cipher.decrypt(base64.urlsafe_b64decode(cursor), None))
            if all(isinstance(part, kind) for part in key):
                return key
    raise _not_ours()


def _not_ours() -> serializers.ValidationError:
    return serializers.ValidationError({"cursor": [_("This is no cursor of ours.")]})


@lru_cache(maxsize=1)
def _ciphers(keys: tuple[str, ...]) -> list[AESSIV]:
    """Makes a cipher of each sealing key, for cursors only. It is deterministic: equal keys give equal cursors."""
    return [AESSIV(hashlib.sha512(f"cursor:{key}".encode()).digest()) for key in keys]
