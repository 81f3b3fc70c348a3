"""The deadline rule: may a deadline that has passed pass its player, and if not, why; and outages, which extend them.

An answer is late when it reached us after the deadline and its grace. A missed deadline does not count if the player
was not asked in time, or if the game excuses a first miss. While the service is down, or its outage is not yet given
back, no deadline is acted on.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.play import clocks, notify
from games.play.models import Decision, Extension, Heartbeat, Outage
from games.tables import pace
from games.tables.models import Game
from notifications import outbox
from notifications.clock.calendar import NOTHING, Calendar, deadline, used
from notifications.database.compiled_query import compiled_exists
from notifications.delivery import health

OUTAGE = timedelta(minutes=2)  # a longer gap between two heartbeats is an outage
HEART = "ticker"
WEB = "web"  # the heartbeat of the web processes; if there is none, nobody plays by web and it is not waited for
SILENCE = timedelta(minutes=1)  # of the web, after which it counts as down
INBOUND = "inbound"  # heartbeats of ways by which answers come slowly, such as replies by mail, begin with this
TOLD_BEFORE = timedelta(hours=6)  # of the player's own time before the deadline; or half of his time, if that is less
MOST_EXTENSIONS = 3  # for a player who cannot be reached at all; then the game goes on without him


def grace() -> timedelta:
    """How long after the deadline an answer still counts: allows for a slow connection."""
    return timedelta(seconds=settings.DEADLINE_GRACE_SECONDS)


def patience() -> timedelta:
    """How long after the deadline nobody is passed yet: an answer that came in time may still wait for its turn."""
    return 4 * grace()


def refuse_late(row: Decision, received_at: datetime) -> None:
    """Raises Conflict for an answer that reached us after the deadline and its grace.

    It does not matter whether the deadline has been acted on yet: when the answer reached us decides, not who locks
    the game first. A late answer counts if the missed deadline would not: a player who can answer now needs no
    extension first.
    """
    if row.due_at is None or received_at <= row.due_at + grace() or not is_looked_after(received_at):
        return
    if row.game.is_live_hour:  # whoever is late there ends the hour, and is not passed
        return
    reason = why_not(row, received_at)
    if reason is None:
        raise Conflict(
            _("Your time for this move has run out, and the move is being made for you. Your answer was not used.")
        )
    if reason == Extension.Reason.EXCUSED:
        row.seat.is_excused = True
        row.seat.save(update_fields=["is_excused"])


def why_not(row: Decision, now: datetime) -> Extension.Reason | None:
    """Returns why a deadline that has passed must not count; None if it counts."""
    reason = _why_not_asked(row, now)
    if reason is None and row.game.is_first_miss_excused and not row.seat.is_excused:
        return Extension.Reason.EXCUSED
    return reason


def _why_not_asked(row: Decision, now: datetime) -> Extension.Reason | None:
    """Returns the reason for an extension if the player was not asked in time, else None.

    OUTAGE, without limit, while the fault is ours: our mail server is down, or was, and the player has not had his full
    time since he was asked. NOT_TOLD, at most `MOST_EXTENSIONS` times, if only his address or its host does not work.
    """
    if was_told_in_time(row):
        return None
    extended_at = row.extensions.aggregate(last=Max("created_at"))["last"]
    since = max(row.opened_at, extended_at) if extended_at else row.opened_at
    if _is_first_told_after_outage(row) or health.is_our_fault(row.due_key, now, since):
        return Extension.Reason.OUTAGE
    count = row.extensions.filter(reason=Extension.Reason.NOT_TOLD).count()
    return Extension.Reason.NOT_TOLD if count < MOST_EXTENSIONS else None


def was_told_in_time(row: Decision) -> bool:
    """True if the question reached a mail server or webhook long enough before the deadline, in the player's time.

    Always true of a bot account: it asks us for its questions, so delivery is not ours to ensure.
    """
    if row.seat.owner_id is not None:
        return True
    accepted = outbox.accepted_at(row.due_key)
    if accepted is None or row.due_at is None:
        return False
    calendar = clocks.calendar_of(row, accepted)
    is_late = _was_given_time_before(row, accepted)
    needed = _allowance(row, calendar) if is_late else _enough(row, calendar)
    return used(accepted, row.due_at, calendar) >= needed


def to_be_told_by(row: Decision) -> datetime | None:
    """When a question must be handed over at the latest so that its deadline counts; None while no clock runs.

    A quarter earlier than that, since mail takes its time.
    """
    if row.due_at is None:
        return None
    calendar = clocks.calendar_of(row, row.opened_at)
    needed = _enough(row, calendar)
    left = used(row.opened_at, row.due_at, calendar) - needed - needed / 4
    return deadline(row.opened_at, max(NOTHING, left), calendar)


def _enough(row: Decision, calendar: Calendar) -> timedelta:
    """How long before its deadline a question must be handed over."""
    return min(TOLD_BEFORE, _allowance(row, calendar) / 2)


def _allowance(row: Decision, calendar: Calendar) -> timedelta:
    return pace.running(row.game).allowance.on(calendar)


def _is_first_told_after_outage(row: Decision) -> bool:
    accepted = outbox.accepted_at(row.due_key)
    return accepted is not None and _was_given_time_before(row, accepted)


def _was_given_time_before(row: Decision, accepted: datetime) -> bool:
    """True if its clock was restarted because of an outage before the question was handed over."""
    restarts = row.extensions.filter(reason=Extension.Reason.OUTAGE)
    return restarts.filter(created_at__gte=row.opened_at, created_at__lte=accepted).exists()


def is_looked_after(at: datetime) -> bool:
    """False while nobody acts on deadlines, in an outage, and until the time it took is given back."""
    return Heartbeat.objects.filter(name=HEART, beat_at__gte=at - OUTAGE).exists() and is_settled()


def is_settled() -> bool:
    """False while the time of an outage is being given back: somebody's deadline may not have been moved yet."""
    return not Outage.objects.filter(settled_at=None).exists()


def is_reachable(now: datetime) -> bool:
    """False while nobody can answer by web, and until the time that this takes is given back."""
    beats = dict(Heartbeat.objects.filter(name__in=(WEB, HEART)).values_list("name", "beat_at"))
    if WEB not in beats:
        return True
    return beats[WEB] >= now - SILENCE and beats.get(HEART, now) >= now - OUTAGE


def is_web_up(now: datetime) -> bool:
    """True unless the web processes, having sent a heartbeat once, have stopped sending it."""
    return not Heartbeat.objects.filter(name=WEB, beat_at__lt=now - SILENCE).exists()


def is_heard(due_at: datetime) -> bool:
    """True if every answer sent by then has been read: slow ways record up to when they have read."""
    return not Heartbeat.objects.filter(name__startswith=INBOUND, beat_at__lt=due_at + grace()).exists()


# Outages: times in which no worker acted on deadlines. An outage is recorded in the transaction of the first heartbeat
# after it. Any worker then extends the deadlines of one game at a time, each in its own transaction. Until all games
# are done no deadline counts.

BREATH = timedelta(minutes=15)  # after an outage nobody is passed sooner, unless his whole time was shorter
OFTEN = timedelta(seconds=10)  # a heart that beats more often writes for nothing


def beat(now: datetime) -> None:
    """Records a heartbeat of the workers. After a gap, records the outage in the same transaction.

    While the web processes are down there is no heartbeat either: players cannot answer, so it is an outage too.
    """
    if _has_beaten_since(now - OFTEN) or not is_web_up(now):
        return
    heart, is_new = Heartbeat.objects.get_or_create(name=HEART, defaults={"beat_at": now})
    if is_new or now - heart.beat_at < OFTEN:
        return
    with transaction.atomic():
        claimed = Heartbeat.objects.filter(name=HEART, beat_at=heart.beat_at).update(beat_at=now)
        if claimed and now - heart.beat_at > OUTAGE:
            Outage.objects.create(began_at=heart.beat_at, ended_at=now)


@compiled_exists
def _has_beaten_since(then: datetime) -> QuerySet[Heartbeat]:
    return Heartbeat.objects.filter(name=HEART, beat_at__gt=then)


def beat_of_web(now: datetime) -> None:
    """Records a heartbeat of the web. Every web process calls this; one that runs is enough."""
    Heartbeat.objects.update_or_create(name=WEB, defaults={"beat_at": now})


def give_back_one(now: datetime) -> bool:
    """Extends the deadlines of one game by an outage. Returns whether something was left to do."""
    return _is_any_owed() and _give_back_one(now)


@compiled_exists
def _is_any_owed() -> QuerySet[Outage]:
    return Outage.objects.filter(settled_at=None)


@transaction.atomic
def _give_back_one(now: datetime) -> bool:
    outage = Outage.objects.select_for_update(skip_locked=True).filter(settled_at=None).order_by("pk").first()
    if outage is None:
        return False
    concerned = Decision.objects.filter(
        game_id__gt=outage.upto,
        status=Decision.Status.OPEN,
        is_automatic=False,
        due_at__gte=outage.began_at,
        opened_at__lt=outage.ended_at,
        game__status=Game.Status.RUNNING,
    )
    pk = concerned.order_by("game_id").values_list("game", flat=True).first()
    if pk is None:
        outage.settled_at = now
    else:
        outage.upto = pk
        game = Game.objects.select_for_update(of=("self",)).get(pk=pk)  # the game first, as every move does
        _give_back_in(game, outage.began_at, outage.ended_at)
    outage.save(update_fields=["upto", "settled_at"])
    return True


def _give_back_in(game: Game, start: datetime, end: datetime) -> None:
    """Extends deadlines that fell into the outage, or would fall soon after it.

    Clocks count as stopped during the outage, and go on with at least a quarter of the allowance.
    """
    decisions = clocks.asked(game).filter(
        is_automatic=False, due_at__gte=start, opened_at__lt=end, seat__user__isnull=False
    )
    rows = list(decisions)
    theirs = clocks.calendars(game, {row.seat.user for row in rows if row.seat.user}, start)
    allowance, old = pace.running(game).allowance, {row.pk: row.due_at for row in rows}
    for row in rows:
        assert row.due_at is not None, row
        row.game, calendar = game, clocks.calendar_in(theirs, row)
        window = allowance.on(calendar)
        share = max(window / clocks.FAIR, min(BREATH, window))
        if used(end, row.due_at, calendar) < max(share, used(start, end, calendar)):
            clocks.set_left(row, max(used(start, row.due_at, calendar), share), calendar, end)
        else:
            clocks.give_steward_back(row, start, end, calendar)
    clocks.finish(rows, theirs, end)
    for row in rows:
        before = old[row.pk]
        row.save(update_fields=clocks.FIELDS)
        if before is not None and row.due_at != before:
            clocks.record_extension(row, Extension.Reason.OUTAGE, before, end)
            notify.extended(row, end)
