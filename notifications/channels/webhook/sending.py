"""Webhooks by Standard Webhooks 1.0.0: signed, public facts only, to public addresses only."""

import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext_noop
from standardwebhooks.webhooks import Webhook

from notifications.channels.base import Answer, ChannelError
from notifications.channels.http_calls import WAITS, call, wait_asked_for
from notifications.channels.webhook.endpoints import Endpoint
from notifications.channels.webhook.shapes import body_of
from notifications.clock import present
from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.messages import Message, WebhookMessage
from notifications.models import Attempt, Delivery
from notifications.reasons import declare

TOTAL_SECONDS = 15.0
GONE = declare("gone", gettext_noop("the address is gone for good (410)"))
REFUSED = declare("rejected", gettext_noop("it refused the message"))
# By the status that was answered: what a server says while it is set up anew, and what it says for ever.
AWAY = {
    401: declare("not_authorized", gettext_noop("it no longer accepts our messages (401)")),
    403: REFUSED,
    404: declare("not_found", gettext_noop("there's nothing at that address (404)")),
}
REDIRECTS = declare("redirected", gettext_noop("it redirects to another address, and we don't follow redirects"))
IN_TROUBLE = declare("unavailable", gettext_noop("it can't accept messages right now"))
FRESH = 1.0  # seconds after it was read in which a webhook's secret is taken to be what it is
SHORTEST_SECRET = 6  # characters of a part of an address that might be a key to it
UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def pack(delivery: Delivery, message: Message | None) -> str:
    """Return the body. Raises TypeError for what is no webhook."""
    if delivery.body:
        return delivery.body
    if not isinstance(message, WebhookMessage):
        raise TypeError(f"{delivery.notice.kind} composed no webhook")
    return body_of(message, _endpoint_of(delivery).shape)


def send(delivery: Delivery, packed: str) -> Answer:
    """Post a body, which is the delivery's from now on; return the status and how the answer begins.

    Raises ChannelError.
    """
    endpoint, body = _endpoint_of(delivery), packed.encode()
    delivery.body = packed
    headers = signed_headers(_as_now([endpoint, *delivery.shared_endpoints]), delivery.message_id, present.now(), body)
    status, retry_after, excerpt = _post(endpoint, body, headers)
    _judge(status, retry_after, excerpt)
    return Answer(str(status), excerpt)


def _endpoint_of(delivery: Delivery) -> Endpoint:
    if delivery.endpoint is None:
        raise TypeError(f"{delivery.notice.kind} has nowhere to go")
    return delivery.endpoint


def _as_now(endpoints: Sequence[Endpoint]) -> Sequence[Endpoint]:
    """The webhooks with the secrets they have by now: a message may have waited in its claim behind slow ones, and one
    that is signed with the former secret alone would be refused by who has changed to the new one meanwhile."""
    if all(time.monotonic() - endpoint.read_at < FRESH for endpoint in endpoints):
        return endpoints
    stored = [endpoint.pk for endpoint in endpoints if endpoint.pk]
    return (_read_again(*pad_to_power_of_two(stored)) if stored else []) or endpoints


@compiled()
def _read_again(*keys: int) -> QuerySet[Endpoint]:
    return Endpoint.objects.filter(pk__in=keys).order_by("pk")


def signed_headers(endpoints: Sequence[Endpoint], message_id: str, now: datetime, body: bytes) -> dict[str, str]:
    """Return the headers for exactly these bytes, signed for all these webhooks of one address.

    The id is the same at every try, the time is not.
    """
    secrets = dict.fromkeys(secret for endpoint in endpoints for secret in endpoint.secrets(now))
    signatures = [Webhook(one).sign(message_id, now.astimezone(UTC), body.decode()) for one in secrets]
    return {
        "Content-Type": "application/json",
        "User-Agent": f"{settings.SITE_NAME} webhooks",
        "Accept-Encoding": "identity",  # nothing of an answer is unpacked
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _post(endpoint: Endpoint, body: bytes, headers: dict[str, str]) -> tuple[int, str, str]:
    """Return status, Retry-After and how the answer begins. Raises ChannelError."""
    response = call(endpoint.url, body, headers, TOTAL_SECONDS)
    return response.status, response.retry_after, excerpt_of(response.said, endpoint) if response.said else ""


def excerpt_of(said: bytes, endpoint: Endpoint) -> str:
    """How an answer begins, on one line; nothing in it that is a secret of the webhook's, should it be an echo."""
    most = Attempt._meta.get_field("excerpt").max_length or 0
    text = said[: 20 * most].decode(errors="replace").replace("\ufffd", "")
    parts = urlsplit(endpoint.url)
    pieces = re.split(r"[/?&=#;]", f"{parts.path}?{parts.query}")
    hidden = {endpoint.url, endpoint.secret, endpoint.old_secret, *pieces}
    for secret in sorted(hidden, key=len, reverse=True):
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, "…")
    text = UNPRINTABLE.sub(" ", text).strip()
    return text if len(text) <= most else text[: most - 1] + "…"


def _judge(status: int, retry_after: str, excerpt: str) -> None:
    """Accept 2xx; raise ChannelError for all else. Redirects are failures: they would go around every check."""
    if 200 <= status < 300:
        return
    code, wait = str(status), wait_asked_for(retry_after, present.now())
    if status == HTTPStatus.GONE:
        raise ChannelError(GONE, permanent=True, code=code, disables_endpoint=True, excerpt=excerpt)
    is_permanent = 300 <= status < 500 and status not in (*WAITS, *AWAY)
    why = AWAY.get(status) or (REDIRECTS if status < 400 else REFUSED if is_permanent else IN_TROUBLE)
    raise ChannelError(why, permanent=is_permanent, code=code, retry_after=wait, excerpt=excerpt)
