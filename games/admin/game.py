"""Games and seats on the admin site: which game waits for whom, since when and until when."""

import logging
from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin import hands, public, steps
from games.admin.acts import ON_GAMES
from games.admin.base import ReadOnly, ReadOnlyInline, joined, local
from games.admin.moderation import ModeratedAdmin
from games.lobby import waiting
from games.moderation.entries import LOOK, MODERATE_GAME, why_barred
from games.people.models import User
from games.play import history, queries
from games.play.models import Decision
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from games.tables.settings import Group, names_of
from games.web.people import require_user
from notifications.admin.bounded import ALL, COUNTED, ListedValuesFilter, ListWindow
from notifications.clock import present

logger = logging.getLogger(__name__)
LINES_SHOWN = 300


class Overdue(admin.SimpleListFilter):
    """Games that wait past a deadline: a sign that no worker looks after them."""

    title = _("overdue")
    parameter_name = "overdue"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """One choice beside all."""
        return [("yes", gettext("overdue"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        """Games with an open decision that is past its deadline."""
        if self.value() != "yes":
            return queryset
        late = Decision.objects.filter(status=Decision.Status.OPEN, is_automatic=False, due_at__lt=present.now())
        return queryset.filter(pk__in=late.order_by("due_at").values("game")[:COUNTED])


class SeatInline(ReadOnlyInline):
    """The chairs. How often a seat has missed is not here: the count falls at the moment of a sealed answer."""

    model = Seat
    fields = ("number", "name", "user", "bot", "status", "joined_at")
    ordering = ("number",)


class InvitationInline(ReadOnlyInline):
    """Who was invited."""

    model = Invitation
    fields = ("address", "status", "inviter", "created_at")


@admin.register(Game)
class GameAdmin(ModeratedAdmin[Game]):
    """All tables. State, seeds, hash chain and the number of moves stay inside: they know what is sealed."""

    list_display = (
        "title", "rules_name", "status", "waits_for", "waits_since", "due", "is_overdue", "is_quarantined", "host",
        "created_at",
    )  # fmt: skip
    list_filter = (
        *("status", ("rules_name", ListedValuesFilter), Overdue),
        *(("quarantined_at", admin.EmptyFieldListFilter), "is_listed"),
    )
    search_fields = (
        *("ref__exact", "title__begins", "host__email__exact", "seats__user__email__exact"),
        "seats__user__name__begins",
    )
    search_help_text = _("A reference, a player's email address, or how the name of the table or of a player begins")
    ordering = ("-pk",)
    list_select_related = ("host",)
    acts, right = ON_GAMES, MODERATE_GAME
    inlines = (SeatInline, InvitationInline)
    fieldsets = (
        (None, {"fields": ("ref", "title", "host", "status", "moderating", "waiting", "is_quarantined", "result")}),
        (_("Board"), {"fields": ("board",)}),
        (_("Log"), {"fields": ("log",)}),
        (
            _("Table"),
            {
                "fields": (
                    "rules_name", "rules_version", "options", "seat_count", *names_of(Group.ACCESS), "pace",
                    *names_of(Group.CLOCKS, Group.MISSES), "commitment",
                )
            },
        ),
        (
            _("Times"),
            {
                "fields": (
                    "created_at", "expires_at", "started_at", "finished_at", "paused_at", "paused_by", "pause_ends_at",
                    "quarantined_at",
                )
            },
        ),
    )  # fmt: skip
    readonly_fields = ("moderating", "waiting", "is_quarantined", "result", "board", "log")

    def get_urls(self) -> list[URLPattern]:
        """The usual ones, and those of the steps behind a game."""
        return [*steps.urls(self), *hands.urls(self), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Games with what they wait for, in a fixed number of queries."""
        return public.with_asked(super().get_queryset(request).defer("state", "server_seed"))

    def window(self, request: HttpRequest) -> ListWindow:
        """The newest tables; those that are not over, overdue or in quarantine are found among all."""
        chosen = request.GET
        is_found = chosen.get("overdue") == "yes" or chosen.get("quarantined_at__isempty") == "0"
        is_found = is_found or chosen.get("status__exact") in (Game.Status.OPEN, Game.Status.RUNNING)
        return ALL if is_found else super().window(request)

    @admin.display(description=_("waits for"))
    def waits_for(self, game: Game) -> str:
        """Names of the seats."""
        return joined(dict.fromkeys(row.seat.spoken_name for row in public.asked_now(game)))

    @admin.display(description=_("since"))
    def waits_since(self, game: Game) -> datetime | None:
        """When the oldest open question was asked."""
        return public.since(public.asked_now(game))

    @admin.display(description=_("due"))
    def due(self, game: Game) -> datetime | None:
        """The next deadline."""
        return public.next_due(public.asked_now(game))

    @admin.display(description=_("overdue"), boolean=True)
    def is_overdue(self, game: Game) -> bool:
        """Past its deadline and still waiting."""
        due = self.due(game)
        return due is not None and due < present.now()

    @admin.display(description=_("quarantined"), boolean=True)
    def is_quarantined(self, game: Game) -> bool:
        """The rules broke on it."""
        return game.quarantined_at is not None

    @admin.display(description=_("waits for"))
    def waiting(self, game: Game) -> SafeString | str:
        """Every open question: whose, which, since when, until when."""
        asked = public.asked_now(game)
        words = waiting.kinds_in_words(game) if asked else str
        rows = [
            (row.seat.spoken_name, words(row.kind), local(row.opened_at), local(public.due_of(row))) for row in asked
        ]
        line = gettext("%(seat)s: %(kind)s, since %(since)s, due %(due)s")
        texts = [(line % dict(zip(("seat", "kind", "since", "due"), row, strict=True)),) for row in rows]
        return format_html_join("", "<div>{}</div>", texts) or "-"

    @admin.display(description=_("result"))
    def result(self, game: Game) -> str:
        """How it ended."""
        result = queries.result(game)
        return result.reason if result else "-"

    @admin.display(description=_("as spectators see it"))
    def board(self, game: Game) -> SafeString | str:
        """The text board."""
        access = queries.Access(game, None)
        if not game.started_at:
            return "-"
        try:
            text = queries.describe(access, queries.view_of(access))
        except Exception:  # a state the rules cannot read must not keep anybody from looking at its game
            logger.exception("The board of game %s cannot be shown", game.ref)
            return gettext("The board can't be shown.")
        return format_html("<pre>{}</pre>", text)

    @admin.display(description=_("what everyone can see"))
    def log(self, game: Game) -> SafeString | str:
        """The newest lines of the public log."""
        lines = history.recent_lines(queries.Access(game, None), LINES_SHOWN)
        return format_html_join("", "<div>{} · {} · {}</div>", ((x.number, local(x.at), x.text) for x in lines)) or "-"

    @admin.display(description=_("action"))
    def moderating(self, game: Game) -> SafeString:
        """The way to the page on which moderators act."""
        return format_html('<a href="{}">{}</a>', reverse("admin:games_game_moderate", args=[game.pk]), _("Moderate"))

    def bar(self, request: HttpRequest, row: Game) -> str:
        """At his own tables a moderator does nothing."""
        return why_barred(require_user(request), row)

    def facts(self, row: Game, by: User) -> list[tuple[object, object]]:
        """What it waits for, and whether its clocks run."""
        told: list[tuple[object, object]] = [
            (_("status"), row.get_status_display()),
            (_("waits for"), self.waiting(row)),
        ]
        if row.started_at:
            told.append((_("steps"), _way("steps", row, _("Roll back, or copy to a sandbox"))))
        if row.started_at and by.has_perm(LOOK):
            told.append((_("hands"), _way("hand", row, _("View what a player sees"))))
        if row.status == Game.Status.RUNNING and row.quarantined_at is None and public.asked_now(row):
            told.append((_("defaults"), _way("forecast", row, _("Answer by default: preview"))))
        if row.paused_at:
            told.append((_("paused since"), local(row.paused_at)))
            told.append((_("resumes"), local(row.pause_ends_at)))
        if row.quarantined_at:
            told.append((_("in quarantine since"), local(row.quarantined_at)))
        return told


def _way(page: str, game: Game, words: object) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse(f"admin:games_game_{page}", args=[game.pk]), words)


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    """Who sits where."""

    list_display = ("game", "number", "name", "user", "bot", "status")
    list_filter = ("status", ("bot", ListedValuesFilter))
    list_select_related = ("game", "user")
    search_fields = ("user__name__begins", "user__email__exact", "game__ref__exact", "game__title__begins")
    search_help_text = _("An email address, a reference, or how the name of the player or of the table begins")
    ordering = ("-pk",)
    fields = ("game", "number", "name", "user", "bot", "status", "joined_at")
