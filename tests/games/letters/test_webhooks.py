"""What webhooks say, as docs/webhooks.md promises it."""

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import pytest

from games.models import Decision, Game, User
from games.services import absences, pauses, tables, telling
from notifications.channels.webhook import payload
from notifications.composers import composer_for, supports
from tests.games.conftest import seat_of
from tests.games.letters.conftest import asked_again, end_soon, hook, let_pass

DOCS = Path(__file__).parents[3] / "docs" / "webhooks.md"


def documented() -> dict[str, Any]:
    """The example payloads of the documentation, by type."""
    blocks = re.findall(r"```json\n(.*?)```", DOCS.read_text(), re.DOTALL)
    return {example["type"]: example for example in map(json.loads, blocks)}


def sent(kind: str, reader: User) -> dict[str, Any]:
    """The payload as it would leave."""
    message = hook(kind, reader)
    assert message is not None
    found: dict[str, Any] = json.loads(payload(message))
    return found


def check(found: dict[str, Any]) -> None:
    """The payload has the fields of the documented one, and values of the same types."""
    example = documented()[found["type"]]
    assert found.keys() == example.keys()
    assert {name: type(value) for name, value in found["data"].items()} == {
        name: type(value) for name, value in example["data"].items()
    }


def test_due_and_its_reminder(turn: Decision, ben: User, now: dt.datetime) -> None:
    asked_again("reminder", turn, now)
    asked_again("excused", turn, now)
    for kind, name in (("due", "decision.due"), ("reminder", "decision.reminder"), ("excused", "decision.excused")):
        found = sent(kind, ben)
        assert found["type"] == name
        check(found)
        assert found["data"]["decision"] == turn.code
        assert found["data"]["due_at"] == "2026-03-05T12:00:00+00:00"


def test_passed(turn: Decision, ben: User, now: dt.datetime) -> None:
    let_pass(turn, now)
    check(sent("passed", ben))


def test_started_absent_taken_over_and_closed(
    turn: Decision, table: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    check(sent("started", ben))
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


def test_every_documented_type_is_one_we_send() -> None:
    kinds = ["due", "reminder", "excused", "passed", "started", "game_over", "absent", "taken_over", "closed"]
    kinds += ["paused", "resumed"]
    assert {getattr(composer_for(kind), "event", "") for kind in kinds} == set(documented())


@pytest.mark.parametrize(("kind", "expected"), [("invited", False), ("due", True)])
def test_an_invitation_goes_by_mail_alone(kind: str, expected: bool) -> None:
    assert supports(kind, "webhook") is expected
