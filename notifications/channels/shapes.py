"""What is posted to a webhook: data by Standard Webhooks, or a message as Discord and Slack show it.

Names come from people. In a chat they must neither call anybody, nor make links, nor change how the rest looks.
"""

import json
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from notifications.composers import UNTIL, WebhookMessage
from notifications.endpoints import Shape

LARGEST_BODY = 20_000  # bytes, the limit of Standard Webhooks; both chats take more
TITLE_LENGTH = 150  # Discord takes 256, Slack about as much in a line
TEXT_LENGTH = 1900  # Discord takes 4096 and Slack 3000, after escaping
DISCORD_HOSTS = re.compile(r"(?:(?:ptb|canary)\.)?discord(?:app)?\.com")
SLACK_HOSTS = re.compile(r"hooks\.slack(?:-gov)?\.com")
MARKDOWN = re.compile(r"([\\*_~`|>\[\]()<#@:.+-])")
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


def _standard(message: WebhookMessage) -> dict[str, Any]:
    return {"type": message.type, "timestamp": message.timestamp.astimezone(UTC).isoformat(), "data": message.data}


def _discord(message: WebhookMessage) -> dict[str, Any]:
    text = MARKDOWN.sub(r"\\\1", _cut(message.text, TEXT_LENGTH))
    if message.until is not None:
        at = int(message.until.timestamp())
        text = text.replace(UNTIL, f"<t:{at}:F> (<t:{at}:R>)")  # in the zone and language of each reader
    embed = {"title": _cut(message.title, TITLE_LENGTH), "description": text}
    if message.url:
        embed["url"] = message.url
    return {"embeds": [embed], "allowed_mentions": {"parse": []}}


def _slack(message: WebhookMessage) -> dict[str, Any]:
    title, text = (_cut(words, most) for words, most in ((message.title, TITLE_LENGTH), (message.text, TEXT_LENGTH)))
    plain = f"{title}: {text}".replace(UNTIL, _utc(message.until)).translate(LOOKALIKES)
    title, text = title.translate(LOOKALIKES).replace("|", "¦"), text.translate(LOOKALIKES)
    if message.until is not None:
        fallback = _utc(message.until)
        shown = f"<!date^{int(message.until.timestamp())}^{{date_long_pretty}} {{time}}|{fallback}>"
        text = text.replace(UNTIL, shown)
    heading = f"*<{message.url}|{title}>*" if message.url else f"*{title}*"
    section = {"type": "section", "text": {"type": "mrkdwn", "text": f"{heading}\n{text}"}}
    return {"text": plain, "blocks": [section], "unfurl_links": False, "unfurl_media": False}


def _utc(at: datetime | None) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if at else ""


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
