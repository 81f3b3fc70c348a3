"""Invitations and tournaments on the admin site."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.acts import ModeratorAction
from games.admin.base import ReadOnly, local
from games.admin.moderation import ModeratedAdmin
from games.moderation.entries import MODERATE_GAME
from games.moderation.forms import ReasonForm, SureForm
from games.moderation.models import ModerationEntry
from games.people.models import User
from games.tables.seats import Invitation
from games.tournaments import hosting
from games.tournaments.models import Entrant, Tournament
from games.web.people import require_user
from games.web.tournaments.forms import RemoveForm
from notifications.admin.bounded import ListedValuesFilter

Action = ModerationEntry.Action
ABOUT_TOURNAMENTS = (Action.CALL_OFF, Action.TAKE_OUT, Action.HIDE_CUP, Action.SHOW_CUP)


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    """Who was invited by whom, for the day somebody complains."""

    list_display = ("address", "game", "inviter", "status", "created_at")
    list_filter = ("status", "created_at")
    list_select_related = ("game", "inviter")
    search_fields = ("address__exact", "inviter__email__exact", "game__ref__exact", "game__title__begins")
    search_help_text = _("An email address, a table's reference, or how its name begins")
    fields = ("address", "game", "inviter", "status", "created_at")
    ordering = ("-created_at",)


ON_TOURNAMENTS: tuple[ModeratorAction[Tournament], ...] = (
    ModeratorAction("take_out", _("Remove a player"), RemoveForm,
        lambda row, by, facts, now: hosting.remove(
            tournament_id=row.pk, by=by, entrant=facts["entrant"], reason=facts["reason"], now=now),
        lambda row: not row.is_over and row.entrants.filter(status=Entrant.Status.ENTERED).exists()),
    ModeratorAction("call_off", _("Call the tournament off"), SureForm,
        lambda row, by, facts, now: hosting.call_off(tournament_id=row.pk, by=by, reason=facts["reason"], now=now),
        lambda row: not row.is_over),
    ModeratorAction("hide_cup", _("Hide title and description"), ReasonForm,
        lambda row, by, facts, now: hosting.set_hidden(
            tournament_id=row.pk, by=by, reason=facts["reason"], now=now, is_hidden=True),
        lambda row: row.hidden_at is None),
    ModeratorAction("show_cup", _("Show title and description again"), ReasonForm,
        lambda row, by, facts, now: hosting.set_hidden(
            tournament_id=row.pk, by=by, reason=facts["reason"], now=now, is_hidden=False),
        lambda row: row.hidden_at is not None),
)  # fmt: skip


@admin.register(Tournament)
class TournamentAdmin(ModeratedAdmin[Tournament]):
    """Tournaments. Moderators act on a page of its own."""

    acts, right = ON_TOURNAMENTS, MODERATE_GAME
    list_display = ("title", "rules_name", "status", "host", "closes_at", "started_at", "finished_at")
    list_filter = ("status", ("rules_name", ListedValuesFilter))
    list_select_related = ("host",)
    search_fields = ("ref__exact", "host__email__exact", "entrants__user__email__exact")
    recent_search_fields = ("title__icontains",)
    search_help_text = _("A reference, a player's email address, or a part of the name")
    ordering = ("-pk",)
    fields = (
        *("ref", "title", "about", "host", "moderating", "status", "called_off_by", "reason", "rules_name", "options"),
        *("table_size", "round_count", "round_days", "fewest", "most", "allows_bots", "pace", "closes_at"),
        *("created_at", "started_at", "finished_at", "hidden_at"),
    )

    @admin.display(description=_("action"))
    def moderating(self, row: Tournament) -> SafeString:
        """The way to the page on which moderators act."""
        page = reverse("admin:games_tournament_moderate", args=[row.pk])
        return format_html('<a href="{}">{}</a>', page, gettext("Moderate"))

    def entries(self, row: Tournament) -> QuerySet[ModerationEntry]:
        """What was done to it, newest first."""
        done = ModerationEntry.objects.filter(action__in=ABOUT_TOURNAMENTS, reason__startswith=f"{row.title}: ")
        return done.select_related("actor", "user").order_by("-pk")

    def facts(self, row: Tournament, by: User) -> list[tuple[object, object]]:
        """Who hosts it and how far it is."""
        entered = row.entrants.filter(status=Entrant.Status.ENTERED).count()
        page = format_html('<a href="{}">{}</a>', reverse("tournament", args=[row.ref]), row.title)
        return [
            (_("page"), page),
            (_("host"), row.host),
            (_("state"), row.get_status_display()),
            (_("entered"), entered),
            (_("entries close"), local(row.closes_at)),
            (_("rounds"), f"{row.rounds.count()} / {row.round_count}"),
        ]

    def bar(self, request: HttpRequest, row: Tournament) -> str:
        """Why another moderator must act on it, or ""."""
        return hosting.why_barred(require_user(request), row)
