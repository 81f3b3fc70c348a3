"""The letters that put a question: due, reminder, excused."""

import datetime as dt
import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from engine.core import ActionForm, Amounts, Choice, Option, Question, Text
from engine.core import Decision as Asked
from games.models import Decision, Game, Move, User
from games.play import asking_letters, decision_links, history, pauses, queries, reply_grammar
from games.play.asking_letters import ways
from notifications.composers import composer_for
from notifications.messages import Form
from tests.games.conftest import answer, fresh, open_rows, running, settle
from tests.games.letters.conftest import asked_again, mail, newest, to_turn_of


def access_of(row: Decision) -> queries.Access:
    return queries.Access(fresh(row.game), row.seat)


@pytest.mark.slow
def test_the_subject_says_question_deadline_and_table(turn: Decision, ben: User) -> None:
    ben.recipient.zone = "Europe/Berlin"
    ben.recipient.save()
    assert mail("due", ben).subject == "Round 1: place a token (by Thu 13:00) – Thursday"


def test_both_parts_carry_the_link_to_answer(turn: Decision, ben: User) -> None:
    letter = mail("due", ben)
    assert decision_links.act_url(turn) in letter.text
    assert f'href="{decision_links.act_url(turn)}"' in letter.html


def test_the_board_is_words_in_the_text_and_a_picture_beside_it(turn: Decision, ben: User) -> None:
    letter = mail("due", ben)
    access = access_of(turn)
    board = queries.describe(access, queries.view_of(access)).strip()
    assert "Your hand:" in board and board in letter.text
    assert "Your hand:" not in letter.html and letter.pictures
    assert f'href="{decision_links.act_url(turn)}#text-board"' in letter.html


def test_the_deadline_is_absolute_and_in_the_zone_of_the_reader(turn: Decision, ben: User) -> None:
    ben.recipient.zone = "Europe/Berlin"
    ben.recipient.save()
    letter = mail("due", ben)
    for part in (letter.text, letter.html):
        assert "Thursday 5 March 2026, 13:00 CET (UTC+1)" in part


def test_it_says_what_silence_does(turn: Decision, ben: User) -> None:
    assert "If you don't answer in time: One of your tokens stays in your hand this round." in mail("due", ben).text


def test_it_is_composed_with_nine_statements_and_reads_the_forms_of_its_question_once(
    turn: Decision, ben: User, django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, read_form, notice = [], reply_grammar.FormReader.__init__, newest("due", ben)
    monkeypatch.setattr(
        reply_grammar.FormReader, "__init__", lambda self, *form: (read.append(form), read_form(self, *form))[1]
    )
    with django_assert_num_queries(9):
        assert composer_for("due").is_current(notice) == ""
        composer_for("due").compose(notice, "en", Form.LETTER)
    forms = [form.type for form, *_naming in read]
    assert forms and len(forms) == len(set(forms))


@pytest.mark.slow
def test_where_the_proposal_is_played_for_the_silent_the_letter_says_so(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    running(anna, [ben, carla], now, missed="proposal")
    assert "If you don't answer in time: The proposal is played for you." in mail("due", ben).text


def test_it_tells_what_happened_since_the_last_move_and_nothing_before(turn: Decision, ben: User) -> None:
    since, left_out = history.recap_since_last_answer(access_of(turn), 100)
    letter = mail("due", ben)
    assert len(since) > 1 and left_out == 0
    for line in since:
        assert f"- {line}\n" in letter.text
        assert line.replace("'", "&#x27;") in letter.html
    assert "The game begins." not in letter.text


@pytest.mark.slow
def test_a_first_letter_tells_what_happened_so_far(game: Game, ben: User) -> None:
    letter = mail("due", ben)
    assert "- The game begins." in letter.text


def test_of_long_news_what_matters_is_told_and_a_link_leads_to_the_rest(
    turn: Decision, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    since, _left_out = history.recap_since_last_answer(access_of(turn), 100)
    (kept,), left_out = history.recap_since_last_answer(access_of(turn), 1)
    monkeypatch.setattr(asking_letters, "FEWEST_WORDS", 1)
    monkeypatch.setattr(asking_letters, "SINGLE_WORDS", 1)
    letter = mail("due", ben)
    assert left_out == len(since) - 1 and f"({left_out} more in the log)" in letter.text
    assert f"- {kept}\n" in letter.text
    assert not any(f"- {line}\n" in letter.text for line in since if line != kept)


def test_a_reminder_names_the_end_of_the_time_and_may_be_unsubscribed(
    turn: Decision, ben: User, now: dt.datetime
) -> None:
    asked_again("reminder", turn, now)
    letter = mail("reminder", ben)
    assert letter.subject == "Reminder: your move in Thursday – Round 1: place a token"
    assert letter.text.count("Thursday 5 March 2026, 12:00 UTC") == 1
    assert decision_links.act_url(turn) in letter.text
    assert f"/mails/{ben.ref}/{turn.game.ref}/reminders/" in letter.unsubscribe_url
    assert letter.has_one_click


def test_a_due_letter_is_never_taken_for_a_mailing_list(turn: Decision, ben: User) -> None:
    letter = mail("due", ben)
    assert "/turns/" in letter.unsubscribe_url and not letter.has_one_click
    assert letter.unsubscribe_url in letter.text  # but there is a way out, with a page that asks back


def test_an_excused_miss_is_told_with_the_new_deadline(turn: Decision, ben: User, now: dt.datetime) -> None:
    turn.due_at = now + dt.timedelta(days=9)
    turn.save()
    asked_again("excused", turn, now)
    letter = mail("excused", ben)
    assert "Your time ran out." in letter.text
    assert "Friday 13 March 2026, 12:00 UTC" in letter.text


@pytest.mark.slow
def test_few_ways_to_answer_are_listed_each_with_a_link_that_changes_nothing(
    game: Game, ben: User, client: Client, now: dt.datetime
) -> None:
    row = to_turn_of(game, ben, now)
    while len(queries.view_of(access_of(row)).hand) > 1:  # with one token left there are few ways
        answer(fresh(game), row, now)
        settle(now)
        row = to_turn_of(game, ben, now) if open_rows(game)[0].seat.user != ben else open_rows(game)[0]
    letter = mail("due", ben)
    assert f"{decision_links.act_url(row)}?do=place&token=" in letter.text
    assert "&amp;space=market" in letter.html
    moves = Move.objects.count()
    for url in re.findall(r"http://localhost:8000(/act/\S+\?\S+)", letter.text):
        page = client.get(url)
        assert page.status_code == 200
        chosen = re.findall(r'name="([\w-]+)"[^>]* checked', page.content.decode())
        assert set(chosen) <= {"place-token"}  # there is only one
    assert Move.objects.count() == moves


def test_many_ways_to_answer_are_left_to_the_page(turn: Decision, ben: User) -> None:
    assert "?do=" not in mail("due", ben).text


def option(value: str) -> Option:
    return Option(value, Text("kind", {"kind": {"kind": value}}))


def question(*actions: ActionForm) -> Question:
    return Question(Asked("x", 0, "buy"), Text("ask-take", {"total": 3}), list(actions), Text("default-take"))


LABEL = Text("do-take")
TWO = [option("crown"), option("gem")]


def test_the_same_option_is_not_offered_twice_where_choices_must_differ(game: Game) -> None:
    fields = [Choice("first", LABEL, TWO, distinct="kind"), Choice("second", LABEL, TWO, distinct="kind")]
    found = list(ways(open_rows(game)[0], question(ActionForm("swap", LABEL, list(fields))), "http://x/"))
    assert [way.url.partition("?")[2] for way in found] == [
        "do=swap&first=crown&second=gem",
        "do=swap&first=gem&second=crown",
    ]


def test_where_one_answer_has_amounts_the_kinds_of_answer_are_listed(game: Game) -> None:
    pay = ActionForm("pay", LABEL, [Amounts("cards", LABEL, TWO, total=1)])
    found = list(ways(open_rows(game)[0], question(pay, ActionForm("decline", LABEL)), "http://x/"))
    assert [way.url for way in found] == ["http://x/?do=pay", "http://x/?do=decline"]


def test_a_letter_stays_small(turn: Decision, ben: User) -> None:
    letter = mail("due", ben)
    assert len(letter.html.encode()) < 100_000
    assert "http" not in letter.html.partition("<body>")[0]  # nothing is fetched
    assert letter.html.count("<img") == letter.html.count('<img src="cid:') == 1


def test_mails_of_a_game_can_be_filtered(turn: Decision, ben: User, settings) -> None:
    settings.MAIL_DOMAIN = "play.example"
    assert mail("due", ben).list_id == f"{turn.game.ref}.games.play.example"
    assert newest("due", ben).thread == f"game:{turn.game.ref}"


@pytest.mark.slow
def test_it_says_from_when_on_the_time_bank_runs(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = running(anna, [ben, carla], now, pace="brisk")
    assert "time bank" not in mail("due", ben).text  # sealed questions do not touch it
    turn = to_turn_of(game, ben, now)
    for part in (mail("due", ben).text, mail("due", ben).html):
        assert "Your time bank runs from Thursday 5 March 2026, 00:00 UTC on." in part
    assert turn.is_on_bank


def test_in_a_pause_it_names_no_deadline(turn: Decision, ben: User, now: dt.datetime) -> None:
    pauses.pause_by_moderator(game_id=turn.game_id, now=now)
    letter = mail("due", ben)
    for part in (letter.text, letter.html):
        assert "The game is paused: no clock runs until it goes on." in part
        assert "Please answer by" not in part
