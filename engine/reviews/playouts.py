"""Positions played on by the rules' own quick players, to where the rules can judge them, or to the end."""

from random import Random

from engine.core import Decision, Seat
from engine.core.games import won
from engine.orders.answers import GATHERINGS, ActionWithOrders, CommonAction, bot_answer
from engine.rules import AnyRules

GREEDY = "greedy"  # the bot that every game has
MOST_STEPS = 5000  # of one playout; a game that is longer counts as open between all


class Playouts:
    """Plays positions of a game on.

    Arguments:
        seats: how many play.
        foresight: over how many positions that the rules can judge; 0 for always to the end, None as the rules say.
    """

    def __init__(self, rules: AnyRules, seats: int, foresight: int | None = None) -> None:
        self.rules, self.seats = rules, seats
        self._foresight = rules.foresight if foresight is None else foresight
        self._greedy = rules.bots[GREEDY]

    def redeal(self, packed: bytes, random: Random) -> object:
        """A state in which what no seat has seen is drawn anew, and nobody has orders."""
        return self.rules.branch_off(self.rules.load(packed), random.randbytes(32).hex(), 0, 0)[0]

    def answer(self, state: object, asked: Decision, action: object) -> object:
        """The state after an action of the seat that is asked; the one that is given is worth nothing any more."""
        if isinstance(action, ActionWithOrders):
            action = action.action
        if isinstance(action, CommonAction):
            return self.rules.open(state, asked.id, asked.seat).apply(action, in_place=True)[0]
        self.rules.play(state, asked.seat, action)
        return state

    def play_on(self, state: object, random: Random) -> list[float]:
        """Each seat's chance at the end of one playout, which changes the state in place."""
        rules, judged = self.rules, 0
        for step in range(MOST_STEPS):
            outcome = rules.outcome(state)
            if outcome is not None:
                return won(outcome, self.seats)
            if self._foresight and step and (chances := rules.chances(state)) is not None:
                judged += 1
                if judged >= self._foresight:
                    return chances
            asked = next((one for one in rules.decisions(state) if one.prompted), None)
            if asked is None:
                rules.cross(state)
            else:
                rules.play(state, asked.seat, self._quick(state, asked, random))
        return [1 / self.seats] * self.seats

    def _quick(self, state: object, asked: Decision, random: Random) -> object:
        if asked.kind in GATHERINGS:
            return bot_answer(self.rules.question(state, asked.id, asked.seat))
        action = self.rules.quick(state, asked, random)
        if action is not None:
            return action
        question = self.rules.question(state, asked.id, asked.seat)
        return self._greedy.choose(self.rules.view(state, asked.seat), question, random)


def decision_of(rules: AnyRules, state: object, kind: str, seat: Seat) -> Decision | None:
    """The decision of that kind which is open to the seat; its id differs from branch to branch."""
    return next((one for one in rules.decisions(state) if (one.kind, one.seat) == (kind, seat)), None)
