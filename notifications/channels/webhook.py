"""Webhooks by Standard Webhooks 1.0.0: signed, public facts only, to public addresses only."""

import contextlib
import json
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import SplitResult, urlsplit

import requests
from django.conf import settings
from django.utils.translation import gettext_noop
from requests_hardened.ip_filter import InvalidIPAddress
from standardwebhooks.webhooks import Webhook
from urllib3.exceptions import HTTPError

from notifications.channels.base import ChannelError
from notifications.channels.guard import Deadline, ForbiddenAddress, session
from notifications.clock import present
from notifications.composers import MailMessage, WebhookMessage
from notifications.models import Delivery, Endpoint

TOTAL_SECONDS = 15.0
LARGEST_PAYLOAD = 20_000  # bytes, the specification's limit
LARGEST_ANSWER = 64 * 1024  # bytes that are read of an answer
PORTS = (None, 443, 8443)
NO_ADDRESS = gettext_noop("its address is none")
GONE = {  # these and the other reasons for switching a webhook off are shown to its owner, in his language
    401: gettext_noop("it no longer knows us"),
    404: gettext_noop("there is nothing there"),
    410: gettext_noop("it is gone for good"),
}
WAITS = (408, 425, 429)  # "later", among the answers that otherwise mean "never"


class WebhookChannel:
    """Posts messages to the endpoints of recipients."""

    def send(self, delivery: Delivery, message: MailMessage | WebhookMessage) -> str:
        """Post one message; return the status. Raises ChannelError."""
        if not isinstance(message, WebhookMessage) or delivery.endpoint is None:
            raise TypeError(f"{delivery.notice.kind} composed no webhook")
        body = payload(message)
        headers = signed_headers(delivery.endpoint, delivery.message_id, present.now(), body)
        status, retry_after = _post(delivery.endpoint.url, body, headers)
        _judge(status, retry_after)
        return str(status)


def payload(message: WebhookMessage) -> bytes:
    """Return the bytes that are signed and sent. Raises ValueError above 20 kB: that is an error of the composer's."""
    fields = {"type": message.type, "timestamp": message.timestamp.astimezone(UTC).isoformat(), "data": message.data}
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    if len(body) >= LARGEST_PAYLOAD:
        raise ValueError(f"a payload of {len(body)} bytes is too large")
    return body


def signed_headers(endpoint: Endpoint, message_id: str, now: datetime, body: bytes) -> dict[str, str]:
    """Return the headers for exactly these bytes. The id is the same at every try, the time is not."""
    signatures = [Webhook(one).sign(message_id, now.astimezone(UTC), body.decode()) for one in endpoint.secrets(now)]
    return {
        "Content-Type": "application/json",
        "User-Agent": f"{settings.SITE_NAME} webhooks",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def refusal(url: str) -> str:
    """Return why nothing will be sent to an address, or "": a msgid. Where its host stands is asked later, in use."""
    try:
        parts = urlsplit(url)
        return _refusal_of(parts, parts.port) if parts.hostname else NO_ADDRESS
    except ValueError:
        return NO_ADDRESS


def _refusal_of(parts: SplitResult, port: int | None) -> str:
    is_tried_out = settings.WEBHOOK_ALLOW_INSECURE
    if parts.username is not None or parts.password is not None:
        return gettext_noop("its address holds a name or a password")
    if parts.scheme != "https" and not (is_tried_out and parts.scheme == "http"):
        return gettext_noop("its address does not begin with https")
    if port not in PORTS and not is_tried_out:
        return gettext_noop("its port is neither 443 nor 8443")
    return ""


def _post(url: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """Return status and Retry-After. Raises ChannelError."""
    with Deadline(TOTAL_SECONDS) as deadline, session(deadline, loopback=settings.WEBHOOK_ALLOW_INSECURE) as http:
        request = _prepared(http, url, body, headers)
        try:
            with http.send(request, stream=True, allow_redirects=False) as answer:
                with contextlib.suppress(HTTPError, OSError):  # the status says it all; reading on is only polite
                    answer.raw.read(LARGEST_ANSWER, decode_content=False)
                return answer.status_code, answer.headers.get("Retry-After", "")
        except (ForbiddenAddress, InvalidIPAddress):
            raise _never(gettext_noop("its host is at no public address")) from None
        except (requests.RequestException, OSError) as error:
            what = "no answer in time" if deadline.is_over else type(error).__name__
            raise ChannelError(what) from None  # the cause holds the address, which is a secret


def _prepared(http: requests.Session, url: str, body: bytes, headers: dict[str, str]) -> requests.PreparedRequest:
    try:
        prepared = http.prepare_request(requests.Request("POST", url, data=body, headers=headers))
    except ValueError:  # all of requests' complaints about an address are
        raise _never(NO_ADDRESS) from None
    # As it was written, and as it will be used: two readers of addresses may differ, and either may be fooled.
    why_not = refusal(url) or refusal(prepared.url or "")
    if why_not:
        raise _never(why_not)
    return prepared


def _never(why: str) -> ChannelError:
    return ChannelError(why, permanent=True, disables_endpoint=True)


def _judge(status: int, retry_after: str) -> None:
    """Accept 2xx; raise ChannelError for all else. Redirects are failures: they would go around every check."""
    if 200 <= status < 300:
        return
    code, wait = str(status), wait_asked_for(retry_after, present.now())
    if status in GONE:
        raise ChannelError(GONE[status], permanent=True, code=code, disables_endpoint=True)
    is_permanent = 300 <= status < 500 and status not in WAITS
    raise ChannelError(f"it answered {status}", permanent=is_permanent, code=code, retry_after=wait)


def wait_asked_for(value: str, now: datetime) -> timedelta | None:
    """Read a Retry-After header: seconds or a date (RFC 9110, 10.2.3). None if there is none, or nonsense."""
    if value.isascii() and value.isdigit() and len(value) < 8:
        return timedelta(seconds=int(value))
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(timedelta(0), (date if date.tzinfo else date.replace(tzinfo=UTC)) - now)
