"""Pages on which moderators act: on a game, on a person; and the book of what was done."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from games.admin.acts import Act
from games.admin.base import ReadOnly
from games.errors import ServiceError
from games.models import ModerationEntry, Report
from games.pages.people import require_user
from notifications.clock import present

ENTRIES_SHOWN = 100


class Moderated(ReadOnly):
    """Pages of a table with one more for each row, on which moderators act."""

    acts: Sequence[Act] = ()
    right = ""

    def get_urls(self) -> list[URLPattern]:
        """The usual ones, and `<pk>/moderate/`."""
        page = self.admin_site.admin_view(self.moderate)
        name = f"{self.opts.app_label}_{self.opts.model_name}_moderate"
        return [path("<int:pk>/moderate/", page, name=name), *super().get_urls()]

    def moderate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Shows what can be done, and does it."""
        if not request.user.has_perm(self.right):
            raise PermissionDenied
        row = get_object_or_404(self.get_queryset(request), pk=pk)
        sent = request.POST.get("act", "")
        forms = [(act, self._form(act, row, request.POST if act.name == sent else None)) for act in self._fitting(row)]
        for act, form in forms:
            if act.name == sent and form.is_valid() and self._is_done(act, row, form.cleaned_data, request):
                return redirect(request.path)
        if sent and sent not in {act.name for act, _form in forms}:
            messages.error(request, _("That is not possible any more. Nothing was changed."))
            return redirect(request.path)
        context = {
            **self.admin_site.each_context(request),
            "title": str(row),
            "opts": self.opts,
            "row": row,
            "forms": forms,
            "entries": self.entries(row)[:ENTRIES_SHOWN],
            "facts": self.facts(row),
        }
        return TemplateResponse(request, "games/admin/moderate.html", context, status=400 if sent else 200)

    def _fitting(self, row: Model) -> list[Act]:
        return [act for act in self.acts if act.fits(row)]

    def _form(self, act: Act, row: Model, data: Any) -> Any:
        return act.form(data, about=row, prefix=act.name)

    def _is_done(self, act: Act, row: Model, facts: Any, request: HttpRequest) -> bool:
        try:
            act.run(row, require_user(request), facts, present.now())
        except ServiceError as error:
            messages.error(request, error.message)
            return False
        messages.success(request, _("Done: %(act)s.") % {"act": act.label})
        return True

    def entries(self, row: Any) -> Any:
        """What was done to it, newest first."""
        return row.moderation.select_related("actor", "user").order_by("-pk")

    def facts(self, row: Any) -> list[tuple[object, object]]:
        """What one should know before one acts."""
        return []


@admin.register(ModerationEntry)
class ModerationEntryAdmin(ReadOnly):
    """The book: who did what to whom, when and why."""

    list_display = ("created_at", "actor", "action", "game", "seat", "user", "reason", "until")
    list_filter = ("action", "created_at")
    list_select_related = ("actor", "game", "user")
    search_fields = ("=actor__email", "=user__email", "=game__ref", "game__title", "reason")
    fields = list_display
    ordering = ("-pk",)


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """What players asked moderators to look at."""

    list_display = ("created_at", "reporter", "game", "text", "settled_at")
    list_filter = (("settled_at", admin.EmptyFieldListFilter),)
    list_select_related = ("reporter", "game")
    search_fields = ("=reporter__email", "=game__ref", "game__title")
    fields = ("created_at", "reporter", "game", "seat", "text", "settled_at")
    ordering = ("-pk",)
