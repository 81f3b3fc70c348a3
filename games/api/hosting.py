"""The REST API of hosts: tools at the table, changed settings, handing the role over; and reports by players."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from games.api.game_shapes import A_GAME, GameShape, PaceField, shown_game
from games.api.parsing import AnyField, Body, ComputedField, DataSerializer
from games.api.resource import Operations, make_once, person
from games.api.schema import CHANGING, Responses, problems
from games.api.tables import AgreedShape, find_game, hosted_game, setting_field
from games.errors import Conflict, NotFound
from games.lobby import hosting, waiting
from games.lobby.models import HostOffer
from games.moderation import reports, tables
from games.moderation.models import Report
from games.people.models import User
from games.play import queries
from games.tables.audit import REASON_LENGTH, ModerationEntry
from games.tables.models import Game
from games.tables.settings import SETTINGS, TablePlan, agreed_of
from notifications.clock import present

operation = Operations()


class DoneShape(DataSerializer):
    """An act of a host or a moderator at the table, as its players read it."""

    action = serializers.ChoiceField(ModerationEntry.Action.choices)
    words = serializers.CharField(source="get_action_display")
    seat = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(source="reason_in_words")
    until = serializers.DateTimeField(allow_null=True)
    at = serializers.DateTimeField(source="created_at")


class ReasonBody(Body):
    """Why; those whom it concerns read it."""

    reason = serializers.CharField(max_length=REASON_LENGTH)


class MoreTimeBody(ReasonBody):
    """How much more time."""

    hours = serializers.IntegerField(min_value=1, max_value=tables.MOST_HOURS)


class ReplaceBody(ReasonBody):
    """The person who is asked to sit down instead."""

    example = {"address": "david@example.org"}
    address = serializers.CharField(max_length=254, help_text="An email address, with or without an account.")


class ReportBody(Body):
    """The event to report."""

    example = {"seat": None}
    text = serializers.CharField(max_length=Report.TEXT_LENGTH)
    seat = serializers.IntegerField(
        min_value=0, default=None, allow_null=True, help_text="About whom; null for nobody in particular."
    )


class TextBody(Body):
    """The reason why something that everybody can read is wrong."""

    text = serializers.CharField(max_length=Report.TEXT_LENGTH)


class ReportShape(DataSerializer):
    """A report of yours to the moderators."""

    ref = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    outcome = serializers.ChoiceField(Report.Outcome.choices, allow_blank=True, help_text="What came of it, or empty.")
    answer = serializers.CharField(source="answer_in_words", allow_blank=True, help_text="Of the moderator, to you.")


def _done(request: Request, ref: str) -> object:
    return queries.moderation(queries.access_game(person(request), ref))


DONE: dict[str, Any] = {"answer": [DoneShape], "shows": _done}


@operation("GET games/<slug:ref>/care/", answer=[DoneShape])
def list_care(request: Request, ref: str) -> object:
    """Lists the acts of host and moderators at this table with their reasons, newest first."""
    return _done(request, ref)


@operation("POST games/<slug:ref>/extend/", of=hosted_game, body=MoreTimeBody, **DONE)
def extend_deadlines(request: Request, game: Game, **facts: Any) -> None:
    """Gives everybody who is asked so many hours more, at most 72, at a table that you host."""
    tables.extend(game=game, by=person(request), now=present.now(), **facts)


@operation("POST games/<slug:ref>/nudge/", of=hosted_game, body=ReasonBody, **DONE)
def nudge(request: Request, game: Game, **facts: Any) -> None:
    """Reminds everybody at your table who has not answered, once for each question; nobody is told who that is."""
    tables.nudge(game=game, by=person(request), now=present.now(), **facts)


@operation("POST games/<slug:ref>/seats/<int:number>/replace/", of=hosted_game, body=ReplaceBody, **DONE)
def replace_player(request: Request, game: Game, number: int, **facts: Any) -> None:
    """Offers the seat of an absent player at your table to somebody else, who sits down by accepting. Until then
    the player may come back."""
    tables.offer_seat(seat=tables.seat_at(game, number), by=person(request), now=present.now(), **facts)


@operation("GET games/<slug:ref>/reports/", answer=[ReportShape])
def list_reports(request: Request, ref: str) -> object:
    """Lists your reports about a table of yours and their results, newest first."""
    game = queries.access_seat(person(request), ref).game
    return game.reports.filter(reporter=person(request)).order_by("-pk")


@operation("POST games/<slug:ref>/reports/", body=ReportBody, answer=ReportShape, once=True)
def report(request: Request, ref: str, **facts: Any) -> object:
    """Tells the moderators what happened at a table of yours. Nobody else at the table learns of it."""
    game, by = queries.access_seat(person(request), ref).game, person(request)

    def report() -> Report:
        if game.status != Game.Status.RUNNING:
            raise Conflict(_("This game isn't running."))
        return reports.file_report(game=game, by=by, now=present.now(), **facts)

    return make_once(request, game.reports.all(), report)


# Changed settings: before the game, and its players agree again

SHOWN: Responses = {200: GameShape, **problems(*CHANGING)}


class ChangedTableBody(Body):
    """The settings to change; others stay as they are."""

    example = {
        "seat_count": 3,
        "pace": "daily",
        "options": {"open_hoards": "off"},
        "proposals": "on",
        "missed": "proposal",
    }
    title = serializers.CharField(max_length=60, allow_blank=True, required=False, help_text="Empty: as it is.")
    seat_count = serializers.IntegerField(min_value=1, max_value=20, required=False, help_text="How many play.")
    options = serializers.DictField(
        child=serializers.CharField(max_length=40), required=False, help_text="Of the rules; left out, as they are."
    )
    pace = PaceField(required=False)

    def get_fields(self) -> dict[str, AnyField]:
        """The fields above, and one for each setting."""
        settings = {setting.name: setting_field(setting, is_required=False) for setting in SETTINGS}
        return {**super().get_fields(), **settings}


class AgreeBody(Body):
    """Which settings are agreed to."""

    example = {"settings_version": 1}
    settings_version = serializers.IntegerField(
        min_value=0, max_value=32767, help_text="Of the table, as you have read it. Another by now, and it is a 409."
    )


class TableSettingsShape(DataSerializer):
    """The settings of a table, and those that your seat has agreed to."""

    settings_version = serializers.IntegerField(help_text="How often the host has changed them.")
    settings = AgreedShape()
    has_agreed = serializers.BooleanField(allow_null=True, help_text="Whether you have; null if you have no seat.")
    agreed = AgreedShape(allow_null=True, help_text="What you agreed to, if the host has changed it since.")


@operation("GET games/<slug:ref>/settings/", of=find_game, answer=TableSettingsShape)
def read_settings(request: Request, game: Game) -> object:
    """The settings of a table; and if its host has changed them since you agreed, those that you agreed to."""
    seat = next((candidate for candidate in game.seated() if candidate.user_id == person(request).pk), None)
    return {
        "settings_version": game.settings_version,
        "settings": agreed_of(game),
        "has_agreed": seat.has_agreed if seat is not None else None,
        "agreed": hosting.settings_agreed_by(seat) if seat is not None else None,
    }


@operation("PATCH games/<slug:ref>/settings/", of=find_game, body=ChangedTableBody, **A_GAME)
def change_settings(request: Request, game: Game, **wanted: Any) -> None:
    """Changes a table that you host before its game. Everybody there is asked by email to agree again."""
    values = agreed_of(game)
    values["seat_count"] = wanted.pop("seat_count", values["seat_count"])
    values["options"] = {**values["options"], **wanted.pop("options", {})}
    plan = TablePlan(title=wanted.pop("title", "") or game.title, rules_name=game.rules_name, **values)
    hosting.change_settings(game_id=game.pk, host=person(request), plan=replace(plan, **wanted), now=present.now())


@operation("POST games/<slug:ref>/settings/agree/", of=find_game, body=AgreeBody, **A_GAME)
def agree_settings(request: Request, game: Game, settings_version: int) -> None:
    """Agrees to the settings of a table at which you sit, before its game. Otherwise leave it."""
    hosting.agree_to_settings(game_id=game.pk, user=person(request), seen=settings_version)


# The host's role, and whom a game waits for


class HostOfferBody(Body):
    """The player who is asked to be the host."""

    example = {"seat": 1}
    seat = serializers.IntegerField(min_value=0, max_value=20, help_text="Of a person who plays there.")


class HostOfferShape(DataSerializer):
    """The host's role, offered to somebody at the table."""

    seat = serializers.IntegerField(help_text="Whom you have asked.")
    created_at = serializers.DateTimeField()


class MyHostOfferShape(DataSerializer):
    """The host's role, offered to you."""

    ref = serializers.CharField()
    game_ref = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    host = serializers.CharField(source="game.host.name")
    created_at = serializers.DateTimeField()


class HostWaitingShape(DataSerializer):
    """A question that the game waits on, as everybody may know it."""

    seat = serializers.IntegerField(
        source="seat.number",
        help_text="Of a sealed question each seat that was asked, but yours only until you answer.",
    )
    question = serializers.CharField(help_text="What is asked, in words.")
    since = serializers.DateTimeField()
    due_at = serializers.DateTimeField(allow_null=True)
    usual_seconds = ComputedField(
        lambda wait: None if wait.usual is None else int(wait.usual.total_seconds()),
        serializers.IntegerField(
            allow_null=True,
            help_text="The median of this player's open answers at the table; null for fewer than three.",
        ),
    )
    reminded_at = serializers.DateTimeField(allow_null=True, help_text="When everybody was reminded of it.")


@operation("POST games/<slug:ref>/host-offer/", of=find_game, body=HostOfferBody, answer=HostOfferShape, once=True)
def offer_host_role(request: Request, game: Game, seat: int) -> object:
    """Asks somebody at a table that you host to be its host. You stay it until they accept."""
    host = person(request)
    offer = make_once(
        request,
        HostOffer.objects.filter(game=game),
        lambda: hosting.offer_role(game_id=game.pk, host=host, seat=seat, now=present.now()),
    )
    return {"seat": seat, "created_at": offer.created_at}


@operation("DELETE games/<slug:ref>/host-offer/", of=find_game)
def withdraw_host_role(request: Request, game: Game) -> None:
    """Takes your offer back, as long as it is not answered."""
    hosting.withdraw_offer(game_id=game.pk, host=person(request))


@operation("POST games/<slug:ref>/host-role/take/", of=find_game, **A_GAME)
def take_host_role(request: Request, game: Game) -> None:
    """Makes you the host of a running game in which you play, once its host has left it and has not been seen there
    for a week. The others at the table are told."""
    hosting.take_role(game_id=game.pk, user=person(request), now=present.now())


@operation("GET me/host-offers/", answer=[MyHostOfferShape])
def list_host_offers(request: Request) -> object:
    """The tables whose host you are asked to be."""
    return hosting.offers_to(person(request))


@operation("POST me/host-offers/<slug:ref>/accept/", answer=GameShape)
def accept_host_role(request: Request, ref: str) -> object:
    """Makes you the host; the others at the table are told."""
    offer = _offer(person(request), ref)
    hosting.accept_offer(offer=offer, now=present.now())
    return shown_game(request, offer.game.ref)


@operation("POST me/host-offers/<slug:ref>/decline/")
def decline_host_role(request: Request, ref: str) -> None:
    """Says no: everything stays as it is."""
    hosting.decline_offer(offer=_offer(person(request), ref))


@operation("GET games/<slug:ref>/waiting/", of=hosted_game, answer=[HostWaitingShape])
def read_waiting(request: Request, game: Game) -> object:
    """Lists the players that a game of yours waits for, the longest wait first: public facts alone."""
    access = queries.access_game(person(request), game.ref)
    return waiting.waiting(access.game, access.seat)


def _offer(user: User, ref: str) -> HostOffer:
    offer = next((candidate for candidate in hosting.offers_to(user) if candidate.ref == ref), None)
    if offer is None:
        raise NotFound(_("There's no such offer."))
    return offer
