"""What a record says: one documented JSON object for a whole game that is over. See docs/record.md."""

from collections.abc import Iterator
from inspect import cleandoc
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from engine.records.chain import Agreed
from engine.records.replaying import Fault
from engine.records.strict import check_json

FORMAT: Literal["caravanserai-record"] = "caravanserai-record"
Kind: TypeAlias = Literal["start", "answer", "advance", "resign", "end", "orders", "branch"]
By: TypeAlias = Literal["player", "deadline", "absent", "bot", "service", "moderator"]
MOST_SEATS, MOST_MOVES = 10, 20_000
MOST_BYTES = 16 * 1024 * 1024
NEW = "\n"
NOTHING: list[dict[str, Any]] = []

END = r"(?![\s\S])"  # unlike `$` never before a newline, neither in Python nor in ECMAScript
DATE = "(199[0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
Hash = Annotated[str, Meta(pattern=f"^[0-9a-f]{{64}}{END}", description="32 bytes in hexadecimal.")]
Time = Annotated[str, Meta(pattern=f"^{DATE}T{CLOCK}Z{END}", description="A time in UTC (RFC 3339), from 1990 on.")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Short = Annotated[str, Meta(min_length=1, max_length=40)]


class RecordedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A chair at the table, in seat order.

    Arguments:
        name: as the table showed it, no account and no address; "" of who has deleted his account.
        joined: the how manieth to sit down, from 0: the seats are drawn in that order.
        entropy: what its player added to the seed.
        bot: the name of the bot that played it; "" for a person.
    """

    name: Annotated[str, Meta(max_length=40)]
    joined: SeatNumber
    entropy: Annotated[str, Meta(max_length=64)] = ""
    bot: Annotated[str, Meta(max_length=20)] = ""


class RecordedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A move, in the order in which they were made, numbered from 1.

    Arguments:
        by: a player himself; the deadline, a bot, nobody ("absent") or a moderator in his place; or the service.
        chain: the hash over everything up to this move.
        seat: whose move it was; null for a step of the service.
        decision: the id of the decision that it answers.
        action: what was done, as the rules have it; of a roll-back where it goes back to.
        events: what happened because of it, everything hidden included.
        at: when; only where everybody could notice the move.
    """

    number: Annotated[int, Meta(ge=1, le=MOST_MOVES)]
    kind: Kind
    by: By
    chain: Hash
    seat: SeatNumber | None = None
    decision: Annotated[str, Meta(max_length=80)] = ""
    action: dict[str, Any] | None = None
    events: list[dict[str, Any]] = NOTHING
    at: Time | None = None


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
    format_version: Literal[1]
    ref: Annotated[str, Meta(pattern=f"^[A-Za-z0-9_-]{{1,12}}{END}")]
    title: Annotated[str, Meta(min_length=1, max_length=60)]
    rules: Short
    rules_version: Annotated[int, Meta(ge=1, le=10_000)]
    options: dict[str, str]
    seats: Annotated[list[RecordedSeat], Meta(min_length=1, max_length=MOST_SEATS)]
    commitment: Hash
    server_seed: Hash
    started_at: Time
    finished_at: Time
    moves: Annotated[list[RecordedMove], Meta(min_length=1, max_length=MOST_MOVES)]
    outcome: dict[str, Any]

    @property
    def agreed(self) -> Agreed:
        """What the table had agreed on."""
        return Agreed(
            ref=self.ref,
            rules=self.rules,
            version=self.rules_version,
            options=self.options,
            commitment=self.commitment,
            server_seed=self.server_seed,
            entropies=tuple(seat.entropy for seat in self.seats),
        )

    def played(self) -> Iterator["Taken"]:
        """The moves, as a replay reads them."""
        for move in self.moves:
            yield Taken(
                seq=move.number,
                kind=move.kind,
                seat=move.seat,
                decision=move.decision,
                action="" if move.action is None else encoded(move.action),
                events=encoded(move.events),
                chain=move.chain,
                is_by_person=move.by == "player",
            )


class Taken(msgspec.Struct, frozen=True):
    """A move of a record, as a replay reads it: `engine.records.chain.Played`."""

    seq: int
    kind: str
    seat: int | None
    decision: str
    action: str
    events: str
    chain: str
    is_by_person: bool


def encoded(value: object) -> str:
    """As compact JSON: the text that the chain is made over. The order of names is kept."""
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
        raise Fault("record.malformed", detail=str(error)) from error


def schema() -> dict[str, Any]:
    """The JSON schema of a record."""
    found = msgspec.json.schema(Record)
    for shape in found["$defs"].values():
        shape["description"] = cleandoc(shape["description"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
