"""Reads replies and bounced mails from a mailbox of the host's by IMAP (RFC 9051), such as at his mail provider.

It begins with what comes from now on, waits by IDLE (RFC 2177) or looks again after a while, and leaves alone what is
not for an address that we made. Each mail is taken once: a row keeps how far the folder has been read, and a mail that
is read twice, by two readers or after a crash, is known by its Message-ID (`receiving`).
"""

import logging
import re
import ssl
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import getaddresses
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from notifications.clock import present
from notifications.inbound import addresses, raw, receiving
from notifications.models import MailboxPosition

log = logging.getLogger(__name__)
PORT = 993
SILENCE = 30  # seconds after which a server that says nothing is given up
IDLE = 240  # seconds of waiting for news: many servers and routers hang up after five minutes
LOOK_EVERY = 30  # seconds where a server knows no IDLE
PAUSES = (5, 15, 60, 300)  # seconds after one, two, three and more failures
AGAIN = timedelta(days=1)  # of mails that are looked at once more when a server has numbered them anew
TO = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
MESSAGE_ID = re.compile(r"<([^<>@\s]+)@([^<>@\s]+)>")
AWAY = (OSError, IMAPClientError, DatabaseError)  # the server of the mailbox, or our database


@dataclass(frozen=True)
class Mailbox:
    """Where the mailbox is. Its password is part of no text that is made of it."""

    host: str
    port: int
    user: str
    password: str
    folder: str

    def __repr__(self) -> str:
        return f"Mailbox({self})"

    def __str__(self) -> str:
        return f"{self.user}@{self.host}/{self.folder}"


def parse(url: str) -> Mailbox:
    """Reads "imaps://user:password@imap.example.org/INBOX". Raises ValueError, which never shows what was given."""
    parts = urlsplit(url)
    try:
        port = parts.port or PORT
    except ValueError:
        port = 0
    if parts.scheme != "imaps" or not (parts.hostname and parts.username and parts.password and port):
        raise ValueError("REPLY_MAILBOX must be like imaps://user:password@imap.example.org/INBOX")
    folder = unquote(parts.path.strip("/")) or "INBOX"
    return Mailbox(parts.hostname, port, unquote(parts.username), unquote(parts.password), folder)


def read(place: Mailbox, stopping: threading.Event) -> None:
    """Reads a mailbox until it is told to stop. Errors are logged by their kind: their texts may hold passwords."""
    failures = 0
    while not stopping.is_set():
        try:
            with IMAPClient(
                place.host, place.port, ssl_context=ssl.create_default_context(), timeout=SILENCE
            ) as client:
                client.login(place.user, place.password)
                while not stopping.is_set():
                    take_new(client, place, present.now())
                    failures = 0
                    _wait(client, stopping)
        except AWAY as error:
            failures += 1
            log.warning("The mailbox %s could not be read: %s", place, type(error).__name__)
        if failures:
            stopping.wait(PAUSES[min(failures, len(PAUSES)) - 1])


def _wait(client: IMAPClient, stopping: threading.Event) -> None:
    """Until there is news, or it is time to look."""
    if not client.has_capability("IDLE"):
        stopping.wait(LOOK_EVERY)
        client.noop()
        return
    client.idle()
    try:
        for _second in range(IDLE):
            if stopping.is_set() or client.idle_check(timeout=1):
                break
    finally:
        client.idle_done()


def take_new(client: IMAPClient, place: Mailbox, now: datetime) -> int:
    """Takes in what has come since the last look; returns how many mails were ours.

    A mail over which we stumble is looked at again each time, and holds up no other.

    Raises what `AWAY` names: then the rest is read the next time.
    """
    close_old_connections()
    about = client.select_folder(place.folder)
    validity, following = int(about[b"UIDVALIDITY"]), int(about[b"UIDNEXT"])
    row, is_new = MailboxPosition.objects.get_or_create(
        name=str(place), defaults={"validity": validity, "last_uid": following - 1, "looked_at": now}
    )
    rows = MailboxPosition.objects.filter(pk=row.pk)
    if row.validity != validity:
        uids = client.search(["SINCE", (row.looked_at - AGAIN).date()])
        rows.update(validity=validity, last_uid=0)
    else:
        uids = [] if is_new else client.search(["UID", f"{row.last_uid + 1}:*"])
        uids = [uid for uid in uids if uid > row.last_uid]  # "*" is the last one, even if it is below
    taken, stumbled = 0, False
    for uid in sorted(uids):
        try:
            is_ours = _take(client, uid)
        except AWAY:
            raise
        except Exception:
            log.exception("A mail of %s could not be stored; it stays, and is read again", place)
            stumbled = True
            continue
        if is_ours:
            taken += 1
            _put_away(client, uid)
        if not stumbled:
            rows.filter(last_uid__lt=uid).update(last_uid=uid)
    rows.update(looked_at=now)
    return taken


def _take(client: IMAPClient, uid: int) -> bool:
    """Takes one mail in, if it is for an address of ours."""
    facts = client.fetch([uid], ["RFC822.SIZE", "BODY.PEEK[HEADER]"]).get(uid)
    if facts is None:
        return False  # somebody has just moved it
    head = message_from_bytes(facts[b"BODY[HEADER]"][: raw.LARGEST_HEAD])
    to = next(filter(receiving.is_known, addressees(head)), "")
    if not to:
        return False
    if facts[b"RFC822.SIZE"] > raw.LARGEST:
        log.warning("A mail of %s bytes was left alone", facts[b"RFC822.SIZE"])
        return False
    content = client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]")
    try:
        if content is not None:
            sender = str(head.get("Return-Path", "")).strip("<> ")
            receiving.receive(content=raw.reduced(content), to=to, envelope_sender=sender, now=present.now())
    except raw.MailRefused as error:
        log.warning("A mail was left alone: %s", error)
        return False
    return content is not None


def addressees(head: Message) -> Iterable[str]:
    """The addresses a mail went to, as its head says: only those that we made are secret, so others prove nothing.

    Where all answers go to one address, the mails it answers say to what it answers.
    """
    values = [str(value) for name in TO for value in head.get_all(name, [])]
    yield from (address for _name, address in getaddresses(values) if address)
    if addresses.has_one_address():
        answered = " ".join(str(value) for name in ("In-Reply-To", "References") for value in head.get_all(name, []))
        for name, domain in MESSAGE_ID.findall(answered):
            if domain.lower() == settings.MAIL_DOMAIN.lower():
                yield addresses.address_of(name)


def _put_away(client: IMAPClient, uid: int) -> None:
    """Does with a mail that was taken in what the host wants."""
    match settings.REPLY_MAILBOX_AFTER:
        case "leave":
            pass
        case "seen":
            client.add_flags([uid], [b"\\Seen"])
        case "delete":
            client.delete_messages([uid])
            client.uid_expunge([uid])
        case folder:
            client.move([uid], folder)
