"""Decisions, moves, deadlines and heartbeats on the admin site; sealed decisions only as everybody may know them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Concat, Substr
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.moderation.entries import nameless_games
from games.people.models import User
from games.play import history, queries
from games.play.models import SUBJECT, Decision, Extension, Heartbeat, Move
from games.tables.models import THREAD, Game
from games.web.reader import require_user
from notifications.admin.base import ALL, Lines, ListedValuesFilter, ListWindow, ReadOnly, lately, moment

# Public columns. `status`, `closed_at`, `due_at`, `is_automatic` and `kept_answer` of a sealed decision change with its
# seat's answer: the admin reads decisions through these functions only.

Named = TypeVar("Named", Decision, Game)


def asked(decisions: QuerySet[Decision]) -> QuerySet[Decision]:
    """The decisions with `is_asked` and `public_due_at`: the same for all seats that were asked a sealed question."""
    same = Decision.objects.filter(game=OuterRef("game"), code=OuterRef("code"))
    open_ones = same.filter(status=Decision.Status.OPEN)
    return decisions.annotate(
        is_asked=Exists(open_ones.filter(Q(seat=OuterRef("seat")) | Q(is_sealed=True))),
        public_due_at=Subquery(same.filter(due_at__isnull=False).order_by("-due_at").values("due_at")[:1]),
    )


def running_subjects(subject: OuterRef) -> QuerySet[Decision]:
    """The question of a running game that notices or answers by mail with this subject are about."""
    return _named(Decision.objects.filter(game__status=Game.Status.RUNNING), SUBJECT, subject)


def sealed_subjects(subject: OuterRef) -> QuerySet[Decision]:
    """The same, if it is sealed: who was reminded or excused had not answered.

    That it has been closed since changes nothing: how soon somebody knew what to answer, and whether he was there to
    answer, is his own affair as long as he plays.
    """
    return running_subjects(subject).filter(is_sealed=True)


def running_threads(thread: OuterRef) -> QuerySet[Game]:
    """The running game of a thread."""
    return _named(Game.objects.filter(status=Game.Status.RUNNING), THREAD, thread)


def tells_who_sits_where(by: User, notice: str) -> Q:
    """Matches notices about tables whose names are hidden from a moderator: whose seat each is about, and who was
    asked when. `notice` is the way to them.

    Not all of these are in the thread of their table.
    """
    refs = list(nameless_games(by).values_list("ref", flat=True))
    matched = Q(**{f"{notice}thread__in": [f"{THREAD}{ref}" for ref in refs]})
    for ref in refs:
        matched |= Q(**{f"{notice}subject__startswith": f"seat:{ref}:"})
    return matched


def _named(rows: QuerySet[Named], before: str, name: OuterRef) -> QuerySet[Named]:
    """Finds rows with the reference that follows these letters in a name: by index, not by comparing each."""
    rows = rows.annotate(called=Concat(Value(before), F("ref"))).filter(Q(("called", name)))
    return rows.filter(ref=Substr(name, len(before) + 1))


def with_asked(games: QuerySet[Game]) -> QuerySet[Game]:
    """The games, each with `asked_now`: what it waits for.

    It begins with what is open: of all that a game has ever asked nothing else is read.
    """
    open_ones = Decision.objects.filter(game=OuterRef("game"), code=OuterRef("code"), status=Decision.Status.OPEN)
    rows = Decision.objects.filter(Exists(open_ones)).filter(Q(status=Decision.Status.OPEN) | Q(is_sealed=True))
    rows = asked(rows).select_related("seat").order_by("seat__number")
    return games.prefetch_related("seats", Prefetch("decisions", rows, to_attr="asked_now"))


def asked_now(game: Game) -> list[Decision]:
    """Returns the open questions of a game that came from `with_asked`."""
    rows: list[Decision] = getattr(game, "asked_now", [])
    return rows


def due_of(row: Decision) -> datetime | None:
    """When an asked decision is due."""
    due: datetime | None = getattr(row, "public_due_at", None)
    return due


def is_asked(row: Decision) -> bool:
    """True while the game waits for it, as far as anybody may know."""
    return bool(getattr(row, "is_asked", False))


def since(rows: Iterable[Decision]) -> datetime | None:
    """How long a game has been waiting."""
    return min((row.opened_at for row in rows), default=None)


def next_due(rows: Iterable[Decision]) -> datetime | None:
    """The next deadline of these."""
    return min((due for row in rows if (due := due_of(row))), default=None)


class OpenFilter(admin.SimpleListFilter):
    """Open or closed, as everybody may know it."""

    title = _("asked")
    parameter_name = "asked"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """The two choices beside "all"."""
        return [("yes", str(_("the game is waiting for it"))), ("no", str(_("closed")))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Decision]) -> QuerySet[Decision]:
        """The chosen kind."""
        return queryset.filter(Q(("is_asked", self.value() == "yes"))) if self.value() in ("yes", "no") else queryset


@admin.register(Decision)
class DecisionAdmin(Lines):
    """The admin pages of questions. A sealed question looks the same for all its seats until it is closed.

    Its row ids are not shown: how many are used up, and in which order, depends on who answers by orders.
    """

    list_display = ("ref", "game", "seat_name", "kind", "state", "opened_at", "due", "is_sealed")
    list_filter = (OpenFilter, "is_sealed", ("kind", ListedValuesFilter))
    list_select_related = ("game", "seat")
    search_fields = ("ref__exact", "game__ref__exact", "game__title__begins")
    search_help_text = _("A reference, or how the name of a table begins")
    ordering = ("-opened_at", "game", "code", "seat__number")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Decision]:
        """Decisions with what everybody may know of them."""
        return asked(super().get_queryset(request).select_related("game", "seat"))

    @admin.display(description=_("seat"))
    def seat_name(self, row: Decision) -> str:
        """Returns the player who is asked."""
        return row.seat.display_name

    @admin.display(description=_("status"))
    def state(self, row: Decision) -> str:
        """Open, until the game no longer waits for it."""
        return str(Decision.Status.OPEN.label) if is_asked(row) else row.get_status_display()

    @admin.display(description=_("due"))
    def due(self, row: Decision) -> object:
        """Until when."""
        return moment(due_of(row))


@admin.register(Move)
class MoveAdmin(Lines):
    """The log of all games in public words, newest first.

    A move that nobody else may know of is not listed and leaves no gap; whose answer closed a sealed question is not
    said. There is no page for a single move: all that may be known of it is in its line.
    """

    list_display = ("game", "number", "seat_name", "told", "way", "made_at")
    list_select_related = ("game",)
    search_fields = ("game__ref__exact", "game__title__begins")
    search_help_text = _("A table's reference, or how its name begins")

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows every move: nearly each is shown, so the newest of them are soon found."""
        return ALL

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """Moves that everybody was told something of."""
        following = Move.objects.filter(game=OuterRef("game"), seq=OuterRef("seq") + 1).values("first_public")
        sealed = Decision.objects.filter(game=OuterRef("game"), code=OuterRef("decision"), is_sealed=True)
        moves: QuerySet[Any] = super().get_queryset(request).prefetch_related("game__seats")
        moves = moves.annotate(
            public_end=Coalesce(Subquery(following), F("game__public_events") + 1), was_sealed=Exists(sealed)
        )
        return moves.filter(Q(public_end__gt=F("first_public")))

    @admin.display(description=_("number"))
    def number(self, move: Move) -> int:
        """The public number of its first event."""
        return move.first_public

    @admin.display(description=_("seat"))
    def seat_name(self, move: Move) -> str:
        """Returns the player who moved, where that is public."""
        names = move.game.seat_names()
        return names[move.seat] if move.seat is not None and not _was_sealed(move) else "-"

    @admin.display(description=_("way"))
    def way(self, move: Move) -> str:
        """By which way it came, where that is public."""
        return "-" if _was_sealed(move) else move.get_source_display()

    @admin.display(description=_("what everyone can see"))
    def told(self, move: Move) -> str:
        """Its public events in words."""
        lines = history.events_of(queries.Access(move.game, None), [move])
        return " · ".join(line.text for line in lines if line.text)


def _was_sealed(move: Move) -> bool:
    return bool(getattr(move, "was_sealed", True))


# What staff reads where players read one sentence for both.
WHY = {
    Extension.Reason.OUTAGE: _("the service was interrupted"),
    Extension.Reason.NOT_TOLD: _("the question couldn't be delivered in time"),
}


def _why(reason: str) -> str:
    return str(WHY.get(Extension.Reason(reason), Extension.Reason(reason).label))


class Why(admin.SimpleListFilter):
    """Why a deadline moved, each reason by itself."""

    title = _("reason")
    parameter_name = "why"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """Lists the reasons."""
        return [(reason, _why(reason)) for reason in Extension.Reason.values]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Extension]) -> QuerySet[Extension]:
        """Filters by the chosen reason."""
        chosen = self.value()
        return queryset.filter(reason=chosen) if chosen in Extension.Reason.values else queryset


@admin.register(Extension)
class ExtensionAdmin(Lines):
    """Why deadlines moved. While a sealed question is open its extensions would name who has not answered."""

    list_display = ("game", "seat_name", "why", "old_due_at", "new_due_at", "created_at")
    list_filter = (Why,)
    search_fields = ("decision__game__ref__exact", "decision__game__title__begins")
    search_help_text = _("A table's reference, or how its name begins")
    ordering = ("-created_at", "decision__game", "decision__code", "decision__seat__number")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Extension]:
        """Extensions of decisions that are not sealed any more."""
        sealed = Decision.objects.filter(
            game=OuterRef("decision__game"), code=OuterRef("decision__code"), is_sealed=True, status="open"
        )
        rows = super().get_queryset(request).select_related("decision__game", "decision__seat")
        nameless = nameless_games(require_user(request)).values("pk")  # whose clock is moved why would tell who it is
        return rows.exclude(Exists(sealed)).exclude(decision__game__in=nameless)

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows recent extensions."""
        return lately(Extension, "created_at")

    @admin.display(description=_("reason"))
    def why(self, row: Extension) -> str:
        """The reason itself."""
        return str(_why(row.reason))

    @admin.display(description=_("game"))
    def game(self, row: Extension) -> str:
        """In which game."""
        return str(row.decision.game)

    @admin.display(description=_("seat"))
    def seat_name(self, row: Extension) -> str:
        """Returns the player whose deadline it is."""
        return row.decision.seat.display_name


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnly):
    """When the parts of the service last did their work."""

    list_display = ("name", "beat_at")
    fields = ("name", "beat_at")
