"""Moderation on the admin site: actions, the queue of what needs one, reports, and the log of actions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import NotFound, ServiceError
from games.moderation import people, reports
from games.moderation.acts import BY_NAME, Act
from games.moderation.entries import exclude_own_reports, readable_entries
from games.moderation.forms import ReasonForm
from games.moderation.models import ModeratorNote, Report
from games.people.models import User
from games.people.staff import MODERATE_GAME
from games.tables import audit
from games.tables.audit import ModerationEntry
from games.web.reader import posted, require_user
from notifications import composers
from notifications.admin.base import ALL, ListWindow, ReadOnly
from notifications.clock import present

Row = TypeVar("Row", bound=Model)


# Cells and pages.


def joined(words: Iterable[object]) -> str:
    """Joins values for one cell; "-" for none."""
    return ", ".join(map(str, words)) or "-"


def local(moment: datetime | None) -> str:
    """Formats a time in the viewer's zone: "2026-11-22 18:30"."""
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M") if moment else "-"


ENTRIES_SHOWN = 100
NOTES = "moderator_notes"  # the related name of the notes about a game or a person
ABOUT = "moderation"  # the related name of the entries about a game or a person


class ModeratedAdmin(ReadOnly, Generic[Row]):
    """Base class for models with a page per row on which moderators act."""

    acts: Sequence[Act] = ()
    right = ""

    def get_urls(self) -> list[URLPattern]:
        """The usual ones, and `<pk>/moderate/`."""
        page = self.admin_site.admin_view(self.moderate)
        name = f"{self.opts.app_label}_{self.opts.model_name}_moderate"
        return [path("<int:pk>/moderate/", page, name=name), *super().get_urls()]

    def moderate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Shows the actions that are possible, and runs the one that is posted."""
        row = self.row(request, pk)
        return self.act_on(request, row, self.acts, "moderate", {"facts": self.facts(row, require_user(request))})

    def row(self, request: HttpRequest, pk: int) -> Row:
        """Loads the row. Raises PermissionDenied without the right to act on it."""
        if not request.user.has_perm(self.right):
            raise PermissionDenied
        row: Row = get_object_or_404(self.get_queryset(request), pk=pk)
        return row

    def act_on(
        self,
        request: HttpRequest,
        row: Row,
        acts: Sequence[Act],
        template: str,
        more: Mapping[str, object],
        *,
        given: Mapping[str, object] | None = None,
        leads: Callable[[Act, Any], str] = lambda _act, _made: "",
    ) -> HttpResponse:
        """Returns the page with the actions that fit, or a redirect after one was run.

        Arguments:
            template: name of the template, without its folder.
            more: further context.
            given: what the page knows beside the form.
            leads: the address to redirect to, from what an act has returned; "" to stay.
        """
        sent, bar = request.POST.get("act", ""), self.bar(request, row)
        if sent and bar:  # as a host he has tools of his own, on the page of the table
            messages.error(request, bar)
            return redirect(request.path)
        fitting = [act for act in acts if act.fits(row)]
        forms = [(act, act.form(self._data(request, act), about=row, prefix=act.name)) for act in fitting]
        for act, form in forms:
            if act.name == sent and form.is_valid():
                try:
                    made = act.perform(
                        row, require_user(request), {**form.cleaned_data, **(given or {})}, present.now()
                    )
                except ServiceError as error:
                    messages.error(request, error.message)
                else:
                    messages.success(request, _("Done: %(act)s.") % {"act": act.label})
                    return redirect(leads(act, made) or request.path)
        if sent and sent not in {act.name for act in fitting}:
            messages.error(request, _("That's no longer possible. Nothing was changed."))
            return redirect(request.path)
        context = {
            **self.admin_site.each_context(request),
            "title": str(row),
            "opts": self.opts,
            "row": row,
            "bar": bar,
            "forms": forms if not bar else [],
            "entries": readable_entries(self.entries(row), require_user(request))[:ENTRIES_SHOWN],
            "notes": self.notes(row, require_user(request)),
            **more,
        }
        return TemplateResponse(request, f"games/admin/{template}.html", context, status=400 if sent else 200)

    @staticmethod
    def _data(request: HttpRequest, act: Act) -> QueryDict | None:
        return request.POST if act.name == request.POST.get("act") else None

    def entries(self, row: Row) -> QuerySet[ModerationEntry]:
        """Returns the log entries about a row, newest first."""
        rows: QuerySet[ModerationEntry] = getattr(row, ABOUT)
        return rows.select_related("actor", "user").order_by("-pk")

    def notes(self, row: Row, by: User) -> list[ModeratorNote]:
        """Returns what moderators have noted about a row, as far as this one may read it."""
        rows: QuerySet[ModeratorNote] | None = getattr(row, NOTES, None)
        return people.readable_notes(rows.all(), by) if rows is not None else []

    def facts(self, row: Row, by: User) -> list[tuple[object, object]]:
        """Returns labels and values that help to decide."""
        return []

    def bar(self, request: HttpRequest, row: Row) -> str:
        """Returns why another moderator must act on it, or ""."""
        return ""


@admin.register(ModerationEntry)
class ModerationEntryAdmin(ReadOnly):
    """The moderation log: who did what to whom, when and why."""

    list_display = ("created_at", "actor", "action", "reason", "game", "seat", "user", "until")
    list_filter = ("action", "created_at")
    list_select_related = ("actor", "game", "user")
    search_fields = ("actor__email__exact", "user__email__exact", "game__ref__exact", "game__title__begins")
    recent_search_fields = ("reason__icontains",)
    search_help_text = _("An email address, a table's reference, how its name begins, or a part of the reason")
    fields = list_display
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationEntry]:
        """Leaves out entries about tables at which this moderator plays."""
        return readable_entries(super().get_queryset(request), require_user(request))

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows every entry: moderators act on few tables, and how many entries are left out is not to be told."""
        return ALL


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """Reports of players."""

    list_display = ("created_at", "reporter", "game", "club", "tournament", "text", "settled_at", "outcome")
    list_filter = (("settled_at", admin.EmptyFieldListFilter), "outcome")
    list_select_related = ("reporter", "game", "club", "tournament")
    search_fields = (
        *("reporter__email__exact", "game__ref__exact", "game__title__begins"),
        *("club__ref__exact", "club__name__icontains", "tournament__ref__exact"),
    )
    search_help_text = _("An email address, a reference of a table, club or tournament, or how a table's name begins")
    fields = ("created_at", "reporter", "game", "club", "tournament", "seat", "text", "settled_at", "outcome")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Leaves out reports from tables at which this moderator plays, and about clubs of this moderator."""
        return exclude_own_reports(super().get_queryset(request), require_user(request))

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows every report, like the log."""
        return ALL


# The queue: everything that needs a moderator now, most pressing first.


def queue(request: HttpRequest) -> HttpResponse:
    """The page; a POST settles a report, or has a message tried again that was given up."""
    if not request.user.has_perm(MODERATE_GAME):
        raise PermissionDenied
    if request.method == "POST":
        return _act(request)
    now, by = present.now(), require_user(request)
    context = {
        **admin.site.each_context(request),
        "title": _("Needs attention"),
        "reports": reports.open_reports_with_bar(by),
        "answers": [(text, audit.in_words(text)) for text in audit.REPORTS],
        "quarantined": reports.quarantined_games(),
        "overdue": reports.overdue_games(now),
        "unreachable": reports.unreachable_seats(),
        "given_up": [(row, composers.name_of(row.notice.kind)) for row in reports.deliveries_given_up()],
        "resting": reports.resting_channels(),
        "form": ReasonForm(),
    }
    return TemplateResponse(request, "games/admin/queue.html", context)


def _act(request: HttpRequest) -> HttpResponse:
    is_report = "report" in request.POST
    act = BY_NAME["settle" if is_report else "try_again"]
    ready, own = request.POST.get("ready", ""), posted(request, "reason")
    facts = {"reason": audit.combined(ready if ready in audit.REPORTS else "", own)}
    if is_report:
        facts["outcome"] = request.POST.get("outcome", "")
    try:
        row = act.target.load(posted(request, "report" if is_report else "delivery"))
        act.perform(row, require_user(request), facts, present.now())
        messages.success(request, _("The report is resolved.") if is_report else _("Trying again."))
    except NotFound as error:
        raise Http404 from error
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("moderation_queue")
