"""Puzzles: shown without their solution, judged once, rated, one a day for everybody, by email for who asked for it."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from engine.puzzles import CLEAR
from games.errors import Conflict, NotFound
from games.lobby import puzzles
from games.lobby.models import PuzzleAttempt, PuzzleRating, PuzzleSolver
from games.people import notification_preferences
from games.ticks import tick
from notifications.clock import present
from notifications.models import Recipient

pytestmark = pytest.mark.django_db


def todays():
    return puzzles.of_day(puzzles.today(present.now()))


def values(packed):
    puzzle = puzzles.opened(packed)
    right = puzzle.choices()[puzzle.puzzle.solution][0]
    return right, next(value for value, _label in puzzle.choices() if value != right)


def test_every_puzzle_opens_and_one_of_at_least_four_answers_is_ahead():
    """Each shipped puzzle has words and a picture of its board, and its solution is the best of its chances."""
    for packed in puzzles.load().puzzles[::9]:
        puzzle = puzzles.opened(packed)
        data = puzzle.puzzle
        assert len(data.answers) >= 4 and data.chances[data.solution] == max(data.chances) and data.lead > 0
        words = puzzles.words_of(puzzle, puzzles.names_of(puzzle, "Anna"))
        assert words.ask and words.hint and len({value for value, _label in words.choices}) == len(data.answers)
        assert data.misses["greedy"] >= 33


def test_a_page_has_few_words_and_its_reader_no_namesake():
    for packed in puzzles.load().puzzles[::3]:
        puzzle = puzzles.opened(packed)
        names = puzzles.names_of(puzzle, "Ben")
        assert len(set(names)) == len(names) == puzzle.puzzle.seats
        words = puzzles.words_of(puzzle, names)
        shown = [value for _deed, choices in words.groups for value, _label in choices]
        assert sorted(shown) == sorted(value for value, _label in words.choices)
        assert [bool(deed) for deed, _choices in words.groups] == sorted(bool(deed) for deed, _choices in words.groups)
        assert puzzles.is_short(puzzle), packed.ref


def test_the_best_answer_is_ahead_by_what_persuades():
    for data in puzzles.everything():
        best, second = sorted(data.chances, reverse=True)[:2]
        assert data.chances[data.solution] == best and best - second >= CLEAR, data.ref


def test_a_token_that_may_be_chosen_is_named_with_what_is_done_with_it():
    placing = (puzzles.opened(packed) for packed in puzzles.load().puzzles if packed.kind == "place")
    puzzle = next(puzzle for puzzle in placing if len({answer["token"] for answer in puzzle.puzzle.answers}) == 2)
    words = puzzles.words_of(puzzle, puzzles.names_of(puzzle, "Anna"))
    tokens = dict.fromkeys(answer["token"] for answer in puzzle.puzzle.answers)
    assert [deed for deed, _labels in words.groups] == [f"Place the {token}" for token in tokens]
    assert all(label[0].isupper() for _deed, labels in words.groups for _value, label in labels), "a space alone"


def test_a_page_that_takes_long_to_read_makes_no_puzzle(monkeypatch):
    shipped = [puzzles.opened(packed) for packed in puzzles.load().puzzles]
    bought = next(puzzle for puzzle in shipped if puzzle.kind.title.code == "puzzle-buy")
    placed = next(puzzle for puzzle in shipped if puzzle.kind.title.code == "puzzle-place")
    words = puzzles.words_of(bought, puzzles.names_of(bought, "Anna"))
    said = [words.ask, *(deed or labels[0][1] for deed, labels in words.groups)]
    most = sum(len(text.split()) for text in said)
    for limit, fits in ((most, True), (most - 1, False)):
        monkeypatch.setattr(puzzles, "MOST_WORDS", limit)
        assert puzzles.is_short(bought) is fits
    assert puzzles.is_short(placed), "the board is its form"


def test_the_page_tells_nothing_of_the_solution_until_it_is_answered():
    """What a page says before the answer is the same whichever answer is best; after it the first answer stands."""
    right, wrong = values(todays())
    client = Client()
    before, own = client.get("/puzzle/").content.decode(), f"/puzzle/{todays().ref}/"
    assert "%</p>" not in before and "you win" not in before and "Right!" not in before and "Best:" not in before
    client.get(f"/puzzle/?answer={right}")
    assert "Right!" not in client.get(f"/puzzle/?answer={right}").content.decode()
    client.post(own, {"answer": wrong})
    after = client.get("/puzzle/").content.decode()
    assert "Not this time" in after and after.index("Yours: ") < after.index("Best: ")
    client.post(own, {"answer": right})
    assert "Not this time" in client.get("/puzzle/").content.decode()
    assert PuzzleAttempt.objects.get().is_right is False


def test_what_is_no_answer_is_refused_in_words():
    """Nothing is stored."""
    response = Client().post(f"/puzzle/{todays().ref}/", {"answer": "no such"})
    assert response.status_code == 422 and "Choose one of the answers." in response.content.decode()
    assert not PuzzleAttempt.objects.exists()


def test_an_answer_after_midnight_is_to_the_puzzle_that_was_shown():
    """The page of the day sends its answer, and shares its puzzle, at an address that stays that puzzle's."""
    page, own = Client().get("/puzzle/").content.decode(), f"/puzzle/{todays().ref}/"
    assert f'action="{own}"' in page and f'data-url="{own}"' in page
    assert Client().post("/puzzle/", {"answer": "0"}).status_code == 405


def test_nobody_is_compared_with_himself_alone():
    """The share of solvers is told from the second one on."""
    right, wrong = values(todays())
    own = f"/puzzle/{todays().ref}/"
    client = Client()
    client.post(own, {"answer": wrong})
    alone = " ".join(client.get("/puzzle/").content.decode().split())
    assert "solved it" not in alone and re.search(r"Streak 0, rating \d+\. Next: <time", alone)
    Client().post(own, {"answer": right})
    assert "50 % of 2 solved it." in client.get(own).content.decode()


def test_puzzles_of_coming_days_are_not_given_away():
    """They are opened on their day."""
    now = present.now()
    tomorrow = puzzles.of_day(puzzles.today(now) + timedelta(days=1))
    assert tomorrow not in puzzles.open_now(now) and Client().get(f"/puzzle/{tomorrow.ref}/").status_code == 404
    assert todays() in puzzles.open_now(now)


def test_a_streak_counts_days_in_a_row_and_ratings_go_against_each_other():
    """A solver gains what the puzzle loses; a day left out begins anew."""
    anna, now = Recipient.objects.create(address="anna@example.org"), present.now()
    for number in (0, 1, 3):
        packed = puzzles.of_day(puzzles.today(now + timedelta(days=number)))
        puzzles.answer(recipient=anna, packed=packed, value=values(packed)[0], now=now + timedelta(days=number))
    figures = puzzles.figures_of(anna, now + timedelta(days=3))
    assert (figures.streak, figures.best_streak, figures.solved) == (1, 2, 3) and figures.points > 1000
    begun = puzzles.NEWCOMER.mu + puzzles.STEP * (packed.grade - puzzles.MIDDLE)
    assert PuzzleRating.objects.get(puzzle=packed.ref).mu < begun


def test_a_puzzle_whose_rules_are_gone_says_so_and_loses_nothing(monkeypatch):
    """Its page and an answer are refused in words."""
    packed = todays()
    opened_before = puzzles.opened(packed)
    monkeypatch.setattr("engine.puzzles.RULES", {})
    with pytest.raises(Conflict, match="have changed"):
        puzzles.opened(packed)
    with pytest.raises(NotFound):
        puzzles.find("unknown")
    assert opened_before.puzzle.ref == packed.ref


def test_a_stranger_confirms_once_and_then_answers_by_a_tap_in_the_email(monkeypatch):
    """Nothing is sent to who does not press the button; opening a link changes nothing; an old link is no trouble."""
    client = Client()
    client.post("/puzzles/mail/", {"address": "eva@example.org"})
    client.post("/puzzles/mail/", {"address": "eva@example.org"})  # the budget for strangers: one a day
    tick()
    assert [message.to for message in mail.outbox] == [["eva@example.org"]]
    link = re.search(r"http\S+/puzzles/mail/\S+", mail.outbox[0].body)[0].split("/", 3)[3]
    solver = PuzzleSolver.objects.get()
    client.get(f"/{link}")
    client.post(f"/{link}", {"wanted": "yes"})  # a program pressed it: it is asked who is there
    assert not PuzzleSolver.objects.get().wants_mail
    _press(client, f"/{link}", {"wanted": "yes"})
    solver.refresh_from_db()
    assert solver.wants_mail and solver.mail_at > present.now()
    PuzzleSolver.objects.update(mail_at=present.now())
    tick()
    assert len(mail.outbox) == 2 and "puzzle" in mail.outbox[1].subject.lower()
    assert mail.outbox[1].body.rstrip().endswith(link)  # where one stops it, and nothing else
    right = values(todays())[0]
    links = [found.split("/", 3)[3] for found in re.findall(r"http\S+/puzzle/\S+answer=\S+", mail.outbox[1].body)]
    own = next(found for found in links if found.endswith(f"answer={right}"))
    page = client.get(f"/{own}").content.decode()
    assert "Right!" not in page and not PuzzleAttempt.objects.exists()
    _press(client, f"/{own}", {"answer": right})
    assert "Right!" in client.get(f"/{own}").content.decode() and PuzzleAttempt.objects.get().is_right
    assert client.get(f"/{own.replace(solver.ref, 'x' * 12)}").status_code == 404
    response = client.post(f"/{own}", {"answer": "no such"})
    assert response.status_code == 422 and "Choose one of the answers." in response.content.decode()
    monkeypatch.setattr("engine.puzzles.RULES", {})
    response = client.get(f"/{own}")
    assert response.status_code == 409 and "have changed" in response.content.decode()


def test_a_member_who_stops_them_by_an_email_may_want_them_again(anna):
    """The page of puzzles and the link in an email say the same of the daily one, and neither is in the other's way."""
    client, recipient = Client(), anna.recipient
    client.force_login(anna)
    client.post("/puzzles/mail/")
    assert "Stop these emails" in client.get("/puzzles/").content.decode()
    way = notification_preferences.mails_url(anna, "puzzles").split("/", 3)[3]
    page = client.get(f"/{way}").content.decode()
    assert "Turn them off" in page and "all games" not in page
    _press(client, f"/{way}", {"answer": "everywhere"})
    assert "These emails are turned off." in client.get(f"/{way}").content.decode()
    assert "Send it to me" in client.get("/puzzles/").content.decode()
    client.post("/puzzles/mail/")
    recipient.refresh_from_db()
    assert puzzles.wants_mail(recipient) and recipient.muted == []


def _press(client, address, data):
    """As a person does who says that it is him."""
    challenge = re.search(r'name="challenge" value="([^"]+)"', client.get(address).content.decode())[1]
    return client.post(address, {**data, "challenge": challenge, "person": "me"})
