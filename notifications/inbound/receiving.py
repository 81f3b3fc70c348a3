"""Takes an email in: once `receive` has returned, it is stored and will be handled."""

import hashlib
import logging
from datetime import datetime

from notifications import worker_hints
from notifications.inbound import addresses, bounce_reports, dispatch
from notifications.inbound.parsing.mail import ParsedMail, parse_mail
from notifications.models import Inbound, Recipient

log = logging.getLogger(__name__)


def is_known(address: str) -> bool:
    """Whether an address is one people can answer to now, or one that a mail of ours comes back to.

    For mail servers: others are refused at the door.
    """
    return dispatch.whose(addresses.token_in(address)) is not None or bounce_reports.is_known(address)


def receive(*, content: bytes, to: str, envelope_sender: str | None, now: datetime) -> Inbound | None:
    """Store a mail to be handled; returns its row, or None for automatic replies, bounces and unknown addresses.

    The same mail again changes nothing. Raises raw.MailRefused for what no person writes.

    Arguments:
        to: the envelope's recipient; what the mail's head says about that is not believed.
    """
    token = addresses.token_in(to)
    found = dispatch.whose(token)
    if found is None:
        bounce_reports.record_report(content=content, to=to, now=now)
        return None
    subject, recipient = found
    mail = parse_mail(content, envelope_sender)
    line = dispatch.line_for(token, mail.line)
    is_his = mail.is_authentic and mail.sender == addresses.in_ascii(recipient.address.lower())
    if mail.automatic and not (mail.may_be_his and is_his and dispatch.is_clear(token, mail.line)):
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
