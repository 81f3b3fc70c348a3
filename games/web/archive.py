"""Finished games: the archive and its rankings, records, reviews, statistics, and the proof of the shuffle."""

from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.datastructures import MultiValueDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.core import Figures, Seat, TableOption
from engine.orders.model import OrderFired
from engine.records import model
from engine.records.checking import origin_of
from engine.registry import INSTALLED, AnyRules, newest
from engine.reviews.model import Point
from games.archive import ratings, records, reviews, verifier
from games.archive.finished_games import ArchiveFilter, archived, page_after, sums
from games.archive.models import Rating
from games.archive.review_sentences import Grade, ReviewSentences
from games.archive.reviews import curve_of
from games.cursors import NotACursor
from games.errors import ServiceError
from games.people.characters import CHARACTERS
from games.play import history, queries, replay
from games.play.queries import Access
from games.tables.models import Game
from games.web.forms import refusals_in, sent, status_of
from games.web.lobby import ANY
from games.web.opening import in_words
from games.web.play.table_page import access_game
from games.web.reader import require_user, signed_in
from notifications.clock import present

# Search form.


def _versions(rules: AnyRules) -> list[TableOption]:
    return [option for option in rules.options if option.name == "version"]


def _games() -> list[tuple[str, str | Promise]]:
    """Every rule set, and each version of those that have some: "aladdins-dragons", "aladdins-dragons.magic"."""
    choices: list[tuple[str, str | Promise]] = [ANY]
    for rules in newest():
        title = in_words(rules, rules.title)
        choices.append((rules.name, title))
        for option in _versions(rules):
            choices += [
                (f"{rules.name}.{value}", f"{title}: {in_words(rules, label)}") for value, label in option.values
            ]
    return choices


def _seats() -> list[tuple[str, str | Promise]]:
    counts = {count for rules in newest() for count in rules.seat_counts}
    return [ANY, *((str(count), str(count)) for count in sorted(counts))]


class ArchiveForm(forms.Form):
    """Which games to show."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False, choices=_games)
    seats = forms.ChoiceField(label=gettext_lazy("Players"), required=False, choices=_seats)
    since = forms.DateField(
        label=gettext_lazy("Finished after"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=gettext_lazy("Finished before"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )

    def to_filter(self) -> ArchiveFilter:
        """The filter; a value that is not valid is left out."""
        self.is_valid()
        data = self.cleaned_data
        rules, _dot, version = data.get("game", "").partition(".")
        return ArchiveFilter(
            rules=rules,
            version=version,
            seats=int(data["seats"]) if data.get("seats") else None,
            since=data.get("since"),
            until=data.get("until"),
        )

    @property
    def is_empty(self) -> bool:
        """True if nothing in particular is looked for."""
        return self.to_filter() == ArchiveFilter()


# Archive and rankings.

PER_PAGE = 30
PEOPLE_PER_PAGE = 100


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Finished games of listed tables, for everybody: to step through, and to take their records away."""
    form = ArchiveForm(request.GET)
    matches, after = archived(form.to_filter()), request.GET.get("after", "")
    try:
        games, behind = page_after(matches, after, PER_PAGE)
    except NotACursor:  # an address that somebody has cut off, or an old one
        after = ""
        games, behind = page_after(matches, after, PER_PAGE)
    query = request.GET.copy()
    query.pop("after", None)  # what else its address asks for
    context = {"form": form, "rows": [_row(game) for game in games], "query": query.urlencode()}
    context |= {"after": after, "behind": behind}
    return render(request, "games/archive/archive.html", context)


def _row(game: Game) -> dict[str, object]:
    result = queries.result(game)
    places = result.places if result else []
    return {
        "game": game,
        "rules": in_words(game.rules, game.rules.title),
        "places": [(place, seat.display_name) for place, seat, _score in sorted(places, key=lambda place: place[0])],
    }


@require_safe
def rankings(request: HttpRequest) -> HttpResponse:
    """To the ranking of the first game."""
    return redirect("ranking", name=newest()[0].name)


@require_safe
def ranking(request: HttpRequest, name: str) -> HttpResponse:
    """Shows the best players of a game who want others to see it; and how often it was played, and for how long."""
    rules = next((candidate for candidate in newest() if candidate.name == name), None)
    if rules is None:
        raise Http404(_("There's no game with that name."))
    number = _page_number(request)
    start = (number - 1) * PEOPLE_PER_PAGE
    found = list(ratings.ranking(name)[start : start + PEOPLE_PER_PAGE + 1])
    if start and not found:
        return redirect("ranking", name=name)
    viewer = signed_in(request)
    own = Rating.objects.filter(user=viewer, rules_name=name).first() if viewer else None
    context = {
        "name": name,
        "rules": in_words(rules, rules.title),
        "games": [(offered.name, in_words(offered, offered.title)) for offered in newest()],
        "number": number,
        "has_next": len(found) > PEOPLE_PER_PAGE,
        "rows": list(enumerate(found[:PEOPLE_PER_PAGE], start=start + 1)),
        "own": own,
        "bots": [(row, CHARACTERS[row.user.character]) for row in ratings.of_house(name)],
        "is_ranked": viewer is not None and viewer.is_ranked,
        "sums": [(row, max(1, round(row.lasted.total_seconds() / 86400))) for row in sums(name)],
    }
    return render(request, "games/archive/ranking.html", context)


def _page_number(request: HttpRequest) -> int:
    """Returns the page that is asked for; 1 for what is none. Pages are not counted, which would read all behind."""
    asked = request.GET.get("page", "")
    return max(1, int(asked)) if asked.isdecimal() and len(asked) <= len(str(ratings.RANKED)) else 1


# Import form.


class ImportForm(forms.Form):
    """One file."""

    record = forms.FileField(label=gettext_lazy("Record of a game"), allow_empty_file=True)

    def __init__(
        self, data: QueryDict | None = None, files: "MultiValueDict[str, UploadedFile[bytes]] | None" = None
    ) -> None:
        super().__init__(data, files)
        self.fields["record"].error_messages["required"] = _("Choose a file of at most %(most)s MB.") % _most()

    def clean_record(self) -> "UploadedFile[bytes]":
        """The file, if a record can be as large."""
        file: UploadedFile[bytes] = self.cleaned_data["record"]
        if (file.size or 0) > settings.LARGEST_RECORD:
            raise forms.ValidationError(_("This file is too large. The limit is %(most)s MB.") % _most())
        return file


def _most() -> dict[str, int]:
    return {"most": settings.LARGEST_RECORD // 2**20}


# Records.


@require_safe
def record(request: HttpRequest, ref: str) -> HttpResponse:
    """The record of a finished game, for whoever may see it; of any other the way leads to its page about fairness."""
    game = access_game(request, ref).game
    try:
        data = model.dump(records.record_of(game))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("verify", ref=ref)
    return _file(data, "application/json", f"caravanserai-{game.ref}.json")


@require_safe
def download_verifier(request: HttpRequest, package: str = "") -> HttpResponse:
    """The program that checks records, for everybody; with the rules of an installed package if one is named."""
    if package and package not in INSTALLED:
        raise Http404
    response = _file(verifier.bundle(package), "application/octet-stream", verifier.name_of(package))
    response["ETag"] = f'"{verifier.digest(package)}"'
    return response


def _file(data: bytes, media_type: str, name: str) -> HttpResponse:
    return HttpResponse(data, media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_game(request: HttpRequest) -> HttpResponse:
    """A form for a record, which a worker checks, and the games that its reader has imported."""
    user = require_user(request)
    form = ImportForm(sent(request), request.FILES or None)
    if form.is_valid():
        with refusals_in(form, "record"):
            row = records.request_import(data=form.cleaned_data["record"].read(), by=user, now=present.now())
            return redirect("importing", ref=row.ref)
    context = {
        "form": form,
        "imported": records.imported_by(user),
        "importing": records.open_import_of(user),
        "largest": settings.LARGEST_RECORD // 2**20,
    }
    return render(request, "games/archive/import.html", context, status=status_of(form))


@login_required
@require_safe
def importing(request: HttpRequest, ref: str) -> HttpResponse:
    """How far a record is checked, and what has come of it; the page asks for that itself until it is known."""
    is_live = bool(getattr(request, "htmx", False))
    template = "games/archive/parts/importing.html" if is_live else "games/archive/importing.html"
    return render(request, template, {"importing": records.find_import(require_user(request), ref)})


@login_required
@require_POST
def remove_import(request: HttpRequest, ref: str) -> HttpResponse:
    """Its importer takes an imported game away again."""
    game = access_game(request, ref).game
    try:
        records.remove_import(game=game, by=require_user(request))
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The game is removed. If you still have its record, you can import it again."))
    return redirect("import_game")


# Reviews.


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, ref: str) -> HttpResponse:
    """For whoever may see the game. POST asks for a review where none was made, if its reader is signed in."""
    access = access_game(request, ref)
    if not access.game.is_over:
        return redirect("table", ref=ref)
    if request.method == "POST":
        return _ask(request, access)
    state = reviews.review_of(access.game)
    is_part = bool(getattr(request, "htmx", False))
    if is_part and state.is_coming:
        return render(request, "games/archive/parts/review_state.html", {"game": access.game, "found": state})
    context = {"game": access.game, "found": state, "may_ask": signed_in(request) is not None}
    if state.review is not None:
        context |= _review_context(access, state, request.GET.get("seat", ""))
    response = render(request, "games/archive/review.html", context)
    if is_part:
        response["HX-Refresh"] = "true"  # it is there: the whole page looks different
    return response


def _ask(request: HttpRequest, access: Access) -> HttpResponse:
    try:
        user = signed_in(request)
        if user is None:
            raise ServiceError(_("Sign in to ask for a review."))
        reviews.request_review(access.game, user, present.now())
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("review", ref=access.game.ref)


def _review_context(access: Access, state: reviews.ReviewState, seat: str) -> dict[str, object]:
    review, game = state.review, access.game
    assert review is not None
    sentences = ReviewSentences(access, review).told()
    chosen = _chosen_seat(access, review.seats, seat)
    own = [decision for decision in sentences.decisions if decision.seat == chosen]
    names = game.seat_names()
    return {
        "told": sentences,
        "review": review,
        "row": state.row,
        "curve": curve_of(review),
        "names": names,
        "chosen": chosen,
        "chosen_name": names[chosen],
        "is_own": access.seat is not None and access.seat.number == chosen,
        "better": [decision for decision in own if decision.grade != Grade.GOOD],
        "decisions": own,
        "rows": [
            (point.seq, [(chance / 10, low / 10, high / 10) for chance, low, high in _columns(point)])
            for point in review.points
        ],
    }


def _columns(point: Point) -> list[tuple[int, int, int]]:
    return list(zip(point.chances, point.low, point.high, strict=True))


def _chosen_seat(access: Access, seats: int, wanted: str) -> int:
    """Returns the seat whose decisions are shown: that of the address, else one's own, else the winner's."""
    if wanted.isascii() and wanted.isdigit() and len(wanted) == 1 and int(wanted) < seats:
        return int(wanted)
    if access.number is not None:
        return access.number
    winners = (access.game.outcome or {}).get("winners") or [0]
    return int(winners[0])


# Statistics: figures and charts of a finished game, and the latest tally.

WIDTH, HEIGHT, LEFT, BOTTOM = 600, 240, 40, 24  # of a chart in its own units, and of its margins
STEPS = (1, 2, 5)


@dataclass(frozen=True)
class ChartLine:
    """A seat's line in a chart: its points as SVG writes them, and where it ends."""

    seat: int
    points: str
    end: tuple[float, float]


@dataclass(frozen=True)
class Mark:
    """A number at an axis of a chart, and where it stands."""

    at: float
    number: int


@dataclass(frozen=True)
class Chart:
    """A figure that grows from round to round, one line for each seat."""

    lines: list[ChartLine]
    heights: list[Mark]
    rounds: list[Mark]


@dataclass(frozen=True)
class Cell:
    """A seat's number in a line, and the rank it gives where the line ranks; None for who is not ranked."""

    number: int
    rank: int | None = None


@dataclass(frozen=True)
class FiguresTable:
    """Numbers in words: a line for each row with a cell for each seat, and a chart if the rows are a course."""

    title: str
    rows: list[tuple[str, list[Cell]]]
    chart: Chart | None


@require_safe
def statistics(request: HttpRequest, ref: str) -> HttpResponse:
    """The statistics of a finished game, as its reader may know it; of any other the way leads to its table."""
    access = access_game(request, ref)
    game = access.game
    if not game.outcome:
        return redirect("table", ref=ref)
    events = [line.event for line in history.events_of(access, replay.standing_moves(game))]
    context = {
        "game": game,
        "result": queries.result(game),
        "names": game.seat_names(),
        "tables": [_table(access, figure) for figure in game.rules.figures(events, game.seat_count)],
        "fired": sum(isinstance(event, OrderFired) for event in events),  # one's own: nobody sees those of others
    }
    return render(request, "games/archive/statistics.html", context)


@require_safe
def last_tally(request: HttpRequest, ref: str) -> HttpResponse:
    """Shows what the latest tally revealed of each seat; redirects to the table if there was none."""
    access = access_game(request, ref)
    game = access.game
    if not (game.started_at and game.rules.has_tally):
        return redirect("table", ref=ref)
    lines = list(history.events_of(access, replay.standing_moves(game)))
    figures = game.rules.last_tally((line.event for line in lines), game.seat_count)
    table = _table(access, figures) if figures is not None else None
    context = {"game": game, "names": game.seat_names(), "table": table, "begins": history.tally_begins(game, lines)}
    return render(request, "games/archive/last_tally.html", context)


def _table(access: Access, figures: Figures) -> FiguresTable:
    ranks = figures.ranks or [[] for _line in figures.lines]
    lines = zip(figures.lines, ranks, strict=True)
    rows = [(queries.say(access.game, label), _cells(numbers, ranking)) for (label, numbers), ranking in lines]
    courses = [numbers for _label, numbers in figures.lines]
    chart = chart_of(courses) if figures.is_course and len(rows) > 1 else None
    return FiguresTable(queries.say(access.game, figures.title), rows, chart)


def _cells(numbers: list[int], ranking: list[Seat]) -> list[Cell]:
    places = {seat: place for place, seat in enumerate(ranking, start=1)}
    return [Cell(number, places.get(seat)) for seat, number in enumerate(numbers)]


def chart_of(rows: list[list[int]]) -> Chart:
    """The chart of two rows or more, with a number for each seat in each."""
    highest = max(1, *map(max, rows))
    step, low = _step(highest), min(0, *map(min, rows))
    top = step * -(-highest // step)

    def x(row: int) -> float:
        return round(LEFT + row * (WIDTH - LEFT - 10) / (len(rows) - 1), 1)

    def y(number: int) -> float:
        return round((HEIGHT - BOTTOM) - (number - low) * (HEIGHT - BOTTOM - 10) / (top - low), 1)

    lines = []
    for seat in range(len(rows[0])):
        spots = [(x(at), y(row[seat])) for at, row in enumerate(rows)]
        lines.append(ChartLine(seat, " ".join(f"{left},{height}" for left, height in spots), spots[-1]))
    every = max(1, len(rows) // 8)
    return Chart(
        lines,
        [Mark(y(number), number) for number in range(0, top + 1, step)],
        [Mark(x(at), at + 1) for at in range(0, len(rows), every)],
    )


def _step(most: int) -> int:
    """The distance of the lines of a chart: a round number, so that there are about four of them."""
    size = 1
    while True:
        for digit in STEPS:
            if most <= 4 * digit * size:
                return digit * size
        size *= 10


# Proof: what was promised before the game, what is shown after it, and a check that plays it again.


@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest, ref: str) -> HttpResponse:
    """For whoever may see the game. GET explains; POST checks, for those who are signed in: it costs something."""
    game = access_game(request, ref).game
    context: dict[str, object] = {"game": game}
    status = 200
    if request.method == "POST":
        try:
            if signed_in(request) is None:
                raise ServiceError(_("Sign in to check it here."))
            context["verdict"] = replay.check_fairness(game)
        except ServiceError as error:
            context["refusal"], status = error.message, error.status
    if game.status == Game.Status.FINISHED:
        package = verifier.package_of(game.rules_name)
        seats = list(game.seats.order_by("number"))
        origins = [origin_of(move) for move in replay.roll_backs(game)]
        context |= {
            "seats": seats,
            "game_seed": replay.seed_of(game),
            "verifier": {"package": package, "name": verifier.name_of(package), "digest": verifier.digest(package)},
            "has_record": game.sandbox_of_id is None,
            "roll_backs": [(origin, replay.seed_of(game, origin.branch)) for origin in origins],
        }
    return render(request, "games/archive/verify.html", context, status=status)
