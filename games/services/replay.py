"""Replaying a game from its log: the same seed and the same answers must lead to the same states and hashes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.rng import commitment, game_seed
from games.branches import origin_of, roll_backs
from games.models import Game, Move
from games.services import chain

Earlier = Callable[[int], Any]  # gives the state after a move by its number


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
    kept = {origin_of(move).seq: b"" for move in roll_backs(game)}
    for count, move in enumerate(game.moves.order_by("seq").iterator(), start=1):
        if move.seq != count:
            raise ReplayMismatch(_("Move %(number)s is missing.") % {"number": count})
        try:
            state, events = step(game, state, move, lambda seq: rules.load(kept[seq]))
        except Exception as error:  # whatever the rules say to an answer that nobody can have given
            raise ReplayMismatch(_("Move %(number)s is not possible.") % {"number": count}) from error
        data = rules.dump(state)
        if rules.dump_events(events).decode() != move.events:
            raise ReplayMismatch(_("Move %(number)s leads to other events.") % {"number": count})
        if count in kept:
            kept[count] = data
        head = chain.link(head, move, data)
        if head != move.chain:
            raise ReplayMismatch(_("The hash chain breaks at move %(number)s.") % {"number": count})
    if count != game.seq or data.decode() != game.state:
        raise ReplayMismatch(_("The stored state is not the one after move %(number)s.") % {"number": count})
    return Replayed(count, data)


def seed_of(game: Game, branch: int = 0) -> str:
    """The seed a branch of a game is dealt from."""
    entropies = list(game.seats.order_by("number").values_list("entropy", flat=True))
    return game_seed(bytes.fromhex(game.server_seed), entropies, branch)


def step(game: Game, state: Any, move: Move, earlier: Earlier) -> tuple[Any, list[Any]]:
    """What one move of the log makes of a state (the first one of None): the next state, and the events.

    Arguments:
        earlier: for moves that take the game back.
    """
    rules = game.rules
    if move.kind in (Move.Kind.START, Move.Kind.BRANCH):
        return _beginning(game, move, earlier)
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


def _beginning(game: Game, move: Move, earlier: Earlier) -> tuple[Any, list[Any]]:
    """The first state of a game, of a sandbox (which has it as its first snapshot), or of a branch."""
    rules = game.rules
    if move.kind == Move.Kind.BRANCH:
        origin = origin_of(move)
        return rules.branch_off(earlier(origin.seq), seed_of(game, origin.branch), origin.step, origin.branch)
    if game.sandbox_of_id is None:
        return rules.new(game.seat_count, game.options, seed_of(game))
    first = rules.load(game.snapshots.get(seq=move.seq).state.encode())
    return first, rules.load_events(move.events.encode())
