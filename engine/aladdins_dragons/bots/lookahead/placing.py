"""Looking ahead while tokens are placed: whole layouts of one's own tokens, tried in many worlds.

Layouts are drawn as players like to lay them, and the best is improved token by token. Of that one the weakest token is
laid first: the strong ones wait until more can be seen.
"""

from collections.abc import Sequence
from random import Random

from engine.aladdins_dragons.actions import Place
from engine.aladdins_dragons.board.facts import PIECES
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.lookahead.harvest import Harvest, Stakes
from engine.aladdins_dragons.bots.lookahead.worlds import Worlds
from engine.core import Choice, Question, Seat

WORLDS = 16
DRAWN = 30  # layouts to begin with
MARGIN = 1.5  # a plan that is worse by so much in a quarter of the worlds is not tried in all

Plan = dict[int, str]
"""The space of each token in hand."""


class PlacingSearch:
    """Where the tokens of a seat go that it still has in hand.

    Arguments:
        tokens, spaces: what can be placed, and where.
        trials: layouts tried for eight tokens; for fewer there are fewer.

    Its `worlds` are those in which the layouts are tried, its `harvest` what a layout brings in one.
    """

    def __init__(
        self, view: View, seat: Seat, tokens: Sequence[int], spaces: Sequence[str], trials: int, random: Random
    ) -> None:
        self._tokens, self._spaces = list(tokens), list(spaces)
        self._random, self._trials = random, trials
        self._laid = {
            space: [token.value for token in row if token.seat == seat and token.value is not None]
            for space, row in view.spaces.items()
        }
        dealer = Worlds(view, seat, random)
        self.worlds = [dealer.draw() for _ in range(WORLDS)]
        self.harvest = Harvest(view, seat)
        self._pulls = dealer.pulls(self._spaces)

    @classmethod
    def of(cls, view: View, question: Question, trials: int, random: Random) -> "PlacingSearch":
        """The search for a question that asks for a placement."""
        tokens, spaces = [field for field in question.actions[0].fields if isinstance(field, Choice)]
        values, names = [int(option.value) for option in tokens.options], [str(one.value) for one in spaces.options]
        return cls(view, question.decision.seat, values, names, trials, random)

    def best(self) -> Place:
        """The token to place now, and where."""
        token = min(self._tokens)
        return Place(token, self.plan()[token])

    def plan(self) -> Plan:
        """The best plan found; the fewer tokens are left, the fewer there are to try."""
        few, others = self.worlds[: WORLDS // 4], self.worlds[WORLDS // 4 :]
        drawn = [(self._stakes(plan), plan) for plan in (self._draw() for _ in range(DRAWN))]
        stakes, plan = max(drawn, key=lambda one: self.harvest.total(one[0], few))
        hint = self.harvest.total(stakes, few)
        value = self.harvest.total(stakes, others, hint)
        tried = {tuple(plan.items())}
        for _ in range(self._trials * len(self._tokens) // len(PIECES.tokens)):
            other = self._changed(plan)
            key = tuple(other.items())
            if key in tried:
                continue
            tried.add(key)
            stakes = self._stakes(other)
            first = self.harvest.total(stakes, few)
            if first <= hint - MARGIN * len(few):
                continue
            better = self.harvest.total(stakes, others, first)
            if better > value:
                plan, hint, value = other, first, better
        return plan

    def _draw(self) -> Plan:
        spaces = self._random.choices(self._spaces, self._pulls, k=len(self._tokens))
        return dict(zip(self._tokens, spaces, strict=True))

    def _changed(self, plan: Plan) -> Plan:
        """One token elsewhere, or two changing places."""
        token = self._random.choice(self._tokens)
        if self._random.random() < 0.5 and len(self._tokens) > 1:
            other = self._random.choice(self._tokens)
            return {**plan, token: plan[other], other: plan[token]}
        return {**plan, token: self._random.choice(self._spaces)}

    def _stakes(self, plan: Plan) -> Stakes:
        rows = {space: list(row) for space, row in self._laid.items() if row}
        for token, space in plan.items():
            rows.setdefault(space, []).append(token)
        return self.harvest.stakes(rows)
