"""The hash chain of a game, and replaying it from its log.

The same seed and the same answers must lead to the same states and hashes; `engine.records` defines both.
"""

from collections.abc import Iterable

from engine.records import checking, model
from engine.records import checking as words
from engine.records.checking import Earlier, Replayed, Stepped, origin_of
from engine.records.model import Agreed, Fault
from games.play import stored_moves
from games.play.models import Move
from games.play.queries import current_language
from games.play.roll_backs import roll_backs
from games.tables.models import Game


class ReplayMismatch(Exception):
    """The log does not lead where the game stands. The message, for people, names the first move that differs."""


def replay(game: Game) -> Replayed:
    """Plays the game again from its seed and moves. Raises ReplayMismatch at the first difference."""
    try:
        return _replay(game)
    except Fault as fault:
        raise ReplayMismatch(words.say(fault.text, current_language())) from fault


def _replay(game: Game) -> Replayed:
    agreed = agreed_of(game)
    checking.check_commitment(agreed)
    origins = {origin_of(move).seq for move in roll_backs(game)}
    first = None if game.sandbox_of_id is None else _first_of_sandbox(game, stored_moves.find(game, seq=1)[0])
    done = checking.replay(game.rules, agreed, stored_moves.find(game), origins, first)
    if done.moves != game.seq or done.state.decode() != game.state:
        raise Fault("record.state", number=done.moves)
    return done


def start_chain(game: Game) -> None:
    """Starts the hash chain of a game that begins; the game is not saved."""
    game.chain_version = model.NEWEST
    game.chain = genesis_hash(game)


def genesis_hash(game: Game) -> str:
    """The hash before the first move: what the table agreed on, where it was played."""
    return model.genesis(_agreed(game, [""] * game.seat_count))  # it depends on the number of entropies alone


def agreed_of(game: Game) -> Agreed:
    """What the table had agreed on when the game began; the seats as they were drawn."""
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
        chain_version=game.chain_version,
    )


def seed_of(game: Game, branch: int = 0) -> str:
    """The seed a branch of a game is dealt from."""
    return agreed_of(game).seed(branch)


def step(game: Game, state: object, move: Move, earlier: Earlier) -> Stepped:
    """What one move of the log makes of a state (the first one of None): the next state, and the events.

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
