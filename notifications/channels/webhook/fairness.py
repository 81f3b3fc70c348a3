"""Which webhooks may be sent now, so that web servers that answer slowly do not keep all senders waiting."""

from datetime import datetime

from django.db.models import Count, Exists, OuterRef, QuerySet, Value

from notifications.channels.webhook import KIND
from notifications.channels.webhook.endpoints import Endpoint
from notifications.models import Delivery


def without_busy(
    deliveries: QuerySet[Delivery], now: datetime | Value, at_once: int, *, failing: bool
) -> QuerySet[Delivery]:
    """Leave out deliveries to webhooks for which a sender is at work already.

    One sender for each owner; one for all owners of a webhook that fails; as many as `at_once` for the others.

    Arguments:
        at_once: how many claimers may hold some at a time; 0 for no limit.
        failing: whether webhooks are tried of somebody of whose webhooks one took nothing last time.
    """
    held = Delivery.objects.filter(channel=KIND, lease_until__gt=now)
    served = Endpoint.objects.filter(recipient__in=held.values("endpoint__recipient"))
    free = deliveries.exclude(endpoint__in=served.values("pk"))
    troubled = is_troubled()
    free = free.exclude(troubled, Exists(held.filter(troubled))) if failing else free.exclude(troubled)
    if at_once:
        claimers = held.exclude(troubled).values("channel").annotate(count=Count("lease_owner", distinct=True))
        free = free.exclude(~troubled, Exists(claimers.filter(count__gte=at_once)), channel=KIND)
    return free


def is_troubled() -> Exists:
    """Whether a delivery is to a webhook of somebody of whose webhooks one fails: the others may do so as well."""
    fails = Endpoint.objects.filter(is_enabled=True, failing_since__isnull=False)
    return Exists(fails.filter(recipient__endpoints=OuterRef("endpoint")))
