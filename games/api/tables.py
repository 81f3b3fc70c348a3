"""The REST API of tables: opening, finding, joining and starting them, seats and invitations."""

from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.registry import newest
from games.api import game_shapes
from games.api.game_shapes import (
    A_GAME,
    GameInListShape,
    GameShape,
    GamesQuery,
    PaceField,
    TakenSeatShape,
    own_seat,
    setting_shape,
    shown_game,
)
from games.api.parsing import AnyField, Body, Checked, ComputedField, DataSerializer, WordField
from games.api.people import BlockShape
from games.api.resource import Cursor, Operations, PageQuery, make_once, person
from games.api.schema import CHANGING, Responses, problems
from games.errors import Conflict, NotFound, ServiceError
from games.lobby import hosting, invitations, lifecycle, rematch
from games.lobby.models import LONGEST_NAME, TablePreset
from games.moderation.tables import accept_seat
from games.people import blocks
from games.people.blocks import unblocked
from games.people.models import User
from games.play import lists, queries
from games.play.lists import TableFilter
from games.tables import table_links
from games.tables.models import Game
from games.tables.seats import LONGEST_WORDS, Invitation, Seat
from games.tables.settings import OWN_BOTS, SETTINGS, TablePlan, TableSetting
from notifications.clock import present

operation = Operations()

# Shapes

SEEN = "Of the settings that you have read: if the host has changed them since, you are not seated."


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
    """A setting that a host may choose."""

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
    pace = PaceField()
    allows_own_bots = serializers.BooleanField(help_text=OWN_BOTS)
    seat_count = serializers.IntegerField()
    seats = TakenSeatShape(many=True, source="seated", help_text="Those that are taken.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="When it is closed if it has not begun.")


class AgreedShape(DataSerializer):
    """Settings of a table."""

    seat_count = serializers.IntegerField()
    options = serializers.DictField(child=serializers.CharField())
    pace = PaceField()

    def get_fields(self) -> dict[str, AnyField]:
        """The fields above, and one for each setting of a table."""
        return {**super().get_fields(), **{setting.name: setting_shape(setting) for setting in SETTINGS}}


class TableBody(Body):
    """A table as its host wants it."""

    example = {
        "seat_count": 4,
        "club_ref": "",
        "options": {"open_hoards": "off"},
        "proposals": "on",
        "missed": "proposal",
        "absent_after": 3,
    }
    rules = serializers.CharField(max_length=40, help_text="The name of a rule set.")
    seat_count = serializers.IntegerField(min_value=1, max_value=20, help_text="How many play.")
    title = serializers.CharField(max_length=60, allow_blank=True, default="", help_text="Named after you if empty.")
    options = serializers.DictField(
        child=serializers.CharField(max_length=40), default=dict, help_text="Of the rules; left out, their defaults."
    )
    pace = PaceField(default="daily")
    club_ref = serializers.CharField(
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
    options: dict[str, Any] = {"default": setting.default} if is_required else {"required": False}
    if about.choices is not None:
        words = f"{about.api_hint}{' Empty: as usual.' if about.usual else ''}"
        return WordField(
            about.choices.choices, allow_blank=about.usual is not None, help_text=words or None, **_as_text(options)
        )
    if about.bounds is not None:
        least, largest = about.bounds
        return serializers.IntegerField(min_value=least, max_value=largest, help_text=about.api_hint, **options)
    return serializers.BooleanField(help_text=about.api_hint or None, **options)


def _as_text(options: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if name == "default" else value for name, value in options.items()}


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
    """The person to invite."""

    example = {"address": "david@example.org", "words": "Shall we play on Thursdays?"}
    address = serializers.CharField(max_length=254, help_text="An email address.")
    words = serializers.CharField(
        max_length=LONGEST_WORDS, allow_blank=True, default="", help_text="A line of your own, which the email quotes."
    )


class InvitationShape(DataSerializer):
    """A chair that is offered."""

    ref = serializers.CharField()
    address = serializers.CharField(
        source="label", help_text="As you have written it; of who was invited by name, and of a bot account, the name."
    )
    status = serializers.ChoiceField(Invitation.Status.choices)
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


class LeavingQuery(Body):
    """The person who is to leave: seats move up when somebody leaves."""

    example = {"name": "Ben"}
    name = serializers.CharField(max_length=40, help_text="The name on that seat. Another one there, and it is a 409.")


def find_game(request: Request, ref: str) -> Game:
    """Loads a table that the user may see."""
    return queries.access_game(person(request), ref).game


def hosted_game(request: Request, ref: str) -> Game:
    """Loads a table that the user hosts."""
    game = find_game(request, ref)
    if game.host_id != person(request).pk:
        raise NotFound(_("Only the host of a table can do that."))
    return game


@operation("POST games/<slug:ref>/seats/", of=find_game, body=BotBody, **A_GAME)
def seat_bot(request: Request, game: Game, bot: str) -> None:
    """Fills a free seat of a table that you host with a bot of the rules, or with a bot account.

    A bot account that answers invitations itself is invited, and sits down when it accepts.
    """
    lifecycle.add_bot(game_id=game.pk, host=person(request), bot=bot, now=present.now())


@operation("DELETE games/<slug:ref>/seats/<int:number>/", of=hosted_game, query=LeavingQuery, **A_GAME)
def remove_from_seat(request: Request, game: Game, number: int, name: str) -> None:
    """Sends a guest or a bot away from a table that you host, before its game. Those behind move up."""
    known = (
        {seat.display_name, *([] if seat.hides_name else [seat.name])}
        for seat in game.seated()
        if seat.number == number
    )
    if name not in next(known, ()):
        raise Conflict(_("The seats have changed in the meantime. Nothing was changed."))
    lifecycle.remove_seat(game_id=game.pk, host=person(request), number=number)


@operation("GET games/<slug:ref>/invitations/", of=hosted_game, answer=[InvitationShape])
def list_invitations(request: Request, game: Game) -> object:
    """Lists the invitations to a table that you host, oldest first."""
    return game.invitations.select_related("seat").order_by("pk")


@operation("POST games/<slug:ref>/invitations/", of=find_game, body=InvitationBody, answer=InvitationShape, once=True)
def invite(request: Request, game: Game, **wanted: Any) -> object:
    """Invites a mail address to a table that you host. Inviting it again sends nothing."""
    host = person(request)
    return make_once(
        request,
        game.invitations.all(),
        lambda: invitations.invite(game_id=game.pk, host=host, now=present.now(), **wanted),
    )


@operation("DELETE games/<slug:ref>/invitations/<slug:invitation_ref>/", of=find_game)
def withdraw_invitation(request: Request, game: Game, invitation_ref: str) -> None:
    """Takes an invitation to your table back, as long as nobody has answered it."""
    invitations.withdraw(ref=invitation_ref, game_id=game.pk, host=person(request))


class InvitedShape(DataSerializer):
    """A chair that is offered to you."""

    ref = serializers.CharField()
    game_ref = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    host = serializers.CharField(source="inviter.name")
    rules = serializers.CharField(source="game.rules_name")
    options = serializers.DictField(child=serializers.CharField(), source="game.options")
    pace = PaceField(source="game.pace")
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


@operation("GET me/invitations/", answer=[InvitedShape])
def list_my_invitations(request: Request) -> object:
    """The invitations that wait for your answer, newest first."""
    return invitations_of(person(request)).order_by("-pk")


class AcceptBody(Body):
    """Sitting down."""

    example = {"settings_version": ...}
    entropy = serializers.CharField(
        max_length=64, allow_blank=True, default="", help_text="Words of your own that are mixed into the shuffling."
    )
    settings_version = serializers.IntegerField(default=None, allow_null=True, min_value=0, help_text=SEEN)


@operation("POST me/invitations/<slug:ref>/accept/", body=AcceptBody, answer=GameShape, for_bots=True)
def accept_invitation(request: Request, ref: str, entropy: str, settings_version: int | None) -> object:
    """Sits you down at the table you are invited to, in a running game on the seat that is offered."""
    row = _invitation(person(request), ref)
    if row.seat is not None:
        accept_seat(invitation=row, name="", now=present.now())
    else:
        invitations.accept(invitation=row, name="", entropy=entropy, seen=settings_version, now=present.now())
    return shown_game(request, row.game.ref)


@operation("POST me/invitations/<slug:ref>/decline/", for_bots=True)
def decline_invitation(request: Request, ref: str) -> None:
    """Says no to an invitation. Harmless when said twice."""
    invitations.decline(invitation=_invitation(person(request), ref))


@operation("POST me/invitations/<slug:ref>/block/", answer=[BlockShape])
def block_inviter(request: Request, ref: str) -> object:
    """Declines an invitation and blocks whoever sent it. They are not told."""
    row = _invitation(person(request), ref)
    invitations.decline(invitation=row)
    blocks.block(by=person(request).recipient, other=row.inviter, now=present.now())
    return blocks.blocks_of(person(request).recipient)


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


@operation("GET rules/", answer=[RulesShape])
def list_rules(request: Request) -> object:
    """Lists the games that can be played, by how many, with which options and bots."""
    return map(game_shapes.rules_data, newest())


@operation("GET tables/", query=TablesQuery, answer=[TableShape])
def list_tables(request: Request, limit: int, cursor: str, **wanted: Any) -> object:
    """Listed tables with a free seat that anybody may take, newest first."""
    listed = lists.listed_tables(TableFilter(**wanted, viewer=person(request)))
    return Cursor.of_rows(listed, "ref", {"limit": limit, "cursor": cursor})


@operation("GET games/", query=GamesQuery, answer=[GameInListShape])
def list_games(request: Request, **page: Any) -> object:
    """Your games: what waits for you first, by deadline; then running, open and ended ones."""
    games = [listed for listed in lists.my_games(person(request)) if _is_wanted(listed, page)]
    return Cursor.of_list(games, lists.urgency, page, "games")


@operation("POST games/", body=TableBody, answer=GameShape, once=True, errors=[404, 409], location="api_read_game")
def open_table(request: Request, rules: str, seat_count: int, bots: list[str], **settings: Any) -> object:
    """Opens a table, with you on its first seat. Its players are invited, or join it if it is listed."""
    if len(bots) >= seat_count:
        raise ServiceError(_("All seats at this table are taken."), code="no-seat-left", field="bots")
    host = person(request)
    plan = TablePlan(
        rules_name=rules, seat_count=seat_count, bots=tuple(bots), club=settings.pop("club_ref"), **settings
    )
    game = make_once(
        request, host.hosted_games.all(), lambda: lifecycle.open_table(host=host, plan=plan, now=present.now())
    )
    return shown_game(request, game.ref)


def _is_wanted(listed: lists.Listed, page: Checked) -> bool:
    is_of_turn: bool = page.get("is_waiting", listed.is_my_turn) == listed.is_my_turn
    return bool(is_of_turn and page.get("status", listed.game.status) == listed.game.status)


@operation("POST games/<slug:ref>/join/", body=JoinBody, **A_GAME)
def join_table(request: Request, ref: str, link: str, settings_version: int | None, **wanted: Any) -> None:
    """Sits you down at a listed table, or with its link at any. Doing so twice gives you no second seat."""
    game = table_links.find_table(ref, link) or queries.access_to_sit(person(request), ref).game
    lifecycle.join(game_id=game.pk, user=person(request), seen=settings_version, now=present.now(), **wanted)


@operation("DELETE games/<slug:ref>/join/", of=own_seat, for_bots=True)
def leave_table(request: Request, seat: Seat) -> None:
    """Gets you up from a table before its game. Its host closes it instead."""
    lifecycle.leave(game_id=seat.game_id, user=person(request))


@operation("POST games/<slug:ref>/start/", of=find_game, **A_GAME)
def start_game(request: Request, game: Game) -> None:
    """Begins the game of a table that you host and whose seats are all taken."""
    lifecycle.start(game_id=game.pk, host=person(request), now=present.now())


class AgainShape(DataSerializer):
    """The table at which it goes on."""

    table = GameShape()
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="Names of players who could not be invited."
    )


@operation(
    "POST games/<slug:ref>/again/", of=own_seat, answer=AgainShape, also={201: AgainShape}, once=True, status=200
)
def play_again(request: Request, seat: Seat) -> object:
    """Opens a table like that of a game of yours that is over and invites who played, or sits you down at the one
    that another of them has opened. Doing so twice opens no second one."""

    def open_it() -> rematch.Rematch:
        return rematch.open_rematch(game_id=seat.game_id, user=person(request), now=present.now())

    created: list[rematch.Rematch] = []

    def table() -> Game:
        created.append(open_it())
        return created[0].table

    make_once(request, Game.objects.all(), table)
    done = created[0] if created else open_it()
    answer = AgainShape({"table": shown_game(request, done.table.ref), "missing": done.missing})
    where = {"Location": reverse("api_read_game", args=[done.table.ref])}
    return Response(answer.data, status=201 if done.is_new else 200, headers=where)


# Presets: settings of tables under a name


class PresetNameBody(Body):
    """The name of a preset."""

    name = serializers.CharField(max_length=LONGEST_NAME)


class PresetBody(PresetNameBody):
    """The table whose settings are saved, and their name."""

    game_ref = serializers.CharField(max_length=12, help_text="Of a table that you host.")


class PresetShape(DataSerializer):
    """The settings of a table under a name. Together with `rules` they are the body of a new table."""

    ref = serializers.CharField()
    name = serializers.CharField()
    rules = serializers.CharField(source="rules_name")
    settings = ComputedField(hosting.preset_values, AgreedShape())
    created_at = serializers.DateTimeField()


@operation("GET me/presets/", answer=[PresetShape])
def list_presets(request: Request) -> object:
    """Lists your presets, by name."""
    return hosting.presets_of(person(request))


@operation(
    "POST me/presets/",
    body=PresetBody,
    answer=PresetShape,
    once=True,
    errors=[404, 409, 503],
    location="api_read_preset",
)
def save_preset(request: Request, name: str, game_ref: str) -> object:
    """Saves the settings of a table that you host. A preset with the same name is replaced."""
    table, owner = find_game(request, game_ref), person(request)
    return make_once(
        request,
        TablePreset.objects.filter(owner=owner),
        lambda: hosting.save_preset(owner=owner, name=name, game=table, now=present.now()),
    )


@operation("GET me/presets/<slug:ref>/", answer=PresetShape)
def read_preset(request: Request, ref: str) -> object:
    """Its settings, as far as the rules still know them."""
    return hosting.find_preset(person(request), ref)


@operation("PATCH me/presets/<slug:ref>/", body=PresetNameBody, answer=PresetShape)
def rename_preset(request: Request, ref: str, name: str) -> object:
    """Gives it another name."""
    return hosting.rename_preset(owner=person(request), ref=ref, name=name)


@operation("DELETE me/presets/<slug:ref>/")
def delete_preset(request: Request, ref: str) -> None:
    """Deletes it."""
    hosting.delete_preset(owner=person(request), ref=ref)
