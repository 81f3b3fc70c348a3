"""Taking a puzzle back while it is stored or answered. Real races on PostgreSQL."""

import datetime as dt
from contextlib import suppress

import pytest

from games.errors import NotFound
from games.lobby import puzzles
from games.models import Game, LentPuzzle, PuzzleRating, User
from games.people import accounts
from games.people.accounts import ProfileChange
from tests.games.lobby.lending import all_lend, found, lend_one
from tests.games.people.test_blocks_at_once import before_it_is_stored

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def take_back(user: User) -> None:
    wanted = ProfileChange(name=user.name, language="en", zone="UTC", lends_positions=False)
    accounts.change_profile(user=user, wanted=wanted)


def test_what_is_taken_back_as_it_is_stored_is_gone_whichever_comes_first(
    game: Game, anna: User, ben: User, carla: User
) -> None:
    all_lend(anna, ben, carla)
    before_it_is_stored(lambda: puzzles.lend(found(), game), lambda: take_back(ben))
    assert not LentPuzzle.objects.exists()
    all_lend(ben)
    before_it_is_stored(lambda: take_back(ben), lambda: puzzles.lend(found(), game))
    assert not LentPuzzle.objects.exists()


def test_what_is_taken_back_as_it_is_answered_leaves_no_rating_whichever_comes_first(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    def answer() -> None:
        with suppress(NotFound):
            puzzles.answer(recipient=anna.recipient, packed=packed, value=value, now=now)

    packed = puzzles.find(lend_one(game))
    value = puzzles.opened(packed).choices()[0][0]
    before_it_is_stored(answer, lambda: take_back(ben))
    assert not PuzzleRating.objects.exists()
    lend_one(game, "lent-1")
    packed = puzzles.find("lent-1")
    before_it_is_stored(lambda: take_back(ben), answer)
    assert not PuzzleRating.objects.exists()
