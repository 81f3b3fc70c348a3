"""The course of a tournament: rounds are drawn, played and ended, and the steps by which a worker does that.

Each step takes one row, does one thing in a transaction with the tournament locked, and is safe to repeat."""

import logging
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from engine.registry import newest
from games.errors import ServiceError
from games.lobby import bot_accounts, lifecycle, practice
from games.people.characters import ladder
from games.tables.models import Game
from games.tables.seats import Seat
from games.tables.settings import TablePlan, checked_options, clocks_of, known_options, rules_named
from games.tournaments import notify, pairing
from games.tournaments.models import (
    MOST_ENTRANTS,
    Entrant,
    Tournament,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from notifications.database.compiled_query import Row, compiled_exists, compiled_rows

State = TournamentTable.State


def has_enough(tournament: Tournament) -> bool:
    """Whether as many have entered as its host wants, and at least one table can be filled."""
    able = tournament.entrants.filter(status=Entrant.Status.ENTERED, user__is_active=True, user__paused_at=None)
    count = able.count()
    return count >= tournament.fewest and bool(_sizes(tournament, count))


def _sizes(tournament: Tournament, count: int) -> list[int]:
    return pairing.sizes(count, tournament.table_size, rules_named(tournament.rules_name).seat_counts)


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
    """Returns the entrants who can be seated; an account that was closed meanwhile has left."""
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
    points, met = pairing.total_points(tables), pairing.meetings(tables)
    byes = [next(iter(places)) for places in tables if len(places) == 1]
    entrants = {entrant.pk: entrant for entrant in _entrants(tournament, now)}
    contenders = [
        pairing.Contender(one.pk, one.lot, points[one.pk], byes.count(one.pk), met.get(one.pk, {}))
        for one in entrants.values()
    ]
    seats = rules_named(tournament.rules_name).seat_counts
    drawn = pairing.draw(contenders, tournament.table_size, seats)
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


# The house's weekly tournament: open to everybody until Friday evening, then the characters fill its tables. A week in
# which nobody has entered costs nothing: the same one is open for the next week, with the other game.

WEEK = timedelta(days=7)
FRIDAY, EVENING = 4, 18  # UTC
FEWEST_BOTS = 3


def open_weekly(now: datetime) -> None:
    """Opens the house's next tournament if none is open. Harmless when repeated."""
    with transaction.atomic():
        host = bot_accounts.house()
        host.one_at_a_time()
        if not Tournament.objects.filter(host=host, status=Tournament.Status.OPEN).exists():
            _plan_week(Tournament(host=host, created_at=now), now)


def _plan_week(tournament: Tournament, now: datetime) -> None:
    """Sets when the entries close, and the game: the rule sets take turns from week to week."""
    friday = now.replace(hour=EVENING, minute=0, second=0, microsecond=0) + timedelta(days=(FRIDAY - now.weekday()) % 7)
    tournament.closes_at = friday if friday > now + timedelta(hours=1) else friday + WEEK
    choices = [rules for rules in newest() if len(ladder(rules.bots)) >= FEWEST_BOTS]
    rules = choices[tournament.closes_at.toordinal() // WEEK.days % len(choices)]
    seats, options, _minutes = practice.first_game(rules)
    tournament.rules_name, tournament.options = rules.name, checked_options(rules, options)
    tournament.table_size = max(seats, min(3, max(rules.seat_counts)))
    tournament.round_count, tournament.round_days, tournament.fewest, tournament.most = 3, 2, 2, MOST_ENTRANTS
    tournament.pace, tournament.allows_bots = "daily", True
    tournament.save()


def _close_weekly(tournament: Tournament, now: datetime) -> None:
    """Fills the tables with characters and starts; without people it stays open for another week."""
    people = sum(1 for _person in _entrants(tournament, now))
    if not people:
        _plan_week(tournament, now)
        return
    count = next(count for count in range(FEWEST_BOTS, MOST_ENTRANTS) if not (people + count) % tournament.table_size)
    accounts = bot_accounts.characters()
    cast = [accounts[character.bot] for character in ladder(rules_named(tournament.rules_name).bots)]
    for bot in secrets.SystemRandom().sample(cast, min(count, len(cast))):
        tournament.entrants.get_or_create(user=bot, defaults={"name": bot.name, "is_bot": True, "entered_at": now})
    start(tournament, now)
    open_weekly(now)


# The steps that are due

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
        call_off(tournament, Tournament.Why.GONE, now)
    elif tournament.closes_at > now:
        return False
    elif tournament.is_weekly:
        _close_weekly(tournament, now)
    elif has_enough(tournament):
        start(tournament, now)
    else:
        call_off(tournament, Tournament.Why.TOO_FEW, now)
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
            is_between_bots = all(player.is_bot for player in players)
            table.game = lifecycle.start_seated(
                host=tournament.host, players=players, plan=plan, now=now, is_between_bots=is_between_bots
            )
    except ServiceError:
        logger.exception("A table of tournament %s could not be opened", tournament.ref)
        leave_undecided(table)
        return True
    table.state = State.PLAYING
    table.save(update_fields=["game", "state"])
    return True


def _release(table: TournamentTable, now: datetime) -> None:
    """Gives a bye to each player left at a table that cannot be played."""
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
    """Returns the title of a tournament's table: it is stored, so it has no word that would have to be translated."""
    title = tournament.title or f"Caravanserai {tournament.closes_at:%Y-%m-%d}"
    return f"{(tournament.ref if tournament.hidden_at else title)[:48]} {table.round.number}–{table.number}"


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
        leave_undecided(table)
        return True
    by_seat = {number: place for place, number in enumerate(outcome["ranking"], start=1)}
    by_seat |= dict.fromkeys(outcome["winners"], 1)
    by_user = {seat.user_id: by_seat[seat.number] for seat in table.game.seats.all()}
    last = len(by_seat) + 1  # for whose seat somebody else has now
    users = table.seats.values_list("entrant", "entrant__user")
    set_places(table, {entrant: by_user.get(user, last) for entrant, user in users}, State.DONE)
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
    row = current(tournament)
    if row is None:
        return False
    if row.ends_at > now and row.tables.filter(state__in=(State.DRAWN, State.PLAYING)).exists():
        return False
    row.tournament = tournament
    finish(row, now)
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
