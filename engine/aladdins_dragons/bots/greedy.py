"""A player who takes what looks best at the moment, from what it can see."""

from collections.abc import Mapping
from math import sqrt
from random import Random

from engine.aladdins_dragons import actions
from engine.aladdins_dragons.actions import PlayerAction, to_action
from engine.aladdins_dragons.bots.estimate import Estimate
from engine.aladdins_dragons.facts import KINDS, rooms
from engine.aladdins_dragons.model import View
from engine.answers import every_answer
from engine.core import Choice, Question, Seat, Text

TOKEN_COST = 0.25  # what a unit of strength might bring elsewhere


class GreedyBot:
    """Places each token where it adds most, pays from where it is missed least, and buys whenever it can."""

    name = "greedy"
    title = Text("bot-greedy")

    def choose(self, view: View, question: Question, random: Random) -> PlayerAction:
        """The answer with the best score; among equals the first one."""
        seat = question.decision.seat
        match question.decision.kind:
            case "take_treasures":
                return _start(random)
            case "place":
                return _best_placement(view, seat, question)
            case "window":
                return actions.Pass()
            case "camel":
                return actions.LeaveCamel() if view.camel == seat else actions.GiveCamel(seat)
        answers = [to_action(answer) for answer in every_answer(question)]
        return max(answers, key=lambda action: _score(view, seat, action))


def _start(random: Random) -> PlayerAction:
    """Two of one kind and one of another pay for more tokens than one each of three."""
    first, second = random.sample(KINDS, 2)
    return actions.TakeTreasures({first: 2, second: 1})


def _best_placement(view: View, seat: Seat, question: Question) -> PlayerAction:
    estimate = Estimate(view, seat)
    rows, in_hand = estimate.own_rows(), len(view.hand or []) - 1
    tokens, spaces = [field for field in question.actions[0].fields if isinstance(field, Choice)]

    def gain(action: actions.Place) -> float:
        extended = {**rows, action.space: [*rows[action.space], action.token]}
        return estimate.value(extended, in_hand) - TOKEN_COST * action.token

    return max(
        (actions.Place(int(t.value), str(s.value)) for s in spaces.options for t in tokens.options),
        key=gain,
    )


def _score(view: View, seat: Seat, action: PlayerAction) -> float:
    """How useful the hoard is after the answer, and what the answer brings besides."""
    hoard = dict(view.hoards[seat] or {})
    before = _usefulness(hoard)
    match action:
        case actions.Exchange(give, take):
            _change(hoard, {give: 1}, -1)
            _change(hoard, take, 1)
        case actions.Buy():
            _change(hoard, action.payment(), -1)
            return 100 + _usefulness(hoard) - before
        case actions.Bribe(pay):
            _change(hoard, pay, -1)
            return _usefulness(hoard) - before + (8 if _can_buy(view, seat, hoard) else -8)
        case actions.PlayCard():
            return 6 if _can_buy(view, seat, hoard) else -8
    return _usefulness(hoard) - before


def _change(hoard: dict[str, int], amounts: Mapping[str, int], sign: int) -> None:
    for kind, amount in amounts.items():
        hoard[kind] += sign * amount


def _usefulness(hoard: Mapping[str, int]) -> float:
    """Different kinds pay for more tokens than much of one kind."""
    return sum(sqrt(amount) for amount in hoard.values())


def _can_buy(view: View, seat: Seat, hoard: Mapping[str, int]) -> bool:
    """Could the seat pay for its tokens in some room?"""
    holdings = sorted(hoard.values(), reverse=True)
    for room in rooms(view.seats):
        tokens = sorted((token.value or 0 for token in view.spaces[room] if token.seat == seat), reverse=True)
        if tokens and all(token <= held for token, held in zip(tokens, holdings, strict=False)):
            return True
    return False
