"""Whoever is named in the table talk gets the words by mail."""

import datetime as dt

from games.models import Comment, Game, User
from games.play import table_talk
from tests.games.letters.conftest import mail, stale


def test_the_words_come_with_their_author_and_the_way_to_answer(game: Game, anna: User, ben: User, now: dt.datetime):
    table_talk.say(game_id=game.pk, user=anna, text="@Ben your move?\nI <b>wait.", now=now)
    letter = mail("talk", ben)
    assert letter.subject == "Anna mentioned you in Thursday"
    assert "    @Ben your move?" in letter.text.replace("\uff20", "@") and "    I <b>wait." in letter.text
    assert "I &lt;b&gt;wait." in letter.html and "<b>wait" not in letter.html
    for part in (letter.text, letter.html):
        assert f"/table/{game.ref}/#talk" in part
    assert letter.has_one_click and "/talk/" in letter.unsubscribe_url


def test_nothing_that_was_typed_becomes_a_link(game: Game, anna: User, ben: User, now: dt.datetime) -> None:
    table_talk.say(game_id=game.pk, user=anna, text="@Ben https://evil.example.com/win or a@b.example", now=now)
    letter = mail("talk", ben)
    for part in (letter.text, letter.html):
        assert "evil.example" not in part and "https://evil" not in part and "a@b" not in part


def test_words_that_were_taken_back_are_not_mailed(game: Game, anna: User, ben: User, now: dt.datetime) -> None:
    comment = table_talk.say(game_id=game.pk, user=anna, text="@Ben oh no", now=now)
    assert stale("talk", ben) == ""
    table_talk.hide(comment=Comment.objects.get(pk=comment.pk), user=anna, now=now)
    assert stale("talk", ben) == "comment_removed"
