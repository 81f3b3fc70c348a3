"""Puzzles: shipped ones, the one of each day, those that people lend, answers, ratings, streaks, the daily email."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from hashlib import sha256
from itertools import chain, groupby
from pathlib import Path

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from openskill.models import PlackettLuce

from engine.core import Text
from engine.core.games import heaviest
from engine.core.questions import Choice
from engine.orders.sentences import ANSWER
from engine.puzzles import GRADES, OpenPuzzle, PackedPuzzle, Puzzle, PuzzleFile, graded, unpack
from engine.registry import RULES
from games.errors import Conflict, NotFound, ServiceError
from games.links import is_signed, page_url, sign
from games.lobby.models import LentPuzzle, PuzzleAttempt, PuzzleRating, PuzzleSolver
from games.people import limits
from games.people.inviting import checked_address
from games.people.letters import PUZZLES
from games.people.models import HOUSE, User
from games.people.speech import current_language
from games.tables.models import Game
from notifications import preferences
from notifications.database.compiled_query import compiled_exists
from notifications.delivery.policy import next_daily
from notifications.models import Recipient
from notifications.outbox import Notification, notify

FILE = Path(__file__).parent / "puzzles.bin"
"""Made by `manage.py make_puzzles`."""

DAY = timedelta(days=1)
COMING = 14  # days whose puzzles are kept for them


@cache
def load() -> PuzzleFile:
    """The puzzles that are shipped; each is opened when it is needed."""
    return unpack(FILE.read_bytes())


@cache
def _by_ref() -> dict[str, PackedPuzzle]:
    return {packed.ref: packed for packed in load().puzzles}


def find(ref: str) -> PackedPuzzle:
    """The puzzle with that reference. Raises NotFound for none, and for one that its lenders have taken back."""
    if ref in _by_ref():
        return _by_ref()[ref]
    row = LentPuzzle.objects.filter(ref=ref).values_list(*LISTED, "data").first()
    if row is None:
        raise _not_found()
    return PackedPuzzle(*row)


def _not_found() -> NotFound:
    return NotFound(_("There's no such puzzle, or it was taken back."))


def opened(packed: PackedPuzzle) -> OpenPuzzle:
    """A puzzle to be shown and judged. Raises Conflict once the rules it was made by are gone, NotFound for one that
    its lenders have taken back."""
    try:
        if packed.ref in _by_ref():
            return load().open(packed)
        data = packed.data or find(packed.ref).data  # lists leave it out
        return OpenPuzzle(msgspec.msgpack.decode(data, type=Puzzle))
    except KeyError:
        raise Conflict(
            _("The rules of this puzzle have changed, so it can't be answered any more."), code="rules-gone"
        ) from None


def everything() -> list[Puzzle]:
    """Reads every shipped puzzle with its solution, to make the file anew; none while there is no file."""
    if not FILE.is_file():
        return []
    return [load().read(packed) for packed in load().puzzles]


# The puzzle of the day, the same for everybody. A day ends at midnight UTC.


def today(now: datetime) -> date:
    """The day of the puzzles."""
    return now.astimezone(UTC).date()


def next_at(now: datetime) -> datetime:
    """When the puzzle of tomorrow is there."""
    return datetime.combine(today(now) + DAY, time(), UTC)


@cache
def _in_order() -> Sequence[Sequence[PackedPuzzle]]:
    """Of each game its puzzles that can be asked, shuffled."""
    playable = [packed for packed in load().puzzles if (packed.rules, packed.version) in RULES]
    names = sorted({packed.rules for packed in playable})
    return [
        sorted(
            (packed for packed in playable if packed.rules == name),
            key=lambda packed: sha256(packed.ref.encode()).digest(),
        )
        for name in names
    ]


def of_day(day: date) -> PackedPuzzle:
    """The puzzle of a day: the games take turns. Raises NotFound if there are no puzzles at all."""
    orders = _in_order()
    if not orders:
        raise NotFound(_("There are no puzzles here."))
    turn, place = day.toordinal() % len(orders), day.toordinal() // len(orders)
    return orders[turn][place % len(orders[turn])]


def open_now(now: datetime) -> list[PackedPuzzle]:
    """The puzzles that anybody may try now: those of the coming days are kept for them."""
    kept = _kept(now)
    lent = (PackedPuzzle(*row) for row in LentPuzzle.objects.order_by("pk").values_list(*LISTED))
    return [
        packed
        for packed in (*chain.from_iterable(_in_order()), *lent)
        if packed.ref not in kept and (packed.rules, packed.version) in RULES
    ]


def _kept(now: datetime) -> set[str]:
    day = today(now)
    return {of_day(day + number * DAY).ref for number in range(1, COMING + 1)} - {of_day(day).ref}


def find_open(ref: str, now: datetime) -> PackedPuzzle:
    """A puzzle that may be tried now. Raises NotFound for none, and for one of a coming day."""
    packed = find(ref)
    if packed.ref in _kept(now):
        raise _not_found()
    return packed


def next_for(recipient: Recipient | None, now: datetime) -> PackedPuzzle | None:
    """A puzzle that somebody has not tried yet, as hard as the last ones he solved; None if he has tried all."""
    puzzles = open_now(now)
    solver = PuzzleSolver.objects.filter(recipient=recipient).first() if recipient is not None else None
    if solver is None:
        return next((packed for packed in puzzles if packed.grade == 1), puzzles[0] if puzzles else None)
    tried = set(solver.attempts.values_list("puzzle", flat=True))
    left = [packed for packed in puzzles if packed.ref not in tried]
    wanted = min(GRADES, 1 + max(0, int((solver.mu - NEWCOMER.mu) / STEP) + 1))
    return min(left, key=lambda packed: abs(packed.grade - wanted), default=None)


# Those that people lend: made of a game of theirs (`games.archive.reviews`), until one of them takes it back

LISTED = ("ref", "rules", "version", "kind", "grade")  # the columns of a list, as `PackedPuzzle` has them
MOST_LENT = 300  # of each rule set; the oldest go


@transaction.atomic
def lock_lenders(game: Game) -> list[User]:
    """Returns the people who have ever sat in a game and the owners of bots that have, but for the service's own; none
    unless every one of them lends his positions. Until the end of the transaction nobody can take that back."""
    sat = User.objects.filter(tenures__seat__game=game).exclude(owner__email=HOUSE)
    keys = {owner or key for key, owner in sat.values_list("pk", "owner")}
    willing = User.objects.select_for_update(no_key=True).filter(pk__in=keys, lends_positions=True)
    lenders = list(willing.order_by("pk"))
    return lenders if len(lenders) == len(keys) else []


@transaction.atomic
def lend(puzzle: Puzzle, game: Game) -> None:
    """Stores a puzzle that was found in a game of people, if all of them still lend it. Done twice it is the same."""
    shipped = [data for data in everything() if data.rules == puzzle.rules]
    facts = {"rules": puzzle.rules, "version": puzzle.version, "kind": puzzle.kind}
    facts |= {"grade": graded([*shipped, puzzle])[puzzle.ref], "data": msgspec.msgpack.encode(puzzle)}
    lenders = lock_lenders(game)
    if not lenders or puzzle.ref in _by_ref():
        return
    row, _is_new = LentPuzzle.objects.get_or_create(ref=puzzle.ref, defaults=facts)
    row.lenders.add(*lenders)
    of_rules = LentPuzzle.objects.filter(rules=puzzle.rules).order_by("-pk")
    _delete(LentPuzzle.objects.filter(pk__in=list(of_rules.values_list("pk", flat=True)[MOST_LENT:])))


def withdraw(*, user: User, **_signal: object) -> None:
    """Deletes all puzzles somebody has lent, with what is known of how they fare. Call it in a transaction, once he
    lends nothing any more; it hears the signal `positions_withdrawn`."""
    _delete(LentPuzzle.objects.filter(lenders=user))


def _delete(rows: QuerySet[LentPuzzle]) -> None:
    refs = list(rows.select_for_update(of=("self",)).values_list("ref", flat=True))  # answers come before, or too late
    LentPuzzle.objects.filter(ref__in=refs).delete()
    PuzzleRating.objects.filter(puzzle__in=refs).delete()


# Answers, and the ratings of solvers and puzzles, which play against each other

MODEL = PlackettLuce()
NEWCOMER = MODEL.rating()
STEP = 4.0  # by which the next grade is rated higher at first
MIDDLE = 3  # grade of a puzzle that is rated like a newcomer
SCALE, BEGINNING = 40, 1000  # as `games.archive.ratings` shows ratings


def points_of(mu: float, sigma: float) -> int:
    """Returns the points a rating is shown as."""
    return round(MODEL.rating(mu=mu, sigma=sigma).ordinal(alpha=SCALE, target=BEGINNING))


def solver_of(recipient: Recipient) -> PuzzleSolver:
    """The solver's row, made if there is none, and locked. Call it in a transaction."""
    begun = {"mu": NEWCOMER.mu, "sigma": NEWCOMER.sigma}
    return PuzzleSolver.objects.select_for_update().get_or_create(recipient=recipient, defaults=begun)[0]


@transaction.atomic
def answer(*, recipient: Recipient, packed: PackedPuzzle, value: str, now: datetime) -> PuzzleAttempt:
    """Judges an answer. Whoever has answered this puzzle before gets his first answer back, which alone counts.

    Raises Conflict once the rules of the puzzle are gone, NotFound once it was taken back, ServiceError for what is not
    among its answers.
    """
    puzzle = opened(packed)
    try:
        number = puzzle.number_of(value)
    except KeyError:
        raise ServiceError(_("Choose one of the answers."), code="no-such-choice", field="answer") from None
    solver = solver_of(recipient)
    if packed.ref not in _by_ref() and not LentPuzzle.objects.select_for_update().filter(ref=packed.ref):
        raise _not_found()
    before = solver.attempts.filter(puzzle=packed.ref).first()
    if before is not None:
        return before
    is_right = number == puzzle.puzzle.solution
    _rate(solver, packed, is_right=is_right)
    _count_day(solver, packed, today(now), is_right=is_right)
    solver.save()
    return solver.attempts.create(puzzle=packed.ref, answer=number, is_right=is_right, made_at=now)


def _rate(solver: PuzzleSolver, packed: PackedPuzzle, *, is_right: bool) -> None:
    begun = {"mu": NEWCOMER.mu + STEP * (packed.grade - MIDDLE), "sigma": NEWCOMER.sigma}
    row = PuzzleRating.objects.select_for_update().get_or_create(puzzle=packed.ref, defaults=begun)[0]
    sides = [[MODEL.rating(mu=solver.mu, sigma=solver.sigma)], [MODEL.rating(mu=row.mu, sigma=row.sigma)]]
    (own,), (other,) = MODEL.rate(sides, ranks=[1.0, 2.0] if is_right else [2.0, 1.0])
    solver.mu, solver.sigma, row.mu, row.sigma = own.mu, own.sigma, other.mu, other.sigma
    for side in (solver, row):
        side.tried += 1
        side.solved += is_right
    row.save()


def _count_day(solver: PuzzleSolver, packed: PackedPuzzle, day: date, *, is_right: bool) -> None:
    if packed.ref != of_day(day).ref:
        return
    if not is_right:
        solver.streak = 0
        return
    solver.streak = solver.streak + 1 if solver.last_day == day - DAY else 1
    solver.best_streak, solver.last_day = max(solver.streak, solver.best_streak), day


@dataclass(frozen=True)
class SolverFigures:
    """How somebody fares with puzzles.

    Arguments:
        streak: days in a row on which he solved the puzzle of the day, today's or yesterday's the last one.
    """

    points: int
    tried: int
    solved: int
    streak: int
    best_streak: int


def figures_of(recipient: Recipient, now: datetime) -> SolverFigures | None:
    """Somebody's figures; None of who has tried none."""
    row = PuzzleSolver.objects.filter(recipient=recipient, tried__gt=0).first()
    if row is None:
        return None
    lasts = row.last_day is not None and row.last_day >= today(now) - DAY
    return SolverFigures(
        points_of(row.mu, row.sigma), row.tried, row.solved, row.streak if lasts else 0, row.best_streak
    )


def attempt_of(recipient: Recipient, ref: str) -> PuzzleAttempt | None:
    """Somebody's answer to a puzzle; None if he has not answered it."""
    return PuzzleAttempt.objects.filter(solver__recipient=recipient, puzzle=ref).first()


def rating_of(ref: str) -> PuzzleRating | None:
    """How a puzzle fares; None while nobody has tried it."""
    return PuzzleRating.objects.filter(puzzle=ref).first()


@transaction.atomic
def adopt(*, guest: User, user: User) -> None:
    """Gives what a guest has solved to a person who has solved nothing himself."""
    if not PuzzleSolver.objects.filter(recipient=user.recipient, tried__gt=0).exists():
        own = PuzzleSolver.objects.filter(recipient=guest.recipient).first()
        if own is not None:
            wanted = PuzzleSolver.objects.filter(recipient=user.recipient).first()
            if wanted is not None:
                own.wants_mail, own.mail_at = wanted.wants_mail, wanted.mail_at
                wanted.delete()
            own.recipient = user.recipient
            own.save()


# In the reader's words

OTHERS = ("Ben", "Carla", "David", "Eva", "Felix")  # at the table of a puzzle, but for its reader's namesake
FOLDED = 2  # answers that do the same, and differ in what for: the page says once what they do
MOST_TOLD = 3  # sentences of what an answer led to
MOST_WORDS = 40  # of a page on which the answers are not on the board


@dataclass(frozen=True)
class PuzzleWords:
    """What a puzzle's page says, in the reader's language.

    Arguments:
        choices: value and label of each answer.
        groups: the same for the page: what many answers have in common, such as a card that is played, and of each
            what it says beside; "" and the whole labels where few have.
        hint: the rule that helps.
    """

    ask: str
    kind: str
    hint: str
    choices: Sequence[tuple[str, str]]
    groups: Sequence[tuple[str, Sequence[tuple[str, str]]]]


def words_of(puzzle: OpenPuzzle, names: Sequence[str]) -> PuzzleWords:
    """A puzzle in the reader's words."""

    def say(text: object) -> str:
        return puzzle.rules.say(text, current_language(), names, puzzle.puzzle.seat)

    fields = puzzle.question.actions[0].fields if len(puzzle.question.actions) == 1 else []
    given = [say(field.options[0].label) for field in fields if isinstance(field, Choice) and len(field.options) == 1]
    ask = say(puzzle.question.title)
    return PuzzleWords(
        f"{ask} ({', '.join(given)})" if given else ask,  # such as the only token that is left
        say(puzzle.kind.title),
        say(puzzle.kind.hint),
        [(value, say(label)) for value, label in puzzle.choices()],
        _grouped(puzzle, say),
    )


def _grouped(puzzle: OpenPuzzle, say: Callable[[Text], str]) -> list[tuple[str, list[tuple[str, str]]]]:
    def deed_of(choice: tuple[str, Text]) -> str:
        _value, label = choice
        return say(Text(ANSWER, {"said": label.params["said"][:1]})) if label.code == ANSWER else say(label)

    form, *others = puzzle.question.actions
    blank = "" if others else f"{{{form.fields[0].name}}}"  # such as the token that is placed
    pattern = say(form.button) if form.button and blank else ""
    groups: list[tuple[str, list[tuple[str, str]]]] = []
    for deed, alike in groupby(puzzle.choices(), key=deed_of):
        labels = [(value, say(label)) for value, label in alike]
        if len(labels) >= FOLDED:
            whole = pattern.replace(blank, deed) if blank and blank in pattern else deed
            groups.append((whole, [(value, label.removeprefix(f"{deed}: ")) for value, label in labels]))
        else:
            groups.append(("", labels))
    return sorted(groups, key=lambda group: bool(group[0]))  # what unfolds stands below what does not


def is_short(puzzle: OpenPuzzle) -> bool:
    """Whether its page is read at a glance: what is chosen on the board needs no words."""
    words = words_of(puzzle, names_of(puzzle, "Anna"))
    folded = [words.ask, *(deed or labels[0][1] for deed, labels in words.groups)]
    return len(puzzle.question.actions) == 1 or len(" ".join(folded).split()) <= MOST_WORDS


def names_of(puzzle: OpenPuzzle, reader: str) -> list[str]:
    """The names at the table: the reader's own, and sample players."""
    names = sorted(OTHERS, key=lambda name: name in reader)[: puzzle.puzzle.seats - 1]
    names.insert(puzzle.puzzle.seat, reader)
    return names


@dataclass(frozen=True)
class Solved:
    """Says what came of an answer, once it is given.

    Arguments:
        told: what happens when the best one is played.
        own, best: the answers in words, each with the chance to win after it in percent.
    """

    is_right: bool
    chosen: str
    told: Sequence[str]
    own: tuple[str, int]
    best: tuple[str, int]
    tried: int
    share: int


def solved_of(puzzle: OpenPuzzle, attempt: PuzzleAttempt, names: Sequence[str]) -> Solved:
    """What is told of an answer once it is given."""
    data, rules = puzzle.puzzle, puzzle.rules
    lines = heaviest(rules.recap(puzzle.play_out(), data.seat), MOST_TOLD)
    told = [rules.say(line.text, current_language(), names, data.seat) for line in lines]
    labels = words_of(puzzle, names).choices
    rating = rating_of(data.ref)
    tried, solved = (rating.tried, rating.solved) if rating else (0, 0)
    return Solved(
        attempt.is_right,
        labels[attempt.answer][0],
        [line for line in told if line],
        (labels[attempt.answer][1], round(data.chances[attempt.answer] / 10)),
        (labels[data.solution][1], round(data.chances[data.solution] / 10)),
        tried,
        round(100 * solved / tried) if tried else 0,
    )


# The daily email: only to who has asked for it from that address.

ASKED, DAILY = "puzzle_asked", "puzzle"


def ask_for_mail(request: HttpRequest, address: str, now: datetime) -> None:
    """Writes once to an address and asks whether it wants the puzzle of the day; an address that has it gets nothing.

    What the asker sees is the same for each address. Raises ServiceError for what is no address, or wants no email from
    us, TooMany past the limits that hold for all letters to strangers.
    """
    address = checked_address(address)
    if not limits.take_letter(request, address, now).is_sent:
        return
    user = User.objects.filter(email=address, is_active=True).select_related("recipient").first()
    recipient = user.recipient if user else _stranger(address)
    with transaction.atomic():
        solver = solver_of(recipient)
        if not solver.wants_mail:
            subject, key = f"solver:{solver.ref}", f"{ASKED}:{solver.ref}:{now:%Y-%m-%dT%H:%M}"
            notify(Notification(recipient=recipient, kind=ASKED, subject=subject, dedupe_key=key), now)


def _stranger(address: str) -> Recipient:
    stranger = Recipient.objects.filter(address=address, user__isnull=True).first()
    return stranger or Recipient.objects.create(address=address, language=current_language())


@transaction.atomic
def choose_mail(*, recipient: Recipient, is_wanted: bool, now: datetime) -> None:
    """Sends the puzzle of the day to somebody from now on, or no more. Said twice it is the same."""
    solver = solver_of(recipient)
    if is_wanted:
        preferences.unmute(recipient, [PUZZLES.name])
    if solver.wants_mail != is_wanted:
        solver.wants_mail, solver.mail_at = is_wanted, next_daily(recipient, now) if is_wanted else None
        solver.save(update_fields=["wants_mail", "mail_at"])


def wants_mail(recipient: Recipient) -> bool:
    """Whether the puzzle of the day goes to somebody: he asked for it, and has not switched such emails off since."""
    is_asked_for = PuzzleSolver.objects.filter(recipient=recipient, wants_mail=True).exists()
    return is_asked_for and PUZZLES.name not in recipient.muted


def confirm_url(solver: PuzzleSolver) -> str:
    """The page on which an address says that it wants the puzzle of the day."""
    return page_url("puzzle_mail", solver.ref, sign("puzzle_mail", solver.ref, solver.recipient.address))


def answer_url(solver: PuzzleSolver, ref: str, value: str = "") -> str:
    """The page on which the reader of a daily email answers its puzzle, without signing in."""
    token = sign("puzzle", solver.ref, solver.recipient.address, ref)
    url = page_url("mailed_puzzle", ref, solver.ref, token)
    return f"{url}?answer={value}" if value else url


def find_solver(ref: str, token: str, purpose: str, *facts: str) -> PuzzleSolver | None:
    """The solver of such a link; None for one that is not good, as after a change of address."""
    solver = PuzzleSolver.objects.filter(ref=ref).select_related("recipient").first()
    address = solver.recipient.address if solver else ""
    return solver if is_signed(token, purpose, ref, address, *facts) and solver else None


def write_one(now: datetime) -> bool:
    """Writes one daily email that is due. Returns whether one was."""
    if not _is_any_due(now):
        return False
    with transaction.atomic():
        solver = _due(now).select_for_update(skip_locked=True, of=("self",)).select_related("recipient").first()
        if solver is None:
            return False
        packed, day = of_day(today(now)), today(now).isoformat()
        if attempt_of(solver.recipient, packed.ref) is None:
            subject = f"puzzle:{packed.ref}:{solver.ref}"
            key = f"{DAILY}:{solver.ref}:{day}"
            notify(
                Notification(
                    recipient=solver.recipient, kind=DAILY, subject=subject, dedupe_key=key, data={"puzzle": packed.ref}
                ),
                now,
            )
        solver.mail_at = next_daily(solver.recipient, now)
        solver.save(update_fields=["mail_at"])
        return True


def _due(now: datetime) -> QuerySet[PuzzleSolver]:
    return PuzzleSolver.objects.filter(mail_at__lte=now).order_by("mail_at")


_is_any_due = compiled_exists(_due)
