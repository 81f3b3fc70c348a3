"""Outages: detects times in which no worker acted on deadlines, and extends deadlines by them.

An outage is recorded in the transaction of the first heartbeat after it. Any worker then extends the deadlines of one
game at a time, each in its own transaction. Until all games are done no deadline counts.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.play import clocks, deadline_rule, notify, pace
from games.play.deadline_rule import HEART, OUTAGE
from games.play.models import Decision, Extension, Heartbeat, Outage
from games.tables.models import Game
from notifications.clock.calendar import used
from notifications.database.compiled_query import compiled_exists

BREATH = timedelta(minutes=15)  # after an outage nobody is passed sooner, unless his whole time was shorter
OFTEN = timedelta(seconds=10)  # a heart that beats more often writes for nothing


def beat(now: datetime) -> None:
    """Records a heartbeat of the workers. After a gap, records the outage in the same transaction.

    While the web processes are down there is no heartbeat either: players cannot answer, so it is an outage too.
    """
    if _has_beaten_since(now - OFTEN) or not deadline_rule.is_web_up(now):
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
    Heartbeat.objects.update_or_create(name=deadline_rule.WEB, defaults={"beat_at": now})


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
    asked = clocks.asked(game).filter(
        is_automatic=False, due_at__gte=start, opened_at__lt=end, seat__user__isnull=False
    )
    rows = list(asked)
    theirs = clocks.calendars(game, {row.seat.user for row in rows if row.seat.user}, start)
    allowance, old = pace.find(game.pace).allowance, {row.pk: row.due_at for row in rows}
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
