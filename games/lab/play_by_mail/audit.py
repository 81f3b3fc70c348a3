"""A game as the database has it, as plain data: read for the comparison after the run, never to play.

It is printed by `manage.py play_by_mail --facts GAME`, so that it can be read in the service's own surroundings.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
from django.db.models import BooleanField, ExpressionWrapper, Model, Q, QuerySet
from django.db.models.functions import Coalesce

from games.lab.play_by_mail.person import ACT, RunRecord
from games.play import stored_moves
from games.play.models import Extension, Move
from games.tables.models import Game
from notifications.channels.mail.channel import MailChannel
from notifications.clock import present
from notifications.models import Delivery, DeliveryState

T = TypeVar("T")


class StoredSeat(msgspec.Struct):
    """A seat and its player."""

    number: int
    name: str
    address: str
    bot: str
    status: str


class StoredDecision(msgspec.Struct):
    """A decision that was asked."""

    ref: str
    seat: int
    code: str
    status: str
    is_sealed: bool
    is_automatic: bool


class StoredMove(msgspec.Struct):
    """A move; of its action only the type."""

    seq: int
    kind: str
    seat: int | None
    decision: str
    source: str
    answer: str = ""


class StoredDelivery(msgspec.Struct):
    """A delivery by email and its state; one that is not to go out yet is not `is_due`."""

    kind: str
    subject: str
    address: str
    message_id: str
    state: str
    reason: str
    is_due: bool = True


class StoredGame(msgspec.Struct):
    """A game with its seats, decisions, moves and emails."""

    ref: str
    status: str
    ending: str
    winners: list[str]
    seats: list[StoredSeat]
    decisions: list[StoredDecision]
    moves: list[StoredMove]
    mails: list[StoredDelivery]
    extensions: dict[str, int]  # by reason

    def seat_of(self, address: str) -> StoredSeat | None:
        """The seat of the player with this mail address."""
        return next((seat for seat in self.seats if seat.address == address), None)


def load_stored_game(ref: str) -> StoredGame:
    """Loads a game. Raises Game.DoesNotExist."""
    game = Game.objects.get(ref=ref)
    seats = [
        StoredSeat(seat.number, seat.name, seat.user.email if seat.user else "", seat.bot, seat.status)
        for seat in game.seats.select_related("user").order_by("number")
    ]
    outcome = game.outcome or {}
    return StoredGame(
        ref=ref,
        status=game.status,
        ending=str(outcome.get("ending", "")),
        winners=[seats[number].name for number in outcome.get("winners", [])],
        seats=seats,
        decisions=_rows(
            StoredDecision,
            game.decisions.order_by("pk"),
            "ref",
            "seat__number",
            "code",
            "status",
            "is_sealed",
            "is_automatic",
        ),
        moves=[_move(move) for move in stored_moves.find(game)],
        mails=_rows(
            StoredDelivery,
            _mails(game),
            "notice__kind",
            "notice__subject",
            "notice__recipient__address",
            "went_as",
            "state",
            "reason",
            "is_due",
        ),
        extensions={
            reason: Extension.objects.filter(decision__game=game, reason=reason).count()
            for reason in Extension.Reason.values
        },
    )


def _mails(game: Game) -> QuerySet[Delivery]:
    """The mails of a game; several may have gone out as one, under the Message-ID of the one that led."""
    rows = Delivery.objects.filter(notice__thread=game.thread, channel=MailChannel.kind)
    later = Q(state=DeliveryState.WAITING, tries=0, attempt_after__gt=present.now())
    return rows.annotate(
        went_as=Coalesce("leader__message_id", "message_id"), is_due=ExpressionWrapper(~later, BooleanField())
    ).order_by("pk")


def _move(move: Move) -> StoredMove:
    answer = json.loads(move.action)["type"] if move.action else ""
    return StoredMove(move.seq, move.kind, move.seat, move.decision, move.source, answer)


def _rows(kind: Callable[..., T], rows: QuerySet[Model], *names: str) -> list[T]:
    return [kind(*row) for row in rows.values_list(*names)]


# Compares what people did and were sent with the database; describes each difference in a sentence.

Key = tuple[str, int]  # (the engine's id of a decision, seat number)
OWED = {"waiting", "sending", "joined"}
PERSONAL = {"link", "deadline"}  # sources of a move that answers for a person who was waited for


def audit(facts: StoredGame, record: RunRecord, *, repeats_allowed: bool = False) -> list[str]:
    """Lists every difference between the stored game and its record.

    Arguments:
        repeats_allowed: processes were killed, so a mail may have come twice under its one Message-ID.
    """
    checks = [
        _check_log(facts),
        _check_answers(facts, record),
        _check_asked(facts, record),
        _check_passes(facts, record),
        _check_mails(facts, record),
    ]
    if not repeats_allowed:
        checks.append(f"the mail {message_id} came twice" for message_id in record.repeated)
    return [fault for check in checks for fault in check]


def owed(facts: StoredGame) -> list[StoredDelivery]:
    """Mails that are still on their way."""
    return [mail for mail in facts.mails if mail.is_due and mail.state in OWED]


def passes(facts: StoredGame) -> int:
    """How many times a deadline answered for somebody."""
    return sum(move.source == "deadline" for move in facts.moves)


def _check_log(facts: StoredGame) -> Iterator[str]:
    if facts.status != "finished" or not facts.winners:
        yield f"the game is {facts.status} and has {len(facts.winners)} winners"
    if [move.seq for move in facts.moves] != list(range(1, len(facts.moves) + 1)):
        yield "the log has gaps"


def _check_answers(facts: StoredGame, record: RunRecord) -> Iterator[str]:
    """Checks that the log has exactly the acknowledged answers, and no question answered twice."""
    moves = _answers(facts)
    for decision in facts.decisions:
        here = moves.get((decision.code, decision.seat), [])
        by_link = sum(move.source == "link" for move in here)
        acknowledged = record.answered[decision.ref]
        if by_link != acknowledged:
            yield f"{decision.code} of seat {decision.seat}: {acknowledged} answers acknowledged, {by_link} in the log"
        if len(here) > 1 and not decision.is_sealed:
            yield f"{decision.code} of seat {decision.seat} was answered {len(here)} times"
    asked = {(decision.code, decision.seat) for decision in facts.decisions}
    unasked = sum(move.source == "link" for key, here in moves.items() if key not in asked for move in here)
    if unasked != record.unasked:
        yield f"{record.unasked} things were done unasked, {unasked} are in the log"
    known = {decision.ref for decision in facts.decisions}
    yield from (
        f"an answer to {ref} was acknowledged, which is no decision" for ref in record.answered if ref not in known
    )


def _check_asked(facts: StoredGame, record: RunRecord) -> Iterator[str]:
    """Checks that every awaited player was asked by one email; by one more for each unasked action before it."""
    due = _by_subject(facts, "due")
    most = 1 + record.unasked
    linked = Counter(link.about for email in record.emails for link in email.links_to(ACT))
    moves = _answers(facts)
    for decision in facts.decisions:
        sources = {move.source for move in moves.get((decision.code, decision.seat), [])}
        if not sources & PERSONAL:
            continue
        mails = due.get(f"decision:{decision.ref}", [])
        if not 1 <= len(mails) <= most:
            yield f"{decision.code} of seat {decision.seat}: {len(mails)} mails were written to ask it"
        if not linked[decision.ref]:
            yield f"{decision.code} of seat {decision.seat}: its player was never asked ({_state(mails)})"


def _check_passes(facts: StoredGame, record: RunRecord) -> Iterator[str]:
    """Checks that only ignored questions were passed, with a notice, and that late answers met a closed question."""
    told, moves = _by_subject(facts, "passed"), _answers(facts)
    for decision in facts.decisions:
        sources = [move.source for move in moves.get((decision.code, decision.seat), [])]
        who = f"{decision.code} of seat {decision.seat}"
        if "deadline" in sources:
            if decision.ref not in record.missed | record.late:
                yield f"{who} was passed though its player answered, or was never asked"
            if len(told.get(f"decision:{decision.ref}", [])) != 1:
                yield f"{who}: no mail, or more than one, says that it was passed"
        elif decision.ref in record.late and _is_unexplained(decision, sources):
            yield f"{who}: its player was told it was closed, but no deadline had passed"


def _is_unexplained(decision: StoredDecision, sources: Sequence[str]) -> bool:
    return decision.status == "answered" and not set(sources) & {"absent", "bot"}


def _check_mails(facts: StoredGame, record: RunRecord) -> Iterator[str]:
    """Checks that accepted emails have arrived, and that only expected ones did."""
    people = {seat.address for seat in facts.seats if seat.address}
    arrived = {(email.recipient, email.message_id) for email in record.emails}
    written = {(mail.address, mail.message_id) for mail in facts.mails}
    for mail in facts.mails:
        if mail.state == "accepted" and (mail.address, mail.message_id) not in arrived:
            yield f"the {mail.kind} mail to {mail.address} was sent and never arrived"
        if mail.is_due and mail.state not in ("accepted", "stale"):
            yield f"the {mail.kind} mail to {mail.address} is {mail.state}: {mail.reason}"
    for email in record.emails:
        if email.recipient in people and (email.recipient, email.message_id) not in written:
            yield f"nobody owed {email.recipient} the mail {email.subject!r}"


def _answers(facts: StoredGame) -> Mapping[Key, list[StoredMove]]:
    found: dict[Key, list[StoredMove]] = {}
    for move in facts.moves:
        if move.kind == "answer" and move.seat is not None:
            found.setdefault((move.decision, move.seat), []).append(move)
    return found


def _by_subject(facts: StoredGame, kind: str) -> Mapping[str, list[StoredDelivery]]:
    found: dict[str, list[StoredDelivery]] = {}
    for mail in facts.mails:
        if mail.kind == kind:
            found.setdefault(mail.subject, []).append(mail)
    return found


def _state(mails: Sequence[StoredDelivery]) -> str:
    return ", ".join(f"{mail.state} {mail.reason}".strip() for mail in mails) or "no mail"
