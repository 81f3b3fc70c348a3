"""The players made of code, by name."""

from collections.abc import Mapping
from math import log
from random import Random
from typing import Any

from engine.aladdins_dragons import actions, effects, lookahead, model
from engine.aladdins_dragons.actions import Action, PlayerAction, to_action
from engine.aladdins_dragons.cards.deck import ALL_CARDS
from engine.aladdins_dragons.facts import CAVES, GUARD, KINDS, cave_kind
from engine.aladdins_dragons.greedy import GreedyBot
from engine.aladdins_dragons.lookahead import (
    DEEP_PLAYOUTS,
    DEEP_TRIALS,
    NOISE,
    PULL,
    TENDENCY,
    PlacingSearch,
    plain_answer,
)
from engine.aladdins_dragons.model import Boundary, State, View
from engine.aladdins_dragons.questions import without_taking_back
from engine.core import Decision, Question, Seat, Text
from engine.core.games import shares
from engine.rules import Bot, LapsingBot, RandomBot

# A player who answers anything legal.


class OnwardBot(RandomBot):
    """Takes nothing back: with the same dice it would do so for ever."""

    def decide(self, view: object, question: Question, random: Random) -> Any:
        """Any form but the one that begins anew, then any value of each field."""
        return super().decide(view, without_taking_back(question), random)


# A player who looks ahead: in many worlds that look like what it sees.

TRIALS = 300  # layouts tried for the first placement of a round; for later ones fewer
PLAYOUTS = 24  # rounds played out for one answer in the tally


class SultanBot(Bot[View]):
    """Samples what it cannot see and tries its answers there; what is clear at once it answers as greedy does."""

    def __init__(self, trials: int = TRIALS, playouts: int = PLAYOUTS, name: str = "sultan") -> None:
        self.name, self.title = name, Text(f"bot-{name}")
        self._trials, self._playouts = trials, playouts
        self._greedy = GreedyBot()

    def decide(self, view: View, question: Question, random: Random) -> PlayerAction:
        """The answer that does best on average."""
        if question.decision.kind == "place":
            return PlacingSearch.of(view, question, self._trials, random).best()
        greedy = self._greedy.decide(view, question, random)
        if not self._playouts:
            return greedy
        answers = lookahead.candidates(view, question, greedy)
        return lookahead.best(view, question, answers, self._playouts, random)


RANDOM, GREEDY = OnwardBot(to_action), GreedyBot()
BOTS: Mapping[str, Bot[View]] = {
    bot.name: bot
    for bot in (
        RANDOM,
        LapsingBot("careless", GREEDY, RANDOM, 0.5),
        GREEDY,
        LapsingBot("planner", SultanBot(40, 0), GREEDY, 0.7),
        SultanBot(),
        SultanBot(DEEP_TRIALS, DEEP_PLAYOUTS, "vizier"),
    )
}


# Plain answers in microseconds, for playing whole games on many times: no seat ponders, and few cards are played.

ROOM_WITHOUT_GUARD = 0.3  # how much less a room draws a seat that has nothing at the guard yet


def quick_answer(state: State, decision: Decision, random: Random) -> Action:
    """A sensible answer to an open decision, without looking ahead."""
    frame, seat = state.agenda[-1], decision.seat
    match frame:
        case model.Placing():
            return _place(state, frame, seat, random)
        case model.StartingTreasures():
            first, second = random.sample(KINDS, 2)
            return actions.TakeTreasures({first: 2, second: 1})
        case model.Window():
            return actions.Pass()
    return plain_answer(state, frame, seat)


def _place(state: State, frame: model.Placing, seat: Seat, random: Random) -> Action:
    """One of the tokens in hand, where such tokens tend to lie if the seat lays out all that it has."""
    hand = list(state.hands[seat])
    if isinstance(frame, model.Wave):
        for token, _space in frame.chosen[frame.seats.index(seat)]:
            if token in hand:
                hand.remove(token)
    spaces = effects.may_be_entered(state, seat)
    if not hand or not spaces:
        return actions.Forfeit()
    is_at_guard = bool(effects.own_tokens(state, seat, GUARD))
    pulls = [_pull(state, space, is_at_guard=is_at_guard) for space in spaces]
    places = random.choices(spaces, pulls, k=len(hand))
    gauss = random.gauss
    places.sort(key=lambda space: TENDENCY.get(space.partition("-")[0], TENDENCY["city"]) + gauss(0, NOISE))
    token, space = random.choice(list(zip(hand, places, strict=True)))
    return actions.Place(token, space)


def _pull(state: State, space: str, *, is_at_guard: bool) -> float:
    """How much a space draws tokens."""
    if space in CAVES:
        return sum(state.caves[cave_kind(space)]) / 2
    if space.startswith("room-"):
        return PULL["room"] * (1.0 if is_at_guard else ROOM_WITHOUT_GUARD)
    return PULL[space]


# Each seat's chance to win as a round has ended, judged from the board alone: where playouts of reviews stop.

BASIC = (0.80, 0.87, 2.10, 0.80, 0.14, 0.0)
MAGIC = (0.60, 0.80, 1.60, 0.60, 0.15, 0.25)
"""The weights of artifacts; artifacts, the more the fewer are left; treasure; treasure, the more the fewer are left;
the camel; what the artifacts can do."""

A_FEW = 8.0  # treasure: the first pieces count most


def chances(state: State) -> list[float] | None:
    """The chance of each seat to win; None in the midst of a round."""
    if state.outcome is not None or not isinstance(state.agenda[-1], Boundary) or state.agenda[-1].after != "round":
        return None
    left = sum(map(len, state.stacks.values())) / state.seats
    weights = MAGIC if state.has_magic else BASIC
    scores = [
        sum(weight * fact for weight, fact in zip(weights, _facts(state, seat, left), strict=True))
        for seat in range(state.seats)
    ]
    return shares(scores, set(state.resigned))


def _facts(state: State, seat: Seat, left: float) -> list[float]:
    """Returns what is known of a seat, in the order of the weights.

    Arguments:
        left: artifacts that can still be bought, for each seat.
    """
    artifacts, to_buy, near = len(state.artifacts[seat]), min(1.0, left), 1 / (0.5 + left)
    treasure = to_buy * log(1 + sum(state.hoards[seat].values()) / A_FEW)
    tools = to_buy * sum(ALL_CARDS[tile].keep for tile in state.artifacts[seat]) if state.has_magic else 0.0
    return [artifacts, artifacts * near, treasure, treasure * near, float(state.camel == seat), tools]
