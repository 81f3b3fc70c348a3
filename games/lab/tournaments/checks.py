"""What must hold of a tournament that is over: everybody was seated, every table ranked, and everybody told once."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from games.lab.simulation.timeline import expect
from games.models import Entrant, Game, Seat, Tournament, TournamentSeat, TournamentTable
from games.tournaments import queries, rounds, scoring
from notifications.models import Notice

State = TournamentTable.State


@dataclass(frozen=True)
class TournamentFigures:
    """What came of a tournament.

    Arguments:
        tables, seated, ranked: of all rounds: how many were drawn, played, and have places.
        undecided: of those that are ranked: they ended without a result.
        repeated: pairs of people who met more than once.
        left, removed: of the entrants.
        days: of virtual time, from the first round to the end.
        emails: to everybody.
    """

    entrants: int
    left: int
    removed: int
    rounds: int
    tables: int
    seated: int
    ranked: int
    undecided: int
    byes: int
    repeated: int
    days: float
    emails: int


def check(tournament: Tournament) -> None:
    """Raises InvariantBroken for whatever must not be in a tournament that is over."""
    expect(tournament.status == Tournament.Status.FINISHED, f"the tournament is {tournament.status}")
    for row in tournament.rounds.all():
        seated = Counter(TournamentSeat.objects.filter(table__round=row).values_list("entrant", flat=True))
        expect(set(seated.values()) == {1}, f"somebody sits twice in round {row.number}")
    for table in TournamentTable.objects.filter(round__tournament=tournament).select_related("game"):
        _check_table(table)
    _check_standings(tournament)
    _check_notices(tournament)


def _check_table(table: TournamentTable) -> None:
    places = list(table.seats.values_list("place", flat=True))
    expect(table.is_over and None not in places, f"{table} has no places")
    if table.state == State.BYE:
        expect(len(places) <= 1, f"several sit out together: {table}")
        return
    game = table.game
    expect(game is not None, f"{table} was never opened")
    assert game is not None
    players = set(Seat.objects.filter(game=game).values_list("user", flat=True))
    expect(players == set(table.seats.values_list("entrant__user", flat=True)), f"others play at {table}")
    expect(min(filter(None, places)) == 1, f"nobody is first at {table}")
    if table.state == State.DONE:
        expect(game.status == Game.Status.FINISHED, f"{table} is done and its game is not")


def _check_standings(tournament: Tournament) -> None:
    lines, tables = queries.standings(tournament), rounds.places_of(tournament)
    ever = set(TournamentSeat.objects.filter(table__round__tournament=tournament).values_list("entrant", flat=True))
    expect({line.entrant.pk for line in lines} == ever and len(lines) == len(ever), "somebody is not ranked")
    owed = sum((Fraction(len(places), 2) if len(places) > 1 else scoring.BYE for places in tables), Fraction(0))
    expect(sum((line.points for line in lines), Fraction(0)) == owed, "points are lost")
    placed = [line.place for line in lines if line.place is not None]
    expect(placed == sorted(placed) and placed[:1] == [1], "the places are out of order")


def _check_notices(tournament: Tournament) -> None:
    told = Counter(
        Notice.objects.filter(kind="tournament_over", subject=f"tournament:{tournament.ref}").values_list(
            "recipient", flat=True
        )
    )
    stayed = tournament.entrants.filter(status=Entrant.Status.ENTERED)
    owed = {*stayed.values_list("user__recipient", flat=True), tournament.host.recipient_id}
    expect(set(told) == owed and set(told.values()) == {1}, "the final standings were not told to everybody once")
    games = Game.objects.filter(tournament_table__round__tournament=tournament)
    for game in games:
        started = Notice.objects.filter(kind="started", dedupe_key__startswith=f"started:{game.ref}:").count()
        expect(started == game.seat_count, f"{started} of {game.seat_count} were told of {game}")


def measure(tournament: Tournament, emails: int) -> TournamentFigures:
    """Counts what came of a tournament that is over."""
    tables = TournamentTable.objects.filter(round__tournament=tournament).exclude(state=State.BYE)
    byes = TournamentSeat.objects.filter(table__round__tournament=tournament, table__state=State.BYE)
    met = scoring.meetings(rounds.places_of(tournament))
    again = sum(count > 1 for others in met.values() for count in others.values())
    assert tournament.started_at is not None and tournament.finished_at is not None
    return TournamentFigures(
        entrants=tournament.entrants.count(),
        left=tournament.entrants.filter(status=Entrant.Status.LEFT).count(),
        removed=tournament.entrants.filter(status=Entrant.Status.REMOVED).count(),
        rounds=tournament.rounds.count(),
        tables=tables.count(),
        seated=tables.filter(game__isnull=False).count(),
        ranked=tables.filter(state__in=(State.DONE, State.UNDECIDED)).count(),
        undecided=tables.filter(state=State.UNDECIDED).count(),
        byes=byes.count(),
        repeated=again // 2,
        days=(tournament.finished_at - tournament.started_at).total_seconds() / 86400,
        emails=emails,
    )
