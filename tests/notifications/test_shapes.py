"""What stands in a chat: names call nobody, make no link, and change nothing around them, however long and odd."""

import datetime as dt
import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from notifications.channels.webhook.sending import LARGEST_BODY, body_of
from notifications.messages import UNTIL, WebhookMessage

NOW = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
URL = "https://play.example/table/abc/"
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
ODD = [
    "@everyone", "@here <@123> <@&9> <#5>", "<!channel> <!here|x> <@U024BE7LH>",
    "**bold** __under__ ~~no~~ `code` ||spoiler||",
    "[click](https://evil.example)", "<https://evil.example|click>", "https://evil.example",
    "# heading\n> quote\n- item",
    "\\", "\\@everyone", "&lt;!channel&gt;", "a|b", "\u202eneerb", "דני", "علي", "x\x00\x07y", "😀" * 40, "\ud800",
]  # fmt: skip


def made(title: str, text: str, shape: str) -> dict[str, Any]:
    message = WebhookMessage("t", NOW, {}, title=title, text=text, url=URL, until=NOW)
    found: dict[str, Any] = json.loads(body_of(message, shape))
    return found


def discord(title: str, text: str) -> tuple[str, str]:
    """Title and text of the one embed, after what holds for all of them was checked."""
    found = made(title, text, "discord")
    assert set(found) == {"embeds", "allowed_mentions"} and found["allowed_mentions"] == {"parse": []}
    (embed,) = found["embeds"]
    assert embed["url"] == URL
    return embed["title"], embed["description"]


def slack(title: str, text: str) -> tuple[str, str]:
    """The words of the one block, and those for a notification."""
    found = made(title, text, "slack")
    (block,) = found["blocks"]
    assert block["text"]["type"] == "mrkdwn" and block["text"]["verbatim"] is True
    assert found["unfurl_links"] is found["unfurl_media"] is False
    return block["text"]["text"], found["text"]


@pytest.mark.parametrize("odd", ODD)
def test_discord_shows_odd_names_as_they_are(odd: str) -> None:
    title, text = discord(odd, f"To move: {odd}.")
    for words in (title, text):
        assert not re.search(r"[*_~`|<>\[\]()#@:]", ESCAPED.sub("", words)), "nothing that means something is left"
    seen = "".join(c for c in odd if c.isprintable() or c == "\n")
    assert ESCAPED.sub(r"\1", title) == seen and ESCAPED.sub(r"\1", text) == f"To move: {seen}."


@pytest.mark.parametrize("odd", ODD)
def test_slack_shows_odd_names_and_has_one_link_our_own(odd: str) -> None:
    text, plain = slack(odd, f"To move: {odd}.")
    heading, _newline, rest = text.partition("|")
    assert heading == f"*<{URL}" and rest.count(">") == 1 and "|" not in rest.split(">*")[0]
    for words in (rest.split(">*", 1)[1], plain):
        assert not re.search(r"[<>*_~`]|&(?!amp;|lt;|gt;)", words)


def test_each_chat_tells_the_time_in_its_readers_zone_and_a_notification_in_utc() -> None:
    at = int(NOW.timestamp())
    assert discord("Thursday", f"Until {UNTIL}.")[1] == f"Until <t:{at}:F> (<t:{at}:R>)\\."
    text, plain = slack("Thursday", f"Until {UNTIL}.")
    assert text.endswith(f"Until <!date^{at}^{{date_long_pretty}} {{time}}|2026-03-04 12:00 UTC>.")
    assert plain == "Thursday: Until 2026-03-04 12:00 UTC."


@pytest.mark.slow
@given(title=st.text(), text=st.text())
@example("&" * 5000, "&" * 5000)
@example("*" * 5000, "*" * 5000)
@example("😀" * 5000, "😀" * 5000)
@example("\x01" * 5000, "\x01" * 5000)
def test_whatever_is_said_both_chats_take_it(title: str, text: str) -> None:
    head, words = discord(title, text)
    assert len(head) <= 256 and len(words) <= 4096
    block, plain = slack(title, text)
    assert len(block) <= 3000 and len(plain) <= 3000
    for shape in ("discord", "slack"):
        assert len(json.dumps(made(title, text, shape), ensure_ascii=False).encode()) < LARGEST_BODY


def test_what_is_cut_says_so_and_no_escape_is_cut_in_two() -> None:
    _title, text = discord("", "@" * 5000)
    assert text.endswith("\\@…") and ESCAPED.sub("", text) == "…"
    _block, plain = slack("", "&" * 5000)
    assert plain.endswith("&amp;…")
