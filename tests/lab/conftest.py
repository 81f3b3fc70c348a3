"""Fixtures of the laboratory's tests: people and tables of the service's tests."""

from tests.games.conftest import (  # noqa: F401
    anna,
    ben,
    carla,
    game,
    kept_game,
    kept_here,
    kept_people,
    kept_placing,
    kept_table,
    kept_three,
    placing,
    table,
)
