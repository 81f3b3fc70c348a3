"""Several letters in one mail: nothing that one could do by the single letters is lost by it."""

import datetime as dt

import pytest
from django.core import mail as django_mail

from games.lobby import practice
from games.models import Decision, Game, User
from games.people import notification_preferences
from games.play import decision_links, history, notify, queries
from games.play.digest import together
from games.tables import table_links
from notifications.delivery.sending import deliver
from notifications.models import Notice
from tests.games.conftest import fresh, open_rows, running, seat_of
from tests.games.letters.conftest import asked_again, end_soon, let_pass


def sent_to(user: User, now: dt.datetime):
    while deliver(now, 1):
        pass
    return [sent for sent in django_mail.outbox if user.email in sent.to[0]]


@pytest.mark.slow
def test_the_first_question_tells_that_the_game_has_begun(game: Game, ben: User, now: dt.datetime) -> None:
    (letter,) = sent_to(ben, now)
    assert letter.subject.endswith("(by Thu 12:00) – Thursday")
    assert "Thursday has begun" in letter.body and "Thursday has begun" in letter.alternatives[0][0]
    assert len(letter.attachments) == 1  # the board
    assert letter.extra_headers["List-Id"].startswith(f"<{game.ref}.games.")


@pytest.mark.slow
def test_questions_of_two_tables_are_listed_with_deadlines_and_links(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    other = running(anna, [ben, carla], now, title="Friday")
    (letter,) = sent_to(ben, now)
    assert letter.subject == "2 tables wait for you: Thursday, Friday"
    for row in [row for one in (game, other) for row in open_rows(fresh(one)) if row.seat.user == ben]:
        assert decision_links.act_url(row) in letter.body and decision_links.act_url(row) in letter.alternatives[0][0]
    assert letter.body.count("Please answer by: Thursday 5 March 2026, 12:00 UTC") == 2
    assert "References" not in letter.extra_headers and "List-Unsubscribe-Post" not in letter.extra_headers
    assert "/mails/" in letter.extra_headers["List-Unsubscribe"]


@pytest.mark.slow
def test_a_digest_is_ordered_by_urgency_and_tells_what_has_happened_with_boards(
    turn: Decision, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    later = running(anna, [ben, carla], now + dt.timedelta(hours=3), title="Friday")
    last = running(anna, [ben, carla], now + dt.timedelta(hours=6), title="Saturday")
    for hours, game in enumerate((later, turn.game, last)):
        Decision.objects.filter(game=game, seat__user=ben).update(due_at=now + dt.timedelta(hours=hours + 10))
    rows = [row for game in (turn.game, last, later) for row in open_rows(fresh(game)) if row.seat.user == ben]
    letter = together([Notice.objects.get(kind="due", subject=row.subject) for row in rows], "en")
    assert letter.subject == "3 tables wait for you: Friday, Thursday, Saturday"
    order = [letter.text.index(decision_links.act_url(row)) for row in sorted(rows, key=lambda row: row.due_at or now)]
    assert order == sorted(order)
    assert len(letter.pictures) == 2 and letter.html.count("<img") == 2
    (line, *_rest), _left_out = history.recap_since_last_answer(queries.Access(turn.game, turn.seat), 6)
    assert f"- {line}" in letter.text and f"<li>{line}</li>" in letter.html
    assert len(letter.html.encode()) + sum(len(one.content) * 4 // 3 for one in letter.pictures) < 90_000


@pytest.mark.slow
def test_one_email_tells_of_the_absence_and_the_miss_and_has_the_way_back(turn: Decision, ben: User, now: dt.datetime):
    while deliver(now, 1):
        pass
    django_mail.outbox.clear()
    let_pass(turn, now)
    notify.absent(seat_of(turn.game, ben), turn, now)
    type(seat_of(turn.game, ben)).objects.filter(user=ben).update(status="absent")
    (letter,) = sent_to(ben, now)
    assert table_links.seat_url("back", seat_of(turn.game, ben)) in letter.body
    assert letter.subject == "Thursday no longer waits for you"


def test_a_reminder_that_waited_with_its_question_asks_once(turn: Decision, ben: User, now: dt.datetime) -> None:
    asked_again("reminder", turn, now)
    notices = list(Notice.objects.filter(recipient=ben.recipient, subject=turn.subject).order_by("pk"))
    assert [notice.kind for notice in notices] == ["due", "reminder"]
    letter = together(notices, "en")
    assert (
        letter.subject.startswith("Reminder: your move") and letter.text.count(decision_links.act_url(turn) + "\n") == 1
    )


@pytest.mark.slow
def test_the_daily_mail_names_the_other_games_and_whom_they_wait_for(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    first, second = (running(anna, [ben, carla], now, title=title) for title in ("Friday", "Saturday"))
    lesson = practice.begin_lesson(user=ben, rules_name="cave-of-wonders", now=now)
    notices = [
        Notice.objects.get(kind="started", recipient=ben.recipient, thread=f"game:{one.ref}") for one in (first, second)
    ]
    letter = together(notices, "en")
    assert letter.subject == "News of your tables: Friday has begun"
    until = "until Thursday 5 March 2026, 12:00 UTC"
    others = letter.text.partition("YOUR OTHER GAMES")[2]
    names = ", ".join("you" if name == "Ben" else name for name in game.seat_names())
    assert f"Thursday: waits for {names} {until}\n  {table_links.game_url(game)}\n  The game begins." in others
    assert f"{until}<br>" in letter.html and "Friday: waits for" not in letter.text
    assert table_links.game_url(lesson) not in letter.text
    assert letter.has_one_click and f"/{notification_preferences.ALL_NEWS}/" in letter.unsubscribe_url


@pytest.mark.slow
def test_the_story_of_a_game_is_told_in_full_beside_other_news(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    while deliver(now, 1):
        pass
    django_mail.outbox.clear()
    end_soon(game, ben, now)
    running(anna, [ben, carla], now, title="Friday")
    story, friday = sorted(sent_to(ben, now), key=lambda letter: "Thursday" not in letter.subject)
    assert story.subject == "Thursday is over" and "THE STORY OF THE GAME" in story.body
    assert "Friday" in friday.subject and "Thursday" not in friday.subject
