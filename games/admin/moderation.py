"""Pages on which moderators act: on a game, on a person; and the book of what was done."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from games.admin.acts import ModeratorAction
from games.admin.base import ReadOnly
from games.errors import ServiceError
from games.models import ModerationEntry, Report
from games.moderation.entries import exclude_own_games, readable_entries
from games.web.people import require_user
from notifications.clock import present

ENTRIES_SHOWN = 100


class ModeratedAdmin(ReadOnly):
    """Pages of a table with one more for each row, on which moderators act."""

    acts: Sequence[ModeratorAction] = ()
    right = ""

    def get_urls(self) -> list[URLPattern]:
        """The usual ones, and `<pk>/moderate/`."""
        page = self.admin_site.admin_view(self.moderate)
        name = f"{self.opts.app_label}_{self.opts.model_name}_moderate"
        return [path("<int:pk>/moderate/", page, name=name), *super().get_urls()]

    def moderate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Shows what can be done, and does it."""
        row = self.row(request, pk)
        return self.act_on(request, row, self.acts, "moderate", {"facts": self.facts(row)})

    def row(self, request: HttpRequest, pk: int) -> Any:
        """What is acted on, for who may."""
        if not request.user.has_perm(self.right):
            raise PermissionDenied
        return get_object_or_404(self.get_queryset(request), pk=pk)

    def act_on(
        self, request: HttpRequest, row: Any, acts: Sequence[ModeratorAction], template: str, more: Mapping[str, object]
    ) -> HttpResponse:
        """A page with the acts that fit, or what comes after one of them.

        Arguments:
            template: its name.
            more: what else it shows.
        """
        sent = request.POST.get("act", "")
        fitting = [act for act in acts if act.fits(row)]
        forms = [(act, act.form(self._data(request, act), about=row, prefix=act.name)) for act in fitting]
        for act, form in forms:
            if act.name == sent and form.is_valid():
                address = self._do(act, row, form.cleaned_data, request)
                if address:
                    return redirect(address)
        if sent and sent not in {act.name for act in fitting}:
            messages.error(request, _("That is not possible any more. Nothing was changed."))
            return redirect(request.path)
        bar = self.bar(request, row)
        context = {
            **self.admin_site.each_context(request),
            "title": str(row),
            "opts": self.opts,
            "row": row,
            "bar": bar,
            "forms": forms if not bar else [],
            "entries": readable_entries(self.entries(row), require_user(request))[:ENTRIES_SHOWN],
            **more,
        }
        return TemplateResponse(request, f"games/admin/{template}.html", context, status=400 if sent else 200)

    @staticmethod
    def _data(request: HttpRequest, act: ModeratorAction) -> Any:
        return request.POST if act.name == request.POST.get("act") else None

    def _do(self, act: ModeratorAction, row: Model, facts: Any, request: HttpRequest) -> str:
        """Where it leads, or "" if it was refused."""
        try:
            made = act.run(row, require_user(request), facts, present.now())
        except ServiceError as error:
            messages.error(request, error.message)
            return ""
        messages.success(request, _("Done: %(act)s.") % {"act": act.label})
        return act.leads(made) if act.leads else request.path

    def entries(self, row: Any) -> Any:
        """What was done to it, newest first."""
        return row.moderation.select_related("actor", "user").order_by("-pk")

    def facts(self, row: Any) -> list[tuple[object, object]]:
        """What one should know before one acts."""
        return []

    def bar(self, request: HttpRequest, row: Any) -> str:
        """Why another moderator has to act on it, or ""."""
        return ""


@admin.register(ModerationEntry)
class ModerationEntryAdmin(ReadOnly):
    """The book: who did what to whom, when and why."""

    list_display = ("created_at", "actor", "action", "reason", "game", "seat", "user", "until")
    list_filter = ("action", "created_at")
    list_select_related = ("actor", "game", "user")
    search_fields = ("=actor__email", "=user__email", "=game__ref", "game__title", "reason")
    fields = list_display
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationEntry]:
        """Without what is kept from those who play there themselves."""
        return readable_entries(super().get_queryset(request), require_user(request))


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """What players asked moderators to look at."""

    list_display = ("created_at", "reporter", "game", "text", "settled_at")
    list_filter = (("settled_at", admin.EmptyFieldListFilter),)
    list_select_related = ("reporter", "game")
    search_fields = ("=reporter__email", "=game__ref", "game__title")
    fields = ("created_at", "reporter", "game", "seat", "text", "settled_at")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Others deal with what is said about a moderator's own tables, him among the players."""
        return exclude_own_games(super().get_queryset(request), require_user(request))
