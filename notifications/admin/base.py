"""Base classes of the admin site: lists that cost the same however many rows there are, and pages that only show."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import FieldDoesNotExist
from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, DateTimeField, Max, Min, Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from notifications.clock import present
from notifications.database.key_of_time import first_key_since
from notifications.models import Recipient

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NEWEST = 1_000  # rows of a list
COUNTED = 1_000  # rows that are counted; beyond them a list says that there are more
CLUB = 100  # people, among whom nothing grows so large that it has to be left out
LOOKED_AT = 50_000  # rows of a list that leaves rows out, about
A_DAY = 40  # such rows that come with each person, at most, in mean
SPANS = tuple(
    timedelta(minutes=minutes) for minutes in (15, 60, 6 * 60, *(24 * 60 * days for days in (1, 7, 30, 90, 365)))
)


def moment(at: datetime | None) -> SafeString | str:
    """Writes a time the one way in which the admin site does: with the reader's zone, and how far it is from now."""
    if at is None:
        return "-"
    return format_html('<time datetime="{}">{}</time>', at.isoformat(timespec="seconds"), moment_in_words(at))


def moment_in_words(at: datetime) -> str:
    """The same as plain text: "Sat 21 Nov, 18:30 CET (3 hours ago)"."""
    now, local = present.now(), timezone.localtime(at)
    is_this_year = local.year == timezone.localtime(now).year
    form = pgettext("date format", "D j M, H:i") if is_this_year else pgettext("date format", "D j M Y, H:i")
    words = f"{date_format(local, form)} {local.tzname()}"
    if abs(at - now) < timedelta(minutes=1):
        return _("%(time)s (now)") % {"time": words}
    if at < now:
        return _("%(time)s (%(span)s ago)") % {"time": words, "span": timesince(at, now, depth=1)}
    return _("%(time)s (in %(span)s)") % {"time": words, "span": timesince(now, at, depth=1)}


@dataclass(frozen=True)
class ListWindow:
    """The rows in which a list and its filters look.

    Arguments:
        first: the lowest key among them; None for all rows.
        words: which they are, for people; "" for all rows.
    """

    first: int | None = None
    words: str = ""

    def of(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Filters the rows that are in it."""
        return rows if self.first is None else rows.filter(pk__gte=self.first)


ALL = ListWindow()


def newest(model: type[Model]) -> ListWindow:
    """The newest rows of a model: nothing is hidden of it, so that their number tells nothing."""
    keys = model._default_manager.order_by("-pk").values_list("pk", flat=True)
    last = keys[NEWEST - 1 : NEWEST].first()
    return ALL if last is None else ListWindow(last, _("Listed are the newest %(count)s.") % {"count": f"{NEWEST:,}"})


def lately(model: type[Model], at: str) -> ListWindow:
    """The rows of the last days, hours or minutes.

    For lists that leave rows out: a number of rows would tell how many are hidden. So the span goes by how many people
    there are, which is no secret; their keys say that. A club sees all rows.

    Arguments:
        at: the field with the time of a row.
    """
    if Recipient.objects.all()[: CLUB + 1].count() <= CLUB:
        return ALL
    keys = Recipient.objects.aggregate(first=Min("pk"), last=Max("pk"))
    most = timedelta(days=LOOKED_AT / A_DAY / (keys["last"] - keys["first"] + 1))
    span = max((length for length in SPANS if length <= most), default=SPANS[0])
    first = first_key_since(model._default_manager.all(), at, present.now() - span)
    return ListWindow(first, _("Listed is what's new in the last %(span)s.") % {"span": _in_words(span)})


def _in_words(span: timedelta) -> str:
    minutes = round(span.total_seconds() / 60)
    if minutes < 60:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    if minutes <= 24 * 60:
        hours = minutes // 60
        return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    return ngettext("%(n)d day", "%(n)d days", span.days) % {"n": span.days}


class CappedPaginator(Paginator):
    """Counts no further than a thousand rows, and has no pages behind them."""

    @cached_property
    def _counted(self) -> int:
        rows = self.object_list
        return rows.order_by("-pk")[: COUNTED + 1].count() if isinstance(rows, QuerySet) else len(rows)

    @property
    def count(self) -> int:
        """How many rows there are, or a thousand."""
        return min(self._counted, COUNTED)

    @property
    def words(self) -> str:
        """How many rows there are, for people."""
        if self._counted > COUNTED:
            return _("more than %(count)s") % {"count": f"{COUNTED:,}"}
        return f"{self.count:,}"

    def page(self, number: int | str) -> Page[Any]:
        """Returns a page: its keys are looked for first, since PostgreSQL also reckons what it leaves out before it."""
        rows, number = self.object_list, self.validate_number(number)
        assert isinstance(rows, QuerySet)
        keys = rows.values_list("pk", flat=True)[(number - 1) * self.per_page : number * self.per_page]
        return Page(rows.filter(pk__in=list(keys)), number, self)


class BoundedList(ChangeList):
    """A list that shows what its window holds, unless somebody searches: a search looks in all rows."""

    window = ALL

    def url_for_result(self, result: Model) -> str:
        """Leads to the page of the row on which moderators act, where there is one."""
        page = getattr(self.model_admin, "acted_on_at", None)
        return reverse(f"admin:{page}", args=[result.pk]) if page else super().url_for_result(result)

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        """Returns Django's rows, within the window."""
        rows = super().get_queryset(request, exclude_parameters)
        if self.query:
            return rows
        assert isinstance(self.model_admin, BoundedAdmin)
        self.window = self.model_admin.window(request)
        return self.window.of(rows)


class BoundedAdmin(admin.ModelAdmin):
    """Base class of models whose rows grow with the service.

    `search_fields` name lookups that have an index, such as "ref__exact" and "title__begins": each is asked by itself
    for some rows, since no database finds "this or that" in two tables by their indexes.
    """

    heading: "StrOrPromise" = ""
    """The name of its list for moderators; "" for what its rows are called."""
    list_per_page = 50
    sortable_by: ClassVar[tuple[str, ...]] = ()  # a database that is asked for the first by name looks at all names
    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # it would count all rows for each choice
    unbounded_filters: tuple[str, ...] = ()
    """Parameters of filters that find few rows by an index: they look in all rows."""
    recent_search_fields: tuple[str, ...] = ()
    """Lookups without an index: a search by them looks in the window."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The list, under the name of what it lists."""
        return super().changelist_view(request, {"title": self.list_name, **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        """The page with all data of a row."""
        return super().change_view(request, object_id, form_url, {"list_name": self.list_name, **(extra_context or {})})

    @property
    def list_name(self) -> str:
        """The name over its list."""
        return str(self.heading or capfirst(self.opts.verbose_name_plural))

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """The columns: times are written as everywhere on the site, and yes and no in words."""
        return [_written(self.model, name) for name in super().get_list_display(request)]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """The parts of a page, written the same way for whoever only looks at it."""
        parts = super().get_fieldsets(request, obj)
        if self.has_change_permission(request, obj):
            return parts
        return [
            (name, {**part, "fields": [_written(self.model, field) for field in part["fields"]]})
            for name, part in parts
        ]

    def window(self, request: HttpRequest) -> ListWindow:
        """The rows in which the list and its filters look."""
        is_unbounded = any(name in request.GET for name in self.unbounded_filters)
        return ALL if is_unbounded else newest(self.model)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """The list with a window."""
        return BoundedList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The rows that each of the fields finds: the newest, or the first in the order of names."""
        term = search_term.strip()
        if not term:
            return queryset, False
        keys: set[int] = set()
        for field in self.get_search_fields(request):
            keys.update(_found(queryset, str(field), term))
        if self.recent_search_fields:
            listed = self.window(request).of(queryset)
            for field in self.recent_search_fields:
                keys.update(_found(listed, field, term))
        return queryset.filter(pk__in=keys), False


def _written(model: type[Model], name: Any) -> Any:
    """Returns a column that writes the times of a field as `moment` does, or a truth in words; else its name."""
    try:
        column = model._meta.get_field(name) if isinstance(name, str) else None
    except FieldDoesNotExist:
        return name
    if not isinstance(column, (DateTimeField, BooleanField)):
        return name

    @admin.display(description=column.verbose_name)
    def write(row: Model) -> object:
        value = getattr(row, name)
        return (_("yes") if value else _("no")) if isinstance(value, bool) else moment(value)

    write.__name__ = name  # which styles and tests know it by
    return write


def _found(rows: QuerySet[Any], field: str, term: str) -> QuerySet[Any, int]:
    """Keys of rows; an exact lookup takes what is stored in small letters, too.

    Of names that begin with very few letters there are too many to be put in order: the first come as the index has
    them.
    """
    name, _by, lookup = field.rpartition("__")
    wanted = {f"{name}__in": {term, term.lower()}} if lookup == "exact" else {field: term}
    keys: QuerySet[Any, int] = rows.filter(**wanted).values_list("pk", flat=True)
    return (keys.order_by() if lookup == "begins" else keys.order_by("-pk"))[: COUNTED + 1]


class ListedValuesFilter(admin.AllValuesFieldListFilter):
    """Offers the values that the newest rows have, without a look at all rows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        model_admin, field = args[4], args[0]
        values = newest(model_admin.model).of(model_admin.model._default_manager.all())
        self.lookup_choices = values.order_by(field.name).values_list(field.name, flat=True).distinct()


def titled(
    title: "StrOrPromise", kind: type[admin.FieldListFilter], words: Callable[[str], object] = str
) -> type[admin.FieldListFilter]:
    """Returns a kind of filter under a title of its own, each of its values put into words."""

    class Titled(kind):  # type: ignore[misc, valid-type]  # made here
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.title = title

        def choices(self, changelist: ChangeList) -> Any:
            everything, *values = super().choices(changelist)
            return [everything, *({**value, "display": words(str(value["display"]))} for value in values)]

    return Titled


class HasFilter(admin.EmptyFieldListFilter):
    """Whether a field is set, with yes and no for choices."""

    def choices(self, changelist: ChangeList) -> Any:
        """All, yes and no."""
        words = {"0": _("yes"), "1": _("no")}
        for choice in super().choices(changelist):
            value = parse_qs(choice["query_string"].lstrip("?")).get(self.lookup_kwarg, [""])[0]
            yield {**choice, "display": words.get(value, choice["display"])}


# What admin pages have in common that only show: they change nothing, and answer no question that is not on them.


class Locked:
    """Nothing is added, changed or deleted here: rows are written by services alone."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Rows come from what happens."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuses changes: past events stay unchanged."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing disappears: the ledger has no gaps."""
        return False


class ReadOnly(Locked, BoundedAdmin):
    """A list and its pages, to look at."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only the filters that are offered. By itself Django answers ?secret__startswith=a, letter by letter."""
        offered = [*self.get_list_filter(request), *([self.date_hierarchy] if self.date_hierarchy else [])]
        return any(_is_offered(lookup, allowed) for allowed in offered)


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
