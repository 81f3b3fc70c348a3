"""The seats of a game that were read are kept for whoever asks for them."""

import pytest

from games.models import Game, Seat
from games.tables.seats import read_seats


def test_seats_that_were_read_are_not_read_again_and_know_their_game(placing: Game, django_assert_num_queries) -> None:
    game = Game.objects.get(pk=placing.pk)
    read_seats(game)
    with django_assert_num_queries(0):
        assert [(seat.number, seat.game) for seat in game.seated()] == [(number, game) for number in range(3)]
        assert all(seat.game is game for seat in game.seated())


def test_they_stay_when_a_field_is_read_later_but_not_when_all_is_read_anew(placing: Game) -> None:
    game = Game.objects.defer("state").get(pk=placing.pk)
    read_seats(game)
    known = game.seated()
    assert game.state
    assert all(one is other for one, other in zip(game.seated(), known, strict=True))
    Seat.objects.filter(game=game, number=0).update(name="Another")
    assert game.seated()[0].name != "Another"
    game.refresh_from_db()
    assert game.seated()[0].name == "Another"


@pytest.mark.parametrize("is_known", [True, False])
def test_they_come_by_number(placing: Game, is_known: bool) -> None:
    game = Game.objects.get(pk=placing.pk)
    if is_known:
        game.know_seats(Seat.objects.filter(game=game).order_by("-number"))
    assert [seat.number for seat in game.seated()] == [0, 1, 2]
