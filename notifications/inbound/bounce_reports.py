"""Emails of ours that come back, where a mail server of our own hands them over: reports by RFC 3464.

The address at which one arrives names the mail (`senders`); it is read only for whether, and why, that mail failed.
"""

import re
from datetime import datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import NamedTuple

from django.db import transaction

from notifications.channels.mail import bounces, refusals
from notifications.inbound import raw
from notifications.inbound.addresses import mail_of

REPORT = raw.AS_TEXT.decode()
FIELD = re.compile(r"(?im)^(action|status|diagnostic-code)[ \t]*:(.*(?:\n[ \t]+\S.*)*)")
BLOCK_END = re.compile(r"\r?\n[ \t]*\r?\n")
COMPLAINT = "message/feedback-report"  # RFC 5965
STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")
# In `From` where a mail server writes, even one that writes no report for programs.
PROGRAM = re.compile(
    r"(?i)mailer-daemon|postmaster|mail delivery|mail administrator|delivery subsystem|system administrator"
)
COPY = re.compile(  # how the mail that came back begins
    r"(?im)^[ >]*(?:received|return-path|dkim-signature|x-originating-ip): "
)


class Failure(NamedTuple):
    """Why a mail failed: its status (RFC 3463), what a mail server said, what people are told; each may be ""."""

    status: str
    said: str
    words: str


def is_known(to: str) -> bool:
    """Whether an address is the envelope sender of a mail of ours."""
    return mail_of(to) is not None


@transaction.atomic
def record_report(*, content: bytes, to: str, now: datetime) -> bool:
    """Learn what a report says of a mail; returns False if the address is the envelope sender of none.

    Programs that answer mails write there as well, and mail servers that are still trying: nothing follows from it.
    Raises raw.MailRefused for what no mail server writes.
    """
    mail = mail_of(to)
    if mail is None:
        return False
    failure = parse_report(content)
    if failure is not None:
        bounces.record_returned(mail, failure.status, refusals.of_report(*failure), now)
    return True


def parse_report(content: bytes) -> Failure | None:
    """Why a mail failed for good, or None if it did not. Raises raw.MailRefused."""
    try:
        mail = BytesParser(policy=compat32).parsebytes(raw.reduced(content))
        parts = [part for part in mail.walk() if not part.is_multipart()]
    except RecursionError:
        raise raw.MailRefused("the mail is too deeply nested") from None
    reports = [part for part in parts if part.get_content_type() == REPORT]
    words = next((_text(part) for part in parts if part.get_content_maintype() == "text" and part not in reports), "")
    words = COPY.split(words, maxsplit=1)[0]
    for block in (block for report in reports for block in BLOCK_END.split(_text(report))):
        fields = {name.lower(): " ".join(value.split()) for name, value in FIELD.findall(block)[::-1]}
        if fields.get("action", "").lower().startswith("failed"):
            status = STATUS.match(fields.get("status", ""))
            return Failure(status.group() if status else "", fields.get("diagnostic-code", ""), words)
    is_complaint = any(part.get_content_type() == COMPLAINT for part in mail.walk())
    if reports or is_complaint:
        return None
    is_failure = "X-Failed-Recipients" in mail or (_is_by_program(mail) and refusals.says_failure(words))
    return Failure("", "", words) if is_failure else None


def _is_by_program(mail: Message) -> bool:
    """Whether a mail server wrote it that writes no report for programs, and not the program of who is away."""
    is_answer = str(mail.get("Auto-Submitted", "")).lower().startswith("auto-replied")
    return bool(PROGRAM.search(str(mail["From"]))) and not is_answer


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return payload.decode(errors="replace") if isinstance(payload, bytes) else ""
