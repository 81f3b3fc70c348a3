"""What webhooks say, as docs/webhooks.md promises it."""

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from games.models import Decision, Game, User
from games.services import absences, pauses, tables, telling, webhooks
from notifications import composers
from notifications.channels.shapes import body_of
from notifications.composers import supports
from tests.games.conftest import seat_of
from tests.games.letters.conftest import asked_again, end_soon, hook, let_pass, newest

DOCS = Path(__file__).parents[3] / "docs" / "webhooks.md"
EXAMPLE = re.compile(
    r"### `(?P<type>[\w.]+)`\n.*?```\nwebhook-id: (?P<id>\S+)\nwebhook-timestamp: (?P<at>\d+)\n"
    r"webhook-signature: (?P<signature>\S+)\n```\n\n```json\n(?P<body>.*?)```",
    re.DOTALL,
)


def documented() -> dict[str, Any]:
    """The example payloads of the documentation, by type."""
    return {found["type"]: json.loads(found["body"]) for found in EXAMPLE.finditer(DOCS.read_text())}


def sent(kind: str, reader: User) -> dict[str, Any]:
    """The payload as it would leave."""
    message = hook(kind, reader)
    assert message is not None
    found: dict[str, Any] = json.loads(body_of(message, "standard"))
    return found


def shape_of(value: Any) -> Any:
    """Which fields there are, in which order, and of which types."""
    if isinstance(value, dict):
        return {name: shape_of(inner) for name, inner in value.items()}
    return [shape_of(value[0])] if isinstance(value, list) and value else type(value)


def check(found: dict[str, Any]) -> None:
    """The payload has the fields of the documented one, and values of the same types."""
    assert shape_of(found) == shape_of(documented()[found["type"]])


def test_due_and_its_reminder(turn: Decision, ben: User, now: dt.datetime) -> None:
    asked_again("reminder", turn, now)
    asked_again("excused", turn, now)
    for kind, name in (("due", "decision.due"), ("reminder", "decision.reminder"), ("excused", "decision.excused")):
        found = sent(kind, ben)
        assert found["type"] == name
        check(found)
        assert found["data"]["decision"] == turn.code
        assert found["data"]["seats"] == [{"seat": turn.seat.number, "player": "Ben"}]
        assert found["data"]["due_at"] == "2026-03-05T12:00:00+00:00"


def test_extended(turn: Decision, ben: User, now: dt.datetime) -> None:
    turn.due_at = now + dt.timedelta(days=2)
    turn.save()
    turn.seat = seat_of(turn.game, ben)
    telling.extended(turn, now)
    check(sent("extended", ben))


def test_passed(turn: Decision, ben: User, now: dt.datetime) -> None:
    let_pass(turn, now)
    check(sent("passed", ben))


def test_started_absent_taken_over_and_closed(
    turn: Decision, table: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    check(sent("started", ben))
    assert len(sent("started", ben)["data"]["seats"]) == 3
    seat = seat_of(turn.game, ben)
    absences.make_absent(seat, turn, now)
    check(sent("absent", ben))
    telling.taken_over(seat, carla.recipient, now)
    check(sent("taken_over", carla))
    tables.close(game_id=table.pk, host=anna, now=now)
    check(sent("closed", anna))


def test_paused_and_resumed(turn: Decision, anna: User, ben: User, now: dt.datetime) -> None:
    for user in (anna, ben):
        seat = seat_of(turn.game, user)
        pauses.wish(game_id=turn.game_id, seat=seat.number, is_wanted=True, now=now)
    check(sent("paused", ben))
    pauses.resume_by_moderator(game_id=turn.game_id, now=now)
    check(sent("resumed", ben))


def test_over(game: Game, ben: User, carla: User, now: dt.datetime) -> None:
    game = end_soon(game, carla, now)
    found = sent("game_over", ben)
    check(found)
    assert game.outcome is not None
    assert found["data"]["winners"] == game.outcome["winners"]
    assert [row["seat"] for row in found["data"]["ranking"]] == game.outcome["ranking"]
    assert found["data"] == sent("game_over", carla)["data"]


def test_ping(ben: User, now: dt.datetime) -> None:
    row = webhooks.create(user=ben, wish=webhooks.Wish("https://hooks.example.org/x"), now=now)
    webhooks.ping(endpoint=row, now=now)
    check(sent("ping", ben))


def test_every_documented_type_is_one_we_send() -> None:
    assert [*composers.events(), "ping"] == sorted(documented(), key=[*composers.events(), "ping"].index)
    assert len(composers.events()) == 12 and set(composers.events()) <= {label for label, _words in choices()}


def choices() -> list[tuple[str, Any]]:
    from games.letters.webhooks import EVENTS

    return list(EVENTS.items())


def test_the_documented_signatures_are_those_of_the_documented_bodies() -> None:
    secret = re.search(r"whsec_[A-Za-z0-9+/=]+", DOCS.read_text())
    assert secret is not None
    count = 0
    for found in EXAMPLE.finditer(DOCS.read_text()):
        body = json.dumps(json.loads(found["body"]), ensure_ascii=False, separators=(",", ":"))
        at = dt.datetime.fromtimestamp(int(found["at"]), dt.UTC)
        assert Webhook(secret[0]).sign(found["id"], at, body) == found["signature"], found["type"]
        count += 1
    assert count == 13


def test_the_documented_program_takes_what_is_sent_and_nothing_else(ben: User, now: dt.datetime) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    program: dict[str, Any] = {}
    exec(code, program)  # noqa: S102  the documentation's own words
    row = webhooks.create(user=ben, wish=webhooks.Wish("https://hooks.example.org/x"), now=now)
    webhooks.ping(endpoint=row, now=now)
    message = hook("ping", ben)
    assert message is not None
    from notifications.channels.webhook import signed_headers

    body = body_of(message, "standard").encode()
    headers = signed_headers([row], "msg_1", dt.datetime.now(dt.UTC), body)
    assert program["receive"](body, headers, row.secret)["type"] == "ping"
    assert program["receive"](body + b" ", headers, row.secret) is None


@pytest.mark.parametrize(("kind", "expected"), [("invited", False), ("due", True)])
def test_an_invitation_goes_by_mail_alone(kind: str, expected: bool) -> None:
    assert supports(kind, "webhook") is expected


@pytest.mark.parametrize("kind", ["due", "started"])
def test_words_for_a_chat_are_in_the_language_of_the_webhooks_owner(turn: Decision, ben: User, kind: str) -> None:
    words = {
        composers.hook_of([newest(kind, ben)], language).text  # type: ignore[union-attr]
        for language in ("en", "es")
    }
    assert len(words) == 2 and all("Ben" in text for text in words)
