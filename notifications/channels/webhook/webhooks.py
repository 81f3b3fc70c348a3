"""The life of a webhook: it works, it fails, it is switched off and on; and calls are sent again.

All webhooks of one target (see `endpoints.target_of`) share their fate, as they share their calls.
"""

import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Prefetch, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_noop

from notifications import worker_hints
from notifications.channels.webhook import KIND
from notifications.channels.webhook.models import REASON_LENGTH, Endpoint
from notifications.channels.webhook.sending import AWAY
from notifications.ids import new_secret
from notifications.models import (
    OPEN_STATES,
    Attempt,
    AttemptOutcome,
    Delivery,
    DeliveryState,
    Notice,
)
from notifications.outbox import Notification, notify
from notifications.reasons import declare

if TYPE_CHECKING:
    from notifications.delivery.sending import AttemptResult

OFF, FAILING, PING = "webhook_off", "webhook_failing", "ping"  # the kinds of notices that are about a webhook
SWITCHED_OFF = declare("webhook_off", gettext_noop("the webhook is switched off"))
TELLS_INSTEAD = declare("told_by_webhook", gettext_noop("your webhook was told instead"))
SILENT = declare("failing_for_days", gettext_noop("it has accepted nothing for three days"))
REFUSES = declare("too_many_refusals", gettext_noop("it refused ten messages in a row"))
BY_OWNER = declare("by_owner", gettext_noop("you switched it off"))
MOST_REFUSALS = 10  # in a row, for a day at least; a chat that is asked in vain for ever ends up refusing all of us
SILENT_FOR = timedelta(days=3)  # is too long, though it may ask for a day more each time
LONG = timedelta(days=1)  # of failing: the owner is warned, or it is switched off if it says that it is not there
AWAY_CODES = {str(status) for status in AWAY}
OVERLAP = timedelta(days=1)  # in which the former secret still signs
PING_EVERY = timedelta(seconds=10)


def record_result(delivery: Delivery, result: "AttemptResult", now: datetime) -> None:
    """Learn from a try at an address, for all webhooks that send there."""
    endpoint = delivery.endpoint
    if endpoint is None:
        return
    if result.outcome == AttemptOutcome.ACCEPTED:
        if endpoint.failing_since is not None:
            _all_of(endpoint).update(failing_since=None, refusals=0)
    elif result.outcome in (AttemptOutcome.RETRY, AttemptOutcome.REFUSED):
        _failed(endpoint, result, now)


def _failed(endpoint: Endpoint, result: "AttemptResult", now: datetime) -> None:
    is_refused, is_news = result.state == DeliveryState.FAILED, endpoint.failing_since is None
    _all_of(endpoint).update(
        failing_since=Coalesce(F("failing_since"), now), refusals=F("refusals") + 1 if is_refused else F("refusals")
    )
    endpoint.refresh_from_db(fields=["failing_since", "refusals"])
    if is_news:
        release_declined(endpoint, now)
    assert endpoint.failing_since is not None  # since now at the latest
    lasted = now - endpoint.failing_since
    is_away = result.code in AWAY_CODES
    if result.disables_endpoint:
        switch_off(endpoint, result.reason if is_refused else SILENT, now)
    elif lasted >= LONG and (is_away or endpoint.refusals >= MOST_REFUSALS):
        switch_off(endpoint, result.reason if is_away else REFUSES, now)
    elif lasted >= SILENT_FOR:
        switch_off(endpoint, SILENT, now)
    elif lasted >= LONG:
        for sibling in _all_of(endpoint).filter(is_enabled=True).select_related("recipient"):
            _notify_owner(sibling, FAILING, str(endpoint.failing_since), now)


def release_declined(endpoint: Endpoint, now: datetime) -> None:
    """Send by other channels what somebody did without because of this webhook, of all it has not told yet."""
    untold = Delivery.objects.filter(endpoint__target=endpoint.target, accepted_at=None)
    untold = untold.exclude(state=DeliveryState.STALE)
    declined = Delivery.objects.filter(state=DeliveryState.DECLINED, reason=TELLS_INSTEAD)
    owed = declined.filter(notice__in=untold.values("notice"))
    if owed.update(state=DeliveryState.WAITING, attempt_after=now, reason=""):
        worker_hints.hint_workers_on_commit("deliver")


def _all_of(endpoint: Endpoint) -> QuerySet[Endpoint]:
    return Endpoint.objects.filter(target=endpoint.target)


def switch_off(endpoint: Endpoint, reason: str, now: datetime) -> None:
    """Switch off all webhooks of its target, drop what waits for them, and tell their owners by mail."""
    for sibling in _all_of(endpoint).filter(is_enabled=True).select_related("recipient"):
        stop(sibling, reason, now)
        _notify_owner(sibling, OFF, str(now), now)


def stop(endpoint: Endpoint, reason: str, now: datetime) -> None:
    """Switch one webhook off and drop what waits for it; nobody is told."""
    Endpoint.objects.filter(pk=endpoint.pk).update(
        is_enabled=False, disabled_reason=reason[:REASON_LENGTH], disabled_at=now
    )
    release_declined(endpoint, now)
    Delivery.objects.filter(endpoint=endpoint, state=DeliveryState.WAITING).update(
        state=DeliveryState.FAILED, attempt_after=None, reason=SWITCHED_OFF
    )


@transaction.atomic
def remove(endpoints: QuerySet[Endpoint], now: datetime) -> None:
    """Remove webhooks, and with them what waits for them; who did without mails because of them gets them."""
    for endpoint in endpoints:
        release_declined(endpoint, now)
        endpoint.delete()


def start(endpoint: Endpoint) -> None:
    """Switch a webhook on again. What it missed stays missed, until its owner sends it again."""
    endpoint.is_enabled, endpoint.disabled_reason, endpoint.disabled_at = True, "", None
    endpoint.failing_since, endpoint.refusals = None, 0
    endpoint.save(update_fields=["is_enabled", "disabled_reason", "disabled_at", "failing_since", "refusals"])


@transaction.atomic
def move(endpoint: Endpoint, url: str, shape: str, now: datetime) -> None:
    """Give it another address or shape; what waits goes there, from its first try."""
    if (url, shape) == (endpoint.url, endpoint.shape):
        return
    endpoint.url, endpoint.shape = url, shape
    endpoint.save(update_fields=["url", "shape"])
    waiting = Delivery.objects.filter(endpoint=endpoint, state=DeliveryState.WAITING)
    waiting.filter(tries__gt=0).update(tries=0, attempt_after=now)
    waiting.update(target=endpoint.target, body="")
    start(endpoint)


def renew_secret(endpoint: Endpoint, now: datetime) -> str:
    """Replace the secret and return the new one.

    For a day what is sent is signed with both; a further change in that day ends the oldest at once.
    """
    endpoint.old_secret, endpoint.old_secret_until = endpoint.secret, now + OVERLAP
    endpoint.secret = new_secret()
    endpoint.save(update_fields=["secret", "old_secret", "old_secret_until"])
    return str(endpoint.secret)


def ping(endpoint: Endpoint, now: datetime) -> bool:
    """Send a test there. Returns False, and sends nothing, if one was sent a moment ago."""
    subject = f"endpoint:{endpoint.pk}"
    if Notice.objects.filter(subject=subject, kind=PING, created_at__gt=now - PING_EVERY).exists():
        return False
    key = f"{PING}:{secrets.token_hex(8)}"
    notify(
        Notification(recipient=endpoint.recipient, kind=PING, subject=subject, dedupe_key=key, endpoint=endpoint), now
    )
    return True


@transaction.atomic
def send_again(delivery: Delivery, now: datetime) -> bool:
    """Send what was sent to a webhook once more, under the same id; returns False where that cannot be.

    It goes out as it was, whether or not it is still of use. What is open goes out by itself.
    """
    rows = Delivery.objects.select_for_update().filter(channel=KIND, endpoint__is_enabled=True)
    row = rows.filter(pk=delivery.leader_id or delivery.pk).first()
    if row is None or row.state in (*OPEN_STATES, DeliveryState.JOINED) or row.target != delivery.target:
        return False
    row.state, row.attempt_after, row.tries, row.reason, row.is_by_hand = DeliveryState.WAITING, now, 0, "", True
    row.save(update_fields=["state", "attempt_after", "tries", "reason", "is_by_hand"])
    worker_hints.hint_workers_on_commit("deliver")
    return True


def sent_to(endpoint: Endpoint) -> QuerySet[Delivery]:
    """Everything that was or will be sent to a webhook, newest first, with its tries."""
    tries = Prefetch("attempts", Attempt.objects.order_by("pk"))
    leading = Prefetch("leader__attempts", Attempt.objects.order_by("pk"))
    rows = Delivery.objects.filter(endpoint=endpoint).select_related("notice", "leader")
    return rows.prefetch_related(tries, leading).order_by("-pk")


def _notify_owner(endpoint: Endpoint, kind: str, occasion: str, now: datetime) -> None:
    """Owe the owner of a webhook a letter about it, once for each occasion."""
    subject = f"endpoint:{endpoint.pk}"
    key = f"{kind}:{endpoint.pk}:{occasion}"
    notify(Notification(recipient=endpoint.recipient, kind=kind, subject=subject, dedupe_key=key), now)
