"""The events of webhooks: meaning, data and an example of each.

The one source of the webhooks in the OpenAPI description and of the events in docs/webhooks.md.
"""

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

from engine.core import JsonObject
from games.api.base.parsing import DataSerializer


class SeatFacts(DataSerializer):
    """A seat as everybody may know it."""

    seat = serializers.IntegerField(min_value=0, help_text="Its number, from 0.")
    player = serializers.CharField(help_text="The name on it.")


class TableFacts(DataSerializer):
    """The table it is about."""

    game = serializers.CharField(help_text="The reference of the game, as in its address and in the API.")
    title = serializers.CharField(help_text="The name of the table.")
    rules = serializers.CharField(help_text="Which game is played there.")
    url = serializers.URLField(help_text="The page of the table, for those who may see it.")
    tournament = serializers.CharField(
        allow_null=True, help_text="The reference of the tournament it is played in; null for other games."
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
    """Who sends the test."""

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
ANNA, BEN, CARLA = ({"seat": number, "player": name} for number, name in enumerate(("Anna", "Ben", "Carla")))
TABLE = {
    "game": "k3v9pq2mzt7a",
    "title": "Thursday",
    "rules": "aladdins-dragons",
    "url": "https://play.example/table/k3v9pq2mzt7a/",
    "tournament": None,
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
        "2026-11-20T18:04:11+00:00",
        _asked("2026-11-21T18:04:11+00:00"),
    ),
    Event(
        "decision.reminder",
        f"The same question still waits. {PUBLIC_ONLY}",
        DecisionFacts,
        "2026-11-21T13:16:11+00:00",
        _asked("2026-11-21T18:04:11+00:00"),
    ),
    Event(
        "decision.excused",
        f"The deadline passed, and the time was given once more. {PUBLIC_ONLY}",
        DecisionFacts,
        "2026-11-21T18:04:12+00:00",
        _asked("2026-11-22T18:04:12+00:00"),
    ),
    Event(
        "decision.extended",
        "The deadline was moved: we were down or could not reach the player, or the host or a moderator gave more "
        f"time. {PUBLIC_ONLY}",
        DecisionFacts,
        "2026-11-21T06:00:02+00:00",
        _asked("2026-11-22T06:04:11+00:00"),
    ),
    Event(
        "decision.passed",
        f"The deadline passed, and the move was made. {PUBLIC_ONLY}",
        DecisionFacts,
        "2026-11-22T18:04:13+00:00",
        _asked(None),
    ),
    Event(
        "seat.absent",
        "The game no longer waits for this player: after several misses in a row, or because a moderator has given the "
        "seat to a bot.",
        SeatedFacts,
        "2026-11-25T18:04:13+00:00",
        {**TABLE, "seats": [BEN]},
    ),
    Event(
        "seat.taken_over",
        "Somebody else, who is named, plays on in this seat.",
        SeatedFacts,
        "2026-11-27T09:30:00+00:00",
        {**TABLE, "seats": [{"seat": 1, "player": "David"}]},
    ),
    Event(
        "game.started",
        "A game begins; `seats` has everybody at the table, bots included.",
        SeatedFacts,
        "2026-11-20T18:00:00+00:00",
        {**TABLE, "seats": [ANNA, BEN, CARLA]},
    ),
    Event(
        "game.paused",
        "The clocks stand still: more than half of the players wanted it, or a moderator. The game goes on by "
        "itself at `paused_until`, or null.",
        PausedFacts,
        "2026-11-27T09:30:00+00:00",
        {**TABLE, "paused_until": "2026-12-27T09:30:00+00:00"},
    ),
    Event(
        "game.resumed",
        "The clocks run again; `due_at` is when the game goes on at the latest, or null.",
        ResumedFacts,
        "2026-12-01T08:00:00+00:00",
        {**TABLE, "due_at": "2026-12-02T08:00:00+00:00"},
    ),
    Event(
        "game.rolled_back",
        "A moderator has taken the game back: it goes on from an earlier `step`, with fresh randomness. What was asked "
        "before is asked no more; what is asked now comes as `decision.due`, under new names.",
        RolledBackFacts,
        "2026-12-03T08:00:00+00:00",
        {**TABLE, "step": 41, "branch": 1},
    ),
    Event(
        "table.closed",
        "A table was closed before its game began, or its game was ended without a result, by a moderator or by "
        "agreement of its players.",
        TableFacts,
        "2026-11-20T17:00:00+00:00",
        dict(TABLE),
    ),
    Event(
        "game.over",
        "`winners` are seats, usually one; `ranking` has everybody, best first.",
        OverFacts,
        "2026-12-20T18:04:13+00:00",
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
        "2026-11-20T17:30:00+00:00",
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
    "401": "You do not want it: the webhook is switched off. 404 and 410 say the same.",
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
        methods["post"]["parameters"] = parameters
    return result
