"""What webhooks say, as docs/webhooks.md promises it."""

import datetime as dt
import functools
import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker, ValidationError

from games.api.webhooks import EVENTS, HEADERS, Event
from games.lobby import lifecycle
from games.models import Decision, Game, User
from games.people import accounts
from games.people.accounts import ProfileChange
from games.play import absences, notify, pauses
from games.play.letters import EVENTS as NAMES
from games.play.letters import WEBHOOK_GONE
from games.tables import webhooks
from notifications import composers
from notifications.channels.base import ChannelError
from notifications.channels.webhook.channel import WebhookChannel
from notifications.channels.webhook.sending import body_of, signed_headers
from notifications.clock import present
from notifications.composers import has_form
from notifications.ids import new_secret
from notifications.messages import Form
from notifications.models import Delivery, Endpoint
from tests import events as events_page
from tests.capabilities import node_binary
from tests.games.conftest import seat_of
from tests.games.letters.conftest import asked_again, end_soon, hook, let_pass, newest, stale

ID = "123456789012345678"


def sent(kind: str, reader: User) -> dict[str, Any]:
    """The payload as it would leave."""
    message = hook(kind, reader)
    assert message is not None
    found: dict[str, Any] = json.loads(body_of(message, "standard"))
    return found


def check(found: dict[str, Any]) -> None:
    """The payload has the fields of the documented one, and is as the OpenAPI description says."""
    documented = {event.name: event.payload for event in EVENTS}[found["type"]]
    assert fields_of(found) == fields_of(documented)
    described(found, found["type"])


def fields_of(value: Any) -> Any:
    """Which fields there are, in which order."""
    if isinstance(value, dict):
        return {name: fields_of(inner) for name, inner in value.items()}
    return [fields_of(value[0])] if isinstance(value, list) and value else None


@functools.cache
def schema() -> dict[str, Any]:
    """The OpenAPI description, as it is served."""
    found: dict[str, Any] = json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))  # type: ignore[no-untyped-call]  # it has no types
    return found


def described(payload: dict[str, Any], event: str) -> None:
    """Raises ValidationError for what the description of an event does not allow."""
    body = schema()["webhooks"][event]["post"]["requestBody"]["content"]["application/json"]["schema"]
    whole = {**body, "components": schema()["components"]}
    Draft202012Validator(whole, format_checker=FormatChecker()).validate(payload)


@pytest.mark.slow
def test_due_and_its_reminder(turn: Decision, ben: User, now: dt.datetime) -> None:
    asked_again("reminder", turn, now)
    asked_again("excused", turn, now)
    for kind, name in (("due", "decision.due"), ("reminder", "decision.reminder"), ("excused", "decision.excused")):
        found = sent(kind, ben)
        assert found["type"] == name
        check(found)
        assert found["data"]["decision"] == turn.code
        assert found["data"]["seats"] == [{"seat": turn.seat.number, "name": "Ben"}]
        assert found["data"]["due_at"] == "2026-03-05T12:00:00Z"


@pytest.mark.parametrize(("changes", "users"), [({}, [ID]), ({"hides_names": True}, None)])
def test_whoever_gave_discord_his_id_is_mentioned_once_when_he_is_asked(
    turn: Decision, ben: User, now: dt.datetime, changes: dict[str, bool], users: list[str] | None
) -> None:
    accounts.change_profile(user=ben, wanted=ProfileChange(name="Ben", language="en", zone="UTC", discord_id=ID))
    Game.objects.filter(pk=turn.game_id).update(**changes)
    asked_again("reminder", turn, now)
    posted = {kind: json.loads(body_of(hook(kind, ben), "discord")) for kind in ("due", "reminder")}
    assert posted["due"]["allowed_mentions"].get("users") == users
    assert posted["due"].get("content") == (f"<@{ID}>" if users else None)
    assert "content" not in posted["reminder"] and ID not in body_of(hook("due", ben), "standard")


def test_extended(turn: Decision, ben: User, now: dt.datetime) -> None:
    turn.due_at = now + dt.timedelta(days=2)
    turn.save()
    turn.seat = seat_of(turn.game, ben)
    notify.extended(turn, now)
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
    notify.taken_over(seat, carla.recipient, now)
    check(sent("taken_over", carla))
    lifecycle.close(game_id=table.pk, host=anna, now=now)
    check(sent("closed", anna))


def test_paused_and_resumed(turn: Decision, anna: User, ben: User, now: dt.datetime) -> None:
    for user in (anna, ben):
        seat = seat_of(turn.game, user)
        pauses.set_wish(game_id=turn.game_id, seat=seat.number, is_wanted=True, now=now)
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
    row = webhooks.create(user=ben, wanted=webhooks.WebhookSettings("https://hooks.example.org/x"), now=now)
    webhooks.ping(endpoint=row, now=now)
    check(sent("ping", ben))
    row.delete()
    assert stale("ping", ben) == WEBHOOK_GONE


@pytest.mark.slow
def test_every_type_that_is_sent_is_described_and_named_and_no_other() -> None:
    types = [event.name for event in EVENTS]
    assert sorted(types) == sorted([*composers.events(), "ping"]) == sorted(schema()["webhooks"])
    assert set(composers.events()) <= set(NAMES) and len(types) == 14


@pytest.mark.parametrize("event", EVENTS, ids=[event.name for event in EVENTS])
def test_each_example_is_as_the_description_says_and_stands_in_it(event: Event) -> None:
    described(event.payload, event.name)
    for spoilt in (event.payload | {"type": "x"}, event.payload | {"data": {}}, event.payload | {"timestamp": None}):
        with pytest.raises(ValidationError):
            described(spoilt, event.name)
    operation = schema()["webhooks"][event.name]["post"]
    (example,) = operation["requestBody"]["content"]["application/json"]["examples"].values()
    assert example["value"] == event.payload and operation["description"] == event.words
    assert [one["$ref"].rsplit("/", 1)[-1] for one in operation["parameters"]] == list(HEADERS)


def test_the_page_about_webhooks_shows_the_same_events_signed() -> None:
    assert events_page.DOCS.read_text() == events_page.page(), "python -m tests.events writes them"


def program_in_python() -> str:
    """The one program of the page in Python."""
    (code,) = re.findall(r"```python\n(.*?)```", events_page.DOCS.read_text(), re.DOTALL)
    return str(code)


def test_the_documented_python_takes_what_is_sent_and_nothing_else(ben: User, now: dt.datetime) -> None:
    program: dict[str, Any] = {}
    exec(program_in_python(), program)  # noqa: S102  the documentation's own words
    row = webhooks.create(user=ben, wanted=webhooks.WebhookSettings("https://hooks.example.org/x"), now=now)
    body = b'{"type":"ping","timestamp":"2026-11-20T17:30:00+00:00","data":{}}'
    headers = signed_headers([row], "msg_1", dt.datetime.now(dt.UTC), body)
    assert program["receive"](body, headers, row.secret)["type"] == "ping"
    assert program["receive"](body + b" ", headers, row.secret) is None


@pytest.fixture
def node() -> Iterator[tuple[str, str]]:
    """The documented program in Node, listening: its address and the secret it was given."""
    binary, secret = node_binary(), new_secret()
    assert binary is not None
    with subprocess.Popen(
        [binary, events_page.DOCS.parent / "examples" / "webhook.mjs"],
        env={"SECRET": secret, "PORT": "0"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().split()[-1]}/hook", secret
        process.terminate()
        assert process.stdout.read() == "ping \n" * 2, "it says what it heard"


def test_the_documented_program_in_node_takes_what_is_sent_and_nothing_else(
    node: tuple[str, str], ben: User, settings: Any, now: dt.datetime
) -> None:
    settings.WEBHOOK_ALLOW_INSECURE = True
    url, secret = node
    later = present.now() + dt.timedelta(days=1)
    both = Endpoint(url=url, secret=new_secret(), old_secret=secret, old_secret_until=later)
    body = '{"type":"ping","timestamp":"2026-11-20T17:30:00+00:00","data":{}}'
    with time_machine.travel(dt.datetime.now(dt.UTC)):
        for endpoint, status in ((Endpoint(url=url, secret=secret), "204"), (both, "204")):
            assert post(endpoint, body) == status
        assert post(Endpoint(url=url, secret=new_secret()), body) == "400"
    with time_machine.travel(dt.datetime.now(dt.UTC) - dt.timedelta(minutes=6)):
        assert post(Endpoint(url=url, secret=secret), body) == "400", "it is too old"


def post(endpoint: Endpoint, body: str) -> str:
    """What is answered to a body."""
    try:
        return WebhookChannel().send(Delivery(endpoint=endpoint, message_id="msg_1", body=body), None).code
    except ChannelError as error:
        return error.code


@pytest.mark.parametrize(("kind", "expected"), [("invited", False), ("due", True)])
def test_an_invitation_goes_by_mail_alone(kind: str, expected: bool) -> None:
    assert has_form(kind, Form.ANNOUNCEMENT) is expected


@pytest.mark.parametrize("kind", ["due", "started"])
def test_words_for_a_chat_are_in_the_language_of_the_webhooks_owner(turn: Decision, ben: User, kind: str) -> None:
    words = {
        composers.announce([newest(kind, ben)], language).text  # type: ignore[union-attr]
        for language in ("en", "de", "es")
    }
    assert len(words) == 3 and all("Ben" in text for text in words)
