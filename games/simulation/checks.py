"""What must hold after every step, and at the end. Each function raises Broken with what does not."""

from datetime import datetime

from games.models import Decision, Game, Move, Seat
from games.services.replay import ReplayMismatch, replay
from games.services.telling import thread_of
from games.simulation.doors import Broken
from notifications.models import OPEN_STATES, Delivery

PERSONAL = frozenset({Move.Source.WEB, Move.Source.LINK, Move.Source.MAIL, Move.Source.API})


def after_step(game: Game, now: datetime) -> None:
    """The cheap ones: the log grows by one at a time, and what is asked is what the rules ask."""
    game.refresh_from_db()
    _expect(game.quarantined_at is None, f"the game broke at move {game.seq}")
    _expect(game.moves.count() == game.seq, f"{game.moves.count()} moves, the last one is number {game.seq}")
    if game.status == Game.Status.RUNNING:
        _check_asked(game)
        _check_deadlines(game, now)


def _check_asked(game: Game) -> None:
    asked = {(one.id, one.seat) for one in game.rules.decisions(game.load_state()) if one.prompted}
    rows = game.decisions.filter(status=Decision.Status.OPEN).values_list("code", "seat__number")
    _expect(set(rows) == asked, f"the rules ask {sorted(asked)}, the service {sorted(rows)}")


def _check_deadlines(game: Game, now: datetime) -> None:
    """Whoever is waited for has a clock; nobody is waited for who is away."""
    for row in game.decisions.filter(status=Decision.Status.OPEN).select_related("seat"):
        has_clock = row.due_at is not None or bool(game.paused_by)
        _expect(row.is_automatic or has_clock, f"{row} waits without a deadline")
        _expect(row.is_automatic or row.seat.status == Seat.Status.ACTIVE, f"{row} waits for somebody who is away")


def at_the_end(game: Game, now: datetime) -> None:
    """The dear ones: the log replays, nobody was passed too early, nothing is owed any more."""
    try:
        replay(game)
    except ReplayMismatch as error:
        raise Broken(str(error)) from error
    for row in game.decisions.filter(due_at__isnull=False):
        passed = game.moves.filter(decision=row.code, seat=row.seat.number, source=Move.Source.DEADLINE).first()
        _expect(
            passed is None or (row.due_at is not None and passed.made_at >= row.due_at),
            f"{row} was passed before its deadline",
        )
    open_rows = game.decisions.filter(status=Decision.Status.OPEN).count()
    _expect(not open_rows, f"{open_rows} questions of a finished game are open")
    owed = Delivery.objects.filter(notice__thread=thread_of(game), state__in=OPEN_STATES, attempt_after__lte=now)
    _expect(not owed.exists(), f"{owed.count()} mails of a finished game are due and were not sent")


def _expect(holds: bool, fault: str) -> None:
    if not holds:
        raise Broken(fault)
