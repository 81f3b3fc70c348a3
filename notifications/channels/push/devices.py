"""The browsers that show a person's notifications, from sign-up to refusal, and the push services behind them."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Value
from django.utils.translation import gettext_noop

from notifications import worker_hints
from notifications.channels.http_calls import NO_ADDRESS, refusal
from notifications.channels.push import KIND
from notifications.channels.push.models import HOST_LENGTH, NAME_LENGTH, PushService, PushSubscription
from notifications.composers import pushed_topics
from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.models import IS_OPEN, OPEN_STATES, AttemptOutcome, Delivery, DeliveryState, Recipient
from notifications.reasons import declare

if TYPE_CHECKING:
    from notifications.delivery.sending import AttemptResult

# A breaker for each push service: most browsers share a few of them, and one that is down shall not hold up the rest.

SERVICE_FAILURES = 2  # in a row, before a push service rests: the second confirms the first
FIRST_REST, LONGEST_REST = timedelta(seconds=30), timedelta(minutes=10)
TOGETHER = timedelta(seconds=4)  # tries that fail within this time were under way together, and are one failure
SLOW_SECONDS = 3.0  # for one message; whoever needs longer is in trouble, though it takes the message
DOUBLINGS = 5  # after which a rest is longest


def without_resting(deliveries: QuerySet[Delivery], now: datetime | Value, *, failing: bool) -> QuerySet[Delivery]:
    """Leave out messages to push services that rest, and those to failing ones while one of them is being tried.

    Arguments:
        failing: whether failing push services are tried at all.
    """
    free = deliveries.exclude(_goes_to(PushService.objects.filter(rests_until__gt=now)), channel=KIND)
    troubled = is_service_troubled()
    if not failing:
        return free.exclude(troubled, channel=KIND)
    leased = Delivery.objects.filter(troubled, channel=KIND, lease_until__gt=now)
    return free.exclude(troubled, Exists(leased), channel=KIND)


def is_service_troubled() -> Exists:
    """Whether a delivery goes to a browser whose push service took nothing last time."""
    return _goes_to(PushService.objects.all())


def _goes_to(services: QuerySet[PushService]) -> Exists:
    at_one = Exists(services.filter(host=OuterRef("host")))
    return Exists(PushSubscription.objects.filter(at_one, target=OuterRef("target")))


def is_service_failing() -> Exists:
    """Whether the push service of a subscription is failing."""
    return Exists(PushService.objects.filter(host=OuterRef("host")))


def record_service_failure(host: str, now: datetime) -> None:
    """A push service took nothing, and not because of the message: after some of these it rests."""
    row, is_new = PushService.objects.get_or_create(host=host, defaults={"failed_at": now, "failures": 1})
    news = PushService.objects.filter(pk=row.pk, failures=row.failures, failed_at__lte=now - TOGETHER)
    failures = row.failures + 1
    if not is_new and news.update(failures=failures, failed_at=now) and failures >= SERVICE_FAILURES:
        rest = min(FIRST_REST * 2 ** min(failures - SERVICE_FAILURES, DOUBLINGS), LONGEST_REST)
        PushService.objects.filter(host=host).update(rests_until=now + rest)


def record_service_slowness(host: str, now: datetime) -> None:
    """A push service took a message, and its time: until it is quick again it is in trouble, but does not rest."""
    PushService.objects.update_or_create(host=host, defaults={"failed_at": now, "failures": 1, "rests_until": None})


def record_service_success(host: str) -> None:
    """A push service took a message: it is out of trouble."""
    PushService.objects.filter(host=host).delete()


MOST = 10  # of one person
LONGEST_ADDRESS = 1000
TELLS_INSTEAD = declare("told_by_device", gettext_noop("your devices showed it instead"))
GONE = declare("device_gone", gettext_noop("the device no longer accepts notifications"))
NO_KEY = declare("device_key", gettext_noop("its key can't be used"))
MOST_REFUSALS = 10  # in a row; then a browser is not asked again
USED_EVERY = timedelta(days=1)  # how exactly it is kept when a browser was last used
POINT_LENGTH, AUTH_LENGTH = 65, 16  # bytes: an uncompressed point of P-256 (SEC 1), RFC 8291


@dataclass(frozen=True)
class BrowserKeys:
    """The subscription that a browser sends; the last two are base64url."""

    url: str
    public_key: str
    auth_secret: str


def why_not(keys: BrowserKeys) -> str:
    """Return why nothing would ever be shown by a browser with these keys, or "": a reason."""
    if len(keys.url) > LONGEST_ADDRESS or not keys.url.isprintable():
        return NO_ADDRESS
    if why := refusal(keys.url):
        return why
    if len(urlsplit(keys.url).hostname or "") > HOST_LENGTH:
        return NO_ADDRESS
    try:
        point, secret = _decoded(keys.public_key), _decoded(keys.auth_secret)
        if len(point) != POINT_LENGTH or len(secret) != AUTH_LENGTH:
            return NO_KEY
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return NO_KEY
    return ""


def _decoded(text: str) -> bytes:
    """Raises ValueError for what is no base64url."""
    if len(text) > 2 * POINT_LENGTH or not text.isascii():
        raise ValueError("no key")
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("no key") from error


def target_of(url: str) -> str:
    """Return a keyed hash of an address: what its deliveries share, and no way back to it."""
    return hmac.new(settings.SECRET_KEY.encode(), f"{KIND} {url}".encode(), hashlib.sha256).hexdigest()


def has_room(recipient: Recipient, url: str) -> bool:
    """Return whether a person may have this browser beside those he has."""
    others = PushSubscription.objects.filter(recipient=recipient).exclude(target=target_of(url))
    return others.count() < MOST


def remember(recipient: Recipient, keys: BrowserKeys, name: str, group: str, now: datetime) -> PushSubscription:
    """Store a browser, or what is new of it; one that was another person's is this one's from now on.

    What waited for it there goes nowhere: it was the other person's.
    """
    target = target_of(keys.url)
    with transaction.atomic():
        other = PushSubscription.objects.filter(target=target).exclude(recipient=recipient).first()
        if other is not None:
            forget([other], now)
        row, _is_new = PushSubscription.objects.update_or_create(
            target=target,
            defaults={
                "recipient": recipient,
                "name": name[:NAME_LENGTH],
                "url": keys.url,
                "host": urlsplit(keys.url).hostname or "",
                "public_key": keys.public_key,
                "auth_secret": keys.auth_secret,
                "group": group,
                "refusals": 0,
                "used_at": now,
            },
        )
    return row


def choose(subscription: PushSubscription, muted: Collection[str]) -> None:
    """Store of which topics a browser shows nothing. One that is gone by now stays gone."""
    subscription.muted = [topic.name for topic in pushed_topics() if topic.name in muted]
    PushSubscription.objects.filter(pk=subscription.pk).update(muted=subscription.muted)


@transaction.atomic
def forget(subscriptions: Iterable[PushSubscription], now: datetime, failed: Delivery | None = None) -> int:
    """Delete browsers; what waits for them is dropped, and emails that were left out because of them are sent.

    Arguments:
        failed: what has just failed to reach one of them.
    """
    count = 0
    for subscription in subscriptions:
        release_declined(subscription.target, now, failed)
        _waiting_for(subscription.target).filter(state=DeliveryState.WAITING).update(
            state=DeliveryState.FAILED, attempt_after=None, reason=GONE
        )
        subscription.delete()
        count += 1
    return count


def release_declined(target: str, now: datetime, failed: Delivery | None = None) -> None:
    """Send by other channels what somebody did without because of a browser, of all that no browser has shown.

    Arguments:
        failed: what has just failed to reach it, beside all that waits for it.
    """
    notices = {*_waiting_for(target).values_list("notice", flat=True), *([failed.notice_id] if failed else [])}
    ways: dict[int, list[Delivery]] = {}
    for row in Delivery.objects.filter(notice__in=notices):
        ways.setdefault(row.notice_id, []).append(row)
    owed = [row.pk for rows in ways.values() if not _is_shown(rows, target) for row in rows if _is_left_out(row)]
    if owed:
        Delivery.objects.filter(pk__in=owed, state=DeliveryState.DECLINED).update(
            state=DeliveryState.WAITING, attempt_after=now, reason=""
        )
        worker_hints.hint_workers_on_commit("deliver")


def _waiting_for(target: str) -> QuerySet[Delivery]:
    return Delivery.objects.filter(IS_OPEN, channel=KIND, target=target)


def _is_shown(ways: Iterable[Delivery], target: str) -> bool:
    """Whether another browser has shown a notice, or still may."""
    others = (row for row in ways if row.channel == KIND)
    return any(
        row.state == DeliveryState.ACCEPTED or (row.state in OPEN_STATES and row.target != target) for row in others
    )


def _is_left_out(delivery: Delivery) -> bool:
    return delivery.state == DeliveryState.DECLINED and delivery.reason == TELLS_INSTEAD


def of(recipients: Collection[int]) -> list[PushSubscription]:
    """Return the browsers of these people, oldest first."""
    return _of(*pad_to_power_of_two(recipients)) if recipients else []


@compiled()
def _of(*recipients: int) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(recipient__pk__in=recipients).order_by("pk")


def at(target: str) -> PushSubscription | None:
    """Return the browser that a delivery goes to, with whether its push service is failing; None if it is gone."""
    rows: list[Any] = _at(target)
    for row in rows:
        row.is_service_failing = bool(row.fails)
    return next(iter(rows), None)


@compiled()
def _at(target: str) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(target=target).annotate(fails=is_service_failing())


def without_device(targets: Collection[str]) -> dict[str, str]:
    """Return those of the targets whose browser is gone, each with the reason."""
    subscribed = PushSubscription.objects.filter(target__in=targets).values_list("target", flat=True)
    return dict.fromkeys({*targets} - {*subscribed}, GONE)


def is_news(subscription: PushSubscription, now: datetime) -> bool:
    """Return whether it would be news of a browser that it took a message."""
    is_late = now - subscription.used_at >= USED_EVERY
    return bool(subscription.is_service_failing or subscription.was_slow or subscription.refusals or is_late)


def record_result(delivery: Delivery, result: "AttemptResult", now: datetime) -> None:
    """Learn from a try what it says of a browser and of its push service."""
    device = at(delivery.target or "")
    if device is None:
        return
    if result.outcome == AttemptOutcome.ACCEPTED:
        if delivery.addressee is not None and delivery.addressee.was_slow:
            record_service_slowness(device.host, now)
        elif device.is_service_failing:
            record_service_success(device.host)
        if is_news(device, now):
            PushSubscription.objects.filter(pk=device.pk).update(used_at=now, refusals=0)
    elif result.is_address:
        forget([device], now, delivery)
    elif result.outcome == AttemptOutcome.REFUSED and result.state == DeliveryState.FAILED:
        _refused(device, delivery, now)
    elif result.outcome in (AttemptOutcome.RETRY, AttemptOutcome.REFUSED):
        release_declined(device.target, now, delivery)
        if result.retry_after is None:  # who names a time is well
            record_service_failure(device.host, now)


def _refused(device: PushSubscription, delivery: Delivery, now: datetime) -> None:
    """A message was refused for good. Whoever refuses all of them is not asked for ever."""
    PushSubscription.objects.filter(pk=device.pk).update(refusals=F("refusals") + 1)
    device.refresh_from_db(fields=["refusals"])
    if device.refusals >= MOST_REFUSALS:
        forget([device], now, delivery)
    else:
        release_declined(device.target, now, delivery)
