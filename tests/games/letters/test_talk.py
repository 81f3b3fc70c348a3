"""Whoever is named in the table talk gets the words by mail."""

import datetime as dt

from games.models import Comment, Game, User
from games.play import table_talk
from notifications.models import Notice
from tests.games.letters.conftest import mail, stale


def test_the_words_come_with_their_author_and_the_way_to_answer(game: Game, anna: User, ben: User, now: dt.datetime):
    table_talk.say(game_id=game.pk, user=anna, text="@Ben your move?\nI <b>wait.", now=now)
    letter = mail("talk", ben)
    assert letter.subject == "Anna mentioned you in Thursday"
    assert "    @Ben your move?" in letter.text.replace("\uff20", "@") and "    I <b>wait." in letter.text
    assert "I &lt;b&gt;wait." in letter.html and "<b>wait" not in letter.html
    for part in (letter.text, letter.html):
        assert f"/table/{game.ref}/#talk-said" in part
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


def test_who_hears_every_message_gets_them_folded_and_who_has_read_them_none(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    seat = game.seats.get(user=ben)
    seat.hears_all_talk = True
    seat.save()
    spoken = [table_talk.say(game_id=game.pk, user=anna, text="Hello", now=now)]
    assert mail("talk", ben).subject == "Anna wrote in Thursday"
    assert not Notice.objects.filter(kind="talk", recipient=carla.recipient).exists()
    for minute, (user, text) in enumerate(((carla, "Hi"), (ben, "Me too"), (anna, "Good luck")), start=1):
        at = now + dt.timedelta(minutes=minute)
        spoken.append(table_talk.say(game_id=game.pk, user=user, text=text, now=at))
    assert Notice.objects.filter(kind="talk", recipient=ben.recipient).count() == 1, "what nobody was sent becomes one"
    letter = mail("talk", ben)
    assert letter.subject == "3 new messages in Thursday"
    for words in ("Anna:", "    Hello", "Carla:", "    Hi", "    Good luck"):
        assert words in letter.text
    assert "Me too" not in letter.text
    table_talk.mark_read(game=game, user=ben, now=now + dt.timedelta(minutes=5))
    assert stale("talk", ben) == "talk_read"


def test_the_mail_of_a_turn_says_what_is_unread(game: Game, anna: User, ben: User, now: dt.datetime) -> None:
    assert "new message" not in mail("due", ben).text
    table_talk.say(game_id=game.pk, user=anna, text="Hello", now=now)
    letter = mail("due", ben)
    assert "1 new message" in letter.text and "1 new message" in letter.html and "Hello" not in letter.text
