"""Lists in parts: a cursor says behind which row the next part begins, so that nothing is missed or told twice.

A cursor is opaque to programs: it holds the sort key of the last row that was told, sealed.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers

from games.api.base.parsing import Body
from notifications.database import sealed

Row = TypeVar("Row")
RowModel = TypeVar("RowModel", bound=Model)
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

    def validate_cursor(self, cursor: str) -> list[Any] | None:
        """The key it holds, None for none."""
        return Cursor.read(cursor) if cursor else None


class Cursor:
    """Where the next part of a list begins. Sealed: row ids count what is hidden from who reads the list."""

    @staticmethod
    def read(cursor: str) -> list[float]:
        """The numbers in a cursor. Raises ValidationError for one that is not ours."""
        try:
            key = json.loads(sealed.unseal_if_ours(cursor) or "")
            if not isinstance(key, list) or not key or not all(_is_number(part) for part in key):
                raise ValueError(cursor)
        except (ValueError, RecursionError) as error:
            raise serializers.ValidationError(_("This is no cursor of ours.")) from error
        return key

    @staticmethod
    def write(key: Sequence[float]) -> str:
        """The cursor for a row of this sort key."""
        return sealed.seal(json.dumps(list(key), separators=(",", ":")))

    @classmethod
    def of_rows(cls, rows: QuerySet[RowModel], page: dict[str, Any]) -> tuple[list[RowModel], str | None]:
        """A part of these rows, newest first, and the cursor of the next, None behind the last one."""
        rows = rows.order_by("-pk")
        if page["cursor"]:
            rows = rows.filter(pk__lt=page["cursor"][-1])
        part = list(rows[: page["limit"] + 1])
        return cls._cut(part, lambda row: [row.pk], page["limit"])

    @classmethod
    def of_list(
        cls, rows: Sequence[Row], key: Callable[[Row], list[float]], page: dict[str, Any]
    ) -> tuple[list[Row], str | None]:
        """The same of rows that are here already, sorted by `key`, which is of no two the same."""
        last = page["cursor"]
        begin = bisect_right(rows, last, key=key) if last else 0
        return cls._cut(list(rows[begin : begin + page["limit"] + 1]), key, page["limit"])

    @classmethod
    def _cut(cls, part: list[Row], key: Callable[[Row], list[float]], limit: int) -> tuple[list[Row], str | None]:
        shown = part[:limit]
        return shown, cls.write(key(shown[-1])) if len(part) > limit else None


def _is_number(part: object) -> bool:
    return isinstance(part, (int, float)) and not isinstance(part, bool) and abs(part) < 2**53
