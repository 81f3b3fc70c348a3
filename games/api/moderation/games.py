"""The REST API of moderators: the queue, actions on games, and the moderation log.

For tokens with the scope `moderate`, through the same services as the admin site: each action has a reason, is logged,
and is refused at a table where the moderator plays or has played.
"""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, LISTING, READING, problems
from games.api.base.scopes import Scope
from games.api.moderation.acting import ModerationEndpoint, view_of
from games.api.moderation.shapes import (
    ForecastShape,
    HandShape,
    LearnedShape,
    ModeratedGameShape,
    ModeratorNoteBody,
    QueueShape,
    ReplaceSeatBody,
    SandboxBody,
    SeatBody,
    SettleBody,
    StandInBody,
    StepLineShape,
    UntilBody,
)
from games.api.play import reading
from games.api.play.serializers import GameShape
from games.api.tables.host_tools import MoreTimeBody, ReasonBody, seat_at
from games.errors import Conflict, Forbidden, NotFound
from games.moderation import deliveries, notes, queue, reports
from games.moderation.entries import MODERATE_GAME, check_moderator, readable_entries
from games.moderation.games import earlier_steps, hands, tables
from games.moderation.games.forecast import forecast
from games.moderation.models import Report
from games.play import history, queries
from games.tables.models import Game
from notifications.clock import present

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
            "quarantined": queue.quarantined(),
            "overdue": queue.overdue(present.now()),
            "unreachable": queue.unreachable(),
            "given_up": queue.given_up(),
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
        row = next((row for row in queue.given_up() if row.name == message_id), None)
        if row is None:
            raise NotFound(_("There's no such message."))
        deliveries.retry_delivery(delivery=row, by=person(request), reason=reason, now=present.now())
        return Response(status=204)


class ModeratedGame(Moderating):
    """A game as a moderator sees it."""

    @extend_schema(operation_id="read_moderated_game", responses={200: ModeratedGameShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """What everybody may know of any game, what moderators and its host did, and why."""
        return _shown(request, found(request, ref))


class ForecastResource(Moderating):
    """A dry run."""

    @extend_schema(operation_id="read_forecast", responses={200: ForecastShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """What answering by default would do now, as far as a spectator could work it out."""
        told = forecast(found(request, ref))
        defaults = [{"seat": name, "default": words} for name, words in told.defaults]
        return Response(ForecastShape({"defaults": defaults, "lines": told.lines, "is_whole": told.is_whole}).data)


class StepsResource(Moderating):
    """The earlier steps of a game."""

    @extend_schema(operation_id="list_steps", responses={200: StepLineShape(many=True), **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """The newest of them, newest first: a game can be taken back to each."""
        return Response(StepLineShape(earlier_steps.steps(_begun(found(request, ref))), many=True).data)


class LearnedResource(Moderating):
    """What players have learned since a step."""

    @extend_schema(operation_id="read_learned", responses={200: LearnedShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str, number: int) -> Response:
        """What everybody has learned since a step, which seats have seen more of it, and who would be told."""
        told = earlier_steps.learned(_begun(found(request, ref)), number)
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
        game, reason = found(request, ref), checked(ReasonBody, request)["reason"]
        earlier_steps.roll_back(game=_begun(game), step=number, by=person(request), reason=reason, now=present.now())
        return _shown(request, found(request, ref))


class Sandbox(Moderating):
    """Copying a game to a sandbox."""

    @extend_schema(
        operation_id="copy_to_sandbox", request=SandboxBody, responses={201: GameShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Copies a game as it stood after a step to a table of your own against bots. What was hidden is dealt anew."""
        game, facts = found(request, ref), checked(SandboxBody, request)
        made = earlier_steps.copy_to_sandbox(game=game, step=number, by=person(request), now=present.now(), **facts)
        access = queries.access_game(person(request), made.ref)
        return Response(GameShape(reading.game_data(access)).data, status=201)


class HandResource(Moderating):
    """Looking at a hand."""

    @extend_schema(operation_id="look_at_hand", request=SeatBody, responses={200: HandShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Shows what one seat sees, to those who were given that right. Every look is written down."""
        facts = checked(SeatBody, request)
        seen = hands.reveal_hand(game=found(request, ref), by=person(request), now=present.now(), **facts)
        lines = [line.text for line in seen.lines]
        return Response(HandShape({"seat": seen.seat.number, "board": seen.board, "lines": lines}).data)


ACTS: tuple[ModerationEndpoint[Game], ...] = (
    ModerationEndpoint("note", "Leaves a note that moderators alone read.", ModeratorNoteBody,
        lambda game, by, facts, now: notes.add(about=game, by=by, text=facts["text"], now=now)),
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
        lambda game, by, facts, now: tables.release(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("mail-again", "Sends a player once more what he is asked.", SeatBody,
        lambda game, by, facts, now: tables.mail_again(game=game, by=by, now=now, **facts)),
    ModerationEndpoint("hand-to-bot", "A bot plays a seat until its player comes back.", StandInBody,
        lambda game, by, facts, now: tables.hand_to_bot(
            seat=seat_at(game, facts["seat"]), bot=facts["bot"], reason=facts["reason"], by=by, now=now)),
    ModerationEndpoint("give-back", "The player of an absent seat is waited for again.", SeatBody,
        lambda game, by, facts, now: tables.give_back(
            seat=seat_at(game, facts["seat"]), reason=facts["reason"], by=by, now=now)),
    ModerationEndpoint("replace", "Somebody else with an account sits down on a seat.", ReplaceSeatBody,
        lambda game, by, facts, now: tables.replace(
            seat=seat_at(game, facts["seat"]), address=facts["address"], reason=facts["reason"], by=by, now=now)),
)  # fmt: skip


def act_on_game(act: ModerationEndpoint[Game]) -> type[Resource]:
    """Makes the view of an action on a game."""
    return view_of(act, Moderating, "moderate", found, _shown, ModeratedGameShape)


def found(request: Request, ref: str) -> Game:
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


def _shown(request: Request, game: Game) -> Response:
    access = queries.Access(game, None)
    entries = readable_entries(game.moderation.select_related("actor", "user"), person(request)).order_by("-pk")[
        :ENTRIES
    ]
    facts = {
        "game": reading.game_data(access),
        "quarantined_at": game.quarantined_at,
        "steps": history.count_steps(game) if game.started_at else 0,
        "entries": entries,
        "notes": notes.readable(game.moderator_notes.all(), person(request)),
    }
    return Response(ModeratedGameShape(facts).data)
