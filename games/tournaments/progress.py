"""What is due in tournaments: each step takes one row, does one thing in a transaction, and is safe to repeat."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.errors import ServiceError
from games.lobby import lifecycle
from games.tables.models import Game
from games.tables.plans import TablePlan, known_options, rules_named
from games.tables.settings import clocks_of
from games.tournaments import notify, rounds
from games.tournaments.models import Tournament, TournamentRound, TournamentTable
from games.tournaments.rounds import State
from notifications.database.compiled_query import Row, compiled_exists, compiled_rows

logger = logging.getLogger(__name__)
AGAIN_AFTER = timedelta(minutes=10)  # when a step broke
OVER = (Game.Status.FINISHED, Game.Status.CLOSED)
Step = Callable[[Tournament, datetime], bool]


def step_one(now: datetime) -> bool:
    """Does the next step of one tournament. Returns whether there was one."""
    if not _is_any_alive(now):
        return False
    return any(_try(key, step, now) for step, find in STEPS for (key,) in find(now))


def _alive(now: datetime) -> QuerySet[Tournament]:
    rows = Tournament.objects.filter(Q(retry_at=None) | Q(retry_at__lte=now))
    due = Q(closes_at__lte=now) | Q(host__erased_at__isnull=False)
    return rows.filter(Q(status=Tournament.Status.RUNNING) | Q(due, status=Tournament.Status.OPEN))


_is_any_alive = compiled_exists(_alive)


def _try(key: int, step: Step, now: datetime) -> bool:
    """Takes one step with the tournament locked. One that breaks is logged, and hinders no other tournament."""
    try:
        with transaction.atomic():
            tournament = Tournament.objects.select_for_update().get(pk=key)
            return not tournament.is_over and step(tournament, now)
    except Exception:  # what broke it is in the log; the others go on, and this one is tried again
        logger.exception("A step of tournament %s broke", key)
        Tournament.objects.filter(pk=key).update(retry_at=now + AGAIN_AFTER)
        return True


def _closing(now: datetime) -> QuerySet[Tournament]:
    return _alive(now).filter(status=Tournament.Status.OPEN).order_by("closes_at")


def _close_entries(tournament: Tournament, now: datetime) -> bool:
    """Starts it, or calls it off if too few have entered, or nobody hosts it any more."""
    if tournament.status != Tournament.Status.OPEN:
        return False
    if tournament.host.erased_at is not None:
        rounds.call_off(tournament, Tournament.Why.GONE, now)
    elif tournament.closes_at > now:
        return False
    elif rounds.has_enough(tournament):
        rounds.start(tournament, now)
    else:
        rounds.call_off(tournament, Tournament.Why.TOO_FEW, now)
    return True


def _with_table(now: datetime, condition: Q) -> QuerySet[Tournament]:
    tables = TournamentTable.objects.filter(condition, round__tournament=OuterRef("pk"), round__finished_at=None)
    return _alive(now).filter(Exists(tables), status=Tournament.Status.RUNNING).order_by("started_at")


def _table(tournament: Tournament, condition: Q) -> TournamentTable | None:
    rows = TournamentTable.objects.filter(condition, round__tournament=tournament, round__finished_at=None)
    return rows.select_related("round", "game").order_by("number").first()


def _to_open(now: datetime) -> Q:
    """The drawn tables of rounds that are not over: one that breaks as it is opened keeps no round from its end."""
    return Q(state=State.DRAWN, round__ends_at__gt=now)


TO_SCORE = Q(state=State.PLAYING, game__status__in=OVER)
TO_REOPEN = Q(state__in=(State.DONE, State.UNDECIDED), game__status=Game.Status.RUNNING)  # a moderator took it back


def _open_table(tournament: Tournament, now: datetime) -> bool:
    """Opens a drawn table and starts its game. Who has left since the draw is not seated."""
    table = _table(tournament, _to_open(now))
    if table is None:
        return False
    seats = list(table.seats.select_related("entrant__user__recipient"))
    for seat in seats:
        if not (seat.entrant.is_in and seat.entrant.user.is_active):
            seat.delete()
    players = [seat.entrant.user for seat in seats if seat.pk]
    rules = rules_named(tournament.rules_name)
    if len(players) not in rules.seat_counts:
        _release(table, now)
        return True
    try:
        with transaction.atomic():
            plan = plan_of(tournament, table, len(players))
            table.game = lifecycle.start_seated(host=tournament.host, players=players, plan=plan, now=now)
    except ServiceError:
        logger.exception("A table of tournament %s could not be opened", tournament.ref)
        rounds.leave_undecided(table)
        return True
    table.state = State.PLAYING
    table.save(update_fields=["game", "state"])
    return True


def _release(table: TournamentTable, now: datetime) -> None:
    """Those who are left at a table that cannot be played sit out as others do: each has a bye of his own."""
    left = list(table.seats.select_related("entrant__user__recipient"))
    last = table.round.tables.order_by("-number").values_list("number", flat=True)[0]
    for offset, seat in enumerate(left[1:], start=1):
        bye = TournamentTable.objects.create(round=table.round, number=last + offset, state=State.BYE)
        seat.table, seat.place = bye, 1
        seat.save(update_fields=["table", "place"])
    table.seats.update(place=1)
    table.state = State.BYE
    table.save(update_fields=["state"])
    notify.sits_out(table.round, [seat.entrant for seat in left], now)


def title_of(tournament: Tournament, table: TournamentTable) -> str:
    """What a table of a tournament is called."""
    return f"{tournament.display_title[:48]} {table.round.number}–{table.number}"


def plan_of(tournament: Tournament, table: TournamentTable, count: int) -> TablePlan:
    """The plan of one table, with those options that the newest version of the rules still knows."""
    rules = rules_named(tournament.rules_name)
    return TablePlan(
        title=title_of(tournament, table),
        rules_name=tournament.rules_name,
        seat_count=count,
        pace=tournament.pace,
        options=known_options(rules, tournament.options),
        is_listed=True,
        **clocks_of(tournament),
    )


def _score_table(tournament: Tournament, now: datetime) -> bool:
    """Takes the places of a table whose game is over."""
    table = _table(tournament, TO_SCORE)
    if table is None or table.game is None:
        return False
    outcome = table.game.outcome
    if table.game.status != Game.Status.FINISHED or not outcome:
        rounds.leave_undecided(table)
        return True
    by_seat = {number: place for place, number in enumerate(outcome["ranking"], start=1)}
    by_seat |= dict.fromkeys(outcome["winners"], 1)
    by_user = {seat.user_id: by_seat[seat.number] for seat in table.game.seats.all()}
    last = len(by_seat) + 1  # for whose seat somebody else has now
    users = table.seats.values_list("entrant", "entrant__user")
    rounds.set_places(table, {entrant: by_user.get(user, last) for entrant, user in users}, State.DONE)
    return True


def _reopen_table(tournament: Tournament, now: datetime) -> bool:
    """Waits again for a game that a moderator has taken back before its round was over."""
    table = _table(tournament, TO_REOPEN)
    if table is None:
        return False
    table.seats.update(place=None)
    table.state = State.PLAYING
    table.save(update_fields=["state"])
    return True


def _ready(now: datetime) -> QuerySet[Tournament]:
    alive = TournamentTable.objects.filter(round=OuterRef("pk"), state__in=(State.DRAWN, State.PLAYING))
    over = TournamentRound.objects.filter(~Exists(alive) | Q(ends_at__lte=now), finished_at=None)
    return (
        _alive(now)
        .filter(Exists(over.filter(tournament=OuterRef("pk"))), status=Tournament.Status.RUNNING)
        .order_by("started_at")
    )


def _finish_round(tournament: Tournament, now: datetime) -> bool:
    """Ends a round whose tables are all over, or whose time is."""
    row = rounds.current(tournament)
    if row is None:
        return False
    if row.ends_at > now and row.tables.filter(state__in=(State.DRAWN, State.PLAYING)).exists():
        return False
    row.tournament = tournament
    rounds.finish(row, now)
    return True


def _first(rows: Callable[[datetime], QuerySet[Tournament]]) -> Callable[[datetime], list[Row]]:
    """The key of the first of these, if there is one, by a statement that is compiled once."""
    return compiled_rows("pk")(lambda now: rows(now)[:1])


STEPS: tuple[tuple[Step, Callable[[datetime], list[Row]]], ...] = (
    (_close_entries, _first(_closing)),
    (_open_table, _first(lambda now: _with_table(now, _to_open(now)))),
    (_reopen_table, _first(lambda now: _with_table(now, TO_REOPEN))),
    (_score_table, _first(lambda now: _with_table(now, TO_SCORE))),
    (_finish_round, _first(_ready)),
)
"""In this order; each with what finds the tournament that it is due in."""
