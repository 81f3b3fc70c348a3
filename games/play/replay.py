"""Replaying a game from its log: its hash chain, the moves that a roll-back has undone, and the fairness check."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.cache import cache
from django.utils.translation import gettext as _

from engine.records import checking, model
from engine.records.checking import Earlier, Replayed, Stepped, origin_of
from engine.records.model import Agreed, Fault
from games.errors import Conflict
from games.people.speech import current_language
from games.play import stored_moves
from games.play.models import Move
from games.tables.models import Game

Span = tuple[int, int]  # numbers of moves, both included
NEWEST = 2**31 - 1  # as large as the column takes: a move may have been made since the game was read


def roll_backs(game: Game) -> list[Move]:
    """The moves that took the game back, oldest first; asks the database only if there are any."""
    return stored_moves.find(game, kind=Move.Kind.BRANCH) if game.branch else []


def standing_spans(game: Game) -> list[Span]:
    """The moves that lead to where the game stands, newest first: each branch, as far as the next one begins in it."""
    spans, last = [], NEWEST
    for move in reversed(roll_backs(game)):
        if move.seq <= last:
            spans.append((move.seq, last))
            last = origin_of(move).seq
    return [*spans, (1, last)]


def stands(spans: Iterable[Span], seq: int) -> bool:
    """Whether the move of this number is one of them."""
    return any(first <= seq <= last for first, last in spans)


def standing_moves(game: Game) -> list[Move]:
    """The moves that lead to where the game stands, in order."""
    return stored_moves.of_spans(game, standing_spans(game))


class ReplayMismatch(Exception):
    """The log does not lead where the game stands. The message, for people, names the first move that differs."""


def replay(game: Game) -> Replayed:
    """Plays the game again from its seed and moves. Raises ReplayMismatch at the first difference."""
    try:
        return _replay(game)
    except Fault as fault:
        raise ReplayMismatch(checking.say(fault.text, current_language())) from fault


def _replay(game: Game) -> Replayed:
    agreed = agreed_of(game)
    checking.check_commitment(agreed)
    origins = {origin_of(move).seq for move in roll_backs(game)}
    first = None if game.sandbox_of_id is None else _first_of_sandbox(game, stored_moves.find(game, seq=1)[0])
    done = checking.replay(game.rules, agreed, stored_moves.find(game), origins, first)
    if done.moves != game.seq or done.state.decode() != game.state:
        raise Fault("record.state", number=done.moves)
    return done


def genesis_hash(game: Game) -> str:
    """The hash before the first move: what the table agreed on, where it was played."""
    return model.genesis(_agreed(game, [""] * game.seat_count))  # it depends on the number of entropies alone


def agreed_of(game: Game) -> Agreed:
    """Returns the table's settings when the game began; the seats as they were drawn."""
    return _agreed(game, game.seats.order_by("number").values_list("entropy", flat=True))


def _agreed(game: Game, entropies: Iterable[str]) -> Agreed:
    return Agreed(
        ref=game.recorded_as or game.ref,
        rules=game.rules_name,
        version=game.rules_version,
        options=game.options,
        commitment=game.commitment,
        server_seed=game.server_seed,
        entropies=tuple(entropies),
    )


def seed_of(game: Game, branch: int = 0) -> str:
    """The seed a branch of a game is dealt from."""
    return agreed_of(game).seed(branch)


def step(game: Game, state: object, move: Move, earlier: Earlier) -> Stepped:
    """Replays one move of the log on a state (the first one on None); returns the next state, and the events.

    Arguments:
        earlier: for moves that take the game back.
    """
    if move.kind not in (Move.Kind.START, Move.Kind.BRANCH):
        return checking.step(game.rules, state, move)
    if move.kind == Move.Kind.START and game.sandbox_of_id is not None:
        return _first_of_sandbox(game, move)
    return checking.beginning(game.rules, agreed_of(game), move, earlier)


def _first_of_sandbox(game: Game, move: Move) -> Stepped:
    """A sandbox has its first state as its first snapshot."""
    first = game.rules.load(game.snapshots.get(seq=move.seq).state.encode())
    return first, game.rules.load_events(move.events.encode())


# The fairness check: a finished game is replayed from its published seed, for anybody who may see the game

KEPT = 24 * 60 * 60  # seconds; a finished game does not change, and a replay takes about a second
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReplayVerdict:
    """The result of a replay: `fault` is "" if the log leads to the stored state and hashes."""

    moves: int
    fault: str = ""


def check_fairness(game: Game) -> ReplayVerdict:
    """Replays a finished game. Raises Conflict for one that is not: its seed is still secret."""
    if game.status != Game.Status.FINISHED:
        raise Conflict(_("This can be checked when the game is over."))
    key = f"fair:{game.ref}:{game.chain}"
    moves = cache.get(key)
    if moves is not None:
        return ReplayVerdict(moves)
    try:
        moves = replay(game).moves
    except ReplayMismatch as error:
        log.exception("Game %s does not replay", game.ref)
        return ReplayVerdict(game.seq, str(error))
    cache.set(key, moves, KEPT)
    return ReplayVerdict(moves)
