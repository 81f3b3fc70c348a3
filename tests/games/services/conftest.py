"""Games that several suites of the services begin with."""

import pytest

from games.models import Game, User
from tests.conftest import NOON
from tests.games.conftest import Keep, of_three, to_placing
from tests.games.kept import Stage


@pytest.fixture(scope="session")
def kept_strict(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """The game of `strict`."""
    return kept_here(lambda: to_placing(of_three(NOON, is_first_miss_excused=False), NOON), *kept_three)


@pytest.fixture
def strict(anna: User, ben: User, carla: User, kept_strict: Stage) -> Game:
    """A game in its placing part, where no miss is excused."""
    return kept_strict.bring()
