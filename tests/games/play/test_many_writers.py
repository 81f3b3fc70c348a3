"""Eight at once open tables and play on one database; on SQLite they queue, and nobody is refused its file."""

from http import HTTPStatus
from random import Random

import pytest
from django.test import Client

from games.lobby import lifecycle
from games.models import Game, Move
from games.play import game_moves
from notifications.clock import present
from tests.games.conftest import fresh, make_user, new_table, open_rows, some_answer
from tests.games.play.test_concurrency import at_once

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS, TABLES, ANSWERS = 8, 3, 6


def play_some(game: Game, dice: Random) -> int:
    """Answers what the game asks, whomever, and takes it on; returns how many answers were stored."""
    for _ in range(ANSWERS):
        while not (rows := open_rows(game)):
            game_moves.advance(game_id=game.pk, now=present.now())
        row = rows[0]
        game_moves.submit(
            game_id=game.pk,
            seat=row.seat.number,
            decision=row.code,
            action=some_answer(fresh(game), row, dice.randrange(100)),
            source=Move.Source.WEB,
            received_at=present.now(),
        )
    return ANSWERS


def test_eight_writers_that_open_tables_and_play_are_never_told_that_the_database_is_locked() -> None:
    people = [make_user(f"Writer{number}") for number in range(2 * WRITERS)]

    def write(index: int) -> int:
        host, guest, dice, stored = people[index], people[WRITERS + index], Random(index), 0
        client = Client()
        client.force_login(host)
        for _ in range(TABLES):
            game = new_table(host, present.now(), rules_name="cave-of-wonders", options={}, seat_count=2)
            lifecycle.join(game_id=game.pk, user=guest, now=present.now())
            lifecycle.start(game_id=game.pk, host=host, now=present.now())
            stored += play_some(game, dice)
            assert client.get(f"/table/{game.ref}/").status_code == HTTPStatus.OK
        return stored

    assert at_once(WRITERS, write) == [TABLES * ANSWERS] * WRITERS
    assert Game.objects.count() == WRITERS * TABLES
    assert Move.objects.filter(source=Move.Source.WEB).count() == WRITERS * TABLES * ANSWERS
