"""Replaying a game from its log: the same seed and the same answers must lead to the same states and hashes."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.rng import commitment, game_seed
from games.models import Game, Move
from games.services import chain


class ReplayMismatch(Exception):
    """The log does not lead where the game stands. The message, for people, names the first move that differs."""


@dataclass(frozen=True)
class Replayed:
    """What a replay confirmed: how many moves, and the state they lead to."""

    moves: int
    state: bytes


def replay(game: Game) -> Replayed:
    """Plays the game again from its seed and moves. Raises ReplayMismatch at the first difference."""
    if commitment(bytes.fromhex(game.server_seed)) != game.commitment:
        raise ReplayMismatch(_("The seed is not the one that was committed to."))
    rules = game.rules
    state: Any = None
    head = chain.genesis(game)
    data, count = b"", 0
    for count, move in enumerate(game.moves.order_by("seq").iterator(), start=1):
        if move.seq != count:
            raise ReplayMismatch(_("Move %(number)s is missing.") % {"number": count})
        try:
            state, events = step(game, state, move)
        except Exception as error:  # whatever the rules say to an answer that nobody can have given
            raise ReplayMismatch(_("Move %(number)s is not possible.") % {"number": count}) from error
        data = rules.dump(state)
        if rules.dump_events(events).decode() != move.events:
            raise ReplayMismatch(_("Move %(number)s leads to other events.") % {"number": count})
        head = chain.link(head, move, data)
        if head != move.chain:
            raise ReplayMismatch(_("The hash chain breaks at move %(number)s.") % {"number": count})
    if count != game.seq or data.decode() != game.state:
        raise ReplayMismatch(_("The stored state is not the one after move %(number)s.") % {"number": count})
    return Replayed(count, data)


def step(game: Game, state: Any, move: Move) -> tuple[Any, list[Any]]:
    """What one move of the log makes of a state (the first one of None): the next state, and the events."""
    rules = game.rules
    if move.kind == Move.Kind.START:
        entropies = list(game.seats.order_by("number").values_list("entropy", flat=True))
        return rules.new(game.seat_count, game.options, game_seed(bytes.fromhex(game.server_seed), entropies))
    if move.kind == Move.Kind.ADVANCE:
        return rules.advance(state)
    assert move.seat is not None, move
    if move.kind == Move.Kind.RESIGN:
        return rules.resign(state, move.seat)
    if move.kind == Move.Kind.END:
        return rules.end(state, move.seat)
    if move.kind == Move.Kind.ORDERS:
        return rules.instruct(state, move.seat, rules.load_orders(move.action.encode()))
    answer = rules.apply if move.is_by_person else rules.stand_in
    return answer(state, move.decision, move.seat, rules.load_action(move.action.encode()))
