"""The REST API of moderation: the queue, games, people, webhooks, and each act on them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Generic, TypeVar

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import game_shapes
from games.api.access import Scope
from games.api.game_shapes import GameShape
from games.api.hosting import MoreTimeBody, ReasonBody, seat_at
from games.api.parsing import Body, DataSerializer, ReasonCodeField, ReasonWordsField, WordField, checked, checked_query
from games.api.resource import Resource, person
from games.api.schema import CHANGING, LISTING, READING, problems
from games.errors import Conflict, Forbidden, NotFound
from games.moderation import people, repair, reports, tables
from games.moderation.entries import check_moderator, readable_entries
from games.moderation.forms import Facts
from games.moderation.models import ModeratorNote, Report
from games.moderation.tables import forecast
from games.people.models import User, normal_address
from games.people.staff import MODERATE_GAME, MODERATE_USER
from games.play import history, queries
from games.tables import webhooks
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from notifications.clock import present
from notifications.models import Endpoint

# Shapes: nothing in them is hidden from a spectator, except a hand that is looked at


class EntryShape(DataSerializer):
    """One act: who did what to whom, when and why."""

    action = serializers.ChoiceField(ModerationEntry.Action.choices)
    actor = serializers.CharField(source="actor.name")
    game = serializers.CharField(source="game.ref", default=None, allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    person = serializers.CharField(source="user.ref", default=None, allow_null=True)
    reason = serializers.CharField(source="reason_in_words")
    until = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class ModeratorNoteShape(DataSerializer):
    """A note of one moderator for the others."""

    author = serializers.CharField(source="author.name")
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class QueuedReportShape(DataSerializer):
    """What a player has written."""

    ref = serializers.CharField()
    game = serializers.CharField(
        source="game.ref", allow_null=True, help_text="null for a report about something else."
    )
    club = serializers.CharField(
        source="club.ref", allow_null=True, help_text="null for a report about something else."
    )
    tournament = serializers.CharField(
        source="tournament.ref", allow_null=True, help_text="null for a report about something else."
    )
    reporter = serializers.CharField(source="reporter.name")
    person = serializers.CharField(source="reporter.ref", help_text="The reporter's reference.")
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

    game = serializers.CharField(source="game.ref")
    seat = serializers.IntegerField(source="number")
    name = serializers.CharField()
    person = serializers.CharField(source="user.ref")


class QueuedMessageShape(DataSerializer):
    """A message that was given up."""

    message_id = serializers.CharField(source="name")
    kind = serializers.CharField(source="notice.kind")
    channel = serializers.CharField()
    to = serializers.CharField(source="notice.recipient.name")
    reason = ReasonWordsField()
    reason_code = ReasonCodeField("reason")


class QueueShape(DataSerializer):
    """What needs somebody; at most fifty of each."""

    reports = QueuedReportShape(many=True)
    quarantined = QueuedGameShape(many=True, help_text="Their rules broke: they stand still.")
    overdue = QueuedGameShape(many=True, help_text="They should have gone on by themselves.")
    unreachable = QueuedSeatShape(many=True)
    given_up = QueuedMessageShape(many=True)


class ModeratedGameShape(DataSerializer):
    """A game as everybody may see it, and what was done to it."""

    game = GameShape()
    quarantined_at = serializers.DateTimeField(allow_null=True)
    steps = serializers.IntegerField(help_text="How many there are by now.")
    entries = EntryShape(many=True, help_text="The newest hundred, newest first.")
    notes = ModeratorNoteShape(many=True, help_text="Of moderators for each other, newest first.")


class DefaultShape(DataSerializer):
    """What silence does for one seat."""

    seat = serializers.CharField(help_text="The name on it.")
    default = serializers.CharField(allow_blank=True)


class ForecastShape(DataSerializer):
    """What answering by default would do."""

    defaults = DefaultShape(many=True)
    lines = serializers.ListField(child=serializers.CharField(), help_text="What everybody would read.")
    is_whole = serializers.BooleanField(help_text="False if what follows depends on what is hidden.")


class StepLineShape(DataSerializer):
    """A step a game can be taken back to."""

    number = serializers.IntegerField()
    at = serializers.DateTimeField()
    text = serializers.CharField(allow_blank=True, help_text="What everybody was told of it.")


class SeenShape(DataSerializer):
    """Who has seen more than everybody while he held a seat."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField(), help_text="Of which lines, in the public words.")


class LearnedShape(DataSerializer):
    """What came after a step."""

    lines = serializers.ListField(child=serializers.CharField(), help_text="What everybody has been shown since.")
    by_seat = SeenShape(many=True)
    told = serializers.ListField(child=serializers.IntegerField(), help_text="Seats whose players would be told.")


class HandShape(DataSerializer):
    """What a seat sees. What it is asked is left out."""

    seat = serializers.IntegerField()
    board = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField())


class SettleBody(ReasonBody):
    """What came of it. The reason is the answer to who wrote it."""

    example = {"outcome": "acted"}
    outcome = WordField(Report.Outcome.values, help_text="`revised` and `upheld` of an appeal, the others of a report.")


class ModeratorNoteBody(Body):
    """What other moderators should know."""

    text = serializers.CharField(max_length=ModeratorNote.TEXT_LENGTH)


class UntilBody(ReasonBody):
    """Why, and until when if that is known."""

    until = serializers.DateTimeField(default=None, allow_null=True, help_text="null: not before a moderator says so.")


class DateBody(ReasonBody):
    """Why, and until when."""

    until = serializers.DateTimeField()


class SeatBody(ReasonBody):
    """Why, and which seat."""

    seat = serializers.IntegerField(min_value=0, max_value=20)


class StandInBody(SeatBody):
    """And which bot."""

    bot = serializers.CharField(max_length=20, help_text="One of the `bots` of the rules.")


class ReplaceSeatBody(SeatBody):
    """And who sits down."""

    example = {"address": "david@example.org"}
    address = serializers.EmailField(help_text="The email address of an account.")


class SandboxBody(SeatBody):
    """Why, and on which seat you sit."""


class MessageBody(ReasonBody):
    """Why, and which message."""

    example = {"message": "msg_2NqXwVfRk8aM4tYc"}
    message = serializers.CharField(max_length=80, help_text="The `id` of a call.")


class HintShape(DataSerializer):
    """Another account, and what it has in common with this one: a question, never an answer."""

    person = serializers.CharField(source="user.ref")
    name = serializers.CharField(source="user.name")
    signs = serializers.ListField(child=serializers.CharField())


class HookShape(DataSerializer):
    """A webhook of somebody, without its address."""

    ref = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    host = serializers.CharField()
    state = serializers.CharField(help_text="working, failing or off.")


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
    owner = serializers.CharField(allow_null=True, help_text="Of a bot account, by reference.")
    bots = serializers.ListField(child=serializers.CharField(), help_text="References of the bots it owns.")
    playing = serializers.IntegerField(help_text="In how many running games.")
    entries = EntryShape(many=True, help_text="The newest hundred, newest first.")
    notes = ModeratorNoteShape(many=True, help_text="Of moderators for each other, newest first.")
    hints = HintShape(many=True)
    webhooks = HookShape(many=True)


class FindQuery(Body):
    """Whom."""

    q = serializers.CharField(max_length=254, help_text="An email address, a reference, or a part of a name.")


# Acts: a name in the address, a body, and the service to call

Row = TypeVar("Row")


@dataclass(frozen=True)
class ModerationEndpoint(Generic[Row]):
    """An action of a moderator on a game, a person or a webhook.

    Arguments:
        words: its description.
        operation: the end of its operation id, where the name alone would stand for two things.
    """

    name: str
    words: str
    body: type[Body]
    run: Callable[[Row, User, Facts, datetime], object]
    operation: str = ""


def view_of_act(
    act: ModerationEndpoint[Row],
    base: type[Resource],
    operation: str,
    find: Callable[[Request, str], Row],
    show: Callable[[Request, Row], Response] | None = None,
    shape: type[DataSerializer] | None = None,
) -> type[Resource]:
    """Makes the view of an action.

    Arguments:
        base: the class with its permissions.
        operation: prefix of its operation id.
        find: loads the object by its reference. Raises NotFound, or why the action is refused.
        show, shape: make and describe the answer; None for an empty one.
    """

    class Acting(base):  # type: ignore[misc, valid-type]  # each address has a description of its own
        """The view of one action."""

        @extend_schema(
            operation_id=f"{operation}_{act.operation or act.name.replace('-', '_')}",
            description=act.words,
            request=act.body,
            responses={**({200: shape} if shape else {204: None}), **problems(*CHANGING)},
        )
        def post(self, request: Request, ref: str) -> Response:
            """Does it."""
            row, facts = find(request, ref), checked(act.body, request)
            act.run(row, person(request), facts, present.now())
            return show(request, find(request, ref)) if show else Response(status=204)

    return Acting


# The queue, and games

ENTRIES = 100


class Moderating(Resource):
    """Base class of the views for moderators."""

    scope = Scope.MODERATE
    right = MODERATE_GAME

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Raises Forbidden without the right to moderate."""
        super().initial(request, *args, **kwargs)
        if not (person(request).is_active and person(request).has_perm(self.right)):
            raise Forbidden(_("Only a moderator can do that."))


class Queue(Moderating):
    """The queue of moderators."""

    @extend_schema(operation_id="read_queue", responses={200: QueueShape, **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Reports, games that stand still, players to whom no mail goes, messages that were given up."""
        facts = {
            "reports": reports.open_reports(person(request)),
            "quarantined": reports.quarantined_games(),
            "overdue": reports.overdue_games(present.now()),
            "unreachable": reports.unreachable_seats(),
            "given_up": reports.deliveries_given_up(),
        }
        return Response(QueueShape(facts).data)


class SettleReport(Moderating):
    """Settling a report."""

    @extend_schema(operation_id="settle_report", request=SettleBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Says what came of a report or an appeal; its writer is told both."""
        facts = checked(SettleBody, request)
        row = Report.objects.select_related("game", "club", "tournament").filter(ref=ref).first()
        if row is None:
            raise NotFound(_("There's no such report."))
        reports.settle_report(report=row, by=person(request), now=present.now(), **facts)
        return Response(status=204)


class TryAgain(Moderating):
    """Retrying a delivery that was given up."""

    @extend_schema(operation_id="try_message_again", request=ReasonBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, message_id: str) -> Response:
        """Has it tried again, when what kept it back is repaired."""
        reason = checked(ReasonBody, request)["reason"]
        row = next((row for row in reports.deliveries_given_up() if row.name == message_id), None)
        if row is None:
            raise NotFound(_("There's no such message."))
        people.retry_delivery(delivery=row, by=person(request), reason=reason, now=present.now())
        return Response(status=204)


class ModeratedGame(Moderating):
    """A game as a moderator sees it."""

    @extend_schema(operation_id="read_moderated_game", responses={200: ModeratedGameShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """What everybody may know of any game, what moderators and its host did, and why."""
        return _shown_game(request, find_game(request, ref))


class ForecastResource(Moderating):
    """A dry run."""

    @extend_schema(operation_id="read_forecast", responses={200: ForecastShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """What answering by default would do now, as far as a spectator could work it out."""
        told = forecast(find_game(request, ref))
        defaults = [{"seat": name, "default": words} for name, words in told.defaults]
        return Response(ForecastShape({"defaults": defaults, "lines": told.lines, "is_whole": told.is_whole}).data)


class StepsResource(Moderating):
    """The earlier steps of a game."""

    @extend_schema(operation_id="list_steps", responses={200: StepLineShape(many=True), **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """The newest of them, newest first: a game can be taken back to each."""
        return Response(StepLineShape(repair.steps(_begun(find_game(request, ref))), many=True).data)


class LearnedResource(Moderating):
    """What players have learned since a step."""

    @extend_schema(operation_id="read_learned", responses={200: LearnedShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str, number: int) -> Response:
        """What everybody has learned since a step, which seats have seen more of it, and who would be told."""
        told = repair.learned(_begun(find_game(request, ref)), number)
        facts = {
            "lines": [line.text for line in told.lines],
            "by_seat": [
                {"seat": holder.number, "name": holder.display_name, "lines": [line.text for line in lines]}
                for holder, lines in told.by_seat
            ],
            "told": [seat.number for seat in told.told],
        }
        return Response(LearnedShape(facts).data)


class RollBack(Moderating):
    """Rolling a game back."""

    @extend_schema(
        operation_id="roll_back", request=ReasonBody, responses={200: ModeratedGameShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Takes a game back to a step, with fresh randomness. Everybody is told, and the log keeps what came since."""
        game, reason = find_game(request, ref), checked(ReasonBody, request)["reason"]
        repair.roll_back(game=_begun(game), step=number, by=person(request), reason=reason, now=present.now())
        return _shown_game(request, find_game(request, ref))


class Sandbox(Moderating):
    """Copying a game to a sandbox."""

    @extend_schema(
        operation_id="copy_to_sandbox", request=SandboxBody, responses={201: GameShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Copies a game as it stood after a step to a table of your own against bots. What was hidden is dealt anew."""
        game, facts = find_game(request, ref), checked(SandboxBody, request)
        made = repair.copy_to_sandbox(game=game, step=number, by=person(request), now=present.now(), **facts)
        access = queries.access_game(person(request), made.ref)
        return Response(GameShape(game_shapes.game_data(access)).data, status=201)


class HandResource(Moderating):
    """Looking at a hand."""

    @extend_schema(operation_id="look_at_hand", request=SeatBody, responses={200: HandShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Shows what one seat sees, to those who were given that right. Every look is written down."""
        facts = checked(SeatBody, request)
        seen = tables.reveal_hand(game=find_game(request, ref), by=person(request), now=present.now(), **facts)
        lines = [line.text for line in seen.lines]
        return Response(HandShape({"seat": seen.seat.number, "board": seen.board, "lines": lines}).data)


ACTS: tuple[ModerationEndpoint[Game], ...] = (
    ModerationEndpoint("note", "Leaves a note that moderators alone read.", ModeratorNoteBody,
        lambda game, by, facts, now: people.add_note(about=game, by=by, text=facts["text"], now=now)),
    ModerationEndpoint("nudge", "Reminds everybody who has not answered; nobody is told who that is.", ReasonBody,
        lambda game, by, facts, now: tables.nudge(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("extend", "Gives everybody who is asked more time.", MoreTimeBody,
        lambda game, by, facts, now: tables.extend(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("pause", "All clocks stand still.", UntilBody,
        lambda game, by, facts, now: tables.pause(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("resume", "The clocks run again.", ReasonBody,
        lambda game, by, facts, now: tables.resume(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("force", "Answers what is open by the default of the rules.", ReasonBody,
        lambda game, by, facts, now: tables.force(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("cancel", "Ends the game without a result.", ReasonBody,
        lambda game, by, facts, now: tables.cancel(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("release", "Takes the game out of quarantine.", ReasonBody,
        lambda game, by, facts, now: tables.release_game(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("mail-again", "Sends a player once more what he is asked.", SeatBody,
        lambda game, by, facts, now: tables.mail_again(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("hand-to-bot", "A bot plays a seat until its player comes back.", StandInBody,
        lambda game, by, facts, now: tables.hand_to_bot(
            seat=seat_at(game, facts["seat"]), bot=facts["bot"], reason=facts["reason"], by=by, now=now)),
    ModerationEndpoint("give-back", "The player of an absent seat is waited for again.", SeatBody,
        lambda game, by, facts, now: tables.give_back(
            seat=seat_at(game, facts["seat"]), reason=facts["reason"], by=by, now=now)),
    ModerationEndpoint("replace", "Somebody else with an account sits down on a seat.", ReplaceSeatBody,
        lambda game, by, facts, now: tables.replace_player(
            seat=seat_at(game, facts["seat"]), address=facts["address"], reason=facts["reason"], by=by, now=now)),
)  # fmt: skip


def act_on_game(act: ModerationEndpoint[Game]) -> type[Resource]:
    """Makes the view of an action on a game."""
    return view_of_act(act, Moderating, "moderate", find_game, _shown_game, ModeratedGameShape)


def find_game(request: Request, ref: str) -> Game:
    """Loads a game in which the moderator neither plays nor has played. Raises NotFound, Conflict."""
    game = Game.objects.filter(ref=ref).select_related("host").prefetch_related("seats").first()
    if game is None:
        raise NotFound(_("There's no such game."))
    check_moderator(person(request), game)
    return game


def _begun(game: Game) -> Game:
    if not game.started_at:
        raise Conflict(_("This game hasn't started yet."))
    return game


def _shown_game(request: Request, game: Game) -> Response:
    access = queries.Access(game, None)
    entries = readable_entries(game.moderation.select_related("actor", "user"), person(request)).order_by("-pk")[
        :ENTRIES
    ]
    facts = {
        "game": game_shapes.game_data(access),
        "quarantined_at": game.quarantined_at,
        "steps": history.count_steps(game) if game.started_at else 0,
        "entries": entries,
        "notes": people.readable_notes(game.moderator_notes.all(), person(request)),
    }
    return Response(ModeratedGameShape(facts).data)


# People and their webhooks

MOST_FOUND = 50
FEWEST_LETTERS = 3  # of a name


class ModeratingPeople(Moderating):
    """Base class of the views for moderators of people."""

    right = MODERATE_USER


class PeopleResource(ModeratingPeople):
    """Finding accounts."""

    @extend_schema(
        operation_id="find_people",
        parameters=[FindQuery],
        responses={200: FoundShape(many=True), **problems(*LISTING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Accounts with this address or reference, or whose name begins with these letters, at least three of them."""
        wanted = checked_query(FindQuery, request)["q"]
        found = list(User.objects.filter(Q(email=normal_address(wanted)) | Q(ref=wanted)).order_by("pk"))
        if len(wanted) >= FEWEST_LETTERS:
            named = User.objects.filter(name__begins=wanted).exclude(pk__in=[one.pk for one in found])
            found += named[: MOST_FOUND - len(found)]
        return Response(FoundShape(sorted(found, key=attrgetter("pk")), many=True).data)


class PersonResource(ModeratingPeople):
    """An account."""

    @extend_schema(operation_id="read_person", responses={200: PersonFactsShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """What moderators should know of an account: what was done to it, and which others look alike."""
        return _shown_person(request, _person(request, ref))


ON_PEOPLE: tuple[ModerationEndpoint[User], ...] = (
    ModerationEndpoint("note", "Leaves a note that moderators alone read.", ModeratorNoteBody,
        lambda user, by, facts, now: people.add_note(about=user, by=by, text=facts["text"], now=now), "note_person"),
    ModerationEndpoint("warn", "Tells somebody by mail what he must not do again.", ReasonBody,
        lambda user, by, facts, now: people.warn(user=user, by=by, now=now, **facts)),
    ModerationEndpoint("mute", "Until then he says nothing at any table; he plays on.", DateBody,
        lambda user, by, facts, now: people.mute(user=user, by=by, now=now, **facts)),
    ModerationEndpoint("unmute", "He may speak at tables again.", ReasonBody,
        lambda user, by, facts, now: people.unmute(user=user, by=by, now=now, **facts)),
    ModerationEndpoint(
        "suspend", "Closes an account, for a time or until it is opened; no table waits for it.", UntilBody,
        lambda user, by, facts, now: people.suspend(user=user, by=by, now=now, **facts)),
    ModerationEndpoint("lift", "Opens a closed account again.", ReasonBody,
        lambda user, by, facts, now: people.lift_suspension(user=user, by=by, now=now, **facts)),
)  # fmt: skip

ON_WEBHOOKS: tuple[ModerationEndpoint[Endpoint], ...] = (
    ModerationEndpoint("again", "Sends a message once more, under the same id.", MessageBody,
        lambda row, by, facts, now: people.send_again(
            webhook=row, message_id=facts["message"], reason=facts["reason"], by=by, now=now)),
    ModerationEndpoint("off", "Switches a webhook off.", ReasonBody,
        lambda row, by, facts, now: people.switch_webhook_off(webhook=row, by=by, now=now, **facts)),
    ModerationEndpoint("on", "Switches a webhook on.", ReasonBody,
        lambda row, by, facts, now: people.switch_webhook_on(webhook=row, by=by, now=now, **facts)),
)  # fmt: skip


def act_on_person(act: ModerationEndpoint[User]) -> type[Resource]:
    """Makes the view of an action on a person."""
    return view_of_act(act, ModeratingPeople, "moderate", _person, _shown_person, PersonFactsShape)


def act_on_webhook(act: ModerationEndpoint[Endpoint]) -> type[Resource]:
    """Makes the view of an action on a webhook."""
    return view_of_act(act, ModeratingPeople, "moderate_webhook", _webhook)


def _webhook(request: Request, ref: str) -> Endpoint:
    row = Endpoint.objects.select_related("recipient").filter(ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such webhook."))
    return row


def _person(request: Request, ref: str) -> User:
    user = User.people.filter(ref=ref).first()
    if user is None:
        raise NotFound(_("There's no such account."))
    return user


def _shown_person(request: Request, user: User) -> Response:
    facts = {
        name: getattr(user, name) for name in ("ref", "name", "address", "is_active", "closed_until", "silent_until")
    }
    rows = webhooks.own(user)
    facts |= {
        "owner": user.owner.ref if user.owner else None,
        "bots": list(user.bots.filter(erased_at=None).order_by("pk").values_list("ref", flat=True)),
        "playing": user.seats.filter(game__status=Game.Status.RUNNING).count(),
        "entries": readable_entries(user.moderation.select_related("actor", "game"), person(request)).order_by("-pk")[
            :ENTRIES
        ],
        "notes": people.readable_notes(user.moderator_notes.all(), person(request)),
        "hints": people.find_hints(user, present.now()),
        "webhooks": [{"ref": r.ref, "name": r.name, "host": r.host, "state": webhooks.state_of(r)} for r in rows],
    }
    return Response(PersonFactsShape(facts).data)
