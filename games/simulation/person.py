"""A seeded person: when he looks at the game after a mail, and what he answers."""

from datetime import datetime, timedelta
from math import log
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from games.models import Decision, Game, Seat, User
from games.simulation import planner
from games.simulation.doors import Door
from games.simulation.model import Habits
from games.simulation.world import World
from notifications.clock.calendar import Calendar, Quiet, deadline

CAREFUL = "greedy"  # the bot that stands for a person who thinks
ORDERED_AT = frozenset({"place", "plan"})  # kinds of decision at which people think of what comes next


class Person:
    """Somebody at the table.

    Arguments:
        user: the account; its zone is the person's.
        door: how the person acts.
        dice: everything this person decides is drawn from it.
    """

    def __init__(self, user: User, world: World, habits: Habits, door: Door, dice: Random) -> None:
        self.user, self.world, self.habits, self.door, self.dice = user, world, habits, door, dice
        self.answers = 0
        self._calendar = Calendar(ZoneInfo(user.recipient.zone), Quiet(habits.sleeps, habits.wakes))
        self._visit: datetime | None = None
        self._away = self._absence(world.now)

    def _absence(self, begins: datetime) -> tuple[datetime, datetime] | None:
        if self.dice.random() >= self.habits.away_share:
            return None
        start = begins + timedelta(days=self.dice.uniform(0, 30))
        return start, start + timedelta(days=self.habits.away_days)

    def hear(self, game: Game) -> None:
        """A mail has come: at some time of his own the person looks at the game, if he does at all."""
        if self.dice.random() < self.habits.forgets:
            return
        hours = self.dice.lognormvariate(log(self.habits.answer_hours), self.habits.spread)
        when = deadline(self.world.now, timedelta(hours=hours), self._calendar)
        if self._away and self._away[0] <= when < self._away[1]:
            when = deadline(self._away[1], timedelta(hours=hours), self._calendar)
        if self._visit is None or when < self._visit:
            self._visit = when
            self.world.at(when, lambda: self._look(game, when))

    def _look(self, game: Game, when: datetime) -> None:
        if self._visit != when:
            return  # he has looked since
        self._visit = None
        game.refresh_from_db()
        seat = game.seats.get(user=self.user)
        if seat.status == Seat.Status.ABSENT:
            self.door.come_back(self, seat)
        while not game.is_over and (row := self._asked(seat)) is not None:
            self._answer(game, seat, row)
            game.refresh_from_db()

    def _asked(self, seat: Seat) -> Decision | None:
        """What the game waits for from this person."""
        rows = seat.decisions.filter(status=Decision.Status.OPEN, is_automatic=False)
        return rows.select_related("game", "seat__user").order_by("pk").first()

    def _answer(self, game: Game, seat: Seat, row: Decision) -> None:
        answer = None
        if row.kind in ORDERED_AT and self.dice.random() < self.habits.orders:
            answer = self._order(game, seat, row)
            game.refresh_from_db()
        answer = answer or self._choose(game, seat, row)
        if self.dice.random() < self.habits.stale:
            self.door.try_stale(self, game, seat)
        self.answers += 1
        if self.dice.random() < self.habits.twice:
            self.door.answer_twice(self, row, answer)
        else:
            self.door.answer(self, row, answer)

    def _order(self, game: Game, seat: Seat, row: Decision) -> dict[str, Any] | None:
        """Gives the orders of this round; returns the placement that is asked now, if one is."""
        given = planner.placements(game, seat, CAREFUL, self.dice)
        now = given.pop(0)["answers"][0] if row.kind == "place" and given else None
        if self.dice.random() < self.habits.wishes:
            given += planner.wishes(game, seat)
        if given:
            self.door.give_orders(self, seat, given)
        return now

    def _choose(self, game: Game, seat: Seat, row: Decision) -> dict[str, Any]:
        """From the seat's own view, as every player does."""
        rules = game.rules
        view = rules.view(game.load_state(), seat.number)
        question = next(question for question in rules.questions(view) if question.decision.id == row.code)
        if self.dice.random() < self.habits.whim:
            action = rules.sample(question, self.dice)
        else:
            action = rules.bots[CAREFUL].choose(view, question, self.dice)
        answer: dict[str, Any] = msgspec.json.decode(rules.dump_action(action))
        return answer
