"""The REST API of moderation: the queue, games, people, and the acts of `games.moderation.acts`."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.access import Scope
from games.api.game_shapes import GameShape, game_data
from games.api.parsing import (
    AnyField,
    Body,
    ComputedField,
    DataSerializer,
    ReasonCodeField,
    ReasonWordsField,
    WordField,
    checked,
)
from games.api.resource import Operations, Resource, person
from games.api.schema import CHANGING, problems
from games.api.webhooks import STATES
from games.errors import Conflict, Forbidden
from games.moderation import acts, people, repair, reports, tables
from games.moderation.entries import check_moderator, readable_entries
from games.moderation.models import ModeratorNote
from games.moderation.tables import forecast
from games.people import staff
from games.people.models import User, normal_address
from games.people.staff import MODERATE_GAME, MODERATE_USER
from games.play import history, queries
from games.play.history import LogLine
from games.tables import webhooks
from games.tables.audit import REASON_LENGTH, ModerationEntry
from games.tables.models import Game
from notifications.clock import present

# Shapes: nothing in them is hidden from a spectator, except a hand that is looked at


class EntryShape(DataSerializer):
    """One act: who did what to whom, when and why."""

    action = serializers.ChoiceField(ModerationEntry.Action.choices)
    actor = serializers.CharField(source="actor.name")
    game_ref = serializers.CharField(source="game.ref", default=None, allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    person_ref = serializers.CharField(source="user.ref", default=None, allow_null=True)
    reason = serializers.CharField(source="reason_in_words")
    until = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class ModeratorNoteShape(DataSerializer):
    """A note of one moderator for the others."""

    author = serializers.CharField(source="author.name")
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class QueuedReportShape(DataSerializer):
    """A report by a player."""

    ref = serializers.CharField()
    game_ref = serializers.CharField(
        source="game.ref", allow_null=True, help_text="null for a report about something else."
    )
    club_ref = serializers.CharField(
        source="club.ref", allow_null=True, help_text="null for a report about something else."
    )
    tournament_ref = serializers.CharField(
        source="tournament.ref", allow_null=True, help_text="null for a report about something else."
    )
    reporter = serializers.CharField(source="reporter.name")
    person_ref = serializers.CharField(source="reporter.ref", help_text="The reporter's reference.")
    seat = serializers.IntegerField(allow_null=True, help_text="About whom.")
    appeal_against = serializers.CharField(
        source="against.action", default=None, allow_null=True, help_text="Of an appeal, what was decided; else null."
    )
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class QueuedGameShape(DataSerializer):
    """A game that needs somebody."""

    ref = serializers.CharField()
    title = serializers.CharField()
    host = serializers.CharField(source="host.name")
    quarantined_at = serializers.DateTimeField(allow_null=True)


class QueuedSeatShape(DataSerializer):
    """A player to whom no mail goes."""

    game_ref = serializers.CharField(source="game.ref")
    seat = serializers.IntegerField(source="number")
    name = serializers.CharField()
    person_ref = serializers.CharField(source="user.ref")


class QueuedMessageShape(DataSerializer):
    """A message that was given up."""

    message_id = serializers.CharField(source="name")
    kind = serializers.CharField(source="notice.kind")
    channel = serializers.CharField()
    to = serializers.CharField(source="notice.recipient.name")
    reason = ReasonWordsField()
    reason_code = ReasonCodeField("reason")


class QueueShape(DataSerializer):
    """The queue of moderators; at most fifty of each kind."""

    reports = QueuedReportShape(many=True)
    quarantined = QueuedGameShape(many=True, help_text="Their rules broke: they stand still.")
    overdue = QueuedGameShape(many=True, help_text="They should have gone on by themselves.")
    unreachable = QueuedSeatShape(many=True)
    given_up = QueuedMessageShape(many=True)


NEWEST, OF_MODERATORS = "The newest hundred, newest first.", "Of moderators for each other, newest first."
ENTRIES = 100


def entries_about(row: Game | User, by: User) -> Iterable[ModerationEntry]:
    """Returns what was done to a game or a person, newest first, as far as a moderator may read it."""
    rows = row.moderation.select_related("actor", "user", "game")
    return readable_entries(rows, by).order_by("-pk")[:ENTRIES]


def notes_about(row: Game | User, by: User) -> Iterable[ModeratorNote]:
    """Returns the notes about a game or a person that a moderator may read."""
    return people.readable_notes(row.moderator_notes.all(), by)


class ModeratedGameShape(DataSerializer):
    """A game as everybody may see it, and what was done to it."""

    game = ComputedField(lambda game: game_data(queries.Access(game, None)), GameShape())
    quarantined_at = serializers.DateTimeField(allow_null=True)
    steps = ComputedField(
        lambda game: history.count_steps(game) if game.started_at else 0,
        serializers.IntegerField(help_text="How many there are by now."),
    )
    entries = ComputedField(entries_about, EntryShape(many=True, help_text=NEWEST), for_reader=True)
    notes = ComputedField(notes_about, ModeratorNoteShape(many=True, help_text=OF_MODERATORS), for_reader=True)


class DefaultShape(DataSerializer):
    """The default answer of one seat."""

    name = ComputedField(lambda pair: pair[0], serializers.CharField(help_text="Of the player."))
    default = ComputedField(lambda pair: pair[1], serializers.CharField(allow_blank=True))


class LinesField(serializers.ListField):
    """The words of log lines."""

    child = serializers.CharField()

    def to_representation(self, lines: Iterable[LogLine]) -> list[str]:
        """Returns the words of each."""
        return [line.text for line in lines]


class ForecastShape(DataSerializer):
    """The result of answering by default."""

    defaults = DefaultShape(many=True)
    lines = serializers.ListField(child=serializers.CharField(), help_text="What everybody would read.")
    is_whole = serializers.BooleanField(help_text="False if what follows depends on what is hidden.")


class StepLineShape(DataSerializer):
    """A step a game can be taken back to."""

    number = serializers.IntegerField()
    at = serializers.DateTimeField()
    text = serializers.CharField(allow_blank=True, help_text="What everybody was told of it.")


class SeenShape(DataSerializer):
    """A player who has seen more than everybody while he held a seat."""

    seat = ComputedField(lambda pair: pair[0].number, serializers.IntegerField())
    name = ComputedField(lambda pair: pair[0].display_name, serializers.CharField())
    lines = ComputedField(lambda pair: pair[1], LinesField(help_text="Of which lines, in the public words."))


class LearnedShape(DataSerializer):
    """The events after a step."""

    lines = LinesField(help_text="What everybody has been shown since.")
    by_seat = SeenShape(many=True)
    told = ComputedField(
        lambda learned: [seat.number for seat in learned.told],
        serializers.ListField(child=serializers.IntegerField(), help_text="Seats whose players would be told."),
    )


class HandShape(DataSerializer):
    """The view of a seat, without its question."""

    seat = serializers.IntegerField(source="seat.number")
    board = serializers.CharField()
    lines = LinesField()


class ActedShape(DataSerializer):
    """The result of an act."""

    entry = EntryShape(allow_null=True, help_text="As it was logged; null for a note.")
    hand = HandShape(allow_null=True, help_text="What was looked at; else null.")
    sandbox_ref = serializers.CharField(allow_null=True, help_text="Reference of the table that was made; else null.")


class HintShape(DataSerializer):
    """Another account, and what it has in common with this one: a question, never an answer."""

    person_ref = serializers.CharField(source="user.ref")
    name = serializers.CharField(source="user.name")
    signs = serializers.ListField(child=serializers.CharField())


class HookShape(DataSerializer):
    """A webhook of somebody, without its address."""

    ref = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    url_host = serializers.CharField(source="host")
    state = ComputedField(webhooks.state_of, serializers.ChoiceField(STATES))


class FoundShape(DataSerializer):
    """An account that was found."""

    ref = serializers.CharField()
    name = serializers.CharField()
    address = serializers.EmailField(allow_null=True, help_text="null for a bot account.")
    is_open = serializers.BooleanField(source="is_active")


class PersonFactsShape(FoundShape):
    """An account as a moderator sees it."""

    closed_until = serializers.DateTimeField(allow_null=True)
    silent_until = serializers.DateTimeField(allow_null=True)
    owner_ref = serializers.CharField(source="owner.ref", allow_null=True, help_text="Of a bot account, by reference.")
    bot_refs = ComputedField(
        lambda user: user.bots.filter(erased_at=None).order_by("pk").values_list("ref", flat=True),
        serializers.ListField(child=serializers.CharField(), help_text="References of the bots it owns."),
    )
    playing = ComputedField(
        lambda user: user.seats.filter(game__status=Game.Status.RUNNING).count(),
        serializers.IntegerField(help_text="In how many running games."),
    )
    entries = ComputedField(entries_about, EntryShape(many=True, help_text=NEWEST), for_reader=True)
    notes = ComputedField(notes_about, ModeratorNoteShape(many=True, help_text=OF_MODERATORS), for_reader=True)
    hints = ComputedField(lambda user: people.find_hints(user, present.now()), HintShape(many=True))
    webhooks = ComputedField(webhooks.own, HookShape(many=True))


class FindQuery(Body):
    """The person to find."""

    q = serializers.CharField(max_length=254, help_text="An email address, a reference, or a part of a name.")


# The queue, games and people

MOST_FOUND = 50
FEWEST_LETTERS = 3  # of a name


class Moderating(Resource):
    """Base class of the views for moderators."""

    scope = Scope.MODERATE
    right = MODERATE_GAME

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Raises Forbidden without the right to moderate."""
        super().initial(request, *args, **kwargs)
        if not (person(request).is_active and person(request).has_perm(self.right)):
            raise Forbidden(_("Only a moderator can do that."))


class ModeratingPeople(Moderating):
    """Base class of the views for moderators of people."""

    right = MODERATE_USER


operation = Operations(Scope.MODERATE, Moderating)
of_people = Operations(Scope.MODERATE, ModeratingPeople)


def find_game(request: Request, ref: str) -> Game:
    """Loads a game in which the moderator neither plays nor has played. Raises NotFound, Conflict."""
    game: Game = acts.GAME.load(ref)
    check_moderator(person(request), game)
    return game


def _begun(request: Request, ref: str) -> Game:
    game = find_game(request, ref)
    if not game.started_at:
        raise Conflict(_("This game hasn't started yet."))
    return game


@operation("GET moderation/queue/", answer=QueueShape)
def read_queue(request: Request) -> object:
    """Reports, games that stand still, players to whom no mail goes, messages that were given up."""
    return {
        "reports": reports.open_reports(person(request)),
        "quarantined": reports.quarantined_games(),
        "overdue": reports.overdue_games(present.now()),
        "unreachable": [seat for seat, _since in reports.unreachable_seats(person(request))],
        "given_up": reports.deliveries_given_up(person(request)),
    }


@operation("GET moderation/games/<slug:ref>/", of=find_game, answer=ModeratedGameShape, errors=[409])
def read_moderated_game(request: Request, game: Game) -> object:
    """Reads the public facts of any game, and the acts of its host and of moderators with their reasons."""
    return game


@operation("GET moderation/games/<slug:ref>/forecast/", of=find_game, answer=ForecastShape, errors=[409])
def read_forecast(request: Request, game: Game) -> object:
    """Reads what answering by default would do now, as far as a spectator could work it out."""
    return forecast(game)


@operation("GET moderation/games/<slug:ref>/steps/", of=_begun, answer=[StepLineShape], errors=[409])
def list_steps(request: Request, game: Game) -> object:
    """The newest of them, newest first: a game can be taken back to each."""
    return repair.steps(game)


@operation("GET moderation/games/<slug:ref>/steps/<int:number>/learned/", of=_begun, answer=LearnedShape, errors=[409])
def read_learned(request: Request, game: Game, number: int) -> object:
    """Reads what everybody has learned since a step, which seats have seen more of it, and who would be told."""
    return repair.learned(game, number)


@of_people("GET moderation/people/", query=FindQuery, answer=[FoundShape])
def find_people(request: Request, q: str) -> object:
    """Accounts with this address or reference, or whose name begins with these letters, at least three of them."""
    people = list(User.objects.filter(Q(email=normal_address(q)) | Q(ref=q)).order_by("pk"))
    if len(q) >= FEWEST_LETTERS:
        named = User.objects.filter(name__begins=q).exclude(pk__in=[person.pk for person in people])
        people += named[: MOST_FOUND - len(people)]
    return sorted(people, key=attrgetter("pk"))


@of_people("GET moderation/people/<slug:ref>/", answer=PersonFactsShape)
def read_person(request: Request, ref: str) -> object:
    """Reads the moderation history of an account, and accounts that look alike."""
    return acts.PERSON.load(ref)


# Acts: one operation, whose `act` says what it does and which fields it has


READ = "Those whom it concerns read it; a note, moderators alone."


def body_of(act: acts.Act) -> type[Body]:
    """Makes the body of an act, with the fields of its form."""
    word: Any = extend_schema_field({"type": "string", "const": act.name})(
        type("ActField", (serializers.CharField,), {})
    )
    fields = {"act": word(), "ref": serializers.CharField(max_length=80, help_text=f"Of the {act.target.name}.")}
    if act.is_of_step:
        fields["step"] = serializers.IntegerField(min_value=1, help_text="Of the game, as its history counts them.")
    for name, field in act.form.base_fields.items():
        if name not in ("ready", "sure"):
            fields[name] = _body_field(field)
    example = {"address": "david@example.org"} if "address" in fields else {}
    name = "".join(part.title() for part in act.name.split("_"))
    return type(f"{name}Act", (Body,), {"__doc__": act.words, "__module__": __name__, "example": example, **fields})


def _body_field(field: forms.Field) -> AnyField:
    match field:
        case forms.IntegerField():
            return serializers.IntegerField(min_value=1, max_value=tables.MOST_HOURS)
        case forms.DateTimeField(required=True):
            return serializers.DateTimeField()
        case forms.DateTimeField():
            words = "null: not before a moderator says so."
            return serializers.DateTimeField(default=None, allow_null=True, help_text=words)
        case forms.TypedChoiceField(coerce=kind) if kind is int:
            return serializers.IntegerField(min_value=0, max_value=20, help_text="Its number.")
        case forms.EmailField():
            return serializers.EmailField()
        case forms.ChoiceField() if choices := list(field.widget.choices):
            return WordField([str(value) for value, _label in choices])
        case forms.CharField():
            return serializers.CharField(max_length=max(field.max_length or 0, REASON_LENGTH), help_text=READ)
    return serializers.CharField(max_length=80)


BODIES: dict[str, Any] = {act.name: body_of(act) for act in acts.ACTS}


class Moderate(Resource):
    """The acts of moderators."""

    scope = Scope.MODERATE

    @extend_schema(
        operation_id="moderate",
        request=PolymorphicProxySerializer("ActBody", BODIES, resource_type_field_name="act"),
        responses={200: ActedShape, **problems(*CHANGING)},
    )
    def post(self, request: Request) -> Response:
        """Does what `act` says, to what `ref` names: a game, a person, a webhook, a report, a message, a club or a
        tournament. Each act is logged with its reason, and has the fields of the form on the admin site."""
        by, now = person(request), present.now()
        if not staff.is_moderator(by):
            raise Forbidden(_("Only a moderator can do that."))
        data: Any = request.data if isinstance(request.data, dict) else {}
        act = acts.BY_NAME.get(str(data.get("act")))
        if act is None:
            raise serializers.ValidationError({"act": [_("Unknown act.")]})
        act.check(by)
        row = act.target.load(str(data.get("ref")))
        if isinstance(row, Game):
            check_moderator(by, row)
        facts = {
            name: value for name, value in checked(BODIES[act.name], request).items() if name not in ("act", "ref")
        }
        result = act.perform(row, by, facts, now)
        is_logged = act.name in ModerationEntry.Action.values
        answer = {
            "entry": by.moderated.select_related("game", "user").order_by("-pk").first() if is_logged else None,
            "hand": result if isinstance(result, tables.Hand) else None,
            "sandbox_ref": result.ref if isinstance(result, Game) else None,
        }
        return Response(ActedShape(answer, context={"request": request}).data)
