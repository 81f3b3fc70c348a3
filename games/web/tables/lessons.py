"""First steps: where lessons begin, and what is said beside the board of one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from engine.registry import newest
from games.models import Decision, Game, Move
from games.play import queries
from games.play.queries import Access
from games.tables import practice
from games.web import guests
from games.web.people import signed_in
from games.web.play.answering import Asked
from games.web.tables.forms import in_words
from notifications.clock import present


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """The lessons there are: one for each game."""
    user = signed_in(request)
    begun = practice.running_lessons(user) if user is not None else {}
    games = [
        {
            "name": rules.name,
            "title": in_words(rules, rules.title),
            "about": in_words(rules, rules.lessons.welcome),
            "game": begun.get(rules.name),
        }
        for rules in newest()
    ]
    return render(request, "games/tables/learn.html", {"games": games})


@require_POST
def begin_lesson(request: HttpRequest, name: str) -> HttpResponse:
    """To the lesson in these rules, which is opened if there is none. Unknown rules are a 404 page."""
    return _begin(request, name, practice.begin_lesson)


@require_POST
def play_now(request: HttpRequest, name: str) -> HttpResponse:
    """To the game against bots by these rules, which is opened if there is none. Unknown rules are a 404 page."""
    return _begin(request, name, practice.begin_against_bots)


def _begin(request: HttpRequest, name: str, begin: Callable[..., Game]) -> HttpResponse:
    if name not in {rules.name for rules in newest()}:  # asked before a guest is made
        raise Http404(name)
    game = begin(user=guests.person_or_guest(request), rules_name=name, now=present.now())
    return redirect("table", ref=game.ref)


@dataclass(frozen=True)
class LessonStep:
    """An explanation of a decision; `is_first` if it is asked for the first time."""

    kind: str
    text: str
    is_first: bool


def lesson_context(access: Access, asked: Iterable[Asked]) -> dict[str, object]:
    """The context of "games/tables/parts/lesson.html" at a lesson's table; empty at any other."""
    game, seat = access.game, access.seat
    if not (game.is_lesson and game.is_guided) or seat is None:
        return {}
    lesson = game.rules.lessons
    answers = game.moves.filter(kind=Move.Kind.ANSWER, seat=seat.number).count()
    met = set(seat.decisions.exclude(status=Decision.Status.OPEN).values_list("kind", flat=True))
    kinds = [one.decision.kind for one in asked if one.decision is not None and one.decision.kind in lesson.steps]
    return {
        "welcome": queries.say(game, lesson.welcome) if not answers else "",
        "steps": [LessonStep(kind, queries.say(game, lesson.steps[kind]), kind not in met) for kind in kinds],
        "answers": min(answers, lesson.enough),
        "enough": lesson.enough,
        "farewell": queries.say(game, lesson.farewell) if answers >= lesson.enough else "",
    }
