"""Orders at the service: stored as moves, seen by nobody else, ended by date, return and change of hands."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from engine.orders.model import Order
from games.errors import Conflict, Illegal, ServiceError
from games.models import Decision, Game, Move, OrderDate, Seat, User
from games.play import absences, history, queries, standing_orders
from games.play.replay import replay
from notifications.models import Notice
from tests.games.conftest import answer, fresh, open_rows, running, seat_of, settle
from tests.games.letters.conftest import mail
from tests.games.magic import PASS, dealt, dealt_placing, kept_dealt

__all__ = ["dealt", "dealt_placing", "kept_dealt"]


def place(token: int, space: str = "guard", **more: Any) -> dict[str, Any]:
    return {"kind": "place", "answers": [{"type": "place", "token": token, "space": space}], **more}


def give(game: Game, user: User, now: dt.datetime, *given: dict[str, Any], **more: Any) -> Move:
    seat = seat_of(game, user)
    return standing_orders.give(
        game_id=game.pk, seat=seat.number, raw={"orders": list(given)}, source="web", now=now, actor=user, **more
    )


def sheet(game: Game, user: User) -> list[Order]:
    game = fresh(game)
    found: list[Order] = game.rules.orders(game.load_state(), seat_of(game, user).number).orders
    return found


def asked(game: Game) -> Decision:
    return open_rows(fresh(game))[0]


def waiting_other(game: Game) -> User:
    """Somebody who is not asked now, and is next."""
    row = asked(game)
    number = (row.seat.number + 1) % 3
    user = game.seats.get(number=number).user
    assert user is not None
    return user


def test_an_order_answers_in_the_move_that_opened_its_question(placing: Game, now: dt.datetime) -> None:
    user = waiting_other(placing)
    give(placing, user, now, place(9))
    row = asked(placing)
    move = answer(placing, row, now, {"type": "place", "token": 1, "space": "guard"})
    game = fresh(placing)
    assert [token.value for token in game.load_state().spaces["guard"]] == [1, 9]
    assert '"type":"OrderFired"' in move.events
    assert asked(game).seat.user not in (row.seat.user, user)
    assert not game.decisions.filter(seat__user=user, kind="place").exists(), "he was never asked"
    replay(game)


def test_giving_orders_is_invisible_to_everybody_else(placing: Game, now: dt.datetime) -> None:
    user = waiting_other(placing)

    def seen() -> list[Any]:
        game = fresh(placing)
        found: list[Any] = [
            game.public_events,
            game.status,
            game.advance_at,
            queries.due_at(game),
            Notice.objects.count(),
        ]
        for seat in [None, *game.seats.exclude(user=user)]:
            access = queries.Access(game, seat)
            found.append([(line.number, line.text) for line in history.log_lines(access)])
            found.append(msgspec.json.encode(queries.view_of(access)))
        found.append([(row.code, row.seat.number, row.due_at) for row in queries.asked_rows(game)])
        return found

    before = seen()
    move = give(placing, user, now, place(9), place(8))
    assert seen() == before
    assert (move.kind, move.events) == (Move.Kind.ORDERS, "[]")
    row = asked(placing)
    answer(placing, row, now, {"type": "place", "token": 1, "space": "guard"})
    lines = history.log_lines(queries.Access(fresh(placing), None))
    numbers = [line.number for line in lines]
    assert numbers == sorted(numbers) and None not in numbers


def test_its_own_seat_reads_what_an_order_did(placing: Game, now: dt.datetime) -> None:
    user = waiting_other(placing)
    give(placing, user, now, place(9))
    move = answer(placing, asked(placing), now, {"type": "place", "token": 1, "space": "guard"})
    game = fresh(placing)
    own = history.log_lines(queries.Access(game, seat_of(game, user)), since=move.seq)
    assert any(line.text.startswith("Your order has answered") and line.number is None for line in own)
    others = history.log_lines(queries.Access(game, None), since=move.seq)
    assert not any("order" in line.text for line in others)


def test_the_next_letter_that_asks_says_how_much_orders_have_answered(placing: Game, now: dt.datetime) -> None:
    user = waiting_other(placing)
    give(placing, user, now, place(9), place(8))
    answer(placing, asked(placing), now, {"type": "place", "token": 1, "space": "guard"})
    for _ in range(5):
        if asked(placing).seat.user == user:
            break
        answer(placing, asked(placing), now)
    assert len(sheet(placing, user)) == 0, "both have answered"
    assert not Notice.objects.filter(kind="orders").exists()
    assert "- Answered by your orders: 2." in mail("due", user).text


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"orders": [place(12)]}, "Order 1: Token: 12 can't be chosen now. Possible: "),
        ({"orders": [place(9), place(9, "market")]}, "Orders 1 and 2 place the same token"),
        ({"orders": "all"}, "These orders can't be read"),
        (None, "These orders can't be read"),
    ],
)
def test_orders_that_cannot_be_are_refused_in_words_and_nothing_changes(
    placing: Game, anna: User, now: dt.datetime, bad: object, said: str
) -> None:
    before = fresh(placing).state
    with pytest.raises(Illegal, match=said):
        standing_orders.give(game_id=placing.pk, seat=seat_of(placing, anna).number, raw=bad, source="web", now=now)
    assert fresh(placing).state == before


def test_orders_are_added_moved_replaced_and_removed_one_by_one(placing: Game, anna: User, now: dt.datetime) -> None:
    seat = seat_of(placing, anna).number

    def edit(change: standing_orders.Edit) -> list[str]:
        standing_orders.edit(game_id=placing.pk, seat=seat, change=change, source="web", now=now)
        return [f"{order.id} {order.answers[0]['token']}" for order in sheet(placing, anna)]

    def wish(token: int) -> Order:
        return msgspec.convert(place(token), Order)

    edit(standing_orders.added(wish(9)))
    assert edit(standing_orders.added(wish(8))) == ["o1 9", "o2 8"]
    assert edit(standing_orders.moved("o2", -1)) == ["o2 8", "o1 9"]
    assert edit(standing_orders.moved("o2", -1)) == ["o2 8", "o1 9"]
    assert edit(standing_orders.replaced("o1", wish(7))) == ["o2 8", "o1 7"]
    assert edit(standing_orders.removed("o2")) == ["o1 7"]
    for change in (
        standing_orders.removed("o2"),
        standing_orders.moved("o9", 1),
        standing_orders.replaced("o2", wish(1)),
    ):
        with pytest.raises(Conflict, match="no longer exists"):
            edit(change)


def test_who_goes_on_passing_can_still_order_for_windows(dealt: Game, now: dt.datetime) -> None:
    """What he orders then is tried first."""
    row = open_rows(dealt)[0]
    answer(dealt, row, now, {"type": "pass_round"})
    user = row.seat.user
    assert user is not None
    new = Order(kind="window", topic="market", until="round")
    standing_orders.edit(
        game_id=dealt.pk, seat=row.seat.number, change=standing_orders.added(new), source="web", now=now, actor=user
    )
    assert [order.id for order in sheet(dealt, user)] == ["o1", "pass"]


def test_an_order_ends_on_its_date_and_not_before(placing: Game, now: dt.datetime) -> None:
    user = waiting_other(placing)
    tomorrow = now + dt.timedelta(days=1)
    give(placing, user, now, place(9, until="date"), place(8), dates=[tomorrow])
    assert not standing_orders.end_one(now)
    assert standing_orders.end_one(tomorrow)
    assert [order.id for order in sheet(placing, user)] == ["o2"]
    assert not OrderDate.objects.exists()
    assert "has ended on its date" in mail("orders", user).text
    replay(fresh(placing))


@pytest.mark.parametrize(("hours", "said"), [(None, "choose the date"), (-1, "has passed")])
def test_a_date_must_be_given_and_lie_ahead(
    placing: Game, anna: User, now: dt.datetime, hours: int | None, said: str
) -> None:
    dates = [] if hours is None else [now + dt.timedelta(hours=hours)]
    with pytest.raises(Illegal, match=said):
        give(placing, anna, now, place(9, until="date"), dates=dates)
    assert sheet(placing, anna) == []


def test_orders_until_he_is_back_end_when_he_answers(placing: Game, now: dt.datetime) -> None:
    row = asked(placing)
    user = row.seat.user
    assert user is not None
    give(placing, user, now, place(9, until="return"), place(8))
    answer(placing, row, now, {"type": "place", "token": 1, "space": "guard"})
    assert [order.id for order in sheet(placing, user)] == ["o2"]
    replay(fresh(placing))


def test_orders_until_he_is_back_end_when_he_comes_back(placing: Game, ben: User, now: dt.datetime) -> None:
    give(placing, ben, now, place(9, until="return"))
    Seat.objects.filter(game=placing, user=ben).update(status=Seat.Status.ABSENT)
    absences.come_back(seat_id=seat_of(placing, ben).pk, now=now)
    assert sheet(placing, ben) == []


def test_whoever_takes_a_seat_over_does_not_get_its_orders(
    placing: Game, ben: User, david: User, now: dt.datetime
) -> None:
    give(placing, ben, now, place(9))
    seat = seat_of(placing, ben)
    Seat.objects.filter(pk=seat.pk).update(status=Seat.Status.ABSENT)
    Game.objects.filter(pk=placing.pk).update(absent_seats=Game.AbsentSeats.TAKEOVER)
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    assert sheet(placing, david) == []
    replay(fresh(placing))


def test_nor_does_he_read_what_its_former_player_planned_the_last_time(
    placing: Game, ben: User, david: User, now: dt.datetime
) -> None:
    """The orders of the last plan are offered again, though all of them have ended."""
    game, seat = fresh(placing), seat_of(placing, ben)
    give(placing, ben, now, place(9))
    state = fresh(placing).load_state()
    sheet_of_ben = state.orders[seat.number]
    sheet_of_ben.planned, sheet_of_ben.orders = sheet_of_ben.orders, []
    Game.objects.filter(pk=game.pk).update(
        state=game.rules.dump(state).decode(), absent_seats=Game.AbsentSeats.TAKEOVER
    )
    Seat.objects.filter(pk=seat.pk).update(status=Seat.Status.ABSENT)
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    assert queries.orders_of(queries.Access(fresh(placing), seat_of(placing, david))).planned == []


def test_orders_are_his_who_sits_there(placing: Game, anna: User, now: dt.datetime) -> None:
    Seat.objects.filter(game=placing, user=anna).update(status=Seat.Status.ABSENT)
    with pytest.raises(ServiceError):
        give(placing, anna, now, place(9))


def test_who_has_answered_a_window_by_order_cannot_be_told_from_who_waits(
    dealt: Game, ben: User, carla: User, now: dt.datetime
) -> None:
    """An order of Ben's passes the window after the last token: to the others he is asked like anybody."""
    while [row for row in open_rows(dealt) if row.kind == "window"]:
        answer(dealt, open_rows(dealt)[0], now, PASS)
    give(dealt, ben, now, {"kind": "window", "answers": [PASS], "stays": True, "even_so": True})
    while rows := [row for row in open_rows(dealt) if row.kind == "place"]:
        answer(dealt, rows[0], now)
    settle(now)
    game = fresh(dealt)
    assert {row.kind for row in open_rows(game)} == {"window"}
    assert ben not in {row.seat.user for row in open_rows(game)}
    assert ben in {row.seat.user for row in queries.asked_rows(game)}
    assert ben in {seat.user for seat in queries.waiting(game, None)[0]}
    dues = {row.due_at for row in queries.asked_rows(game)}
    assert None not in dues
    assert not Notice.objects.filter(kind="due", recipient=ben.recipient, subject__contains=asked(game).ref).exists()
    replay(game)


@pytest.mark.parametrize("number", range(3))
def test_whoever_passes_a_window_by_order_all_are_asked_in_the_same_order(
    number: int, dealt_placing: Game, now: dt.datetime
) -> None:
    """The rows and references of a question would tell who was not asked if his were written behind the others'."""
    user = dealt_placing.seats.get(number=number).user
    assert user is not None
    give(dealt_placing, user, now, {"kind": "window", "answers": [PASS], "stays": True, "even_so": True})
    while rows := [row for row in open_rows(dealt_placing) if row.kind == "place"]:
        answer(dealt_placing, rows[0], now)
    settle(now)
    game = fresh(dealt_placing)
    window = [decision for decision in game.rules.decisions(game.load_state()) if decision.kind == "window"]
    assert [decision.seat for decision in window if not decision.prompted] == [number]
    rows = game.decisions.filter(code=window[0].id).select_related("seat").order_by("pk")
    assert [row.seat.number for row in rows] == [decision.seat for decision in window]


def test_a_game_with_orders_from_a_bot_table_replays(anna: User, ben: User, now: dt.datetime) -> None:
    game = running(anna, [ben], now, rules_name="cave-of-wonders", seat_count=2)
    for user in (anna, ben):
        best = [{"type": "take_best"}]
        give(game, user, now, *({"kind": kind, "answers": best, "stays": True} for kind in ("move", "carpet")))
    for _ in range(30):
        settle(now)
        if not (rows := open_rows(fresh(game))):
            break
        answer(game, rows[0], now)
    replay(fresh(game))


def test_who_takes_a_seat_over_gets_no_orders_of_his_predecessor_and_reads_nothing_of_them(
    placing: Game, now: dt.datetime, david: User
) -> None:
    Game.objects.update(absent_seats=Game.AbsentSeats.TAKEOVER)
    user = waiting_other(placing)
    tomorrow = now + dt.timedelta(days=1)
    give(placing, user, now, place(9), place(8, until="date"), dates=[None, tomorrow])
    answer(placing, asked(placing), now, {"type": "place", "token": 1, "space": "guard"})
    seat = seat_of(placing, user)
    assert any(
        "Your order has answered" in line.text for line in history.log_lines(queries.Access(fresh(placing), seat))
    )
    Seat.objects.filter(pk=seat.pk).update(status=Seat.Status.ABSENT)
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    assert sheet(placing, david) == [] and not OrderDate.objects.exists()
    heir = queries.Access(fresh(placing), seat_of(placing, david))
    assert not any("order" in line.text.lower() for line in history.log_lines(heir))
    assert any("9" in line.text for line in history.log_lines(heir)), "what the seat knows goes on with it"
    replay(fresh(placing))
    give(placing, david, now, place(4))
    assert [order.answers[0]["token"] for order in sheet(placing, david)] == [4]


def test_who_comes_back_finds_his_orders(placing: Game, now: dt.datetime) -> None:
    user = waiting_other(placing)
    give(placing, user, now, place(9), place(8, until="return"))
    seat = seat_of(placing, user)
    absences.make_absent(seat, asked(placing), now)
    assert len(sheet(placing, user)) == 2
    absences.come_back(seat_id=seat.pk, now=now)
    assert [order.answers[0]["token"] for order in sheet(placing, user)] == [9]


def test_an_answer_that_the_deadline_gives_lets_suspended_orders_wait_on(dealt_placing: Game, now: dt.datetime) -> None:
    row = asked(dealt_placing)
    user = row.seat.user
    assert user is not None
    give(dealt_placing, user, now, place(9), place(8))
    shown(dealt_placing, user, 1)
    answer(dealt_placing, row, now, None, source=Move.Source.DEADLINE, actor=None)
    assert plays(dealt_placing, user) == 1


def plays(game: Game, user: User) -> int:
    game = fresh(game)
    return int(game.rules.orders(game.load_state(), seat_of(game, user).number).plays)


def shown(game: Game, user: User, number: int) -> None:
    """Somebody else has shown so many plays since."""
    game = fresh(game)
    state = game.load_state()
    game.rules.orders(state, seat_of(game, user).number).plays = number
    Game.objects.filter(pk=game.pk).update(state=game.rules.dump(state).decode())
