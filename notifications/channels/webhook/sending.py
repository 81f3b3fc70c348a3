"""Webhooks by Standard Webhooks 1.0.0: signed, public facts only, to public addresses only."""

import itertools
import json
import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext_noop
from standardwebhooks.webhooks import Webhook

from notifications.channels.base import Answer, ChannelError
from notifications.channels.http_calls import WAITS, Response, call, wait_asked_for
from notifications.channels.webhook.models import MESSAGE_LENGTH, ChatMessage, Endpoint, Shape
from notifications.clock import present
from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.messages import UNTIL, Message, WebhookMessage
from notifications.models import Attempt, Delivery, Notice
from notifications.reasons import declare

# What is posted to a webhook: data by Standard Webhooks, or a message as Discord and Slack show it.

LARGEST_BODY = 20_000  # bytes, the limit of Standard Webhooks; both chats take more
TITLE_LENGTH = 200  # escaped; Discord takes 256
TEXT_LENGTH = 2000  # escaped; Discord takes 4096 and Slack 3000, and twice this in the largest letters is a body
DISCORD_HOSTS = re.compile(r"(?:(?:ptb|canary)\.)?discord(?:app)?\.com")
SLACK_HOSTS = re.compile(r"hooks\.slack(?:-gov)?\.com")
MARKDOWN = re.compile(r"[\\*_~`|>\[\]()<#@:.+-]")
UNSEEN = "\n\u2068\u2069"  # that a text may hold: line breaks, and what keeps a name's direction its own
LOOKALIKES = str.maketrans({"*": "∗", "_": "＿", "~": "∼", "`": "ˋ", "&": "&amp;", "<": "&lt;", ">": "&gt;"})


def recognised(url: str) -> Shape:
    """The shape that an address itself asks for."""
    parts = urlsplit(url)
    host, path = (parts.hostname or "").rstrip("."), parts.path
    if SLACK_HOSTS.fullmatch(host):
        return Shape.SLACK
    if DISCORD_HOSTS.fullmatch(host) and path.startswith("/api/"):
        return Shape.SLACK if path.rstrip("/").endswith("/slack") else Shape.DISCORD
    return Shape.STANDARD


def body_of(message: WebhookMessage, shape: str) -> str:
    """The body of the request. Raises ValueError from 20 kB on: that is an error of the composer's."""
    content = {Shape.DISCORD: _discord, Shape.SLACK: _slack}.get(Shape(shape), _standard)(message)
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    if (size := len(body.encode())) >= LARGEST_BODY:
        raise ValueError(f"a payload of {size} bytes is too large")
    return body


def _standard(message: WebhookMessage) -> dict[str, object]:
    return {"type": message.type, "timestamp": present.as_text(message.timestamp), "data": message.data}


def _discord(message: WebhookMessage) -> dict[str, object]:
    def escape(text: str) -> str:
        return MARKDOWN.sub(r"\\\g<0>", text)

    text = _bounded(message.text, TEXT_LENGTH, escape)
    if message.until is not None:
        at = int(message.until.timestamp())
        text = text.replace(UNTIL, f"<t:{at}:F> (<t:{at}:R>)")  # in the zone and language of each reader
    embed = {"title": _bounded(message.title, TITLE_LENGTH, escape), "description": text}
    if message.url:
        embed["url"] = message.url
    if not message.mentions:
        return {"embeds": [embed], "allowed_mentions": {"parse": []}}
    content = " ".join(f"<@{user}>" for user in message.mentions)
    return {"content": content, "embeds": [embed], "allowed_mentions": {"users": message.mentions}}


def _slack(message: WebhookMessage) -> dict[str, object]:
    def escape(text: str) -> str:
        return text.translate(LOOKALIKES)

    title = _bounded(message.title.replace("|", "¦"), TITLE_LENGTH, escape)
    text = _bounded(message.text, TEXT_LENGTH, escape)
    plain = f"{title}: {text}".replace(UNTIL, _utc(message.until))
    if message.until is not None:
        shown = f"<!date^{int(message.until.timestamp())}^{{date_long_pretty}} {{time}}|{_utc(message.until)}>"
        text = text.replace(UNTIL, shown)
    heading = f"*<{message.url}|{title}>*" if message.url else f"*{title}*"
    words = {"type": "mrkdwn", "text": f"{heading}\n{text}", "verbatim": True}  # names make no links
    return {
        "text": plain,
        "blocks": [{"type": "section", "text": words}],
        "unfurl_links": False,
        "unfurl_media": False,
    }


def _utc(at: datetime | None) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if at else ""


def _bounded(text: str, most: int, escape: Callable[[str], str]) -> str:
    """Cuts the text to at most so many characters when each of it is escaped; signs that are not seen go."""
    pieces = [escape(sign) for sign in text if sign.isprintable() or sign in UNSEEN or sign == UNTIL]
    if sum(map(len, pieces)) <= most:
        return "".join(pieces)
    sizes = itertools.accumulate(map(len, pieces))
    return "".join(piece for piece, size in zip(pieces, sizes, strict=True) if size < most) + "…"


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


def send(delivery: Delivery, message: Message | None) -> Answer:
    """Post the delivery's body, which a message becomes at the first try; return the status and how the answer begins.

    Raises ChannelError, and TypeError for what is no webhook.
    """
    endpoint = delivery.endpoint
    if endpoint is None or not (delivery.body or isinstance(message, WebhookMessage)):
        raise TypeError(f"{delivery.notice.kind} composed no webhook, or has nowhere to go")
    if isinstance(message, WebhookMessage):
        delivery.body = body_of(message, endpoint.shape)
    body = delivery.body.encode()
    headers = signed_headers(_as_now([endpoint, *delivery.shared_endpoints]), delivery.message_id, present.now(), body)
    if is_edited(delivery):
        response = _keep_up_to_date(endpoint, delivery.notice, body, headers)
    else:
        response = call(endpoint.url, body, headers, TOTAL_SECONDS)
    status, retry_after = response.status, response.retry_after
    excerpt = excerpt_of(response.said, endpoint) if response.said else ""
    _judge(status, retry_after, excerpt)
    return Answer(str(status), excerpt)


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
    signatures = [Webhook(secret).sign(message_id, now.astimezone(UTC), body.decode()) for secret in secrets]
    return {
        "Content-Type": "application/json",
        "User-Agent": f"{settings.SITE_NAME} webhooks",
        "Accept-Encoding": "identity",  # nothing of an answer is unpacked
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


# A table's message in Discord is one, edited in place: an edit pings nobody, so who is to be mentioned gets a new one,
# which is edited from then on. Slack's webhooks cannot edit.

NEWER = declare("newer_shown", gettext_noop("the chat already shows newer news"))


def is_edited(delivery: Delivery) -> bool:
    """Whether a delivery is public news of a thread for a chat that can edit its messages."""
    endpoint = delivery.endpoint
    is_chat = endpoint is not None and endpoint.shape == Shape.DISCORD and bool(endpoint.thread)
    return is_chat and bool(delivery.notice.thread)


def is_outdated(delivery: Delivery) -> bool:
    """Whether the chat's message shows newer news than this."""
    shown = _messages(delivery.target or "", delivery.notice) if is_edited(delivery) else ChatMessage.objects.none()
    return shown.filter(told_at__gt=delivery.notice.created_at).exists()


def _messages(target: str, notice: Notice) -> QuerySet[ChatMessage]:
    return ChatMessage.objects.filter(target=target, thread=notice.thread)


def _keep_up_to_date(endpoint: Endpoint, notice: Notice, body: bytes, headers: dict[str, str]) -> Response:
    """Edit the message of the thread; where there is none, it was deleted, or somebody is mentioned, post one.

    Raises ChannelError.
    """
    parts = urlsplit(endpoint.url)
    posted = _messages(endpoint.target, notice).first()
    if posted is not None and "content" not in json.loads(body):
        url = urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/messages/{posted.message}"))
        response = call(url, body, headers, TOTAL_SECONDS, "PATCH")
        if response.status == HTTPStatus.OK:
            _messages(endpoint.target, notice).update(told_at=notice.created_at)
        if response.status != HTTPStatus.NOT_FOUND:
            return response
        posted.delete()
    url = urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, "wait=true")))))
    response = call(url, body, headers, TOTAL_SECONDS)
    if message := _id_of(response):
        ChatMessage.objects.update_or_create(
            target=endpoint.target, thread=notice.thread, defaults={"message": message, "told_at": notice.created_at}
        )
    return response


def _id_of(response: Response) -> str:
    """Return the id of the message that was posted, "" for an answer that names none."""
    try:
        message = str(json.loads(response.said)["id"]) if response.status == HTTPStatus.OK else ""
    except (ValueError, LookupError, TypeError):
        return ""
    return message if message.isascii() and message.isdigit() and len(message) <= MESSAGE_LENGTH else ""


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
