"""The REST API of tournaments: reading them, entering and leaving."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from games.api.game_shapes import PaceField
from games.api.hosting import ReportShape, TextBody
from games.api.parsing import Body, ComputedField, DataSerializer, WordField
from games.api.resource import Operations, make_once, person
from games.moderation import reports
from games.people.models import User
from games.tournaments import tournaments
from games.tournaments.models import (
    LONGEST_ABOUT,
    LONGEST_REASON,
    MOST_DAYS,
    MOST_ENTRANTS,
    MOST_ROUNDS,
    Tournament,
    TournamentTable,
)
from notifications.clock import present

operation = Operations()

LISTED = (Tournament.Status.OPEN, Tournament.Status.RUNNING, Tournament.Status.FINISHED)


class TournamentsQuery(Body):
    """Which tournaments."""

    status = WordField([(choice.value, choice.label) for choice in LISTED], default=Tournament.Status.OPEN.value)


class TournamentShape(DataSerializer):
    """A tournament."""

    ref = serializers.CharField(source="row.ref")
    title = serializers.CharField(source="row.display_title")
    about = serializers.CharField(source="row.display_about", help_text="What its host says.")
    host = serializers.CharField(source="row.host.get_short_name")
    status = serializers.ChoiceField(Tournament.Status.choices, source="row.status")
    rules = serializers.CharField(source="row.rules_name")
    options = serializers.DictField(source="row.options", child=serializers.CharField())
    pace = PaceField(source="row.pace")
    table_size = serializers.IntegerField(
        source="row.table_size", help_text="Some tables have one player less or more, if need be."
    )
    rounds = serializers.IntegerField(source="row.round_count")
    round_days = serializers.IntegerField(
        source="row.round_days", help_text="After so many days, tables that still play count as a tie."
    )
    fewest = serializers.IntegerField(source="row.fewest", help_text="With fewer entrants it is called off.")
    most = serializers.IntegerField(source="row.most")
    taken = serializers.IntegerField(source="row.taken", help_text="How many have entered.")
    allows_bots = serializers.BooleanField(source="row.allows_bots", help_text="Its host may enter bot accounts.")
    is_mine = serializers.BooleanField(help_text="You have entered it, and not left.")
    closes_at = serializers.DateTimeField(
        source="row.closes_at", help_text="When entries close and the first round is drawn."
    )
    started_at = serializers.DateTimeField(source="row.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="row.finished_at", allow_null=True)


class EntrantShape(DataSerializer):
    """Somebody who has entered."""

    ref = serializers.CharField()
    name = serializers.CharField(source="display_name")
    is_bot = serializers.BooleanField()
    is_in = serializers.BooleanField(help_text="False for who has left or was removed.")


class StandingShape(DataSerializer):
    """A line of the standings."""

    name = serializers.CharField(source="entrant.display_name")
    is_bot = serializers.BooleanField(source="entrant.is_bot")
    is_in = serializers.BooleanField(source="entrant.is_in", help_text="False for who has left or was removed.")
    place = serializers.IntegerField(allow_null=True, help_text="Shared by who is level; null for who was removed.")
    points = serializers.FloatField(
        source="shown_points", help_text="At each table the share of the opponents that were beaten."
    )
    wins = serializers.IntegerField()
    opponents = serializers.FloatField(
        source="shown_opponents", help_text="The mean points of the opponents, which break ties."
    )


class TournamentSeatShape(DataSerializer):
    """A player at a table of a round."""

    name = serializers.CharField(source="entrant.display_name")
    place = serializers.IntegerField(allow_null=True, help_text="Once the table is over.")


class RoundTableShape(DataSerializer):
    """A table of a round."""

    number = serializers.IntegerField(source="table.number")
    state = serializers.ChoiceField(
        TournamentTable.State.choices, source="table.state", help_text="undecided: it ended without a result."
    )
    game_ref = serializers.CharField(source="table.game.ref", allow_null=True, help_text="Null until it is opened.")
    seats = TournamentSeatShape(many=True)


class RoundShape(DataSerializer):
    """A round."""

    number = serializers.IntegerField(source="round.number")
    started_at = serializers.DateTimeField(source="round.started_at")
    ends_at = serializers.DateTimeField(source="round.ends_at", help_text="At the latest.")
    finished_at = serializers.DateTimeField(source="round.finished_at", allow_null=True)
    tables = RoundTableShape(many=True)
    byes = ComputedField(
        lambda shown: [entrant.display_name for entrant in shown.byes],
        serializers.ListField(child=serializers.CharField(), help_text="Who sits out."),
    )


class WholeTournamentShape(TournamentShape):
    """A tournament with who has entered, its rounds, the newest first, and its standings."""

    entrants = EntrantShape(many=True)
    standings = StandingShape(many=True, help_text="After the last round that is over.")
    played = RoundShape(many=True)


@operation("GET tournaments/", query=TournamentsQuery, answer=[TournamentShape])
def list_tournaments(request: Request, status: str) -> object:
    """Tournaments that can be entered, that are running, or the last that are finished; at most 100."""
    mine = {row.pk for row in tournaments.of_person(person(request))}
    return [{"row": row, "is_mine": row.pk in mine} for row in _listed(status, person(request))]


def _listed(status: str, viewer: User) -> list[Tournament]:
    if status == Tournament.Status.OPEN:
        return tournaments.open_for_entries(viewer)
    return tournaments.running() if status == Tournament.Status.RUNNING else tournaments.over()


def _shown(request: Request, ref: str) -> dict[str, object]:
    return whole_tournament(tournaments.find_tournament(ref), person(request))


def whole_tournament(row: Tournament, viewer: User | None) -> dict[str, object]:
    """Returns everything about a tournament."""
    entry = tournaments.entry_of(row, viewer)
    return {
        "row": row,
        "is_mine": entry is not None and entry.is_in,
        "entrants": tournaments.entrants(row),
        "standings": tournaments.standings(row),
        "played": tournaments.rounds_of(row),
    }


WHOLE: dict[str, Any] = {"answer": WholeTournamentShape, "shows": _shown}


@operation("GET tournaments/<slug:ref>/", answer=WholeTournamentShape)
def read_tournament(request: Request, ref: str) -> object:
    """Reads a whole tournament: everybody may read it."""
    return _shown(request, ref)


class TournamentBody(Body):
    """A tournament as its host wants it."""

    example = {"title": "Spring Cup", "table_size": 3, "rounds": 3, "fewest": 4, "most": 64, "options": {},
               "rules": "cave-of-wonders", "about": "Three rounds, one a month."}  # fmt: skip
    title = serializers.CharField(max_length=60, allow_blank=True, default="", help_text="Named after you if empty.")
    about = serializers.CharField(max_length=LONGEST_ABOUT, allow_blank=True, default="")
    rules = serializers.CharField(max_length=40)
    options = serializers.DictField(
        child=serializers.CharField(max_length=40), default=dict, help_text="Of the rules; left out, their defaults."
    )
    pace = PaceField(default="daily")
    table_size = serializers.IntegerField(min_value=1, max_value=20, help_text="How many play at a table.")
    rounds = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS)
    round_days = serializers.IntegerField(
        min_value=1, max_value=MOST_DAYS, default=60, help_text="After them, tables that still play count as a tie."
    )
    fewest = serializers.IntegerField(
        min_value=2, max_value=MOST_ENTRANTS, default=4, help_text="With fewer entrants it is called off."
    )
    most = serializers.IntegerField(min_value=2, max_value=MOST_ENTRANTS, default=64)
    closes_at = serializers.DateTimeField(help_text="When entries close and the first round is drawn.")
    allows_bots = serializers.BooleanField(default=False, help_text="Whether you may enter bot accounts.")


class EnterBotBody(Body):
    """Which bot account."""

    example = {"bot": "Robo"}
    bot = serializers.CharField(max_length=40, help_text="The name of a bot account that you may seat.")


class CallOffBody(Body):
    """Why; everybody who has entered reads it."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


class RemoveEntrantQuery(Body):
    """Why; who is removed reads it."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


def _row(request: Request, ref: str) -> Tournament:
    return tournaments.find_tournament(ref)


HOSTED: dict[str, Any] = {"of": _row, **WHOLE}


@operation(
    "POST tournaments/", body=TournamentBody, answer=WholeTournamentShape, once=True, errors=[409],
    location="api_read_tournament",
)  # fmt: skip
def open_tournament(request: Request, rules: str, **wanted: Any) -> object:
    """Opens a tournament for entries. You play in it only if you enter it yourself."""
    host, plan = person(request), tournaments.TournamentPlan(rules_name=rules, **wanted)
    row = make_once(
        request,
        host.hosted_tournaments.all(),
        lambda: tournaments.open_tournament(host=host, plan=plan, now=present.now()),
    )
    return _shown(request, row.ref)


@operation("POST tournaments/<slug:ref>/bots/", body=EnterBotBody, **HOSTED)
def enter_bot(request: Request, row: Tournament, bot: str) -> None:
    """Enters a bot account in a tournament that you host, where it allows bots."""
    tournaments.enter_bot(tournament_id=row.pk, host=person(request), name=bot, now=present.now())


@operation("POST tournaments/<slug:ref>/start/", **HOSTED)
def start_tournament(request: Request, row: Tournament) -> None:
    """Closes the entries of a tournament that you host, and draws its first round."""
    tournaments.start_now(tournament_id=row.pk, by=person(request), now=present.now())


@operation("POST tournaments/<slug:ref>/rounds/<int:number>/end/", **HOSTED)
def end_round(request: Request, row: Tournament, number: int) -> None:
    """Ends the round that is played in a tournament that you host: tables that still play count as a tie."""
    tournaments.end_round(tournament_id=row.pk, by=person(request), number=number, now=present.now())


@operation("POST tournaments/<slug:ref>/call-off/", body=CallOffBody, **HOSTED)
def call_off_tournament(request: Request, row: Tournament, reason: str) -> None:
    """Calls a tournament off that you host, for good. Games that have begun go on as ordinary games."""
    tournaments.call_off(tournament_id=row.pk, by=person(request), reason=reason, now=present.now())


@operation("DELETE tournaments/<slug:ref>/entrants/<slug:entrant_ref>/", query=RemoveEntrantQuery, **HOSTED)
def remove_entrant(request: Request, row: Tournament, entrant_ref: str, reason: str) -> None:
    """Removes an entrant from a tournament that you host; who that is, is told why and can't enter again."""
    by, now = person(request), present.now()
    tournaments.remove_entrant(tournament_id=row.pk, by=by, entrant=entrant_ref, reason=reason, now=now)


@operation("POST tournaments/<slug:ref>/enter/", **WHOLE)
def enter_tournament(request: Request, ref: str) -> None:
    """Enters you: you agree to play in all its rounds. Entering twice changes nothing."""
    tournaments.enter(tournament_id=tournaments.find_tournament(ref).pk, user=person(request), now=present.now())


@operation("DELETE tournaments/<slug:ref>/enter/", **WHOLE)
def leave_tournament(request: Request, ref: str) -> None:
    """Takes you out: no further round seats you. A game that has begun stays yours."""
    tournaments.leave(tournament_id=tournaments.find_tournament(ref).pk, user=person(request), now=present.now())


@operation("POST tournaments/<slug:ref>/reports/", body=TextBody, answer=ReportShape, once=True)
def report_tournament(request: Request, ref: str, text: str) -> object:
    """Tells the moderators what is wrong with a tournament's title or description. Its host isn't told."""
    row, by = tournaments.find_tournament(ref), person(request)
    return make_once(
        request,
        row.reports.all(),
        lambda: reports.report_tournament(tournament=row, by=by, text=text, now=present.now()),
    )
