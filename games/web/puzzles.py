"""Puzzles as pages: the one of the day, any other, the archive, and those behind the links of the daily email."""

from collections.abc import Sequence
from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.puzzles import GRADES, OpenPuzzle, PackedPuzzle
from engine.registry import AnyRules, newest
from games.errors import ServiceError
from games.lobby import puzzles
from games.lobby.models import PuzzleAttempt, PuzzleSolver
from games.people.models import User
from games.people.speech import current_language
from games.tables.models import Game
from games.web.opening import in_words
from games.web.reader import link_not_found, person_or_guest, posted, private, signed_in
from notifications import confirming
from notifications.clock import present
from notifications.models import Recipient

PAST = 7  # days of the archive


@require_safe
def daily(request: HttpRequest) -> HttpResponse:
    """The puzzle of today. It is answered at its own address: tomorrow there is another one here."""
    packed = puzzles.of_day(puzzles.today(present.now()))
    return _surface(request, packed, puzzles.opened(packed), _recipient(request))


@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, ref: str) -> HttpResponse:
    """Any puzzle that may be tried now; takes its answer, for which a stranger becomes a guest."""
    packed = puzzles.find_open(ref, present.now())
    puzzle = puzzles.opened(packed)
    if request.method == "POST":
        user = person_or_guest(request)
        puzzles.answer(recipient=user.recipient, packed=packed, value=posted(request, "answer"), now=present.now())
        return redirect("one_puzzle", ref=ref)
    return _surface(request, packed, puzzle, _recipient(request))


def _recipient(request: HttpRequest) -> Recipient | None:
    user: User | None = signed_in(request) or getattr(request, "guest", None)
    return user.recipient if user else None


def _surface(
    request: HttpRequest,
    packed: PackedPuzzle,
    puzzle: OpenPuzzle,
    recipient: Recipient | None,
    **more: object,
) -> HttpResponse:
    now = present.now()
    user = signed_in(request)
    names = puzzles.names_of(puzzle, user.name if user and user.name else "Anna")
    words = puzzles.words_of(puzzle, names)
    attempt = puzzles.attempt_of(recipient, packed.ref) if recipient else None
    solved = puzzles.solved_of(puzzle, attempt, names) if attempt else None
    following = puzzles.next_for(recipient, now) if solved else None
    context = {
        "url_of_one": reverse("one_puzzle", args=[packed.ref]),
        "game": Game(rules_name=packed.rules, rules_version=packed.version),
        "title": in_words(puzzle.rules, puzzle.rules.title),
        "words": words,
        "grade": packed.grade,
        "solved": solved,
        "figures": puzzles.figures_of(recipient, now) if recipient else None,
        "is_daily": packed.ref == puzzles.of_day(puzzles.today(now)).ref,
        "next_at": puzzles.next_at(now),
        "following": following,
        "board": puzzle.rules.picture(puzzle.view, current_language(), names),
        "text_board": puzzle.rules.describe(puzzle.view, current_language(), names),
        "suggested": {solved.chosen} if solved else {value for value, _label in words.choices},
        **more,
    }
    return render(request, "games/play/daily_puzzle.html", context, using="pages")


# Links of the daily email: no account, no session; the token in the address is the credential


@csrf_exempt  # whoever knows the address may answer, and mail programs keep no cookies
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def mailed(request: HttpRequest, ref: str, solver: str, token: str) -> HttpResponse:
    """The puzzle of a daily email: opening it changes nothing, a press answers."""
    row = puzzles.find_solver(solver, token, "puzzle", ref)
    if row is None:
        return link_not_found(request)
    with _as_reader(row):
        try:
            packed = puzzles.find(ref)
            puzzle = puzzles.opened(packed)
            if request.method == "POST":
                if puzzles.attempt_of(row.recipient, ref) is None and not confirming.is_confirmed(request):
                    return confirming.choice_page(request)
                puzzles.answer(
                    recipient=row.recipient, packed=packed, value=posted(request, "answer"), now=present.now()
                )
        except ServiceError as error:
            return render(request, "games/site/refused.html", {"message": error.message}, status=error.status)
        labels = dict(puzzles.words_of(puzzle, puzzles.names_of(puzzle, "Anna")).choices)
        wanted = request.GET.get("answer", "")
        more = {"is_mailed": True, "wanted": wanted if wanted in labels else "", "wanted_label": labels.get(wanted, "")}
        return _surface(request, packed, puzzle, row.recipient, **more)


@csrf_exempt
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def confirm_mail(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """The page on which an address says that it wants the puzzle of the day, or no more."""
    row = puzzles.find_solver(ref, token, "puzzle_mail")
    if row is None:
        return link_not_found(request)
    with _as_reader(row):
        if request.method == "POST":
            if not confirming.is_confirmed(request):
                return confirming.choice_page(request)
            puzzles.choose_mail(recipient=row.recipient, is_wanted=posted(request, "wanted") != "no", now=present.now())
        context = {"wants_mail": puzzles.wants_mail(row.recipient)}
        return render(request, "games/site/puzzle_mail.html", context)


def _as_reader(solver: PuzzleSolver) -> "translation.override":
    timezone.activate(solver.recipient.zone_info)
    return translation.override(solver.recipient.language)


# The archive, and the daily email


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Puzzles of past days, further ones by game and grade, and the reader's own figures."""
    now, recipient = present.now(), _recipient(request)
    day = puzzles.today(now)
    tried = {}
    if recipient is not None:
        rows = PuzzleAttempt.objects.filter(solver__recipient=recipient)
        tried = dict(rows.values_list("puzzle", "is_right"))
    days = [
        (day - timedelta(days=number), puzzles.of_day(day - timedelta(days=number))) for number in range(1, PAST + 1)
    ]
    further = puzzles.open_now(now)
    context = {
        "days": [(at, _item(packed, tried)) for at, packed in days],
        "games": [_game(rules, further, tried) for rules in newest() if rules.puzzles],
        "figures": puzzles.figures_of(recipient, now) if recipient else None,
        "wants_mail": recipient is not None and puzzles.wants_mail(recipient),
    }
    return render(request, "games/site/puzzles.html", context)


def _game(rules: AnyRules, further: Sequence[PackedPuzzle], tried: dict[str, bool]) -> dict[str, object]:
    own = [packed for packed in further if packed.rules == rules.name]
    grades = []
    for grade in range(1, GRADES + 1):
        of_grade = [packed for packed in own if packed.grade == grade]
        left = next((packed for packed in of_grade if packed.ref not in tried), None)
        grades.append((grade, len(of_grade), sum(packed.ref in tried for packed in of_grade), left))
    return {"title": in_words(rules, rules.title), "count": len(own), "grades": grades}


def _item(packed: PackedPuzzle, tried: dict[str, bool]) -> dict[str, object]:
    rules = next((rules for rules in newest() if (rules.name, rules.version) == (packed.rules, packed.version)), None)
    kind = in_words(rules, rules.puzzles[packed.kind].title) if rules else ""
    return {
        "ref": packed.ref,
        "title": in_words(rules, rules.title) if rules else packed.rules,
        "kind": kind,
        "grade": packed.grade,
        "is_right": tried.get(packed.ref),
    }


@require_POST
def ask_mail(request: HttpRequest) -> HttpResponse:
    """Switches the daily email on or off for a member; writes to a stranger's address and asks."""
    user, now = signed_in(request), present.now()
    if user is not None and not user.is_guest:
        is_wanted = posted(request, "wanted") != "no"
        puzzles.choose_mail(recipient=user.recipient, is_wanted=is_wanted, now=now)
        messages.success(
            request, _("The daily puzzle comes by email now.") if is_wanted else _("No more puzzles by email.")
        )
        return redirect("puzzles")
    try:
        puzzles.ask_for_mail(request, posted(request, "address"), now)
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("puzzles")
    messages.success(request, _("We've sent you an email. Press the button in it, and the puzzles come."))
    return redirect("puzzles")
