"""Every rule set is played from table to winner through the service: pages, letters and the log know no game."""

import datetime as dt
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from engine.cave_of_wonders.facts import SPACES
from engine.core import Choice
from engine.registry import AnyRules, newest
from games.lobby import lifecycle
from games.models import Decision, Game, User
from games.play import automatic_answers, decision_links, game_moves, pictures, queries
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage
from notifications.models import Notice
from tests.games.conftest import answer, fresh, new_table, open_rows, settle

RULE_SETS = pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
CAVE = next(rules for rules in newest() if rules.name == "cave-of-wonders")
MOST_ANSWERS = 100  # sixty tokens are the most anybody could take
LOOKS = 7  # a letter and a page are composed for every seventh question: all of them would take long
FEW = 12  # ways to answer that a letter lists


def begun(rules: AnyRules, people: list[User], now: dt.datetime) -> Game:
    """A running game with the fewest seats: people on the first of them, greedy bots on the others, at least on one."""
    seats = max(2, min(rules.seat_counts))
    bots = ("greedy",) * max(1, seats - len(people))
    table = new_table(people[0], now, rules_name=rules.name, seat_count=seats, bots=bots)
    for guest in people[1 : seats - len(bots)]:
        lifecycle.join(game_id=table.pk, user=guest, now=now)
    lifecycle.start(game_id=table.pk, host=people[0], now=now)
    settle(now)
    return fresh(table)


def letter_about(row: Decision) -> MailMessage:
    """The letter that asks this question, as it would be sent now."""
    notices = Notice.objects.filter(kind="due", recipient=row.seat.user.recipient).order_by("-pk")
    composer = composer_for("due")
    notice = next(notice for notice in notices if not composer.is_current(notice))
    message = composer.compose(notice, "en", Form.LETTER)
    assert isinstance(message, MailMessage)
    return message


def look_at(row: Decision, client: Client) -> None:
    """The letter has the link and the board as a picture; the page behind it the question, the board and its words."""
    url, letter = decision_links.act_url(row), letter_about(row)
    assert url in letter.text
    assert [picture.content[:8] for picture in letter.pictures] == [b"\x89PNG\r\n\x1a\n"]
    page = client.get(url)
    text = unescape(page.content.decode())
    assert page.status_code == 200
    assert "<svg" in text
    access = queries.Access(fresh(row.game), row.seat)
    assert queries.describe(access, queries.view_of(access)).splitlines()[0] in text


def play_on(game: Game, now: dt.datetime, client: Client, most: int) -> Game:
    """Answers like a greedy player, up to so many times or to the end, and looks at letters and pages on the way."""
    for count in range(most):
        rows = open_rows(game)
        if not rows:
            break
        if count % LOOKS == 0:
            look_at(rows[0], client)
        answer(game, rows[0], now, automatic_answers.bot_action(fresh(game), rows[0], "greedy"))
        settle(now)
    return fresh(game)


@pytest.mark.slow
@RULE_SETS
def test_letters_and_pages_of_every_game_are_made(
    rules: AnyRules, anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    game = play_on(begun(rules, [anna, ben], now), now, client, most=2 * LOOKS)
    assert game.moves.filter(source="web").count() > LOOKS or game.status == Game.Status.FINISHED


@RULE_SETS
def test_the_board_of_every_number_of_seats_is_drawn_for_pages_and_emails(rules: AnyRules) -> None:
    pictures.try_out(rules)


@pytest.mark.slow
def test_a_cave_game_is_played_from_table_to_winner_with_its_letters(
    anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    game = play_on(begun(CAVE, [anna, ben], now), now, client, most=MOST_ANSWERS)
    assert game.status == Game.Status.FINISHED
    notice = Notice.objects.filter(kind="game_over", recipient=anna.recipient).get()
    over = composer_for("game_over").compose(notice, "en", Form.LETTER)
    assert isinstance(over, MailMessage)
    reason = CAVE.say(CAVE.outcome(game.load_state()).reason, "en", game.seat_names())
    assert reason in over.text


def single_field(row: Decision) -> tuple[str, Choice] | None:
    """The type of answer and its only field, if a choice between few is all that is asked."""
    access = queries.Access(fresh(row.game), row.seat)
    (question,) = (item.question for item in queries.open_questions(access) if item.question.decision.id == row.code)
    (form, *more) = question.actions
    if more or len(form.fields) != 1:
        return None
    (field,) = form.fields
    return (form.type, field) if isinstance(field, Choice) and len(field.options) <= FEW else None


@pytest.mark.slow
def test_each_landing_is_a_link_of_the_letter_that_opens_a_page_with_one_button_for_it(
    anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    (row,) = open_rows(begun(CAVE, [anna, ben], now))
    found = single_field(row)
    assert found is not None
    kind, field = found
    urls = re.findall(rf"https?://\S+\?do={kind}&{field.name}=(\w+)", letter_about(row).text)
    assert urls == [option.value for option in field.options]
    for value in urls:
        page = client.get(f"{decision_links.act_url(row)}?do={kind}&{field.name}={value}").content.decode()
        confirmed, *shown = re.findall(rf'name="{kind}-{field.name}" value="([^"]+)"', page)
        assert confirmed == shown[0] == value
        assert set(shown) == set(urls)
        assert "checked" not in page, "opening a link chooses nothing"


@pytest.mark.slow
@RULE_SETS
def test_the_deadline_plays_what_the_rules_say_and_the_game_goes_on(
    rules: AnyRules, anna: User, ben: User, now: dt.datetime
) -> None:
    game = begun(rules, [anna, ben], now)
    passed = 0
    while passed < 3 and (rows := open_rows(game)):
        row = rows[0]
        game_moves.submit(
            game_id=game.pk, seat=row.seat.number, decision=row.code, action=None, source="deadline", received_at=now
        )
        settle(now)
        passed += 1
    assert passed == 3 or fresh(game).status == Game.Status.FINISHED
    assert fresh(game).moves.filter(source="deadline").count() == passed  # none if the bot began, and ended it


@pytest.mark.slow
def test_the_landing_of_the_link_is_the_one_that_is_lit_in_the_picture(
    anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    (row,) = open_rows(begun(CAVE, [anna, ben], now))
    found = single_field(row)
    assert found is not None
    kind, field = found
    client.force_login(row.seat.user)
    for address in (decision_links.act_url(row), reverse("table", args=[row.game.ref])):
        assert "data-suggested" not in client.get(address).content.decode()
        for option in field.options:
            page = client.get(f"{address}?do={kind}&{field.name}={option.value}").content.decode()
            assert re.findall(r'data-suggested="(\w+)"', page) == [option.value]
        offered = {option.value for option in field.options}
        closed = next(space for space in SPACES if space not in offered)
        for foreign in ("E5x", closed, "<b>"):
            page = client.get(address, {"do": kind, field.name: foreign}).content.decode()
            assert "data-suggested" not in page, "what is not offered is not shown as if it were"
