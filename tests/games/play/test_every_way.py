"""A game is played to its winner in each of the ways to answer: a link in an email, a reply to one, the API."""

import datetime as dt
from random import Random
from typing import Any

import pytest
from django.test import Client

from engine.registry import AnyRules, newest
from games.lobby import lifecycle
from games.models import Decision, Game, User
from games.play import decision_links, queries, reply_grammar
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.api.playing import some_action
from tests.games.conftest import fresh, new_table, open_rows, settle
from tests.games.inbox.test_handler import Post
from tests.games.letters.conftest import mail
from tests.games.web.filling import answer_form, filled

pytestmark = pytest.mark.slow
MOST_ANSWERS = 400
SHORT = [rules for rules in newest() if rules.name != "aladdins-dragons"]
"""A game of hundreds of answers is played by mail in tests/games/lab and e2e."""

FOOLS_MATE = ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#")
"""At random a game of chess hardly ever has a winner."""


@pytest.fixture(autouse=True)
def replies(settings: Any) -> None:
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    settings.MAIL_AUTHSERV_ID = "mx.play.example.org"


class Table:
    """A table of two people who answer in one of the ways after the other."""

    def __init__(self, rules: AnyRules, people: list[User], now: dt.datetime) -> None:
        self.now, self.random, self.post = now, Random(3), Post(now)
        table = new_table(people[0], now, rules_name=rules.name, seat_count=min(rules.seat_counts))
        for guest in people[1 : min(rules.seat_counts)]:
            lifecycle.join(game_id=table.pk, user=guest, now=now)
        lifecycle.start(game_id=table.pk, host=people[0], now=now)
        settle(now)
        self.game, self.programs, self.answered = fresh(table), {user.pk: Program(user) for user in people}, 0

    def action(self, row: Decision) -> dict[str, Any]:
        """A legal answer, from what the API tells the seat's program."""
        asked = self.programs[row.seat.user.pk].get(f"games/{self.game.ref}/decisions/")["items"]
        (question,) = (one for one in asked if one["code"] == row.code)
        if self.game.rules_name == "openspiel-chess":
            options = question["actions"][0]["fields"][0]["options"]
            move = next(one["value"] for one in options if one["label"] == FOOLS_MATE[self.answered])
            return {"type": "choose", "move": move}
        return some_action(question, self.random)

    def by_link(self, row: Decision, action: dict[str, Any]) -> None:
        url = decision_links.act_url(row)
        assert url in mail("due", row.seat.user).text
        client = Client()
        form = answer_form(client.get(url))
        done = client.post(str(form.get("action") or url), filled(form, action))
        assert done.status_code == 303, done.content

    def by_reply(self, row: Decision, action: dict[str, Any]) -> None:
        game = fresh(self.game)
        (asked,) = (
            item.question
            for item in queries.open_questions(queries.Access(game, row.seat))
            if item.question.decision.id == row.code
        )
        line = reply_grammar.line_of(action, reply_grammar.QuestionReader(asked, reply_grammar.naming_of(game)))
        assert line, "an answer that cannot be written"
        inbound = self.post.send(row, line)
        assert inbound is not None and inbound.state == "done"

    def by_api(self, row: Decision, action: dict[str, Any]) -> None:
        self.programs[row.seat.user.pk].post(f"games/{self.game.ref}/decisions/{row.code}/", {"action": action})


@pytest.mark.parametrize("rules", SHORT, ids=lambda rules: rules.name)
def test_a_game_is_played_to_its_winner_by_links_by_replies_and_by_the_api(
    rules: AnyRules, anna: User, ben: User, now: dt.datetime
) -> None:
    table = Table(rules, [anna, ben], now)
    ways = (table.by_link, table.by_reply, table.by_api)
    for number in range(MOST_ANSWERS):
        rows = open_rows(table.game)
        if not rows:
            break
        row = rows[number % len(rows)]
        ways[number % len(ways)](row, table.action(row))
        table.answered += 1
        settle(present.now())
    game = fresh(table.game)
    assert game.status == Game.Status.FINISHED
    used = ("link", "mail", "api")[: table.answered]  # a game of liar's dice may be over after two
    assert set(used) <= set(game.moves.values_list("source", flat=True))
