"""Reviews of games: which are made, how a worker has them made, and what a page shows of one.

One is made at a time, whatever many games have ended, in a process of its own that everything else goes before. A
worker looks after that process from tick to tick and never waits for it. The row is the fact: a worker that dies
takes the process with it, its lease lapses, and the review is begun once more."""

import logging
import os
import subprocess
import sys
import zlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile

import msgspec
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from engine.core import Seat
from engine.puzzles import Puzzle
from engine.records import model
from engine.registry import RULES
from engine.reviews.model import Point, Review
from games.archive import records
from games.archive.models import IS_OPEN, GameReview
from games.archive.review_bounds import COMMAND, ROOT, SEARCH, MadeReview
from games.errors import Conflict, TooMany, check_rate
from games.lobby import puzzles
from games.people.models import User
from games.play import notify
from games.tables.models import Game
from notifications.database.compiled_query import compiled_exists

# Reviews of games: which are made, how a worker has them made, and what a page shows of one.

# Queueing: each game that somebody with an account has played is reviewed, and others when somebody asks for it

HOLD = timedelta(minutes=3)
"""So long the email about the end of a game waits for its review, and no longer."""

MOST_EXPECTED = 200  # reviews of ended games that wait at once: some hours' work; others can be asked for later
MOST_ASKED = 30  # reviews that were asked for and wait at once
MOST_OF_GUESTS = 10  # of these, for all guests together
MOST_OF_ONE = 3  # of these, for one person
ASKED_A_DAY = 20  # reviews that one person may ask for
DAY = timedelta(days=1)


def expect_review(game: Game, now: datetime) -> datetime | None:
    """Queues the review of a game that has just ended, in the caller's transaction.

    Returns until when the email about the end waits for it; None if it does not wait, since others are made first, or
    if there will be none by itself: of a practice game, of one that only guests and bots have played, or while too many
    wait, as when somebody resigns one game after another.
    """
    if not settings.REVIEW_SECONDS or game.is_practice or not _has_account(game):
        return None
    before = GameReview.objects.filter(IS_OPEN, is_asked=False).exclude(game=game).count()
    if before >= MOST_EXPECTED:
        return None
    _queue(game, now)
    return None if before else now + HOLD


def _has_account(game: Game) -> bool:
    """Whether a person with an account of their own sits there, who is neither a guest nor a bot."""
    return any(
        seat.user is not None and not (seat.is_bot or seat.user.is_guest)
        for seat in game.seats.filter(user__isnull=False).select_related("user")
    )


@transaction.atomic
def request_review(game: Game, by: User, now: datetime) -> GameReview:
    """Queues the review of a finished game that has none, because somebody asks for it. Asking again changes nothing.

    Raises Conflict for a game that cannot be reviewed, TooMany while many others wait, or others of this person, past
    the day's limit, and for one that could not be made within the last day.
    """
    by.one_at_a_time()  # his are counted
    if refusal := why_none(game):
        raise Conflict(refusal)
    row = GameReview.objects.select_for_update().filter(game=game).first()
    if row is not None and (row.state in (row.State.WAITING, row.State.RUNNING) or is_current(row, game)):
        return row
    if row is not None and row.state == row.State.FAILED and row.requested_at > now - DAY:
        raise TooMany(
            _("This game couldn't be reviewed. You can try once more tomorrow."), row.requested_at + DAY - now
        )
    _check_limits(by, now)
    return _queue(game, now, asked_by=by)


def _check_limits(by: User, now: datetime) -> None:
    """Raises TooMany: what one person asks for must leave room for the others."""
    waiting, hour = GameReview.objects.filter(IS_OPEN, is_asked=True), timedelta(hours=1)
    if waiting.filter(asked_by=by).count() >= MOST_OF_ONE:
        raise TooMany(_("You're already waiting for several reviews. Ask for more when they're done."), hour)
    many = by.is_guest and waiting.filter(asked_by__is_guest=True).count() >= MOST_OF_GUESTS
    if many or waiting.count() >= MOST_ASKED:
        raise TooMany(_("Many reviews are waiting already. Please ask again in an hour."), hour)
    message = _("You've asked for many reviews today. Please ask for more tomorrow.")
    check_rate(by.reviews_asked.all(), most=ASKED_A_DAY, within=DAY, now=now, message=message, time="requested_at")


def why_none(game: Game) -> str:
    """Returns why there is no review of a game and cannot be one, in words; "" if there can be."""
    if game.status == Game.Status.CLOSED:
        return _("This game was called off without a result, so there's nothing to review.")
    if game.status != Game.Status.FINISHED:
        return _("A game is reviewed once it's over.")
    if game.sandbox_of_id is not None:
        return _("A sandbox isn't reviewed, because it doesn't start at the beginning of a game.")
    if (game.rules_name, game.rules_version) not in RULES:
        return _("The rules of this game aren't installed here any more, so it can't be reviewed.")
    if not settings.REVIEW_SECONDS:
        return _("This service makes no reviews.")
    return ""


def is_current(row: GameReview, game: Game) -> bool:
    """True of a review that is made, of the game as it ended: a roll-back may have led to another end since."""
    return row.state == GameReview.State.DONE and row.chain == game.chain


def _queue(game: Game, now: datetime, *, asked_by: User | None = None) -> GameReview:
    waiting = {
        "state": GameReview.State.WAITING,
        "is_asked": asked_by is not None,
        "asked_by": asked_by,
        "chain": "",
        "data": b"",
        "tries": 0,
        "leased_until": None,
        "requested_at": now,
        "made_at": None,
    }
    return GameReview.objects.update_or_create(game=game, defaults=waiting)[0]


@dataclass(frozen=True)
class ReviewState:
    """The review of a game, or what is to be said in its place.

    Arguments:
        review: what was found; None if there is nothing to show.
        message: why not, in words.
        is_coming: it will be made by itself, or is being made.
        may_be_asked: it can be asked for.
        row: what is stored, if anything is.
    """

    review: Review | None = None
    message: str = ""
    is_coming: bool = False
    may_be_asked: bool = False
    row: GameReview | None = None


def review_of(game: Game) -> ReviewState:
    """The review of a game, which is None before the end and of games that have none; never anything half made."""
    row = GameReview.objects.filter(game=game).first() if game.status == Game.Status.FINISHED else None
    if row is not None and is_current(row, game):
        return ReviewState(unpack(row), row=row)
    if refusal := why_none(game):
        return ReviewState(message=refusal, row=row)
    if row is not None and row.state in (GameReview.State.WAITING, GameReview.State.RUNNING):
        return ReviewState(message=_("This review is being made. It takes a few minutes."), is_coming=True, row=row)
    if row is not None and row.state == GameReview.State.FAILED:
        return ReviewState(message=_("This game couldn't be reviewed."), may_be_asked=True, row=row)
    return ReviewState(
        message=_("A review shows which moves and what luck decided this game. Nobody has asked for it yet."),
        may_be_asked=True,
        row=row,
    )


def unpack(row: GameReview) -> Review:
    """The stored review of a row that is done."""
    return msgspec.json.decode(zlib.decompress(bytes(row.data)), type=Review)


# Making

logger = logging.getLogger(__name__)
LEASE = timedelta(minutes=5)  # longer than a tick whose every part takes the longest that it may
LONGEST = timedelta(hours=1)  # on a machine that has hardly any time to spare
MOST_TRIES = 3  # of a review in whose midst workers die
LAUNCHER = Path(settings.BASE_DIR) / "config" / "launcher" / "child.py"  # what it starts ends with who has started it


class Making:
    """A review that a process of its own makes, and the row as this worker claimed it.

    Arguments:
        is_lent: whether the process then looks for puzzles.
    """

    def __init__(self, row: GameReview, record: bytes, now: datetime, *, is_lent: bool) -> None:
        self.row, self.began_at = row, now
        self.is_stored = False  # the review is
        self._found = TemporaryFile()  # noqa: SIM115  # until `end`
        with TemporaryFile() as source:
            source.write(record)
            source.seek(0)
            launcher = [sys.executable, str(LAUNCHER), str(os.getpid())]
            command = [*launcher, *COMMAND, str(settings.REVIEW_SECONDS), str(SEARCH if is_lent else 0)]
            self._process = subprocess.Popen(  # noqa: S603  # our own program
                command, stdin=source, stdout=self._found, cwd=ROOT
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
"""The review this process looks after: one at most."""


def make_next_review(now: datetime) -> None:
    """Begins the next review, or looks how far the one is that is being made. Waits for nothing.

    Called again and again by one thread of a worker.
    """
    if not _now_making:
        row = _claim(now) if settings.REVIEW_SECONDS and _is_any_due(now) else None
        if row is not None:
            try:
                record = _record_of(row)
                if record is not None:
                    is_lent = bool(puzzles.lock_lenders(row.game))
                    _now_making.append(Making(row, record, now, is_lent=is_lent))
            except BaseException:
                _free(row, now)
                raise
        return
    making = _now_making[0]
    try:
        if _look_after(making, now):
            return
    except BaseException:
        _forget()
        _free(making.row, now)
        raise
    _forget()


def _look_after(making: Making, now: datetime) -> bool:
    """Stores what the process has written since. Returns whether it is to work on: a search for puzzles ends as soon
    as another game waits for its review, and the last one it has found is the clearest."""
    is_over = making.status is not None  # asked first: then it has written all that it ever will
    *lines, _part = making.found().split(b"\n")
    if lines and not making.is_stored:
        if not _store(making, msgspec.json.decode(lines[0], type=MadeReview), now):
            return False
        making.is_stored = True
    if is_over and (making.status or not making.is_stored):
        logger.error("The review of game %s ended with status %s", making.row.game_id, making.status)
        _free(making.row, now)
    if is_over or now >= making.began_at + LONGEST or (making.is_stored and _is_any_due(now)):
        if len(lines) > 1:
            puzzles.lend(msgspec.json.decode(lines[-1], type=Puzzle), making.row.game)
        return False
    return making.is_stored or bool(_mine(making.row).update(leased_until=now + LEASE))


def _forget() -> None:
    _now_making.pop().end()


def _free(row: GameReview, now: datetime) -> None:
    """Ends the lease of a review in whose midst something broke: it is tried again, and no other one waits for it."""
    with suppress(DatabaseError):  # it may be what broke: then the lease lapses
        _mine(row).update(leased_until=now - LEASE)


def _due(now: datetime) -> QuerySet[GameReview]:
    """Finds reviews that wait, and those a dead worker has left."""
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
    game = row.game
    if why_none(game):
        _fail(row)
        return None
    GameReview.objects.filter(pk=row.pk).update(chain=game.chain)
    row.chain = game.chain
    return model.dump(records.record_of(game))


def _mine(row: GameReview) -> QuerySet[GameReview]:
    """The row, as long as nobody has claimed or queued it since."""
    return GameReview.objects.filter(pk=row.pk, state=GameReview.State.RUNNING, tries=row.tries)


def _store(making: Making, result: MadeReview, now: datetime) -> bool:
    """Stores a review and lets the emails go that wait for it. Returns whether it was still this worker's."""
    data = zlib.compress(msgspec.json.encode(result.review), 9)
    done = {"state": GameReview.State.DONE, "data": data, "seconds": result.seconds, "made_at": now}
    with transaction.atomic():
        is_mine = bool(_mine(making.row).update(**done, leased_until=None))
        if is_mine:
            notify.release_game_over(making.row.game, now)
        return is_mine


def _fail(row: GameReview) -> None:
    GameReview.objects.filter(pk=row.pk).update(state=GameReview.State.FAILED, leased_until=None)


# The curve: each seat's chance to win from the layout to the end, as lines to draw

CERTAIN = 1000  # a chance is counted in thousandths
LABELS = 6  # about so many moves are named below the chart


@dataclass(frozen=True)
class Frame:
    """The size of a drawing in its own units, and its margins."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


PAGE_FRAME = Frame(width=600, height=260, left=76, right=24, top=14, bottom=32)
LETTER_FRAME = Frame(width=400, height=200, left=40, right=8, top=8, bottom=22)


@dataclass(frozen=True)
class CurveLine:
    """A seat's line, and the band in which it lies 19 times of 20; points as SVG writes them."""

    seat: Seat
    points: str
    band: str


@dataclass(frozen=True)
class CurveMark:
    """A number at an axis, and where it stands."""

    at: float
    number: int


@dataclass(frozen=True)
class ChanceCurve:
    """A chart of chances over moves."""

    lines: list[CurveLine]
    heights: list[CurveMark]
    moves: list[CurveMark]
    frame: Frame


def curve_of(review: Review, frame: Frame = PAGE_FRAME) -> ChanceCurve | None:
    """The chart of a review; None for a game of a single move."""
    points = review.points
    if len(points) < 2:
        return None
    first, span = points[0].seq, points[-1].seq - points[0].seq

    def x(point: Point) -> float:
        return round(frame.left + (point.seq - first) * (frame.width - frame.left - frame.right) / span, 1)

    def y(chance: float) -> float:
        return round(frame.top + (CERTAIN - chance) * (frame.height - frame.top - frame.bottom) / CERTAIN, 1)

    lines = []
    for seat in range(review.seats):
        middle, high, low = (
            [f"{x(point)},{y(chances[seat])}" for point, chances in zip(points, column, strict=True)]
            for column in ([p.chances for p in points], [p.high for p in points], [p.low for p in points])
        )
        lines.append(CurveLine(seat, " ".join(middle), " ".join([*high, *reversed(low)])))
    every = max(1, len(points) // LABELS)
    heights = [CurveMark(y(share * CERTAIN / 100), share) for share in (0, 25, 50, 75, 100)]
    return ChanceCurve(lines, heights, [CurveMark(x(point), point.seq) for point in points[::every]], frame)
