"""One house in many worlds: the same people, the same table and the same clock; only what Ben does in secret differs.

A world is a savepoint that is rolled back at its end. Each begins with the same rows, the same next row numbers, the
same dice and the same time, so whatever differs afterwards comes from what is hidden.
"""

import copy
import datetime as dt
import hashlib
import itertools
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client

from games.api.access import ReadThrottle
from games.models import Decision, Game, Report, Seat, User
from games.people import staff
from games.play import (
    automatic_answers,
    deadlines,
    game_moves,
    pauses,
    proposals,
    standing_orders,
    stewards,
    table_talk,
)
from games.tables import webhooks
from notifications.channels.base import CHANNELS, Answer
from notifications.channels.push import sending as messages
from notifications.channels.webhook.sending import body_of
from notifications.delivery import claims, sending
from notifications.inbound import receiving
from notifications.models import Delivery, Notice
from tests.conftest import NOON
from tests.games.api.conftest import Program
from tests.games.clubs.founding import found
from tests.games.conftest import fresh, make_user, open_rows, running
from tests.notifications.browsers import Browser

OPTIONS = ("play", "account", "moderate")
VIEWERS = ("player", "staff player", "staff", "spectator", "nobody")
"""Anna, who hosts the table; Carla, a moderator who plays at it; Eva, an administrator who does not; David, who
watches; and somebody who has not signed in. What is hidden from them is Ben's."""

HOST, HIDDEN, STAFF_PLAYER, STAFF, SPECTATOR = "Anna", "Ben", "Carla", "Eva", "David"
NAMES = {"player": HOST, "staff player": STAFF_PLAYER, "staff": STAFF, "spectator": SPECTATOR}
HOOKS = {name: f"https://hooks.example.org/{name}" for name in ("player", "table", "club")}
HIDDEN_HOOK = "https://hooks.example.org/ben"
DEVICES = {HOST: "https://push.example.org/anna", STAFF_PLAYER: "https://push.example.org/carla"}
HIDDEN_DEVICE = "https://push.example.org/ben"
TO_PUSH_SERVICES = ("TTL", "Topic", "Urgency")  # what a push service can read of a message
Received = dict[str, bytes]
"""What came, by who received it and where."""


class Dice:
    """What stands in for chance: what is drawn depends only on the name of the throw and on how often it was used."""

    def __init__(self) -> None:
        self._name, self._numbers = "", itertools.count()

    def throw(self, name: str) -> None:
        """What follows is drawn anew, from this name."""
        self._name, self._numbers = name, itertools.count()

    def _bytes(self, count: int | None = None) -> bytes:
        seed = f"{self._name}:{count}:{next(self._numbers)}"
        return hashlib.shake_256(seed.encode()).digest(count or 32)

    def _choice(self, options: Any) -> Any:
        return options[int.from_bytes(self._bytes(8)) % len(options)]

    def load(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From now on everything in this process draws from here."""
        url_safe: Any = secrets.token_urlsafe
        monkeypatch.setattr(secrets, "token_bytes", self._bytes)
        monkeypatch.setattr(secrets, "token_hex", lambda count=32: self._bytes(count).hex())
        monkeypatch.setattr(secrets, "token_urlsafe", lambda count=32: named(self._bytes(count).hex(), url_safe(count)))
        monkeypatch.setattr(secrets, "choice", self._choice)
        monkeypatch.setattr(os, "urandom", self._bytes)


def named(text: str, like: str) -> str:
    """A name made of this text, as long as another one."""
    return hashlib.sha256(text.encode()).hexdigest()[: len(like)]


@dataclass
class Post:
    """What has left the house for one world: mails by address, and what webhooks and devices were sent by theirs."""

    calls: list[tuple[str, str]] = field(default_factory=list)

    def begin(self) -> None:
        """Nothing has been sent yet."""
        mail.outbox.clear()
        self.calls.clear()

    def sent_to(self, address: str) -> list[bytes]:
        """Every mail to an address, as it went out: headers, text, HTML and pictures."""
        return [one.message().as_bytes() for one in mail.outbox if address in one.to]

    def called(self, url: str) -> list[str]:
        """The body of every call of a webhook, and every message to a device with what its push service can read."""
        return [body for where, body in self.calls if where == url]


@dataclass
class House:
    """The table, its people and what they sign in with.

    Arguments:
        game: Anna's, with Ben and Carla.
        number: of the seat that Ben was dealt, by which addresses name a seat.
        now: the time in this world.
    """

    game: Game
    people: dict[str, User]
    clients: dict[str, Client]
    programs: dict[str, Program]
    post: Post
    dice: Dice
    clock: Any
    number: int
    now: dt.datetime = NOON
    heard: dict[str, str] = field(default_factory=dict)  # by viewer: the id of the last event at the house's beginning

    def seat(self, name: str) -> Seat:
        """The seat of a player."""
        return self.game.seats.select_related("user__recipient").get(user=self.people[name])

    def asked(self, name: str) -> Decision | None:
        """What this player is asked, if anything is open for him."""
        return next((row for row in open_rows(self.game) if row.seat.user == self.people[name]), None)

    def do(self, name: str, act: Callable[[], object]) -> None:
        """Somebody does something: with dice of its own, and with what workers then do."""
        self.dice.throw(name)
        act()
        self._rename()
        self.work()

    def work(self) -> None:
        """Workers do all that waits for them at this moment."""
        parts = (
            receiving.handle_one,
            lambda now: game_moves.advance_one(now) or automatic_answers.answer_one(now),
            proposals.make_one,
            stewards.act_one,
            deadlines.expire_one,
            deadlines.remind_one,
            standing_orders.end_one,
            pauses.step_one_hour,
            claims.make_deliveries,
            sending.deliver,
        )
        for number, part in enumerate(parts):
            self.dice.throw(f"work {number} {self.now} {fresh(self.game).public_events}")
            while part(self.now):
                self._rename()

    def wait(self, hours: float) -> None:
        """Time goes by."""
        self.now += dt.timedelta(hours=hours)
        self.clock.move_to(self.now)
        self.work()

    @staticmethod
    def _rename() -> None:
        """Gives notices and deliveries names made of what they are about: chance may give any, so it gives the same in
        both worlds, however many others were written before them."""
        for notice in Notice.objects.exclude(ref__startswith="N-").order_by("pk"):
            name = f"N-{hashlib.sha256(notice.dedupe_key.encode()).hexdigest()[:20]}"
            Notice.objects.filter(pk=notice.pk).update(ref=name)
        for row in Delivery.objects.exclude(message_id__contains="N-").select_related("notice", "endpoint"):
            about = row.message_id[0], row.message_id.partition("@")[1:]
            told_by = f"{row.notice.ref}{row.endpoint.url if row.endpoint else ''}"
            where = hashlib.sha256(told_by.encode()).hexdigest()[:20]
            lead = "<" if about[0] == "<" else "msg_"
            Delivery.objects.filter(pk=row.pk).update(message_id=f"{lead}N-{where}{''.join(about[1])}")


def _catch(monkeypatch: pytest.MonkeyPatch, post: Post) -> None:
    """Nothing is posted: what webhooks and devices are sent is kept."""

    def send(self: Any, delivery: Delivery, message: Any) -> Answer:
        assert delivery.endpoint is not None
        post.calls.append((delivery.endpoint.url, delivery.body or body_of(message, delivery.endpoint.shape)))
        return Answer("200")

    def push(self: Any, delivery: Delivery, message: Any) -> Answer:
        packed = messages.pack(delivery, message)
        told = [packed.headers.get(name, "") for name in TO_PUSH_SERVICES]
        post.calls.append((packed.url, "\n".join([*told, packed.body.decode()])))
        return Answer("201")

    monkeypatch.setattr(type(CHANNELS["webhook"]), "send", send)
    monkeypatch.setattr(type(CHANNELS["push"]), "send", push)
    monkeypatch.setattr(messages, "encrypt", lambda device, text: text)  # the other half is chance


@contextmanager
def open_house(monkeypatch: pytest.MonkeyPatch, settings: Any, dealt: str, **table: Any) -> Iterator[House]:
    """The house at the first question of a game of Anna, Ben and Carla.

    Arguments:
        dealt: any name: the game of the same name has the same seats and cards each time.
    """
    settings.MAILBOX_ENABLED = False
    settings.API_STREAM_SECONDS = 0
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    settings.MAIL_AUTHSERV_ID = "mx.play.example.org"
    dice, post = Dice(), Post()
    dice.load(monkeypatch)

    _catch(monkeypatch, post)
    monkeypatch.setattr(sending, "time", SimpleNamespace(monotonic=lambda: 0.0))  # how long a try took is chance
    monkeypatch.setattr(sending, "PATIENCE", 3600.0)  # and so is whether its own timer has run out
    with time_machine.travel(NOON, tick=False) as clock:
        people = {name: make_user(name) for name in (HOST, HIDDEN, SPECTATOR)}
        for name, promote in ((STAFF_PLAYER, staff.make_moderator), (STAFF, staff.make_administrator)):
            user = promote(f"{name.lower()}@example.org")
            User.objects.filter(pk=user.pk).update(name=name)
            people[name] = User.objects.get(pk=user.pk)
        guests = [people[HIDDEN], people[STAFF_PLAYER]]
        dice.throw(f"game {dealt}")  # just now: what else draws before depends on what the process has done already
        club = found(people[HOST], *guests)
        game = running(people[HOST], guests, NOON, is_watchable=True, proposals="on", club=club.ref, **table)
        wish = webhooks.WebhookSettings
        webhooks.create(user=people[HOST], wanted=wish(HOOKS["player"]), now=NOON)
        webhooks.create(user=people[HOST], wanted=wish(HOOKS["table"]), source=game, now=NOON)
        webhooks.create(user=people[HOST], wanted=wish(HOOKS["club"]), source=club, now=NOON)
        webhooks.create(user=people[HIDDEN], wanted=wish(HIDDEN_HOOK), now=NOON)
        for name, url in {**DEVICES, HIDDEN: HIDDEN_DEVICE}.items():
            Browser(url).subscribe(people[name].recipient)
        table_talk.say(game_id=game.pk, user=people[HOST], text="Good luck to all!", now=NOON)
        accused = game.seats.get(user=people[HIDDEN]).number
        Report.objects.create(game=game, reporter=people[HOST], seat=accused, text="Ben is slow.", created_at=NOON)
        clients = {viewer: Client() for viewer in (*VIEWERS, HIDDEN)}
        for viewer, client in clients.items():
            if viewer != "nobody":
                client.force_login(people[NAMES.get(viewer, viewer)])
        programs = {viewer: Program.with_scopes(people[name], *OPTIONS) for viewer, name in NAMES.items()}
        programs[HIDDEN] = Program.with_scopes(people[HIDDEN], *OPTIONS)
        house = House(game, people, clients, programs, post, dice, clock, accused)
        house.do("begin", lambda: None)
        for viewer, program in programs.items():
            house.heard[viewer] = program.get("me/events/")["last"]
        yield house


@contextmanager
def world(house: House) -> Iterator[House]:
    """A world that begins with the house as it is, and leaves it so."""
    cookies = {name: copy.deepcopy(client.cookies) for name, client in house.clients.items()}
    now, numbers = house.now, _sequences()
    house.game = fresh(house.game)
    fork = transaction.savepoint()  # no atomic block: what must not be inside one runs in here
    try:
        _begin_anew(house)
        yield house
    finally:
        transaction.savepoint_rollback(fork)
    if numbers:
        _reset(numbers)
    house.now = now
    house.clock.move_to(now)
    for name, client in house.clients.items():
        client.cookies = cookies[name]


def _begin_anew(house: House) -> None:
    house.post.begin()
    ReadThrottle.cache.clear()
    for cache in caches.all():
        cache.clear()


def _sequences() -> list[tuple[str, int, bool]]:
    """The next number of each table where the database does not take it back by itself."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(schemaname) || '.' || quote_ident(sequencename), coalesce(last_value, start_value),"
            " last_value IS NOT NULL FROM pg_sequences"
        )
        return cursor.fetchall()


def _reset(numbers: list[tuple[str, int, bool]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany("SELECT setval(%s, %s, %s)", numbers)
