"""The OpenAPI description: errors and headers of operations, tags and scopes, and examples."""

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import (
    Direction,
    OpenApiParameter,
    OpenApiResponse,
    PolymorphicProxySerializer,
    extend_schema_field,
)
from rest_framework import serializers

from engine.core import JsonObject
from games.api.access import scope_of
from games.api.parsing import OWN_EXAMPLE, DataSerializer
from games.api.problems import CODES, MEDIA_TYPE
from notifications import reasons
from notifications.delivery import sending  # noqa: F401  it declares reasons

WHY = {
    400: "The body isn't valid JSON.",
    401: "No token, or one that is not valid.",
    403: "The token is not good for this, it is not yours to do, or a page's request came without its CSRF token.",
    404: "No such thing, or not yours.",
    406: "Only JSON is spoken here.",
    409: "The world has moved on: answered already, game over.",
    413: "The body is too long.",
    415: "Only JSON is understood.",
    422: "A field is missing, unknown or wrong, or the rules forbid it.",
    429: "Too often; see Retry-After.",
    503: "This game is being repaired; the detail says whether your answer is kept.",
}
Responses = dict[int | tuple[int, str], object]  # by status, or status and media type

LISTING = (401, 403, 406, 429)
READING = (*LISTING, 404)
OPENING = (400, 401, 403, 406, 413, 415, 422, 429)
CHANGING = (400, 401, 403, 404, 406, 409, 413, 415, 422, 429, 503)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="At most 200 characters. The same request with the same key acts once.",
)

PREFER = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`return=minimal` for a 204 without a body (RFC 7240): you only want to know that it was taken.",
)
WITH_LOCATION = "x-location"  # the statuses of answers that have one; not in the finished description
MINIMAL = {204: OpenApiResponse(None, "Taken; no more was to be said (`Prefer: return=minimal`).")}


class ErrorShape(DataSerializer):
    """One thing that is wrong with a request."""

    field = serializers.CharField(help_text="Path of the field, such as action.token; empty for the body as a whole.")
    message = serializers.CharField()


class ProblemShape(DataSerializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(help_text="Always about:blank; look at the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence for people, in the language of Accept-Language.")
    code = serializers.CharField(help_text="A word for programs, such as illegal-action.")
    field = serializers.CharField(required=False, help_text="The member of the request that is refused, if it is one.")
    errors = ErrorShape(many=True, required=False)  # type: ignore[assignment]  # the member's name; answers only


def problems(*statuses: int) -> Responses:
    """Describes the errors of an operation."""
    return {(status, MEDIA_TYPE): OpenApiResponse(ProblemShape, WHY[status]) for status in statuses}


def one_of(name: str, kinds: Mapping[str, type[DataSerializer]]) -> PolymorphicProxySerializer:
    """Describes events, each with its word and the data that belong to it.

    Arguments:
        name: of them all in the description.
    """
    whole: dict[str, Any] = {}
    for word, data in kinds.items():
        field: Any = type("Event", (serializers.CharField,), {})
        said = extend_schema_field({"type": "string", "const": word})(field)
        members = {"event": said(help_text="Which event it is."), "data": data(help_text="What happened.")}
        about = {"__doc__": data.__doc__, "__module__": __name__}
        whole[word] = type(f"{word.title()}{name}", (DataSerializer,), {**about, **members})
    return PolymorphicProxySerializer(name, whole, resource_type_field_name="event")


class BearerToken(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Names the token in the description."""

    target_class = "games.api.access.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Describes an HTTP bearer token."""
        return {"type": "http", "scheme": "bearer", "description": "Made on the page of your API tokens."}


class ComputedFieldDescription(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Describes a field that a function makes as the field that writes it."""

    target_class = "games.api.parsing.ComputedField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> JsonObject:
        """Describes the inner field."""
        write = auto_schema._map_serializer_field  # noqa: SLF001  # as the library's own extensions do
        described: JsonObject = write(self.target.field, direction)  # type: ignore[no-untyped-call]  # it has no types
        return described


class ClosedBody(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Says that a request's body has no other fields."""

    target_class = "games.api.parsing.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> JsonObject:
        """Describes the body without additional properties."""
        self.target_class = self.target  # which may be a subclass of the one that was named
        described: JsonObject = super().map_serializer(auto_schema, direction)
        return {**described, "additionalProperties": False, OWN_EXAMPLE: self.target.example}


class PlainName(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # the library registers it untyped
    """Names the data of an answer as people call it in what they generate: `Game`, not `GameShape`."""

    target_class = "games.api.parsing.DataSerializer"
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Returns the name."""
        kind = self.target if isinstance(self.target, type) else type(self.target)
        return kind.__name__.removesuffix("Shape")

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> JsonObject:
        """Describes it as always."""
        self.target_class = self.target
        described: JsonObject = super().map_serializer(auto_schema, direction)
        return described


# Summary, tag and scope of each operation

PARTS = {
    "me": "You", "games": "Games", "tables": "Finding", "rules": "Finding", "players": "Finding", "lessons": "Finding",
    "moderation": "Moderation",
}  # fmt: skip


class Described(AutoSchema):
    """drf-spectacular's schema, with summaries from docstrings, tags from paths, and scopes."""

    def get_summary(self) -> str:
        """The first sentence of the description."""
        return self.get_description().split(". ")[0].split(": ")[0].rstrip(".")[:100]

    def get_tags(self) -> list[str]:
        """The tag for the first part of the path."""
        parts = [part for part in self.path.split("/") if part not in ("", "api", "v1")]
        return [PARTS.get(parts[0], parts[0].title())] if parts else ["Other"]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """The security schemes with the needed scope, which OpenAPI 3.1 allows for any scheme."""
        scope = scope_of(self.view, self.method)
        return [{name: [scope.value] if name == "token" else [] for name in scheme} for scheme in super().get_auth()]


def add_servers(result: JsonObject, **_: object) -> JsonObject:
    """Says where the service is; a postprocessing hook of drf-spectacular."""
    return {**result, "servers": [{"url": settings.SITE_URL}]}


# The sentence for each member and parameter that has none of its own: a word means the same wherever it stands

MEANINGS = {
    "about": "A description in the words of who made it.",
    "absent_after": "After how many missed deadlines in a row nobody waits for a seat any more.",
    "absent_seats": "What becomes of the seat of an absent player.",
    "company": "The least share of answers in time, in percent, of who joins uninvited; `all` for no limit.",
    "hides_names": "Whether nobody but moderators learns who sits where before the end.",
    "welcomes_newcomers": "Whether people of whom nothing is known yet may sit down all the same.",
    "act": "Which act it is.",
    "action": "What was done.",
    "actions": "Every way to answer; send one.",
    "actor": "The name of who did it.",
    "address": "An email address.",
    "allows_own_bots": "Whether a player and that player's bot may both play.",
    "allows_vacation": "Whether a player's clock stands still on vacation.",
    "answer": "What was answered, in words.",
    "answers": "The forms of its answers.",
    "any_play": "Whether it asks you once others show any card, even one that does not touch it.",
    "at": "When it happened.",
    "author": "The name of who wrote it.",
    "begins_at": "When it begins.",
    "behind": "In how many the other one came out better.",
    "board": "The view as plain text.",
    "bot": "The name of a bot of the rules, or of a bot account.",
    "bots": "The names of the bots of these rules.",
    "by_seat": "What single seats have seen beyond it.",
    "channel": "The channel: mail, webhook or push.",
    "channels": "What became of it on each channel.",
    "closed_until": "When the account opens again; null if it is open, or closed for good.",
    "code": "A word for it that is the same in every language.",
    "comment_ref": "Of the line of table talk.",
    "commitment": "SHA-256 of the server's seed, fixed when the table was opened.",
    "created_at": "When it was made.",
    "data": "What belongs to it.",
    "decisions": "What is open to you now, with every way to answer.",
    "default": "What holds if nothing else is chosen.",
    "defaults": "What each seat that is asked would answer.",
    "due_at": "Until when it has to be answered; null while no clock runs.",
    "end": "The hour at which it ends, in your zone.",
    "ending": "How the game ended.",
    "ends_at": "When it ends.",
    "entrant": "The reference of the entrant.",
    "entrant_ref": "Of the entrant.",
    "entrants": "Who has entered.",
    "errors": "Each thing that is wrong.",
    "even_so": "Whether it answers even if others show a card before that touches it.",
    "event": "The type of the message.",
    "events": "The types of messages that are sent.",
    "facts": "The forms of what conditions can be about.",
    "failing_since": "Since when every message has failed; null while they arrive.",
    "fairness": "The proof that nothing was loaded.",
    "fields": "What has to be chosen for it.",
    "finished_at": "When it was over; null before.",
    "first_day": "The first day, in your zone.",
    "friends": "Your friends, by name.",
    "game": "The game, as everybody may see it.",
    "game_ref": "Of the game.",
    "games": "How many games.",
    "given_up": "Messages that were given up.",
    "grade": "How good the answer was.",
    "group": "What it is listed under; null for nothing.",
    "happened": "The lines of the log that it caused.",
    "has_bots": "Only those with a bot, or only those without.",
    "hint": "What to know before choosing it; null for nothing.",
    "hints": "Accounts that have something in common with this one.",
    "host": "The name of who hosts it.",
    "hours": "How many hours.",
    "html": "The text as HTML.",
    "id": "Names it as long as you keep it.",
    "in_time": "How many of them were answered in time.",
    "invitation_ref": "Of the invitation.",
    "is_bot": "Whether it is a bot account.",
    "is_first_miss_excused": "Whether everybody's first missed deadline starts the time once more.",
    "is_friend": "Whether you are friends.",
    "is_hidden": "Whether its words are hidden.",
    "is_lesson": "Whether it is a lesson against bots, without a clock.",
    "is_listed": "Whether anybody may find, watch and join the table.",
    "is_on": "Whether it is to be on.",
    "is_open": "Whether the account is open.",
    "is_sealed": "Whether others see nothing of the answer until it closes.",
    "is_watchable": "Whether whoever has the address may watch.",
    "items": "The list, or this part of it.",
    "kind": "What sort it is; a word for programs, and new ones may come.",
    "kinds": "The kinds of decision that can be answered in advance.",
    "label": "Its name for people.",
    "language": "A language code such as en, de or es.",
    "lines": "In words, line by line.",
    "made_at": "When it was made.",
    "members": "Its members.",
    "message": "What is wrong, in a sentence for people.",
    "message_id": "The webhook-id of a message, or its name in the queue.",
    "milliseconds": "How long it took.",
    "missed": "What a missed deadline does.",
    "most": "With so many entrants it is full.",
    "move": "The number of the move in the record.",
    "moves": "How many moves were compared.",
    "muted": "The names of topics of which you want no email.",
    "name": "A name for people, or of a thing by which it is asked for.",
    "new_address": "The address you want.",
    "new_confirmed_at": "When the new address has said yes; null before.",
    "next_try_at": "When it is tried next; null if it is not.",
    "number": "Which one, counted.",
    "often": "How often, in a word.",
    "old_confirmed_at": "When the old address has said yes; null before.",
    "opened_at": "When it was asked.",
    "options": "What can be chosen, or was.",
    "orders": "Your orders, in the order in which they are tried.",
    "outcome": "How it came out.",
    "owner_ref": "Of the account to which it belongs.",
    "pace": "How long players have to answer.",
    "person_ref": "Of the account.",
    "place": "The place in the ranking, from 1.",
    "places": "Everybody, best first.",
    "played": "How many were played; of a tournament, its rounds, the newest first.",
    "player_ref": "Of the account, as in the address of its profile.",
    "playouts": "How many games were played out for it.",
    "points": "The rating in points.",
    "proposals": "Whether the rules propose an answer to each question.",
    "quarantined_at": "Since when it stands still for repair; null if it does not.",
    "question": "What was asked, in words.",
    "quiet_from": "When your quiet hours begin, by the clock of your zone; null for none.",
    "quiet_holds_all": "Whether quiet hours hold emails that ask for your moves, too.",
    "quiet_until": "When your quiet hours end; null for none.",
    "reason": "Why, in words.",
    "received": "Requests that wait for your answer.",
    "ref": "Its reference.",
    "reporter": "The name of who reported it.",
    "reports": "Reports that wait for an answer.",
    "rhythm": "How often you get email.",
    "round": "The number of the round.",
    "rounds": "How many rounds are played.",
    "rows": "The rows of the table.",
    "rules": "The name of the rule set.",
    "rules_version": "The version of the rules that it is played by.",
    "scopes": "What the token is good for.",
    "score": "The points at the end of the game.",
    "seat": "The number of the seat, from 0; null for none.",
    "seat_count": "How many seats the table has.",
    "seat_counts": "With how many players it can be played.",
    "seats": "The seats.",
    "secret": "What signs its messages; shown this once.",
    "sent": "Your requests that wait for an answer.",
    "server_seed": "The seed from which all chance was drawn; null until the game is over.",
    "settings": "What was chosen.",
    "settled_at": "When it was answered; null before.",
    "shape": "How messages are written: for programs, or as a chat takes them.",
    "signs": "What the two have in common.",
    "silent_until": "Until when the account may not speak; null if it may.",
    "since": "Since when.",
    "snoozed_until": "Until when you get no email; null if you do.",
    "started_at": "When it began; null before.",
    "state": "How it stands.",
    "status": "How it stands.",
    "stays": "Whether it is kept after it has answered.",
    "step": "The number of the step in the game's history.",
    "stops_at_night": "Whether clocks stand still in their players' quiet hours.",
    "stops_on_weekends": "Whether clocks stand still on Saturday and Sunday.",
    "sums": "How often each was played.",
    "switched_off_at": "When it was switched off; null while it is on.",
    "table": "The table at which it goes on.",
    "tables": "Its tables.",
    "text": "The words.",
    "timestamp": "When it happened.",
    "title": "Its title for people.",
    "to": "The name of the recipient.",
    "token": "Its token; of an address, the last part of the link.",
    "topic": "Where it is about; empty for anywhere.",
    "topics": "What can be chosen.",
    "tries": "Every try to deliver it.",
    "turning_points": "What changed the chances most.",
    "type": "Which type it is.",
    "unreachable": "Players to whom no email goes.",
    "until": "Until when; null for no end.",
    "url_host": "The host of its address.",
    "value": "What is sent to choose it.",
    "values": "What can be chosen.",
    "version": "Which version it is.",
    "view": "Everything your seat may see, as the rules describe it.",
    "wants_pause": "Whether its player wants a pause.",
    "ways": "How you are told: by email, webhook, push, or several.",
    "webhooks": "The webhooks of the account.",
    "wins": "How many of them were won.",
    "won": "How many of them were won.",
    "words": "What it is in words.",
    "zone": "An IANA name such as Europe/Madrid.",
}


def describe_members(result: JsonObject, **_: object) -> JsonObject:
    """Says of each member and parameter what it is; a postprocessing hook of drf-spectacular."""
    for schema in result["components"]["schemas"].values():
        for name, member in schema.get("properties", {}).items():
            if "$ref" in member:
                member["allOf"] = [{"$ref": member.pop("$ref")}]
            if not member.get("description") and name in MEANINGS:
                member["description"] = MEANINGS[name]
    for methods in result["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if not parameter.get("description") and parameter["name"] in MEANINGS:
                    parameter["description"] = MEANINGS[parameter["name"]]
    return result


def describe_reasons(result: JsonObject, **_: object) -> JsonObject:
    """Lists the codes of reasons with what they mean; a postprocessing hook of drf-spectacular."""
    codes = {"": "there's nothing to say, or the words are another server's", **reasons.declared()}
    known = [{"const": code, "description": words} for code, words in codes.items()]
    result["components"]["schemas"]["ReasonCode"] = {
        "description": "Why something was not sent, waits, failed or was switched off. New codes may come.",
        "anyOf": [*known, {"type": "string"}],
    }
    reference = {"$ref": "#/components/schemas/ReasonCode"}
    for schema in result["components"]["schemas"].values():
        for name in ("reason_code", "trouble_code"):
            if member := schema.get("properties", {}).get(name):
                kinds = member.pop("type")
                member["anyOf"] = [reference, {"type": "null"}] if "null" in kinds else [reference]
    return result


# Headers of answers

ANSWER_HEADERS = {
    "RateLimit-Limit": (int, "How many such requests are good in a minute."),
    "RateLimit-Remaining": (int, "How many of them are left."),
    "RateLimit-Reset": (int, "The seconds until there is one more."),
    "ETag": (str, "A digest of the answer: as `If-None-Match` it gets a 304 while nothing has changed."),
    "Location": (str, "The address of what was made."),
    "Retry-After": (int, "After how many seconds to come back."),
}
SCHEMAS = {int: {"type": "integer"}, str: {"type": "string"}}
UNCHANGED = {"description": "Nothing has changed since the answer with this ETag."}


def add_answer_headers(result: JsonObject, **_: object) -> JsonObject:
    """Describes the headers of all answers; a postprocessing hook of drf-spectacular."""
    result["components"]["headers"] = {
        name: {"description": words, "schema": SCHEMAS[kind]} for name, (kind, words) in ANSWER_HEADERS.items()
    }
    for methods in result["paths"].values():
        for method, operation in methods.items():
            answers = operation["responses"]
            if method == "get" and "application/json" in answers.get("200", {}).get("content", {}):
                answers["304"] = dict(UNCHANGED)
            for status, answer in answers.items():
                names = [name for name in ANSWER_HEADERS if name.startswith("RateLimit")]
                names += ["ETag"] if method == "get" and status in ("200", "304") else []
                names += ["Location"] if status in operation.get(WITH_LOCATION, ()) else []
                names += ["Retry-After"] if status in ("429", "503") else []
                answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
            operation.pop(WITH_LOCATION, None)
    return result


def describe_streams(result: JsonObject, **_: object) -> JsonObject:
    """Says that the data of an event in a stream are text, which holds the JSON; a postprocessing hook of
    drf-spectacular."""
    schemas = result["components"]["schemas"]
    for methods in result["paths"].values():
        for operation in methods.values():
            content = operation["responses"].get("200", {}).get("content", {})
            if (stream := content.get("text/event-stream")) is not None:
                events = schemas[stream["schema"]["$ref"].rpartition("/")[2]]["oneOf"]
                stream["schema"] = {"oneOf": [_as_text(schemas[one["$ref"].rpartition("/")[2]]) for one in events]}
    return result


def _as_text(event: JsonObject) -> JsonObject:
    members = event["properties"]
    data = members.get("data", {"type": "object"})  # of an event that has none: drf-spectacular leaves it out
    text = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    return {**event, "properties": {**members, "data": text, "id": {"type": "string"}}}


def share_problems(result: JsonObject, **_: object) -> JsonObject:
    """Describes each error, answers without a body, and references in paths once and refers to them: written out
    everywhere, that is more than half of the text.

    A postprocessing hook of drf-spectacular, after the one that adds examples.
    """
    shared: JsonObject = {}
    named: JsonObject = {}
    for methods in (*result.get("paths", {}).values(), *result.get("webhooks", {}).values()):
        for operation in methods.values():
            for place, parameter in enumerate(operation.get("parameters", ())):
                is_alike = parameter["in"] == "path" or parameter["name"].startswith("webhook-")
                if is_alike and named.setdefault(parameter["name"], parameter) == parameter:
                    operation["parameters"][place] = {"$ref": f"#/components/parameters/{parameter['name']}"}
            answers = operation.get("responses", {}) if isinstance(operation, dict) else {}
            for status, answer in answers.items():
                is_alike = MEDIA_TYPE in answer.get("content", {}) or status in ("204", "304")
                if is_alike and shared.setdefault(f"E{status}", answer) == answer:
                    answers[status] = {"$ref": f"#/components/responses/E{status}"}
    result["components"]["responses"] = dict(sorted(shared.items()))
    result["components"]["parameters"] = dict(sorted(named.items()))
    return result


# The example of a record; most of its moves are left out

RECORD: JsonObject = {
    "format": "caravanserai-record",
    "format_version": 2,
    "ref": "k3v9pq2mzt7a",
    "title": "Thursday",
    "rules": "cave-of-wonders",
    "rules_version": 1,
    "options": {"equal_turns": "off", "full_distance": "off"},
    "seats": [{"name": "Anna", "joined": 0, "entropy": "camel"}, {"name": "Bot greedy", "joined": 1, "bot": "greedy"}],
    "commitment": "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
    "server_seed": "0" * 64,
    "started_at": "2026-11-22T18:04:11Z",
    "finished_at": "2026-11-29T07:30:00Z",
    "moves": [
        {
            "number": 1,
            "kind": "start",
            "by": "service",
            "chain": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "position": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278",
            "events": [
                {"type": "GameBegan", "start": 0, "favourites": ["ruby", "emerald"]},
                {"type": "RollRevealed", "turn": 1, "seat": 0, "roll": 4, "again": False},
            ],
            "at": "2026-11-22T18:04:11Z",
        },
        {
            "number": 2,
            "kind": "answer",
            "by": "player",
            "chain": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
            "position": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918",
            "seat": 0,
            "decision": "t1-move-1",
            "action": {"type": "move", "to": "G7"},
            "events": [{"type": "AladdinMoved", "seat": 0, "origin": "G6", "to": "G7", "flew": False}],
            "at": "2026-11-22T18:30:00Z",
        },
    ],
    "outcome": {
        "ending": "complete",
        "winners": [0],
        "ranking": [0, 1],
        "scores": [31, 24],
        "reason": {"code": "won", "params": {"winner": {"seat": 0}}},
    },
}


# Examples, generated from the schema, so that they always match it: a field's name chooses a typical value from WORDS,
# other fields get one of their type

Schema = JsonObject
WORDS: JsonObject = {
    "ref": "k3v9pq2mzt7a", "game_ref": "k3v9pq2mzt7a", "person_ref": "m4x8wq2hzc6r", "title": "Thursday",
    "name": "Anna", "host": "Anna", "player_ref": "m4x8wq2hzc6r", "address": "ben@example.org",
    "new_address": "anna@example.org",
    "language": "en", "zone": "Europe/Madrid", "rules": "aladdins-dragons", "pace": "daily", "bot": "greedy",
    "code": "r1-place-2-1", "kind": "place", "reason": "The harbour is closed.", "text": "Well played, @Ben!",
    "entropy": "camel", "url": "https://hooks.example.org/caravanserai", "scopes": "play", "event": "game.over",
    "discord_id": "123456789012345678",
    "quiet_from": "23:00", "quiet_until": "07:00", "daily_at": "08:00", "first_day": "2026-12-24",
    "last_day": "2026-12-31", "type": "place", "commitment": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15",
    "status": "running", "board": "Round 1 ...", "label": "Cave of gold", "default": "You pass.", "bots": "greedy",
    "action": {"type": "place", "token": 9, "space": "guard"}, "owner": "Ben", "fault": "",
    "message_id": "msg_2NqXwVfRk8aM4tYc",
}  # fmt: skip
DEEPEST = 12
RECORDS = ("read_record", "import_record")  # described by docs/record.schema.json


def add_examples(result: Schema, **_: object) -> Schema:
    """Adds examples of request, response and errors to every operation; a postprocessing hook of drf-spectacular."""
    schemas = result.get("components", {}).get("schemas", {})
    shared: Schema = {}
    for methods in result.get("paths", {}).values():
        for operation in methods.values():
            if isinstance(operation, dict):
                _illustrate(operation, schemas, shared)
    for schema in schemas.values():
        schema.pop(OWN_EXAMPLE, None)
    result["components"]["examples"] = dict(sorted(shared.items()))
    return result


def _illustrate(operation: Schema, schemas: Schema, shared: Schema) -> None:
    if (name := operation.get("operationId")) in RECORDS:
        body = operation["requestBody"] if name == "import_record" else operation["responses"]["200"]
        body["content"]["application/json"]["example"] = RECORD
    for content in operation.get("requestBody", {}).get("content", {}).values():
        schema = content.get("schema", {})
        if "oneOf" in (kinds := schemas.get(schema.get("$ref", "").rsplit("/", 1)[-1], {})):
            for kind in kinds["oneOf"]:
                _show(content, schemas, shared, kind)
        else:
            content.setdefault("example", example_of(schema, schemas))
    for status, answer in operation.get("responses", {}).items():
        for media_type, content in answer.get("content", {}).items():
            if media_type == MEDIA_TYPE:
                content["example"] = _problem(int(status), answer["description"])
            elif media_type == "application/json":
                _show(content, schemas, shared, content.get("schema", {}))


def _show(content: Schema, schemas: Schema, shared: Schema, schema: Schema) -> None:
    """Gives a content its example; what has a named schema refers to one example of that name."""
    if "$ref" not in schema or "example" in content:
        content.setdefault("example", example_of(schema, schemas))
        return
    name = schema["$ref"].rsplit("/", 1)[-1]
    shared.setdefault(name, {"value": example_of(schema, schemas)})
    content.setdefault("examples", {})[name] = {"$ref": f"#/components/examples/{name}"}


def _problem(status: int, words: str) -> Schema:
    code = {409: "conflict", 422: "invalid", 503: "quarantined"}.get(status, CODES.get(status, "broken"))
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": words,
        "code": code,
        **({"errors": [{"field": "limit", "message": "A valid integer is required."}]} if status == 422 else {}),
    }


def example_of(schema: Schema, schemas: Schema, name: str = "", depth: int = 0) -> object:
    """An example value for a schema.

    Arguments:
        known: the named schemas.
        name: of the field it is for.
    """
    schema = _resolved(schema, schemas)
    if "example" in schema or "const" in schema:
        return schema.get("example", schema.get("const"))
    if "enum" in schema:
        wished = WORDS.get(name)
        return (
            wished
            if wished in schema["enum"]
            else next((value for value in schema["enum"] if value), schema["enum"][0])
        )
    makers: dict[str, Callable[[], object]] = {
        "object": lambda: WORDS[name] if isinstance(WORDS.get(name), dict) else _object(schema, schemas, depth),
        "array": lambda: [example_of(schema.get("items", {}), schemas, name, depth + 1)] if depth < DEEPEST else [],
        "string": lambda: _text(schema, name),
        "integer": lambda: int(schema.get("minimum", 1)) or 1,
        "number": lambda: int(schema.get("minimum", 1)) or 1,
        "boolean": lambda: bool(schema.get("default", True)),
    }
    kinds = schema.get("type", "object")
    kind = next((entry for entry in kinds if entry != "null"), "null") if isinstance(kinds, list) else kinds
    return makers[kind]() if kind in makers else None


def _resolved(schema: Schema, schemas: Schema) -> Schema:
    """Resolves a reference, or the first of several alternatives."""
    while True:
        word = next((name for name in ("allOf", "oneOf", "anyOf") if name in schema), "")
        if "$ref" in schema:
            schema = schemas[schema["$ref"].rsplit("/", 1)[-1]]
        elif word:
            schema = schema[word][0]
        else:
            return schema


def _object(schema: Schema, schemas: Schema, depth: int) -> Schema:
    fields = schema.get("properties", {})
    if depth >= DEEPEST:
        return {}
    own = schema.get(OWN_EXAMPLE, {})
    typical = {name: example_of(inner, schemas, name, depth + 1) for name, inner in fields.items() if name not in own}
    return {**typical, **{name: value for name, value in own.items() if value is not ...}}


def _text(schema: Schema, name: str) -> str:
    match schema.get("format"):
        case "date-time":
            return "2026-03-05T12:00:00Z"
        case "date":
            return str(WORDS.get(name, "2026-12-24"))
        case "email":
            return str(WORDS["address"])
        case "uri":
            return str(WORDS["url"])
    if "pattern" in schema and not re.search(schema["pattern"], str(WORDS.get(name, ""))):
        return "08:00"
    text = str(WORDS.get(name, schema.get("default") or name.replace("_", " ") or "..."))
    return text[: schema.get("maxLength", len(text))]
