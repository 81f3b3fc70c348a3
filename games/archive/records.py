"""Records of games: a finished game as one JSON object, and back as a table that everybody only looks at.

A record opens everything that was hidden, for without it nobody could check the shuffles. So there is one of a finished
game only, whose seed is published anyway. What never leaves with it: accounts, addresses, notes, table talk, by which
door an answer came, and when one that nobody else could notice.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise, zip_longest
from pathlib import Path
from tempfile import TemporaryFile
from typing import cast

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from engine.core import Text
from engine.records import checking, model
from engine.records.checking import Checked
from engine.records.model import By, Fault, Kind, Record, RecordedMove, RecordedOutcome, RecordedSeat
from engine.registry import RULES
from games.archive import models
from games.archive.models import Import
from games.archive.verifier import bounded
from games.errors import Conflict, LimitReached, NotFound, ServiceError, check_rate
from games.people.models import User
from games.people.names import clean_title
from games.play import stored_moves
from games.play.models import Move
from games.play.replay import KEPT, ReplayMismatch, replay
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.database.compiled_query import compiled_exists

SOURCES = {"player": Move.Source.RECORD, "service": Move.Source.ADVANCE}
AT_ONCE = 500  # rows
log = logging.getLogger(__name__)


class BadRecord(ServiceError):
    """The record is none, or does not lead where it says."""

    code = "bad-record"

    def __init__(self, fault: Text) -> None:
        super().__init__(models.say_refusal(fault))
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
        format_version=model.VERSION,
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
    return keep_record(record=record, done=done, by=by, now=now)


def keep_record(*, record: Record, done: Checked, by: User, now: datetime) -> tuple[Game, bool]:
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
        existing = own.filter(recorded_as=record.ref, chain=done.head).first()
        if existing is not None:
            return existing, False
        check_room(by)
        _store(game, record, times, done.public, now)
    return game, True


def check_room(by: User) -> None:
    """Raises LimitReached if somebody has imported as many games as he may keep."""
    if own_imports(by).count() >= settings.IMPORTED_GAMES_PER_PERSON:
        raise LimitReached(models.say_refusal(models.IMPORT_LIMIT))


def own_imports(user: User) -> QuerySet[Game]:
    """The games somebody has imported."""
    return user.hosted_games.exclude(recorded_as="")


def imported_by(user: User) -> list[Game]:
    """The games somebody has imported, the latest first."""
    return list(own_imports(user).defer("state").order_by("-pk"))


def remove_import(*, game: Game, by: User) -> None:
    """Its importer takes an imported game away again, with all that is about it. Raises Conflict for any other."""
    if not game.is_imported or game.host_id != by.pk:
        raise Conflict(_("You can only remove games you imported yourself."))
    game.delete()


def _game_of(record: Record, done: Checked, by: User, now: datetime) -> Game:
    title = clean_title(record.title)
    if not title:
        raise Fault(models.IMPORT_NO_TITLE.code)
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


# Imports: a request stores the record, and a worker checks it in a process of its own

logger = logging.getLogger(__name__)
LEASE = timedelta(minutes=5)  # longer than a tick whose every part takes the longest that it may
MOST_TRIES = 3  # of a record in whose midst workers die
MOST_A_DAY = 50  # records of one person
LAUNCHER = Path(settings.BASE_DIR) / "config" / "launcher" / "child.py"  # what it starts ends with who has started it


def request_import(*, data: bytes, by: User, now: datetime) -> Import:
    """Takes a record to be checked.

    Raises Conflict while another one is checked, LimitReached for one too many to keep, TooMany for too many a day.
    """
    try:
        with transaction.atomic():
            by.one_at_a_time()
            check_room(by)
            message = _("You've imported a lot of games today. Please try again tomorrow.")
            check_rate(by.imports.all(), most=MOST_A_DAY, within=timedelta(days=1), now=now, message=message)
            return Import.objects.create(user=by, data=data, created_at=now)
    except IntegrityError as error:
        raise Conflict(_("One import at a time, please. Your last one is still being checked.")) from error


def find_import(user: User, ref: str) -> Import:
    """One of a person's imports, without the record itself. Raises NotFound for "none" and "not yours" alike."""
    row = user.imports.defer("data").select_related("game").filter(ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such import, or it isn't yours."))
    return row


def open_import_of(user: User) -> Import | None:
    """The import of a person that is not settled yet."""
    return user.imports.defer("data").filter(state__in=(Import.State.WAITING, Import.State.RUNNING)).first()


class Checking:
    """A record that a process of its own checks, and the row it came from as this worker claimed it."""

    def __init__(self, row: Import) -> None:
        self.row = row
        self._report = TemporaryFile()  # noqa: SIM115  # until `end`
        with TemporaryFile() as record:
            record.write(row.data)
            record.seek(0)
            launcher = [sys.executable, str(LAUNCHER), str(os.getpid())]
            self._process = subprocess.Popen(  # noqa: S603  # our own program
                [*launcher, *bounded.COMMAND], stdin=record, stdout=self._report, cwd=bounded.ROOT
            )

    @property
    def status(self) -> int | None:
        """How the process has ended; None while it works."""
        return self._process.poll()

    def report(self) -> bounded.CheckReport:
        """Returns the last report it has written."""
        descriptor = self._report.fileno()
        return bounded.last_in(os.pread(descriptor, os.fstat(descriptor).st_size, 0))

    def end(self) -> None:
        """Ends the process, if it still works, and lets go of what it has written."""
        self._process.kill()
        self._process.wait()
        self._report.close()


_now_checking: list[Checking] = []
"""The import this process looks after: one at most."""


def check_next_import(now: datetime) -> None:
    """Begins to check the next record, or looks how far the one is that is being checked. Waits for nothing.

    Called again and again by one thread of a worker.
    """
    if not _now_checking:
        row = _claim(now) if _is_any_due(now) else None
        if row is not None:
            try:
                _now_checking.append(Checking(row))
            except BaseException:
                _free(row, now)
                raise
        return
    checking = _now_checking[0]
    is_over = checking.status is not None
    try:
        if not is_over and _go_on(checking, now):
            return
        if is_over:
            _settle(checking, now)
    except BaseException:
        _forget()
        _free(checking.row, now)
        raise
    _forget()


def _forget() -> None:
    _now_checking.pop().end()


def _free(row: Import, now: datetime) -> None:
    """Ends the lease of a record in whose midst something broke: it is tried again, and no other one waits for it."""
    with suppress(DatabaseError):  # it may be what broke: then the lease lapses
        _mine(row).update(leased_until=now - LEASE)


def _due(now: datetime) -> QuerySet[Import]:
    """Finds imports that wait, and those a dead worker has left."""
    return Import.objects.filter(Q(state=Import.State.WAITING) | Q(state=Import.State.RUNNING, leased_until__lt=now))


@compiled_exists
def _is_any_due(now: datetime) -> QuerySet[Import]:
    return _due(now)


@transaction.atomic
def _claim(now: datetime) -> Import | None:
    """The oldest record to be checked, leased; None if there is none, or if another worker is checking one."""
    if Import.objects.filter(state=Import.State.RUNNING, leased_until__gte=now).exists():
        return None
    row = _due(now).select_for_update(skip_locked=True).order_by("created_at", "pk").first()
    if row is None:
        return None
    if row.tries >= MOST_TRIES:
        _refuse(row, models.IMPORT_UNCHECKED, now)
        return None
    row.state, row.leased_until, row.checked = Import.State.RUNNING, now + LEASE, 0
    row.tries += 1
    row.save(update_fields=["state", "leased_until", "checked", "tries"])
    return row


def _mine(row: Import) -> QuerySet[Import]:
    """The row, as long as nobody else has claimed it since."""
    return Import.objects.filter(pk=row.pk, state=Import.State.RUNNING, tries=row.tries)


def _go_on(checking: Checking, now: datetime) -> bool:
    """Writes down how far a record is. Returns whether it is still ours to check."""
    report = checking.report()
    facts = {"moves": report.moves, "checked": report.checked, "leased_until": now + LEASE}
    return bool(_mine(checking.row).update(**facts))


def _settle(checking: Checking, now: datetime) -> None:
    """Makes a game of the result of a check, or a refusal. A process that somebody has ended is tried again."""
    report = checking.report()
    fault = report.fault
    if checking.status == bounded.TIME_IS_UP:
        fault = Text("record.too-much-time", {"most": bounded.MOST_SECONDS})
    with transaction.atomic():
        row = _mine(checking.row).select_for_update(of=("self",)).select_related("user").first()
        if row is None:
            return
        row.moves, row.checked = report.moves, report.checked
        if fault is not None:
            _refuse(row, fault, now)
        elif report.done is None:
            logger.error("The check of import %s ended with status %s", row.ref, checking.status)
            _free(row, now)
        else:
            _keep_checked(row, report.done, now)


def _keep_checked(row: Import, done: Checked, now: datetime) -> None:
    """Makes a game of a record that was checked. What cannot be stored is refused: it would raise again and again."""
    try:
        with transaction.atomic():
            record = model.load(bytes(row.data))
            row.game, row.is_new = keep_record(record=record, done=done, by=row.user, now=now)
    except BadRecord as error:
        _refuse(row, error.fault, now)
    except LimitReached:
        _refuse(row, models.IMPORT_LIMIT, now)
    except (InterfaceError, OperationalError):
        raise  # that the database is away is no fault of the record
    except Exception:
        logger.exception("Import %s was checked but could not be kept", row.ref)
        _refuse(row, models.IMPORT_UNCHECKED, now)
    else:
        _close(row, Import.State.DONE, now)


def _refuse(row: Import, why: Text, now: datetime) -> None:
    row.refusal = models.dump_refusal(why)
    _close(row, Import.State.REFUSED, now)


def _close(row: Import, state: Import.State, now: datetime) -> None:
    row.state, row.settled_at, row.leased_until, row.data = state, now, None, b""
    row.save()
