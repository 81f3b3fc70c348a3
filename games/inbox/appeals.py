"""Replies to what a moderator has decided: the line is an appeal, and another moderator looks at it."""

import logging
from datetime import datetime

from games.errors import ServiceError
from games.moderation import reports
from games.tables.audit import ModerationEntry
from notifications.models import Inbound

logger = logging.getLogger(__name__)


def handle(inbound: Inbound, now: datetime) -> Inbound.State:
    """Stores the appeal, which is answered by an email. A second one, or none, is left alone.

    Whose line it is need not be proved: who knows the address has the email, and an appeal harms nobody.
    """
    rows = ModerationEntry.objects.select_related("user__owner__recipient", "user__recipient", "actor__recipient")
    entry = rows.filter(pk=int(inbound.subject.removeprefix(ModerationEntry.SUBJECT))).first()
    if entry is None:
        return Inbound.State.IGNORED
    try:
        reports.appeal(entry=entry, text=inbound.line, now=now)
    except ServiceError as error:
        logger.info("An appeal was not taken: %s", error)
        return Inbound.State.IGNORED
    return Inbound.State.DONE
