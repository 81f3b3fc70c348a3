"""Reading tournaments. All of it is public: who has entered, who sits where, and the places."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from games.errors import NotFound
from games.people.blocks import apart_from
from games.people.models import User
from games.tables.models import Game
from games.tournaments import rounds, scoring
from games.tournaments.models import Entrant, Tournament, TournamentRound, TournamentSeat, TournamentTable

ALIVE = (Tournament.Status.OPEN, Tournament.Status.RUNNING)
MOST_LISTED = 100


@dataclass(frozen=True)
class RankedEntrant:
    """One line of the standings.

    Arguments:
        place: None for who was removed.
        opponents: the mean points of the opponents.
        played: the number of tables, without rounds that he sat out.
    """

    entrant: Entrant
    place: int | None
    points: Fraction
    wins: int
    opponents: Fraction
    played: int

    @property
    def shown_points(self) -> float:
        """The points as pages and programs show them: in hundredths."""
        return round(float(self.points), 2)

    @property
    def shown_opponents(self) -> float:
        """The opponents' mean in the same way."""
        return round(float(self.opponents), 2)


@dataclass(frozen=True)
class ShownTable:
    """A table of a round, and who sits there: by place once it is over."""

    table: TournamentTable
    seats: list[TournamentSeat]


@dataclass(frozen=True)
class ShownRound:
    """A round with its tables; `byes` are those who sit out."""

    round: TournamentRound
    tables: list[ShownTable]
    byes: list[Entrant]


def find(ref: str) -> Tournament:
    """The tournament. Raises NotFound."""
    row = _counted().filter(ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such tournament."))
    return row


def _counted() -> QuerySet[Tournament]:
    """Tournaments with `taken`, the number of those who are in."""
    facts = {"taken": Count("entrants", filter=Q(entrants__status=Entrant.Status.ENTERED))}
    return Tournament.objects.select_related("host__recipient").annotate(**facts)


def open_for_entries(viewer: User | None = None) -> list[Tournament]:
    """The tournaments that people can enter, in the order in which entries close; without those of hosts from whom a
    block keeps the viewer apart."""
    rows = _counted().filter(status=Tournament.Status.OPEN)
    if viewer is not None and (apart := apart_from(viewer)):
        rows = rows.exclude(host__in=apart)
    return list(rows.order_by("closes_at", "pk")[:MOST_LISTED])


def running() -> list[Tournament]:
    """The tournaments that are being played, the newest first."""
    return list(_counted().filter(status=Tournament.Status.RUNNING).order_by("-started_at", "-pk")[:MOST_LISTED])


def over(most: int = 20) -> list[Tournament]:
    """The last that were played to their end."""
    return list(_counted().filter(status=Tournament.Status.FINISHED).order_by("-finished_at", "-pk")[:most])


def of_person(user: User) -> list[Tournament]:
    """The tournaments that are not over, and that a person has entered or hosts."""
    entered = Entrant.objects.filter(user=user, status=Entrant.Status.ENTERED).values("tournament")
    rows = _counted().filter(Q(pk__in=entered) | Q(host=user), status__in=ALIVE)
    return list(rows.order_by("closes_at", "pk"))


def entry_of(tournament: Tournament, user: User | None) -> Entrant | None:
    """What a person has to do with a tournament, in or out; None if he never entered."""
    return None if user is None else tournament.entrants.filter(user=user).first()


def own_table(entrant: Entrant) -> TournamentTable | None:
    """The table at which somebody plays in the current round; None between rounds, and for who sits out."""
    rows = TournamentTable.objects.filter(seats__entrant=entrant, round__finished_at=None, game__isnull=False)
    return rows.select_related("round", "game").defer("game__state").first()


def entrants(tournament: Tournament) -> list[Entrant]:
    """Everybody who has entered and neither left nor was removed, in the order of entering."""
    rows = tournament.entrants.filter(status=Entrant.Status.ENTERED).select_related("user")
    return list(rows.order_by("entered_at", "pk"))


def standings(tournament: Tournament) -> list[RankedEntrant]:
    """The standings after the last round that is over; [] before. Who was removed comes last, without a place."""
    tables = rounds.places_of(tournament)
    people = {entrant.pk: entrant for entrant in tournament.entrants.select_related("user").order_by("pk")}
    seated = {key for places in tables for key in places}
    removed = {key for key in seated if people[key].status == Entrant.Status.REMOVED}
    ranked = scoring.standings(sorted(seated - removed), tables)
    last = scoring.standings(sorted(removed), tables)
    return [
        RankedEntrant(
            people[one.key],
            one.place if one.key in seated - removed else None,
            one.points,
            one.wins,
            one.opponents,
            one.played,
        )
        for one in [*ranked, *last]
    ]


def rounds_of(tournament: Tournament) -> list[ShownRound]:
    """The rounds so far, the newest first, with their tables."""
    rows = TournamentTable.objects.filter(round__tournament=tournament).select_related("game")
    seats: dict[int, list[TournamentSeat]] = {}
    for seat in TournamentSeat.objects.filter(table__in=rows).select_related("entrant__user").order_by("place", "pk"):
        seats.setdefault(seat.table_id, []).append(seat)
    tables: dict[int, list[TournamentTable]] = {}
    for table in rows.defer("game__state").order_by("number"):
        tables.setdefault(table.round_id, []).append(table)
    return [_shown(row, tables.get(row.pk, []), seats) for row in tournament.rounds.order_by("-number")]


def _shown(
    row: TournamentRound, tables: Iterable[TournamentTable], seats: dict[int, list[TournamentSeat]]
) -> ShownRound:
    found = [ShownTable(table, seats.get(table.pk, [])) for table in tables]
    byes = [seat.entrant for one in found if one.table.state == TournamentTable.State.BYE for seat in one.seats]
    return ShownRound(row, [one for one in found if one.table.state != TournamentTable.State.BYE], byes)


def table_of(game: Game) -> TournamentTable | None:
    """The table of a tournament at which this game is played, with its round and tournament; None for other games."""
    rows = TournamentTable.objects.filter(game=game).select_related("round__tournament")
    return rows.first()
