"""A seeded player, who looks at the game some time after an email and answers."""

from datetime import datetime, timedelta
from math import log
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from engine.core import Question
from games.lab.simulation.people.doors import ServiceDoor
from games.lab.simulation.people.habits import Habits
from games.lab.simulation.people.planner import Planner
from games.lab.simulation.timeline import InvariantBroken, Timeline
from games.models import Decision, Game, Seat, User
from notifications.clock.calendar import Calendar, Quiet, deadline


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
        self._mind = mind
        self._planner = Planner(habits, mind, dice)
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
        row = self._asked(game)
        if row is None and game.seats.filter(user=self.user, status=Seat.Status.ABSENT).exists():
            self.door.come_back(self, game.seats.get(user=self.user))
            row = self._asked(game)
        refused = self.door.refused
        while row is not None and self.door.refused == refused:  # a late answer ends the visit
            self._answer(row)
            row = self._asked(game)

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
        answer, ordered = self._decide(row)
        if self.dice.random() < self.habits.stale:
            self.door.try_stale(self, row.game, row.seat)
        if ordered:
            self.door.give_orders(self, row.seat, ordered)
        self.answers += 1
        if self.dice.random() < self.habits.twice:
            self.door.answer_twice(self, row, answer)
        else:
            self.door.answer(self, row, answer)

    def _thinks_ahead(self, row: Decision) -> bool:
        return row.kind == "place" and self.dice.random() < self.habits.rest

    def _decide(self, row: Decision) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Returns an answer chosen from the seat's own view, and the orders to give before it."""
        rules, state, seat = row.game.rules, row.game.load_state(), row.seat.number
        view = rules.view(state, seat)
        question = next((found for found in rules.questions(view) if found.decision.id == row.code), None)
        if question is None:
            raise InvariantBroken(f"the service asks {row.code} of seat {seat}, the rules do not")
        if row.kind in ("sheet", "plan"):
            return self._planner.plan_sheet(rules, view, question), []
        thought = self._planner.placements(rules, view, seat) if self._thinks_ahead(row) else []
        if thought:  # with nothing to place ahead only the question is answered
            first, *ordered = thought
            kept = msgspec.to_builtins(rules.orders(state, seat).orders)
            orders = [*(order for order in kept if order["kind"] != "place"), *ordered]
            answer = first["answers"][0]
            return ({**answer, "orders": orders}, []) if _takes_orders(question, answer) else (answer, orders)
        if self.dice.random() < self.habits.whim:
            action = rules.sample(question, self.dice)
        else:
            action = rules.bots[self._mind].choose(view, question, self.dice)
        chosen: dict[str, Any] = msgspec.json.decode(rules.dump_action(action))
        return self._planner.prefer_lasting_pass(question, chosen), []


def _takes_orders(question: Question, answer: dict[str, Any]) -> bool:
    return next(form.takes_orders for form in question.actions if form.type == answer["type"])
