"""Pages of the admin site on which moderators act; reports, and the log of what moderators and hosts did."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.errors import ServiceError
from games.moderation import outlook, people, reports
from games.moderation.acts import REPORT, Act, acts_on
from games.moderation.entries import exclude_own_reports, readable_entries, why_barred
from games.moderation.forms import ReasonForm
from games.moderation.models import ModeratorNote, Report
from games.people.models import User
from games.people.staff import MODERATE_GAME, MODERATE_USER
from games.play import history, queries
from games.play.models import Comment
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from games.web.reader import posted, require_user
from notifications.admin.base import ALL, HasFilter, ListWindow, ReadOnly, moment
from notifications.clock import present

Row = TypeVar("Row", bound=Model)


# Cells and sections of pages.


def link(href: str, words: object) -> SafeString:
    """A link."""
    return format_html('<a href="{}">{}</a>', href, words)


def person_link(user: User, by: User) -> SafeString | str:
    """A person's name, which leads to the page of moderators for those who may act there."""
    page = reverse("admin:games_user_moderate", args=[user.pk])
    return link(page, user.name) if by.has_perm(MODERATE_USER) else user.name


def listed(lines: Iterable[tuple[object, ...]], form: str) -> SafeString:
    """A list, or the words for none."""
    items = format_html_join("", f"<li>{form}</li>", lines)
    return format_html("<ul>{}</ul>", items) if items else format_html("<p>{}</p>", _("Nothing yet."))


LINES_SHOWN, TALK_SHOWN, REPORTS_SHOWN = 12, 20, 10


def log_section(game: Game) -> "list[PagePart]":
    """Reads the newest events of a table as its players would."""
    if not game.started_at:
        return []
    lines = history.recent_lines(queries.Access(game, None), LINES_SHOWN)
    shown = [line for line in lines if line.text]
    later = [*shown[1:], None]  # a time stands behind the last line that has it
    rows = (
        (line.text, moment(line.at) if following is None or moment(following.at) != moment(line.at) else "")
        for line, following in zip(shown, later, strict=True)
    )
    return [PagePart("log", _("What happened last"), listed(rows, '{} <span class="quiet">{}</span>'))]


def talk_section(game: Game, by: User) -> "list[PagePart]":
    """The table talk, of a table that this moderator may see."""
    if not Game.objects.filter(queries.visible_to(by), pk=game.pk).exists():
        return [PagePart("talk", _("Table talk"), format_html("<p>{}</p>", _("Only this table's people read it.")))]
    said = Comment.objects.filter(game=game, hidden_at=None).order_by("-pk")[:TALK_SHOWN]
    barred = why_barred(by, game)
    rows = ((comment.speaker if barred else comment.name, comment.text, moment(comment.created_at)) for comment in said)
    form = '<strong>{}</strong>: {} <span class="quiet">{}</span>'
    return [PagePart("talk", _("Table talk"), listed(rows, form))]


def reports_section(rows: QuerySet[Report], by: User, heading: object) -> "list[PagePart]":
    """Reports, newest first, as far as this moderator may read them; nothing where there are none."""
    rows = exclude_own_reports(rows, by).select_related("reporter", "game", "club", "tournament", "against")
    lines = [
        (
            reverse("admin:games_report_moderate", args=[row.pk]),
            row.subject_in_words,
            row.reporter.name,
            Truncator(row.text).chars(120),
            row.get_outcome_display() or _("open"),
            moment(row.created_at),
        )
        for row in rows.order_by("-pk")[:REPORTS_SHOWN]
    ]
    form = '<a href="{}">{}</a>, {}: {} <strong>{}</strong> <span class="quiet">{}</span>'
    return [PagePart("reports", heading, listed(lines, form))] if lines else []


def joined(words: Iterable[object]) -> str:
    """Joins values for one cell; "-" for none."""
    return ", ".join(map(str, words)) or "-"


def keep_words(request: HttpRequest) -> None:
    """Shows on the next page what somebody has written into a form that is gone."""
    act = request.POST.get("act", "")
    if words := posted(request, f"{act}-reason" if act else "reason"):
        messages.info(request, _("You wrote: %(reason)s") % {"reason": words})


ENTRIES_SHOWN = 100
KEY_DIGITS = 19  # of the largest key that a database has
NOTES = "moderator_notes"  # the related name of the notes about a game or a person
ABOUT = "moderation"  # the related name of the entries about a game or a person


@dataclass(frozen=True)
class Offer:
    """An act that fits, as its page offers it.

    Arguments:
        is_open: its form is unfolded: it was chosen, or sent and came back.
        then: what would be true once it was done, after somebody asked for a look; None before.
    """

    act: Act
    form: ReasonForm
    is_open: bool
    then: list[str] | None = None


def _news(request: HttpRequest, entries: Iterable[ModerationEntry], by: User) -> list[ModerationEntry]:
    """Returns what other moderators have done since the form that is sent was shown."""
    seen = request.POST.get("seen", "")
    if "look" in request.POST or not (seen.isdecimal() and len(seen) <= KEY_DIGITS):
        return []
    return [entry for entry in entries if entry.pk > int(seen) and entry.actor_id != by.pk]


@dataclass(frozen=True)
class PagePart:
    """A part of a row's page: `name` for its anchor, and its heading and content."""

    name: str
    heading: object
    content: SafeString


class ModeratedAdmin(ReadOnly, Generic[Row]):
    """Base class for models with a page per row on which moderators act."""

    acts: Sequence[Act] = ()
    right = ""

    @property
    def acted_on_at(self) -> str:
        """The name of the page on which moderators act on a row."""
        return f"{self.opts.app_label}_{self.opts.model_name}_moderate"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        """The page with all data of a row, which leads back to that of its acts."""
        way = reverse(f"admin:{self.acted_on_at}", args=[object_id]) if object_id.isdecimal() else ""
        return super().change_view(request, object_id, form_url, {"acts_at": way, **(extra_context or {})})

    def get_urls(self) -> list[URLPattern]:
        """The usual ones, and `<pk>/moderate/`."""
        page = self.admin_site.admin_view(self.moderate)
        return [path("<int:pk>/moderate/", page, name=self.acted_on_at), *super().get_urls()]

    def moderate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Shows the actions that are possible, and runs the one that is posted."""
        row, by = self.row(request, pk), require_user(request)
        more = {"facts": self.facts(row, by), "sections": self.sections(row, by), "ways": self.ways(row, by)}
        return self.act_on(request, row, self.acts, "moderate", more)

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
        foreseen: Mapping[str, list[str]] | None = None,
        leads: Callable[[Act, Any], str] = lambda _act, _made: "",
    ) -> HttpResponse:
        """Returns the page with the actions that fit, or a redirect after one was run.

        Arguments:
            template: name of the template, without its folder.
            more: further context.
            given: what the page knows beside the form.
            foreseen: by act, what it would change, where the page can say so without trying it.
            leads: the address to redirect to, from what an act has returned; "" to stay.
        """
        sent, bar, by, now = request.POST.get("act", ""), self.bar(request, row), require_user(request), present.now()
        fitting = [act for act in acts if act.fits(row)] if not bar else []
        if sent and sent not in {act.name for act in fitting}:
            # at his own table a host has tools of his own, on the page of the table
            messages.error(request, bar or _("That's no longer possible. Nothing was changed."))
            keep_words(request)
            return redirect(request.path)
        alone = fitting[0].name if len(fitting) == 1 else ""
        chosen, then = sent or request.GET.get("act", "") or alone, None
        outcomes = foreseen or {}
        forms = {act: act.form(self._data(request, act), about=row, prefix=act.name, by=by) for act in fitting}
        entries = list(readable_entries(self.entries(row), by)[:ENTRIES_SHOWN])
        news = _news(request, entries, by)
        for act, form in forms.items():
            if act.name == sent and form.is_valid() and not news:
                facts = {**form.cleaned_data, **(given or {})}
                try:
                    if "look" in request.POST and act.is_tried:
                        then = outlook.truth_after(act, row, by, facts, now)
                        continue
                    made = act.perform(row, by, facts, now)
                except ServiceError as error:
                    messages.error(request, error.message)
                else:
                    messages.success(request, self._done(act, row, made, now, outcomes.get(act.name, [])))
                    return redirect(leads(act, made) or request.path)
        for entry in news:
            facts = {"sentence": entry.in_words, "reason": entry.reason_in_words}
            messages.warning(request, _("Meanwhile: %(sentence)s, “%(reason)s”. Nothing was changed by you.") % facts)
        is_looked_at = then is not None
        context = {
            **self.admin_site.each_context(request),
            "title": str(row),
            "opts": self.opts,
            "row": row,
            "bar": bar,
            "words": self.words_of(row),
            "list_name": self.list_name,
            "truth": outlook.truth(row, now),
            "offers": [
                Offer(
                    act, form, act.name == chosen, outcomes.get(act.name) if then is None or act.name != sent else then
                )
                for act, form in forms.items()
            ],
            "entries": entries,
            "seen": entries[0].pk if entries else 0,
            "notes": self.notes(row, by),
            **more,
        }
        status = 400 if sent and not is_looked_at else 200
        return TemplateResponse(request, f"games/admin/{template}.html", context, status=status)

    def _done(self, act: Act, row: Row, made: object, now: datetime, foreseen: list[str]) -> str:
        """Returns what was done, and what is true since."""
        if isinstance(made, Invitation):
            return _("No account has this address, so we've invited its owner: %(address)s.") % {
                "address": made.address
            }
        stored = type(row)._default_manager.filter(pk=row.pk).first()
        lines = outlook.truth(stored, now) if stored is not None else []
        return " ".join([_("Done: %(act)s.") % {"act": act.label}, *foreseen, *lines])

    @staticmethod
    def _data(request: HttpRequest, act: Act) -> QueryDict | None:
        return request.POST if act.name == request.POST.get("act") else None

    def entries(self, row: Row) -> QuerySet[ModerationEntry]:
        """Returns the log entries about a row, newest first."""
        rows: QuerySet[ModerationEntry] = getattr(row, ABOUT)
        return rows.select_related("actor", "game", "user").order_by("-pk")

    def notes(self, row: Row, by: User) -> list[ModeratorNote]:
        """Returns what moderators have noted about a row, as far as this one may read it."""
        rows: QuerySet[ModeratorNote] | None = getattr(row, NOTES, None)
        return people.readable_notes(rows.all(), by) if rows is not None else []

    def facts(self, row: Row, by: User) -> list[tuple[object, object]]:
        """Returns labels and values that help to decide."""
        return []

    def sections(self, row: Row, by: User) -> list[PagePart]:
        """Returns further parts of the page, in their order."""
        return []

    def words_of(self, row: Row) -> str:
        """Returns what somebody has written about it, to stand over the acts; "" for most rows."""
        return ""

    def ways(self, row: Row, by: User) -> list[tuple[str, object]]:
        """Returns the addresses and names of pages beside this one."""
        return [(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk]), _("All data"))]

    def bar(self, request: HttpRequest, row: Row) -> str:
        """Returns why another moderator must act on it, or ""."""
        return ""


@admin.register(ModerationEntry)
class ModerationEntryAdmin(ReadOnly):
    """The moderation log: who did what to whom, when and why, a sentence each."""

    heading = lazy("Log")
    list_display = ("created_at", "sentence", "why")
    list_filter = ("action", "created_at")
    list_select_related = ("actor", "game", "user")
    search_fields = ("actor__email__exact", "user__email__exact", "game__ref__exact", "game__title__begins")
    recent_search_fields = ("reason__icontains",)
    search_help_text = lazy("An email address, a table's reference, how its name begins, or a part of the reason")
    fields = ("created_at", "actor", "action", "reason", "game", "seat", "user", "until")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationEntry]:
        """Leaves out entries about tables at which this moderator plays."""
        return readable_entries(super().get_queryset(request), require_user(request)).prefetch_related("game__seats")

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows every entry: moderators act on few tables, and how many entries are left out is not to be told."""
        return ALL

    @admin.display(description=lazy("what was done"))
    def sentence(self, entry: ModerationEntry) -> str:
        """Who did what to whom."""
        return entry.in_words

    @admin.display(description=lazy("why"))
    def why(self, entry: ModerationEntry) -> str:
        """The reason, in the reader's language if it is a ready-made one."""
        return entry.reason_in_words


@admin.register(Report)
class ReportAdmin(ModeratedAdmin[Report]):
    """Reports of players, and appeals: each with the table, the talk and the earlier reports beside it."""

    acts, right = acts_on(REPORT), MODERATE_GAME
    list_display = ("subject", "reporter", "accused", "words", "created_at", "state")
    list_filter = (("settled_at", HasFilter), "outcome")
    list_select_related = ("reporter", "game", "club", "tournament", "against")
    search_fields = (
        *("reporter__email__exact", "game__ref__exact", "game__title__begins"),
        *("club__ref__exact", "club__name__icontains", "tournament__ref__exact"),
    )
    search_help_text = lazy(
        "An email address, a reference of a table, club or tournament, or how a table's name begins"
    )
    fields = ("created_at", "reporter", "game", "club", "tournament", "seat", "text", "settled_at", "outcome")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Leaves out reports from tables at which this moderator plays, and about clubs of this moderator."""
        rows = exclude_own_reports(super().get_queryset(request), require_user(request))
        rows = rows.select_related("reporter", "game", "club", "tournament", "against__actor", "against__user")
        return rows.prefetch_related("game__seats")

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows every report, like the log."""
        return ALL

    @admin.display(description=lazy("about"))
    def subject(self, report: Report) -> str:
        """The table, club, tournament or decision."""
        return report.subject_in_words

    @admin.display(description=lazy("about whom"))
    def accused(self, report: Report) -> str:
        """The player it is about."""
        return report.about.display_name if report.about else "-"

    @admin.display(description=lazy("what happened"))
    def words(self, report: Report) -> str:
        """How it begins."""
        return Truncator(report.text).chars(80)

    @admin.display(description=lazy("status"))
    def state(self, report: Report) -> object:
        """Open, or what came of it."""
        return report.get_outcome_display() or _("open")

    def bar(self, request: HttpRequest, row: Report) -> str:
        """Returns why another moderator must close it, or ""."""
        try:
            reports.check_may_settle(require_user(request), row)
        except ServiceError as error:
            return error.message
        return ""

    def entries(self, row: Report) -> QuerySet[ModerationEntry]:
        """Returns what was done at its table or with its writer, newest first."""
        about = Q(game=row.game) if row.game else Q(user=row.reporter)
        rows = ModerationEntry.objects.filter(about).prefetch_related("game__seats")
        return rows.select_related("actor", "game", "user").order_by("-pk")

    def facts(self, row: Report, by: User) -> list[tuple[object, object]]:
        """Returns who reports what about whom."""
        accused = row.about.user if row.about else row.against.user if row.against else None
        facts: list[tuple[object, object]] = [
            (_("from"), person_link(row.reporter, by)),
            (_("about whom"), person_link(accused, by) if accused else self.accused(row)),
            (_("about"), self._subject_link(row)),
        ]
        if row.against is not None:
            facts.append((_("decided by"), f"{row.against.actor.name}: {row.against.reason_in_words}"))
        if row.settled_at:
            facts += [(_("outcome"), self.state(row)), (_("answer"), row.answer_in_words)]
        return facts

    def _subject_link(self, row: Report) -> SafeString | str:
        name = row.subject_in_words
        if row.game is not None:
            return link(reverse("admin:games_game_moderate", args=[row.game.pk]), name)
        if row.tournament is not None:
            return link(reverse("admin:games_tournament_moderate", args=[row.tournament.pk]), name)
        return link(reverse("club", args=[row.club.ref]), name) if row.club else name

    def sections(self, row: Report, by: User) -> list[PagePart]:
        """Returns earlier reports, the talk, and what happened at the table."""
        table = [*talk_section(row.game, by), *log_section(row.game)] if row.game else []
        return [*reports_section(_earlier(row), by, _("Earlier reports")), *table]

    def words_of(self, row: Report) -> str:
        """Returns what was written, which is read before anything is done."""
        return row.text


EARLIER = 10


def _earlier(row: Report) -> QuerySet[Report]:
    """Other reports by the same person, or about the same table or player."""
    about = Q(reporter=row.reporter)
    if row.game is not None:
        about |= Q(game=row.game)
    if row.about is not None and row.about.user is not None:
        about |= about_person(row.about.user)
    return Report.objects.filter(about).exclude(pk=row.pk)


def about_person(user: User) -> Q:
    """Matches reports about a person, at whichever of his tables; with it the database compares the seats."""
    seats = Seat.objects.filter(user=user, game=OuterRef("game"), number=OuterRef("seat"))
    return Q(Exists(seats), game__in=Seat.objects.filter(user=user).values("game"))
