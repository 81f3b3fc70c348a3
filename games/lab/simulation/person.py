"""A seeded person: when he looks at the game after a mail, and what he answers."""

from datetime import datetime, timedelta
from math import log
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from engine.core import Question
from games.lab.simulation.doors import Door, InvariantBroken
from games.lab.simulation.model import Habits
from games.lab.simulation.planner import CAREFUL, Planner
from games.lab.simulation.world import SimulatedWorld
from games.models import Decision, Game, Seat, User
from notifications.clock.calendar import Calendar, Quiet, deadline


class SimulatedPerson:
    """Somebody at the table.

    Arguments:
        user: the account; its zone is the person's.
        door: how the person acts.
        dice: everything this person decides is drawn from it.
    """

    def __init__(self, user: User, world: SimulatedWorld, habits: Habits, door: Door, dice: Random) -> None:
        self.user, self.world, self.habits, self.door, self.dice = user, world, habits, door, dice
        self.answers = 0
        self._planner = Planner(habits, dice)
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
        row = self._asked(game)
        if row is None and game.seats.filter(user=self.user, status=Seat.Status.ABSENT).exists():
            self.door.come_back(self, game.seats.get(user=self.user))
            row = self._asked(game)
        refused = self.door.refused
        while row is not None and self.door.refused == refused:  # who has come too late reads so, and leaves
            self._answer(row)
            row = self._asked(game)

    def _asked(self, game: Game) -> Decision | None:
        """What the game waits for from this person."""
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
        """The answer, from the seat's own view as every player's, and what is ordered before it is given."""
        rules, state, seat = row.game.rules, row.game.load_state(), row.seat.number
        view = rules.view(state, seat)
        question = next((found for found in rules.questions(view) if found.decision.id == row.code), None)
        if question is None:
            raise InvariantBroken(f"the service asks {row.code} of seat {seat}, the rules do not")
        if row.kind in ("sheet", "plan"):
            return self._planner.gathered(rules, view, question), []
        thought = self._planner.placements(rules, view, seat) if self._thinks_ahead(row) else []
        if thought:  # there may be nothing to place in mind: then what is asked is answered alone
            first, *ordered = thought
            kept = msgspec.to_builtins(rules.orders(state, seat).orders)
            orders = [*(order for order in kept if order["kind"] != "place"), *ordered]
            answer = first["answers"][0]
            return ({**answer, "orders": orders}, []) if _takes_orders(question, answer) else (answer, orders)
        if self.dice.random() < self.habits.whim:
            action = rules.sample(question, self.dice)
        else:
            action = rules.bots[CAREFUL].choose(view, question, self.dice)
        chosen: dict[str, Any] = msgspec.json.decode(rules.dump_action(action))
        return self._planner.comfortable(question, chosen), []


def _takes_orders(question: Question, answer: dict[str, Any]) -> bool:
    return next(form.takes_orders for form in question.actions if form.type == answer["type"])
