"""How much time a player has for one decision: allowance, bank, reminders. Pure arithmetic on a calendar."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from notifications.clock.calendar import NOTHING, Calendar, deadline, is_running, playable, used

AHEAD_OF_REST = timedelta(minutes=30)  # how long before a rest a reminder comes that would fall into it
SHARE_REMINDED = 0.8  # of the time has gone when a player is reminded who chose no times himself
SHORTEST_REMINDED = timedelta(minutes=10)  # of less time a reminder would only be noise


@dataclass(frozen=True)
class Allowance:
    """The time for one decision: so many days of the player's own, and so many hours; both only while his clock runs.

    Arguments:
        days: each as long as his clock runs on an ordinary day, so that a day is a day whatever hours he sleeps.
        hours: of running time.
    """

    days: int = 0
    hours: float = 0

    def on(self, calendar: Calendar) -> timedelta:
        """How long the clock runs for it."""
        return self.days * calendar.day + timedelta(hours=self.hours)


@dataclass(frozen=True)
class Bank:
    """A seat's reserve of time: it runs when the allowance of a decision is used up, and grows with answers in time.

    Arguments:
        start: what is in it when the game begins.
        increment: what an answer within the allowance adds.
        cap: the most it may hold.
    """

    start: timedelta
    increment: timedelta
    cap: timedelta

    def after(self, left: timedelta, overtime: timedelta) -> timedelta:
        """What is left in it after an answer.

        Arguments:
            left: what was in it when the question was asked.
            overtime: how long the clock ran beyond the allowance; zero for an answer in time.
        """
        if overtime > NOTHING:
            return max(NOTHING, left - overtime)
        return max(left, min(self.cap, left + self.increment))


@dataclass(frozen=True)
class Clock:
    """The clock of one decision. The allowance ends at `allowed_until`, then the bank runs until `due_at`."""

    allowed_until: datetime
    due_at: datetime


def start_clock(opened_at: datetime, allowance: timedelta, bank: timedelta, calendar: Calendar) -> Clock:
    """The clock of a decision that is opened now, or started anew.

    Arguments:
        allowance: running time for this decision.
        bank: running time in reserve.
    """
    return Clock(deadline(opened_at, allowance, calendar), deadline(opened_at, allowance + bank, calendar))


def overtime(allowed_until: datetime, received_at: datetime, calendar: Calendar) -> timedelta:
    """How much of the bank an answer has used."""
    return used(allowed_until, received_at, calendar)


def reminders(
    opened_at: datetime, due_at: datetime, calendar: Calendar, before: Iterable[timedelta] | None = None
) -> list[datetime]:
    """When a player is reminded of a decision, in order.

    One that would fall into a rest comes half an hour before it; one that would come before the question is left out.

    Arguments:
        before: how long before the deadline, as the player chose; None for once, when most of his time has gone.
    """
    window = used(opened_at, due_at, calendar)
    if window < SHORTEST_REMINDED:
        return []
    if before is None:
        return [deadline(opened_at, window * SHARE_REMINDED, calendar)]
    times = {_awake(due_at - lead, opened_at, calendar) for lead in before}
    return sorted(at for at in times if opened_at < at < due_at)


def _awake(at: datetime, opened_at: datetime, calendar: Calendar) -> datetime:
    """This instant if the clock runs, else shortly before the rest it falls into."""
    if is_running(at, calendar):
        return at
    rest = opened_at
    for span in playable(calendar, opened_at):
        if span.begin > at:
            break
        rest = span.end
    return rest - AHEAD_OF_REST
