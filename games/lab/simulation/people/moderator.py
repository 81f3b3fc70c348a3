"""A moderator, who takes a game back to an earlier step."""

from datetime import timedelta
from random import Random

from games.lab.simulation.timeline import Timeline
from games.log import history
from games.models import Game, User
from games.moderation.games import earlier_steps

EVERY = timedelta(hours=5)  # between two looks at the game
FIRST, LAST = 5, 40  # steps after which the rollback comes
MOST_BACK = 15  # steps that are rolled back
REASON = "An answer was given from the wrong seat."


class Moderator:
    """Rolls a game back once, after a number of steps drawn at random."""

    def __init__(self, timeline: Timeline, game: Game, dice: Random) -> None:
        self._timeline, self._game, self._dice = timeline, game, dice
        self._user = User.objects.create_superuser(f"moderator-{game.ref}@example.org", name="Eve")
        self._after = dice.randint(FIRST, LAST)
        timeline.at(timeline.now + EVERY, self._look)

    def _look(self) -> None:
        game = Game.objects.get(pk=self._game.pk)
        if game.is_over:
            return
        count = history.count_of(game)
        if count <= self._after:
            self._timeline.at(self._timeline.now + EVERY, self._look)
            return
        step = self._dice.randrange(max(1, count - MOST_BACK), count)
        earlier_steps.roll_back(game=game, step=step, by=self._user, reason=REASON, now=self._timeline.now)
