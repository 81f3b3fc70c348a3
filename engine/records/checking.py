"""Checks a record: the commitment, the drawing of the seats, every shuffle and every move, the result."""

from calendar import monthrange, timegm
from dataclasses import dataclass

import msgspec

from engine.core.rng import Rng, game_seed
from engine.records.chain import outcome_bytes
from engine.records.model import MOST_BRANCHES, MOVE_FORMS, Record
from engine.records.replaying import Fault, Replayed, Watch, check_commitment, origin_of, replay
from engine.registry import AnyRules, get_rules

APART = 24 * 60 * 60  # seconds
"""Less than this the clocks of the computers that wrote the times are apart."""


@dataclass(frozen=True)
class Checked:
    """What holds: how many moves were played again, the last state and hash, and the seed of each branch.

    `public` says of each move how many of its events everybody was shown.
    """

    moves: int
    state: bytes
    head: str
    seeds: list[str]
    public: list[int]


def check(record: Record, watch: Watch = lambda number: None) -> Checked:
    """Plays a record again. Raises Fault at the first thing in it that does not fit, and MemoryError.

    Arguments:
        watch: is told the number of each move that fits.
    """
    rules = _rules_of(record)
    agreed = record.agreed
    check_commitment(agreed)
    _check_times(record)
    _check_seats(record)
    _check_bots(rules, record)
    _check_moves(record)
    origins = _origins(record)
    done = replay(rules, agreed, record.played(), origins, watch=watch)
    for move, position in zip(record.moves, done.positions, strict=True):
        if move.position not in (None, position):
            raise Fault("record.position", number=move.number)
    _check_outcome(rules, record, done)
    seeds = [agreed.seed(branch) for branch in range(len(origins) + 1)]
    return Checked(done.moves, done.state, done.head, seeds, done.public)


def _check_times(record: Record) -> None:
    """There are such days; the game ends after it begins, and no move lies a day or more outside."""
    first, last = _time(record.started_at), _time(record.finished_at)
    if last < first:
        raise Fault("record.time", time=record.finished_at)
    for move in record.moves:
        if move.at is not None and not first - APART < _time(move.at) < last + APART:
            raise Fault("record.time", time=move.at)


def _time(written: str) -> float:
    """Seconds since 1970. Its pattern has left nothing to doubt but whether the month has such a day."""
    year, month, day = int(written[:4]), int(written[5:7]), int(written[8:10])
    if day > monthrange(year, month)[1]:
        raise Fault("record.time", time=written)
    hour, minute, second = int(written[11:13]), int(written[14:16]), float(written[17:-1])
    return timegm((year, month, day, hour, minute, 0)) + second


def _rules_of(record: Record) -> AnyRules:
    try:
        return get_rules(record.rules, record.rules_version)
    except KeyError as error:
        raise Fault("record.rules", rules=record.rules, version=record.rules_version) from error


def seating(server_seed: str, entropies: list[str]) -> Rng:
    """What the seats are drawn with (A4).

    Arguments:
        entropies: what each player added, in the order in which they sat down.
    """
    return Rng(game_seed(bytes.fromhex(server_seed), [*entropies, "seating"]))


def _check_seats(record: Record) -> None:
    """The players were drawn to the seats on which they played."""
    by_joining = sorted(record.seats, key=lambda seat: seat.joined)
    if [seat.joined for seat in by_joining] != list(range(len(by_joining))):
        raise Fault("record.joined")
    drawn = seating(record.server_seed, [seat.entropy for seat in by_joining]).shuffled(by_joining)
    if drawn != record.seats:
        raise Fault("record.seats")


def _check_bots(rules: AnyRules, record: Record) -> None:
    """A bot that played is one of the rules': no hash covers its name."""
    for seat in record.seats:
        if seat.bot and seat.bot not in rules.bots:
            raise Fault("record.bot", bot=seat.bot)


def _check_moves(record: Record) -> None:
    """Each move says what a move of its kind says, and is of a seat there is."""
    for number, move in enumerate(record.moves, start=1):
        if not MOVE_FORMS[move.kind].fits(move) or (move.seat or 0) >= len(record.seats):
            raise Fault("record.impossible", number=number)


def _origins(record: Record) -> list[int]:
    """The numbers of the moves after which branches begin. Each is behind the move that goes back to it."""
    found: list[int] = []
    for move in record.played():
        if move.kind != "branch":
            continue
        try:
            origin = origin_of(move)
        except msgspec.MsgspecError as error:
            raise Fault("record.impossible", number=move.seq) from error
        if not 1 <= origin.seq < move.seq or origin.branch != len(found) + 1:
            raise Fault("record.impossible", number=move.seq)
        found.append(origin.seq)
        if len(found) > MOST_BRANCHES:
            raise Fault("record.too-many-branches", most=MOST_BRANCHES)
    return found


def _check_outcome(rules: AnyRules, record: Record, done: Replayed) -> None:
    outcome = rules.outcome(rules.load(done.state))
    if outcome is None:
        raise Fault("record.unfinished")
    if outcome_bytes(outcome) != outcome_bytes(record.outcome):
        raise Fault("record.outcome")
