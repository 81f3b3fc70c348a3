"""Moderation on the admin site: actions, the queue of what needs one, reports, and the log of actions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.errors import ServiceError
from games.moderation import forms, people, repair, reports, tables
from games.moderation.entries import exclude_own_reports, readable_entries
from games.moderation.forms import Facts, ReasonForm
from games.moderation.models import ModeratorNote, Report
from games.people.models import User
from games.people.staff import MODERATE_GAME
from games.play import clocks, history
from games.tables import audit
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import Seat
from games.web.reader import posted, require_user
from notifications import composers
from notifications.admin.base import ALL, ListWindow, ReadOnly
from notifications.clock import present
from notifications.models import Endpoint

# Actions.

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class ModeratorAction(Generic[Row]):
    """An action of a moderator.

    Arguments:
        name: value of `act` in the posted form.
        label: text of the button.
        form: the fields it needs.
        run: calls the service with the row, the moderator, the cleaned data and the present time.
        fits: whether to offer it for a row; the service decides in the end.
        leads: the address to redirect to, from the result of `run`; None to stay.
    """

    name: str
    label: object
    form: type[forms.ReasonForm]
    run: Callable[[Row, User, Facts, datetime], object]
    fits: Callable[[Row], bool]
    leads: Callable[[Any], str] | None = None


def _seat(facts: Facts) -> Seat:
    return Seat.objects.select_related("game", "user__recipient").get(pk=facts["seat"])


def _is_running(game: Game) -> bool:
    return game.status == Game.Status.RUNNING


def _is_awake(game: Game) -> bool:
    return _is_running(game) and game.quarantined_at is None


def _is_asked(game: Game) -> bool:
    return _is_awake(game) and clocks.asked(game).filter(is_automatic=False).exists()


def _has_seat(game: Game, *, is_absent: bool = False) -> bool:
    """Whether a person's seat can be given away, or if it must be absent, back."""
    rows = game.seats.filter(user__isnull=False)
    rows = rows.filter(status=Seat.Status.ABSENT) if is_absent else rows.exclude(status=Seat.Status.RESIGNED)
    return _is_running(game) and rows.exists()


def _has_reader(game: Game) -> bool:
    return _is_awake(game) and any(seat.is_person and not seat.is_bot for seat in game.seated())


ON_GAMES: tuple[ModeratorAction[Game], ...] = (
    ModeratorAction("note", gettext_lazy("Leave a note for moderators"), forms.NoteForm,
        lambda game, by, facts, now: people.add_note(about=game, by=by, text=facts["reason"], now=now),
        lambda game: True),
    ModeratorAction("nudge", gettext_lazy("Remind everyone"), forms.ReasonForm,
        lambda game, by, facts, now: tables.nudge(game=game, by=by, reason=facts["reason"], now=now),
        lambda game: _is_awake(game) and tables.may_nudge(game)),
    ModeratorAction("extend", gettext_lazy("Give more time"), forms.ExtensionForm,
        lambda game, by, facts, now: tables.extend(
            game=game, by=by, hours=facts["hours"], reason=facts["reason"], now=now), _is_asked),
    ModeratorAction("pause", gettext_lazy("Pause"), forms.UntilForm,
        lambda game, by, facts, now: tables.pause(
            game=game, by=by, until=facts["until"], reason=facts["reason"], now=now), _is_running),
    ModeratorAction("resume", gettext_lazy("Resume"), forms.ReasonForm,
        lambda game, by, facts, now: tables.resume(game=game, by=by, reason=facts["reason"], now=now),
        lambda game: _is_running(game) and game.paused_at is not None),
    ModeratorAction("to_bot", gettext_lazy("Give a seat to a bot"), forms.SeatBotForm,
        lambda game, by, facts, now: tables.hand_to_bot(
            seat=_seat(facts), bot=facts["bot"], by=by, reason=facts["reason"], now=now), _has_seat),
    ModeratorAction("give_back", gettext_lazy("Give a seat back to its player"), forms.AwayForm,
        lambda game, by, facts, now: tables.give_back(seat=_seat(facts), by=by, reason=facts["reason"], now=now),
        lambda game: _has_seat(game, is_absent=True)),
    ModeratorAction("replace", gettext_lazy("Give a seat to someone else"), forms.ReplaceForm,
        lambda game, by, facts, now: tables.replace_player(
            seat=_seat(facts), address=facts["address"], by=by, reason=facts["reason"], now=now), _has_seat),
    ModeratorAction("release", gettext_lazy("Release from quarantine"), forms.ReasonForm,
        lambda game, by, facts, now: tables.release_game(game=game, by=by, reason=facts["reason"], now=now),
        lambda game: _is_running(game) and game.quarantined_at is not None),
    ModeratorAction("mail_again", gettext_lazy("Resend a player's question"), forms.AskedForm,
        lambda game, by, facts, now: tables.mail_again(
            game=game, seat=_seat(facts).number, by=by, reason=facts["reason"], now=now), _has_reader),
    ModeratorAction("cancel", gettext_lazy("End without a result"), forms.SureForm,
        lambda game, by, facts, now: tables.cancel(game=game, by=by, reason=facts["reason"], now=now), _is_running),
)  # fmt: skip


FORCE: ModeratorAction[Game] = ModeratorAction(
    "force", gettext_lazy("Answer open questions by default"), forms.SureForm,
    lambda game, by, facts, now: tables.force(game=game, by=by, reason=facts["reason"], now=now), _is_awake,
    lambda _made: "../moderate/")  # fmt: skip


def _is_end(game: Game, number: int) -> bool:
    """Whether the game was over at this step: there is nothing to try out."""
    return game.status == Game.Status.FINISHED and number >= history.count_steps(game)


def on_step(number: int) -> tuple[ModeratorAction[Game], ...]:
    """Returns the actions on one step of a game."""
    return (
        ModeratorAction("roll_back", gettext_lazy("Roll back to this step"), forms.SureForm,
            lambda game, by, facts, now: repair.roll_back(
                game=game, step=number, by=by, reason=facts["reason"], now=now),
            _is_running, lambda move: reverse("admin:games_game_moderate", args=[move.game_id])),
        ModeratorAction("sandbox", gettext_lazy("Copy to a sandbox"), forms.SandboxForm,
            lambda game, by, facts, now: repair.copy_to_sandbox(
                game=game, step=number, seat=facts["seat"], by=by, reason=facts["reason"], now=now),
            lambda game: bool(game.started_at) and not _is_end(game, number),
            lambda table: reverse("table", args=[table.ref])),
    )  # fmt: skip


ON_PEOPLE: tuple[ModeratorAction[User], ...] = (
    ModeratorAction("note", gettext_lazy("Leave a note for moderators"), forms.NoteForm,
        lambda user, by, facts, now: people.add_note(about=user, by=by, text=facts["reason"], now=now),
        lambda user: True),
    ModeratorAction("warn", gettext_lazy("Warn"), forms.ReasonForm,
        lambda user, by, facts, now: people.warn(user=user, by=by, reason=facts["reason"], now=now),
        lambda user: user.is_active),
    ModeratorAction("mute", gettext_lazy("Mute at all tables"), forms.DateForm,
        lambda user, by, facts, now: people.mute(
            user=user, by=by, until=facts["until"], reason=facts["reason"], now=now),
        lambda user: user.is_active),
    ModeratorAction("unmute", gettext_lazy("Unmute"), forms.ReasonForm,
        lambda user, by, facts, now: people.unmute(user=user, by=by, reason=facts["reason"], now=now),
        lambda user: people.is_silent(user, present.now())),
    ModeratorAction("suspend", gettext_lazy("Close the account"), forms.UntilForm,
        lambda user, by, facts, now: people.suspend(
            user=user, by=by, until=facts["until"], reason=facts["reason"], now=now),
        lambda user: user.is_active),
    ModeratorAction("lift", gettext_lazy("Reopen the account"), forms.ReasonForm,
        lambda user, by, facts, now: people.lift_suspension(user=user, by=by, reason=facts["reason"], now=now),
        lambda user: not user.is_active and user.erased_at is None),
)  # fmt: skip

ON_WEBHOOKS: tuple[ModeratorAction[Endpoint], ...] = (
    ModeratorAction("again", gettext_lazy("Resend a message"), forms.MessageForm,
        lambda webhook, by, facts, now: people.send_again(
            webhook=webhook, message_id=facts["message"], by=by, reason=facts["reason"], now=now),
        lambda webhook: webhook.is_enabled),
    ModeratorAction("off", gettext_lazy("Turn off"), forms.ReasonForm,
        lambda webhook, by, facts, now: people.switch_webhook_off(
            webhook=webhook, by=by, reason=facts["reason"], now=now),
        lambda webhook: webhook.is_enabled),
    ModeratorAction("on", gettext_lazy("Turn on"), forms.ReasonForm,
        lambda webhook, by, facts, now: people.switch_webhook_on(
            webhook=webhook, by=by, reason=facts["reason"], now=now),
        lambda webhook: not webhook.is_enabled),
)  # fmt: skip


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


# The queue: everything that needs a moderator now, most pressing first.


def queue(request: HttpRequest) -> HttpResponse:
    """The page; a POST settles a report, or has a message tried again that was given up."""
    if not request.user.has_perm(MODERATE_GAME):
        raise PermissionDenied
    if request.method == "POST":
        return _try_again(request) if "delivery" in request.POST else _settle(request)
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


def _try_again(request: HttpRequest) -> HttpResponse:
    delivery = next((row for row in reports.deliveries_given_up() if row.name == request.POST["delivery"]), None)
    if delivery is None:
        raise Http404
    try:
        by, reason = require_user(request), posted(request, "reason")
        people.retry_delivery(delivery=delivery, by=by, reason=reason, now=present.now())
        messages.success(request, _("Trying again."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("moderation_queue")


def _settle(request: HttpRequest) -> HttpResponse:
    rows_of_reports = Report.objects.select_related("game", "club", "tournament", "against", "reporter__recipient")
    report = get_object_or_404(rows_of_reports, ref=posted(request, "report"))
    try:
        ready, own = request.POST.get("ready", ""), posted(request, "reason")
        reason = audit.combined(ready if ready in audit.REPORTS else "", own)
        outcome = request.POST.get("outcome", "")
        reports.settle_report(
            report=report, by=require_user(request), outcome=outcome, reason=reason, now=present.now()
        )
        messages.success(request, _("The report is resolved."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("moderation_queue")
