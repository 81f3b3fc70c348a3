"""The events in docs/webhooks.md, made of `games.api.webhooks`: `python -m tests.events` writes them."""

import json
import os
import re
import textwrap
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from standardwebhooks.webhooks import Webhook

DOCS = Path(__file__).resolve().parent.parent / "docs" / "webhooks.md"
HEADING = "## The events\n"
SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]+")
WIDTH = 120


def page() -> str:
    """The page as it should be: its own words, and the events behind those of their section."""
    text = DOCS.read_text()
    before, heading, rest = text.partition(HEADING)
    words = rest.partition("\n### ")[0]
    secret = SECRET.search(words)
    assert heading and secret, "the section, and the sample secret in it"
    return f"{before}{heading}{words}\n{events(secret[0])}"


def events(secret: str) -> str:
    """All of them, signed."""
    from games.api.webhooks import EVENTS

    return "\n".join(_event(event, f"msg_sample{number:02}", secret) for number, event in enumerate(EVENTS, 1))


def _event(event: Any, message_id: str, secret: str) -> str:
    at = datetime.fromisoformat(event.at) + timedelta(seconds=1)
    body = json.dumps(event.payload, ensure_ascii=False, separators=(",", ":"))
    return (
        f"### `{event.name}`\n\n{textwrap.fill(event.words, WIDTH)}\n\n```\nwebhook-id: {message_id}\n"
        f"webhook-timestamp: {int(at.timestamp())}\nwebhook-signature: {Webhook(secret).sign(message_id, at, body)}\n"
        f"```\n\n```json\n{pretty(event.payload)}\n```\n"
    )


def pretty(value: Any, indent: str = "") -> str:
    """JSON as one likes to read it: what fits on a line stands on it, below the two outermost levels."""
    line = json.dumps(value, ensure_ascii=False)
    deeper = indent + "  "
    if isinstance(value, dict) and len(indent) < 4:
        inner = [f"{deeper}{json.dumps(name)}: {pretty(one, deeper)}" for name, one in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{indent}}}" if inner else line
    if isinstance(value, list) and len(line) > WIDTH - 10:
        return "[\n" + ",\n".join(f"{deeper}{pretty(one, deeper)}" for one in value) + f"\n{indent}]"
    return line


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    DOCS.write_text(page())
