"""Taking a running game back: a moderator to any earlier step, and who plays alone against bots by his last answer.

Both begin a branch: what nobody has seen is dealt anew, later moves stay in the log, and questions get new ids, so that
a worker or a second tab that answers an old one is refused.
"""

from contextlib import suppress
from datetime import datetime
from functools import partial

from django.utils.translation import gettext as _

from engine.records.checking import Origin, origin_of
from engine.records.model import MOST_BRANCHES
from games.errors import Conflict, Illegal
from games.people.models import User
from games.play import decisions, game_moves, history, notify, queries, replay, stored_moves
from games.play.locking import Table, locked, quarantined_on_failure
from games.play.models import Move
from games.tables.models import Game
from games.tables.seats import Seat

MOST_TAKEN_BACK = MOST_BRANCHES // 2  # the rest is left to moderators
FOLLOWS = (Move.Kind.ANSWER, Move.Kind.ADVANCE)  # may have come since an answer that is taken back


def branch_off(*, game_id: int, step: int, actor: User, now: datetime) -> Move:
    """Rolls a game back to one of its steps, as its history counts them; later draws come from a new seed.

    Later moves stay in the log. Ends a quarantine. Seats that resigned after that step stay resigned.

    Raises Conflict for a step that is not behind the game, Quarantined if the rules break.
    """
    with quarantined_on_failure(game_id, now), locked(game_id, even_broken=True) as table:
        game = table.game
        if not 1 <= step < history.count_steps(game):
            raise Conflict(_("This game has no such earlier step."))
        game.quarantined_at = None
        game.save(update_fields=["quarantined_at"])
        game_moves.delete_order_dates(game)
        origin = Origin(step, history.moves_of_step(game, step)[-1].seq, game.branch + 1)
        move = _begin_branch(table, origin, Move(source=Move.Source.MODERATOR, actor=actor), now)
        for seat in [seat for seat in table.seats.values() if seat.status == Seat.Status.RESIGNED]:
            _restore_resignation(table, seat.number, now)
        notify.rolled_back(game, table.seats.values(), now)
        return move


def _begin_branch(table: Table, origin: Origin, move: Move, now: datetime) -> Move:
    game = table.game
    game.branch = origin.branch
    game.save(update_fields=["branch"])
    move.kind, move.action, move.received_at = Move.Kind.BRANCH, origin.dump(), now
    run = partial(replay.step, game, None, move, partial(history.state_after, game))
    branch = game_moves.record(table, move, run, now)
    decisions.propose_anew(table.rows)
    return branch


def _restore_resignation(table: Table, seat: int, now: datetime) -> None:
    move = Move(kind=Move.Kind.RESIGN, seat=seat, source=Move.Source.ADVANCE, received_at=now)
    with suppress(Illegal):  # he had resigned by then
        game_moves.record(table, move, lambda: table.rules.resign(table.state, seat), now)


def take_back(*, game_id: int, seat: int, event: int, actor: User | None, source: str, now: datetime) -> Move:
    """Takes back the last answer of a seat, and what bots have answered since.

    Arguments:
        event: the number of the first public event of that answer, as `find_retractable` names it: doing it twice takes
            back nothing more.
    Raises Conflict if it cannot be taken back (any more), Quarantined if the rules break.
    """
    with quarantined_on_failure(game_id, now), locked(game_id) as table:
        answer = find_retractable(table.game, table.seats.get(seat))
        if answer is None or answer.first_public != event:
            raise Conflict(_("This move can't be taken back any more."))
        step = history.count_steps_until(table.game, answer.first_public - 1)
        origin = Origin(step, answer.seq - 1, table.game.branch + 1, seat)
        return _begin_branch(table, origin, Move(source=source, actor=actor), now)


def find_retractable(game: Game, seat: Seat | None) -> Move | None:
    """Returns the last answer of a seat, if it can be taken back: its player is alone, and nothing that was hidden from
    him has been shown since."""
    if seat is None or not queries.is_alone(game, seat) or game.quarantined_at or game.branch >= MOST_TAKEN_BACK:
        return None
    for first, last in replay.standing_spans(game):
        span = {"seq__gte": first, "seq__lte": last}
        answer = stored_moves.last(game, seat=seat.number, kind=Move.Kind.ANSWER, **span)
        moves = stored_moves.between(game, answer.seq if answer else first, last)
        if not all(_is_plain(game, seat, move) for move in moves):
            return None
        if answer is not None:
            return answer if answer.is_by_person else None
    return None


def _is_plain(game: Game, seat: Seat, move: Move) -> bool:
    """True of a move that has shown its seat nothing new, and is no other act of a player or a moderator."""
    is_own_branch = move.kind == Move.Kind.BRANCH and origin_of(move).seat is not None
    rules = game.rules
    events = (rules.redact(event, seat.number) for event in rules.load_events(move.events.encode()))
    is_shown = any(event is not None and rules.shows_hidden(event) for event in events)
    return (move.kind in FOLLOWS or is_own_branch) and not is_shown
