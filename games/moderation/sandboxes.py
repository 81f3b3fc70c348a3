"""Sandboxes: a moderator tries things out on a copy of a position. What was hidden in it has been dealt anew.

Nobody is told of one, no clock runs there, and it counts for nothing; after some time it is removed.
"""

import secrets
from datetime import datetime, timedelta
from random import SystemRandom

from django.db import transaction
from django.utils.translation import gettext as _

from engine.core.branches import Branched
from engine.core.rng import commitment
from games.errors import Conflict, NotFound
from games.log import history, replay
from games.models import Game, ModerationEntry, Seat, Snapshot, User
from games.moderation.entries import check_moderator, record_entry
from games.play import automatic_answers, game_moves, locking

KEPT = timedelta(days=14)
COPIED = ("rules_name", "rules_version", "options", "seat_count", "pace", "on_timeout", "absent_seats")


@transaction.atomic
def copy(*, game: Game, step: int, seat: int, by: User, reason: str, now: datetime) -> Game:
    """Copies a game as it stood after a step to a table of its own; bots play the other seats.

    All that a spectator could not see then is drawn at random: a sandbox tells nothing of the game.

    Arguments:
        seat: number of the seat on which the moderator sits.
    Raises Conflict for a game that has not begun, a step there is not or a position that is over, NotFound for a seat
    there is not.
    """
    check_moderator(by, game)
    if not game.started_at or not 1 <= step <= history.count_of(game):
        raise Conflict(_("There is no such step in this game."))
    if not 0 <= seat < game.seat_count:
        raise NotFound(_("There is no such seat at this table."))
    rules = game.rules
    earlier = history.state_after(game, history.moves_of(game, step)[-1].seq)
    if rules.outcome(earlier) is not None:
        raise Conflict(_("The game was over then."))
    record_entry(ModerationEntry.Action.SANDBOX, by=by, game=game, reason=reason, now=now)
    table = _lay_out(game, by, now)
    seats = {one.number: _sit(table, one, by if one.number == seat else None, now) for one in game.seated()}
    state = rules.determinise(rules.view(earlier, None), SystemRandom())
    first = game_moves.begin(locking.Table(table, rules, state, seats), [Branched(step, 0)], now)
    Snapshot.objects.create(game=table, seq=first.seq, state=table.state)
    return table


def _lay_out(game: Game, by: User, now: datetime) -> Game:
    seed = secrets.token_bytes(32)
    table = Game(
        title=_("Sandbox: %(table)s") % {"table": game.title[:40]},
        host=by,
        sandbox_of=game,
        status=Game.Status.RUNNING,
        paused_at=now,
        paused_by=Game.PausedBy.SANDBOX,
        server_seed=seed.hex(),
        commitment=commitment(seed),
        created_at=now,
        started_at=now,
        expires_at=now + KEPT,
        **{name: getattr(game, name) for name in COPIED},
    )
    replay.start_chain(table)
    table.save()
    return table


def _sit(table: Game, like: Seat, user: User | None, now: datetime) -> Seat:
    """A seat of the same name; a bot's, or the moderator's."""
    bot = "" if user else automatic_answers.SUBSTITUTE
    return Seat.objects.create(game=table, number=like.number, name=like.name, user=user, bot=bot, joined_at=now)
