"""What admin pages have in common that only show: they change nothing, and answer no question that is not on them."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from notifications.admin.bounded import BoundedAdmin


class Locked:
    """Nothing is added, changed or deleted here: rows are written by services alone."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Rows come from what happens."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """What happened stays as it was."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing disappears: the ledger has no gaps."""
        return False


class ReadOnly(Locked, BoundedAdmin):
    """A list and its pages, to look at."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only the filters that are offered. By itself Django answers ?secret__startswith=a, letter by letter."""
        offered = [*self.get_list_filter(request), *([self.date_hierarchy] if self.date_hierarchy else [])]
        return any(_is_offered(lookup, one) for one in offered)


class Lines(ReadOnly):
    """A list whose lines say all there is, with no pages behind them.

    Row ids count every row, and some of these lists leave rows out: the ids in the addresses of pages would tell how
    many.
    """

    list_display_links = None
    actions = None
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> None:
        """No single rows, hidden or not: which ids are taken would tell as much."""


def _is_offered(lookup: str, offered: Any) -> bool:
    if isinstance(offered, type) and issubclass(offered, admin.SimpleListFilter):
        return lookup == offered.parameter_name
    name = offered[0] if isinstance(offered, (tuple, list)) else offered
    return lookup == name or lookup.startswith(f"{name}__")


class ReadOnlyInline(Locked, admin.TabularInline):
    """A table inside a page."""

    extra = 0
    can_delete = False
