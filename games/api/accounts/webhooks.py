"""The REST API of webhooks: a person's own, those of a hosted table, and their deliveries."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.idempotency import make_once
from games.api.base.paging import NEXT, Cursor, PageQuery
from games.api.base.parsing import Body, Checked, DataSerializer, checked, checked_query
from games.api.base.reasons import ReasonCodeField, ReasonWordsField
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, OPENING, READING, Responses, problems
from games.api.base.scopes import Scope
from games.api.play.serializers import NoBody
from games.people import webhooks
from games.people.webhooks import WebhookSettings
from games.play import queries
from games.tables.models import Game
from notifications import composers, ledger
from notifications.channels.webhook.endpoints import NAME_LENGTH
from notifications.clock import present
from notifications.models import DeliveryState, Endpoint, Shape


class WebhookShape(DataSerializer):
    """A webhook. Its address and its secret are not shown again."""

    ref = serializers.CharField()
    name = serializers.CharField()
    host = serializers.CharField(help_text="Of the address.")
    shape = serializers.CharField(help_text="standard, discord or slack.")
    events = serializers.ListField(child=serializers.CharField())
    game = serializers.CharField(allow_null=True, help_text="The table whose news it is told; null: what you are told.")
    state = serializers.CharField(help_text="working, failing or off.")
    failing_since = serializers.DateTimeField(allow_null=True)
    switched_off_at = serializers.DateTimeField(allow_null=True)
    reason = ReasonWordsField(help_text="Why it was switched off, in words, or empty.")
    reason_code = ReasonCodeField("reason")


class NewWebhookShape(WebhookShape):
    """A webhook with its secret: this once."""

    secret = serializers.CharField()


class WebhookBody(Body):
    """A webhook as you want it."""

    example = {"name": "My bot", "events": ["decision.due", "game.over"]}
    url = serializers.CharField(
        max_length=webhooks.LONGEST_ADDRESS, help_text="https, port 443 or 8443; empty in a change: as it is."
    )
    name = serializers.CharField(max_length=NAME_LENGTH, required=False, default="", allow_blank=True)
    shape = serializers.ChoiceField(choices=[webhooks.AUTO, *Shape.values], required=False, default=webhooks.AUTO)
    events = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        allow_null=True,
        default=None,
        max_length=50,
        help_text="null for all, those that are yet to come included.",
    )


class ChangedWebhookBody(WebhookBody):
    """The same, with or without another address."""

    url = serializers.CharField(
        max_length=webhooks.LONGEST_ADDRESS, required=False, default="", allow_blank=True, help_text="Empty: as it is."
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


SHOWN: Responses = {200: WebhookShape, **problems(*CHANGING)}


def _data(row: Endpoint) -> dict[str, object]:
    game = webhooks.game_of(row)
    return {
        "ref": row.ref,
        "name": row.name,
        "host": row.host,
        "shape": row.shape,
        "events": webhooks.events_of(row),
        "game": game.ref if game else None,
        "state": webhooks.state_of(row),
        "failing_since": row.failing_since,
        "switched_off_at": row.disabled_at,
        "reason": row.disabled_reason,
        "secret": row.secret,
    }


def _settings_of(data: Checked) -> WebhookSettings:
    known = composers.events()
    events = data["events"]
    return WebhookSettings(
        data["url"], data["name"], data["shape"], None if events and set(events) == set(known) else events
    )


def _find(request: Request, ref: str) -> Endpoint:
    return webhooks.find(person(request), ref)


class CallsShape(DataSerializer):
    """A part of what was sent, newest first."""

    calls = CallShape(many=True)
    next = serializers.CharField(allow_null=True, help_text=NEXT)


class Webhooks(Resource):
    """Your webhooks."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(operation_id="list_webhooks", responses={200: WebhookShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """All of yours, those of your tables included."""
        return Response(WebhookShape(map(_data, webhooks.own(person(request))), many=True).data)

    @extend_schema(
        operation_id="make_webhook",
        parameters=[IDEMPOTENCY_KEY],
        request=WebhookBody,
        responses={201: NewWebhookShape, **problems(*OPENING, 409)},
    )
    def post(self, request: Request) -> Response:
        """Makes one that is told what you are told."""
        return _create(request, None)


class TableWebhooks(Resource):
    """Webhooks of a table that you host."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="list_table_webhooks", responses={200: WebhookShape(many=True), **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """Those of this table."""
        game = queries.access_game(person(request), ref).game
        return Response(WebhookShape(map(_data, webhooks.of_table(person(request), game)), many=True).data)

    @extend_schema(
        operation_id="make_table_webhook",
        parameters=[IDEMPOTENCY_KEY],
        request=WebhookBody,
        responses={201: NewWebhookShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Makes one that is told the public news of this table."""
        return _create(request, queries.access_game(person(request), ref).game)


def _create(request: Request, game: Game | None) -> Response:
    user, wanted = person(request), _settings_of(checked(WebhookBody, request))
    row = make_once(
        request,
        webhooks.own(user),
        lambda: webhooks.create(user=user, wanted=wanted, game=game, now=present.now()),
    )
    return Response(NewWebhookShape(_data(row)).data, status=201)


class Webhook(Resource):
    """One webhook."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(operation_id="read_webhook", responses={200: WebhookShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """How it fares."""
        return Response(WebhookShape(_data(_find(request, ref))).data)

    @extend_schema(operation_id="change_webhook", request=ChangedWebhookBody, responses=SHOWN)
    def put(self, request: Request, ref: str) -> Response:
        """Changes name, events, shape and, if one is given, the address, which switches it on."""
        row = _find(request, ref)
        webhooks.change(endpoint=row, wanted=_settings_of(checked(ChangedWebhookBody, request)), now=present.now())
        return Response(WebhookShape(_data(row)).data)

    @extend_schema(operation_id="remove_webhook", responses={204: None, **problems(*CHANGING)})
    def delete(self, request: Request, ref: str) -> Response:
        """Removes it, and with it whatever was still to be sent there."""
        webhooks.remove(endpoint=_find(request, ref), now=present.now())
        return Response(status=204)


class WebhookSecret(Resource):
    """A new secret."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(
        operation_id="renew_webhook_secret", request=NoBody, responses={200: NewWebhookShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Makes a new secret and shows it this once; for a day the former one signs too."""
        row = _find(request, ref)
        checked(NoBody, request)
        webhooks.renew_secret(endpoint=row, now=present.now())
        return Response(NewWebhookShape(_data(row)).data)


class WebhookSwitch(Resource):
    """Switching a webhook on and off."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(operation_id="switch_webhook", request=SwitchBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Switches it on or off."""
        row = _find(request, ref)
        webhooks.switch(endpoint=row, is_on=checked(SwitchBody, request)["is_on"], now=present.now())
        return Response(WebhookShape(_data(_find(request, ref))).data)


class WebhookPing(Resource):
    """Sending a test event."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(operation_id="ping_webhook", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Sends a test there."""
        row = _find(request, ref)
        checked(NoBody, request)
        webhooks.ping(endpoint=row, now=present.now())
        return Response(WebhookShape(_data(row)).data)


class WebhookCalls(Resource):
    """The deliveries of a webhook."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(
        operation_id="list_webhook_calls",
        parameters=[PageQuery],
        responses={200: CallsShape, **problems(*READING, 422)},
    )
    def get(self, request: Request, ref: str) -> Response:
        """What was or will be sent there, newest first, with every try."""
        page = checked_query(PageQuery, request)
        deliveries = webhooks.deliveries(_find(request, ref))
        part, following = Cursor.of_rows(deliveries, "message_id", page, "notice__created_at")
        return Response(CallsShape({"calls": ledger.calls(part), "next": following}).data)


class WebhookAgain(Resource):
    """Sending a delivery again."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(operation_id="send_webhook_again", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str, message_id: str) -> Response:
        """Sends a message once more as it was, under the same webhook-id."""
        row = _find(request, ref)
        checked(NoBody, request)
        webhooks.send_again(endpoint=row, message_id=message_id, now=present.now())
        return Response(WebhookShape(_data(row)).data)
