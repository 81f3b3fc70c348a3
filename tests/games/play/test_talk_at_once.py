"""Table talk of people who write at the same moment. Real races on PostgreSQL."""

import datetime as dt
import threading

import pytest
from django.db import connection, transaction

from games.models import Comment, Game, User
from games.play import table_talk

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
PATIENCE = 20.0  # seconds


def test_lines_of_one_instant_keep_the_places_in_which_they_were_first_seen(
    table: Game, game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    is_written, may_end, seen = threading.Event(), threading.Event(), []

    def first() -> None:
        with transaction.atomic():
            table_talk.say(game_id=game.pk, user=anna, text="first", now=now)
            is_written.set()
            may_end.wait(PATIENCE)
        connection.close()

    def second() -> None:
        is_written.wait(PATIENCE)
        table_talk.say(game_id=game.pk, user=ben, text="second", now=now)
        seen.extend(Comment.objects.order_by("pk").values_list("text", flat=True))
        connection.close()

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    for thread in threads:
        thread.start()
    is_written.wait(PATIENCE)
    threads[1].join(0.5)  # before the mend the second line was there by now, and seen in the first place
    may_end.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert seen == ["first", "second"]
