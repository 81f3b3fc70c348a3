"""Emails of ours that come back, where a mail server of our own hands them over: reports by RFC 3464.

The address at which one arrives names the mail (`senders`); it is read only for whether, and why, that mail failed.
"""

import re
from datetime import datetime
from email.parser import BytesParser
from email.policy import compat32

from django.db import transaction

from notifications.channels.mail import refusals
from notifications.channels.mail.bouncing import bounces
from notifications.inbound.parsing import raw
from notifications.inbound.senders import mail_of

REPORT = raw.AS_TEXT.decode()
ACTION = re.compile(rb"(?im)^action:[ \t]*([a-z]+)")
STATUS = re.compile(rb"(?im)^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})")


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
    failed, status = parse_report(content)
    if failed:
        bounces.record_returned(mail, status, refusals.of_report(status), now)
    return True


def parse_report(content: bytes) -> tuple[bool, str]:
    """Whether a mail failed for good, and its status (RFC 3463), "" if none is said. Raises raw.MailRefused."""
    try:
        mail = BytesParser(policy=compat32).parsebytes(raw.reduced(content))
        reports = [part.get_payload(decode=True) for part in mail.walk() if part.get_content_type() == REPORT]
    except RecursionError:
        raise raw.MailRefused("the mail is too deeply nested") from None
    for report in filter(None, reports):
        action, status = ACTION.search(report), STATUS.search(report)
        if action and action.group(1).lower() == b"failed":
            return True, status.group(1).decode() if status else ""
    # Older Exims write no report that programs can read, but name the address in a header.
    return not reports and "X-Failed-Recipients" in mail, ""
