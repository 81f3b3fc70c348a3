"""The REST API of time: hours, vacations, absence, and the votes for a pause or the end."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import links
from games.api import game_shapes
from games.api.access import Scope
from games.api.game_shapes import GameShape, NoBody
from games.api.parsing import Body, DataSerializer, checked
from games.api.resource import Resource, make_once, person
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, OPENING, problems
from games.errors import NotFound
from games.people.models import User
from games.play import absences, clocks, endings, pauses, queries, stewards, vacations
from notifications.clock import present

TIMES = ["%H:%M"]


class HoursShape(DataSerializer):
    """When a person's clocks run, and when he is reminded."""

    zone = serializers.CharField(help_text="An IANA name such as Europe/Madrid.")
    quiet_from = serializers.TimeField(format="%H:%M", allow_null=True)
    quiet_until = serializers.TimeField(format="%H:%M", allow_null=True)
    remind_before = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="Minutes before a deadline; null: automatic."
    )


class HoursBody(Body):
    """A person's hours as he wants them from now on; all four."""

    example = {"remind_before": [60]}
    zone = serializers.CharField(max_length=64, help_text="An IANA name such as Europe/Madrid.")
    quiet_from = serializers.TimeField(input_formats=TIMES, allow_null=True, help_text="By the clock of that zone.")
    quiet_until = serializers.TimeField(
        input_formats=TIMES, allow_null=True, help_text="Past midnight if it is not after quiet_from; null for none."
    )
    remind_before = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        max_length=clocks.MOST_REMINDERS,
        help_text="Minutes before a deadline; [] for never; null for once, when most of the time has gone.",
    )


class VacationShape(DataSerializer):
    """A vacation that is not over."""

    ref = serializers.CharField()
    first_day = serializers.DateField()
    last_day = serializers.DateField(help_text="Both days included, in your zone.")
    begins_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()


class VacationBody(Body):
    """From which day until which."""

    first_day = serializers.DateField(help_text="Such as 2026-12-24; today at the earliest.")
    last_day = serializers.DateField(help_text="Included.")


class PauseBody(Body):
    """Whether you want a pause."""

    is_wanted = serializers.BooleanField(help_text="The game is paused while more than half of its players want it.")


class StewardBody(Body):
    """After how many of your waking hours your steward acts."""

    example = {"hours": 6}
    hours = serializers.IntegerField(
        allow_null=True, min_value=-10_000, max_value=10_000, help_text="null for never; what fits depends on the pace."
    )


class EndBody(Body):
    """Whether you want to end the game without a result."""

    is_wanted = serializers.BooleanField(help_text="It ends when everybody who is not absent wants so.")


class HoursResource(Resource):
    """Your hours."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="read_hours", responses={200: HoursShape, **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Your zone, quiet hours and reminders."""
        return Response(_hours(person(request)))

    @extend_schema(operation_id="change_hours", request=HoursBody, responses={200: HoursShape, **problems(*OPENING)})
    def put(self, request: Request) -> Response:
        """Changes them, for all you are asked from now on; reminders change at once."""
        wanted = clocks.Hours(**checked(HoursBody, request))
        clocks.change_hours(user=person(request), hours=wanted, now=present.now())
        return Response(_hours(person(request)))


def _hours(user: User) -> Mapping[str, object]:
    recipient = user.recipient
    return HoursShape(
        {
            "zone": recipient.zone,
            "quiet_from": recipient.quiet_from,
            "quiet_until": recipient.quiet_until,
            "remind_before": user.remind_before,
        }
    ).data


class Vacations(Resource):
    """Your vacations."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="list_vacations", responses={200: VacationShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Those that are not over."""
        return Response(VacationShape(vacations.upcoming(person(request), present.now()), many=True).data)

    @extend_schema(
        operation_id="plan_vacation",
        parameters=[IDEMPOTENCY_KEY],
        request=VacationBody,
        responses={201: VacationShape, **problems(*OPENING, 409)},
    )
    def post(self, request: Request) -> Response:
        """Plans one: your clocks stand still, and deadlines that would fall into it move."""
        days = checked(VacationBody, request)
        user = person(request)
        vacation = make_once(
            request, user.vacations.all(), lambda: vacations.plan(user=user, **days, now=present.now())
        )
        return Response(VacationShape(vacation).data, status=201)


class EndVacation(Resource):
    """Ending a vacation."""

    scope = Scope.ACCOUNT

    @extend_schema(
        operation_id="end_vacation",
        request=NoBody,
        responses={200: VacationShape(many=True), **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Ends a vacation, or calls it off; gives those that are left."""
        checked(NoBody, request)
        now = present.now()
        vacations.end(user=person(request), ref=ref, now=now)
        return Response(VacationShape(vacations.upcoming(person(request), now), many=True).data)


class ComeBack(Resource):
    """Ending an absence."""

    is_for_bots = True

    @extend_schema(operation_id="come_back", request=NoBody, responses={200: GameShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Ends your absence: your seat is asked and waited for again. Harmless if you are not absent."""
        access = queries.access_seat(person(request), ref)
        assert access.seat is not None
        checked(NoBody, request)
        absences.come_back(seat_id=access.seat.pk, now=present.now())
        return Response(GameShape(game_shapes.game_data(queries.access_game(person(request), ref))).data)


class TakeBody(Body):
    """By which right."""

    example = {"link": ...}
    link = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="The last part of the link that you were sent."
    )


class TakeSeat(Resource):
    """Taking an offered seat."""

    @extend_schema(operation_id="take_seat", request=TakeBody, responses={200: GameShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Sits down on a seat that is offered. You see what it has seen, and nothing its player had in mind."""
        link = checked(TakeBody, request)["link"]
        game = links.find_table(ref, link) or queries.access_to_sit(person(request), ref).game
        seat = next((seat for seat in game.seated() if seat.number == number), None)
        if seat is None:
            raise NotFound(_("There's no such seat."))
        absences.take_over(seat_id=seat.pk, user=person(request), now=present.now())
        return Response(GameShape(game_shapes.game_data(queries.access_game(person(request), ref))).data)


class Pause(Resource):
    """Voting for a pause."""

    @extend_schema(operation_id="wish_pause", request=PauseBody, responses={200: GameShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Says whether you want a pause. It begins when more than half of the players do; all can see who does."""
        access = queries.access_seat(person(request), ref)
        assert access.seat is not None
        is_wanted = checked(PauseBody, request)["is_wanted"]
        pauses.set_wish(game_id=access.game.pk, seat=access.seat.number, is_wanted=is_wanted, now=present.now())
        return Response(GameShape(game_shapes.game_data(queries.access_game(person(request), ref))).data)


class StewardResource(Resource):
    """Your steward at a table."""

    @extend_schema(
        operation_id="choose_steward", request=StewardBody, responses={200: GameShape, **problems(*CHANGING)}
    )
    def put(self, request: Request, ref: str) -> Response:
        """Chooses after how many of your waking hours what is proposed is played for you, once nobody else is to be
        waited for. Nobody else can tell."""
        access = queries.access_seat(person(request), ref)
        assert access.seat is not None
        wanted = checked(StewardBody, request)["hours"]
        stewards.change(game_id=access.game.pk, seat=access.seat.number, hours=wanted, now=present.now())
        return Response(GameShape(game_shapes.game_data(queries.access_game(person(request), ref))).data)


class AgreeEnd(Resource):
    """Voting to end the game without a result."""

    @extend_schema(operation_id="wish_end", request=EndBody, responses={200: GameShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Says whether you want to end the game. It ends when all who are not absent do; everybody can see who does."""
        access = queries.access_seat(person(request), ref)
        assert access.seat is not None
        is_wanted = checked(EndBody, request)["is_wanted"]
        endings.set_wish(game_id=access.game.pk, seat=access.seat.number, is_wanted=is_wanted, now=present.now())
        return Response(GameShape(game_shapes.game_data(queries.access_game(person(request), ref))).data)
