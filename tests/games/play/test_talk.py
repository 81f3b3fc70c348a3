"""Table talk and notes: who may write what, whom it reaches, and what is left out of it."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import Illegal, NotFound, TooMany
from games.models import Comment, Game, Note
from games.people import speech
from games.play import absences, table_talk
from notifications.models import Notice
from tests.games.conftest import make_user, running, seat_of


def say(game: Game, user, text: str, now) -> Comment:
    return table_talk.say(game_id=game.pk, user=user, text=text, now=now)


def told(user) -> int:
    return Notice.objects.filter(recipient=user.recipient, kind="talk").count()


def test_a_player_speaks_under_his_name_at_the_table(game, ben, now):
    comment = say(game, ben, "  Good luck!\r\nMay the best win. ", now)
    assert (comment.name, comment.text) == ("Ben", "Good luck!\nMay the best win.")


def test_an_outsider_cannot_speak(game, david, now):
    with pytest.raises(NotFound):
        say(game, david, "Hello", now)
    assert not Comment.objects.exists()


def test_the_host_may_speak_at_a_table_he_does_not_sit_at(game, david, now):
    Game.objects.filter(pk=game.pk).update(host=david)
    assert say(game, david, "Welcome", now).name == "David"


@pytest.mark.parametrize("text", ["", " \n ", "\u202e\u0000", "x" * 1001])
def test_nothing_and_too_much_are_refused(game, ben, now, text):
    with pytest.raises(Illegal):
        say(game, ben, text, now)
    assert not Comment.objects.exists()


def test_a_second_click_is_one_line_and_the_same_words_later_are_two(game, ben, now):
    first = say(game, ben, "Nice", now)
    assert say(game, ben, "Nice", now + timedelta(seconds=5)) == first
    assert say(game, ben, "Nice", now + timedelta(minutes=5)) != first


def test_who_writes_too_much_has_to_wait(game, ben, carla, now):
    for number in range(6):
        say(game, ben, f"line {number}", now)
    with pytest.raises(TooMany):
        say(game, ben, "one more", now)
    say(game, carla, "I may still speak", now)
    say(game, ben, "and so may I", now + timedelta(minutes=2))


def test_the_limit_counts_all_tables_together(game, anna, ben, carla, now):
    other = running(anna, [ben, carla], now)
    for number in range(6):
        say(game, ben, f"line {number}", now)
    with pytest.raises(TooMany):
        say(other, ben, "hello", now)


def test_whoever_is_named_is_told_once_and_nobody_else(game, anna, ben, carla, now):
    say(game, ben, "@carla, your turn. @Carla! And @Ben is me, mail@Anna.example is not her.", now)
    assert (told(carla), told(ben), told(anna)) == (1, 0, 0)
    notice = Notice.objects.get(kind="talk")
    assert notice.subject == f"seat:{game.ref}:{seat_of(game, carla).number}"
    assert notice.data == {"comment": Comment.objects.get().ref}


def test_of_two_names_that_fit_the_longer_is_meant(anna, ben, now):
    longer = make_user("Ben Ali")
    game = running(anna, [ben, longer], now)
    say(game, anna, "@Ben Ali: well played", now)
    assert (told(longer), told(ben)) == (1, 0)


def test_who_took_over_a_seat_is_named_and_its_former_player_is_not(game, anna, ben, david, now):
    game.absent_seats = Game.AbsentSeats.TAKEOVER
    game.save()
    seat = seat_of(game, ben)
    seat.status = "absent"
    seat.save()
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    say(game, anna, "Hello @Ben and @David", now)
    assert (told(david), told(ben)) == (1, 0)
    with pytest.raises(NotFound):
        say(game, ben, "I am still here", now)


def test_author_host_and_staff_may_hide_a_line_and_nobody_else(game, anna, ben, carla, david, now):
    staff = make_user("Sara")
    staff.is_staff = True
    comment = say(game, ben, "rude", now)
    for user in (carla, david):
        with pytest.raises(NotFound):
            table_talk.hide(comment=comment, user=user, now=now)
    assert not Comment.objects.get().is_hidden
    assert [table_talk.may_hide(comment, user) for user in (ben, anna, staff, None)] == [True, True, True, False]
    table_talk.hide(comment=comment, user=anna, now=now)
    table_talk.hide(comment=comment, user=staff, now=now + timedelta(hours=1))
    comment.refresh_from_db()
    assert (comment.hidden_at, comment.hidden_by) == (now, anna)


@pytest.mark.slow
@given(st.text(max_size=200))
def test_whatever_is_written_neither_turns_its_surroundings_nor_hides_anything(text):
    cleaned = speech.checked(text, 10_000)
    assert not set(cleaned) & (speech.TURNING | {"\0", "\r", "\x1b"})
    assert speech.checked(cleaned, 10_000) == cleaned


def test_a_note_is_kept_changed_and_bounded(game, ben, carla, now):
    table_talk.keep_note(game=game, user=ben, text="Carla has the Key", now=now)
    table_talk.keep_note(game=game, user=ben, text="Carla has used it", now=now)
    table_talk.keep_note(game=game, user=carla, text="mine", now=now)
    with pytest.raises(Illegal):
        table_talk.keep_note(game=game, user=ben, text="x" * 4001, now=now)
    assert Note.objects.get(user=ben).text == "Carla has used it"
    assert Note.objects.count() == 2
