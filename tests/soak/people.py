"""Tables of people who answer what they read, and nothing else: a notice that is lost leaves a game standing."""

import heapq
import smtplib
import threading
import time
from collections import Counter
from queue import Empty
from random import Random
from typing import Any

import msgspec
from django.conf import settings
from django.db import Error, connections
from django.utils import translation

from games import links
from games.errors import ServiceError
from games.letters.replies import example_lines
from games.models import Decision, Game, Move, User
from games.play import game_moves, queries
from games.tables import lifecycle, plans
from notifications.clock import present
from notifications.models import Endpoint
from tests.soak.receivers import Arrival, World

SEATS = 3
WITH_HOOK = 3  # every so manieth person has a webhook as well as mail
AUTHSERV_ID = "mx.soak.example.org"
BY_MAIL = 0.08  # share of the answers that are written as a reply
PATIENCE = 90.0  # seconds after which who answered by mail and is asked still answers by the link
LOOK_SECONDS = 5.0  # how often ended games are looked for


class People:
    """Plays `count` tables at once, in a thread of its own. `think` says how long an answer takes, in seconds."""

    def __init__(self, world: World, count: int, hook_url: str, seed: int) -> None:
        self.world = world
        self.think = (0.0, 0.5)
        self.is_answering = True
        self.answered: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.moves: set[tuple[int, int]] = set()  # game and number of what was said to be stored
        self.replies: set[str] = set()  # Message-IDs that the listener said it has
        self._dice = Random(seed)
        self._users = [self._sign_up(number, hook_url) for number in range(2 * count)]
        self._own = {user.pk for user in self._users}
        self._with_hook = set(Endpoint.objects.values_list("recipient__user__pk", flat=True))
        self._heard: Counter[str] = Counter()
        self._jobs: list[tuple[float, int, str, str]] = []
        self._number = 0
        self._unheard: Arrival | None = None
        self._over = threading.Event()
        for number in range(count):
            self._sit_down(self._users[2 * number : 2 * number + SEATS] or self._users[:SEATS])

    def _sign_up(self, number: int, hook_url: str) -> User:
        language = ("en", "es", "de")[number % 3]
        user = User.objects.create_user(f"p{number}@people.example.org", name=f"P{number}")
        user.recipient.language = language
        user.recipient.save()
        hook_for(user, number, hook_url)
        return user

    def _sit_down(self, people: list[User]) -> None:
        people = [*people, *self._users][:SEATS]
        plan = plans.TablePlan(
            title=f"Table of {people[0].name}",
            rules_name="aladdins-dragons",
            seat_count=SEATS,
            options={"version": "basic"},
        )
        game = lifecycle.open_table(host=people[0], plan=plan, now=present.now())
        for guest in people[1:]:
            lifecycle.join(game_id=game.pk, user=guest, now=present.now())
        lifecycle.start(game_id=game.pk, host=people[0], now=present.now())

    def run(self) -> None:
        """Read, think and answer, until `stop`."""
        looked = time.monotonic()
        try:
            while not self._over.is_set():
                try:
                    self._read()
                    self._answer_due()
                    if self.is_answering and time.monotonic() - looked > LOOK_SECONDS:
                        looked = time.monotonic()
                        self._begin_again()
                except Error:  # PostgreSQL is down: what was at hand is tried again
                    connections.close_all()
                    time.sleep(0.5)
        finally:
            connections.close_all()

    def stop(self) -> None:
        """Let `run` return."""
        self._over.set()

    def _read(self) -> None:
        """Take in what has arrived; waits a moment for the first. What cannot be looked up now is kept for later."""
        try:
            self._unheard = self._unheard or self.world.news.get(timeout=0.05)
            while True:  # without a timeout: one that runs out within `get` makes it wait for ever (CPython 3.11)
                self._hear(self._unheard)
                self._unheard = None
                self._unheard = self.world.news.get_nowait()
        except Empty:
            return

    def _hear(self, arrival: Arrival) -> None:
        for about in arrival.about:
            key = about if arrival.channel == "webhook" else self._key_of(about)
            if not key:
                continue
            self._heard[f"{arrival.channel} {key}"] += 1
            seat_key = key
            if self._heard[f"mail {key}"] and (self._heard[f"webhook {key}"] or not self._has_hook(seat_key)):
                how = "reply" if self._dice.random() < BY_MAIL else "link"
                self._later(key, how, self._dice.uniform(*self.think))

    def _key_of(self, ref: str) -> str:
        row = Decision.objects.filter(ref=ref).select_related("game", "seat").first()
        return f"{row.game.ref}/{row.seat.number}/{row.code}" if row else ""

    def _has_hook(self, key: str) -> bool:
        row = _decision(key)
        return row is not None and row.seat.user_id in self._with_hook

    def _later(self, key: str, how: str, seconds: float) -> None:
        self._number += 1
        heapq.heappush(self._jobs, (time.monotonic() + seconds, self._number, key, how))

    def _answer_due(self) -> None:
        while self._jobs and self._jobs[0][0] <= time.monotonic():
            row = _decision(self._jobs[0][2])  # which may fail: the job stays
            _at, _number, key, how = heapq.heappop(self._jobs)
            if not self.is_answering or row is None or not row.is_open or row.seat.user_id not in self._own:
                continue
            try:
                (self._reply if how == "reply" else self._follow_link)(key, row)
            except Error:
                self._later(key, "link", 1.0)
                raise
            except ServiceError as error:
                self.refused[type(error).__name__] += 1
                self._later(key, "link", 5.0)

    def _follow_link(self, key: str, row: Decision) -> None:
        question = _question(row)
        if question is None:
            return
        rules = row.game.rules
        action = msgspec.json.decode(rules.dump_action(rules.sample(question, self._dice)))
        move = game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=action,
            source=Move.Source.LINK,
            received_at=present.now(),
            actor=row.seat.user,
            idempotency_key=f"soak:{row.ref}",
        )
        self.moves.add((row.game_id, move.seq))
        self.answered["link"] += 1
        self.answered["with a webhook"] += row.seat.user_id in self._with_hook

    def _reply(self, key: str, row: Decision) -> None:
        """Write back, as a mail server sends it: again and again, under one Message-ID, until it is taken."""
        question = _question(row)
        with translation.override(row.seat.user.recipient.language if row.seat.user else "en"):
            view = queries.view_of(queries.Access(row.game, row.seat))
            lines = example_lines(row, question, None, view)
        if not lines:
            self._later(key, "link", 0.0)
            return
        message_id = f"<{row.ref}.{self._number}@people.example.org>"
        sent = (row.seat.user.email if row.seat.user else "", links.reply_address(row), lines[0], message_id)
        threading.Thread(target=self._send, args=sent, daemon=True).start()
        self.answered["reply"] += 1
        self._later(key, "link", PATIENCE)

    def _send(self, sender: str, to: str, line: str, message_id: str) -> None:
        text = (
            f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=people.example.org\r\n"
            f"From: {sender}\r\nTo: {to}\r\nSubject: Re: Your move\r\nMessage-ID: {message_id}\r\n\r\n{line}\r\n"
        )
        host, _colon, port = settings.MAIL_LISTEN.rpartition("/")[2].partition(":")
        while not self._over.is_set():
            try:
                with smtplib.SMTP(host, int(port), timeout=20) as server:
                    server.sendmail(sender, [to], text.encode())
                self.replies.add(message_id)
                return
            except smtplib.SMTPRecipientsRefused:
                return  # the question is gone meanwhile
            except (OSError, smtplib.SMTPException):
                time.sleep(1.0)

    def _begin_again(self) -> None:
        """The people of ended games sit down to new ones."""
        for game in Game.objects.filter(status=Game.Status.FINISHED, title__startswith="Table"):
            people = [seat.user for seat in game.seats.select_related("user").order_by("pk") if seat.user]
            Game.objects.filter(pk=game.pk).update(title="Ended")
            self._sit_down(people)


def hook_for(user: User, number: int, hook_url: str) -> None:
    """Some people have a webhook as well."""
    if number % WITH_HOOK == 0:
        Endpoint.objects.create(recipient=user.recipient, url=f"{hook_url}/{user.ref}")


def _decision(key: str) -> Decision | None:
    game, seat, code = key.split("/", 2)
    rows = Decision.objects.filter(game__ref=game, seat__number=int(seat), code=code)
    return rows.select_related("game", "seat__user__recipient").first()


def _question(row: Decision) -> Any:
    row.seat.game = row.game
    found = queries.open_questions(queries.Access(row.game, row.seat))
    return next((item.question for item in found if item.question.decision.id == row.code), None)
