"""The course of a tournament: drawing a round, ending it, ranking. Called with the tournament locked."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from games.tables.plans import rules_named
from games.tables.seats import Seat
from games.tournaments import notify, scoring, seating
from games.tournaments.models import Entrant, Tournament, TournamentRound, TournamentSeat, TournamentTable

State = TournamentTable.State


def has_enough(tournament: Tournament) -> bool:
    """Whether as many have entered as its host wants, and at least one table can be filled."""
    able = tournament.entrants.filter(status=Entrant.Status.ENTERED, user__is_active=True, user__paused_at=None)
    count = able.count()
    return count >= tournament.fewest and bool(_sizes(tournament, count))


def _sizes(tournament: Tournament, count: int) -> list[int]:
    return seating.sizes(count, tournament.table_size, rules_named(tournament.rules_name).seat_counts)


def current(tournament: Tournament) -> TournamentRound | None:
    """The round that is being played, or None."""
    return tournament.rounds.filter(finished_at=None).order_by("number").last()


def start(tournament: Tournament, now: datetime) -> None:
    """Closes the entries, draws lots and the first round. There are enough entrants: `has_enough`."""
    entrants = list(_entrants(tournament, now))
    secrets.SystemRandom().shuffle(entrants)
    for lot, entrant in enumerate(entrants):
        entrant.lot = lot
    Entrant.objects.bulk_update(entrants, ["lot"])
    tournament.status, tournament.started_at = Tournament.Status.RUNNING, now
    tournament.save(update_fields=["status", "started_at"])
    _draw(tournament, 1, now)


def call_off(tournament: Tournament, why: Tournament.Why, now: datetime, reason: str = "") -> None:
    """Calls it off and tells everybody who has entered, and the host."""
    tournament.status, tournament.finished_at = Tournament.Status.CALLED_OFF, now
    tournament.called_off_by, tournament.reason = why, reason
    tournament.save(update_fields=["status", "finished_at", "called_off_by", "reason"])
    notify.called_off(tournament, now)


def _entrants(tournament: Tournament, now: datetime) -> Iterable[Entrant]:
    """Those who can be seated; an account that was closed meanwhile has left."""
    for entrant in tournament.entrants.filter(status=Entrant.Status.ENTERED).select_related("user"):
        if entrant.user.is_active and entrant.user.paused_at is None:
            yield entrant
        else:
            put_out(entrant, Entrant.Status.LEFT, now)


def put_out(entrant: Entrant, status: Entrant.Status, now: datetime, reason: str = "") -> None:
    """Stores that an entrant is seated no more."""
    entrant.status, entrant.left_at, entrant.reason = status, now, reason
    entrant.save(update_fields=["status", "left_at", "reason"])


def places_of(tournament: Tournament) -> list[dict[int, int]]:
    """The places at all tables of the rounds that are over, by the entrants' keys."""
    rows = TournamentSeat.objects.filter(
        table__round__tournament=tournament, table__round__finished_at__isnull=False, place__isnull=False
    )
    tables: dict[int, dict[int, int]] = {}
    for table, entrant, place in rows.order_by("table", "pk").values_list("table", "entrant", "place"):
        tables.setdefault(table, {})[entrant] = place or 0
    return list(tables.values())


def _draw(tournament: Tournament, number: int, now: datetime) -> bool:
    """Draws a round: its tables are opened one by one. Returns whether one could be filled."""
    tables = places_of(tournament)
    points, met = scoring.total_points(tables), scoring.meetings(tables)
    byes = [next(iter(places)) for places in tables if len(places) == 1]
    entrants = {entrant.pk: entrant for entrant in _entrants(tournament, now)}
    contenders = [
        seating.Contender(one.pk, one.lot, points[one.pk], byes.count(one.pk), met.get(one.pk, {}))
        for one in entrants.values()
    ]
    seats = rules_named(tournament.rules_name).seat_counts
    drawn = seating.draw(contenders, tournament.table_size, seats)
    if not drawn.tables:
        return False
    ends_at = now + timedelta(days=tournament.round_days)
    row = TournamentRound.objects.create(tournament=tournament, number=number, started_at=now, ends_at=ends_at)
    for place, keys in enumerate([*drawn.tables, *([key] for key in drawn.byes)], start=1):
        state = State.DRAWN if len(keys) > 1 else State.BYE
        table = TournamentTable.objects.create(round=row, number=place, state=state)
        bye = 1 if state == State.BYE else None
        TournamentSeat.objects.bulk_create(
            TournamentSeat(table=table, entrant=entrants[key], place=bye) for key in keys
        )
    notify.sits_out(row, [entrants[key] for key in drawn.byes], now)
    return True


def set_places(table: TournamentTable, places: dict[int, int], state: TournamentTable.State) -> None:
    """Stores how a table has ended.

    Arguments:
        places: by the keys of the entrants.
    """
    for seat in table.seats.all():
        seat.place = places[seat.entrant_id]
        seat.save(update_fields=["place"])
    table.state = state
    table.save(update_fields=["state"])


def leave_undecided(table: TournamentTable) -> None:
    """Ends a table without a result: those who stayed are level.

    They come ahead of who is absent, has resigned or was replaced.
    """
    users = {seat.entrant_id: seat.entrant.user_id for seat in table.seats.select_related("entrant")}
    away: set[int] = set()
    if table.game is not None:
        gone = (Seat.Status.ABSENT, Seat.Status.RESIGNED)
        away = set(users.values()) - set(table.game.seats.exclude(status__in=gone).values_list("user", flat=True))
    stayed = sum(user not in away for user in users.values())
    places = {key: stayed + 1 if user in away and stayed else 1 for key, user in users.items()}
    set_places(table, places, State.UNDECIDED)


def finish(row: TournamentRound, now: datetime) -> None:
    """Ends a round, and draws the next one. After the last, or if no table can be filled, ends the tournament."""
    for table in row.tables.filter(state__in=(State.DRAWN, State.PLAYING)).select_related("game"):
        leave_undecided(table)
    row.finished_at = now
    row.save(update_fields=["finished_at"])
    tournament = row.tournament
    if row.number < tournament.round_count and _draw(tournament, row.number + 1, now):
        return
    tournament.status, tournament.finished_at = Tournament.Status.FINISHED, now
    tournament.save(update_fields=["status", "finished_at"])
    notify.over(tournament, now)
