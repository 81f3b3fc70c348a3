"""Outages: that deadlines are looked after, and what is done about a time in which nobody looked.

The gap is written down in the transaction in which the heart beats again. Then the time is given back game by game, in
a transaction each, by whichever worker comes to it: no game waits for the others. Until all have it back no deadline
counts.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.models import Decision, Extension, Game, Heartbeat, Outage
from games.play import notify
from games.timing import clocks, deadline_rule, pace
from games.timing.deadline_rule import HEART, OUTAGE
from notifications.clock.calendar import used
from notifications.database.compiled_query import compiled_exists

BREATH = timedelta(minutes=15)  # after an outage nobody is passed sooner, unless his whole time was shorter
OFTEN = timedelta(seconds=10)  # a heart that beats more often writes for nothing


def beat(now: datetime) -> None:
    """Says that deadlines are being looked after. After a gap, writes down the outage.

    While the web is down nobody can be waited for either: that is the same gap. Both or neither: a process that dies in
    between leaves the gap for the next one to see.
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
    """Says that answers can be given by web. Every web process does so; one that lives is enough."""
    Heartbeat.objects.update_or_create(name=deadline_rule.WEB, defaults={"beat_at": now})


def give_back_one(now: datetime) -> bool:
    """Gives the players of one game back what an outage took from them. Returns whether something was left to do."""
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
    """Whose deadline fell into the outage, or would fall soon after it, gets the lost time back.

    His clock stood still meanwhile, and it goes on with a quarter of his time at least.
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
    clocks.finish(rows, theirs, end)
    for row in rows:
        before = old[row.pk]
        if before is not None and row.due_at != before:
            row.save(update_fields=clocks.FIELDS)
            clocks.record_extension(row, Extension.Reason.OUTAGE, before, end)
            notify.extended(row, end)
