"""Pagination by cursors: no row is missed or repeated when rows are added or removed meanwhile."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from operator import attrgetter
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers

from games import cursors
from games.api.base.parsing import Body, Checked

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


class Cursor:
    """Where the next page begins. It holds no row id, as those would reveal how many hidden rows there are."""

    @classmethod
    def of_rows(
        cls, rows: QuerySet[RowModel], by: str, page: Checked, time: str = "created_at"
    ) -> tuple[list[RowModel], str | None]:
        """Returns a page of these rows, newest first, and the cursor of the next; None after the last.

        Arguments:
            by: the field with the public name of a row.
            time: the field with its time of creation, from where the list goes on once that row is gone.
        """
        rows, listed = rows.order_by("-pk"), rows.model._meta.label
        if page["cursor"]:
            name, at = _opened(page["cursor"], listed)
            last = rows.model._default_manager.filter(**{by: name}).only("pk").first()
            rows = rows.filter(pk__lt=last.pk) if last else rows.filter(**{f"{time}__lt": datetime.fromisoformat(at)})
        written = attrgetter(time.replace("__", "."))
        part = list(rows[: page["limit"] + 1])
        return cls._cut(part, lambda row: [getattr(row, by), written(row).isoformat()], page["limit"], listed)

    @classmethod
    def of_list(
        cls, rows: Sequence[Row], key: Callable[[Row], cursors.Key], page: Checked, listed: str
    ) -> tuple[list[Row], str | None]:
        """Returns a page of rows that are loaded already, sorted by `key`, which is unique.

        Arguments:
            listed: the name of the list.
        """
        begin = bisect_right(rows, _opened(page["cursor"], listed), key=key) if page["cursor"] else 0
        return cls._cut(list(rows[begin : begin + page["limit"] + 1]), key, page["limit"], listed)

    @classmethod
    def _cut(
        cls, part: list[Row], key: Callable[[Row], cursors.Key], limit: int, listed: str
    ) -> tuple[list[Row], str | None]:
        shown = part[:limit]
        return shown, cursors.seal(key(shown[-1]), listed) if len(part) > limit else None


def _opened(cursor: str, listed: str) -> cursors.Key:
    with refusing_cursors():
        return cursors.unseal(cursor, listed)


@contextmanager
def refusing_cursors() -> Iterator[None]:
    """Turns NotACursor into a ValidationError of the field."""
    try:
        yield
    except cursors.NotACursor as error:
        raise serializers.ValidationError({"cursor": [_("Invalid cursor.")]}) from error
