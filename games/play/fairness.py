"""The fairness check: replays a finished game from its published seed, for anybody who may see the game."""

import logging
from dataclasses import dataclass

from django.core.cache import cache
from django.utils.translation import gettext as _

from games.errors import Conflict
from games.play.replay import ReplayMismatch, replay
from games.tables.models import Game

KEPT = 24 * 60 * 60  # seconds; a finished game does not change, and a replay takes about a second
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReplayVerdict:
    """The result of a replay: `fault` is "" if the log leads to the stored state and hashes."""

    moves: int
    fault: str = ""


def check(game: Game) -> ReplayVerdict:
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
