"""Standing orders by mail: given, listed, changed, moved and taken back by one line, and nothing is guessed."""

import pytest

from engine.orders.model import OrderDropped
from games.inbox import handler
from games.models import Comment, Move, OrderDate
from games.play import absences, decision_links, notify
from notifications.composers import composer_for
from notifications.inbound import receiving
from notifications.messages import Form
from notifications.models import Inbound, Notice
from tests.games.conftest import answer, fresh, open_rows
from tests.games.inbox.test_handler import Post, State, confirm_path, heard, mail_settings
from tests.games.web.filling import pressed

__all__ = ["mail_settings"]


@pytest.fixture
def row(placing, now):
    """The first placement."""
    (row,) = open_rows(placing)
    return row


@pytest.fixture
def post(now):
    return Post(now)


def sheet(row):
    game = fresh(row.game)
    return game.rules.orders(game.load_state(), row.seat.number).orders


def answers(row):
    return [order.answers for order in sheet(row)]


def place(token, space):
    return [{"type": "place", "token": token, "space": space}]


@pytest.mark.slow
def test_orders_are_given_in_their_order_and_read_back_with_what_they_would_do(post, row):
    inbound = post.send(row, "order 9 guard, 5 crowns; then 2 market")
    assert inbound.state == State.DONE
    assert answers(row) == [place(9, "guard"), place(5, "cave-crown"), place(2, "market")]
    text = heard(row.seat.user).text
    assert "1. When you place a token: Place a token face down: 9, Palace guard" in text
    assert "would answer now: Place a token face down: 9, Palace guard" in text
    assert "You still need to answer the one that's open now." in text
    assert not row.game.moves.filter(decision=row.code).exists(), "what is open is not answered by it"


@pytest.mark.parametrize(
    "line",
    [
        "order bribe up to 6 first pearls next gold spare crowns",
        "order bribe up to 6 sparing crowns next gold pearls first",
        "orden sobornar hasta 6 perlas primero next oro ahorrando coronas",
        "Anweisung besteche bis 6 Perlen zuerst, Goldbarren danach, Kronen schonen",
    ],
)
def test_an_order_says_with_which_kinds_to_pay(post, row, line):
    inbound = post.send(row, line)
    assert inbound.state == State.DONE, inbound.answer
    kinds = {"first": "pearl", "next": "gold", "spare": "crown"}
    assert answers(row) == [[{"type": "bribe_up_to", "limit": 6, **kinds}]]
    assert "Bribe the guard with up to: 6, Pearls first, " in heard(row.seat.user).text


@pytest.mark.slow
def test_an_order_has_conditions_stops_and_settings(post, row):
    post.send(row, "Order bribe up to 6 spare gold if guard at most 8 ask me if round at least 3 always this round.")
    (order,) = sheet(row)
    assert order.kind == "bribe"
    assert order.answers == [{"type": "bribe_up_to", "limit": 6, "first": "none", "next": "none", "spare": "gold"}]
    assert order.conditions == [{"type": "guard", "is": "at_most", "value": 8}]
    assert order.stops == [{"type": "round", "is": "at_least", "value": 3}]
    assert order.stays and order.until == "round" and not order.even_so


@pytest.mark.slow
def test_an_order_may_have_several_answers_and_a_date(post, row):
    day = (post.now + handler.DAY).date().isoformat()
    assert post.send(row, f"order 9 crowns or else 8 crowns even so until {day}").state == State.DONE
    (order,) = sheet(row)
    assert order.answers == [*place(9, "cave-crown"), *place(8, "cave-crown")]
    assert order.even_so and order.until == "date"
    assert OrderDate.objects.get().order == order.id


@pytest.mark.slow
def test_every_language_is_understood_in_every_mail(post, row):
    for line, cancel in (
        ("orden 9 coronas, 5 guardia si ronda al menos 2", "anula todas"),
        ("Orden coloco 9 en las coronas; luego 5 en la guardia si la ronda al menos 2.", "quita todo"),
        ("Anweisung 9 Kronen, 5 Wächter wenn Runde mindestens 2", "streiche alle"),
        ("auftrag setze 9 in die kronenhoehle; dann 5 auf den Waechter falls die Runde mindestens 2", "loesche alle"),
    ):
        assert post.send(row, line).state == State.DONE
        assert answers(row) == [place(9, "cave-crown"), place(5, "guard")]
        assert [order.conditions for order in sheet(row)] == [[], [{"type": "round", "is": "at_least", "value": 2}]]
        assert post.send(row, cancel).state == State.DONE and answers(row) == []


def test_to_be_asked_somewhere_is_an_order_for_all_that_may_be_asked_there(post, row):
    post.send(row, "order ask me at the market")
    (order,) = sheet(row)
    assert (order.kind, order.answers) == ("market", [])


REFUSED = {
    "order 9 crownz": "understand “9 crownz”",
    "order 9 crowns if it rains": "understand “it rains”",
    "order 9 crowns, 5 guard if guard 8": "understand “guard 8”",
    "order pass": "“pass” could mean more than one thing",
    "order ask me": "understand “ask me”",
    "order": "say what the order should do",
    "order 9 crowns, 9 guard": "Orders 1 and 2 place the same token",
    "order bribe up to 6 if guard at most 8 if guard at least 9": "contradict",
    "order 9 crowns until 2026-02-30": "Write the date",
    "order 9 crowns until 2020-01-01": "Order 1: that date has passed",
    "order bribe up to 5 2 pearls": "understand “",
    "order bribe up to 5 gold": "understand “",
    "order not 9 crowns": "understand “not 9 crowns”",
    "cancel 2": "There's no order 2",
    "move 2 first": "There's no order 2",
    "change 2 to 9 crowns": "There's no order 2",
    "cancel everything please": "We didn't understand this",
    "order 9 crowns" + " even so" * 40: "understand “",
}


@pytest.mark.slow
def test_nothing_is_guessed_and_a_line_counts_whole_or_not_at_all(post, row):
    for line, said in REFUSED.items():
        post.now += handler.DAY
        assert post.send(row, line).state == State.ANSWERED, line
        assert sheet(row) == [], line
        assert said in heard(row.seat.user).text, line


@pytest.mark.slow
def test_a_refusal_lists_what_a_line_could_mean_and_how_to_write(post, row):
    post.send(row, "order pass")
    text = heard(row.seat.user).text
    assert "- At the market: Don't exchange" in text and "- When you may buy an artifact: Don't buy" in text
    assert "order bribe up to 3" in text and "if guard at most 3" in text
    assert post.send(row, "order market pass").state == State.DONE
    assert answers(row) == [[{"type": "keep"}]]


@pytest.mark.slow
def test_orders_are_listed_changed_moved_and_taken_back_by_numbers_that_never_mean_another(post, row):
    post.send(row, "order 9 crowns, 5 guard, 2 market")
    assert post.send(row, "orders").state == State.DONE
    assert "3. When you place a token: Place a token face down: 2, Market" in heard(row.seat.user).text
    post.send(row, "cancel 1")
    assert answers(row) == [place(5, "guard"), place(2, "market")]
    assert post.send(row, "cancel 1").state == State.ANSWERED, "the first is gone, and no other has its number"
    post.send(row, "move 3 first")
    assert answers(row) == [place(2, "market"), place(5, "guard")]
    post.send(row, "change 2 to 8 pearls")
    assert answers(row) == [place(2, "market"), place(8, "cave-pearl")]
    post.send(row, "mueve 3 abajo")
    assert answers(row) == [place(8, "cave-pearl"), place(2, "market")]
    post.send(row, "cancel all")
    assert sheet(row) == []
    post.send(row, "order 9 crowns")
    assert [order.tag for order in sheet(row)] == ["4"]


def test_an_address_whose_question_is_closed_is_still_good_for_orders(post, row, now):
    answer(row.game, row, now)
    assert post.send(row, "order 9 crowns").state == State.DONE
    assert answers(row) == [place(9, "cave-crown")]


@pytest.mark.slow
def test_orders_by_mail_are_held_until_they_are_proved(post, row, client):
    assert post.send(row, "order 9 crowns", results="").state == State.HELD
    assert sheet(row) == []
    client.post(confirm_path(row.seat.user), pressed())
    assert answers(row) == [place(9, "cave-crown")]


@pytest.mark.slow
def test_the_same_mail_handled_again_gives_no_second_order(post, row):
    inbound = post.send(row, "order 9 crowns")
    Inbound.objects.filter(pk=inbound.pk).update(state=State.WAITING)
    assert receiving.handle_one(post.now)
    assert answers(row) == [place(9, "cave-crown")]
    assert row.game.moves.filter(kind=Move.Kind.ORDERS).count() == 1


def test_who_is_away_gives_no_orders(post, row, now):
    post.mail(row, "")
    absences.make_absent(row.seat, row, now)
    assert post.send(row, "order 9 crowns").state == State.ANSWERED
    assert "Return to it first" in heard(row.seat.user).text


@pytest.mark.slow
def test_nobody_else_learns_of_orders_by_mail(post, row, ben, carla):
    before = {user: row.game.seats.get(user=user).decisions.count() for user in (ben, carla)}
    events = fresh(row.game).public_events
    post.send(row, "order 9 crowns")
    assert fresh(row.game).public_events == events
    assert before == {user: row.game.seats.get(user=user).decisions.count() for user in (ben, carla)}
    assert {notice.recipient_id for notice in Notice.objects.filter(kind="heard")} == {row.seat.user.recipient_id}


@pytest.mark.slow
def test_a_line_of_table_talk_is_said_once_it_is_known_to_be_its_players(post, row):
    assert post.send(row, "say Good move, @Ben!", results="").state == State.HELD
    assert Comment.objects.count() == 0
    assert post.send(row, "Say Good move, @Ben!").state == State.DONE
    assert Comment.objects.get().text == "Good move, @Ben!"
    assert post.send(row, "Say, is it my turn?").state == State.ANSWERED
    assert Comment.objects.count() == 1


def test_mails_about_orders_can_be_answered(row, now):
    answer(row.game, row, now)
    seat = row.seat
    dropped = OrderDropped(seat.number, "o1", {"code": ""}, "date")
    notify.after_move(seat.game, {seat.number: seat}, [], [dropped], now)
    notice = Notice.objects.get(kind="orders")
    letter = composer_for("orders").compose(notice, "es", Form.LETTER)
    assert letter.headers["Reply-To"] == decision_links.reply_address(seat.decisions.latest("pk"))
    assert "con una sola línea: órdenes" in letter.text and "<code>órdenes</code>" in letter.html
