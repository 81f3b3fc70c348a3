"""Admin pages with actions of moderators on a game, an account or a webhook; and the log of those actions."""

from collections.abc import Mapping, Sequence
from typing import Generic

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from games.admin.acts import ModeratorAction, Row
from games.admin.base import ReadOnly
from games.errors import ServiceError
from games.moderation import notes
from games.moderation.entries import exclude_own_reports, readable_entries
from games.moderation.forms import Facts
from games.moderation.models import ModerationEntry, ModeratorNote, Report
from games.people.models import User
from games.web.people import require_user
from notifications.admin.bounded import ALL, ListWindow
from notifications.clock import present

ENTRIES_SHOWN = 100
NOTES = "moderator_notes"  # the related name of the notes about a game or a person
ABOUT = "moderation"  # the related name of the entries about a game or a person


class ModeratedAdmin(ReadOnly, Generic[Row]):
    """Base class for models with a page per row on which moderators act."""

    acts: Sequence[ModeratorAction[Row]] = ()
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
        acts: Sequence[ModeratorAction[Row]],
        template: str,
        more: Mapping[str, object],
    ) -> HttpResponse:
        """Returns the page with the actions that fit, or a redirect after one was run.

        Arguments:
            template: name of the template, without its folder.
            more: further context.
        """
        sent, bar = request.POST.get("act", ""), self.bar(request, row)
        if sent and bar:  # as a host he has tools of his own, on the page of the table
            messages.error(request, bar)
            return redirect(request.path)
        fitting = [act for act in acts if act.fits(row)]
        forms = [(act, act.form(self._data(request, act), about=row, prefix=act.name)) for act in fitting]
        for act, form in forms:
            if act.name == sent and form.is_valid():
                address = self._do(act, row, form.cleaned_data, request)
                if address:
                    return redirect(address)
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
    def _data(request: HttpRequest, act: ModeratorAction[Row]) -> QueryDict | None:
        return request.POST if act.name == request.POST.get("act") else None

    def _do(self, act: ModeratorAction[Row], row: Row, facts: Facts, request: HttpRequest) -> str:
        """Runs an action. Returns the address to redirect to, or "" if the service refused."""
        try:
            made = act.run(row, require_user(request), facts, present.now())
        except ServiceError as error:
            messages.error(request, error.message)
            return ""
        messages.success(request, _("Done: %(act)s.") % {"act": act.label})
        return act.leads(made) if act.leads else request.path

    def entries(self, row: Row) -> QuerySet[ModerationEntry]:
        """Returns the log entries about a row, newest first."""
        rows: QuerySet[ModerationEntry] = getattr(row, ABOUT)
        return rows.select_related("actor", "user").order_by("-pk")

    def notes(self, row: Row, by: User) -> list[ModeratorNote]:
        """Returns what moderators have noted about a row, as far as this one may read it."""
        rows: QuerySet[ModeratorNote] | None = getattr(row, NOTES, None)
        return notes.readable(rows.all(), by) if rows is not None else []

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
        """All: moderators act on few tables, and how many entries are left out is not to be told."""
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
        """All, as for the log."""
        return ALL
