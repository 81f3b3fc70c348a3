"""The REST API of tables: opening, finding, joining and starting them, seats and invitations."""

from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.registry import newest
from games import links
from games.api import game_shapes
from games.api.game_shapes import GameShape, GamesQuery, GamesShape, NoBody, TakenSeatShape, setting_shape
from games.api.parsing import AnyField, Body, Checked, DataSerializer, WordField, checked, checked_query
from games.api.people import BlocksShape, shown_blocks
from games.api.resource import NEXT, Cursor, PageQuery, Resource, make_once, person
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, OPENING, READING, Responses, problems
from games.errors import Conflict, NotFound, ServiceError
from games.lobby import hosting, invitations, lifecycle, rematch
from games.lobby.models import LONGEST_NAME, TablePreset
from games.moderation.tables import accept_seat
from games.people import blocks
from games.people.blocks import unblocked
from games.people.models import User
from games.play import queries
from games.tables import lists
from games.tables.lists import TableFilter
from games.tables.models import Game
from games.tables.pace import paces
from games.tables.plans import TablePlan
from games.tables.seats import LONGEST_WORDS, Invitation, Seat
from games.tables.settings import OWN_BOTS, SETTINGS, TableSetting
from notifications.clock import present

# Shapes

SEEN = "Of the settings that you have read: if the host has changed them since, you are not seated."


class PaceField(WordField):
    """The name of a pace that hosts may choose: EXTRA_PACE, too, where there is one."""

    def __init__(self, **options: Any) -> None:
        super().__init__([name for name, _label in paces()], **options)


class TablesQuery(PageQuery):
    """Which of the listed tables; what is left out is all the same to you."""

    rules = serializers.CharField(max_length=40, allow_blank=True, default="", help_text="The name of a rule set.")
    free = serializers.IntegerField(min_value=1, max_value=20, default=1, help_text="So many free seats at least.")
    pace = PaceField(required=False)
    language = WordField(settings.LANGUAGES, required=False, help_text="The host's.")
    has_bots = serializers.BooleanField(required=False)


class OptionValueShape(DataSerializer):
    """One choice of an option."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word


class TableOptionShape(DataSerializer):
    """What a host may choose."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    hint = serializers.CharField(allow_null=True)
    default = serializers.CharField()
    suggested = serializers.CharField(help_text="What suits a game that is played over days.")
    values = OptionValueShape(many=True)


class RulesShape(DataSerializer):
    """A game of this service."""

    name = serializers.CharField()
    version = serializers.IntegerField()
    schema_url = serializers.URLField(help_text="JSON Schema of this version's views, events and actions.")
    title = serializers.CharField()
    seat_counts = serializers.ListField(child=serializers.IntegerField())
    bots = serializers.ListField(child=serializers.CharField())
    options = TableOptionShape(many=True)


class TableShape(DataSerializer):
    """A table that waits for players."""

    ref = serializers.CharField()
    title = serializers.CharField()
    host = serializers.CharField(source="host.get_short_name")
    rules = serializers.CharField(source="rules_name")
    options = serializers.DictField(child=serializers.CharField())
    pace = serializers.CharField()
    allows_own_bots = serializers.BooleanField(help_text=OWN_BOTS)
    seat_count = serializers.IntegerField()
    seats = TakenSeatShape(many=True, source="seated", help_text="Those that are taken.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="When it is closed if it has not begun.")


class AgreedShape(DataSerializer):
    """Settings of a table."""

    seats = serializers.IntegerField(source="seat_count")
    options = serializers.DictField(child=serializers.CharField())
    pace = serializers.CharField()

    def get_fields(self) -> dict[str, AnyField]:
        """The fields above, and one for each setting of a table."""
        return {**super().get_fields(), **{setting.name: setting_shape(setting) for setting in SETTINGS}}


class TablesShape(DataSerializer):
    """A part of the listed tables."""

    tables = TableShape(many=True)
    next = serializers.CharField(allow_null=True, help_text=NEXT)


class TableBody(Body):
    """A table as its host wants it."""

    example = {
        "seats": 4,
        "club": "",
        "options": {"open_hoards": "off"},
        "proposals": "on",
        "missed": "proposal",
        "absent_after": 3,
    }
    rules = serializers.CharField(max_length=40, help_text="The name of a rule set.")
    seats = serializers.IntegerField(min_value=1, max_value=20, help_text="How many play.")
    title = serializers.CharField(max_length=60, allow_blank=True, default="", help_text="Named after you if empty.")
    options = serializers.DictField(
        child=serializers.CharField(max_length=40), default=dict, help_text="Of the rules; left out, their defaults."
    )
    pace = PaceField(default="daily")
    club = serializers.CharField(
        max_length=12, allow_blank=True, default="", help_text="Of yours, whose members alone may join; empty: none."
    )
    bots = serializers.ListField(
        child=serializers.CharField(max_length=40),
        default=list,
        max_length=20,
        help_text="One name for each bot: of the rules, or of a bot account that you may seat.",
    )

    def get_fields(self) -> dict[str, AnyField]:
        """The fields above, and one for each setting."""
        return {**super().get_fields(), **{setting.name: setting_field(setting) for setting in SETTINGS}}


def setting_field(setting: TableSetting, *, is_required: bool = True) -> AnyField:
    """Returns the field of a setting.

    Arguments:
        is_required: whether one that is left out is as usual; else it is as it was.
    """
    about = setting.about
    given: dict[str, Any] = {"default": setting.default} if is_required else {"required": False}
    if about.choices is not None:
        words = f"{about.api_hint}{' Empty: as usual.' if about.usual else ''}"
        return WordField(
            about.choices.choices, allow_blank=about.usual is not None, help_text=words or None, **_as_text(given)
        )
    if about.bounds is not None:
        least, largest = about.bounds
        return serializers.IntegerField(min_value=least, max_value=largest, help_text=about.api_hint, **given)
    return serializers.BooleanField(help_text=about.api_hint or None, **given)


def _as_text(given: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if name == "default" else value for name, value in given.items()}


class JoinBody(Body):
    """Sitting down."""

    example = {"steward_hours": 6, "link": ..., "settings_version": ...}
    entropy = serializers.CharField(
        max_length=64, allow_blank=True, default="", help_text="Words of your own that are mixed into the shuffling."
    )
    steward_hours = serializers.IntegerField(
        allow_null=True,
        default=None,
        help_text="After so many of your waking hours what is proposed is played for you.",
    )
    link = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="The last part of the link that you were sent."
    )
    settings_version = serializers.IntegerField(default=None, allow_null=True, min_value=0, help_text=SEEN)


class InvitationBody(Body):
    """Whom to invite."""

    example = {"address": "david@example.org", "words": "Shall we play on Thursdays?"}
    address = serializers.CharField(max_length=254, help_text="An email address.")
    words = serializers.CharField(
        max_length=LONGEST_WORDS, allow_blank=True, default="", help_text="A line of your own, which the email quotes."
    )


class InvitationShape(DataSerializer):
    """A chair that is offered."""

    ref = serializers.CharField()
    address = serializers.CharField()
    status = serializers.CharField(help_text=f"One of {', '.join(Invitation.Status.values)}.")
    seat = serializers.IntegerField(
        source="seat.number",
        default=None,
        allow_null=True,
        help_text="Of an absent player in a running game; else null.",
    )
    created_at = serializers.DateTimeField()


# Seats before the game: adding bots, leaving, invitations

SHOWN: Responses = {200: GameShape, **problems(*CHANGING)}


class BotBody(Body):
    """Which bot."""

    bot = serializers.CharField(
        max_length=40, help_text="One of the `bots` of the rules, or the name of a bot account that you may seat."
    )


class LeavingBody(Body):
    """Who is meant: seats move up when somebody leaves."""

    example = {"name": "Ben"}
    name = serializers.CharField(max_length=40, help_text="The name on that seat. Another one there, and it is a 409.")


class Seats(Resource):
    """The seats of a table."""

    @extend_schema(operation_id="seat_bot", request=BotBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Fills a free seat of a table that you host with a bot of the rules, or with a bot account."""
        bot = checked(BotBody, request)["bot"]
        lifecycle.add_bot(game_id=find_game(request, ref).pk, host=person(request), bot=bot, now=present.now())
        return show_game(request, ref)


class RemoveSeat(Resource):
    """Removing a player."""

    @extend_schema(operation_id="remove_from_seat", request=LeavingBody, responses=SHOWN)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Sends a guest or a bot away from a table that you host, before its game. Those behind move up."""
        game, name = find_game(request, ref), checked(LeavingBody, request)["name"]
        if game.host_id != person(request).pk:
            raise NotFound(_("Only the host of a table can do that."))
        if not any(seat.number == number and name in (seat.name, seat.display_name) for seat in game.seated()):
            raise Conflict(_("The seats have changed in the meantime. Nothing was changed."))
        lifecycle.remove_seat(game_id=game.pk, host=person(request), number=number)
        return show_game(request, ref)


class Leave(Resource):
    """Leaving a table."""

    is_for_bots = True

    @extend_schema(operation_id="leave_table", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Gets you up from a table before its game. Its host closes it instead."""
        game = queries.access_seat(person(request), ref).game
        checked(NoBody, request)
        lifecycle.leave(game_id=game.pk, user=person(request))
        return Response(status=204)


class Invitations(Resource):
    """Inviting."""

    @extend_schema(operation_id="list_invitations", responses={200: InvitationShape(many=True), **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """Whom you have invited to a table that you host, oldest first."""
        game = find_game(request, ref)
        if game.host_id != person(request).pk:
            raise NotFound(_("Only the host of a table can do that."))
        return Response(InvitationShape(game.invitations.select_related("seat").order_by("pk"), many=True).data)

    @extend_schema(
        operation_id="invite",
        parameters=[IDEMPOTENCY_KEY],
        request=InvitationBody,
        responses={201: InvitationShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Invites a mail address to a table that you host. Inviting it again sends nothing."""
        game, host = find_game(request, ref), person(request)
        wanted = checked(InvitationBody, request)
        row = make_once(
            request,
            game.invitations.all(),
            lambda: invitations.invite(game_id=game.pk, host=host, now=present.now(), **wanted),
        )
        return Response(InvitationShape(row).data, status=201)


class Withdraw(Resource):
    """Withdrawing an invitation."""

    @extend_schema(
        operation_id="withdraw_invitation", request=NoBody, responses={200: InvitationShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str, invitation: str) -> Response:
        """Takes an invitation to your table back, as long as nobody has answered it."""
        game = find_game(request, ref)
        checked(NoBody, request)
        invitations.withdraw(ref=invitation, game_id=game.pk, host=person(request))
        return Response(InvitationShape(game.invitations.get(ref=invitation)).data)


class InvitedShape(DataSerializer):
    """A chair that is offered to you."""

    ref = serializers.CharField()
    game = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    host = serializers.CharField(source="inviter.name")
    rules = serializers.CharField(source="game.rules_name")
    options = serializers.DictField(child=serializers.CharField(), source="game.options")
    pace = serializers.CharField(source="game.pace")
    allows_own_bots = serializers.BooleanField(source="game.allows_own_bots", help_text=OWN_BOTS)
    seat_count = serializers.IntegerField(source="game.seat_count")
    settings_version = serializers.IntegerField(
        source="game.settings_version", help_text="To accept what you have read."
    )
    seat = serializers.IntegerField(
        source="seat.number",
        default=None,
        allow_null=True,
        help_text="Of an absent player in a running game; else null.",
    )
    created_at = serializers.DateTimeField()


class MyInvitations(Resource):
    """A person's invitations."""

    @extend_schema(operation_id="list_my_invitations", responses={200: InvitedShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """The invitations that wait for your answer, newest first."""
        return Response(InvitedShape(invitations_of(person(request)).order_by("-pk"), many=True).data)


class AcceptBody(Body):
    """Sitting down."""

    example = {"settings_version": ...}
    entropy = serializers.CharField(
        max_length=64, allow_blank=True, default="", help_text="Words of your own that are mixed into the shuffling."
    )
    settings_version = serializers.IntegerField(default=None, allow_null=True, min_value=0, help_text=SEEN)


class AcceptResource(Resource):
    """Accepting an invitation."""

    @extend_schema(operation_id="accept_invitation", request=AcceptBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Sits you down at the table you are invited to, in a running game on the seat that is offered."""
        row = _invitation(person(request), ref)
        body = checked(AcceptBody, request)
        if row.seat is not None:
            accept_seat(invitation=row, name="", now=present.now())
        else:
            wanted = {"entropy": body["entropy"], "seen": body["settings_version"]}
            invitations.accept(invitation=row, name="", now=present.now(), **wanted)
        return show_game(request, row.game.ref)


class DeclineResource(Resource):
    """Declining an invitation."""

    @extend_schema(operation_id="decline_invitation", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Says no to an invitation. Harmless when said twice."""
        row = _invitation(person(request), ref)
        checked(NoBody, request)
        invitations.decline(invitation=row)
        return Response(status=204)


class BlockInviter(Resource):
    """Blocking who invites."""

    @extend_schema(operation_id="block_inviter", request=NoBody, responses={200: BlocksShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Declines an invitation and blocks whoever sent it. They are not told."""
        row = _invitation(person(request), ref)
        checked(NoBody, request)
        invitations.decline(invitation=row)
        blocks.block(by=person(request).recipient, other=row.inviter, now=present.now())
        return shown_blocks(person(request))


def find_game(request: Request, ref: str) -> Game:
    """Loads a table that the user may see."""
    return queries.access_game(person(request), ref).game


def show_game(request: Request, ref: str, status: int = 200) -> Response:
    """Returns the table as data."""
    access = queries.access_game(person(request), ref)
    return Response(GameShape(game_shapes.game_data(access)).data, status=status)


def invitations_of(user: User) -> QuerySet[Invitation]:
    """Finds the invitations that wait for an answer of this person."""
    before = Q(seat=None, game__status=Game.Status.OPEN)
    offered = Q(seat__status=Seat.Status.ABSENT, game__status=Game.Status.RUNNING)
    rows = unblocked(Invitation.objects.filter(address=user.email, status=Invitation.Status.SENT))
    rows = rows.filter(before | offered)
    rows = rows.exclude(seat=None, game__seats__user=user)
    return rows.select_related("game", "inviter", "seat").defer("game__state")


def _invitation(user: User, ref: str) -> Invitation:
    row = (
        Invitation.objects.filter(ref=ref, address=user.email)
        .select_related("game", "inviter", "recipient", "seat")
        .first()
    )
    if row is None:
        raise NotFound(_("There's no such invitation."))
    return row


# Tables before the game: rules, opening, joining, starting, closing


class RulesResource(Resource):
    """The games of this service."""

    @extend_schema(operation_id="list_rules", responses={200: RulesShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """What can be played, by how many, with which options and bots."""
        return Response(RulesShape(map(game_shapes.rules_data, newest()), many=True).data)


class TablesResource(Resource):
    """Tables that wait for players."""

    @extend_schema(
        operation_id="list_tables",
        parameters=[TablesQuery],
        responses={200: TablesShape, **problems(*LISTING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Listed tables with a free seat that anybody may take, newest first."""
        page = checked_query(TablesQuery, request)
        part = {name: page.pop(name) for name in ("limit", "cursor")}
        rows, following = Cursor.of_rows(lists.listed_tables(TableFilter(**page, viewer=person(request))), "ref", part)
        return Response(TablesShape({"tables": rows, "next": following}).data)


class GamesResource(Resource):
    """The games of the person who asks, and a new one."""

    @extend_schema(
        operation_id="list_games",
        parameters=[GamesQuery],
        responses={200: GamesShape, **problems(*LISTING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Your games: what waits for you first, by deadline; then running, open and ended ones."""
        page = checked_query(GamesQuery, request)
        games = [one for one in lists.my_games(person(request)) if _is_wanted(one, page)]
        rows, following = Cursor.of_list(games, lists.urgency, page, "games")
        return Response(GamesShape({"games": rows, "next": following}).data)

    @extend_schema(
        operation_id="open_table",
        parameters=[IDEMPOTENCY_KEY],
        request=TableBody,
        responses={201: GameShape, **problems(*OPENING, 404, 409)},
    )
    def post(self, request: Request) -> Response:
        """Opens a table, with you on its first seat. Its players are invited, or join it if it is listed."""
        plan, host = _plan(request), person(request)
        game = make_once(
            request, host.hosted_games.all(), lambda: lifecycle.open_table(host=host, plan=plan, now=present.now())
        )
        response = show_game(request, game.ref, status=201)
        response["Location"] = reverse("api_game", args=[game.ref])
        return response


def _is_wanted(one: lists.Listed, page: Checked) -> bool:
    is_of_turn: bool = page.get("is_waiting", one.is_my_turn) == one.is_my_turn
    return bool(is_of_turn and page.get("status", one.game.status) == one.game.status)


def _plan(request: Request) -> TablePlan:
    data = checked(TableBody, request)
    bots = tuple(data.pop("bots"))
    if len(bots) >= data["seats"]:
        raise ServiceError(_("All seats at this table are taken."))
    return TablePlan(rules_name=data.pop("rules"), seat_count=data.pop("seats"), bots=bots, **data)


class Join(Resource):
    """Joining a table."""

    @extend_schema(operation_id="join_table", request=JoinBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Sits you down at a listed table, or with its link at any. Doing so twice gives you no second seat."""
        body = checked(JoinBody, request)
        game = links.find_table(ref, body["link"]) or queries.access_to_sit(person(request), ref).game
        wanted = {name: body[name] for name in ("entropy", "steward_hours")}
        seen = body["settings_version"]
        lifecycle.join(game_id=game.pk, user=person(request), seen=seen, now=present.now(), **wanted)
        return show_game(request, ref)


class Start(Resource):
    """Starting the game."""

    @extend_schema(operation_id="start_game", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Begins the game of a table that you host and whose seats are all taken."""
        game = find_game(request, ref)
        checked(NoBody, request)
        lifecycle.start(game_id=game.pk, host=person(request), now=present.now())
        return show_game(request, ref)


class AgainShape(DataSerializer):
    """The table at which it goes on."""

    table = GameShape()
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="Names of players who could not be invited."
    )


class PlayAgain(Resource):
    """Opening a rematch."""

    @extend_schema(
        operation_id="play_again",
        request=NoBody,
        responses={200: AgainShape, 201: AgainShape, **problems(*sorted({*OPENING, *CHANGING}))},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Opens a table like that of a game of yours that is over and invites who played, or sits you down at the one
        that another of them has opened. Doing so twice opens no second one."""
        game = queries.access_seat(person(request), ref).game
        checked(NoBody, request)
        done = rematch.open_rematch(game_id=game.pk, user=person(request), now=present.now())
        table = queries.access_game(person(request), done.table.ref)
        answer = AgainShape({"table": game_shapes.game_data(table), "missing": done.missing})
        response = Response(answer.data, status=201 if done.is_new else 200)
        response["Location"] = reverse("api_game", args=[done.table.ref])
        return response


class Close(Resource):
    """Closing a table."""

    @extend_schema(operation_id="close_table", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Closes a table that you host, before its game. Everybody who sat there or was invited is told."""
        game = find_game(request, ref)
        checked(NoBody, request)
        lifecycle.close(game_id=game.pk, host=person(request), now=present.now())
        return show_game(request, ref)


# Presets: settings of tables under a name


class PresetNameBody(Body):
    """What it is called."""

    name = serializers.CharField(max_length=LONGEST_NAME)


class PresetBody(PresetNameBody):
    """Whose settings are saved, and under which name."""

    game = serializers.CharField(max_length=12, help_text="The `ref` of a table that you host.")


class PresetShape(DataSerializer):
    """The settings of a table under a name. Together with `rules` they are the body of a new table."""

    ref = serializers.CharField()
    name = serializers.CharField()
    rules = serializers.CharField(source="rules_name")
    settings = AgreedShape()
    created_at = serializers.DateTimeField()


class Presets(Resource):
    """Your presets."""

    @extend_schema(operation_id="list_presets", responses={200: PresetShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """All of yours, by name."""
        return Response(PresetShape(map(_preset_data, hosting.presets_of(person(request))), many=True).data)

    @extend_schema(operation_id="save_preset", request=PresetBody, responses={201: PresetShape, **problems(*CHANGING)})
    def post(self, request: Request) -> Response:
        """Saves the settings of a table that you host. A preset with the same name is replaced."""
        wanted, owner = checked(PresetBody, request), person(request)
        game = find_game(request, wanted["game"])
        made = hosting.save_preset(owner=owner, name=wanted["name"], game=game, now=present.now())
        return Response(PresetShape(_preset_data(made)).data, status=201)


class PresetResource(Resource):
    """One of them."""

    @extend_schema(operation_id="read_preset", responses={200: PresetShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """Its settings, as far as the rules still know them."""
        return Response(PresetShape(_preset_data(hosting.find_preset(person(request), ref))).data)

    @extend_schema(
        operation_id="rename_preset", request=PresetNameBody, responses={200: PresetShape, **problems(*CHANGING)}
    )
    def put(self, request: Request, ref: str) -> Response:
        """Gives it another name."""
        name = checked(PresetNameBody, request)["name"]
        return Response(
            PresetShape(_preset_data(hosting.rename_preset(owner=person(request), ref=ref, name=name))).data
        )

    @extend_schema(operation_id="delete_preset", responses={204: None, **problems(*READING)})
    def delete(self, request: Request, ref: str) -> Response:
        """Deletes it."""
        hosting.delete_preset(owner=person(request), ref=ref)
        return Response(status=204)


def _preset_data(preset: TablePreset) -> dict[str, object]:
    facts = {name: getattr(preset, name) for name in ("ref", "name", "rules_name", "created_at")}
    return {**facts, "settings": hosting.preset_values(preset)}
