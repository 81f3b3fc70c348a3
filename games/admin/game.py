"""Games, seats, invitations and tournaments on the admin site, and the steps and hands of a game."""

import logging
from datetime import datetime
from functools import partial

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.registry import newest
from games.admin import play
from games.admin.moderation import (
    ModeratedAdmin,
    PagePart,
    joined,
    keep_words,
    log_section,
    person_link,
    reports_section,
    talk_section,
)
from games.errors import ServiceError
from games.lobby import waiting
from games.moderation import outlook, repair
from games.moderation.acts import BY_NAME, CUP, GAME, Act, acts_on
from games.moderation.entries import nameless_games, why_barred
from games.moderation.forms import NumberForm
from games.moderation.models import Report
from games.moderation.tables import forecast
from games.people.models import User
from games.people.speech import current_language
from games.people.staff import LOOK, MODERATE_GAME
from games.play import history, queries
from games.play.models import Decision, Move
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from games.tables.settings import Group, names_of
from games.tournaments import tournaments
from games.tournaments.models import Entrant, Tournament
from games.web.reader import require_user
from notifications.admin.base import (
    ALL,
    COUNTED,
    ListedValuesFilter,
    ListWindow,
    ReadOnly,
    ReadOnlyInline,
    moment,
    moment_in_words,
    titled,
)
from notifications.clock import present

# Pages that show what would happen, and, written down each time, what a player sees.


def _time_text(at: datetime | None) -> str:
    return moment_in_words(at) if at else "-"


def hand_urls(site: ModeratedAdmin[Game]) -> list[URLPattern]:
    """`<pk>/forecast/` and `<pk>/hand/`."""
    wrap = site.admin_site.admin_view
    return [
        path("<int:pk>/forecast/", wrap(partial(_forecast, site)), name="games_game_forecast"),
        path("<int:pk>/hand/", wrap(partial(_hand, site)), name="games_game_hand"),
    ]


def _forecast(site: ModeratedAdmin[Game], request: HttpRequest, pk: int) -> HttpResponse:
    """Shows what the defaults would do, and the button that does it."""
    game = site.row(request, pk)
    try:
        more = {"forecast": forecast(game)}
    except ServiceError as error:
        messages.error(request, error.message)
        keep_words(request)
        return redirect("admin:games_game_moderate", game.pk)
    return site.act_on(request, game, [BY_NAME["force"]], "forecast", more, leads=lambda _act, _made: "../moderate/")


def _hand(site: ModeratedAdmin[Game], request: HttpRequest, pk: int) -> HttpResponse:
    """Asks whose hand and why; a POST shows it, once."""
    game = site.row(request, pk)
    if not request.user.has_perm(LOOK):
        raise PermissionDenied
    form = NumberForm(request.POST or None, about=game)
    hand = None
    if form.is_valid():
        facts, by = form.cleaned_data, require_user(request)
        try:
            hand = BY_NAME["look"].perform(game, by, facts, present.now())
        except ServiceError as error:
            messages.error(request, error.message)
    context = {
        **site.admin_site.each_context(request),
        "title": str(game),
        "opts": site.opts,
        "row": game,
        "bar": site.bar(request, game),
        "form": form,
        "hand": hand,
    }
    is_refused = request.method == "POST" and hand is None
    return TemplateResponse(request, "games/admin/hand.html", context, status=400 if is_refused else 200)


# The steps behind a game, and taking it back to one or copying it to a sandbox.


def step_urls(site: ModeratedAdmin[Game]) -> list[URLPattern]:
    """`<pk>/steps/` and `<pk>/steps/<number>/`."""
    wrap = site.admin_site.admin_view
    return [
        path("<int:pk>/steps/", wrap(partial(_steps, site)), name="games_game_steps"),
        path("<int:pk>/steps/<int:number>/", wrap(partial(_step, site)), name="games_game_step"),
    ]


def _steps(site: ModeratedAdmin[Game], request: HttpRequest, pk: int) -> HttpResponse:
    game = _begun(site, request, pk)
    return site.act_on(request, game, (), "steps", {"steps": repair.steps(game)})


def _step(site: ModeratedAdmin[Game], request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The board as a spectator saw it, what everybody has learned since, and what can be done."""
    game = _begun(site, request, pk)
    if not 1 <= number < history.count_steps(game):
        raise Http404
    access = queries.Access(game, None)
    step = history.step_of(access, number)
    learned = repair.learned(game, number)
    more = {"step": step, "board": queries.describe(access, step.view), "learned": learned}
    foreseen = {"roll_back": outlook.of_roll_back(step, learned)}
    is_end = game.status == Game.Status.FINISHED and number >= history.count_steps(game)  # there is nothing to try out
    acts = [BY_NAME["roll_back"], *([] if is_end else [BY_NAME["sandbox"]])]
    return site.act_on(request, game, acts, "step", more, given={"step": number}, foreseen=foreseen, leads=_after_step)


def _after_step(act: Act, made: Move | Game) -> str:
    if isinstance(made, Move):
        return reverse("admin:games_game_moderate", args=[made.game_id])
    return reverse("table", args=[made.ref])


def _begun(site: ModeratedAdmin[Game], request: HttpRequest, pk: int) -> Game:
    game: Game = site.row(request, pk)
    if not game.started_at:
        raise Http404
    return game


logger = logging.getLogger(__name__)
LINES_SHOWN = 300


class Trouble(admin.SimpleListFilter):
    """Games that somebody should look at; one that waits past a deadline is a sign that no worker looks after it."""

    title = _("trouble")
    parameter_name = "trouble"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """The kinds of trouble."""
        return [("overdue", gettext("overdue")), ("broken", gettext("in quarantine")), ("paused", gettext("paused"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        """Games in the chosen trouble."""
        running = queryset.filter(status=Game.Status.RUNNING)
        if self.value() == "overdue":
            late = Decision.objects.filter(status=Decision.Status.OPEN, is_automatic=False, due_at__lt=present.now())
            return queryset.filter(pk__in=late.order_by("due_at").values("game")[:COUNTED])
        if self.value() == "broken":
            return running.filter(quarantined_at__isnull=False)
        return running.filter(paused_at__isnull=False) if self.value() == "paused" else queryset


class SeatInline(ReadOnlyInline):
    """The chairs. How often a seat has missed is not here: the count falls at the moment of a sealed answer."""

    model = Seat
    fields = ("number", "name", "user", "bot", "status", "joined_at")
    ordering = ("number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """Leaves out the seats of tables whose names are hidden from this moderator."""
        return super().get_queryset(request).exclude(game__in=nameless_games(require_user(request)).values("pk"))


class InvitationInline(ReadOnlyInline):
    """The invitations of a table."""

    model = Invitation
    fields = ("address", "status", "inviter", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        """Leaves out who was offered a seat of a table whose names are hidden from this moderator."""
        return _without_offers(super().get_queryset(request), request)


def _without_offers(rows: QuerySet[Invitation], request: HttpRequest) -> QuerySet[Invitation]:
    """Leaves out invitations to a certain seat: the log of the table says which was offered when."""
    nameless = nameless_games(require_user(request)).values("pk")
    return rows.exclude(seat__isnull=False, game__in=nameless)


def _title_of(rules_name: str) -> str:
    """Returns what a game is called."""
    titles = (rules.say(rules.title, current_language(), ()) for rules in newest() if rules.name == rules_name)
    return next(titles, rules_name)


@admin.register(Game)
class GameAdmin(ModeratedAdmin[Game]):
    """The admin pages of tables. State, seeds, chain and number of moves are not shown: they know what is sealed."""

    list_display = ("title", "trouble", "status", "waits_for", "due", "host", "created_at")
    heading = _("Tables")
    list_filter = (
        *(Trouble, "status", ("rules_name", titled(_("game"), ListedValuesFilter, _title_of))),
        ("is_listed", titled(_("public"), admin.BooleanFieldListFilter)),
    )
    search_fields = (
        *("ref__exact", "title__begins", "host__email__exact", "seats__user__email__exact"),
        "seats__user__name__begins",
    )
    search_help_text = _("A reference, a player's email address, or how the name of the table or of a player begins")
    ordering = ("-pk",)
    list_select_related = ("host",)
    acts, right = acts_on(GAME, without=("force", "roll_back", "sandbox", "look")), MODERATE_GAME
    inlines = (SeatInline, InvitationInline)
    fieldsets = (
        (None, {"fields": ("ref", "title", "host", "status", "waiting", "result")}),
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
                    "hour_at", "hour_state", "quarantined_at",
                )
            },
        ),
    )  # fmt: skip
    readonly_fields = ("waiting", "result", "board", "log")

    def get_urls(self) -> list[URLPattern]:
        """The usual ones, and those of the steps behind a game."""
        return [*step_urls(self), *hand_urls(self), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Games with what they wait for, in a fixed number of queries."""
        return play.with_asked(super().get_queryset(request).defer("state", "server_seed"))

    def window(self, request: HttpRequest) -> ListWindow:
        """The newest tables; those that are not over, or in trouble, are found among all."""
        chosen = request.GET
        is_found = "trouble" in chosen or chosen.get("status__exact") in (Game.Status.OPEN, Game.Status.RUNNING)
        return ALL if is_found else super().window(request)

    @admin.display(description=_("waits for"))
    def waits_for(self, game: Game) -> str:
        """Names of the seats."""
        return joined(dict.fromkeys(row.seat.spoken_name for row in play.asked_now(game)))

    @admin.display(description=_("due"))
    def due(self, game: Game) -> SafeString | str:
        """The next deadline."""
        return moment(play.next_due(play.asked_now(game)))

    @admin.display(description=_("trouble"))
    def trouble(self, game: Game) -> SafeString | str:
        """Why somebody should look at it; "-" for a game that goes on by itself."""
        due = play.next_due(play.asked_now(game))
        if game.status != Game.Status.RUNNING:
            return "-"
        if game.quarantined_at is not None:
            return format_html('<strong class="bad">{}</strong>', gettext("in quarantine"))
        if due is not None and due < present.now():
            return format_html('<strong class="bad">{}</strong>', gettext("overdue"))
        return gettext("paused") if game.paused_at else "-"

    @admin.display(description=_("waits for"))
    def waiting(self, game: Game) -> SafeString | str:
        """Every open question: whose, which, since when, until when."""
        asked = play.asked_now(game)
        words = waiting.kinds_in_words(game) if asked else str
        rows = [
            (row.seat.spoken_name, words(row.kind), _time_text(row.opened_at), _time_text(play.due_of(row)))
            for row in asked
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
        return format_html('<pre tabindex="0">{}</pre>', text)

    @admin.display(description=_("what everyone can see"))
    def log(self, game: Game) -> SafeString | str:
        """The newest lines of the public log."""
        lines = history.recent_lines(queries.Access(game, None), LINES_SHOWN)
        return format_html_join("", "<div>{} · {} · {}</div>", ((x.number, moment(x.at), x.text) for x in lines)) or "-"

    def bar(self, request: HttpRequest, row: Game) -> str:
        """At his own tables a moderator does nothing."""
        return why_barred(require_user(request), row)

    def facts(self, row: Game, by: User) -> list[tuple[object, object]]:
        """Returns what it is, who plays and hosts, and how it ended."""
        barred = why_barred(by, row)  # where he plays himself, hidden names are hidden from him, too
        seats = (
            (seat.name if seat.hides_name and not barred else seat.display_name, seat.get_status_display())
            for seat in row.seated()
        )
        return [
            (_("status"), row.get_status_display()),
            (_("game"), _title_of(row.rules_name)),
            (_("host"), person_link(row.host, by)),
            (_("seats"), format_html_join(", ", "{} ({})", seats)),
            (_("begun"), moment(row.started_at)),
            *([(_("result"), self.result(row))] if row.is_over else []),
        ]

    def sections(self, row: Game, by: User) -> list[PagePart]:
        """Returns what happened last, what was said, and reports from it."""
        told = reports_section(Report.objects.filter(game=row), by, _("Reports"))
        return [*told, *log_section(row), *talk_section(row, by)]

    def ways(self, row: Game, by: User) -> list[tuple[str, object]]:
        """Returns the pages beside this one: steps, defaults, hands, and all data."""
        pages: list[tuple[str, object]] = []
        if row.started_at:
            pages.append(("steps", _("Roll back, or copy to a sandbox")))
        if row.status == Game.Status.RUNNING and row.quarantined_at is None and play.asked_now(row):
            pages.append(("forecast", _("Answer by default: preview")))
        if row.started_at and by.has_perm(LOOK):
            pages.append(("hand", _("View what a player sees")))
        pages.append(("change", _("All data")))
        return [(reverse(f"admin:games_game_{page}", args=[row.pk]), words) for page, words in pages]


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    """The admin pages of seats."""

    list_display = ("game", "number", "name", "user", "bot", "status")
    list_filter = ("status", ("bot", ListedValuesFilter))
    list_select_related = ("game", "user")
    search_fields = ("user__name__begins", "user__email__exact", "game__ref__exact", "game__title__begins")
    search_help_text = _("An email address, a reference, or how the name of the player or of the table begins")
    ordering = ("-pk",)
    fields = ("game", "number", "name", "user", "bot", "status", "joined_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """Leaves out the seats of tables whose names are hidden from this moderator."""
        return super().get_queryset(request).exclude(game__in=nameless_games(require_user(request)).values("pk"))


# Invitations and tournaments.

Action = ModerationEntry.Action
ABOUT_TOURNAMENTS = (Action.CALL_OFF, Action.TAKE_OUT, Action.HIDE_CUP, Action.SHOW_CUP)


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    """The admin pages of invitations, for the day somebody complains."""

    list_display = ("address", "game", "inviter", "status", "created_at")
    list_filter = ("status", "created_at")
    list_select_related = ("game", "inviter")
    search_fields = ("address__exact", "inviter__email__exact", "game__ref__exact", "game__title__begins")
    search_help_text = _("An email address, a table's reference, or how its name begins")
    fields = ("address", "game", "inviter", "status", "created_at")
    ordering = ("-created_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        """Leaves out who was offered a seat of a table whose names are hidden from this moderator."""
        return _without_offers(super().get_queryset(request), request)


@admin.register(Tournament)
class TournamentAdmin(ModeratedAdmin[Tournament]):
    """Tournaments. Moderators act on a page of its own."""

    acts, right = acts_on(CUP), MODERATE_GAME
    list_display = ("title", "game", "status", "host", "closes_at", "started_at", "finished_at")
    list_filter = ("status", ("rules_name", titled(_("game"), ListedValuesFilter, _title_of)))
    list_select_related = ("host",)
    search_fields = ("ref__exact", "host__email__exact", "entrants__user__email__exact")
    recent_search_fields = ("title__icontains",)
    search_help_text = _("A reference, a player's email address, or a part of the name")
    ordering = ("-pk",)
    fields = (
        *("ref", "title", "about", "host", "status", "called_off_by", "reason", "rules_name", "options"),
        *("table_size", "round_count", "round_days", "fewest", "most", "allows_bots", "pace", "closes_at"),
        *("created_at", "started_at", "finished_at", "hidden_at"),
    )

    @admin.display(description=_("game"))
    def game(self, row: Tournament) -> str:
        """Returns what is played."""
        return _title_of(row.rules_name)

    def entries(self, row: Tournament) -> QuerySet[ModerationEntry]:
        """Returns the moderation entries about it, newest first."""
        done = ModerationEntry.objects.filter(action__in=ABOUT_TOURNAMENTS, reason__startswith=f"{row.display_title}: ")
        return done.select_related("actor", "user").order_by("-pk")

    def facts(self, row: Tournament, by: User) -> list[tuple[object, object]]:
        """Returns who hosts it and how far it is."""
        entered = row.entrants.filter(status=Entrant.Status.ENTERED).count()
        page = format_html('<a href="{}">{}</a>', reverse("tournament", args=[row.ref]), row.display_title)
        return [
            (_("page"), page),
            (_("host"), row.host),
            (_("state"), row.get_status_display()),
            (_("entered"), entered),
            (_("entries close"), moment(row.closes_at)),
            (_("rounds"), f"{row.rounds.count()} / {row.round_count}"),
        ]

    def bar(self, request: HttpRequest, row: Tournament) -> str:
        """Why another moderator must act on it, or ""."""
        return tournaments.why_barred(require_user(request), row)
