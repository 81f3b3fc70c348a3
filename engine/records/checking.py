"""Checks a record: the commitment, the drawing of the seats, every shuffle and every move, the result."""

from calendar import monthrange, timegm
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from engine.core import Text
from engine.core.language import _, catalogue, locale_of
from engine.core.rng import Rng, commitment, game_seed
from engine.records.model import (
    LAST_FORMER,
    MOST_BRANCHES,
    MOVE_FORMS,
    PLAYER,
    Agreed,
    Fault,
    PlayedMove,
    Record,
    genesis,
    link,
    outcome_bytes,
    position_of,
)
from engine.registry import get_rules
from engine.rules import AnyRules

# Playing a game again: the same seed and the same answers must lead to the same states, events and hashes.

Earlier: TypeAlias = Callable[[int], object]  # gives the state after a move by its number
Watch: TypeAlias = Callable[[int], object]
Stepped: TypeAlias = tuple[object, list[object]]
FORMER_RULES = ("aladdins-dragons", 1)  # which ended with release 1.0
MOST_STATE = 1024 * 1024  # bytes of a position
"""Twice what five seats can make of one: 64 kB each with orders, sheets and plans, and the board beside them."""


class Origin(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a branch begins: the action of the move that began it.

    Arguments:
        step: as the game's history counts steps; what people are told.
        seq: number of the step's move.
        branch: number of the branch.
        seat: which has taken its answer back; None for a moderator's roll-back.
    """

    step: int
    seq: int
    branch: int
    seat: int | None = None

    def dump(self) -> str:
        """Returns it as a move's action."""
        return msgspec.json.encode(self).decode()


@dataclass(frozen=True)
class Replayed:
    """Holds what a replay confirmed.

    Arguments:
        moves: how many there are.
        state: the one they lead to.
        head: the last hash.
        public: of each move, how many of its events everybody was shown.
        positions: of each move, the hash of the position after it.
    """

    moves: int
    state: bytes
    head: str
    public: list[int]
    positions: list[str]


def origin_of(move: PlayedMove) -> Origin:
    """Where the branch begins that this move began. Raises msgspec.MsgspecError if it does not say."""
    return msgspec.json.decode(move.action, type=Origin)


def check_commitment(agreed: Agreed) -> None:
    """Raises Fault if the seed is not the one whose hash was published."""
    if commitment(bytes.fromhex(agreed.server_seed)) != agreed.commitment:
        raise Fault("record.seed")


def replay(
    rules: AnyRules,
    agreed: Agreed,
    moves: Iterable[PlayedMove],
    origins: Collection[int],
    first: Stepped | None = None,
    watch: Watch = lambda number: None,
) -> Replayed:
    """Plays a game again from its seed and moves.

    Arguments:
        origins: numbers of the moves that branches begin after.
        first: state and events of the first move, where they do not come from the seed: of a sandbox.
        watch: is told the number of each move that fits.
    Raises Fault at the first difference, and MemoryError.
    """
    state: object = None
    data, count = b"", 0
    public: list[int] = []
    positions: list[str] = []
    kept: dict[int, bytes] = {}
    head = genesis(agreed)
    for count, move in enumerate(moves, start=1):
        if move.seq != count:
            raise Fault("record.missing", number=count)
        try:
            if first is not None and count == 1:
                state, events = first
            else:
                state, events = _step(rules, agreed, state, move, lambda seq: rules.load(kept[seq]))
        except MemoryError:
            raise
        except Exception as error:  # whatever the rules say to an answer that nobody can have given
            raise Fault("record.impossible", number=count) from error
        data = rules.dump(state)
        _check_size(data, count)
        if rules.dump_events(events).decode() != move.events:
            raise Fault("record.events", number=count)
        if count in origins:
            kept[count] = data
        head = link(head, move, data, rules.outcome(state))
        if head != move.chain:
            raise Fault("record.chain", number=count)
        positions.append(position_of(data))
        public.append(sum(rules.redact(event, None) is not None for event in events))
        watch(count)
    return Replayed(count, data, head, public, positions)


def _check_size(state: bytes, number: int) -> None:
    if len(state) > MOST_STATE:
        raise Fault("record.state-too-large", number=number, most=MOST_STATE // 1024)


def _step(rules: AnyRules, agreed: Agreed, state: object, move: PlayedMove, earlier: Earlier) -> Stepped:
    if (move.kind == "start") != (move.seq == 1):
        raise ValueError("A game begins once.")
    if move.kind in ("start", "branch"):
        return beginning(rules, agreed, move, earlier)
    return step(rules, state, move)


def beginning(rules: AnyRules, agreed: Agreed, move: PlayedMove, earlier: Earlier) -> Stepped:
    """The first state of a game, or of the branch that this move begins, and the events."""
    if move.kind == "start":
        _check_written(move, "")
        return rules.new(agreed.seats, agreed.options, agreed.seed())
    origin = origin_of(move)
    _check_written(move, origin.dump())
    return rules.branch_off(earlier(origin.seq), agreed.seed(origin.branch), origin.step, origin.branch, origin.seat)


def step(rules: AnyRules, state: object, move: PlayedMove) -> Stepped:
    """Returns what a move makes of a state: the next state, and the events. Not for moves that begin something."""
    if move.kind in ("advance", "resign", "end"):
        _check_written(move, "")
    if move.kind == "advance":
        return rules.advance(state)
    assert move.seat is not None, move
    if move.kind == "resign":
        return rules.resign(state, move.seat)
    if move.kind == "end":
        return rules.end(state, move.seat)
    if move.kind == "orders":
        orders = rules.load_orders(move.action.encode())
        _check_written(move, rules.dump_orders(orders).decode())
        return rules.instruct(state, move.seat, orders)
    assert move.kind == "answer", move.kind
    action = rules.load_action(move.action.encode())
    _check_written(move, rules.dump_action(action).decode())
    return rules.open(state, move.decision, move.seat).apply(action, by_player=move.by == PLAYER)


def _check_written(move: PlayedMove, action: str) -> None:
    """Raises ValueError unless the action is written as the rules write it: nothing added, no other word for it."""
    if move.action != action:
        raise ValueError("The action is written otherwise.")


APART = 24 * 60 * 60  # seconds
"""Less than this the clocks of the computers that wrote the times are apart."""


@dataclass(frozen=True)
class Checked:
    """Holds what holds: how many moves were played again, the last state and hash, and the seed of each branch.

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
        if move.position != position:
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
        if (record.rules, record.rules_version) == FORMER_RULES:
            raise Fault("record.former", release=LAST_FORMER) from error
        raise Fault("record.rules", rules=record.rules, version=record.rules_version) from error


def seating(server_seed: str, entropies: list[str]) -> Rng:
    """Returns what the seats are drawn with (A4).

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
    origins: list[int] = []
    for move in record.played():
        if move.kind != "branch":
            continue
        try:
            origin = origin_of(move)
        except msgspec.MsgspecError as error:
            raise Fault("record.impossible", number=move.seq) from error
        is_players = origin.seat is not None and 0 <= origin.seat < len(record.seats)
        if not 1 <= origin.seq < move.seq or origin.branch != len(origins) + 1 or is_players != (move.by == PLAYER):
            raise Fault("record.impossible", number=move.seq)
        origins.append(origin.seq)
        if len(origins) > MOST_BRANCHES:
            raise Fault("record.too-many-branches", most=MOST_BRANCHES)
    return origins


def _check_outcome(rules: AnyRules, record: Record, done: Replayed) -> None:
    outcome = rules.outcome(rules.load(done.state))
    if outcome is None:
        raise Fault("record.unfinished")
    if outcome_bytes(outcome) != outcome_bytes(record.outcome):
        raise Fault("record.outcome")


# Sentences: faults of a record, and what the verifier prints, by code, in English; and in the reader's language.

LOCALE = locale_of(__package__)
DOMAIN = "records"

SENTENCES = {
    # What is wrong with a record
    "record.malformed": _("This isn't a game record: {detail}"),
    "record.too-large": _("This file is too large. A record has at most {most} MB."),
    "record.rules": _("This needs version {version} of the rules “{rules}”, which isn't here."),
    "record.version": _("This record has version {version} of the format, which is newer than this program."),
    "record.former": _("This record is from before release 1.0. The verifier of release {release} reads it."),
    "record.time": _("The time {time} can't be right in this game."),
    "record.seed": _("The seed doesn't match the commitment."),
    "record.joined": _("The seats don't say in which order the players joined."),
    "record.seats": _("The players aren't in the seats that the seed gave them."),
    "record.bot": _("These rules have no bot “{bot}”."),
    "record.missing": _("Move {number} is missing."),
    "record.impossible": _("Move {number} is against the rules."),
    "record.events": _("Move {number} leads to something other than the record says."),
    "record.chain": _("The hash of move {number} is wrong."),
    "record.position": _("The position's hash of move {number} is wrong."),
    "record.state": _("The stored position isn't the one after move {number}."),
    "record.state-too-large": _("The position after move {number} has more than {most} kB, which no game needs."),
    "record.too-many-branches": _("This game was rolled back more than {most} times."),
    "record.too-much-memory": _("Checking this record takes more than {most} MB of memory."),
    "record.too-much-time": _("Checking this record takes more than {most} seconds of processor time."),
    "record.unfinished": _("The game isn't over after its last move."),
    "record.outcome": _("The game ended differently from what the record says."),
    "record.other-commitment": _("The commitment isn't the one you gave."),
    "record.other-head": _("The last hash isn't the one you gave."),
    "record.unproven": _(
        "To be sure that this is your own game, give {missing} as well: a game played with another seed would pass too."
    ),
    # The verifier's own
    "verifier.about": _(
        "Checks records of games: the commitment, the drawing of the seats, every shuffle, every move and the result. "
        "Each move is played again by the rules inside this file. To be sure that a record is of your own game, give "
        "the commitment from the email that told you of the start, and the last hash that the table shows."
    ),
    "verifier.record": _("a record of a game; - for standard input"),
    "verifier.commitment": _("the commitment that you were sent when the game started"),
    "verifier.hash": _("the hash of the last move, as the table shows it"),
    "verifier.language": _("the language of all that is printed: {languages}"),
    "verifier.help": _("show this help"),
    "verifier.usage": _("Usage:"),
    "verifier.wrong": _("These arguments can't be understood. --help explains them."),
    "verifier.absent": _("There's no such file."),
    "verifier.unreadable": _("This file can't be read."),
    "verifier.passed": _("The record is correct."),
    "verifier.failed": _("The record is wrong. {why}"),
    "verifier.unchecked": _("This record can't be checked here. {why}"),
    "verifier.table": _("Table: {title} ({ref})"),
    "verifier.rules": _("Rules: {rules}, version {version}, {seats} seats"),
    "verifier.moves": _("Moves: {moves}, all played again from the seed with the same events, positions and hashes"),
    "verifier.seed": _("Commitment: {commitment}"),
    "verifier.head": _("Last hash: {head}"),
}


def languages() -> list[str]:
    """The languages there are, English first."""
    return ["en", *sorted(folder.name for folder in LOCALE.iterdir() if folder.is_dir())]


def say(fault: Text, language: str) -> str:
    """The sentence of a fault."""
    return catalogue(LOCALE, DOMAIN, language).gettext(SENTENCES[fault.code]).format(**fault.params)
