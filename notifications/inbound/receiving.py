"""Takes an email in, and hands each that is stored once to the handler that the product registered."""

import hashlib
import logging
from datetime import datetime
from typing import Protocol

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F, QuerySet

from notifications import worker_hints
from notifications.database.compiled_query import compiled_rows
from notifications.inbound import addresses, bounce_reports
from notifications.inbound.parsing import ParsedMail, parse_mail
from notifications.models import Inbound, Recipient

# Handles each stored email once: hands it to the handler that the product registered.

log = logging.getLogger(__name__)
TRIAL_SECONDS = 600  # for which it is kept that the mail of a trial has come
MOST_TRIES = 5  # errors of ours are not cured by trying for ever


class InboundHandler(Protocol):
    """The product's side: whose an address is, and what a line said there does."""

    def whose(self, token: str) -> tuple[str, Recipient] | None:
        """The subject an address was made for and who may write to it; None if it was never made, or is void."""

    def line_for(self, token: str, line: str) -> str:
        """Translates a line sent to this address into a line that is good for every address."""

    def is_clear(self, token: str, line: str) -> bool:
        """Whether a line that was sent to this address says clearly what to do."""

    def handle(self, inbound: Inbound, now: datetime) -> Inbound.State:
        """Do what the line says, and write the answer; returns what has become of it.

        Runs in a transaction with the row locked; may run again after an error, so it must know what it has done.
        """


_handlers: list[InboundHandler] = []


def register(handler: InboundHandler) -> None:
    """Enter the product's handler, at start-up."""
    _handlers[:] = [handler]


def whose(token: str) -> tuple[str, Recipient] | None:
    """Returns the subject and the recipient of an address, by its token."""
    return _handlers[0].whose(token) if _handlers and token else None


def line_for(token: str, line: str) -> str:
    """The line that is stored for one that was sent to an address; see `InboundHandler`."""
    return _handlers[0].line_for(token, line)


def is_clear(token: str, line: str) -> bool:
    """Whether a line would do something at an address; see `InboundHandler`."""
    return bool(line) and _handlers[0].is_clear(token, line)


def handle_one(now: datetime) -> bool:
    """Handle the oldest mail that waits; returns whether there was one. Must run outside any transaction."""
    for (pk,) in _oldest():
        handle(pk, now)
        return True
    return False


@compiled_rows("pk")
def _oldest() -> QuerySet[Inbound]:
    return Inbound.objects.filter(state=Inbound.State.WAITING).order_by("pk")[:1]


def handle(pk: int, now: datetime) -> None:
    """Handle a mail if it waits. An error of ours leaves it waiting, and after some tries puts it aside."""
    try:
        with transaction.atomic():
            row = _locked(pk)
            if row is not None:
                row.state = _handlers[0].handle(row, now)
                row.handled_at = now
                row.save(update_fields=["state", "handled_at", "answer"])
    except Exception:  # the product's code must not stop anybody else's mail
        log.exception("Inbound mail %s could not be handled", pk)
        Inbound.objects.filter(pk=pk).update(tries=F("tries") + 1)
        worn_out = Inbound.objects.filter(pk=pk, state=Inbound.State.WAITING, tries__gte=MOST_TRIES)
        worn_out.update(state=Inbound.State.FAILED, handled_at=now)


def _locked(pk: int) -> Inbound | None:
    rows = Inbound.objects.filter(pk=pk, state=Inbound.State.WAITING).select_related("recipient")
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True, of=("self",))
    return rows.first()


def confirm(inbound: Inbound, now: datetime) -> Inbound:
    """The recipient says that a held mail is his: it counts from now on. Returns the row as it is then."""
    rows = Inbound.objects.filter(pk=inbound.pk, state=Inbound.State.HELD)
    if rows.update(state=Inbound.State.WAITING, is_authentic=True, is_confirmed=True, received_at=now):
        handle(inbound.pk, now)
    return Inbound.objects.select_related("recipient").get(pk=inbound.pk)


def is_known(address: str) -> bool:
    """Whether an address is one people can answer to now, or one that a mail of ours comes back to.

    For mail servers: others are refused at the door.
    """
    token = addresses.token_in(address)
    return addresses.is_trial(token) or whose(token) is not None or bounce_reports.is_known(address)


def receive(*, content: bytes, to: str, envelope_sender: str | None, now: datetime) -> Inbound | None:
    """Store a mail to be handled; returns its row, or None for automatic replies, bounces and unknown addresses.

    The same mail again changes nothing. Raises raw.MailRefused for what no person writes.

    Arguments:
        to: the envelope's recipient; what the mail's head says about that is not believed.
    """
    token = addresses.token_in(to)
    if addresses.is_trial(token):
        cache.set(token, parse_mail(content, envelope_sender).is_authentic, TRIAL_SECONDS)
        return None
    owner = whose(token)
    if owner is None:
        bounce_reports.record_report(content=content, to=to, now=now)
        return None
    subject, recipient = owner
    mail = parse_mail(content, envelope_sender)
    line = line_for(token, mail.line)
    is_his = mail.is_authentic and mail.sender == addresses.in_ascii(recipient.address.lower())
    if mail.automatic and not (mail.may_be_his and is_his and is_clear(token, mail.line)):
        log.info("A mail about %s was left alone: %s", subject, mail.automatic)
        return None
    # What looks like a program's, or like a quoted line without its mark, waits until he confirms it.
    is_sure = is_his and not mail.automatic and not mail.is_below
    return _store(mail, subject, recipient, line, is_his=is_sure, now=now)


def _store(mail: ParsedMail, subject: str, recipient: Recipient, line: str, *, is_his: bool, now: datetime) -> Inbound:
    row, is_new = Inbound.objects.get_or_create(
        key=hashlib.sha256(f"{mail.key}:{subject}:{recipient.pk}".encode()).hexdigest(),
        defaults={
            "recipient": recipient,
            "subject": subject,
            "line": line,
            "message_id": mail.message_id,
            "is_authentic": is_his,
            "received_at": now,
        },
    )
    if is_new:
        worker_hints.hint_workers_on_commit("deliver")
    return row
