"""Lists of games: a person's games and deadlines, tables that wait for players, seats that are offered."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from games.clubs.models import Club
from games.people.blocks import apart_from
from games.people.models import User
from games.play import queries
from games.play.models import SUBJECT, Decision
from games.tables.models import ALIVE, PRACTICE, THREAD, Game
from games.tables.seats import Seat
from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.models import Inbound

NEVER = 2.0**50  # as a time in seconds
MOST_OFFERED = 50
MOST_HELD = 20
HELD_LISTED_FOR = timedelta(days=3)


@dataclass(frozen=True)
class Listed:
    """A game in a person's list: his seat, and what waits for him."""

    game: Game
    seat: Seat
    decisions: list[Decision]
    asked: list[Decision]  # what the game waits on, whoever is asked
    unread: int = 0  # messages of the table talk

    @property
    def due_at(self) -> datetime | None:
        """When this person's time is over, or else when the game goes on at the latest; None if no clock runs."""
        dues = [row.due_at for row in self.decisions if row.due_at]
        return min(dues) if dues else max((row.due_at for row in self.asked if row.due_at), default=None)

    @property
    def is_my_turn(self) -> bool:
        """True if something waits for this person."""
        return bool(self.decisions)


def my_games(user: User) -> list[Listed]:
    """Returns a person's games by urgency: what waits for him, what waits for others, open and ended ones.

    The first two by deadline; what has none comes behind what has, and of the rest the newest first.
    """
    seats = queries.seats_of(user.pk)
    if not seats:
        return []
    _know_seats([seat.game for seat in seats])
    waiting: dict[int, list[Decision]] = {seat.pk: [] for seat in seats}
    for row in queries.waiting_for(*pad_to_power_of_two(waiting)):
        waiting[row.seat_id].append(row)
    decisions = queries.asked_in(seat.game for seat in seats if seat.game.status == Game.Status.RUNNING)
    unread = queries.unread_talk(user, [seat.game_id for seat in seats if not seat.game.is_over])
    rows = [
        Listed(seat.game, seat, waiting[seat.pk], decisions.get(seat.game.pk, []), unread.get(seat.game.pk, 0))
        for seat in seats
    ]
    return sorted(rows, key=urgency)


@dataclass(frozen=True)
class HeldReply:
    """A reply by email that does not count until its writer says that he sent it."""

    inbound: Inbound
    decision: Decision


def held_replies(user: User, now: datetime) -> list[HeldReply]:
    """Replies of the last days at this person's seats in running games that he can confirm, the newest first."""
    rows = Inbound.objects.filter(
        recipient=user.recipient_id, state=Inbound.State.HELD, handled_at__gt=now - HELD_LISTED_FOR
    )
    refs = {row: row.subject.removeprefix(SUBJECT) for row in rows.order_by("-pk")[:MOST_HELD]}
    if not refs:
        return []
    about = Decision.objects.filter(
        ref__in=refs.values(), seat__user=user, seat__status=Seat.Status.ACTIVE, game__status=Game.Status.RUNNING
    )
    decisions = {decision.ref: decision for decision in about.select_related("game", "seat__game", "seat__user")}
    return [HeldReply(row, decisions[ref]) for row, ref in refs.items() if ref in decisions]


def _know_seats(games: Sequence[Game]) -> None:
    """Reads the seats of all these games at once."""
    seats: dict[int, list[Seat]] = {game.pk: [] for game in games}
    for seat in queries.seats_at(*pad_to_power_of_two(seats)) if seats else ():
        seats[seat.game_id].append(seat)
    for game in games:
        game.know_seats(seats[game.pk])


def titles_of_threads(user: User, threads: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Reference and title of the tables that threads are about; without those this person cannot see."""
    refs = {thread.removeprefix(THREAD) for thread in threads}
    rows = Game.objects.filter(queries.visible_to(user), ref__in=refs)
    return {f"{THREAD}{ref}": (ref, title) for ref, title in rows.values_list("ref", "title")}


@dataclass(frozen=True)
class Finished:
    """A finished game of somebody, and how he came out."""

    game: Game
    place: int


def finished_games(person: User, viewer: User | None, since: datetime | None = None) -> list[Finished]:
    """The finished games of a person that a viewer may see, newest first; with `since` those finished later than it."""
    rows = person.seats.filter(
        game__status=Game.Status.FINISHED,
        game__in=Game.objects.exclude(PRACTICE).filter(queries.visible_to(viewer)),
    )
    if since is not None:
        rows = rows.filter(game__finished_at__gt=since)
    seats = rows.select_related("game").defer("game__state").order_by("-game__finished_at", "-game__pk")
    return [Finished(seat.game, place_of(seat.game, seat.number)) for seat in seats if seat.game.outcome]


def finished_key(finished: Finished) -> list[float]:
    """By what finished games are sorted."""
    at = finished.game.finished_at
    return [-at.timestamp() if at else 0.0, -finished.game.pk]


def place_of(game: Game, number: int) -> int:
    """The place of a seat in a finished game; who won together are first together."""
    outcome = game.outcome or {}
    return 1 if number in outcome["winners"] else int(outcome["ranking"].index(number)) + 1


def waiting_tables(user: User) -> list[str]:
    """Returns the references of the tables at which something waits for a person."""
    rows = Decision.objects.filter(seat__user=user, status=Decision.Status.OPEN, is_automatic=False)
    rows = rows.filter(game__status=Game.Status.RUNNING).exclude(game__in=Game.objects.filter(PRACTICE))
    return list(rows.order_by("game__ref").values_list("game__ref", flat=True).distinct())


def deadlines(user: User) -> list[Decision]:
    """Returns a person's open questions, soonest deadline first."""
    rows = Decision.objects.filter(
        seat__user=user,
        status=Decision.Status.OPEN,
        is_automatic=False,
        due_at__isnull=False,
        game__status=Game.Status.RUNNING,
    )
    return list(rows.select_related("game", "seat").prefetch_related("extensions").order_by("due_at", "pk"))


def hours_together(user: User) -> list[Game]:
    """Returns the tables of a person that have agreed on an hour together, soonest first."""
    rows = Game.objects.filter(
        seats__user=user,
        seats__status=Seat.Status.ACTIVE,
        status=Game.Status.RUNNING,
        hour_state__in=(Game.Hour.AGREED, Game.Hour.REMINDED, Game.Hour.LIVE),
    )
    return list(rows.order_by("hour_at", "pk"))


def waiting_elsewhere(user: User | None, game: Game, most: int = 1) -> list[Decision]:
    """Returns questions that wait for a person in other games, one each, most urgent first; [] for a practice game."""
    if user is None or user.is_guest or game.is_practice:
        return []
    by_game: dict[int, Decision] = {}
    for row in queries.waiting_elsewhere(user.pk, game.pk):
        row.seat.game, row.seat.user = row.game, user
        by_game.setdefault(row.game_id, row)
    return list(by_game.values())[:most]


def urgency(listed: Listed) -> list[float]:
    """By what a person's games are sorted; of no two the same."""
    game = listed.game
    newest = -(game.finished_at or game.created_at).timestamp()
    if game.status == Game.Status.RUNNING:
        due = listed.due_at.timestamp() if listed.due_at else NEVER
        return [0 if listed.is_my_turn else 1, due, newest, game.pk]
    return [2 if game.status == Game.Status.OPEN else 3, newest, 0, game.pk]


@dataclass(frozen=True)
class TableFilter:
    """A search of the lobby; empty and None match everything.

    Arguments:
        free: how many seats there must be at least.
        language: the host's.
        viewer: who searches: tables of hosts from whom a block keeps them apart are left out.
    """

    rules: str = ""
    free: int = 1
    pace: str = ""
    language: str = ""
    has_bots: bool | None = None
    viewer: User | None = None


def listed_tables(filters: TableFilter = TableFilter()) -> QuerySet[Game]:
    """Tables with a free seat that anybody may take, newest first."""
    facts = {"rules_name": filters.rules, "pace": filters.pace, "host__recipient__language": filters.language}
    rows = Game.objects.filter(status=Game.Status.OPEN, is_listed=True, **{k: v for k, v in facts.items() if v})
    rows = rows.annotate(free=F("seat_count") - Count("seats")).filter(free__gte=filters.free)
    if filters.viewer is not None and (apart := apart_from(filters.viewer)):
        rows = rows.exclude(host__in=apart)
    if filters.has_bots is not None:
        bots = Exists(Seat.objects.filter(~Q(bot="") | Q(owner__isnull=False), game=OuterRef("pk")))
        rows = rows.filter(bots if filters.has_bots else ~bots)
    return rows.select_related("host__recipient").prefetch_related("seats").order_by("-created_at")


def games_of_club(club: Club, most: int, viewer: User) -> list[Game]:
    """A club's tables for one of its members: all that are open or running, and of the finished ones the newest.

    Without open tables of hosts from whom a block keeps the viewer apart, unless the viewer sits there.
    """
    rows = club.games.exclude(status=Game.Status.CLOSED).select_related("host__recipient").defer("state")
    alive = list(rows.filter(ALIVE).exclude(_hidden_from(viewer)).order_by("-created_at"))
    games = alive + list(rows.filter(status=Game.Status.FINISHED).order_by("-finished_at", "-pk")[:most])
    _know_seats(games)
    return games


def _hidden_from(viewer: User) -> Q:
    own = Seat.objects.filter(game=OuterRef("pk"), user=viewer)
    return Q(~Exists(own), status=Game.Status.OPEN, host__in=apart_from(viewer))


def tables_of_clubs(user: User) -> list[Game]:
    """Tables of a person's clubs with a free seat, at which he does not sit yet, newest first; as `listed_tables`."""
    rows = Game.objects.filter(status=Game.Status.OPEN, club__memberships__user=user).exclude(seats__user=user)
    if apart := apart_from(user):
        rows = rows.exclude(host__in=apart)
    rows = rows.annotate(free=F("seat_count") - Count("seats", distinct=True)).filter(free__gte=1)
    return list(rows.select_related("host__recipient", "club").prefetch_related("seats").order_by("-created_at"))


def newest_tables(most: int, viewer: User | None = None) -> list[Game]:
    """The newest of them, whatever anybody looks for."""
    if viewer is not None and apart_from(viewer):
        return list(listed_tables(TableFilter(viewer=viewer))[:most])
    games = _newest(most)()
    _know_seats(games)
    return games


@cache
def _newest(most: int) -> Callable[[], list[Game]]:
    return compiled("host", "host__recipient")(lambda: listed_tables()[:most])


def running_tables(most: int) -> list[Game]:
    """The games of public tables that are being played, by people at least in part, the newest first."""
    games = _running(most)()
    _know_seats(games)
    return games


@cache
def _running(most: int) -> Callable[[], list[Game]]:
    rows = Game.objects.filter(status=Game.Status.RUNNING, is_listed=True, is_between_bots=False, quarantined_at=None)
    return compiled()(lambda: rows.defer("state").order_by("-pk")[:most])


def offered_seats(viewer: User | None = None) -> list[Seat]:
    """The newest seats that anybody may take over; for the viewer as `listed_tables`.

    First those whose players look for a successor, then those of absent players.
    """
    seats = {seat.pk: seat for seat in [*_sought_seats(), *_offered_seats()]}
    apart = apart_from(viewer) if viewer is not None else ()
    return [seat for seat in seats.values() if seat.game.host_id not in apart][:MOST_OFFERED]


@compiled("game")
def _sought_seats() -> QuerySet[Seat]:
    rows = Seat.objects.filter(seeks_successor=True, game__is_listed=True, game__status=Game.Status.RUNNING)
    return rows.order_by("-game__started_at")[:MOST_OFFERED]


@compiled("game")
def _offered_seats() -> QuerySet[Seat]:
    rows = Seat.objects.filter(
        Q(game__is_listed=True),
        status=Seat.Status.ABSENT,
        game__status=Game.Status.RUNNING,
        game__absent_seats=Game.AbsentSeats.TAKEOVER,
    )
    return rows.order_by("-game__started_at")[:MOST_OFFERED]
