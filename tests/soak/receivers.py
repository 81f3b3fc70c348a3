"""The mail servers, web servers and push services that the service talks to, on loopback, with bad moments.

Each notes what it took, and whether it said so. Trouble meets a message only when it is seen for the first time. Two
hosts of each kind stand side by side: one lives, the other one may die for ever.
"""

import asyncio
import contextlib
import json
import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from random import Random
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from tests.servers import free_port

STALL_SECONDS = 17.0  # longer than the service waits for an answer
REFUSE, STALL, DIE, WELL = "refused", "stalled", "taken without an answer", ""
UNREACHABLE, FULL, UNKNOWN, HANGS_UP = "unreachable", "full", "unknown", "hangs up"
AT_RCPT = {
    UNREACHABLE: "451 4.4.1 The host does not answer",
    FULL: "452 4.2.2 The mailbox is full",
    UNKNOWN: "550 5.1.1 There is nobody of that name",
}
MAIL, HOOK, PUSH = "mailbox", "webhook", "push"  # the kinds of hosts
FOR_EVER = {MAIL: (*AT_RCPT, STALL, HANGS_UP), HOOK: (REFUSE, STALL, HANGS_UP), PUSH: (REFUSE, STALL, HANGS_UP)}
LIVING_MAIL, OTHER_MAIL = "people.example.org", "elsewhere.example.org"
LIVING_WEB, OTHER_WEB = "127.0.0.1", "localhost"
logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's: every line of every conversation
ACT_LINK = re.compile(rb"/act/([a-z0-9]{12})/")


@dataclass(frozen=True)
class Arrival:
    """A message that was taken. Without `was_answered` its sender cannot know that it was."""

    channel: str
    id: str
    at: float
    was_answered: bool
    about: tuple[str, ...]  # of a mail the references of decisions, of a webhook "game/seat/decision"


@dataclass
class World:
    """Both receivers' mood and memory. `trouble` is the share of messages that meet some, `is_closed` hangs up at once,
    `is_frozen` takes the connection and says nothing more, `is_to_stall` lets the next mail wait.

    Arguments:
        moods: the kinds of trouble that exist.
        dead: of the second host of a kind, how it treats everybody for ever.
        now: the time of arrivals.
        news: gets what the players read.
    """

    dice: Random
    trouble: float = 0.0
    moods: tuple[str, ...] = (REFUSE,) * 5 + (DIE,) * 4 + (STALL,)
    dead: dict[str, str] = field(default_factory=dict)
    now: Callable[[], float] = time.time
    is_closed: bool = False
    is_frozen: bool = False
    is_to_stall: bool = False
    stalled: str = ""
    arrivals: list[Arrival] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    overtaken: set[str] = field(default_factory=set)  # sent once more by somebody else while they were being sent
    news: "SimpleQueue[Arrival]" = field(default_factory=SimpleQueue)
    _in_hand: Counter[str] = field(default_factory=Counter)
    _seen: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mood(self, key: str) -> str:
        """How a message is met."""
        with self._lock:
            is_new = key not in self._seen
            self._seen.add(key)
            if self.is_to_stall:
                self.is_to_stall, self.stalled = False, key
                return STALL
            if not is_new or not self.moods or self.dice.random() >= self.trouble:
                return WELL
            mood = self.dice.choice(self.moods)
            self.troubles[mood] += 1
            return mood

    @contextlib.contextmanager
    def in_hand(self, key: str) -> Iterator[None]:
        """A message is being sent until the end of `with`; two who send it at once are noted."""
        with self._lock:
            if self._in_hand[key]:
                self.overtaken.add(key)
            self._in_hand[key] += 1
        try:
            yield
        finally:
            self._in_hand[key] -= 1

    def take(self, channel: str, key: str, about: tuple[str, ...], *, was_answered: bool) -> None:
        """Note what was taken."""
        arrival = Arrival(channel, key, self.now(), was_answered, about)
        with self._lock:
            self.arrivals.append(arrival)
        self.news.put(arrival)

    def dies(self, kind: str, mood: str) -> None:
        """The second host of a kind is of no use from now on."""
        self.dead[kind] = mood

    def met(self, kind: str) -> str:
        """How the second host of a kind treats everybody, counted; "" while it lives."""
        if mood := self.dead.get(kind, ""):
            self.troubles[f"{kind} host {mood} for ever"] += 1
        return mood


class Mails:
    """The hooks that aiosmtpd calls."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, rcpt_options: list[str]
    ) -> str:
        mood = self.world.met(MAIL) if address.endswith(f"@{OTHER_MAIL}") else ""
        if mood == HANGS_UP:
            server.transport.abort()
        if mood in AT_RCPT:
            return AT_RCPT[mood]
        session.is_to_stall = mood == STALL
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Go on"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        mail = message_from_bytes(envelope.content)
        key = str(mail["Message-ID"])
        with self.world.in_hand(key):
            while self.world.is_frozen:
                await asyncio.sleep(0.1)
            mood = STALL if session.is_to_stall else self.world.mood(key)
            if mood == REFUSE:
                return "451 4.3.2 Not now"
            if mood == STALL:
                await asyncio.sleep(STALL_SECONDS)
                server.transport.abort()
                return "451 4.3.2 Too late"
            self.world.take("mail", key, decisions_in(mail), was_answered=mood != DIE)
            if mood == DIE:
                server.transport.abort()
            return "250 2.0.0 Taken"


def decisions_in(mail: Message) -> tuple[str, ...]:
    """The references of the decisions a mail has links to."""
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    text = part.get_payload(decode=True)
    assert isinstance(text, bytes)
    return tuple(dict.fromkeys(found.decode() for found in ACT_LINK.findall(text)))


class _Conversation(SMTP):
    world: World

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if self.world.is_closed:
            transport.abort()


class _Controller(Controller):
    def factory(self) -> SMTP:
        made = _Conversation(self.handler, **self.SMTP_kwargs)
        made.world = self.handler.world
        return made


@contextlib.contextmanager
def receiving(world: World) -> Iterator[tuple[str, int]]:
    """Both servers; gives EMAIL_URL and the port of webhooks and push messages, under LIVING_WEB and OTHER_WEB."""
    mails = _Controller(Mails(world), hostname="127.0.0.1", port=free_port(), data_size_limit=5_000_000)
    mails.start()
    hooks = ThreadingHTTPServer(("127.0.0.1", 0), _web_handler(world))
    hooks.daemon_threads = True
    threading.Thread(target=hooks.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"smtp://127.0.0.1:{mails.port}", hooks.server_address[1]
    finally:
        hooks.shutdown()
        hooks.server_close()
        mails.stop()


def _asked(data: dict[str, Any]) -> tuple[str, ...]:
    """The questions that a webhook is about: none, or one for each seat of its reader."""
    if "decision" not in data:
        return ()
    return tuple(f"{data['game_ref']}/{seat['seat']}/{data['decision']}" for seat in data["seats"])


def _web_handler(world: World) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kind = PUSH if self.path.startswith("/push/") else HOOK
            key = self.headers["webhook-id"] or f"{self.path} {body[:40].hex()}"
            mood = world.met(kind) if self.headers["Host"].startswith(OTHER_WEB) else ""
            with world.in_hand(key):
                self._meet(mood or world.mood(key), kind, key, body)

        def _meet(self, mood: str, kind: str, key: str, body: bytes) -> None:
            if mood == REFUSE:
                self._answer(503)
            elif mood == STALL:
                time.sleep(STALL_SECONDS)
            elif mood != HANGS_UP:
                if kind == HOOK:
                    world.take(kind, key, _asked(json.loads(body)["data"]), was_answered=mood != DIE)
                if mood != DIE:
                    self._answer(204 if kind == HOOK else 201)

        def _answer(self, status: int) -> None:
            with contextlib.suppress(OSError):  # killed meanwhile
                self.send_response(status)
                self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    return Handler
