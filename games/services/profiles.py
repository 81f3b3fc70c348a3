"""What a person may change about himself, and the webhook his notices go to."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import NotFound
from games.models import User
from notifications.models import Endpoint, new_secret
from notifications.outbox import tell

OVERLAP = timedelta(days=1)  # in which a webhook's former secret still signs


@transaction.atomic
def change(*, user: User, name: str, language: str, zone: str) -> None:
    """Stores how a person is called and spoken to. Seats already taken keep the name they had."""
    user.name = name
    user.save(update_fields=["name"])
    recipient = user.recipient
    recipient.name, recipient.language, recipient.zone = name, language, zone
    recipient.save(update_fields=["name", "language", "zone"])


def endpoint(user: User) -> Endpoint | None:
    """The person's webhook, or None."""
    return Endpoint.objects.filter(recipient=user.recipient).first()


def save_webhook(*, user: User, url: str) -> str:
    """Sets the webhook's address and enables it. Returns its secret if it is new, to be shown once; else ""."""
    row, is_new = Endpoint.objects.get_or_create(recipient=user.recipient, defaults={"url": url})
    if is_new:
        return str(row.secret)
    row.url, row.is_enabled, row.disabled_reason = url, True, ""
    row.save(update_fields=["url", "is_enabled", "disabled_reason"])
    return ""


def renew_secret(*, user: User, now: datetime) -> str:
    """Replaces the webhook's secret and returns the new one, to be shown once. Raises NotFound without a webhook.

    For a day what is sent is signed with both; a further change in that day ends the oldest at once.
    """
    row = _endpoint(user)
    row.old_secret, row.old_secret_until = row.secret, now + OVERLAP
    row.secret = new_secret()
    row.save(update_fields=["secret", "old_secret", "old_secret_until"])
    return str(row.secret)


def remove_webhook(*, user: User) -> None:
    """Removes the webhook. Raises NotFound if there is none."""
    _endpoint(user).delete()


def ping(*, user: User, now: datetime) -> None:
    """Sends a test notice to the webhook. Raises NotFound if there is none, or it is disabled."""
    if not _endpoint(user).is_enabled:
        raise NotFound(_("Your webhook is disabled. Save its address to enable it."))
    key = f"ping:{secrets.token_hex(8)}"
    tell(recipient=user.recipient, kind="ping", subject=f"user:{user.ref}", dedupe_key=key, now=now)


def _endpoint(user: User) -> Endpoint:
    row = endpoint(user)
    if row is None:
        raise NotFound(_("You have no webhook."))
    return row
