"""A breaker for each push service: most browsers share a few of them, and one that is down shall not hold up the rest.

After two failures in a row nothing is sent there for a while, which grows; then one message tries whether it works
again. A browser may name any host as its push service, so those that fail, or are slow, cost at most one sender at a
time, all of them together.
"""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet, Value

from notifications.channels.push import KIND
from notifications.channels.push.models import PushService, PushSubscription
from notifications.models import Delivery

FAILURES = 2  # in a row, before a push service rests: the second confirms the first
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
    troubled = is_troubled()
    if not failing:
        return free.exclude(troubled, channel=KIND)
    held = Delivery.objects.filter(troubled, channel=KIND, lease_until__gt=now)
    return free.exclude(troubled, Exists(held), channel=KIND)


def is_troubled() -> Exists:
    """Whether a delivery goes to a browser whose push service took nothing last time."""
    return _goes_to(PushService.objects.all())


def _goes_to(services: QuerySet[PushService]) -> Exists:
    at_one = Exists(services.filter(host=OuterRef("host")))
    return Exists(PushSubscription.objects.filter(at_one, target=OuterRef("target")))


def is_failing() -> Exists:
    """Whether the push service of a subscription is failing."""
    return Exists(PushService.objects.filter(host=OuterRef("host")))


def record_failure(host: str, now: datetime) -> None:
    """A push service took nothing, and not because of the message: after some of these it rests."""
    row, is_new = PushService.objects.get_or_create(host=host, defaults={"failed_at": now, "failures": 1})
    news = PushService.objects.filter(pk=row.pk, failures=row.failures, failed_at__lte=now - TOGETHER)
    failures = row.failures + 1
    if not is_new and news.update(failures=failures, failed_at=now) and failures >= FAILURES:
        rest = min(FIRST_REST * 2 ** min(failures - FAILURES, DOUBLINGS), LONGEST_REST)
        PushService.objects.filter(host=host).update(rests_until=now + rest)


def record_slowness(host: str, now: datetime) -> None:
    """A push service took a message, and its time: until it is quick again it is in trouble, but does not rest."""
    PushService.objects.update_or_create(host=host, defaults={"failed_at": now, "failures": 1, "rests_until": None})


def record_success(host: str) -> None:
    """A push service took a message: it is out of trouble."""
    PushService.objects.filter(host=host).delete()
