"""The count at the end: what was owed, what arrived, what arrived twice, and how long it took."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from math import ceil

from django.db.models import F

from games.log.replay import ReplayMismatch, replay
from games.models import Decision, Game, Move
from notifications.channels.registry import CHANNELS
from notifications.clock import present
from notifications.composers import why_stale
from notifications.models import Delivery, DeliveryState, Inbound, Notice
from tests.soak.receivers import Arrival

REPLAYED = 25  # games that are played again from their log


@dataclass
class Account:
    """What a run comes to. `faults` are broken promises, in words."""

    notices: int = 0
    deliveries: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)  # came under two ids
    passed: int = 0
    unheard: list[str] = field(default_factory=list)  # were passed and told by no channel before
    moves_lost: int = 0
    repeats: int = 0  # that no trouble of a receiver explains: each is a process that died between sending and marking
    repeats_after_trouble: int = 0  # the receiver took it and hung up
    faults: list[str] = field(default_factory=list)


def owed() -> int:
    """What is still to be done before one may count."""
    open_now = Delivery.objects.filter(attempt_after__isnull=False, notice__not_before__isnull=True).count()
    joined = Delivery.objects.filter(state=DeliveryState.JOINED).count()
    waiting = Inbound.objects.filter(state=Inbound.State.WAITING).count()
    return open_now + joined + waiting + Game.objects.filter(advance_at__isnull=False).count()


def take(arrivals: list[Arrival], replies: Iterable[str], moves: Iterable[tuple[int, int]], kills: int) -> Account:
    """Compare the database with what arrived.

    Arguments:
        replies: Message-IDs of what the listener took.
        moves: game and number of each answer that was said to be stored.
    """
    found = Account(notices=Notice.objects.count())
    _deliveries(found, arrivals)
    _repeats(found, arrivals, kills)
    _doubled(found, arrivals)
    _passed(found, arrivals)
    _stored(found, moves)
    _told(found)
    _heard(found, replies)
    _games(found)
    if found.lost:
        found.faults.append(f"{len(found.lost)} deliveries are lost")
    return found


def _deliveries(found: Account, arrivals: list[Arrival]) -> None:
    arrived = {arrival.id for arrival in arrivals}
    known = set()
    states: Counter[str] = Counter()
    rows = Delivery.objects.filter(notice__not_before__isnull=True)
    for row in rows.select_related("notice__recipient", "leader").iterator():
        known.add(row.message_id)
        states[f"{row.channel} {row.state}"] += 1
        name = row.leader.message_id if row.leader else row.message_id
        if row.state == DeliveryState.ACCEPTED and name in arrived:
            continue
        if row.state == DeliveryState.STALE and why_stale(row.notice, CHANNELS[row.channel].form, present.now()):
            continue  # what it says is true no more
        found.lost.append(f"{row.channel} {row.notice.kind} {name}: {row.state}, {row.reason or 'no reason'}")
    found.deliveries = dict(sorted(states.items()))
    known.update(Delivery.objects.values_list("message_id", flat=True))
    if arrived - known:
        found.faults.append(f"{len(arrived - known)} messages arrived that nobody owed")


def _repeats(found: Account, arrivals: list[Arrival], kills: int) -> None:
    times: Counter[str] = Counter(arrival.id for arrival in arrivals)
    unanswered = Counter(arrival.id for arrival in arrivals if not arrival.was_answered)
    for name, number in times.items():
        found.repeats_after_trouble += min(number - 1, unanswered[name])
        found.repeats += max(0, number - 1 - unanswered[name])
    if found.repeats > kills:
        found.faults.append(f"{found.repeats} repeats for {kills} kills")


def _doubled(found: Account, arrivals: list[Arrival]) -> None:
    """A notice that came to one place alone and in the company of others has come under two ids."""
    arrived = {arrival.id for arrival in arrivals}
    rows = Delivery.objects.filter(leader__isnull=False).exclude(leader=F("pk")).select_related("leader")
    for row in rows.iterator():
        if row.leader and {row.message_id, row.leader.message_id} <= arrived:
            found.doubled.append(row.message_id)
    places = Delivery.objects.values_list("notice", "channel", "endpoint")
    found.doubled += [f"{place}" for place, number in Counter(places).items() if number > 1]
    if found.doubled:
        found.faults.append(f"{len(found.doubled)} notices came twice under two ids, such as {found.doubled[0]}")


def _passed(found: Account, arrivals: list[Arrival]) -> None:
    """Whoever was passed had been told before, by some channel."""
    first: dict[str, float] = {}
    for arrival in arrivals:
        for about in arrival.about:
            first[about] = min(arrival.at, first.get(about, arrival.at))
    for move in Move.objects.filter(source=Move.Source.DEADLINE).select_related("game").iterator():
        found.passed += 1
        row = Decision.objects.filter(game=move.game_id, code=move.decision, seat__number=move.seat).first()
        names = (row.ref if row else "", f"{move.game.ref}/{move.seat}/{move.decision}")
        told = min((first[name] for name in names if name in first), default=None)
        if told is None or told > move.made_at.timestamp():
            found.unheard.append(f"{move.game.ref}/{move.seat}/{move.decision}")
    if found.unheard:
        found.faults.append(f"{len(found.unheard)} were passed unheard, such as {found.unheard[0]}")


def _stored(found: Account, moves: Iterable[tuple[int, int]]) -> None:
    """Every answer that was taken is in its game's log."""
    gone = set(moves) - set(Move.objects.values_list("game", "seq"))
    found.moves_lost = len(gone)
    if gone:
        found.faults.append(f"{len(gone)} answers were taken and are gone")


def _told(found: Account) -> None:
    """Every question that was put to a person has a notice."""
    keys = set(Notice.objects.filter(kind="due").values_list("dedupe_key", flat=True))
    rows = Decision.objects.filter(is_automatic=False, seat__user__isnull=False, due_at__isnull=False)
    silent = [row.ref for row in rows.select_related("seat", "game") if row.due_key not in keys]
    if silent:
        found.faults.append(f"{len(silent)} questions were never told, such as {silent[0]}")


def _heard(found: Account, replies: Iterable[str]) -> None:
    """Every reply that was taken is there once and dealt with; no move was made twice."""
    keys = set(Inbound.objects.values_list("key", flat=True))
    subjects = {row.ref: row for row in Decision.objects.select_related("seat__user__recipient")}
    for message_id in replies:
        row = subjects[message_id[1:].partition(".")[0]]
        recipient = row.seat.user.recipient_id if row.seat.user else None
        name = f"{sha256(message_id.encode()).hexdigest()}:{row.subject}:{recipient}"
        if sha256(name.encode()).hexdigest() not in keys:
            found.faults.append(f"the reply {message_id} was taken and is gone")
    broken = Inbound.objects.filter(state=Inbound.State.FAILED).count()
    if broken:
        found.faults.append(f"{broken} replies could not be dealt with")
    sealed = set(Decision.objects.filter(is_sealed=True).values_list("game", "code", "seat__number"))
    answers = Move.objects.filter(kind=Move.Kind.ANSWER).values_list("game", "decision", "seat")
    wrong = [one for one, number in Counter(answers).items() if number > 1 and one not in sealed]
    if wrong:
        found.faults.append(f"{len(wrong)} questions were answered twice")


def _games(found: Account) -> None:
    begun = Game.objects.filter(status__in=(Game.Status.RUNNING, Game.Status.FINISHED))
    for game in begun.order_by("?")[:REPLAYED]:
        try:
            replay(game)
        except ReplayMismatch as error:
            found.faults.append(f"game {game.ref}: {error}")
    quarantined = Game.objects.filter(quarantined_at__isnull=False).count()
    if quarantined:
        found.faults.append(f"{quarantined} games are quarantined")


def delays(arrivals: list[Arrival], begin: datetime, end: datetime) -> list[float]:
    """Seconds from a notice to its first arrival on each of its channels, for notices of one phase, in order."""
    first: dict[str, float] = {}
    for arrival in arrivals:
        first[arrival.id] = min(arrival.at, first.get(arrival.id, arrival.at))
    rows = Delivery.objects.filter(
        notice__created_at__gte=begin,
        notice__created_at__lt=end,
        notice__not_before__isnull=True,
        state=DeliveryState.ACCEPTED,
    ).select_related("notice", "leader")
    names = [(row.notice.created_at, row.leader.message_id if row.leader else row.message_id) for row in rows]
    return sorted(first[name] - created.timestamp() for created, name in names if name in first)


def percentile(values: list[float], share: float) -> float:
    """By nearest rank, of sorted values; nan without any."""
    return values[max(0, ceil(share * len(values)) - 1)] if values else float("nan")
