"""A seat that wants to know is told once between two of its answers that it is next, where the order is public."""

import datetime as dt

import pytest

from games.models import Game, User
from notifications.models import Notice
from tests.games.conftest import answer, fresh, open_rows, running, settle, some_answer
from tests.games.letters.conftest import mail, stale


def asked(game: Game, now: dt.datetime) -> int:
    """The seat that is asked, after whatever goes by itself."""
    settle(now)
    return open_rows(game)[0].seat.number


def goes_on(game: Game, now: dt.datetime, dice: int) -> None:
    row = open_rows(game)[0]
    answer(game, row, now, some_answer(fresh(game), row, dice))


def test_the_seat_behind_the_one_that_is_asked_is_told_once_and_no_more_when_it_is_asked(
    placing: Game, anna: User, now: dt.datetime
) -> None:
    placing.seats.filter(user=anna).update(hears_next=True)
    number = placing.seats.get(user=anna).number
    for dice in range(6):
        before = (number - asked(placing, now)) % 3
        told = Notice.objects.filter(kind="next").count()
        if told and before == 1:
            letter = mail("next", anna)
            assert letter.subject == "Thursday: you are next" and f"/table/{placing.ref}/" in letter.text
        if told and before == 0:
            assert stale("next", anna) == "asked_since"
        goes_on(placing, now, dice)
    told = Notice.objects.filter(kind="next")
    assert 1 <= told.count() <= 2 and {row.recipient for row in told} == {anna.recipient}


@pytest.mark.slow
def test_in_the_cave_of_wonders_a_turn_of_several_questions_tells_it_once(
    anna: User, ben: User, now: dt.datetime
) -> None:
    game = running(anna, [ben], now, rules_name="cave-of-wonders", seat_count=2, options={})
    game.seats.update(hears_next=True)
    turns, last = 0, None
    for dice in range(16):
        number = asked(game, now)
        turns, last = turns + (number != last), number
        goes_on(game, now, dice)
    assert turns > 2 and turns - 2 <= Notice.objects.filter(kind="next").count() <= turns


def test_nobody_is_told_of_what_all_are_asked_at_once_nor_who_has_not_asked_for_it(
    game: Game, anna: User, now: dt.datetime
) -> None:
    game.seats.filter(user=anna).update(hears_next=True)
    assert fresh(game).rules.next_seat(fresh(game).rules.view(fresh(game).load_state(), None)) is None
    goes_on(game, now, 1)
    assert not Notice.objects.filter(kind="next").exists()
