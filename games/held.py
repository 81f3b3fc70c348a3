"""The games that a request has read, let go at its end.

A game and its seats know each other, so their memory would be free only when Python's collector comes by
(`config/wsgi.py` says what that costs).
"""

import threading
from typing import TYPE_CHECKING, Any

from django.core.signals import request_finished, request_started

if TYPE_CHECKING:
    from games.models import Game

_here = threading.local()  # `games`: of the request that this thread answers; elsewhere nothing is held


def hold(game: "Game") -> None:
    """Remembers a game that knows its seats until the request ends."""
    games = getattr(_here, "games", None)
    if games is not None:
        games.append(game)


def begin(**_signal: Any) -> None:
    """A request begins."""
    _here.games = []


def let_go(**_signal: Any) -> None:
    """It has ended: its games forget their seats. Whoever still has one of them asks anew."""
    games: list[Game] = vars(_here).pop("games", [])
    for game in games:
        game.forget_seats()


def connect() -> None:
    """Called at start-up."""
    request_started.connect(begin, dispatch_uid="games.held.begin")
    request_finished.connect(let_go, dispatch_uid="games.held.let_go")
