"""The REST API of webhooks: a person's own, those of his tables, clubs and tournaments, and their deliveries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
    extend_schema_field,
    inline_serializer,
)
from rest_framework import serializers
from rest_framework.request import Request

from engine.core import JsonObject
from games.api.access import Scope
from games.api.parsing import Body, ComputedField, DataSerializer, ReasonCodeField, ReasonWordsField
from games.api.resource import Cursor, ListPart, Operations, PageQuery, make_once, person
from games.clubs import clubs
from games.play import queries
from games.tables import webhooks
from games.tables.webhooks import WebhookSettings
from games.tournaments import tournaments
from notifications import composers, ledger
from notifications.channels.webhook.models import NAME_LENGTH
from notifications.clock import present
from notifications.models import DeliveryState, Endpoint, Shape

operation = Operations(Scope.ACCOUNT)

STATES = ["working", "failing", "off"]
SHAPES = [webhooks.AUTO, *Shape.values]


class WebhookShape(DataSerializer):
    """A webhook. Its address and its secret are not shown again."""

    ref = serializers.CharField()
    name = serializers.CharField()
    url_host = serializers.CharField(source="host", help_text="Of the address.")
    shape = serializers.ChoiceField(Shape.choices)
    events = ComputedField(webhooks.events_of, serializers.ListField(child=serializers.CharField()))
    game_ref = ComputedField(
        lambda row: webhooks.ref_of(row, "game"),
        serializers.CharField(allow_null=True, help_text="The table whose news it is told, or null."),
    )
    club_ref = ComputedField(
        lambda row: webhooks.ref_of(row, "club"),
        serializers.CharField(allow_null=True, help_text="The club of whose tables it is told, or null."),
    )
    tournament_ref = ComputedField(
        lambda row: webhooks.ref_of(row, "tournament"),
        serializers.CharField(
            allow_null=True,
            help_text="The tournament of whose tables it is told, or null.",
        ),
    )
    state = ComputedField(webhooks.state_of, serializers.ChoiceField(STATES))
    failing_since = serializers.DateTimeField(allow_null=True)
    switched_off_at = serializers.DateTimeField(source="disabled_at", allow_null=True)
    reason = ReasonWordsField(source="disabled_reason", help_text="Why it was switched off, in words, or empty.")
    reason_code = ReasonCodeField("disabled_reason")


class NewWebhookShape(WebhookShape):
    """A webhook with its secret: this once."""

    secret = serializers.CharField()


class WebhookBody(Body):
    """A webhook as you want it."""

    example = {"name": "My bot", "events": ["decision.due", "game.over"]}
    url = serializers.CharField(max_length=webhooks.LONGEST_ADDRESS, help_text="https, port 443 or 8443.")
    name = serializers.CharField(max_length=NAME_LENGTH, required=False, default="", allow_blank=True)
    shape = serializers.ChoiceField(choices=SHAPES, required=False, default=webhooks.AUTO)
    events = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        allow_null=True,
        default=None,
        max_length=50,
        help_text="null for all, those that are yet to come included.",
    )


class ChangedWebhookBody(Body):
    """The parts of a webhook to change."""

    example = {"name": "My bot", "events": ["decision.due", "game.over"]}
    url = serializers.CharField(max_length=webhooks.LONGEST_ADDRESS, required=False, help_text="Another address.")
    name = serializers.CharField(max_length=NAME_LENGTH, required=False, allow_blank=True)
    shape = serializers.ChoiceField(choices=SHAPES, required=False)
    events = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        allow_null=True,
        max_length=50,
        help_text="null for all, those that are yet to come included.",
    )


class SwitchBody(Body):
    """Whether it is on."""

    is_on = serializers.BooleanField()


class CallTryShape(DataSerializer):
    """One try at a message."""

    started_at = serializers.DateTimeField()
    milliseconds = serializers.IntegerField(allow_null=True)
    code = serializers.CharField(help_text="The status, or empty.")
    detail = ReasonWordsField(help_text="What came of it, in words.")
    reason_code = ReasonCodeField("detail")
    excerpt = serializers.CharField(help_text="How the answer begins.")


class CallShape(DataSerializer):
    """One message and what became of it."""

    id = serializers.CharField(source="message_id", help_text="The webhook-id.")
    event = serializers.CharField()
    created_at = serializers.DateTimeField()
    state = serializers.ChoiceField(DeliveryState.choices, help_text="What became of it.")
    words = serializers.CharField(help_text="The same for people, in their language.")
    reason = serializers.CharField(help_text="Why, in words, or empty.")
    reason_code = ReasonCodeField()
    next_try_at = serializers.DateTimeField(source="next_at", allow_null=True)
    body = serializers.CharField(help_text="What was sent, or empty.")
    tries = CallTryShape(many=True)


def _settings_of(events: list[str] | None, **facts: Any) -> WebhookSettings:
    is_all = events is not None and set(events) == set(composers.events())
    return WebhookSettings(**facts, events=None if is_all else events)


def _find(request: Request, ref: str) -> Endpoint:
    return webhooks.find(person(request), ref)


@operation("GET me/webhooks/", answer=[WebhookShape], for_bots=True)
def list_webhooks(request: Request) -> object:
    """Lists your webhooks, those of your tables, clubs and tournaments included."""
    return webhooks.own(person(request))


@operation(
    "POST me/webhooks/",
    body=WebhookBody,
    answer=NewWebhookShape,
    once=True,
    errors=[409],
    for_bots=True,
    location="api_read_webhook",
)
def make_webhook(request: Request, **facts: Any) -> object:
    """Makes one that is told what you are told."""
    return _create(request, None, **facts)


@operation("GET games/<slug:ref>/webhooks/", answer=[WebhookShape])
def list_table_webhooks(request: Request, ref: str) -> object:
    """Lists the webhooks of this table."""
    return webhooks.of_source(person(request), queries.access_game(person(request), ref).game)


@operation(
    "POST games/<slug:ref>/webhooks/", body=WebhookBody, answer=NewWebhookShape, once=True, location="api_read_webhook"
)
def make_table_webhook(request: Request, ref: str, **facts: Any) -> object:
    """Makes one that is told the public news of this table."""
    return _create(request, queries.access_game(person(request), ref).game, **facts)


@operation("GET clubs/<slug:ref>/webhooks/", answer=[WebhookShape])
def list_club_webhooks(request: Request, ref: str) -> object:
    """Lists the webhooks of a club that you own."""
    return webhooks.of_source(person(request), clubs.find_club(person(request), ref))


@operation(
    "POST clubs/<slug:ref>/webhooks/", body=WebhookBody, answer=NewWebhookShape, once=True, location="api_read_webhook"
)
def make_club_webhook(request: Request, ref: str, **facts: Any) -> object:
    """Makes one that is told the public news of all tables of a club that you own."""
    return _create(request, clubs.find_club(person(request), ref), **facts)


@operation("GET tournaments/<slug:ref>/webhooks/", answer=[WebhookShape])
def list_tournament_webhooks(request: Request, ref: str) -> object:
    """Lists the webhooks of a tournament that you host."""
    return webhooks.of_source(person(request), tournaments.find_tournament(ref))


@operation(
    "POST tournaments/<slug:ref>/webhooks/", body=WebhookBody, answer=NewWebhookShape, once=True,
    location="api_read_webhook",
)  # fmt: skip
def make_tournament_webhook(request: Request, ref: str, **facts: Any) -> object:
    """Makes one that is told the public news of all tables of a tournament that you host."""
    return _create(request, tournaments.find_tournament(ref), **facts)


def _create(request: Request, source: Any, **facts: Any) -> Endpoint:
    user, wanted = person(request), _settings_of(**facts)
    return make_once(
        request,
        webhooks.own(user),
        lambda: webhooks.create(user=user, wanted=wanted, source=source, now=present.now()),
    )


@operation("GET me/webhooks/<slug:ref>/", answer=WebhookShape, for_bots=True)
def read_webhook(request: Request, ref: str) -> object:
    """How it fares."""
    return _find(request, ref)


@operation("PATCH me/webhooks/<slug:ref>/", of=_find, body=ChangedWebhookBody, answer=WebhookShape, for_bots=True)
def change_webhook(request: Request, webhook: Endpoint, **facts: Any) -> object:
    """Changes name, events, shape and, if one is given, the address, which switches it on."""
    now = {"url": "", "name": webhook.name, "shape": webhook.shape, "events": webhooks.events_of(webhook)}
    webhooks.change(endpoint=webhook, wanted=_settings_of(**(now | facts)), now=present.now())
    return webhook


@operation("DELETE me/webhooks/<slug:ref>/", of=_find, for_bots=True)
def remove_webhook(request: Request, webhook: Endpoint) -> None:
    """Removes it, and with it whatever was still to be sent there."""
    webhooks.remove(endpoint=webhook, now=present.now())


@operation("POST me/webhooks/<slug:ref>/secret/", of=_find, answer=NewWebhookShape, for_bots=True)
def renew_webhook_secret(request: Request, webhook: Endpoint) -> object:
    """Makes a new secret and shows it this once; for a day the former one signs too."""
    webhooks.renew_secret(endpoint=webhook, now=present.now())
    return webhook


@operation("POST me/webhooks/<slug:ref>/switch/", of=_find, body=SwitchBody, answer=WebhookShape, for_bots=True)
def switch_webhook(request: Request, webhook: Endpoint, is_on: bool) -> None:
    """Switches it on or off."""
    webhooks.switch(endpoint=webhook, is_on=is_on, now=present.now())


@operation("POST me/webhooks/<slug:ref>/ping/", of=_find, answer=WebhookShape, for_bots=True)
def ping_webhook(request: Request, webhook: Endpoint) -> object:
    """Sends a test there."""
    webhooks.ping(endpoint=webhook, now=present.now())
    return webhook


@operation("GET me/webhooks/<slug:ref>/calls/", of=_find, query=PageQuery, answer=[CallShape], for_bots=True)
def list_webhook_calls(request: Request, webhook: Endpoint, **page: Any) -> object:
    """Lists the calls of a webhook, newest first, with every try."""
    deliveries = webhooks.deliveries(webhook)
    part = Cursor.of_rows(deliveries, "message_id", page, "notice__created_at")
    return ListPart(ledger.calls(part.items), part.next)


@operation("POST me/webhooks/<slug:ref>/calls/<slug:message_id>/again/", of=_find, answer=WebhookShape, for_bots=True)
def send_webhook_again(request: Request, webhook: Endpoint, message_id: str) -> object:
    """Sends a message once more as it was, under the same webhook-id."""
    webhooks.send_again(endpoint=webhook, message_id=message_id, now=present.now())
    return webhook


# Events: meaning, data and an example of each


class SeatFacts(DataSerializer):
    """A seat as everybody may know it."""

    seat = serializers.IntegerField(min_value=0, help_text="Its number, from 0.")
    name = serializers.CharField(help_text="On the seat.")


class TableFacts(DataSerializer):
    """The table it is about."""

    game_ref = serializers.CharField(help_text="Of the game, as in its address and in the API.")
    title = serializers.CharField(help_text="The name of the table.")
    rules = serializers.CharField(help_text="Which game is played there.")
    url = serializers.URLField(help_text="The page of the table, for those who may see it.")
    tournament_ref = serializers.CharField(
        allow_null=True, help_text="Of the tournament it is played in; null for other games."
    )


class SeatedFacts(TableFacts):
    """The table and the seats it is about."""

    seats = SeatFacts(many=True)


class DecisionFacts(SeatedFacts):
    """A question to one or several seats."""

    decision = serializers.CharField(help_text="Names the question in this game.")
    kind = serializers.CharField(help_text="What sort of question it is.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="Until when at the latest; null: no clock runs.")


class PausedFacts(TableFacts):
    """A game whose clocks stand still."""

    paused_until = serializers.DateTimeField(allow_null=True, help_text="When it goes on by itself; null: never.")


class ResumedFacts(TableFacts):
    """A game whose clocks run."""

    due_at = serializers.DateTimeField(allow_null=True, help_text="When it goes on at the latest, or null.")


class RolledBackFacts(TableFacts):
    """A game that goes on from an earlier step."""

    step = serializers.IntegerField(min_value=1, help_text="Which, as the game's history counts them.")
    branch = serializers.IntegerField(min_value=1, help_text="How often this game has been taken back.")


class PlaceFacts(SeatFacts):
    """How a seat came out."""

    place = serializers.IntegerField(min_value=1)
    score = serializers.IntegerField()


class OverFacts(TableFacts):
    """A game with its result."""

    winners = serializers.ListField(child=serializers.IntegerField(min_value=0), help_text="Numbers of seats.")
    ranking = PlaceFacts(many=True, help_text="Everybody, best first.")


class PingFacts(DataSerializer):
    """The sender of the test."""

    site = serializers.URLField(help_text="This service.")


@dataclass(frozen=True)
class Event:
    """One type of message.

    Arguments:
        name: the type.
        words: what it means, in Markdown.
        facts: its `data`.
        at, example: when it happened, and the `data`, in the example.
    """

    name: str
    words: str
    facts: type[DataSerializer]
    at: str
    example: JsonObject

    @property
    def payload(self) -> JsonObject:
        """The whole example."""
        return {"type": self.name, "timestamp": self.at, "data": self.example}


PUBLIC_ONLY = "Not sent for questions that all answer in secret."
ANNA, BEN, CARLA = ({"seat": number, "name": name} for number, name in enumerate(("Anna", "Ben", "Carla")))
TABLE = {
    "game_ref": "k3v9pq2mzt7a",
    "title": "Thursday",
    "rules": "aladdins-dragons",
    "url": "https://play.example/table/k3v9pq2mzt7a/",
    "tournament_ref": None,
}


def _asked(due_at: str | None) -> JsonObject:
    return {**TABLE, "seats": [BEN], "decision": "r3-place-1-4", "kind": "place", "due_at": due_at}


EVENTS: Sequence[Event] = (
    Event(
        "decision.due",
        "One or several players are asked something, all at the same moment: `seats` has them all. `decision` names "
        "the question in this game, `kind` says what sort it is, `due_at` until when at the latest, or null while no "
        "clock runs.",
        DecisionFacts,
        "2026-11-20T18:04:11Z",
        _asked("2026-11-21T18:04:11Z"),
    ),
    Event(
        "decision.reminder",
        f"The same question still waits. {PUBLIC_ONLY}",
        DecisionFacts,
        "2026-11-21T13:16:11Z",
        _asked("2026-11-21T18:04:11Z"),
    ),
    Event(
        "decision.excused",
        f"The deadline passed, and the time was given once more. {PUBLIC_ONLY}",
        DecisionFacts,
        "2026-11-21T18:04:12Z",
        _asked("2026-11-22T18:04:12Z"),
    ),
    Event(
        "decision.extended",
        "The deadline was moved: we were down or could not reach the player, or the host or a moderator gave more "
        f"time. {PUBLIC_ONLY}",
        DecisionFacts,
        "2026-11-21T06:00:02Z",
        _asked("2026-11-22T06:04:11Z"),
    ),
    Event(
        "decision.passed",
        f"The deadline passed, and the move was made. {PUBLIC_ONLY}",
        DecisionFacts,
        "2026-11-22T18:04:13Z",
        _asked(None),
    ),
    Event(
        "seat.absent",
        "The game no longer waits for this player: after several misses in a row, or because a moderator has given the "
        "seat to a bot.",
        SeatedFacts,
        "2026-11-25T18:04:13Z",
        {**TABLE, "seats": [BEN]},
    ),
    Event(
        "seat.taken_over",
        "Somebody else, who is named, plays on in this seat.",
        SeatedFacts,
        "2026-11-27T09:30:00Z",
        {**TABLE, "seats": [{"seat": 1, "name": "David"}]},
    ),
    Event(
        "game.started",
        "A game begins; `seats` has everybody at the table, bots included.",
        SeatedFacts,
        "2026-11-20T18:00:00Z",
        {**TABLE, "seats": [ANNA, BEN, CARLA]},
    ),
    Event(
        "game.paused",
        "The clocks stand still: more than half of the players wanted it, or a moderator. The game goes on by "
        "itself at `paused_until`, or null.",
        PausedFacts,
        "2026-11-27T09:30:00Z",
        {**TABLE, "paused_until": "2026-12-27T09:30:00Z"},
    ),
    Event(
        "game.resumed",
        "The clocks run again; `due_at` is when the game goes on at the latest, or null.",
        ResumedFacts,
        "2026-12-01T08:00:00Z",
        {**TABLE, "due_at": "2026-12-02T08:00:00Z"},
    ),
    Event(
        "game.rolled_back",
        "A moderator has taken the game back: it goes on from an earlier `step`, with fresh randomness. What was asked "
        "before is asked no more; what is asked now comes as `decision.due`, under new names.",
        RolledBackFacts,
        "2026-12-03T08:00:00Z",
        {**TABLE, "step": 41, "branch": 1},
    ),
    Event(
        "table.closed",
        "A table was closed before its game began, or its game was ended without a result, by a moderator or by "
        "agreement of its players.",
        TableFacts,
        "2026-11-20T17:00:00Z",
        dict(TABLE),
    ),
    Event(
        "game.over",
        "`winners` are seats, usually one; `ranking` has everybody, best first.",
        OverFacts,
        "2026-12-20T18:04:13Z",
        {
            **TABLE,
            "winners": [2],
            "ranking": [
                {"place": 1, **CARLA, "score": 8},
                {"place": 2, **ANNA, "score": 6},
                {"place": 3, **BEN, "score": 4},
            ],
        },
    ),
    Event(
        "ping",
        "The test that you send by a button.",
        PingFacts,
        "2026-11-20T17:30:00Z",
        {"site": "https://play.example"},
    ),
)

HEADERS = {
    "webhook-id": "The same at every try of one message: what you have seen already you may ignore.",
    "webhook-timestamp": "When this try was made, in seconds since 1970.",
    "webhook-signature": "One or two of `v1,` and the Base64 HMAC-SHA256 of `id.timestamp.body` under your secret, "
    "with a space between them.",
}
ANSWERS = {
    "2XX": "You have it.",
    "401": "Tried again, like 403 and 404; the webhook is switched off if it says so for a day, by 410 at once.",
    "503": "Not now: it is tried again for three days, never before your `Retry-After`.",
}


def _described(event: Event) -> OpenApiWebhook:
    """Describes an event for drf-spectacular. Its `type` is a constant."""
    field: Any = type("Type", (serializers.CharField,), {})
    word = extend_schema_field({"type": "string", "const": event.name})(field)
    schema = "".join(part.title() for part in event.name.replace("_", ".").split("."))
    fields = {"type": word(), "timestamp": serializers.DateTimeField(), "data": event.facts()}
    answers = {code: OpenApiResponse(description=words) for code, words in ANSWERS.items()}
    decorator = extend_schema(
        operation_id=f"hear_{event.name.replace('.', '_')}",
        summary=event.name,
        description=event.words,
        request=inline_serializer(f"{schema}Event", fields),
        responses=answers,
        examples=[OpenApiExample(event.name, value=event.payload)],
        tags=["webhooks"],
    )
    return OpenApiWebhook(event.name, decorator)


WEBHOOKS = [_described(event) for event in EVENTS]
"""For the settings of drf-spectacular."""


def add_headers(result: JsonObject, **_: object) -> JsonObject:
    """Adds the headers of webhooks, which drf-spectacular leaves out, to the finished description."""
    parameters = [
        {"in": "header", "name": name, "required": True, "schema": {"type": "string"}, "description": words}
        for name, words in HEADERS.items()
    ]
    for methods in result.get("webhooks", {}).values():
        methods["post"]["parameters"] = list(parameters)
    return result
