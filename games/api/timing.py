"""The REST API of time: hours, vacations, absence, and the votes for a pause or the end."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from games.api.access import Scope
from games.api.game_shapes import A_GAME, own_seat
from games.api.parsing import Body, DataSerializer
from games.api.resource import Operations, make_once, person
from games.errors import NotFound
from games.play import absences, clocks, game_moves, pauses, queries, stewards
from games.tables import table_links
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.clock import present

operation = Operations()

TIMES = ["%H:%M"]


class HoursShape(DataSerializer):
    """When a person's clocks run, and when he is reminded."""

    zone = serializers.CharField(source="recipient.zone", help_text="An IANA name such as Europe/Madrid.")
    quiet_from = serializers.TimeField(source="recipient.quiet_from", format="%H:%M", allow_null=True)
    quiet_until = serializers.TimeField(source="recipient.quiet_until", format="%H:%M", allow_null=True)
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


class StewardBody(Body):
    """After how many of your waking hours your steward acts."""

    example = {"hours": 6}
    hours = serializers.IntegerField(
        allow_null=True, min_value=-10_000, max_value=10_000, help_text="null for never; what fits depends on the pace."
    )


@operation("GET me/hours/", answer=HoursShape, scope=Scope.ACCOUNT)
def read_hours(request: Request) -> object:
    """Your zone, quiet hours and reminders."""
    return person(request)


@operation("PUT me/hours/", body=HoursBody, answer=HoursShape, scope=Scope.ACCOUNT)
def change_hours(request: Request, **facts: Any) -> object:
    """Changes them, for all you are asked from now on; reminders change at once."""
    clocks.change_hours(user=person(request), hours=clocks.Hours(**facts), now=present.now())
    return person(request)


@operation("GET me/vacations/", answer=[VacationShape], scope=Scope.ACCOUNT)
def list_vacations(request: Request) -> object:
    """Lists your vacations that are not over."""
    return absences.upcoming(person(request), present.now())


@operation("POST me/vacations/", body=VacationBody, answer=VacationShape, once=True, errors=[409], scope=Scope.ACCOUNT)
def plan_vacation(request: Request, **days: Any) -> object:
    """Plans one: your clocks stand still, and deadlines that would fall into it move."""
    user = person(request)
    return make_once(request, user.vacations.all(), lambda: absences.plan(user=user, **days, now=present.now()))


@operation("DELETE me/vacations/<slug:ref>/", answer=[VacationShape], scope=Scope.ACCOUNT)
def end_vacation(request: Request, ref: str) -> object:
    """Ends a vacation, or calls it off; gives those that are left."""
    now = present.now()
    absences.end(user=person(request), ref=ref, now=now)
    return absences.upcoming(person(request), now)


@operation("POST games/<slug:ref>/back/", of=own_seat, for_bots=True, **A_GAME)
def come_back(request: Request, seat: Seat) -> None:
    """Ends your absence: your seat is asked and waited for again. Harmless if you are not absent."""
    absences.come_back(seat_id=seat.pk, now=present.now())


class TakeBody(Body):
    """By which right."""

    example = {"link": ...}
    link = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="The last part of the link that you were sent."
    )


@operation("POST games/<slug:ref>/seats/<int:number>/take/", body=TakeBody, **A_GAME)
def take_seat(request: Request, ref: str, number: int, link: str) -> None:
    """Sits down on a seat that is offered. You see what it has seen, and nothing its player had in mind."""
    game = table_links.find_table(ref, link) or queries.access_to_sit(person(request), ref).game
    seat = next((seat for seat in game.seated() if seat.number == number), None)
    if seat is None:
        raise NotFound(_("There's no such seat."))
    absences.take_over(seat_id=seat.pk, user=person(request), now=present.now())


@operation("POST games/<slug:ref>/successor/", of=own_seat, **A_GAME)
def seek_successor(request: Request, seat: Seat) -> None:
    """Opens your seat to others while you play on. Who takes it over is rated apart from you, and you have left in
    order."""
    absences.seek_successor(seat_id=seat.pk, is_wanted=True, now=present.now())


@operation("DELETE games/<slug:ref>/successor/", of=own_seat, **A_GAME)
def keep_seat(request: Request, seat: Seat) -> None:
    """Closes your seat to others again: you stay."""
    absences.seek_successor(seat_id=seat.pk, is_wanted=False, now=present.now())


class AbsentWishBody(Body):
    """A vote on absent seats."""

    wish = serializers.ChoiceField(
        Game.AbsentSeats.choices, help_text="What you want done with the seats of players who are absent."
    )


@operation("POST games/<slug:ref>/absent/", of=own_seat, body=AbsentWishBody, **A_GAME)
def wish_for_absent(request: Request, seat: Seat, wish: str) -> None:
    """Votes on what becomes of absent seats. It holds from when more than half of the players want the same; all can
    see who wants what."""
    absences.wish_for_absent(seat_id=seat.pk, wish=wish, now=present.now())


@operation("POST games/<slug:ref>/pause/", of=own_seat, **A_GAME)
def wish_pause(request: Request, seat: Seat) -> None:
    """Says that you want a pause. The game is paused while more than half of its players do; all can see who does."""
    pauses.set_wish(game_id=seat.game_id, seat=seat.number, is_wanted=True, now=present.now())


@operation("DELETE games/<slug:ref>/pause/", of=own_seat, **A_GAME)
def take_back_pause(request: Request, seat: Seat) -> None:
    """Says that you no longer want a pause."""
    pauses.set_wish(game_id=seat.game_id, seat=seat.number, is_wanted=False, now=present.now())


class HourBody(Body):
    """When it begins."""

    starts_at = serializers.DateTimeField(help_text="Within two weeks; in whole minutes.")


@operation("PUT games/<slug:ref>/hour/", of=own_seat, body=HourBody, **A_GAME)
def agree_on_hour(request: Request, seat: Seat, starts_at: datetime) -> None:
    """Proposes an hour at which the table plays live together, or agrees to the one that is proposed. It stands once
    all its players agree: for two hours clocks run by the live pace, and nobody is passed."""
    pauses.agree_on_hour(game_id=seat.game_id, seat=seat.number, starts_at=starts_at, now=present.now())


@operation("DELETE games/<slug:ref>/hour/", of=own_seat, **A_GAME)
def decline_hour(request: Request, seat: Seat) -> None:
    """Declines the hour together, which is then off; leaves one that has begun. Harmless if there is none."""
    pauses.decline_hour(game_id=seat.game_id, seat=seat.number, now=present.now())


@operation("PUT games/<slug:ref>/steward/", of=own_seat, body=StewardBody, **A_GAME)
def choose_steward(request: Request, seat: Seat, hours: int | None) -> None:
    """Chooses after how many of your waking hours what is proposed is played for you, once nobody else is to be
    waited for. Nobody else can tell."""
    stewards.change(game_id=seat.game_id, seat=seat.number, hours=hours, now=present.now())


@operation("POST games/<slug:ref>/agree/", of=own_seat, **A_GAME)
def wish_end(request: Request, seat: Seat) -> None:
    """Says that you want to end the game without a result. It ends when all who are not absent do; everybody can see
    who does."""
    game_moves.set_end_wish(game_id=seat.game_id, seat=seat.number, is_wanted=True, now=present.now())


@operation("DELETE games/<slug:ref>/agree/", of=own_seat, **A_GAME)
def take_back_end(request: Request, seat: Seat) -> None:
    """Says that you no longer want to end the game."""
    game_moves.set_end_wish(game_id=seat.game_id, seat=seat.number, is_wanted=False, now=present.now())
