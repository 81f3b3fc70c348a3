"""What all admin pages of the service have in common: they show, and they answer no question that is not on them."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest


class Locked:
    """Nothing is added, changed or deleted here: rows are written by services alone."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Rows come from what people do."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """What happened stays as it was."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing disappears."""
        return False


class ReadOnly(Locked, admin.ModelAdmin):
    """A list and its pages, to look at."""

    list_per_page = 50
    show_full_result_count = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only the filters that are offered. By itself Django answers ?server_seed__startswith=a, letter by letter."""
        return any(_is_offered(lookup, offered) for offered in self.get_list_filter(request))


def _is_offered(lookup: str, offered: Any) -> bool:
    if isinstance(offered, type) and issubclass(offered, admin.SimpleListFilter):
        return lookup == offered.parameter_name
    name = offered[0] if isinstance(offered, (tuple, list)) else offered
    return lookup == name or lookup.startswith(f"{name}__")


class ReadOnlyInline(Locked, admin.TabularInline):
    """A table inside a page."""

    extra = 0
    can_delete = False


def joined(words: Iterable[object]) -> str:
    """Several things in one cell."""
    return ", ".join(map(str, words)) or "-"
