"""Messages that were given up: tried again when what kept them back is repaired."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict, Forbidden
from games.models import ModerationEntry, User
from games.moderation.entries import MODERATE_GAME, record_entry
from notifications import outbox
from notifications.models import Delivery


@transaction.atomic
def retry_delivery(*, delivery: Delivery, by: User, reason: str, now: datetime) -> None:
    """Has a message tried again that was given up. Raises Forbidden, and Conflict if it was not given up."""
    if not (by.is_active and by.has_perm(MODERATE_GAME)):
        raise Forbidden(_("Only a moderator can do that."))
    if not outbox.try_again(delivery, now):
        raise Conflict(_("This is on its way again already."))
    to = User.objects.filter(recipient=delivery.notice.recipient_id).first()
    record_entry(ModerationEntry.Action.TRY_AGAIN, by=by, user=to, reason=reason, now=now)
