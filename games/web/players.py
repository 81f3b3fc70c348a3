"""The public page of a player with the curve of each rating, and the button for a rematch."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine.registry import newest
from games.archive import player_profile
from games.archive.models import Rating
from games.archive.player_profile import CurvePoint
from games.clubs import clubs
from games.errors import ServiceError
from games.lobby import fellow_players, rematch
from games.people import friends
from games.people.models import User
from games.play import lists
from games.play.lists import Finished
from games.web.clubs import blocking
from games.web.opening import in_words
from games.web.play.table_page import access_game, access_seat
from games.web.reader import require_user, signed_in
from notifications.clock import present

# The curve of a rating.

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 600, 230, 76, 14, 16, 36  # of the picture in its own units
STEPS = (10, 20, 50, 100, 200, 500, 1000)
MOST_LINES = 5
FEWEST = 2


@dataclass(frozen=True)
class HeightLine:
    """A line across the picture, and the points that it stands for."""

    at: float
    points: int


@dataclass(frozen=True)
class Curve:
    """A curve: `line` as SVG writes points, the spot where it ends, the lines across, and the first and last day."""

    line: str
    end: tuple[float, float]
    heights: list[HeightLine]
    first: datetime
    last: datetime


def draw_curve(course: Sequence[CurvePoint]) -> Curve | None:
    """The curve of a course, its time running to the right; None for fewer than two points."""
    if len(course) < FEWEST:
        return None
    numbers = [point.points for point in course]
    lowest, highest = min(numbers), max(numbers)
    step = next((step for step in STEPS if (highest - lowest) / step <= MOST_LINES - 2), STEPS[-1])
    low, top = lowest // step * step, -(-(highest + 1) // step) * step
    first, last = course[0].at, course[-1].at
    whole = (last - first).total_seconds() or 1.0

    def y(points: int) -> float:
        return round(HEIGHT - BOTTOM - (points - low) * (HEIGHT - BOTTOM - TOP) / (top - low), 1)

    def x(at: datetime) -> float:
        return round(LEFT + (at - first).total_seconds() * (WIDTH - LEFT - RIGHT) / whole, 1)

    spots = [(x(point.at), y(point.points)) for point in course]
    line = " ".join(f"{left},{height}" for left, height in spots)
    return Curve(line, spots[-1], [HeightLine(y(mark), mark) for mark in range(low, top + 1, step)], first, last)


PER_PAGE = 50


@require_safe
def player(request: HttpRequest, ref: str) -> HttpResponse:
    """A name, and the finished games that the reader may see; 404 where there is none, or its owner wants none."""
    viewer = signed_in(request)
    person = User.objects.filter(ref=ref, is_active=True, is_guest=False).select_related("owner").first()
    is_own = person is not None and viewer is not None and person.pk == viewer.pk
    if person is None or not (person.has_profile or is_own):
        raise Http404(_("There's no such profile, or its owner has made it private."))
    games = lists.finished_games(person, viewer)
    page = Paginator(games, PER_PAGE).get_page(request.GET.get("page"))
    played = Counter(map(_title, games))
    won = Counter(_title(game) for game in games if game.place == 1)
    context = {
        "person": person,
        "is_own": is_own,
        "sums": [(title, count, won[title]) for title, count in played.most_common()],
        "ratings": _ratings(person, viewer) if person.is_ranked or is_own else [],
        "page": page,
        "rows": [(row, _title(row)) for row in page],
        **_habits(person, viewer),
        **_between(person, viewer),
    }
    return render(request, "games/accounts/player.html", context)


@dataclass(frozen=True)
class RatingCard:
    """A rating on a profile: its course and the picture of it, if the reader may see them."""

    title: str
    rating: Rating
    course: Sequence[CurvePoint]
    curve: Curve | None


def _ratings(person: User, viewer: User | None) -> list[RatingCard]:
    titles = {rules.name: in_words(rules, rules.title) for rules in newest()}
    rows = {row.rules_name: row for row in person.ratings.all()}
    is_shown = clubs.may_see(viewer, person, person.curve_shown)
    courses = {name: player_profile.curve(person, name) if is_shown else [] for name in rows}
    names = [name for name in titles if name in rows]
    return [RatingCard(titles[name], rows[name], courses[name][::-1], draw_curve(courses[name])) for name in names]


def _habits(person: User, viewer: User | None) -> dict[str, object]:
    """How reliably somebody answers, and when, by the reader's clock, where the reader may see that."""
    now = present.now()
    may_see = not person.is_bot and clubs.may_see(viewer, person, person.hours_shown)
    zone = viewer.recipient.zone_info if viewer else timezone.get_current_timezone()
    return {
        "reliability": player_profile.reliability(person, now),
        "hours": player_profile.hours(person, zone, now) if may_see else [],
        "zone": str(zone).replace("_", " "),
    }


def _between(person: User, viewer: User | None) -> dict[str, object]:
    """Returns the friendship of a person and the reader, and how they have done against each other."""
    if viewer is None or viewer.pk == person.pk or viewer.is_guest:
        return {}
    row, block = friends.between(viewer, person), blocking.find(viewer.recipient, person)
    return {
        "friendship": row,
        "is_asker": row is not None and row.asker_id == viewer.pk,
        "can_ask": row is None and block is None and friends.can_be_asked(person),
        "can_block": not viewer.is_bot and person.owner_id != viewer.pk,
        "own_block": block,
        "duels": player_profile.head_to_head(viewer, person),
        "can_invite": bool(fellow_players.invitable(viewer, [person.ref])),
    }


def _title(finished: Finished) -> str:
    return in_words(finished.game.rules, finished.game.rules.title)


@require_safe
def of_seat(request: HttpRequest, ref: str, number: int) -> HttpResponse:
    """To the page of the player of a seat, whose reference the table does not tell."""
    game = access_game(request, ref).game
    seat = game.seats.select_related("user").filter(number=number).first()
    if seat is None:
        raise Http404(_("There's no such seat."))
    if seat.user is None or seat.hides_name or not (seat.user.has_profile and seat.user.is_active):
        messages.info(request, _("%(name)s has no public profile.") % {"name": seat.spoken_name})
        return redirect("table", ref=ref)
    return redirect("player", ref=seat.user.ref)


@login_required
@require_POST
def play_again(request: HttpRequest, ref: str) -> HttpResponse:
    """Opens a table like this one for the same people, or sits down at the one that another of them has opened."""
    game = access_seat(request, ref).game
    try:
        done = rematch.open_rematch(game_id=game.pk, user=require_user(request), now=present.now())
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("table", ref=ref)
    if done.is_new:
        messages.success(request, _("Your table is open, and the other players are invited."))
    else:
        messages.success(request, _("You're in. We'll email you when the game starts."))
    for name in done.missing:
        messages.warning(request, _("We can't invite %(name)s. Send them the table's link instead.") % {"name": name})
    return redirect("table", ref=done.table.ref)
