"""Acts that concern what is sent: a failed delivery is retried; a webhook is sent again, switched off or on."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.errors import Conflict, Forbidden
from games.moderation.entries import MODERATE_GAME, MODERATE_USER, record_entry
from games.moderation.models import ModerationEntry
from games.people import webhooks
from games.people.models import User
from notifications import outbox
from notifications.channels.webhook import webhooks as fate
from notifications.models import Delivery, Endpoint
from notifications.reasons import declare

Action = ModerationEntry.Action
BY_MODERATOR = declare("by_moderator", gettext_noop("a moderator switched it off"))


@transaction.atomic
def send_again(*, webhook: Endpoint, message_id: str, by: User, reason: str, now: datetime) -> None:
    """Sends once more what was sent, as its owner could. Raises NotFound, and Conflict where it cannot be."""
    _note(Action.RESEND, webhook, by, reason, now)
    webhooks.send_again(endpoint=webhook, message_id=message_id, now=now)


@transaction.atomic
def switch_off(*, webhook: Endpoint, by: User, reason: str, now: datetime) -> None:
    """Switches it off, and all that send to the same chat; their owners are told. Raises Conflict if it is off."""
    if not webhook.is_enabled:
        raise Conflict(_("This webhook is already off."))
    _note(Action.HOOK_OFF, webhook, by, reason, now)
    fate.switch_off(webhook, BY_MODERATOR, now)


@transaction.atomic
def switch_on(*, webhook: Endpoint, by: User, reason: str, now: datetime) -> None:
    """Switches it on again. Raises Conflict if it is on."""
    if webhook.is_enabled:
        raise Conflict(_("This webhook is already on."))
    _note(Action.HOOK_ON, webhook, by, reason, now)
    fate.start(webhook)


def _note(action: ModerationEntry.Action, webhook: Endpoint, by: User, reason: str, now: datetime) -> None:
    if not (by.is_active and by.has_perm(MODERATE_USER)):
        raise Forbidden(_("Only a moderator can do that."))
    owner = User.objects.filter(recipient=webhook.recipient_id).first()
    record_entry(action, by=by, user=owner, reason=reason, now=now)


@transaction.atomic
def retry_delivery(*, delivery: Delivery, by: User, reason: str, now: datetime) -> None:
    """Has a message tried again that was given up. Raises Forbidden, and Conflict if it was not given up."""
    if not (by.is_active and by.has_perm(MODERATE_GAME)):
        raise Forbidden(_("Only a moderator can do that."))
    if not outbox.try_again(delivery, now):
        raise Conflict(_("This is already being resent."))
    to = User.objects.filter(recipient=delivery.notice.recipient_id).first()
    record_entry(ModerationEntry.Action.TRY_AGAIN, by=by, user=to, reason=reason, now=now)
