"""The moderator's desk: the start page of the admin site, what needs a person, the state of the service, the search."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from games.admin.moderation import keep_words
from games.clubs.models import Club
from games.errors import ServiceError
from games.moderation.acts import BY_NAME
from games.moderation.entries import exclude_own_reports, readable_entries
from games.moderation.models import Report
from games.moderation.reports import channel_in_words, needs, page_of
from games.people.models import User, normal_address
from games.people.staff import MODERATE_GAME, MODERATE_USER
from games.play.deadline_rule import HEART
from games.play.models import Decision, Heartbeat
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tournaments.models import Tournament
from games.web.elements import duration
from games.web.reader import posted, require_user
from notifications import composers, privacy
from notifications.admin.base import NEWEST, newest
from notifications.clock import present
from notifications.delivery import health
from notifications.models import Delivery, Inbound, Notice

# The state of the service in six figures. None counts what is hidden.

SLOW = timedelta(minutes=5)
OLD_BACKUP = timedelta(hours=26)
BACKUP = "backup"  # the heartbeat of the last backup
SILENT = timedelta(seconds=90)
MOST = NEWEST  # that are counted


@dataclass(frozen=True)
class Figure:
    """One figure of the service: its name, its value, and what to do about it, "" if it is well."""

    name: str
    value: str
    advice: str = ""


def figures(now: datetime) -> list[Figure]:
    """Returns the six figures; each query reads an index of what is open, and counts no further than a thousand."""
    running = Game.objects.filter(status=Game.Status.RUNNING)
    open_now = Decision.objects.filter(status=Decision.Status.OPEN).order_by()
    beats = dict(Heartbeat.objects.filter(name__in=(BACKUP, HEART)).values_list("name", "beat_at"))
    return [
        Figure(_("Running games"), _counted(running.order_by().values("pk"))),
        Figure(_("Open questions"), _counted(open_now.values("game", "code").distinct())),
        _mail(now),
        _waiting(now),
        _backup(beats.get(BACKUP), now),
        _version(beats.get(HEART), now),
    ]


def _counted(rows: "QuerySet[Any, Any]") -> str:
    count = rows[: MOST + 1].count()
    return f"{count:,}" if count <= MOST else _("more than %(count)s") % {"count": f"{MOST:,}"}


def _mail(now: datetime) -> Figure:
    resting = health.failing_channels()
    if not resting:
        if health.is_mailbox_silent(now):
            return Figure(
                _("Mail out and in"), _("answers unread"), _("Nothing reads the mailbox. Is the listener running?")
            )
        return Figure(_("Mail out and in"), _("works"))
    names = ", ".join(channel_in_words(row.channel) for row in resting)
    return Figure(_("Mail out and in"), names, _("Blocked: see above, and the worker's log."))


def _waiting(now: datetime) -> Figure:
    oldest = health.oldest_waiting(now)
    if oldest < SLOW:
        return Figure(_("Oldest in the queue"), _("under 5 minutes"))
    return Figure(_("Oldest in the queue"), duration(oldest), _("Is a worker running?"))


def _backup(at: datetime | None, now: datetime) -> Figure:
    if at is None:
        return Figure(_("Last backup"), _("none yet"), _("Run caravanserai backup once a day."))
    is_old = now - at > OLD_BACKUP
    value = _("%(span)s ago") % {"span": duration(now - at)} if is_old else _("within a day")
    return Figure(_("Last backup"), value, _("Run caravanserai backup once a day.") if is_old else "")


def _version(beat: datetime | None, now: datetime) -> Figure:
    is_silent = beat is None or now - beat > SILENT
    return Figure(_("Version"), settings.VERSION, _("No worker has ticked lately.") if is_silent else "")


# The pages

DONE_SHOWN = 10


def desk(request: HttpRequest) -> HttpResponse:
    """The start page; a POST has a message tried again that was given up."""
    if not request.user.has_perm(MODERATE_GAME):
        return redirect("admin_lists")
    if request.method == "POST":
        return _try_again(request)
    now, by = present.now(), require_user(request)
    done = ModerationEntry.objects.select_related("actor", "game", "user").prefetch_related("game__seats")
    context = {
        **admin.site.each_context(request),
        "title": _("What needs you"),
        "needs": needs(by, now),
        "figures": figures(now),
        "desk_after": by.desk_after,
        "done": readable_entries(done, by).order_by("-pk")[:DONE_SHOWN],
    }
    return TemplateResponse(request, "games/admin/desk.html", context)


def _try_again(request: HttpRequest) -> HttpResponse:
    act = BY_NAME["try_again"]
    try:
        row = act.target.load(posted(request, "delivery"))
        act.perform(row, require_user(request), {"reason": posted(request, "reason")}, present.now())
        messages.success(request, _("Trying again."))
    except ServiceError as error:
        messages.error(request, error.message)
        keep_words(request)
    return redirect("admin:index")


def lists(request: HttpRequest) -> HttpResponse:
    """Every list there is, by room."""
    return admin.site.index(request, {"title": _("All lists")})


# The search

FOUND = 20  # of a kind


@dataclass(frozen=True)
class Hit:
    """A row that a search has found: its page, its name, and a line that tells it from others."""

    href: str
    name: str
    line: str


def find(request: HttpRequest) -> HttpResponse:
    """Finds people, tables, clubs, tournaments, reports and messages; leads on where there is just one."""
    if not request.user.has_perm(MODERATE_GAME):
        raise PermissionDenied
    term = request.GET.get("q", "").replace("\0", "").strip()[:200]
    groups = [(name, hits) for name, hits in _search(term, require_user(request)) if hits] if term else []
    hits = [hit for _name, some in groups for hit in some]
    if len(hits) == 1:
        return redirect(hits[0].href)
    context = {**admin.site.each_context(request), "title": _("Search"), "term": term, "groups": groups}
    return TemplateResponse(request, "games/admin/find.html", context)


def _search(term: str, by: User) -> Iterator[tuple[str, list[Hit]]]:
    if by.has_perm(MODERATE_USER):
        people = _rows(User.people.all(), email=normal_address(term), ref=term, name__begins=term)
        yield _("People"), [Hit(page_of(one), one.name, one.address or _("bot")) for one in people]
    games = Game.objects.select_related("host").defer("state", "server_seed")
    tables = _rows(games, ref=term, title__begins=term, decisions__ref=term) or _inside(games, term)
    yield _("Tables"), [Hit(page_of(one), one.title, f"{one.get_status_display()}, {one.host.name}") for one in tables]
    cups = _rows(Tournament.objects.all(), ref=term) or _inside(Tournament.objects.all(), term)
    yield _("Tournaments"), [Hit(page_of(one), one.display_title, one.get_status_display()) for one in cups]
    clubs = Club.objects.filter(ref=term)[:FOUND]
    yield _("Clubs"), [Hit(page_of(one), one.display_name, "") for one in clubs]
    told = exclude_own_reports(Report.objects.select_related("game", "club", "tournament", "against"), by)
    yield _("Reports"), [Hit(page_of(one), one.subject_in_words, one.text[:80]) for one in told.filter(ref=term)]
    yield _("Notifications"), list(_messages(term, by))


def _messages(term: str, by: User) -> Iterator[Hit]:
    """Finds notifications and answers by email by their reference or message ID."""
    deliveries = Delivery.objects.filter(Q(message_id=term) | Q(message_id=f"<{term.strip('<>')}>"))
    deliveries = privacy.without_outcomes(deliveries.select_related("notice__recipient"), by, "notice__")
    notices = privacy.without(Notice.objects.filter(ref=term).select_related("recipient"), by)
    heard = privacy.without_answers(Inbound.objects.filter(ref=term).select_related("recipient"))
    for name, rows in (("notice", notices), ("delivery", deliveries), ("inbound", heard)):
        page = f"{reverse(f'admin:notifications_{name}_changelist')}?{urlencode({'q': term})}"
        for row in rows[:FOUND]:
            notice = row.notice if isinstance(row, Delivery) else row
            kind = composers.name_of(notice.kind) if isinstance(notice, Notice) else _("Answer by email")
            yield Hit(page, kind, str(notice.recipient))


def _rows(rows: "QuerySet[Any]", **ways: str) -> list[Any]:
    """Finds rows in several ways, each by an index of its own."""
    found = {row.pk: row for name, value in ways.items() for row in rows.filter(**{name: value})[:FOUND]}
    return [found[key] for key in sorted(found)][:FOUND]


def _inside(rows: "QuerySet[Any]", term: str) -> list[Any]:
    """Finds a part of a title among the newest rows."""
    return list(newest(rows.model).of(rows).filter(title__icontains=term).order_by("-pk")[:FOUND])
