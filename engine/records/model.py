"""The model of a record: one documented JSON object for a whole game that is over. See docs/record.md."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from typing import Annotated, Literal, NoReturn, Protocol, TypeAlias

import msgspec
from msgspec import Meta

from engine.core import JsonObject, Text
from engine.core.rng import game_seed

# Strict JSON: refuses what two readers could understand differently.

MOST_DIGITS = 19
ESCAPED = re.compile(r"\\(?:([bfnrt]|u00(?:[01]|7[fF]|[89]))|.)", re.DOTALL)  # with a group: a control character
CONTROL = re.compile(r"[\x7f-\x9f]")  # those that JSON lets stand as they are


def check_json(data: bytes) -> None:
    """Raises ValueError for what is no JSON in UTF-8, a name twice in one object, and a number that is not whole.

    A record has no fractions; `10.0`, `1e1` and `-0` would be other bytes for the same number, and of two members of
    one name each reader takes another. Nor is there a control character in any string: databases refuse some.
    """
    text = data.decode()
    if CONTROL.search(text) or any(escape[1] for escape in ESCAPED.finditer(text)):
        raise ValueError("a string has a control character")
    json.loads(
        text,
        object_pairs_hook=check_names,
        parse_int=_check_whole,
        parse_float=_refuse_number,
        parse_constant=_refuse_number,
    )


def check_names(pairs: list[tuple[str, object]]) -> None:
    """Raises ValueError if one object has two members of one name; in one pass, for strangers choose the names."""
    if len(dict(pairs)) == len(pairs):
        return
    seen: set[str] = set()
    for name, _value in pairs:
        if name in seen:
            raise ValueError(f"the name {name[:40]!r} is there twice")
        seen.add(name)


def _check_whole(written: str) -> None:
    if written == "-0" or len(written) > MOST_DIGITS:
        _refuse_number(written)


def _refuse_number(written: str) -> NoReturn:
    raise ValueError(f"{written[:40]} is not written as a whole number")


# The hash chain over a game's moves: changing, dropping or inserting one breaks every hash after it.

VERSION: Literal[2] = 2
"""The version of a record's format and of its hash chain. Files of version 1 were written before release 1.0."""
LAST_FORMER = "0.1.0"
"""The last release before 1.0, whose verifier reads what was written until then."""
PLAYER = "player"


class Fault(Exception):
    """The moves do not lead where they are said to. `text` names the first thing that differs."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.text = Text(code, params)


class PlayedMove(Protocol):
    """A move that has been made, wherever it is kept."""

    @property
    def seq(self) -> int:
        """Its number, from 1."""

    @property
    def kind(self) -> str:
        """Start, answer, advance, resign, end, orders or branch."""

    @property
    def seat(self) -> int | None:
        """Says whose move it was; None for a step of the service."""

    @property
    def decision(self) -> str:
        """The id of the decision that it answers."""

    @property
    def action(self) -> str:
        """Returns what was done, as compact JSON."""

    @property
    def events(self) -> str:
        """Returns what happened because of it, as a compact JSON list."""

    @property
    def chain(self) -> str:
        """The hash that was stored with it."""

    @property
    def by(self) -> str:
        """Says who made it: a player himself, or who answered in his place; see `engine.records.model.By`."""


class Agreed(msgspec.Struct, frozen=True):
    """Holds what a table had agreed on when its game began, and what its shuffles come from.

    Arguments:
        ref: of the table, where it was played.
        entropies: what the players added to the seed, by seat.
    """

    ref: str
    rules: str
    version: int
    options: Mapping[str, str]
    commitment: str
    server_seed: str
    entropies: tuple[str, ...]

    @property
    def seats(self) -> int:
        """How many there are."""
        return len(self.entropies)

    def seed(self, branch: int = 0) -> str:
        """Returns what a branch of the game is dealt from, in hexadecimal."""
        return game_seed(bytes.fromhex(self.server_seed), self.entropies, branch)


def genesis(agreed: Agreed) -> str:
    """The hash before the first move: what the table agreed on."""
    facts: list[object] = [
        agreed.ref,
        agreed.rules,
        agreed.version,
        agreed.seats,
        agreed.options,
        agreed.commitment,
        VERSION,
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def position_of(state: bytes) -> str:
    """The hash of a position, as the chain and the record have it."""
    return hashlib.sha256(state).hexdigest()


def link(previous: str, move: PlayedMove, state: bytes, outcome: object) -> str:
    """The hash of a move: of the one before, of what was done and by whom, and of what it led to.

    Arguments:
        state: the whole position after it.
        outcome: how the game ended by it; None if it goes on.
    """
    done = [move.seq, move.kind, move.seat, move.decision, move.action]
    facts = [previous, *done, position_of(state), move.by, "" if outcome is None else outcome_bytes(outcome).decode()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def outcome_bytes(outcome: object) -> bytes:
    """How a game ended as compact JSON, with the names in order: a database does not keep theirs."""
    return msgspec.json.encode(outcome, order="sorted")


FORMAT: Literal["caravanserai-record"] = "caravanserai-record"
Kind: TypeAlias = Literal["start", "answer", "advance", "resign", "end", "orders", "branch"]
By: TypeAlias = Literal["player", "deadline", "steward", "absent", "bot", "service", "moderator"]
MOST_SEATS, MOST_MOVES, MOST_BRANCHES = 10, 20_000, 500
LONGEST_DETAIL = 200  # characters: it may name what a stranger has written
MOST_BYTES = 16 * 1024 * 1024
NEW = "\n"
NOTHING: list[JsonObject] = []
NO_POSITION = "missing required field `position`"

END = r"(?![\s\S])"  # unlike `$` never before a newline, neither in Python nor in ECMAScript
YEAR = "(199[0-9]|[2-9][0-9]{3})"
DATE = f"{YEAR}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
LEAP = "(199[26]|[2-9][0-9](0[48]|[2468][048]|[13579][26])|(2[048]|[3579][26]|[468][048])00)"
DAY = (
    f"({YEAR}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
    f"|02-(0[1-9]|1[0-9]|2[0-8]))|{LEAP}-02-29)"
)
CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
Hash = Annotated[str, Meta(pattern=f"^[0-9a-f]{{64}}{END}", description="32 bytes in hexadecimal.")]
Time = Annotated[str, Meta(pattern=f"^{DATE}T{CLOCK}Z{END}", description="A time in UTC (RFC 3339), from 1990 on.")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
LINE = rf"^[^\x00-\x1f\x7f-\x9f]*{END}"  # no control characters; in actions and events `check_json` refuses them
Short = Annotated[str, Meta(min_length=1, max_length=40, pattern=LINE)]


class RecordedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A chair at the table, in seat order.

    Arguments:
        name: as the table showed it, no account and no address; "" of who has deleted his account.
        joined: the how manieth to sit down, from 0: the seats are drawn in that order.
        entropy: what its player added to the seed.
        bot: the name of the bot of the rules that played it; "" for a person.
    """

    name: Annotated[str, Meta(max_length=40, pattern=LINE)]
    joined: SeatNumber
    entropy: Annotated[str, Meta(max_length=64, pattern=LINE)] = ""
    bot: Annotated[str, Meta(max_length=20, pattern=LINE)] = ""


class RecordedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A move, in the order in which they were made, numbered from 1.

    Arguments:
        by: a player himself; the deadline, his steward, a bot, nobody ("absent") or a moderator in his place; or the
            service.
        chain: the hash over the one before, this move without its events and its time, and the position after it.
        seat: whose move it was; null for a step of the service.
        decision: the id of the decision that it answers.
        action: what was done, as the rules have it; of a roll-back where it goes back to.
        events: what happened because of it, everything hidden included.
        at: when; only where everybody could notice the move.
        position: the SHA-256 of the whole position after it, as the rules write it.
    """

    number: Annotated[int, Meta(ge=1, le=MOST_MOVES)]
    kind: Kind
    by: By
    chain: Hash
    seat: SeatNumber | None = None
    decision: Annotated[str, Meta(max_length=80, pattern=LINE)] = ""
    action: JsonObject | None = None
    events: list[JsonObject] = NOTHING
    at: Time | None = None
    position: Hash


class RecordedOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended, as the rules say it: `engine.core.Outcome`.

    Arguments:
        ending: why.
        winners, ranking: numbers of seats, the best first.
        scores: by seat.
        reason: the sentence that names the winner and why, as a code with parameters.
    """

    ending: Literal["complete", "stopped", "abandoned"]
    winners: Annotated[list[SeatNumber], Meta(max_length=MOST_SEATS)]
    ranking: Annotated[list[SeatNumber], Meta(max_length=MOST_SEATS)]
    scores: Annotated[list[int], Meta(max_length=MOST_SEATS)]
    reason: "RecordedReason"


class RecordedReason(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A sentence as a code with parameters."""

    code: Annotated[str, Meta(pattern=LINE)]
    params: JsonObject = {}


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole game that is over.

    Arguments:
        format, format_version: of this file.
        ref: the reference the table had where it was played; part of the hash chain.
        title: the name of the table.
        rules, rules_version, options: what was played.
        commitment: the SHA-256 of `server_seed`, published when the table opened.
        server_seed: what everything was shuffled from, with what the players added.
        started_at, finished_at: when it was played.
        outcome: how it ended, as the rules say it.
    """

    format: Literal["caravanserai-record"]
    format_version: Literal[2]
    ref: Annotated[str, Meta(pattern=f"^[A-Za-z0-9_-]{{1,12}}{END}")]
    title: Annotated[str, Meta(min_length=1, max_length=60, pattern=LINE)]
    rules: Short
    rules_version: Annotated[int, Meta(ge=1, le=10_000)]
    options: dict[Annotated[str, Meta(pattern=LINE)], Annotated[str, Meta(pattern=LINE)]]
    seats: Annotated[list[RecordedSeat], Meta(min_length=1, max_length=MOST_SEATS)]
    commitment: Hash
    server_seed: Hash
    started_at: Time
    finished_at: Time
    moves: Annotated[list[RecordedMove], Meta(min_length=1, max_length=MOST_MOVES)]
    outcome: RecordedOutcome

    @property
    def agreed(self) -> Agreed:
        """Returns what the table had agreed on."""
        return Agreed(
            ref=self.ref,
            rules=self.rules,
            version=self.rules_version,
            options=self.options,
            commitment=self.commitment,
            server_seed=self.server_seed,
            entropies=tuple(seat.entropy for seat in self.seats),
        )

    def played(self) -> Iterator["ReplayedMove"]:
        """The moves, as a replay reads them."""
        for move in self.moves:
            yield ReplayedMove(
                seq=move.number,
                kind=move.kind,
                seat=move.seat,
                decision=move.decision,
                action="" if move.action is None else encoded(move.action),
                events=encoded(move.events),
                chain=move.chain,
                by=move.by,
            )


class ReplayedMove(msgspec.Struct, frozen=True):
    """A move of a record, as a replay reads it: `engine.records.model.Played`."""

    seq: int
    kind: str
    seat: int | None
    decision: str
    action: str
    events: str
    chain: str
    by: str


class MoveForm(msgspec.Struct, frozen=True):
    """Holds what a move of one kind says: the members it has beside those that all have, and who can have made it."""

    members: tuple[str, ...]
    by: tuple[By, ...]

    def fits(self, move: RecordedMove) -> bool:
        """True if the move says this, no less and no more."""
        said = [name for name in MEMBERS if getattr(move, name) not in (None, "")]
        return said == list(self.members) and move.by in self.by


MEMBERS = ("seat", "decision", "action")
IN_TURN: tuple[By, ...] = ("player", "deadline", "steward", "absent", "bot", "moderator")
MOVE_FORMS: dict[Kind, MoveForm] = {
    "start": MoveForm((), ("service",)),
    "answer": MoveForm(("seat", "decision", "action"), IN_TURN),
    "orders": MoveForm(("seat", "action"), ("player", "service")),
    "advance": MoveForm((), ("service",)),
    "resign": MoveForm(("seat",), ("player", "service", "moderator")),
    "end": MoveForm(("seat",), ("player", "service", "moderator")),
    "branch": MoveForm(("action",), ("moderator", "player")),
}


def _when(kind: Kind, form: MoveForm) -> JsonObject:
    """Says in a schema what a move of this kind has."""
    absent = {"seat": {"type": "null"}, "decision": {"const": ""}, "action": {"type": "null"}}
    there = {"seat": {"type": "integer"}, "decision": {"minLength": 1}, "action": {"type": "object"}}
    members = {name: (there if name in form.members else absent)[name] for name in MEMBERS}
    said: JsonObject = {"properties": members | {"by": {"enum": list(form.by)}}}
    if form.members:
        said["required"] = list(form.members)
    return {"if": {"properties": {"kind": {"const": kind}}}, "then": said}


def encoded(value: object) -> str:
    """Returns it as compact JSON: the text that the chain is made over. The order of names is kept."""
    return msgspec.json.encode(value).decode()


def dump(record: Record) -> bytes:
    """The record as JSON, a line for each fact and each move."""
    names = [name for name in Record.__struct_fields__ if name != "moves"]
    lines = [f'"{name}":{encoded(getattr(record, name))}' for name in names]
    moves = ",\n".join(encoded(move) for move in record.moves)
    return f'{{{",".join(f"{NEW}{line}" for line in lines)},{NEW}"moves":[{NEW}{moves}]}}{NEW}'.encode()


def load(data: bytes) -> Record:
    """The record in a file, read strictly. Raises Fault for what is none, with the place in it that is wrong."""
    if len(data) > MOST_BYTES:
        raise Fault("record.too-large", most=MOST_BYTES // (1024 * 1024))
    try:
        check_json(data)
        return msgspec.json.decode(data, type=Record)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        version = _version_of(data)
        if version > VERSION:
            raise Fault("record.version", version=version) from error
        if 0 < version < VERSION or NO_POSITION in str(error):
            raise Fault("record.former", release=LAST_FORMER) from error
        raise Fault("record.malformed", detail=str(error)[:LONGEST_DETAIL]) from error


def _version_of(data: bytes) -> int:
    """The version of its format that a record says; 0 for anything else."""
    try:
        return msgspec.json.decode(data, type=_Head).format_version
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return 0


class _Head(msgspec.Struct):
    """Holds what any version of the format begins with."""

    format: Literal["caravanserai-record"]
    format_version: Annotated[int, Meta(ge=1, le=10_000)]


def schema() -> JsonObject:
    """The JSON schema of a record."""
    document = msgspec.json.schema(Record)
    shapes = document["$defs"]
    for shape in shapes.values():
        shape["description"] = cleandoc(shape["description"])
    record, move = shapes["Record"]["properties"], shapes["RecordedMove"]
    for time in (record["started_at"], record["finished_at"], *move["properties"]["at"]["anyOf"]):
        if "pattern" in time:
            time["pattern"] = f"^{DAY}T{CLOCK}Z{END}"
    move["allOf"] = [_when(kind, form) for kind, form in MOVE_FORMS.items()]
    is_start = {"properties": {"kind": {"const": "start"}}}
    shape = record["moves"].pop("items")
    record["moves"] |= {"prefixItems": [{"allOf": [shape, is_start]}], "items": {"allOf": [shape, {"not": is_start}]}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **document}
