"""Sheets and plans by one line of mail, with their orders."""

import pytest

from games.models import Move
from games.play import queries
from games.play.asking_letters import reply_lines
from tests.games.conftest import fresh, open_rows, running, to_placing
from tests.games.inbox.test_handler import Post, State, heard, mail_settings

__all__ = ["mail_settings"]


@pytest.fixture
def row(anna, ben, carla, now):
    """The sheet of the first round is asked, at a magic table that tallies by plan."""
    game = to_placing(running(anna, [ben, carla], now, options={"version": "magic", "tally": "plan"}), now)
    return next(row for row in open_rows(game) if row.kind == "sheet")


@pytest.fixture
def post(now):
    return Post(now)


def sheet(row):
    game = fresh(row.game)
    return game.rules.orders(game.load_state(), row.seat.number)


@pytest.mark.slow
def test_a_sheet_is_answered_with_its_orders_in_one_line(post, row):
    inbound = post.send(row, "sheet 9 crowns, 5 guard if round at most 1, windows never, tally same")
    assert inbound.state == State.DONE, inbound.answer
    assert [order.answers[0]["token"] for order in sheet(row).orders] == [9, 5]
    assert (sheet(row).quiet, sheet(row).ready) == ("never", row.code)
    move = row.game.moves.get(decision=row.code, kind=Move.Kind.ANSWER)
    assert '"tally":"same"' in move.action and move.source == Move.Source.MAIL


@pytest.mark.slow
def test_what_is_not_said_of_a_sheet_is_what_its_deadline_would_do(post, row):
    assert post.send(row, "Hoja 9 coronas.").state == State.DONE
    assert sheet(row).quiet == "quiet" and not sheet(row).ahead
    assert len(sheet(row).orders) == 1


@pytest.mark.slow
def test_orders_that_are_given_already_stay_before_those_of_the_line(post, row):
    post.send(row, "Anweisung 9 Kronen wenn Wächter höchstens 8")
    assert post.send(row, "5 Wächter, kaufe bis 9").state == State.DONE
    orders = sheet(row).orders
    assert [(order.tag, order.answers[0]["type"], order.topic) for order in orders] == [
        ("1", "place", ""),
        ("2", "place", ""),
        ("3", "buy_up_to", "room-1"),
        ("4", "buy_up_to", "room-2"),
        ("5", "buy_up_to", "room-3"),
    ]
    assert [order.answers[0]["token"] for order in orders[:2]] == [9, 5]


@pytest.mark.slow
@pytest.mark.parametrize("line", ["sheet 9 crownz", "sheet 9 crowns until 2030-01-01", "sheet 9 crowns, 9 guard"])
def test_a_sheet_with_an_order_that_is_not_clear_is_no_answer(post, row, line):
    assert post.send(row, line).state == State.ANSWERED
    assert not sheet(row).orders and not sheet(row).ready
    assert line in heard(row.seat.user).text


@pytest.fixture
def turn(placing, now):
    """The first placement at a table that asks step by step."""
    (row,) = open_rows(placing)
    return row


def hand(row):
    access = queries.Access(fresh(row.game), row.seat)
    return list(queries.view_of(access).hand)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["{0} market, {1} guard, {2} gems", "{0} mercado, luego {1} guardia, y luego {2} gemas"]
)
def test_a_placement_and_what_comes_after_it_are_one_line(post, turn, line):
    tokens = hand(turn)[:3]
    inbound = post.send(turn, line.format(*tokens))
    assert inbound.state == State.DONE, inbound.answer
    kept = sheet(turn)
    assert [(order.answers[0]["token"], order.until) for order in kept.orders] == [(one, "round") for one in tokens[1:]]
    assert tokens[0] not in hand(turn)
    assert f"You place the {tokens[0]} at the market" in inbound.answer and "Your orders are saved" in inbound.answer


@pytest.mark.parametrize(
    "line",
    [
        "{0} market, thank you all",
        "{0} market, {0} guard",
        "{0} market, {1} guard until 2030-01-01",
        "{0} market, or {1} guard",
        "{0} market, no, {1} guard",
        "{0} market, keep",
        "{1}, {0} market",
    ],
)
def test_a_placement_with_something_that_is_no_order_places_nothing(post, turn, line):
    inbound = post.send(turn, line.format(*hand(turn)))
    assert inbound.state == State.ANSWERED
    assert not sheet(turn).orders and turn.game.moves.filter(decision=turn.code).count() == 0


@pytest.mark.slow
def test_what_a_line_says_of_its_time_stands(post, turn):
    first, second, third, *_rest = hand(turn)
    assert post.send(turn, f"{first} market, {second} guard until I am back, {third} gems always").state == State.DONE
    assert [(order.until, order.stays) for order in sheet(turn).orders] == [("return", False), ("", True)]


@pytest.mark.slow
def test_the_line_that_a_mail_shows_as_an_example_does_what_it_says(post, turn):
    access = queries.Access(fresh(turn.game), turn.seat)
    (asked,) = queries.open_questions(access)
    (line,) = [one.line for one in reply_lines(turn, asked.question, queries.view_of(access)) if ", " in one.line]
    assert post.send(turn, line).state == State.DONE
    assert len(sheet(turn).orders) == 1 and turn.game.moves.filter(decision=turn.code).count() == 1
