"""A seeded player, who looks at the game some time after an email and answers."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import log
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from games.lab.simulation.people.doors import ServiceDoor
from games.lab.simulation.people.habits import Habits
from games.lab.simulation.people.thinking import Thinker, look_at
from games.lab.simulation.timeline import Timeline
from games.models import Decision, Game, Seat, User
from games.play import proposals
from notifications.clock.calendar import Calendar, Quiet, deadline

A_MOMENT = timedelta(minutes=1)  # after an answer: by then the page shows what is asked next, and it has been read


class SimulatedPlayer:
    """A player at the table.

    Arguments:
        user: the account; its zone is the person's.
        mind: the bot that stands for how the person thinks.
        door: how the person acts.
        dice: everything this person decides is drawn from it.
    """

    def __init__(
        self, user: User, timeline: Timeline, habits: Habits, mind: str, door: ServiceDoor, dice: Random
    ) -> None:
        self.user, self.timeline, self.habits, self.door, self.dice = user, timeline, habits, door, dice
        self.answers = 0
        self.accepted = 0  # of them: proposals as they were
        self._thinker = Thinker(habits, mind, dice)
        self._calendar = Calendar(ZoneInfo(user.recipient.zone), Quiet(habits.sleeps, habits.wakes))
        self._visit: datetime | None = None
        self._away = self._absence(timeline.now)

    def _absence(self, begins: datetime) -> tuple[datetime, datetime] | None:
        if self.dice.random() >= self.habits.away_share:
            return None
        start = begins + timedelta(days=self.dice.uniform(0, 30))
        return start, start + timedelta(days=self.habits.away_days)

    def hear(self, game: Game) -> None:
        """Plans a look at the game some time after an email, unless the email is forgotten."""
        if self.dice.random() < self.habits.forgets:
            return
        hours = self.dice.lognormvariate(log(self.habits.answer_hours), self.habits.spread)
        when = deadline(self.timeline.now, timedelta(hours=hours), self._calendar)
        if self._away and self._away[0] <= when < self._away[1]:
            when = deadline(self._away[1], timedelta(hours=hours), self._calendar)
        if self._visit is None or when < self._visit:
            self._visit = when
            self.timeline.at(when, lambda: self._look(game, when))

    def _look(self, game: Game, when: datetime) -> None:
        if self._visit != when:
            return  # an earlier look came first
        self._visit = None
        if self._asked(game) is None and game.seats.filter(user=self.user, status=Seat.Status.ABSENT).exists():
            self.door.come_back(self, game.seats.get(user=self.user))
        self.visit(game)

    def visit(self, game: Game) -> None:
        """Answers one question after the other, and perhaps stays on the page until it shows what comes next."""
        row = self._asked(game)
        refused, answers = self.door.refused, self.answers
        while row is not None and self.door.refused == refused:  # a late answer ends the visit
            self._answer(row)
            row = self._asked(game)
        if self.answers > answers and self.dice.random() < self.habits.stays:
            self.timeline.at(self.timeline.now + A_MOMENT, lambda: self.visit(game))

    def _asked(self, game: Game) -> Decision | None:
        """The first open question of this player."""
        rows = Decision.objects.filter(
            game=game,
            game__status=Game.Status.RUNNING,
            seat__user=self.user,
            status=Decision.Status.OPEN,
            is_automatic=False,
        )
        return rows.select_related("game", "seat__user").order_by("pk").first()

    def _answer(self, row: Decision) -> None:
        position = look_at(row)
        proposal = proposals.load_or_make(row, self.timeline.now) if row.seat.is_proposed_to else None
        answer, ordered = self._thinker.respond(position, proposals.answer_of(proposal) if proposal else None)
        if self.dice.random() < self.habits.stale:
            self.door.try_stale(self, row.game, row.seat)
        self.answers += 1
        if proposal and answer is None:
            self.accepted += 1
            self.door.accept(self, row, proposal)
            return
        assert answer is not None
        if ordered:
            self.door.give_orders(self, row.seat, ordered)
        self._send(row, answer)

    def _send(self, row: Decision, answer: Mapping[str, Any]) -> None:
        if self.dice.random() < self.habits.twice:
            self.door.answer_twice(self, row, answer)
        else:
            self.door.answer(self, row, answer)
