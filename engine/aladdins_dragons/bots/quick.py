"""Plain answers in microseconds, for playing whole games on many times: no seat ponders, and few cards are played."""

from random import Random

from engine.aladdins_dragons import actions
from engine.aladdins_dragons.actions import Action
from engine.aladdins_dragons.board import effects, model
from engine.aladdins_dragons.board.facts import CAVES, GUARD, KINDS, cave_kind
from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.bots.lookahead.playout import plain_answer
from engine.aladdins_dragons.bots.lookahead.worlds import NOISE, PULL, TENDENCY
from engine.core import Decision, Seat

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
