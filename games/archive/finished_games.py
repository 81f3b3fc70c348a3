"""The public archive: finished games of tables that everybody could watch, and what they tell about a rule set.

It begins with the season of the house's bots, which is shipped with its reviews and laid into the database at the first
start. A game of it is featured each day.
"""

import lzma
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from django.core.cache import cache
from django.db import transaction
from django.db.models import Avg, Count, F, Q, QuerySet, Subquery

from engine.core.rng import commitment
from engine.records.model import Record
from engine.registry import RULES
from engine.reviews.model import Review
from games import cursors
from games.archive.models import GameReview
from games.lobby import bot_accounts
from games.people.models import HOUSE
from games.play import stored_moves
from games.play.models import Move, PackedLog
from games.tables.models import PRACTICE, Game
from games.tables.seats import Seat, SeatTenure

COUNTED = Q(status=Game.Status.FINISHED, is_listed=True, recorded_as="") & ~PRACTICE
"""Only tables that were listed: everybody could watch them while they were played. They count for ratings."""
OF_SEASON = Q(is_between_bots=True, host__email=HOUSE)
ARCHIVED = COUNTED & (Q(is_between_bots=False) | OF_SEASON)
"""Matches of bots stand in no archive; the season of the house's bots does, and says so."""

HOUR = 3600  # seconds
LISTED = "archive"  # the list that its cursors are of


@dataclass(frozen=True)
class ArchiveFilter:
    """A search of the archive; empty and None match everything.

    Arguments:
        version: of the rules, as their table option of that name has it.
        seats: how many played.
        since, until: when it was over, both days included (UTC).
    """

    rules: str = ""
    version: str = ""
    seats: int | None = None
    since: date | None = None
    until: date | None = None


def archived(filters: ArchiveFilter = ArchiveFilter()) -> QuerySet[Game]:
    """The games of the archive, the latest first, without their states."""
    facts = {
        "rules_name": filters.rules,
        "options__version": filters.version,
        "seat_count": filters.seats,
        "finished_at__date__gte": filters.since,
        "finished_at__date__lte": filters.until,
    }
    rows = Game.objects.filter(ARCHIVED, **{name: value for name, value in facts.items() if value})
    return rows.defer("state").prefetch_related("seats").order_by("-finished_at", "-pk")


def page_after(games: QuerySet[Game], cursor: str, most: int) -> tuple[list[Game], str]:
    """The games behind a cursor, and the cursor behind them; "" is the beginning, and the end.

    Games that are over meanwhile move nothing, nor does one that is removed. Raises NotACursor.
    """
    if cursor:
        ref, finished_at = cursors.unseal(cursor, LISTED)
        at, last = datetime.fromisoformat(finished_at), Game.objects.filter(ref=ref).values("pk")
        games = games.filter(Q(finished_at__lt=at) | Q(finished_at=at, pk__lt=Subquery(last)))
    page = list(games[: most + 1])
    return page[:most], _behind(page[most - 1]) if len(page) > most else ""


def _behind(game: Game) -> str:
    assert game.finished_at is not None
    return cursors.seal([game.ref, game.finished_at.isoformat()], LISTED)


@dataclass(frozen=True)
class Sum:
    """The public games of a rule set with so many players: how many, and how long they took on average."""

    seats: int
    games: int
    lasted: timedelta


def sums(rules_name: str) -> Sequence[Sum]:
    """Counts the archive of a rule set by number of players, once an hour: all its games but those of bots are read."""
    return cache.get_or_set(f"sums:{rules_name}", lambda: _reckoned(rules_name), HOUR) or []


def _reckoned(rules_name: str) -> Sequence[Sum]:
    rows = Game.objects.filter(COUNTED, is_between_bots=False, rules_name=rules_name, started_at__isnull=False).values(
        "seat_count"
    )
    rows = rows.annotate(count=Count("pk"), lasted=Avg(F("finished_at") - F("started_at"))).order_by("seat_count")
    return [Sum(row["seat_count"], row["count"], row["lasted"]) for row in rows]


# The season of the house's bots

SEASON = Path(__file__).parent / "season.bin"
"""Made by `manage.py make_season`."""


class SeasonMove(msgspec.Struct, frozen=True, array_like=True):
    """A move as the file has it; `public` says how many of its events everybody was shown."""

    kind: str
    seat: int | None
    decision: str
    action: str
    events: str
    public: int


class SeasonGame(msgspec.Struct, frozen=True, array_like=True):
    """A game of the season: all that its rows are made of. Chains and positions were checked when it was written.

    Arguments:
        bots: codes by seat, each with its place in the order of sitting down.
        chains: the hashes of all moves, one behind the other.
        review: as JSON.
    """

    ref: str
    title: str
    rules: str
    version: int
    options: dict[str, str]
    bots: list[tuple[str, int]]
    server_seed: str
    started_at: datetime
    finished_at: datetime
    moves: list[SeasonMove]
    chains: bytes
    state: str
    outcome: dict[str, Any]
    review: bytes


def load_season() -> list[SeasonGame]:
    """Reads the season that is shipped."""
    return msgspec.msgpack.decode(lzma.decompress(SEASON.read_bytes()), type=list[SeasonGame])


def pack_season(games: Sequence[SeasonGame]) -> bytes:
    """Packs a season as its file."""
    return lzma.compress(msgspec.msgpack.encode(games), preset=9)


def season_game(record: Record, state: bytes, public: Sequence[int], review: Review) -> SeasonGame:
    """Makes a game of the file of a record.

    Arguments:
        record: which was checked.
        state: the last one.
        public: of each move, how many of its events everybody was shown.
    """
    return SeasonGame(
        ref=record.ref,
        title=record.title,
        rules=record.rules,
        version=record.rules_version,
        options=record.options,
        bots=[(seat.bot, seat.joined) for seat in record.seats],
        server_seed=record.server_seed,
        started_at=datetime.fromisoformat(record.started_at),
        finished_at=datetime.fromisoformat(record.finished_at),
        moves=[
            SeasonMove(move.kind, move.seat, move.decision, move.action, move.events, shown)
            for move, shown in zip(record.played(), public, strict=True)
        ],
        chains=bytes.fromhex("".join(move.chain for move in record.moves)),
        state=state.decode(),
        outcome=msgspec.to_builtins(record.outcome),
        review=msgspec.json.encode(review),
    )


def lay_in_season(now: datetime) -> int:
    """Stores the season where it is not stored yet, and returns how many games that were. Twice is harmless."""
    with transaction.atomic():
        host = bot_accounts.house()
        host.one_at_a_time()
        if not SEASON.is_file() or Game.objects.filter(OF_SEASON).exists():
            return 0
        accounts = bot_accounts.characters()
        season = [game for game in load_season() if (game.rules, game.version) in RULES]
        rows = Game.objects.bulk_create([_game_of(game, host.pk) for game in season])
        pairs = list(zip(season, rows, strict=True))
        seats = Seat.objects.bulk_create(
            Seat(game=row, number=number, user=accounts[bot], name=f"Bot {bot}", bot=bot, joined_at=game.started_at)
            for game, row in pairs
            for number, (bot, _joined) in sorted(enumerate(game.bots), key=lambda seat: seat[1][1])
        )
        SeatTenure.objects.bulk_create(SeatTenure(seat=seat, user=seat.user, began_at=seat.joined_at) for seat in seats)
        PackedLog.objects.bulk_create(
            stored_moves.packed_log(row, _moves_of(game, row), [], [], {None: None}, now) for game, row in pairs
        )
        done = GameReview.State.DONE
        GameReview.objects.bulk_create(
            GameReview(game=row, state=done, chain=row.chain, data=zlib.compress(game.review, 9), made_at=now)
            for game, row in pairs
        )
        return len(rows)


def _game_of(game: SeasonGame, host: int) -> Game:
    return Game(
        ref=game.ref,
        title=game.title,
        host_id=host,
        status=Game.Status.FINISHED,
        is_listed=True,
        is_between_bots=True,
        rules_name=game.rules,
        rules_version=game.version,
        options=game.options,
        seat_count=len(game.bots),
        pace="live",
        state=game.state,
        seq=len(game.moves),
        public_events=sum(move.public for move in game.moves),
        chain=game.chains[-HASH:].hex(),
        commitment=commitment(bytes.fromhex(game.server_seed)),
        server_seed=game.server_seed,
        outcome=game.outcome,
        created_at=game.started_at,
        expires_at=game.started_at,
        started_at=game.started_at,
        finished_at=game.finished_at,
        is_packed=True,
    )


HASH = 32  # bytes


def _moves_of(game: SeasonGame, row: Game) -> list[Move]:
    first, moves = 1, []
    for seq, move in enumerate(game.moves, start=1):
        moves.append(
            Move(
                game=row,
                seq=seq,
                kind=move.kind,
                seat=move.seat,
                decision=move.decision,
                action=move.action,
                events=move.events,
                first_public=first,
                source=Move.Source.ADVANCE if move.seat is None else Move.Source.BOT,
                received_at=game.started_at,
                made_at=game.started_at,
                chain=game.chains[HASH * (seq - 1) : HASH * seq].hex(),
            )
        )
        first += move.public
    return moves


def featured(now: datetime) -> Game | None:
    """Returns the game of the season that is featured on a day of UTC, each in turn; None where there is none."""
    day, refs = now.astimezone(UTC).date(), cache.get_or_set("season", _refs_of_season, HOUR) or []
    if not refs:
        return None
    rows = Game.objects.filter(OF_SEASON, ref=refs[day.toordinal() % len(refs)])
    return rows.defer("state").prefetch_related("seats").first()


def _refs_of_season() -> list[str]:
    """Returns the refs of the season's games whose rules are here, shuffled, the rule sets by turns."""
    rows = Game.objects.filter(OF_SEASON, COUNTED).values_list("rules_name", "rules_version", "ref")
    refs: dict[str, list[str]] = {}
    for rules, version, ref in rows:
        if (rules, version) in RULES:
            refs.setdefault(rules, []).append(ref)
    queues = [sorted(own, key=lambda ref: sha256(ref.encode()).digest()) for _rules, own in sorted(refs.items())]
    longest = max(map(len, queues), default=0)
    return [queue[place % len(queue)] for place in range(longest) for queue in queues]
