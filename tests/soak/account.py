"""The count at the end: what was owed, what arrived, what arrived twice, how long it took,
and which rare states were met."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from math import ceil

from django.db.models import F, Q, QuerySet

from games.models import Decision, Extension, Game, Move, Outage
from games.play import deadline_rule
from games.play.replay import ReplayMismatch, replay
from notifications.channels.base import CHANNELS
from notifications.channels.push.models import PushSubscription
from notifications.clock import present
from notifications.composers import why_stale
from notifications.models import IS_OPEN, Attempt, Delivery, DeliveryState, Endpoint, Inbound, Notice
from tests.soak.receivers import HOOK, MAIL, OTHER_MAIL, OTHER_WEB, PUSH, Arrival, World

REPLAYED = 25  # games that are played again from their log
SLACK = timedelta(minutes=1)  # for a worker to come by
ENDED = (DeliveryState.FAILED, DeliveryState.QUARANTINED, DeliveryState.SUPPRESSED, DeliveryState.RETURNED)


@dataclass
class Account:
    """What a run comes to. `faults` are broken promises, in words; `met` are rare states."""

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
    met: Counter[str] = field(default_factory=Counter)


def _to_dead(dead: Mapping[str, str]) -> Q:
    """Deliveries to hosts that are of no use for ever."""
    where = Q(pk__in=())
    if MAIL in dead:
        where |= Q(channel="mail", notice__recipient__address__endswith=f"@{OTHER_MAIL}")
    if HOOK in dead:
        hooks = [hook.pk for hook in Endpoint.objects.all() if hook.host == OTHER_WEB]
        where |= Q(channel="webhook", endpoint__in=hooks)
    if PUSH in dead:
        devices = PushSubscription.objects.filter(host=OTHER_WEB)
        where |= Q(channel="push", target__in=[*devices.values_list("target", flat=True)])
    return where


def undone(dead: Mapping[str, str]) -> list[str]:
    """Returns what a core that is well still owes, in words: nothing at last, whatever else is broken for ever."""
    return list(_undone(dead))


def _undone(dead: Mapping[str, str]) -> Iterator[str]:
    now = present.now()
    late = now - SLACK
    to_dead = _to_dead(dead)
    owed = Delivery.objects.filter(notice__not_before__isnull=True)
    rows = {
        "notices without deliveries": Notice.objects.filter(pending__isnull=False, created_at__lte=late),
        "deliveries to living hosts": owed.filter(IS_OPEN | Q(state=DeliveryState.JOINED)).exclude(to_dead),
        "leases that lapsed": owed.filter(lease_until__lte=late),
        "replies": Inbound.objects.filter(state=Inbound.State.WAITING),
        "games at a phase boundary": Game.objects.filter(advance_at__lte=now, quarantined_at=None),
        "outages": Outage.objects.filter(settled_at=None),
        "bots": _asked().filter(is_automatic=True, opened_at__lte=late),
        "deadlines": _asked().filter(is_automatic=False, due_at__lte=late - deadline_rule.patience()),
    }
    for what, owing in rows.items():
        if count := owing.count():
            first = owing.first()
            more = f" ({_where_it_stands(first, now)})" if isinstance(first, Delivery) else ""
            yield f"{count} {what}, such as {first!r}{more}"
    untold = [notice for notice in _told_by_nothing(to_dead) if not _is_beyond_reach(notice, dead)]
    if untold:
        yield f"{len(untold)} notices that another channel should have told, such as {untold[0]}"


def _where_it_stands(row: Delivery, now: datetime) -> str:
    seconds = (row.attempt_after - now).total_seconds() if row.attempt_after else float("nan")
    notice = f"{row.notice.kind}, {(now - row.notice.created_at).total_seconds():.0f} s old"
    return f"{notice}, {row.state}, {row.tries} tries, again in {seconds:.0f} s, {row.reason!r}"


def _asked() -> QuerySet[Decision]:
    return Decision.objects.filter(
        status=Decision.Status.OPEN, game__quarantined_at=None, game__status=Game.Status.RUNNING
    )


def _told_by_nothing(to_dead: Q) -> list[Notice]:
    """Notices whose mail was left out for the sake of a channel that told nothing."""
    declined = Delivery.objects.filter(state=DeliveryState.DECLINED, channel="mail")
    reached = Delivery.objects.filter(state__in=(DeliveryState.ACCEPTED, DeliveryState.JOINED, DeliveryState.STALE))
    rows = Notice.objects.filter(pk__in=declined.values("notice"), not_before__isnull=True)
    return list(rows.exclude(pk__in=reached.values("notice")))


def _is_beyond_reach(notice: Notice, dead: Mapping[str, str]) -> bool:
    return MAIL in dead and notice.recipient.address.endswith(f"@{OTHER_MAIL}")


def take(
    world: World,
    replies: Iterable[str],
    moves: Iterable[tuple[int, int]],
    repeats: int,
    phase: tuple[datetime, datetime],
) -> Account:
    """Compare the database with what arrived.

    Arguments:
        replies: Message-IDs of what the listener took.
        moves: game and number of each answer that was said to be stored.
        repeats: how many messages may have come twice.
        phase: when the storm ended, and when nothing was owed any more: games went on after that.
    """
    count = Account(notices=Notice.objects.count())
    healed_at, quiet_at = phase
    _deliveries(count, world, quiet_at)
    _repeats(count, world.arrivals, repeats)
    _doubled(count, world.arrivals)
    _passed(count, world)
    _stored(count, moves)
    _told(count)
    _heard(count, replies)
    _games(count)
    _meet(count, world, healed_at)
    if count.lost:
        count.faults.append(f"{len(count.lost)} deliveries are lost")
    return count


def _deliveries(count: Account, world: World, quiet_at: datetime) -> None:
    arrived = {arrival.id for arrival in world.arrivals}
    states: Counter[str] = Counter()
    dead = set(Delivery.objects.filter(_to_dead(world.dead)).values_list("pk", flat=True))
    rows = Delivery.objects.filter(notice__not_before__isnull=True)
    reached = set(rows.filter(state=DeliveryState.ACCEPTED).values_list("notice", flat=True))
    for row in rows.select_related("notice__recipient", "leader").iterator():
        states[f"{row.channel} {row.state}{' to a dead host' if row.pk in dead else ''}"] += 1
        name = row.leader.message_id if row.leader else row.message_id
        if row.state == DeliveryState.ACCEPTED and (name in arrived or row.channel == PUSH):
            continue
        if row.attempt_after is not None and row.notice.created_at >= quiet_at - SLACK:
            continue
        if row.state == DeliveryState.STALE and why_stale(row.notice, CHANNELS[row.channel].form, present.now()):
            continue  # what it says is true no more
        if row.pk in dead and (row.attempt_after is not None or row.state in (*ENDED, DeliveryState.JOINED)):
            continue  # held or ended
        if row.state in (*ENDED, DeliveryState.DECLINED) and (row.notice_id in reached or row.pk in dead):
            continue  # another channel told it
        count.lost.append(f"{row.channel} {row.notice.kind} {name}: {row.state}, {row.reason or 'no reason'}")
    for notice in Notice.objects.filter(pending__isnull=False, created_at__lt=quiet_at - SLACK):
        count.lost.append(f"{notice.kind} {notice.ref}: no deliveries were made")
    count.deliveries = dict(sorted(states.items()))
    ours = set(Delivery.objects.values_list("message_id", flat=True))
    if arrived - ours:
        count.faults.append(f"{len(arrived - ours)} messages arrived that nobody owed")


def _repeats(count: Account, arrivals: list[Arrival], possible: int) -> None:
    times: Counter[str] = Counter(arrival.id for arrival in arrivals)
    unanswered = Counter(arrival.id for arrival in arrivals if not arrival.was_answered)
    for name, number in times.items():
        count.repeats_after_trouble += min(number - 1, unanswered[name])
        count.repeats += max(0, number - 1 - unanswered[name])
    if count.repeats > possible:
        count.faults.append(f"{count.repeats} repeats where {possible} were possible")


def _doubled(count: Account, arrivals: list[Arrival]) -> None:
    """A notice that came to one place alone and in the company of others has come under two ids."""
    arrived = {arrival.id for arrival in arrivals}
    rows = Delivery.objects.filter(leader__isnull=False).exclude(leader=F("pk")).select_related("leader")
    for row in rows.iterator():
        if row.leader and {row.message_id, row.leader.message_id} <= arrived:
            count.doubled.append(row.message_id)
    places = Delivery.objects.values_list("notice", "channel", "endpoint")
    count.doubled += [f"{place}" for place, number in Counter(places).items() if number > 1]
    if count.doubled:
        count.faults.append(f"{len(count.doubled)} notices came twice under two ids, such as {count.doubled[0]}")


def _passed(count: Account, world: World) -> None:
    """Whoever was passed had been told before, by some channel, or was given time again and again in vain."""
    first: dict[str, float] = {}
    for arrival in world.arrivals:
        for about in arrival.about:
            first[about] = min(arrival.at, first.get(about, arrival.at))
    for move in Move.objects.filter(source=Move.Source.DEADLINE).select_related("game").iterator():
        count.passed += 1
        row = Decision.objects.filter(game=move.game_id, code=move.decision, seat__number=move.seat).first()
        names = (row.ref if row else "", f"{move.game.ref}/{move.seat}/{move.decision}")
        told = min((first[name] for name in names if name in first), default=None)
        if (told is None or told > move.made_at.timestamp()) and not _was_given_time(row):
            count.unheard.append(f"{move.game.ref}/{move.seat}/{move.decision}")
    if count.unheard:
        count.faults.append(f"{len(count.unheard)} were passed unheard, such as {count.unheard[0]}")


def _was_given_time(row: Decision | None) -> bool:
    """Whether somebody whose mailbox is dead was waited for as long as the rule says."""
    if row is None or row.seat.user is None or not row.seat.user.email.endswith(f"@{OTHER_MAIL}"):
        return False
    given = Extension.objects.filter(decision=row, reason=Extension.Reason.NOT_TOLD)
    return given.count() >= deadline_rule.MOST_EXTENSIONS


def _stored(count: Account, moves: Iterable[tuple[int, int]]) -> None:
    """Every answer that was taken is in its game's log."""
    gone = set(moves) - set(Move.objects.values_list("game", "seq"))
    count.moves_lost = len(gone)
    if gone:
        count.faults.append(f"{len(gone)} answers were taken and are gone")


def _told(count: Account) -> None:
    """Every question that was put to a person has a notice."""
    keys = set(Notice.objects.filter(kind="due").values_list("dedupe_key", flat=True))
    rows = Decision.objects.filter(is_automatic=False, seat__user__isnull=False, due_at__isnull=False)
    silent = [row.ref for row in rows.select_related("seat", "game") if row.due_key not in keys]
    if silent:
        count.faults.append(f"{len(silent)} questions were never told, such as {silent[0]}")


def _heard(count: Account, replies: Iterable[str]) -> None:
    """Every reply that was taken is there once and dealt with; no move was made twice."""
    keys = set(Inbound.objects.values_list("key", flat=True))
    subjects = {row.ref: row for row in Decision.objects.select_related("seat__user__recipient")}
    for message_id in replies:
        row = subjects[message_id[1:].partition(".")[0]]
        recipient = row.seat.user.recipient_id if row.seat.user else None
        name = f"{sha256(message_id.encode()).hexdigest()}:{row.subject}:{recipient}"
        if sha256(name.encode()).hexdigest() not in keys:
            count.faults.append(f"the reply {message_id} was taken and is gone")
    broken = Inbound.objects.filter(state=Inbound.State.FAILED).count()
    if broken:
        count.faults.append(f"{broken} replies could not be dealt with")
    sealed = set(Decision.objects.filter(is_sealed=True).values_list("game", "code", "seat__number"))
    answers = Move.objects.filter(kind=Move.Kind.ANSWER).values_list("game", "decision", "seat")
    wrong = [one for one, number in Counter(answers).items() if number > 1 and one not in sealed]
    if wrong:
        count.faults.append(f"{len(wrong)} questions were answered twice")


def _games(count: Account) -> None:
    begun = Game.objects.filter(status__in=(Game.Status.RUNNING, Game.Status.FINISHED))
    for game in begun.order_by("?")[:REPLAYED]:
        try:
            replay(game)
        except ReplayMismatch as error:
            count.faults.append(f"game {game.ref}: {error}")
    quarantined = Game.objects.filter(quarantined_at__isnull=False).count()
    if quarantined:
        count.faults.append(f"{quarantined} games are quarantined")


def _meet(count: Account, world: World, healed_at: datetime) -> None:
    """Note which rare states the database and the receivers show."""
    since, moves = healed_at.timestamp(), Move.objects.filter(made_at__gt=healed_at)
    tried = Attempt.objects.filter(started_at__gt=healed_at)
    died = Attempt.objects.filter(ended_at=None, delivery__tries__gt=1)
    told_instead = Delivery.objects.filter(_to_dead(world.dead), notice__deliveries__state=DeliveryState.ACCEPTED)
    count.met += Counter(
        {
            "a message that was taken without an answer": sum(not arrival.was_answered for arrival in world.arrivals),
            "a worker that died in mid-send": died.count(),
            "an outage that was given back": Outage.objects.exclude(settled_at=None).count(),
            "healed: a deadline passed": moves.filter(source=Move.Source.DEADLINE).count(),
            "healed: a phase boundary was crossed": moves.filter(source=Move.Source.ADVANCE).count(),
            "healed: a bot moved": moves.filter(source=Move.Source.BOT).count(),
            "healed: an answer by link": moves.filter(source=Move.Source.LINK).count(),
            "healed: an answer by mail": moves.filter(source=Move.Source.MAIL).count(),
            "healed: an email reached a living host": _arrived(world, "mail", since),
            "healed: a webhook reached a living host": _arrived(world, HOOK, since),
            "healed: a dead mailbox host was tried": tried.filter(
                delivery__in=Delivery.objects.filter(_to_dead(_only(world.dead, MAIL)))
            ).count(),
            "healed: a dead web server was tried": tried.filter(
                delivery__in=Delivery.objects.filter(_to_dead(_only(world.dead, HOOK)))
            ).count(),
            "healed: an email instead of a dead web server or push service": told_instead.filter(
                notice__recipient__ways__in=("webhook", "push"), notice__deliveries__channel="mail"
            ).count(),
        }
    )


def _only(dead: Mapping[str, str], kind: str) -> dict[str, str]:
    return {name: mood for name, mood in dead.items() if name == kind}


def _arrived(world: World, channel: str, since: float) -> int:
    return sum(arrival.channel == channel and arrival.at > since for arrival in world.arrivals)


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
