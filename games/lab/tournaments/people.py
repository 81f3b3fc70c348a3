"""People at a tournament: they play as simulated players do, and some of them leave, give up or stay away."""

from enum import Enum, auto
from random import Random
from typing import Any

from games.errors import ServiceError
from games.lab.simulation.people.player import SimulatedPlayer
from games.models import Game, Move, Seat, Tournament
from games.play import endings
from games.tournaments import entering


class Goodbye(Enum):
    """How somebody stops playing."""

    LEAVES = auto()  # says so, and plays the game that has begun to its end
    RESIGNS = auto()  # says so, and resigns at the table
    VANISHES = auto()  # answers no email any more


class TournamentPlayer(SimulatedPlayer):
    """Somebody who has entered.

    Arguments:
        tournament: the one that he has entered.
        leaves: in what share of the rounds he stops playing, in one of three ways.
        mood: draws whether he does.
    """

    def __init__(self, *args: Any, tournament: Tournament, leaves: float, mood: Random) -> None:
        super().__init__(*args)
        self.goodbye: Goodbye | None = None
        self._tournament, self._leaves, self._mood = tournament, leaves, mood
        self._heard: set[int] = set()  # of games

    def hear(self, game: Game) -> None:
        """Stops playing with the first email of a game, perhaps; else looks at the game some time later."""
        if game.pk not in self._heard:
            self._heard.add(game.pk)
            if self.goodbye is None and self._mood.random() < self._leaves:
                self._say_goodbye(self._mood.choice(list(Goodbye)), game)
        if self.goodbye is not Goodbye.VANISHES:
            super().hear(game)

    def _say_goodbye(self, how: Goodbye, game: Game) -> None:
        self.goodbye = how
        if how is Goodbye.VANISHES:
            return
        now = self.timeline.now
        entering.leave(tournament_id=self._tournament.pk, user=self.user, now=now)
        if how is Goodbye.RESIGNS:
            seat = Seat.objects.get(game=game, user=self.user)
            try:
                endings.resign(game_id=game.pk, seat=seat.number, actor=self.user, source=Move.Source.WEB, now=now)
            except ServiceError:
                return  # all others have resigned before, or the game is over
