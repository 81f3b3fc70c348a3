"""Emails that ask are short, and whoever sends back a line that one of them shows is understood."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

import pytest
from django.conf import settings
from django.utils.translation import override

from engine.core import Question
from engine.orders.answers import GATHERINGS, ORDERS
from games.inbox import handler
from games.lobby import lifecycle
from games.models import Decision
from games.play import asking_letters, queries
from games.play.asking_letters import example_lines, proposed, reply_lines
from games.play.keywords import Keyword, word
from games.play.pictures import DrawnBoard
from games.web.samples import SampleGame
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage
from notifications.models import Notice

SHEET, SINGLE = 250, 150  # words
UNSEEN = re.compile(r"<style.*?</style>|<title>.*?</title>|<div class=.preview.*?</div>|<[^>]+>", re.DOTALL)
LANGUAGES = ("en", "es", "de")
OF_A_KIND = 3  # letters that are read, of all that a game has
STEPS = 30  # answers: no game is over by then
LANGUAGES = [language for language, _name in settings.LANGUAGES]
GAMES = {
    "plan": ("aladdins-dragons", {"version": "magic", "tally": "plan"}),
    "magic": ("aladdins-dragons", {"version": "magic"}),
    "basic": ("aladdins-dragons", {"version": "basic"}),
    "cave": ("cave-of-wonders", {}),
}


def words_of(html: str) -> int:
    return len(unescape(UNSEEN.sub(" ", html)).split())


def shown_lines(row: Decision) -> tuple[list[str], bool]:
    """The lines that its email and the answer to a reply show, but for commands; whether they are about a round."""
    access = queries.Access(row.game, row.seat)
    view = queries.view_of(access)
    question, proposal = question_of(row), proposed(row, access, question_of(row), view)
    commands = {word(one) for one in (Keyword.STATUS, Keyword.HELP, Keyword.ORDERS)}
    found = [*example_lines(row, question, proposal, view)]
    found += [one.line for one in reply_lines(row, question, view)]
    lines = [line for line in dict.fromkeys(found) if line not in commands and not line.startswith(word(Keyword.SAY))]
    return lines, row.kind in GATHERINGS or bool(proposal and ORDERS in proposal.action)


def question_of(row: Decision) -> Question:
    access = queries.Access(row.game, row.seat)
    question = asking_letters.question_of(row, access, queries.view_of(access))
    assert question is not None
    return question


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.django_db
def test_the_letters_of_a_game_are_short_and_their_lines_are_understood(game, monkeypatch, settings):
    settings.REPLY_ADDRESS, settings.MAIL_AUTHSERV_ID = "reply+{token}@example.org", ""
    monkeypatch.setattr(asking_letters, "board_picture", lambda access, view, is_moving=False: DrawnBoard())
    monkeypatch.setattr(asking_letters, "board", lambda access, view: {})
    rules, options = GAMES[game]
    with override("en"):
        made = SampleGame(rules, "en")
    made.game.options = options
    made.game.save()
    lifecycle.start(game_id=made.game.pk, host=made.users[0], now=made.now)
    for number, row in enumerate(asked_of_ben(made)):
        language = LANGUAGES[number % len(LANGUAGES)]
        notice = Notice(kind="due", subject=row.subject, recipient=made.ben.recipient, created_at=made.now)
        letter = composer_for("due").compose(notice, language, Form.LETTER)
        assert isinstance(letter, MailMessage)
        with override(language):
            lines, is_round = shown_lines(row)
        assert words_of(letter.html) <= (SHEET if is_round else SINGLE), letter.text
        assert lines
        for line in lines:
            assert handler.answer_of(line, row, question_of(row))["type"], line


def asked_of_ben(made: SampleGame) -> Iterator[Decision]:
    """What Ben is asked in a whole game, a few questions of each kind."""
    seen = Counter[str]()
    for _step in range(STEPS):
        row = made.asked()
        if row.seat.user == made.ben and seen[row.kind] < OF_A_KIND:
            seen[row.kind] += 1
            yield row
        made.answer(row)
