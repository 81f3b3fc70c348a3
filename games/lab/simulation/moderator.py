"""A moderator who takes a game back to an earlier step, once, in a share of the games."""

from datetime import timedelta
from random import Random

from games.lab.simulation.world import SimulatedWorld
from games.log import history
from games.models import Game, User
from games.moderation import roll_back as moderation_roll_back

EVERY = timedelta(hours=5)  # so often he looks how far the game has come
FIRST, LAST = 5, 40  # steps after which he acts
MOST_BACK = 15  # steps that he takes back
REASON = "An answer was given from the wrong seat."


class Moderator:
    """Waits until a game has come as far as he has drawn, takes it back once, and is heard of no more."""

    def __init__(self, world: SimulatedWorld, game: Game, dice: Random) -> None:
        self._world, self._game, self._dice = world, game, dice
        self._user = User.objects.create_superuser(f"moderator-{game.ref}@example.org", name="Eve")
        self._after = dice.randint(FIRST, LAST)
        world.at(world.now + EVERY, self._look)

    def _look(self) -> None:
        game = Game.objects.get(pk=self._game.pk)
        if game.is_over:
            return
        count = history.count_of(game)
        if count <= self._after:
            self._world.at(self._world.now + EVERY, self._look)
            return
        step = self._dice.randrange(max(1, count - MOST_BACK), count)
        moderation_roll_back.roll_back(game=game, step=step, by=self._user, reason=REASON, now=self._world.now)
