"""What the service talks to: a mail server and a web server on loopback, which have bad moments as real ones have.

Each notes what it took, and whether it said so. Trouble meets a message only when it is seen for the first time.
"""

import asyncio
import contextlib
import json
import logging
import re
import threading
import time
from collections.abc import Iterator
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
REFUSE, STALL, DIE, WELL = "refuse", "stall", "take it and die", ""
TROUBLES = (REFUSE,) * 5 + (DIE,) * 4 + (STALL,)
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
    `is_frozen` takes the connection and says nothing more.

    `news` gets what the players read.
    """

    dice: Random
    trouble: float = 0.0
    is_closed: bool = False
    is_frozen: bool = False
    arrivals: list[Arrival] = field(default_factory=list)
    troubles: dict[str, int] = field(default_factory=dict)
    news: "SimpleQueue[Arrival]" = field(default_factory=SimpleQueue)
    _seen: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mood(self, key: str) -> str:
        """How a message is met."""
        with self._lock:
            is_new = key not in self._seen
            self._seen.add(key)
            if not is_new or self.dice.random() >= self.trouble:
                return WELL
            found = self.dice.choice(TROUBLES)
            self.troubles[found] = self.troubles.get(found, 0) + 1
            return found

    def take(self, channel: str, key: str, about: tuple[str, ...], *, was_answered: bool) -> None:
        """Note what was taken."""
        arrival = Arrival(channel, key, time.time(), was_answered, about)
        with self._lock:
            self.arrivals.append(arrival)
        self.news.put(arrival)


class Mails:
    """What aiosmtpd calls."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        while self.world.is_frozen:
            await asyncio.sleep(0.1)
        mail = message_from_bytes(envelope.content)
        key = str(mail["Message-ID"])
        mood = self.world.mood(key)
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
def receiving(world: World) -> Iterator[tuple[str, str]]:
    """Both servers; gives EMAIL_URL and the address of webhooks."""
    mails = _Controller(Mails(world), hostname="127.0.0.1", port=free_port(), data_size_limit=5_000_000)
    mails.start()
    hooks = ThreadingHTTPServer(("127.0.0.1", 0), _hook_handler(world))
    hooks.daemon_threads = True
    threading.Thread(target=hooks.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"smtp://127.0.0.1:{mails.port}", f"http://127.0.0.1:{hooks.server_address[1]}/hook"
    finally:
        hooks.shutdown()
        hooks.server_close()
        mails.stop()


def _asked(data: dict[str, Any]) -> tuple[str, ...]:
    """The questions that a webhook is about: none, or one for each seat of its reader."""
    if "decision" not in data:
        return ()
    return tuple(f"{data['game']}/{seat['seat']}/{data['decision']}" for seat in data["seats"])


def _hook_handler(world: World) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            key = self.headers["webhook-id"]
            mood = world.mood(key)
            if mood == REFUSE:
                self._answer(503)
            elif mood == STALL:
                time.sleep(STALL_SECONDS)
            else:
                world.take("webhook", key, _asked(json.loads(body)["data"]), was_answered=mood != DIE)
                if mood != DIE:
                    self._answer(204)

        def _answer(self, status: int) -> None:
            with contextlib.suppress(OSError):  # killed meanwhile
                self.send_response(status)
                self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    return Handler
