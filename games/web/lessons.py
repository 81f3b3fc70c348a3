"""First steps: where lessons begin, and what is said beside the board of one."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine.core.lessons import Lesson, OpenSteps
from engine.registry import AnyRules, newest
from games.lobby import practice
from games.people.characters import CHARACTERS, ladder
from games.people.models import User
from games.people.speech import current_language
from games.play import history, queries, replay
from games.play.models import Decision
from games.play.queries import Access
from games.tables import boards
from games.tables.models import Game
from games.web import reader
from games.web.opening import in_words, stars
from games.web.reader import signed_in
from notifications.clock import present

NUMBER = re.compile(r"[0-9]{1,9}")
LONG = 60  # minutes: taken of a game that nobody has measured
OTHERS = ("Ben", "Carla", "David", "Eva")  # at the table of a puzzle


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """The lessons there are: one for each game that has one."""
    user = signed_in(request)
    begun = practice.running_lessons(user) if user is not None else {}
    games = [
        {
            "name": rules.name,
            "title": in_words(rules, rules.title),
            "about": in_words(rules, rules.about),
            "picture": boards.static_picture(rules.name),
            "game": begun.get(rules.name),
            "is_over": rules.name in begun and _is_over(queries.access_game(user, begun[rules.name].ref)),
        }
        for rules in newest()
        if rules.lesson is not None
    ]
    return render(request, "games/tables/learn.html", {"games": games})


@require_POST
def begin_lesson(request: HttpRequest, name: str) -> HttpResponse:
    """To the lesson in these rules, opened if there is none, and on in it. Unknown rules are a 404 page."""
    read, is_again = request.POST.get("read", ""), request.POST.get("again") == "yes"
    count = int(read) if NUMBER.fullmatch(read) else None
    return _begin(request, name, partial(practice.begin_lesson, read=count, is_again=is_again))


@require_safe
def choose_game(request: HttpRequest) -> HttpResponse:
    """Asks which game to play now, and who is next on the ladder of each."""
    user = signed_in(request)
    running = practice.running_against_bots(user) if user is not None else {}
    games = [_choice(rules, user, running.get(rules.name)) for rules in newest()]
    games.sort(key=lambda game: (game["running"] is None, game["minutes"] or LONG))  # what runs, then the shortest
    return render(request, "games/tables/play_now.html", {"games": games})


def _choice(rules: AnyRules, user: User | None, running: Game | None) -> dict[str, Any]:
    """What a game's card says before it is played."""
    next_bot, known = practice.next_rung(user, rules), practice.beaten(user, rules.name)
    first = practice.first_game(rules)
    lineup = practice.lineup(rules, next_bot, first.seats - 1)
    return {
        "name": rules.name,
        "title": in_words(rules, rules.title),
        "about": in_words(rules, rules.about),
        "picture": boards.static_picture(rules.name),
        "minutes": first.minutes,
        "running": running,
        "opponents": [CHARACTERS[bot] for bot in lineup if bot in CHARACTERS],
        "ladder": [
            {
                "character": character,
                "stars": stars(character),
                "is_beaten": character.bot in known,
                "is_next": character.bot == next_bot,
            }
            for character in ladder(rules.bots)
        ],
    }


@require_POST
def play_now(request: HttpRequest, name: str) -> HttpResponse:
    """To the game against bots by these rules, which is opened if there is none: against the one that is posted, or the
    next on the ladder. Unknown rules are a 404 page."""
    return _begin(request, name, partial(practice.begin_against_bots, bot=request.POST.get("bot", "")))


def _begin(request: HttpRequest, name: str, begin: Callable[..., Game]) -> HttpResponse:
    if name not in {rules.name for rules in newest()}:  # asked before a guest is made
        raise Http404(name)
    game = begin(user=reader.person_or_guest(request), rules_name=name, now=present.now())
    return redirect("table", ref=game.ref)


@require_safe
def puzzle(request: HttpRequest, name: str) -> HttpResponse:
    """The puzzle at the end of a lesson, which anybody may try, with what comes of the choice in the query."""
    rules = next((candidate for candidate in newest() if candidate.name == name), None)
    if rules is None or (lesson := rules.lesson) is None:
        raise Http404(_("There's no game with that name."))
    language, (view, choices) = current_language(), lesson.puzzle()
    chosen = request.GET.get("answer", "")
    solved = lesson.solve(chosen) if chosen in dict(choices) else None
    user = signed_in(request)
    names = [user.name if user else "Anna", *OTHERS]
    context = {
        "game": Game(rules_name=rules.name, rules_version=rules.version),
        "ask": rules.say(lesson.ask, language, names),
        "choices": [(value, rules.say(label, language, names)) for value, label in choices],
        "chosen": chosen,
        "solved": solved,
        "told": [rules.say(text, language, names) for text in solved.told] if solved else [],
        "number": lesson.steps,
        "board": rules.picture(view, language, names),
        "text_board": rules.describe(view, language, names),
        "suggested": {value for value, _label in choices} if solved is None else {chosen},
    }
    return render(request, "games/play/puzzle.html", context, using="pages")


@dataclass(frozen=True)
class LessonItem:
    """A step of a lesson as the page shows it.

    Arguments:
        is_over: all has been told; the table may be played on.
        has_more: something after this step has happened already.
        is_held: the game waits for its beginner to have read this.
    """

    number: int
    steps: int
    is_over: bool
    title: str = ""
    told: Sequence[str] = ()
    text: Sequence[str] = ()
    lit: Sequence[str] = ()
    has_more: bool = False
    is_held: bool = False

    @property
    def next(self) -> int:
        """The step after this one."""
        return self.number + 1


def _lesson_of(game: Game) -> Lesson[Any, Any]:
    """The lesson that a table was opened for."""
    assert game.rules.lesson is not None, game.rules_name
    return game.rules.lesson


def _span(access: Access, view: Any) -> OpenSteps:
    """Where the player of this seat is in the course."""
    assert access.seat is not None
    answered = access.seat.decisions.exclude(status=Decision.Status.OPEN).order_by("pk").values_list("kind", flat=True)
    return _lesson_of(access.game).span(view, list(answered))


def _is_over(access: Access) -> bool:
    """True if all steps have been played, and the puzzle is left."""
    return _span(access, queries.view_of(access)).last == _lesson_of(access.game).steps


def lesson_item(access: Access, view: Any, wanted: str, *, is_refused: bool = False) -> LessonItem | None:
    """Returns the words at a lesson's table; None at any other.

    Arguments:
        wanted: the step that the reader has gone on to, of those that can be read by now.
        is_refused: he has tried to answer, so he has read all of them.
    """
    game, seat = access.game, access.seat
    if not (game.is_lesson and game.is_guided) or seat is None:
        return None
    lesson = _lesson_of(game)
    first, last = _span(access, view)
    if last == lesson.steps:
        return LessonItem(last, lesson.steps, is_over=True, text=[queries.say(game, lesson.after)])
    step = last if is_refused else min(max(int(wanted) if NUMBER.fullmatch(wanted) else first, first), last)
    events = [line.event for line in history.events_of(access, replay.standing_moves(game))]
    page = lesson.page(step, view, events)
    names = [
        _("%(player)s (you)") % {"player": name} if number == seat.number else name
        for number, name in enumerate(game.spoken_names())
    ]
    summary, text = (
        [game.rules.say(sentence, current_language(), names) for sentence in part] for part in (page.told, page.text)
    )
    title, is_held = queries.say(game, page.title), step == last and lesson.is_held(view)
    return LessonItem(step, lesson.steps, False, title, summary, text, page.lit, step < last, is_held)
