"""Records of games: a finished game as one JSON object, and back as a table that everybody only looks at.

A record opens everything that was hidden, for without it nobody could check the shuffles. So there is one of a finished
game only, whose seed is published anyway. What never leaves with it: accounts, addresses, notes, table talk, by which
door an answer came, and when one that nobody else could notice.
"""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise, zip_longest
from typing import cast

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.core import Text
from engine.records import checking, model
from engine.records.checking import Checked
from engine.records.model import By, Fault, Kind, Record, RecordedMove, RecordedOutcome, RecordedSeat, Version
from engine.registry import RULES
from games.archive import refusals
from games.errors import Conflict, LimitReached, ServiceError
from games.people.models import User
from games.play import stored_moves
from games.play.models import Move
from games.play.replay import KEPT, ReplayMismatch, replay
from games.tables.models import Game
from games.tables.plans import clean_title
from games.tables.seats import Seat

SOURCES = {"player": Move.Source.RECORD, "service": Move.Source.ADVANCE}
AT_ONCE = 500  # rows
log = logging.getLogger(__name__)


class BadRecord(ServiceError):
    """The record is none, or does not lead where it says."""

    code = "bad-record"

    def __init__(self, fault: Text) -> None:
        super().__init__(refusals.say(fault))
        self.fault = fault


# Out


def record_of(game: Game) -> Record:
    """The record of a finished game. Raises Conflict for any other: its seed is still secret, or stays so."""
    if game.status != Game.Status.FINISHED:
        raise Conflict(_("A game has a record only once it has ended with a result."))
    if game.sandbox_of_id is not None:
        raise Conflict(_("A sandbox has no record, because it doesn't start at the beginning of a game."))
    assert game.started_at and game.finished_at and game.outcome
    return Record(
        format=model.FORMAT,
        format_version=cast(Version, game.chain_version),
        ref=game.recorded_as or game.ref,
        title=game.title,
        rules=game.rules_name,
        rules_version=game.rules_version,
        options=game.options,
        seats=_seats_of(game),
        commitment=game.commitment,
        server_seed=game.server_seed,
        started_at=_written(game.started_at),
        finished_at=_written(game.finished_at),
        moves=list(_moves_of(game)),
        outcome=msgspec.convert(game.outcome, RecordedOutcome),
    )


def _seats_of(game: Game) -> list[RecordedSeat]:
    by_joining = enumerate(game.seats.order_by("pk"))
    seats = {
        seat.number: RecordedSeat(name=seat.name, joined=joined, entropy=seat.entropy, bot=seat.bot)
        for joined, seat in by_joining
    }
    return [seats[number] for number in range(len(seats))]


def _moves_of(game: Game) -> Iterator[RecordedMove]:
    every = [*stored_moves.find(game), None]
    positions = _positions_of(game)
    for (move, following), position in zip_longest(pairwise(every), positions):
        assert move is not None
        behind = following.first_public if following else game.public_events + 1
        yield RecordedMove(
            number=move.seq,
            kind=cast(Kind, move.kind),
            by=cast(By, move.by),
            chain=move.chain,
            seat=move.seat,
            decision=move.decision,
            action=msgspec.json.decode(move.action) if move.action else None,
            events=msgspec.json.decode(move.events),
            at=_written(move.made_at) if behind > move.first_public else None,
            position=position,
        )


def _positions_of(game: Game) -> list[str]:
    """The hash of the position after each move; none of a game that can't be played again here."""
    key = f"positions:{game.ref}:{game.chain}"
    positions: list[str] | None = cache.get(key)
    if positions is None and (game.rules_name, game.rules_version) in RULES:
        try:
            positions = replay(game).positions
        except ReplayMismatch:
            log.exception("Game %s does not replay", game.ref)
            return []
        cache.set(key, positions, KEPT)
    return positions or []


def _written(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


# In


def take_in(*, data: bytes, by: User, now: datetime) -> tuple[Game, bool]:
    """Checks a record in this process, however long that takes, and keeps it: for commands, not for requests.

    Raises and returns what `keep` does.
    """
    try:
        record = model.load(data)
        done = checking.check(record)
    except Fault as fault:
        raise BadRecord(fault.text) from fault
    return keep(record=record, done=done, by=by, now=now)


def keep(*, record: Record, done: Checked, by: User, now: datetime) -> tuple[Game, bool]:
    """Makes a finished table of a record that was checked, for its importer's eyes, and whoever he lets watch.

    Its names stay names: nobody sits there, and no account is looked for.
    Raises BadRecord for times or a name that cannot be here, LimitReached; then nothing is stored.

    Returns the table, and whether it is new: the same record twice is one table of the same person.
    """
    try:
        game, times = _game_of(record, done, by, now), _times(record, now)
    except Fault as fault:
        raise BadRecord(fault.text) from fault
    with transaction.atomic():
        by.one_at_a_time()
        own = own_imports(by)
        known = own.filter(recorded_as=record.ref, chain=done.head).first()
        if known is not None:
            return known, False
        check_room(by)
        _store(game, record, times, done.public, now)
    return game, True


def check_room(by: User) -> None:
    """Raises LimitReached if somebody has imported as many games as he may keep."""
    if own_imports(by).count() >= settings.IMPORTED_GAMES_PER_PERSON:
        raise LimitReached(refusals.say(refusals.LIMIT))


def own_imports(user: User) -> QuerySet[Game]:
    """The games somebody has imported."""
    return user.hosted_games.exclude(recorded_as="")


def imported_by(user: User) -> list[Game]:
    """The games somebody has imported, the latest first."""
    return list(own_imports(user).defer("state").order_by("-pk"))


def remove(*, game: Game, by: User) -> None:
    """Its importer takes an imported game away again, with all that is about it. Raises Conflict for any other."""
    if not game.is_imported or game.host_id != by.pk:
        raise Conflict(_("You can only remove games you imported yourself."))
    game.delete()


def _game_of(record: Record, done: Checked, by: User, now: datetime) -> Game:
    title = clean_title(record.title)
    if not title:
        raise Fault(refusals.NO_TITLE.code)
    return Game(
        title=title,
        host=by,
        recorded_as=record.ref,
        status=Game.Status.FINISHED,
        rules_name=record.rules,
        rules_version=record.rules_version,
        options=record.options,
        seat_count=len(record.seats),
        pace="daily",
        state=done.state.decode(),
        seq=done.moves,
        branch=len(done.seeds) - 1,
        chain=done.head,
        chain_version=record.format_version,
        commitment=record.commitment,
        server_seed=record.server_seed,
        outcome=msgspec.to_builtins(record.outcome),
        created_at=now,
        expires_at=now,
        started_at=_read(record.started_at, now),
        finished_at=_read(record.finished_at, now),
    )


def _times(record: Record, now: datetime) -> list[datetime]:
    """When each move was made; one that says nothing, with the move before."""
    times = [_read(record.started_at, now)]
    for move in record.moves:
        times.append(_read(move.at, now) if move.at else times[-1])
    return times[1:]


def _read(written: str, now: datetime) -> datetime:
    """A time of the record. Raises Fault for one that cannot have been."""
    try:
        at = datetime.fromisoformat(written)
    except ValueError as error:
        raise Fault("record.time", time=written) from error
    if at > now + timedelta(days=1):
        raise Fault("record.time", time=written)
    return at


def _store(game: Game, record: Record, times: list[datetime], counts: list[int], now: datetime) -> None:
    game.save()
    for number, seat in sorted(enumerate(record.seats), key=lambda pair: pair[1].joined):
        facts: dict[str, str | None] = {"name": clean_title(seat.name)[:40], "entropy": seat.entropy, "bot": seat.bot}
        Seat.objects.create(game=game, number=number, joined_at=game.created_at, **facts)
    public, rows = 0, []
    for move, played, at, count in zip(record.moves, record.played(), times, counts, strict=True):
        rows.append(
            Move(
                game=game,
                seq=played.seq,
                kind=played.kind,
                seat=played.seat,
                decision=played.decision,
                action=played.action,
                events=played.events,
                first_public=public + 1,
                source=SOURCES.get(move.by, move.by),
                received_at=at,
                made_at=at,
                chain=played.chain,
            )
        )
        public += count
    Move.objects.bulk_create(rows, AT_ONCE)
    game.public_events, game.pack_at = public, stored_moves.packing_due_at(game, now)
    game.save(update_fields=["public_events", "pack_at"])
