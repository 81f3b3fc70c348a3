"""Imports of records: a request stores what it is given, and a worker checks it in a process of its own.

The record is a stranger's: that process is bound by the kernel (`games.archive.verifier.bounded`), and a worker looks
after it from tick to tick without waiting for it. One record is checked at a time, whatever many people send. The row
is the fact: a worker that dies takes the process with it, its lease lapses, and the record is checked once more.
"""

import logging
import os
import subprocess
import sys
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile

from django.conf import settings
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from engine.core import Text
from engine.records import model
from engine.records.checking import Checked
from games.archive import records, refusals
from games.archive.models import Import
from games.archive.verifier import bounded
from games.errors import Conflict, LimitReached, NotFound, check_rate
from games.people.models import User
from notifications.database.compiled_query import compiled_exists

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
            records.check_room(by)
            message = _("You've imported a lot of games today. Please try again tomorrow.")
            check_rate(by.imports.all(), most=MOST_A_DAY, within=timedelta(days=1), now=now, message=message)
            return Import.objects.create(user=by, data=data, created_at=now)
    except IntegrityError as error:
        raise Conflict(_("One import at a time, please. Your last one is still being checked.")) from error


def find(user: User, ref: str) -> Import:
    """One of a person's imports, without the record itself. Raises NotFound for "none" and "not yours" alike."""
    row = user.imports.defer("data").select_related("game").filter(ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such import, or it isn't yours."))
    return row


def open_of(user: User) -> Import | None:
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
"""What this process looks after: one at most."""


def check_next(now: datetime) -> None:
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
    """What waits, and what a dead worker has left."""
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
        _refuse(row, refusals.UNCHECKED, now)
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
    """What was found becomes a game, or a refusal. A process that somebody has ended is tried again."""
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
            _keep(row, report.done, now)


def _keep(row: Import, done: Checked, now: datetime) -> None:
    """Makes a game of a record that was checked. What cannot be stored is refused: it would raise again and again."""
    try:
        with transaction.atomic():
            record = model.load(bytes(row.data))
            row.game, row.is_new = records.keep(record=record, done=done, by=row.user, now=now)
    except records.BadRecord as error:
        _refuse(row, error.fault, now)
    except LimitReached:
        _refuse(row, refusals.LIMIT, now)
    except (InterfaceError, OperationalError):
        raise  # that the database is away is no fault of the record
    except Exception:
        logger.exception("Import %s was checked but could not be kept", row.ref)
        _refuse(row, refusals.UNCHECKED, now)
    else:
        _close(row, Import.State.DONE, now)


def _refuse(row: Import, why: Text, now: datetime) -> None:
    row.refusal = refusals.stored(why)
    _close(row, Import.State.REFUSED, now)


def _close(row: Import, state: Import.State, now: datetime) -> None:
    row.state, row.settled_at, row.leased_until, row.data = state, now, None, b""
    row.save()
