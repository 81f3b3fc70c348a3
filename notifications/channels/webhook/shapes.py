"""What is posted to a webhook: data by Standard Webhooks, or a message as Discord and Slack show it.

Names come from people. In a chat they must neither call anybody, nor make links, nor change how the rest looks.
"""

import itertools
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import urlsplit

from notifications.channels.webhook.endpoints import Shape
from notifications.messages import UNTIL, WebhookMessage

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
    made = {Shape.DISCORD: _discord, Shape.SLACK: _slack}.get(Shape(shape), _standard)(message)
    body = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    if (size := len(body.encode())) >= LARGEST_BODY:
        raise ValueError(f"a payload of {size} bytes is too large")
    return body


def _standard(message: WebhookMessage) -> dict[str, object]:
    return {"type": message.type, "timestamp": message.timestamp.astimezone(UTC).isoformat(), "data": message.data}


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
    return {"embeds": [embed], "allowed_mentions": {"parse": []}}


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
    """As much of the text as has at most so many characters when each of it is escaped; nothing that is not seen."""
    pieces = [escape(one) for one in text if one.isprintable() or one in UNSEEN or one == UNTIL]
    if sum(map(len, pieces)) <= most:
        return "".join(pieces)
    sizes = itertools.accumulate(map(len, pieces))
    return "".join(piece for piece, size in zip(pieces, sizes, strict=True) if size < most) + "…"
