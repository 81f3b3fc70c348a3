"""Everybody outside: people who answer what they read and nothing else, hosts, people who never answer, onlookers.

A notice that is lost leaves a game standing.
"""

import heapq
import smtplib
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from queue import Empty
from random import Random
from typing import Any

import msgspec
from django.conf import settings
from django.db import Error, connections
from django.utils import translation

from games.errors import ServiceError
from games.lobby import lifecycle
from games.models import Decision, Game, Move, User
from games.people import tokens
from games.play import decision_links, game_moves, queries
from games.play.asking_letters import example_lines
from games.tables.settings import TablePlan
from notifications.clock import present
from notifications.models import Delivery, Endpoint, Notice, Ways
from tests.notifications.browsers import Browser
from tests.soak.receivers import HOOK, LIVING_MAIL, LIVING_WEB, OTHER_MAIL, OTHER_WEB, Arrival, World

PLAYERS = 3
WITH_HOOK = 3  # every so manieth person has a webhook as well as mail
WITH_DEVICE = 4
AUTHSERV_ID = "mx.soak.example.org"
PATIENCE = 90.0  # seconds after which who answered by mail and is asked still answers by the link
LOOK_SECONDS = 5.0  # how often ended games are looked for
SILENT = "Silent"  # how the titles of tables begin whose people never answer, or in the last second
LAST_SECOND, LATE_MAIL, TWICE = "answers in the last second", "mails that come late", "mails that come twice"
MOST_WAITING = 100  # deliveries that wait while further tables are closed: the storm shall not become a backlog
PAGES = ("/healthz", "/readyz", "/")


class Life:
    """Work that a thread of its own does again and again, until `stop`; a database that is down is waited for."""

    pause = 0.0  # seconds

    def __init__(self) -> None:
        self._over = threading.Event()

    def run(self) -> None:
        """Live."""
        try:
            while not self._over.wait(self.pause):
                try:
                    self.step()
                except Error:  # the database is down: what was at hand is tried again
                    connections.close_all()
                    self._over.wait(0.5)
        finally:
            connections.close_all()

    def step(self) -> None:
        """One look at what there is to do."""
        raise NotImplementedError

    def stop(self) -> None:
        """Let `run` return."""
        self._over.set()


class People(Life):
    """Plays `count` tables at once. `think` says how long an answer takes, in seconds.

    Arguments:
        habits: of LAST_SECOND, LATE_MAIL and TWICE.
    """

    def __init__(self, world: World, count: int, port: int, seed: int, habits: Collection[str]) -> None:
        super().__init__()
        self.world = world
        self.think = (0.0, 0.5)
        self.by_mail = 0.08  # share of the answers that are written as a reply
        self.is_answering = True
        self.answered: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.moves: set[tuple[int, int]] = set()  # game and number of what was said to be stored
        self.replies: Counter[str] = Counter()  # Message-IDs that the listener said it has, and how often
        self.met: Counter[str] = Counter()  # rare states
        self._habits = habits
        self._dice = Random(seed)
        self._users = [sign_up(f"p{number}", number, port) for number in range(2 * count)]
        self._own = {user.pk for user in self._users}
        self._hooks = {hook.recipient.user.pk: hook for hook in Endpoint.objects.select_related("recipient__user")}
        self._heard: Counter[str] = Counter()
        self._jobs: list[tuple[float, int, str, str]] = []
        self._number = 0
        self._unheard: Arrival | None = None
        self._looked = time.monotonic()
        for number in range(count):
            self._sit_down(self._users[2 * number : 2 * number + PLAYERS])

    def _sit_down(self, people: Sequence[User]) -> None:
        players = [*people, *self._users][:PLAYERS]
        bots = ("random",) if self._dice.random() < 0.5 else ()
        open_table(players, f"Table of {players[0].name}", bots=bots, options={"version": "basic"})

    def step(self) -> None:
        """Read, think and answer."""
        self._read()
        self._answer_due()
        if not self.is_answering:
            return
        if LAST_SECOND in self._habits:
            self._answer_at_last()
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            self._begin_again()

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
            key = about if arrival.channel == HOOK else self._key_of(about)
            if not key:
                continue
            self._heard[f"{arrival.channel} {key}"] += 1
            if self._heard[f"mail {key}"] and (self._heard[f"webhook {key}"] or not self._waits_for_hook(key)):
                how = "reply" if self._dice.random() < self.by_mail else "link"
                self._later(key, how, self._dice.uniform(*self.think))

    def _key_of(self, ref: str) -> str:
        row = Decision.objects.filter(ref=ref).select_related("game", "seat").first()
        return f"{row.game.ref}/{row.seat.number}/{row.code}" if row else ""

    def _waits_for_hook(self, key: str) -> bool:
        row = _decision(key)
        hook = self._hooks.get(row.seat.user_id) if row is not None else None
        return hook is not None and not (hook.host == OTHER_WEB and HOOK in self.world.dead)

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
                if how == "reply" and self._reply(row):
                    self._later(key, "link", PATIENCE)
                else:
                    self._follow_link(row)
            except Error:
                self._later(key, "link", 1.0)
                raise
            except ServiceError as error:
                self.refused[type(error).__name__] += 1
                self._later(key, "link", 5.0)

    def _follow_link(self, row: Decision) -> None:
        if self._submit(row, f"soak:{row.ref}") is None:
            return
        self.answered["link"] += 1
        self.answered["with a webhook"] += row.seat.user_id in self._hooks
        if LATE_MAIL in self._habits and not row.is_sealed and self._dice.random() < 0.3:
            self._answer_too_late(row)

    def _answer_too_late(self, row: Decision) -> None:
        """The question has just been answered: it is answered again, and by a mail that was under way."""
        self._reply(row)
        try:
            self._submit(row, f"soak again:{row.ref}")
        except ServiceError:
            self.met["an answer to a question that had just closed"] += 1

    def _submit(self, row: Decision, key: str) -> Move | None:
        """Returns the move, or None if the question is no longer asked. Raises ServiceError."""
        question = self._question(row)
        if question is None:
            return None
        rules = row.game.rules
        move = game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=msgspec.json.decode(rules.dump_action(rules.sample(question, self._dice))),
            source=Move.Source.LINK,
            received_at=present.now(),
            actor=row.seat.user,
            idempotency_key=key,
        )
        self.moves.add((row.game_id, move.seq))
        return move

    def _question(self, row: Decision) -> Any:
        """As it was read: it may have been answered meanwhile."""
        row.seat.game = row.game
        questions = queries.open_questions(queries.Access(row.game, row.seat))
        return next((item.question for item in questions if item.question.decision.id == row.code), None)

    def _answer_at_last(self) -> None:
        """Who has a second left answers now."""
        now = present.now()
        rows = Decision.objects.filter(
            status=Decision.Status.OPEN, seat__user__email__startswith="last", due_at__gt=now
        )
        for row in rows.filter(due_at__lte=now + timedelta(seconds=1)).select_related("game", "seat__user"):
            try:
                move = self._submit(row, f"soak:{row.ref}")
            except ServiceError as error:
                self.refused[type(error).__name__] += 1
            else:
                if move is not None and row.due_at is not None and move.received_at <= row.due_at:
                    self.met["an answer in the last second"] += 1

    def hurry(self, is_there: Callable[[], bool]) -> None:
        """Answers whatever is asked, read or not, until it is so or nobody is asked any more."""
        end = time.monotonic() + PATIENCE
        own = Decision.objects.filter(status=Decision.Status.OPEN, is_automatic=False, seat__user__in=self._own)
        while not is_there() and time.monotonic() < end:
            row = own.order_by("game", "pk").select_related("game", "seat__user").first()
            if row is None:
                return
            try:
                self._submit(row, f"soak:{row.ref}")
            except ServiceError as error:
                self.refused[type(error).__name__] += 1

    def _reply(self, row: Decision) -> bool:
        """Write back, as a mail server sends it: again and again, under one Message-ID, until it is taken.

        Returns whether the question can be answered by a line.
        """
        question = self._question(row)
        if question is None:
            return False
        with translation.override(row.seat.user.recipient.language if row.seat.user else "en"):
            view = queries.view_of(queries.Access(row.game, row.seat))
            lines = example_lines(row, question, None, view)
        if not lines:
            return False
        self._number += 1
        message_id = f"<{row.ref}.{self._number}@people.example.org>"
        sent = (row.seat.user.email if row.seat.user else "", decision_links.reply_address(row), lines[0], message_id)
        for _ in range(2 if TWICE in self._habits and self._dice.random() < 0.5 else 1):
            threading.Thread(target=self._send, args=sent, daemon=True).start()
        self.answered["reply"] += 1
        return True

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
                self.replies[message_id] += 1
                self.met["a reply that came twice"] += self.replies[message_id] > 1
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


class Hosts(Life):
    """Open tables, let people sit down, and close them again, while `is_busy`: many short notices.

    Arguments:
        guests: how many people sit there.
        pause: seconds between two tables.
    """

    def __init__(self, port: int, seed: int, guests: int = 300, pause: float = 0.0) -> None:
        super().__init__()
        self.is_busy = False
        self.closed = 0
        self.pause = pause
        self._dice = Random(seed)
        self._guests = [sign_up(f"g{number}", number, port, is_told_by_all=False) for number in range(guests)]

    def step(self) -> None:
        """One table."""
        waiting = Delivery.objects.filter(attempt_after__lte=present.now(), tries=0).count()
        waiting += Notice.objects.filter(pending__isnull=False).count()
        if not self.is_busy or waiting >= MOST_WAITING:
            self._over.wait(0.1)
            return
        people = self._dice.sample(self._guests, 5)
        game = open_table(people, f"Guests {self.closed}", is_to_start=False)
        lifecycle.close(game_id=game.pk, host=people[0], now=present.now())
        self.closed += 1


class Onlookers(Life):
    """Look at the pages of all webs all the time; `seen` counts answers by page and status, "nobody" where none came.

    One of them listens to the events of an account.
    """

    pause = 0.1

    def __init__(self, urls: Mapping[str, str], streams: str, listener: User) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()
        self._urls, self._streams, self._number = urls, f"{streams}/api/v1/me/events/", 0
        self._token = tokens.create_token(user=listener, name="soak", now=present.now())[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def step(self) -> None:
        """Ask one web for one page."""
        self._number += 1
        page, urls = PAGES[self._number % len(PAGES)], [*self._urls.values()]
        self.seen[f"{page} {self.status(urls[self._number % len(urls)] + page)}"] += 1

    @staticmethod
    def status(url: str) -> str:
        """What an address answers."""
        request = urllib.request.Request(url, headers={"Host": "soak.example.org"})  # noqa: S310  # our own web
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
                return str(answer.status)
        except urllib.error.HTTPError as error:
            return str(error.code)
        except OSError:
            return "nobody"

    def _listen(self) -> None:
        headers = {"Host": "soak.example.org", "Authorization": f"Bearer {self._token}"}
        while not self._over.wait(1.0):
            request = urllib.request.Request(self._streams, headers=headers)  # noqa: S310
            try:
                with urllib.request.urlopen(request, timeout=60) as stream:  # noqa: S310
                    for line in stream:
                        self.seen["events"] += line.strip() != b""
            except OSError:
                self.seen["event streams that ended"] += 1


def sign_up(name: str, number: int, port: int, *, is_told_by_all: bool = True) -> User:
    """Somebody new, who has a webhook or a device by the number, some of them at the hosts that may die.

    Arguments:
        is_told_by_all: else those with a webhook or a device want no email beside it.
    """
    user = User.objects.create_user(f"{name}@{LIVING_MAIL}", name=name.title())
    recipient = user.recipient
    recipient.language = ("en", "es", "de")[number % 3]
    if number % WITH_HOOK == 0:
        Endpoint.objects.create(recipient=recipient, url=f"{_web(number, WITH_HOOK, port)}/hook/{user.ref}")
        recipient.ways = Ways.BOTH if is_told_by_all else Ways.WEBHOOK
    elif number % WITH_DEVICE == 0:
        Browser(f"{_web(number, WITH_DEVICE, port)}/push/{user.ref}").subscribe(recipient)
        recipient.ways = Ways.BOTH if is_told_by_all else Ways.PUSH
    recipient.save()
    return user


def _web(number: int, every: int, port: int) -> str:
    return f"http://{OTHER_WEB if number // every % 3 == 1 else LIVING_WEB}:{port}"


def open_table(people: Sequence[User], title: str, *, is_to_start: bool = True, **plan: Any) -> Game:
    """A table at which all of them sit, and as many bots as the plan names."""
    seats = len(people) + len(plan.get("bots", ()))
    table = TablePlan(title=title, rules_name="aladdins-dragons", seat_count=seats, **plan)
    game = lifecycle.open_table(host=people[0], plan=table, now=present.now())
    for guest in people[1:]:
        lifecycle.join(game_id=game.pk, user=guest, now=present.now())
    return lifecycle.start(game_id=game.pk, host=people[0], now=present.now()) if is_to_start else game


def seat_silent(tables: int, first: int = 0, push_url: str = "") -> None:
    """Opens tables of people who never answer, and are asked again and again.

    The first of each has the habit to answer in the last second; the mailbox of the last is at the host that may die.

    Arguments:
        first: the number of the first table.
        push_url: where the addresses of their devices begin; "" for people without any.
    """
    for number in range(first, first + tables):
        addresses = (f"last{number}@{LIVING_MAIL}", f"t{number}@{LIVING_MAIL}", f"t{number}@{OTHER_MAIL}")
        people = [User.objects.create_user(address, name=f"T{number}S{seat}") for seat, address in enumerate(addresses)]
        for person in people if push_url else ():
            Browser(f"{push_url}{person.ref}").subscribe(person.recipient)
        open_table(
            people,
            f"{SILENT} {number}",
            options={"version": "basic"},
            pace="trial",
            stops_at_night=False,
            is_first_miss_excused=False,
            absent_after=1000,
        )


def _decision(key: str) -> Decision | None:
    game, seat, code = key.split("/", 2)
    rows = Decision.objects.filter(game__ref=game, seat__number=int(seat), code=code)
    return rows.select_related("game", "seat__user__recipient").first()
