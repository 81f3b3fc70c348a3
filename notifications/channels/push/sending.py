"""One message handed to a push service, and what its answer means."""

from django.utils.translation import gettext_noop

from notifications.channels.base import Answer, ChannelError
from notifications.channels.http_calls import WAITS, call, wait_asked_for
from notifications.channels.push import devices
from notifications.channels.push.messages import PushRequest, request_for
from notifications.clock import present
from notifications.composers import topic_of
from notifications.messages import PushMessage
from notifications.models import Delivery
from notifications.reasons import declare

TOTAL_SECONDS = 10.0
GONE = (404, 410)  # RFC 8030, 7.3: the subscription has expired
REDIRECTS = declare(
    "push_redirected", gettext_noop("its push service redirects to another address, and we don't follow redirects")
)
REFUSED = declare("push_rejected", gettext_noop("its push service refused the message"))
IN_TROUBLE = declare("push_unavailable", gettext_noop("its push service can't accept messages right now"))


def pack(delivery: Delivery, message: object) -> PushRequest:
    """Return the request. Raises TypeError for what is no push message, ChannelError if the browser is gone."""
    if not isinstance(message, PushMessage):
        raise TypeError(f"{delivery.notice.kind} composed no push message")
    device = delivery.addressee = devices.at(delivery.target or "")
    if device is None:
        raise ChannelError(devices.GONE, permanent=True)
    topic = topic_of(delivery.notice.kind)
    return request_for(
        device, delivery.notice, message, is_needed=topic is not None and topic.is_needed, now=present.now()
    )


def send(packed: PushRequest) -> Answer:
    """Post it; return the status. Raises ChannelError."""
    response = call(packed.url, packed.body, packed.headers, TOTAL_SECONDS)
    status, code = response.status, str(response.status)
    if 200 <= status < 300:
        return Answer(code)
    if status in GONE:
        raise ChannelError(devices.GONE, permanent=True, is_address=True, code=code)
    is_permanent = 300 <= status < 500 and status not in WAITS
    why = REDIRECTS if status < 400 else REFUSED if is_permanent else IN_TROUBLE
    wait = wait_asked_for(response.retry_after, present.now())
    raise ChannelError(why, permanent=is_permanent, code=code, retry_after=wait)
