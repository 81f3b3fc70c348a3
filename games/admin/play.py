"""Decisions, moves, moved deadlines and heartbeats on the admin site."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin import public
from games.admin.base import Lines, ReadOnly
from games.play import history, queries
from games.play.models import Decision, Extension, Heartbeat, Move
from notifications.admin.bounded import ALL, ListedValuesFilter, ListWindow, lately


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
    """What was asked of whom. A sealed question looks the same for all its seats until it is closed.

    Its row ids are not shown: how many are used up, and in which order, depends on who answers by orders.
    """

    list_display = ("ref", "game", "seat_name", "kind", "code", "state", "opened_at", "due", "is_sealed")
    list_filter = (OpenFilter, "is_sealed", ("kind", ListedValuesFilter))
    list_select_related = ("game", "seat")
    search_fields = ("ref__exact", "game__ref__exact", "game__title__begins")
    search_help_text = _("A reference, or how the name of a table begins")
    ordering = ("-opened_at", "game", "code", "seat__number")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Decision]:
        """Decisions with what everybody may know of them."""
        return public.asked(super().get_queryset(request).select_related("game", "seat"))

    @admin.display(description=_("seat"))
    def seat_name(self, row: Decision) -> str:
        """Who is asked."""
        return row.seat.display_name

    @admin.display(description=_("status"))
    def state(self, row: Decision) -> str:
        """Open, until the game no longer waits for it."""
        return str(Decision.Status.OPEN.label) if public.is_asked(row) else row.get_status_display()

    @admin.display(description=_("due"))
    def due(self, row: Decision) -> datetime | None:
        """Until when."""
        return public.due_of(row)


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
        """All: nearly every move is shown, so the newest of them are soon found."""
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
        """Who moved, where that is public."""
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
        """All reasons."""
        return [(reason, _why(reason)) for reason in Extension.Reason.values]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Extension]) -> QuerySet[Extension]:
        """Those with the chosen one."""
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
        return rows.exclude(Exists(sealed))

    def window(self, request: HttpRequest) -> ListWindow:
        """Those of late."""
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
        """Whose deadline."""
        return row.decision.seat.display_name


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnly):
    """When the parts of the service last did their work."""

    list_display = ("name", "beat_at")
    fields = ("name", "beat_at")
