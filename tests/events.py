"""The events in docs/webhooks.md, made of `games.api.webhooks`: `python -m tests.events` writes them."""

import json
import os
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from standardwebhooks.webhooks import Webhook

DOCS = Path(__file__).resolve().parent.parent / "docs" / "webhooks.md"
HEADING = "## The events\n"
SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]+")
WIDTH = 120
EVERYWHERE = {"game_ref", "title", "rules", "url", "tournament_ref"}


def page() -> str:
    """The page as it should be: its own words, and behind those of their section the events and the first of them."""
    text = DOCS.read_text()
    before, heading, rest = text.partition(HEADING)
    words = rest.partition("\n| Event")[0]
    secret = SECRET.search(words)
    assert heading and secret, "the section, and the sample secret in it"
    return f"{before}{heading}{words}\n{table()}\n{example(secret[0])}"


def table() -> str:
    """One row for each event: what it tells, and the fields beside those that every event has."""
    from games.api.webhooks import EVENTS

    rows = (f"| `{event.name}` | {event.words} | {_further_fields(event.payload['data'])} |" for event in EVENTS)
    return "\n".join(["| Event | It tells | Further fields |", "|---|---|---|", *rows, ""])


def _further_fields(data: dict[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in data if name not in EVERYWHERE)


def example(secret: str) -> str:
    """The first event as it is sent, signed."""
    from games.api.webhooks import EVENTS

    event, message_id = EVENTS[0], "msg_sample01"
    at = datetime.fromisoformat(event.at) + timedelta(seconds=1)
    body = json.dumps(event.payload, ensure_ascii=False, separators=(",", ":"))
    return (
        f"```\nwebhook-id: {message_id}\nwebhook-timestamp: {int(at.timestamp())}\n"
        f"webhook-signature: {Webhook(secret).sign(message_id, at, body)}\n```\n\n"
        f"```json\n{pretty(event.payload)}\n```\n"
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
