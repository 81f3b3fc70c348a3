"""What is copied in is what the services have made, and is in nobody's way."""

import pytest

from games.models import Game, Seat, User
from games.play.replay import replay
from notifications.models import Notice, Recipient
from tests.conftest import NOON
from tests.games.conftest import make_user, new_table, of_three, open_rows
from tests.games.kept import keep


def test_what_is_kept_is_gone_until_it_is_brought_and_then_all_there(db):
    stage = keep(lambda: new_table(make_user("Eva"), NOON, bots=("random",)))
    assert not (User.objects.exists() or Recipient.objects.exists() or Game.objects.exists())
    game = stage.bring()
    assert (game.title, game.host.name, game.host.recipient.address) == ("Thursday", "Eva", "eva@example.org")
    assert list(game.seats.order_by("number").values_list("name", flat=True)) == ["Eva", "Bot random"]
    assert (Game.objects.count(), Seat.objects.count(), User.objects.count()) == (1, 2, 1)


def test_a_stage_changes_what_it_is_built_on(game, kept_placing):
    first = {row.pk for row in open_rows(game)}
    placing = kept_placing.bring()
    assert placing.pk == game.pk and placing.seq > game.seq
    assert not first & {row.pk for row in open_rows(placing)}


def test_a_game_that_was_brought_replays_and_its_people_were_told(placing):
    assert replay(placing).moves == placing.seq > 3
    told = Notice.objects.filter(kind="started").values_list("recipient__name", flat=True)
    assert sorted(told) == ["Anna", "Ben", "Carla"]


def test_what_a_test_adds_before_and_after_is_in_nobodys_way(request, db):
    eva = make_user("Eva")
    ben, anna = request.getfixturevalue("ben"), request.getfixturevalue("anna")
    dora = make_user("Dora")
    table, game = request.getfixturevalue("table"), request.getfixturevalue("game")
    other = of_three(NOON)
    assert len({eva.pk, ben.pk, anna.pk, dora.pk}) == 4
    assert len({table.pk, game.pk, other.pk}) == 3


def test_a_stage_that_takes_something_away_is_refused(db):
    stage = keep(lambda: make_user("Eva"))
    with pytest.raises(AssertionError):
        keep(lambda: User.objects.all().delete() and make_user("Dora"), [stage])
