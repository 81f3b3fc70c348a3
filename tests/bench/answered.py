"""What `submit` answers: tables at which somebody is always asked, and the requests by which he answers."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.middleware.csrf import _get_new_csrf_string
from django.urls import reverse

from games.lobby import lifecycle
from games.models import Decision, Game, Move, User
from games.people import sessions, tokens
from games.people.sessions import SessionStore
from games.play import automatic_answers, decision_links, game_moves
from games.tables.settings import TablePlan
from games.web.answers.order_rows import ROWS
from notifications.clock import present
from tests.bench.posted import Request
from tests.lab.people import as_posted

TABLES = 24
NAMES = ("Anna", "Ben", "Carla", "David")
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Person:
    """What a person's programs know."""

    user: User
    token: str
    cookies: str
    csrf: str


@dataclass
class Supply:
    """Tables with people at them; every round has a question at each.

    Arguments:
        size: how many tables.
        bots: names of bots that sit at each.
        options: of the rules.
    """

    size: int = TABLES
    bots: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=lambda: {"version": "magic"})
    dice: Random = field(default_factory=lambda: Random(1))
    people: dict[int, Person] = field(default_factory=dict)
    games: list[int] = field(default_factory=list)

    def requests(self, way: "Way") -> list[Request]:
        """An answer for every table, by one way."""
        return [way(self.people[row.seat.user_id or 0], row, answer) for row, answer in self.answers()]

    def answers(self) -> list[tuple[Decision, dict[str, Any]]]:
        """What is asked first at every table, and an answer."""
        self._settle()
        self._fill()
        rows = Decision.objects.filter(status=Decision.Status.OPEN, is_automatic=False, game__in=self.games)
        first: dict[int, Decision] = {}
        for row in rows.select_related("game", "seat__user").order_by("pk"):
            first.setdefault(row.game_id, row)
        return [(row, self._answer(row)) for row in first.values()]

    def page(self) -> tuple[str, str]:
        """The address of a table, and the cookies of somebody who sits there."""
        self._settle()
        self._fill()
        game = Game.objects.get(pk=self.games[0])
        return reverse("table", args=[game.ref]), next(iter(self.people.values())).cookies

    def _answer(self, row: Decision) -> dict[str, Any]:
        rules, state = row.game.rules, row.game.load_state()
        questions = rules.questions(rules.view(state, row.seat.number))
        question = next(one for one in questions if one.decision.id == row.code)
        answer: dict[str, Any] = json.loads(rules.dump_action(rules.sample(question, self.dice)))
        return answer

    def _settle(self) -> None:
        while game_moves.advance_one(present.now()) or automatic_answers.answer_one(present.now()):
            pass

    def _fill(self) -> None:
        running = set(Game.objects.filter(pk__in=self.games, status=Game.Status.RUNNING).values_list("pk", flat=True))
        self.games = [pk for pk in self.games if pk in running]
        self.games += [self._open() for _ in range(self.size - len(self.games))]

    def _open(self) -> int:
        number, now = User.objects.count(), present.now()
        people = [_person(f"{name}{number}") for name in NAMES]
        self.people |= {person.user.pk: person for person in people}
        host, *guests = (person.user for person in people)
        seats = len(NAMES) + len(self.bots)
        plan = TablePlan(f"Table {number}", "aladdins-dragons", seats, options=self.options, bots=self.bots)
        game = lifecycle.open_table(host=host, plan=plan, now=now)
        for guest in guests:
            lifecycle.join(game_id=game.pk, user=guest, now=now)
        lifecycle.start(game_id=game.pk, host=host, now=now)
        while game_moves.advance_one(now):
            pass
        return game.pk


def _person(name: str) -> Person:
    return equipped(User.objects.create_user(f"{name.lower()}@bench.example.org", name=name))


def equipped(user: User) -> Person:
    """Somebody with a browser that is signed in, and a program that has a token."""
    _row, token = tokens.create_token(user=user, name="bench", now=present.now())
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session[sessions.SINCE] = present.now().timestamp()
    session.save()
    csrf = _get_new_csrf_string()
    cookies = f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={csrf}"
    return Person(user, token, cookies, csrf)


Way = Callable[[Person, Decision, dict[str, Any]], Request]


def by_link(person: Person, row: Decision, answer: dict[str, Any]) -> Request:
    """The form behind the link in the mail."""
    path = decision_links.act_url(row).removeprefix(settings.SITE_URL)
    return Request(path, urlencode(_posted(row, answer)).encode(), {"Content-Type": FORM})


def by_page(person: Person, row: Decision, answer: dict[str, Any]) -> Request:
    """The form on the table's page, signed in."""
    path, posted = reverse("table_act", args=[row.game.ref]), _posted(row, answer)
    body = urlencode({"csrfmiddlewaretoken": person.csrf, **posted}).encode()
    return Request(path, body, {"Content-Type": FORM, "Cookie": person.cookies})


def _posted(row: Decision, answer: dict[str, Any]) -> dict[str, str]:
    """What a browser sends: with the form's own key, and that there were lines for orders, which stay empty."""
    rules, seat = row.game.rules, row.seat.number
    question = rules.question(row.game.load_state(), row.code, seat)
    rows = {ROWS: "1"} if any(form.takes_orders for form in question.actions) else {}
    return as_posted(row.code, answer, token_urlsafe(12)) | rows


def by_api(person: Person, row: Decision, answer: dict[str, Any]) -> Request:
    """The API, with a key of its own for every answer."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {person.token}"}
    headers["Idempotency-Key"] = f"{row.ref}-{row.opened_at.timestamp()}-{row.game.seq}"
    path = reverse("api_answer_decision", args=[row.game.ref, row.code])
    return Request(path, json.dumps({"action": answer}).encode(), headers)


def by_api_in_short(person: Person, row: Decision, answer: dict[str, Any]) -> Request:
    """The same by a program that only wants to know that its answer was taken."""
    request = by_api(person, row, answer)
    return Request(request.path, request.body, request.headers | {"Prefer": "return=minimal"})


def accepted() -> int:
    """How many answers of people there are."""
    return Move.objects.filter(kind=Move.Kind.ANSWER, source__in=Move.PEOPLE).count()


def states(games: Iterable[int]) -> Sequence[str]:
    """The states of games, as text."""
    return list(Game.objects.filter(pk__in=list(games)).values_list("state", flat=True))
