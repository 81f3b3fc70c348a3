"""Makes reviews: one at a time, whatever many games have ended, each in a process of its own that everything else goes
before.

A worker looks after that process from tick to tick and never waits for it. The row is the fact: a worker that dies
takes the process with it, its lease lapses, and the review is begun once more.
"""

import logging
import os
import subprocess
import sys
import zlib
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile

import msgspec
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet

from engine.records import model as record_model
from games.archive import records, review_bounds, review_queue
from games.archive.models import GameReview
from games.play import notify
from games.tables.models import Game
from notifications.database.compiled_query import compiled_exists

logger = logging.getLogger(__name__)
LEASE = timedelta(minutes=5)  # longer than a tick whose every part takes the longest that it may
LONGEST = timedelta(hours=1)  # on a machine that has hardly any time to spare
MOST_TRIES = 3  # of a review in whose midst workers die
LAUNCHER = Path(settings.BASE_DIR) / "config" / "launcher" / "child.py"  # what it starts ends with who has started it


class Making:
    """A review that a process of its own makes, and the row as this worker claimed it."""

    def __init__(self, row: GameReview, record: bytes, now: datetime) -> None:
        self.row, self.began_at = row, now
        self._found = TemporaryFile()  # noqa: SIM115  # until `end`
        with TemporaryFile() as source:
            source.write(record)
            source.seek(0)
            launcher = [sys.executable, str(LAUNCHER), str(os.getpid())]
            command = [*launcher, *review_bounds.COMMAND, str(settings.REVIEW_SECONDS)]
            self._process = subprocess.Popen(  # noqa: S603  # our own program
                command, stdin=source, stdout=self._found, cwd=review_bounds.ROOT
            )

    @property
    def status(self) -> int | None:
        """How the process has ended; None while it works."""
        return self._process.poll()

    def found(self) -> bytes:
        """Returns what it has written."""
        descriptor = self._found.fileno()
        return os.pread(descriptor, os.fstat(descriptor).st_size, 0)

    def end(self) -> None:
        """Ends the process, if it still works, and lets go of what it has written."""
        self._process.kill()
        self._process.wait()
        self._found.close()


_now_making: list[Making] = []
"""What this process looks after: one at most."""


def make_next(now: datetime) -> None:
    """Begins the next review, or looks how far the one is that is being made. Waits for nothing.

    Called again and again by one thread of a worker.
    """
    if not _now_making:
        row = _claim(now) if settings.REVIEW_SECONDS and _is_any_due(now) else None
        if row is not None:
            try:
                record = _record_of(row)
                if record is not None:
                    _now_making.append(Making(row, record, now))
            except BaseException:
                _free(row, now)
                raise
        return
    making = _now_making[0]
    try:
        if making.status is not None:
            _settle(making, now)
        elif now < making.began_at + LONGEST and _mine(making.row).update(leased_until=now + LEASE):
            return
    except BaseException:
        _forget()
        _free(making.row, now)
        raise
    _forget()


def _forget() -> None:
    _now_making.pop().end()


def _free(row: GameReview, now: datetime) -> None:
    """Ends the lease of a review in whose midst something broke: it is tried again, and no other one waits for it."""
    with suppress(DatabaseError):  # it may be what broke: then the lease lapses
        _mine(row).update(leased_until=now - LEASE)


def _due(now: datetime) -> QuerySet[GameReview]:
    """What waits, and what a dead worker has left."""
    waiting = Q(state=GameReview.State.WAITING)
    return GameReview.objects.filter(waiting | Q(state=GameReview.State.RUNNING, leased_until__lt=now))


@compiled_exists
def _is_any_due(now: datetime) -> QuerySet[GameReview]:
    return _due(now)


@transaction.atomic
def _claim(now: datetime) -> GameReview | None:
    """The next review, leased: of a game that has ended before one that was asked for. None if another one is made."""
    if GameReview.objects.filter(state=GameReview.State.RUNNING, leased_until__gte=now).exists():
        return None
    row = _due(now).select_for_update(skip_locked=True).order_by("is_asked", "requested_at", "pk").first()
    if row is None:
        return None
    if row.tries >= MOST_TRIES:
        _fail(row)
        return None
    row.state, row.leased_until, row.tries = GameReview.State.RUNNING, now + LEASE, row.tries + 1
    row.save(update_fields=["state", "leased_until", "tries"])
    return row


def _record_of(row: GameReview) -> bytes | None:
    """The record of the game; None for one that cannot be reviewed any more, such as after a roll-back."""
    game = Game.objects.get(pk=row.game_id)
    if review_queue.why_none(game):
        _fail(row)
        return None
    GameReview.objects.filter(pk=row.pk).update(chain=game.chain)
    row.chain = game.chain
    return record_model.dump(records.record_of(game))


def _mine(row: GameReview) -> QuerySet[GameReview]:
    """The row, as long as nobody has claimed or queued it since."""
    return GameReview.objects.filter(pk=row.pk, state=GameReview.State.RUNNING, tries=row.tries)


def _settle(making: Making, now: datetime) -> None:
    """Stores what was found and lets the emails go that wait for it. A process that was ended is tried again."""
    try:
        made = msgspec.json.decode(making.found(), type=review_bounds.MadeReview)
    except msgspec.MsgspecError:
        logger.error("The review of game %s ended with status %s", making.row.game_id, making.status)
        _free(making.row, now)
        return
    data = zlib.compress(msgspec.json.encode(made.review), 9)
    done = {"state": GameReview.State.DONE, "data": data, "seconds": made.seconds, "made_at": now}
    with transaction.atomic():
        if _mine(making.row).update(**done, leased_until=None):
            notify.release_game_over(making.row.game, now)


def _fail(row: GameReview) -> None:
    GameReview.objects.filter(pk=row.pk).update(state=GameReview.State.FAILED, leased_until=None)
