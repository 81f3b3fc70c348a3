"""Context that every template gets."""

import contextlib
import hashlib
import json
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.db import Error, InterfaceError, OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.encoding import escape_uri_path
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST
from psycopg.errors import ReadOnlySqlTransaction

from engine.registry import AnyRules, newest
from games.api.problems import CODES, MEDIA_TYPE, problem
from games.archive import finished_games, reviews
from games.archive.review_sentences import turns_of
from games.errors import ServiceError
from games.lobby import puzzles
from games.people import speech
from games.people.models import User
from games.play import decision_links, lists, queries
from games.play.deadline_rule import HEART
from games.play.lists import HeldReply, Listed
from games.play.models import Heartbeat
from games.tables import boards, pace, rulebooks
from games.tables.models import Game
from games.tables.seats import Seat
from games.tournaments import tournaments
from games.web import metrics
from games.web import tournaments as tournaments_pages
from games.web.opening import in_words
from games.web.reader import require_user, signed_in
from notifications.channels.base import CHANNELS
from notifications.channels.mail import suppressions
from notifications.clock import present
from notifications.delivery.health import failing_channels
from notifications.models import ChannelHealth


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name, and whether the development mailbox is open."""
    return {"site_name": settings.SITE_NAME, "has_mailbox": settings.MAILBOX_ENABLED}


# Pages whose address names a language: a page that is not there in it is shown in the reader's own, and says so.


@dataclass(frozen=True)
class PageLanguage:
    """The language to show a page in; `missing` is what its reader calls the one he asked for, if it is not there."""

    code: str
    missing: str = ""

    @property
    def status(self) -> HTTPStatus:
        """The HTTP status of the page."""
        return HTTPStatus.NOT_FOUND if self.missing else HTTPStatus.OK


def page_language(wanted: str, written: Collection[str] = ()) -> PageLanguage:
    """The language of a page.

    Arguments:
        asked: as the address has it; a region falls back to its language, "" asks for the reader's own.
        written: the languages the page is there in; all of ours if none are given.

    Raises Http404 if no language is called so.
    """
    own = translation.get_language() or settings.LANGUAGE_CODE
    if not wanted:
        return PageLanguage(own)
    try:
        spoken = translation.get_supported_language_variant(wanted)
    except LookupError:
        spoken = wanted
    if spoken in (written or dict(settings.LANGUAGES)):
        return PageLanguage(spoken)
    try:
        return PageLanguage(own, missing=str(translation.get_language_info(spoken)["name_translated"]))
    except KeyError as error:
        raise Http404 from error


# The front page, and a person's own games.

MOST_FINISHED = 50
SHOWN_FINISHED = 4  # of them, before one asks for more
URGENT = timedelta(hours=6)
UNITS = (  # from how much on time left is told in them
    (timedelta(days=1), timedelta(days=2)),
    (timedelta(hours=1), timedelta(hours=1)),
    (timedelta(minutes=1), timedelta(0)),
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page: what this is and how to begin; a member's own games."""
    user = signed_in(request)
    if user is not None and not user.is_guest:
        return _own_games(request, user)
    featured = finished_games.featured(present.now())
    context = {
        "games": [_game(rules) for rules in newest()],
        "puzzle": _puzzle(),
        "waiting": [card(row) for row in lists.my_games(user) if not row.game.is_over] if user is not None else [],
        "featured": featured,
        "winners": names(_winners(featured)) if featured else "",
        "turn": _turn(featured) if featured else 1,
    }
    return render(request, "games/site/home.html", context)


def _turn(game: Game) -> int:
    """Finds the step of a reviewed game in which the most turned, once a day: it is the same for everybody."""
    key = f"turn:{game.ref}:{game.chain}"
    step: int | None = cache.get(key)
    if step is None:
        review = reviews.review_of(game).review
        turns = turns_of(queries.Access(game, None), review) if review else []
        step = max(turns, key=lambda turn: turn.size).step if turns else 1
        cache.set(key, step, 24 * 60 * 60)
    return step


def _puzzle() -> str:
    """What the puzzle of the day asks; "" where there is none."""
    try:
        puzzle = puzzles.opened(puzzles.of_day(puzzles.today(present.now())))
    except ServiceError:
        return ""
    return puzzles.words_of(puzzle, puzzles.names_of(puzzle, "Anna")).ask


def _game(rules: AnyRules) -> dict[str, object]:
    """What a game's card says; a game of a package of its own may have no picture."""
    return {
        "name": rules.name,
        "title": in_words(rules, rules.title),
        "about": in_words(rules, rules.about),
        "least": min(rules.seat_counts),
        "most": max(rules.seat_counts),
        "picture": boards.static_picture(rules.name),
    }


@login_required
@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """Shows a person's games, as the front page does to a member."""
    return _own_games(request, require_user(request))


def _own_games(request: HttpRequest, user: User) -> HttpResponse:
    """The games of a person, the most urgent first: `lists.my_games`."""
    rows = lists.my_games(user)
    finished = [card(row) for row in rows if row.game.is_over and row.game.started_at][:MOST_FINISHED]
    context = {
        "waiting": [card(row) for row in rows if _is_turn(row)],
        "running": [card(row) for row in rows if row.game.status == Game.Status.RUNNING and not _is_turn(row)],
        "open": [card(row) for row in rows if row.game.status == Game.Status.OPEN],
        "finished": finished[:SHOWN_FINISHED],
        "earlier": finished[SHOWN_FINISHED:],
        "tournaments": [tournaments_pages.tournament_card(row) for row in tournaments.of_person(user)],
        "puzzle": _puzzle(),
        "mail_trouble": _mail_trouble(user),
        "held": [
            {"title": reply.decision.game.title, "line": reply.inbound.line, "url": _confirm_url(reply)}
            for reply in lists.held_replies(user, present.now())
        ],
    }
    return render(request, "games/site/my_games.html", context)


def _confirm_url(reply: HeldReply) -> str:
    return decision_links.confirm_url(reply.inbound, reply.decision.seat)


def _mail_trouble(user: User) -> str:
    """Why no mail will tell him of his turn, or "": who only asked for fewer mails is told all the same."""
    why = suppressions.why_suppressed(user.recipient.address)
    return why if why != suppressions.ASKED else ""


def _is_turn(row: Listed) -> bool:
    return row.game.status == Game.Status.RUNNING and row.is_my_turn


def card(row: Listed) -> dict[str, object]:
    """A game in a list: whose turn, due when, who won."""
    game = row.game
    facts: dict[str, object] = {
        "game": game,
        "seat": row.seat,
        "rules": in_words(game.rules, game.rules.title),
        "picture": boards.static_picture(game.rules_name),
        "unread": queries.unread_in_words(row.unread),
    }
    if game.status == Game.Status.RUNNING:
        facts |= {
            "is_my_turn": row.is_my_turn,
            "due_at": row.due_at,
            "left": _rounded(row.due_at - present.now()) if row.due_at is not None else None,
            "is_urgent": row.is_my_turn and row.due_at is not None and row.due_at - present.now() < URGENT,
            "waited_for": names(queries.waiting(game, row.seat, row.asked)[0]),
            "is_paused": game.paused_at is not None and not game.is_practice,
            "is_asleep": queries.is_asleep(game),
            "is_absent": row.seat.status == Seat.Status.ABSENT,
        }
    elif game.status == Game.Status.FINISHED:
        result = queries.result(game)
        facts["winners"] = names(result.winners) if result else ""
        facts["has_won"] = bool(result and row.seat in result.winners)
        facts["place"] = next((place for place, seat, _score in result.places if seat == row.seat), 0) if result else 0
    elif game.status == Game.Status.OPEN:
        facts |= {"taken": len(game.seated()), "is_host": game.host_id == row.seat.user_id}
    return facts


def _rounded(left: timedelta) -> timedelta:
    """Rounds down to what people count by: days, from two on, or hours, or minutes."""
    unit = next((unit for unit, least in UNITS if left >= least), UNITS[-1][0])
    return left - left % unit


def table_card(game: Game) -> dict[str, object]:
    """An open table in a list: what is played, how fast, how long, and who sits there."""
    days = pace.days(game)
    return {
        "game": game,
        "rules": in_words(game.rules, game.rules.title),
        "taken": len(game.seated()),
        "players": names(game.seated()),
        "pace": dict(pace.paces()).get(game.pace, game.pace),
        "length": pace.days_in_words(days) if days is not None else "",
        "language": dict(settings.LANGUAGES).get(game.host.recipient.language, ""),
    }


def _winners(game: Game) -> Sequence[Seat]:
    result = queries.result(game)
    return result.winners if result else ()


def names(seats: Iterable[Seat]) -> str:
    """Names with commas between them."""
    return ", ".join(seat.spoken_name for seat in seats)


# The rules of the games, and how to play them from the mail, for everybody to read.

LONGEST_SEARCH = 60
MOST_FOUND = 30  # in the rules of each game
WORDS_A_MINUTE = 200  # read slowly


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Lists the games whose rules are written, with a search in them."""
    words = request.GET.get("q", "")[:LONGEST_SEARCH]
    games, count = [], 0
    for game_rules in newest():
        language = rulebooks.best_language(game_rules.name, speech.current_language())
        if language:
            passages = rulebooks.rulebook(game_rules.name, language).find(words)[:MOST_FOUND]
            count += len(passages)
            has_pages = rulebooks.how_to_play(game_rules.name, language) is not None
            games.append({**_game(game_rules), "found": passages, "has_how_to_play": has_pages})
    context = {"games": games, "words": words, "count": count}
    return render(request, "games/site/rules_index.html", context)


@require_safe
def rules(request: HttpRequest, name: str, language: str = "") -> HttpResponse:
    """The rules of one game.

    Arguments:
        language: of the rules and the page around them; without it, or where they are not written in it, the reader's.
    """
    written = rulebooks.languages_of(name)
    if not written:
        raise Http404
    shown = page_language(language, written)
    with translation.override(shown.code):
        book = rulebooks.rulebook(name, rulebooks.best_language(name, shown.code))
        labels = dict(settings.LANGUAGES)
        others = [(code, labels[code]) for code in written if code != book.language]
        game_rules = next(candidate for candidate in newest() if candidate.name == name)
        context = {
            "book": book,
            "others": others,
            "pieces": game_rules.pieces(book.language),
            "setups": _setups(game_rules, book.language),
            "missing": shown.missing,
        }
        return render(request, "games/site/rules.html", context, status=shown.status)


@require_safe
def how_to_play(request: HttpRequest, name: str) -> HttpResponse:
    """What one reads before the first game, in pictures; the complete rules where a game has no such page."""
    game_rules = next((candidate for candidate in newest() if candidate.name == name), None)
    if game_rules is None:
        raise Http404
    book = rulebooks.how_to_play(name, speech.current_language())
    if book is None:
        return redirect("rules", name=name)
    context = {
        "book": book,
        "game": _game(game_rules),
        "has_lesson": game_rules.lesson is not None,
        "minutes": max(1, round(len(" ".join(passage.text for passage in book.passages).split()) / WORDS_A_MINUTE)),
    }
    return render(request, "games/site/how_to_play.html", context)


def _setups(rules: AnyRules, language: str) -> list[tuple[int, tuple[str, str]]]:
    """The numbers of players, each with the size of its picture."""
    return [(seats, boards.size(rulebooks.setup(rules.name, seats, language))) for seats in rules.seat_counts]


@require_safe
def setup(request: HttpRequest, name: str, seats: int, language: str) -> HttpResponse:
    """The board before the first move as a picture; 404 for a game, a number of players or a language there is not."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    try:
        svg = rulebooks.setup(name, seats, language)
    except KeyError as error:
        raise Http404 from error
    return HttpResponse(svg, content_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


@require_safe
def by_mail(request: HttpRequest, language: str = "") -> HttpResponse:
    """How to play from the mail. `language` as of `rules`."""
    shown = page_language(language)
    with translation.override(shown.code):
        context = {"book": rulebooks.guide("by-mail", speech.current_language()), "missing": shown.missing}
        return render(request, "games/site/by_mail.html", context, status=shown.status)


# The site on a home screen: its name and icons there, its service worker, and its page without a network.

NIGHT, SAND = "#141a3c", "#f7ead2"
ICONS = (
    ("games/app/icon-192.png", "192x192", "any"),
    ("games/app/icon-512.png", "512x512", "any"),
    ("games/app/maskable-512.png", "512x512", "maskable"),
)
SHOWN_OFFLINE = (
    "games/tokens.css",
    "games/site.css",
    "games/icon.svg",
    "games/fonts/inter-latin-wght-normal.woff2",
    "games/fonts/reem-kufi-latin-700-normal.woff2",
)
KEPT_BY_BROWSERS = "no-cache"  # kept, and asked about each time


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest."""
    content = {
        "id": "/",
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME,
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": NIGHT,
        "background_color": SAND,
        "icons": [
            {"src": static(file), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for file, sizes, purpose in ICONS
        ],
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    response["Cache-Control"] = KEPT_BY_BROWSERS
    return response


@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Lists the tables that wait for the reader, for the service worker: the rest of its notifications goes."""
    user = signed_in(request)
    tables = lists.waiting_tables(user) if user is not None else []
    return JsonResponse({"tables": tables}, headers={"Cache-Control": "no-store"})


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root of the site so that it serves all of it."""
    files = [reverse("offline"), *map(static, SHOWN_OFFLINE)]
    facts = {
        "files": json.dumps(files),
        "icon": json.dumps(static(ICONS[0][0])),
        "badge": json.dumps(static("games/app/badge-96.png")),
        "name": json.dumps(settings.SITE_NAME),
        "waiting": json.dumps(reverse("waiting")),
    }
    source = render_to_string("games/site/service_worker.js", facts)
    version = hashlib.sha256(source.encode()).hexdigest()[:12]
    response = HttpResponse(source.replace("VERSION", version), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = KEPT_BY_BROWSERS
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Shows the page for where there is no network; the same for everybody."""
    return render(request, "games/site/offline.html")


# Health checks and metrics for programs that watch the service.

OK = "ok"


class Part(NamedTuple):
    """One thing that must be well.

    Arguments:
        name: for people and programs.
        state: "ok", or what is wrong.
    """

    name: str
    state: str


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """This process answers. It asks nobody else: a restart would help against nothing but its own silence."""
    return HttpResponse(f"ok {settings.VERSION}", content_type="text/plain; charset=utf-8")


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """The whole service does its work: 200, or 503 with what is wrong, within a minute and a half of a worker's end."""
    parts_now = parts()
    is_well = all(part.state == OK for part in parts_now)
    said = {"status": OK if is_well else "failing", "parts": {part.name: part.state for part in parts_now}}
    return JsonResponse(said, status=200 if is_well else 503)


def parts() -> list[Part]:
    """Looks at each part of the service that everything needs."""
    try:
        is_complete = _Tables.are_complete()
        age = metrics.heartbeat_ages(present.now()).get(HEART) if is_complete else None
        dead = {row.channel: row for row in failing_channels()} if is_complete else {}
        is_writable = not is_complete or _takes_writes()
    except Error:
        return [Part("database", "cannot be reached")]
    if not is_writable:
        return [Part("database", "is read-only")]
    if not is_complete:
        return [Part("database", OK), Part("tables", "migrations are missing")]
    if age is None:
        worker = "has never been at work"
    else:
        worker = OK if age < metrics.LATE else f"was last at work {age.total_seconds():.0f} s ago"
    channels = [Part(kind, _state(dead.get(kind))) for kind, channel in CHANNELS.items() if channel.has_breaker]
    return [Part("database", OK), Part("tables", OK), Part("worker", worker), *channels]


def _state(failing: ChannelHealth | None) -> str:
    return OK if failing is None else f"{failing.failures} failures in a row: see the worker's log"


def _takes_writes() -> bool:
    """Whether the database lets itself be changed: a statement that would change it, and finds no row to change."""
    try:
        with transaction.atomic():
            Heartbeat.objects.filter(name="").update(beat_at=present.now())
    except Error:
        return False
    return True


class _Tables:
    """Whether the database has every table of this version. Once true it stays so while this process runs."""

    _complete = False

    @classmethod
    def are_complete(cls) -> bool:
        if not cls._complete:
            executor = MigrationExecutor(connection)
            cls._complete = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        return cls._complete


@require_safe
def figures(request: HttpRequest) -> HttpResponse:
    """The metrics in Prometheus' text format, for who knows METRICS_TOKEN; without one there is no such address."""
    token = settings.METRICS_TOKEN
    header = request.headers.get("Authorization", "")
    if not token or not constant_time_compare(header, f"Bearer {token}"):
        raise Http404
    return HttpResponse(metrics.render_metrics(present.now()), content_type=CONTENT_TYPE_LATEST)


# The pages for an unexpected error, for a database that is away for a moment, and for links that end too late.

AWAY = (OperationalError, InterfaceError)
RETRY_AFTER = 5  # seconds
BEHIND_LINKS = ".,;:!?>)]}'\"*_»”’…。，、）"


def broken(request: HttpRequest) -> HttpResponse:
    """500; or 503 with Retry-After if the database went away in the middle, or takes nothing. Nothing was changed."""
    is_passing = is_away(sys.exc_info()[1])
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_passing else HTTPStatus.INTERNAL_SERVER_ERROR
    response = _problem(is_passing=is_passing) if request.path.startswith("/api/") else _page()
    response.status_code = status
    if is_passing:
        response["Retry-After"] = str(RETRY_AFTER)
    return response


@csrf_exempt  # it changes nothing, and mail providers post without a cookie (RFC 8058)
def ended_too_late(request: HttpRequest) -> HttpResponse:
    """Leads on a link at whose end a mail program left the full stop, comma or bracket that stood behind it."""
    path = request.path_info
    while path != (shorter := path.rstrip(f"{BEHIND_LINKS}/").removesuffix("&gt").removesuffix("&quot")):
        path = shorter
    for address in (path, f"{path}/"):
        with contextlib.suppress(Resolver404):
            resolve(address)
            query = request.META.get("QUERY_STRING", "")
            response = HttpResponseRedirect(escape_uri_path(address) + (f"?{query}" if query else ""))
            response.status_code = HTTPStatus.TEMPORARY_REDIRECT  # what was posted is posted again
            return response
    raise Http404


def malformed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 as problem details, for processes that have no pages: an unknown host, or headers that cannot be."""
    said = problem(400, CODES[400], _("We couldn't make sense of what your browser sent. Nothing was changed."))
    return JsonResponse(said.data, status=HTTPStatus.BAD_REQUEST, content_type=MEDIA_TYPE)


def is_away(error: BaseException | None) -> bool:
    """Whether the database cannot be reached, or takes nothing for now: it may be read only."""
    return isinstance(error, AWAY) or isinstance(getattr(error, "__cause__", None), ReadOnlySqlTransaction)


def _page() -> HttpResponse:
    return HttpResponse(render_to_string("500.html"))  # without the request: who it is would be read from the database


def _problem(*, is_passing: bool) -> HttpResponse:
    if is_passing:
        said = problem(503, "unavailable", _("The database is unavailable for a moment. Please try again."))
    else:
        said = problem(500, "broken", _("Something went wrong here. Check before you send it again."))
    return JsonResponse(said.data, content_type=MEDIA_TYPE)
