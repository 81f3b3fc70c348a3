"""Shows the service on other sites, as a stranger may see it: pasted links (Open Graph, https://ogp.me), pictures of
boards, a board to embed, feeds (Atom, RFC 4287), `robots.txt` and the map of the public pages."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from xml.sax.saxutils import escape

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from PIL import Image

from engine.registry import newest
from games.archive import finished_games
from games.clubs import invitations as club_invitations
from games.errors import Conflict, NotFound
from games.links import page_url
from games.lobby import puzzles
from games.people.models import User
from games.people.names import isolated
from games.people.speech import current_language
from games.play import history, pictures, queries
from games.play.history import LogLine
from games.play.queries import Access
from games.tables import boards, rulebooks, table_links
from games.tables.models import Game
from games.tournaments import tournaments
from games.tournaments.models import Tournament
from games.web.mail import calendar_of, deadline
from games.web.opening import in_words
from games.web.reader import signed_in
from notifications.clock import present

WIDTH, HEIGHT = 1200, 630  # pixels, as Open Graph wants them
MARGIN, TEXT_WIDTH = 64, 610
SCENE, SCENE_WIDTH = "games/art/hero-wide.svg", 1620  # as high as the picture
DUSK = "#141a3c"
MOST_KEPT = 32  # pictures of at most 60 kB in a process
KEPT_FOR = 600  # seconds by whoever has fetched a picture; its address changes with what it shows
BOARD_WIDTH = 800  # pixels
MOST_ENTRIES = 30  # of a feed
MOST_MAPPED = 1000  # games and tournaments in the map of the site


@dataclass(frozen=True)
class Preview:
    """A page as it is shown where its address is pasted.

    Arguments:
        kind, ref: of its picture; a table's is its board, as somebody sees it who has no seat there.
        version: changes with what the picture shows.
        is_indexed: whether search engines may show the page.
    """

    title: str
    sentence: str
    kind: str = "site"
    ref: str = "games"
    version: int = 0
    is_indexed: bool = True
    board: Callable[[], str] = str  # draws the SVG of a board; "" for the site's picture
    feed: str = ""  # the path of a feed about it


def of_table(ref: str, **_more: object) -> Preview:
    """A table that anybody may watch."""
    access = queries.access_game(None, ref)
    game = access.game
    title = in_words(game.rules, game.rules.title)
    count = game.seat_count - len(game.seated())
    if (result := queries.result(game)) is not None:
        sentence = f"{title}: {result.reason}"
    elif game.status == Game.Status.OPEN and count > 0:
        free = ngettext("%(count)s free seat. Come and play.", "%(count)s free seats. Come and play.", count)
        sentence = f"{title}: {free % {'count': count}}"
    else:
        sentence = f"{title}: {', '.join(game.spoken_names())}"
    board = partial(_board_now, access) if game.started_at else partial(_first_board, game.rules_name)
    is_found = game.is_listed and game.status == Game.Status.FINISHED
    feed = reverse("table_feed", args=[ref])
    return Preview(game.title, sentence, "table", ref, game.public_events, is_found, board, feed)


def of_game(name: str, **_more: object) -> Preview:
    """The rules of a game, how it is played, or its lesson."""
    rules = next((rules for rules in newest() if rules.name == name), None)
    if rules is None:
        raise NotFound(_("There's no such game."))
    return Preview(
        in_words(rules, rules.title), in_words(rules, rules.about), "game", name, board=partial(_first_board, name)
    )


def of_invitation(ref: str, token: str, **_more: object) -> Preview:
    """An invitation to one person: who invites, and what to."""
    row = table_links.find_invitation(ref, token)
    if row is None:
        raise NotFound(_("There's no such invitation."))
    return _invited(row.game, row.inviter)


def of_join_link(ref: str, token: str, **_more: object) -> Preview:
    """The link that a host hands to whom he likes."""
    game = table_links.find_table(ref, token)
    if game is None:
        raise NotFound(_("There's no such invitation."))
    return _invited(game, game.host)


def _invited(game: Game, host: User) -> Preview:
    title = in_words(game.rules, game.rules.title)
    headline = _("%(name)s invites you to play %(game)s") % {"name": isolated(host.get_short_name()), "game": title}
    sentence = in_words(game.rules, game.rules.about)
    board = partial(_first_board, game.rules_name)
    return Preview(headline, sentence, "game", game.rules_name, is_indexed=False, board=board)


def of_club_link(ref: str, token: str, **_more: object) -> Preview:
    """The link that a member hands to whom he likes; a club is seen by nobody else."""
    club = club_invitations.find_club(ref, token)
    if club is None:
        raise NotFound(_("There's no such invitation."))
    sentence = club.display_about or _("Play over days, from your email.")
    return Preview(club.display_name, sentence, is_indexed=False)


def of_tournament(ref: str, **_more: object) -> Preview:
    """A tournament, whose page is public."""
    row = Tournament.objects.filter(ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such tournament."))
    sentence = _("A tournament: %(status)s") % {"status": row.get_status_display()}
    board = partial(_first_board, row.rules_name)
    feed = reverse("tournament_feed", args=[ref])
    return Preview(row.display_title, sentence, "tournament", ref, board=board, feed=feed)


def of_player(ref: str, **_more: object) -> Preview:
    """A profile; search engines may show it if its owner is on the leaderboard, which he has to choose."""
    person = User.objects.filter(ref=ref, is_active=True, is_guest=False, has_profile=True).first()
    if person is None:
        raise NotFound(_("There's no such profile."))
    sentence = _("Games played, results and ratings.")
    return Preview(person.get_short_name(), sentence, "player", ref, is_indexed=person.is_ranked)


def of_puzzle(ref: str = "", **_more: object) -> Preview:
    """A puzzle: its position and its question, as the solver sees them; without a reference that of the day."""
    now = present.now()
    packed = puzzles.find_open(ref, now) if ref else puzzles.of_day(puzzles.today(now))
    try:
        puzzle = puzzles.opened(packed)
    except Conflict as error:
        raise NotFound(error.message) from error
    names = puzzles.names_of(puzzle, "Anna")

    def board() -> str:
        return boards.svg(packed.rules, puzzle.rules.picture(puzzle.view, current_language(), names), is_plain=True)

    title = _("Puzzle") if ref else _("Puzzle of the day")
    return Preview(title, puzzles.words_of(puzzle, names).ask, "puzzle", packed.ref, board=board)


def of_site(**_more: object) -> Preview:
    """Any other public page."""
    return Preview(_("Board games with friends"), _("Play over days, from your email."))


def of_archive(**_more: object) -> Preview:
    """The games that are over."""
    return replace(of_site(), title=_("Finished games"), feed=reverse("archive_feed"))


def _board_now(access: Access) -> str:
    return boards.svg(access.game.rules_name, queries.picture(access, queries.view_of(access)), is_plain=True)


def _first_board(name: str) -> str:
    path = boards.static_picture(name)
    return boards.static_svg(path) if path else ""


PREVIEWS: dict[str, Callable[..., Preview]] = {
    **dict.fromkeys(("table", "history", "review", "statistics", "last_tally", "table_cards"), of_table),
    **dict.fromkeys(("rules", "rules_in", "how_to_play", "puzzle", "ranking"), of_game),
    "archive": of_archive,
    **dict.fromkeys(("daily_puzzle", "one_puzzle"), of_puzzle),
    "invitation": of_invitation,
    "join": of_join_link,
    "join_club": of_club_link,
    "tournament": of_tournament,
    "player": of_player,
    **dict.fromkeys(
        (
            "home",
            "learn",
            "lobby",
            "archive",
            "rankings",
            "rules_index",
            "tournaments",
            "by_mail",
            "by_mail_in",
            "puzzles",
        ),
        of_site,
    ),
}
"""By the name of a page's address (games/urls.py). What is not here is found by no search engine and shows nothing."""

PICTURES: dict[str, Callable[..., Preview]] = {
    "site": of_site,
    "game": of_game,
    "table": of_table,
    "tournament": of_tournament,
    "player": of_player,
    "puzzle": of_puzzle,
}


def tags(request: HttpRequest) -> SafeString:
    """The head of a page for programs that look at links: they are never signed in, so others get none of it."""
    if signed_in(request) is not None or (match := request.resolver_match) is None:
        return SafeString("")
    hidden = SafeString('<meta name="robots" content="noindex">')
    find = PREVIEWS.get(match.url_name or "")
    if find is None:
        return hidden
    try:
        preview = find(**match.kwargs)
    except NotFound:
        return hidden
    place = ("table_preview", preview.ref) if preview.kind == "table" else ("preview", preview.kind, preview.ref)
    image = f"{page_url(*place)}?v={preview.version}"
    properties = [
        ("og:site_name", settings.SITE_NAME),
        ("og:type", "website"),
        ("og:title", preview.title),
        ("og:description", preview.sentence),
        ("og:image", image),
        ("og:image:type", "image/png"),
        ("og:image:width", str(WIDTH)),
        ("og:image:height", str(HEIGHT)),
        ("og:image:alt", preview.title),
    ]
    head = [
        format_html('<meta name="description" content="{}">', preview.sentence),
        SafeString('<meta name="twitter:card" content="summary_large_image">'),
        format_html_join("\n", '<meta property="{}" content="{}">', properties),
    ]
    if preview.feed:
        head.append(format_html('<link rel="alternate" type="application/atom+xml" href="{}">', preview.feed))
    address = f"{settings.SITE_URL}{request.path}"
    head.append(format_html('<link rel="canonical" href="{}">', address) if preview.is_indexed else hidden)
    return mark_safe("\n".join(head))  # noqa: S308  # each line is escaped


@require_safe
def picture(request: HttpRequest, kind: str, ref: str) -> HttpResponse:
    """The picture of a preview, as anybody may see it, whoever asks."""
    try:
        preview = PICTURES[kind](**{"name" if kind == "game" else "ref": ref})
    except (KeyError, NotFound) as error:
        raise Http404 from error
    response = HttpResponse(drawn(preview.title, preview.sentence, preview.board()), content_type="image/png")
    return _for_others(response)


@lru_cache(maxsize=MOST_KEPT)
def drawn(title: str, sentence: str, board: str) -> bytes:
    """Draws title and sentence beside a board, or before the caravanserai, as a PNG. Cached by all that it shows."""
    scene = pictures.draw(boards.static_svg(SCENE), SCENE_WIDTH)
    image = scene.crop((scene.width - WIDTH, scene.height - HEIGHT, scene.width, scene.height))
    if board:
        image.paste(DUSK, (0, 0, WIDTH, HEIGHT))
        image.paste(*_fitted(board))
    words = pictures.rasterise(_words(title, sentence))
    image.paste(words, mask=words.getchannel("A"))
    return pictures.encode(image)


def _fitted(board: str) -> tuple[Image.Image, tuple[int, int]]:
    """A board as large as fits beside the words, and where its corner lies."""
    sheet = pictures.cut(board)
    room = WIDTH - TEXT_WIDTH - MARGIN
    width = int(min(room, HEIGHT * sheet.width / sheet.height))
    image = pictures.draw(board, width)
    return image, (WIDTH - (room + width) // 2, (HEIGHT - image.height) // 2)


def _words(title: str, sentence: str) -> str:
    down, text = 150.0, []
    for size, weight, lines in ((64, 700, _lines(title, 17, 3)), (34, 400, _lines(sentence, 34, 4))):
        for line in lines:
            down += size * 1.25
            text.append(
                f'<text x="{MARGIN}" y="{down}" font-size="{size}" font-weight="{weight}">{escape(line)}</text>'
            )
        down += 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' font-family="Inter" fill="#fff8e7"><text x="{MARGIN}" y="104" font-size="30" font-weight="600"'
        f' fill="#f2a93b">{escape(settings.SITE_NAME)}</text>'
        f"{''.join(text)}</svg>"
    )


def _lines(words: str, length: int, most: int) -> list[str]:
    return textwrap.wrap(words, length, max_lines=most, placeholder=" …")


# Boards of public tables, as pictures and as a page for other sites


def _board(ref: str) -> Preview:
    try:
        return of_table(ref)
    except NotFound as error:
        raise Http404 from error


@require_safe
def board(request: HttpRequest, ref: str, form: str) -> HttpResponse:
    """The board of a table that anybody may watch, as "svg" or "png".

    With "step" in the query that after a step of a finished game.
    """
    step = request.GET.get("step", "")
    if step:
        source = _board_at(_finished(ref), int(step) if step.isascii() and step.isdigit() and len(step) < 6 else 1)
    else:
        source = _board(ref).board()
    if not source:
        raise Http404
    if form == "svg":
        return _for_others(HttpResponse(source, content_type="image/svg+xml"))
    return _for_others(HttpResponse(_board_png(source), content_type="image/png"))


def _finished(ref: str) -> Access:
    try:
        access = queries.access_game(None, ref)
    except NotFound as error:
        raise Http404 from error
    if access.game.status != Game.Status.FINISHED:
        raise Http404
    return access


def _board_at(access: Access, step: int) -> str:
    game = access.game
    key = (game.ref, game.chain, step, current_language())
    if (source := _boards_at.get(key)) is None:
        source = boards.svg(
            game.rules_name, queries.picture(access, history.scene_of(access, step).view), is_plain=True
        )
        if len(_boards_at) >= MOST_KEPT:
            _boards_at.clear()
        _boards_at[key] = source
    return source


_boards_at: dict[tuple[str, str, int, str], str] = {}


@lru_cache(maxsize=MOST_KEPT)
def _board_png(source: str) -> bytes:
    return pictures.encode(pictures.draw(source, BOARD_WIDTH))


@require_safe
def embed(request: HttpRequest, ref: str) -> HttpResponse:
    """The same in a page without cookies and forms, which any site may put into a frame."""
    preview = _board(ref)
    response = render(request, "games/site/embed.html", {"preview": preview, "address": page_url("table", ref)})
    response.is_embeddable = True  # type: ignore[attr-defined]  # config.web.SecurityHeaders
    return response


def _for_others(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, public=True, max_age=KEPT_FOR)
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # it is shown by others
    return response


# Feeds


class Atom(Feed):  # type: ignore[type-arg]  # generic in its stubs alone
    """The frame of our feeds."""

    feed_type = Atom1Feed

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """The feed, or 404."""
        try:
            return super().__call__(request, *args, **kwargs)
        except NotFound as error:
            raise Http404 from error


class TableFeed(Atom):
    """The newest public events of a table that anybody may watch."""

    def get_object(self, request: HttpRequest, ref: str) -> Access:
        return queries.access_game(None, ref)

    def title(self, access: Access) -> str:
        return access.game.title

    def link(self, access: Access) -> str:
        return reverse("table", args=[access.game.ref])

    def items(self, access: Access) -> list[tuple[Access, LogLine]]:
        lines = history.recent_lines(access, MOST_ENTRIES) if access.game.started_at else []
        return [(access, line) for line in reversed(lines) if line.number]

    def item_title(self, item: tuple[Access, LogLine]) -> str:
        return item[1].text

    def item_description(self, item: tuple[Access, LogLine]) -> str:
        return item[1].text

    def item_link(self, item: tuple[Access, LogLine]) -> str:
        return f"{reverse('history', args=[item[0].game.ref])}?since={(item[1].number or 1) - 1}"

    def item_updateddate(self, item: tuple[Access, LogLine]) -> datetime:
        return item[1].at


class GamesFeed(Atom):
    """Games that are over: those of the archive, or of a tournament."""

    def get_object(self, request: HttpRequest, ref: str = "") -> Tournament | None:
        return tournaments.find_tournament(ref) if ref else None

    def title(self, tournament: Tournament | None) -> str:
        return tournament.display_title if tournament else _("Finished games")

    def link(self, tournament: Tournament | None) -> str:
        return tournaments.tournament_url(tournament) if tournament else reverse("archive")

    def items(self, tournament: Tournament | None) -> list[Game]:
        games = finished_games.archived()
        if tournament is not None:
            games = games.filter(tournament_table__round__tournament=tournament)
        return list(games[:MOST_ENTRIES])

    def item_title(self, item: Game) -> str:
        return item.title

    def item_description(self, item: Game) -> str:
        result = queries.result(item)
        return f"{in_words(item.rules, item.rules.title)}: {result.reason if result else ''}"

    def item_link(self, item: Game) -> str:
        return reverse("table", args=[item.ref])

    def item_updateddate(self, item: Game) -> datetime | None:
        return item.finished_at


@require_safe
def tournament_calendar(request: HttpRequest, ref: str) -> HttpResponse:
    """When entries close and the rounds of a tournament end, for whoever wants to know."""
    try:
        row = tournaments.find_tournament(ref)
    except NotFound as error:
        raise Http404 from error
    title = row.display_title
    dates = [("entries", _("Entries close: %(title)s") % {"title": title}, row.closes_at, row.created_at)]
    for stage in row.rounds.order_by("number"):
        says = _("Round %(number)s ends: %(title)s") % {"number": stage.number, "title": title}
        dates.append((f"round-{stage.number}", says, stage.ends_at, stage.started_at))
    events = [deadline(f"tournament-{row.ref}-{name}", says, at, since) for name, says, at, since in dates]
    for event in events:
        event.add("url", tournaments.tournament_url(row))
    return calendar_of(title, events)


# What search engines are told


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Which addresses programs leave alone: those that act, and the API. What links show is said in the pages."""
    closed = ("/api/", "/act/", "/accounts/", "/settings/", "/admin/")
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in closed),
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


class Pages(Sitemap):  # type: ignore[type-arg]  # generic in its stubs alone
    """The pages that are always there, and the newest games of the archive and tournaments."""

    def items(self) -> list[tuple[str, datetime | None]]:
        """Paths, each with when its page has changed for the last time, if that is known."""
        names = (
            "home",
            "learn",
            "puzzles",
            "daily_puzzle",
            "lobby",
            "archive",
            "rules_index",
            "tournaments",
            "by_mail",
        )
        games = [rules.name for rules in newest()]
        pages = [reverse(name) for name in names]
        pages += [reverse("rules", args=[name]) for name in games if rulebooks.languages_of(name)]
        pages += [reverse(name, args=[game]) for name in ("how_to_play", "ranking") for game in games]
        archived = finished_games.archived().values_list("ref", "finished_at")[:MOST_MAPPED]
        newest_tournaments = Tournament.objects.order_by("-created_at").values_list("ref", "finished_at")[:MOST_MAPPED]
        return [
            *((path, None) for path in pages),
            *((reverse("table", args=[ref]), at) for ref, at in archived),
            *((reverse("tournament", args=[ref]), at) for ref, at in newest_tournaments),
        ]

    def location(self, item: tuple[str, datetime | None]) -> str:
        """The path of a page."""
        return item[0]

    def lastmod(self, item: tuple[str, datetime | None]) -> datetime | None:
        """When a page has changed."""
        return item[1]


SITEMAPS = {"pages": Pages}
