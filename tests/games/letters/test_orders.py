"""What orders do is told once, where it is news: a letter of its own, or the letter that asks."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from engine.orders.model import EVERYTHING
from games.models import Decision, Game, Seat, User
from games.play import absences, history, queries, standing_orders
from games.play.history import LogLine, merge_lines
from notifications.models import Notice
from tests.games.conftest import answer, fresh, open_rows, seat_of
from tests.games.letters.conftest import mail, stale
from tests.games.magic import dealt, dealt_placing, kept_dealt

__all__ = ["dealt", "dealt_placing", "kept_dealt"]

SOMEBODY = {"type": "others", "space": "guard", "is": "at_least", "value": 1}


def place(token: int, space: str = "guard", **more: Any) -> dict[str, Any]:
    return {"kind": "place", "answers": [{"type": "place", "token": token, "space": space}], **more}


def following(game: Game) -> User:
    """Who places next but one."""
    user = game.seats.get(number=(open_rows(fresh(game))[0].seat.number + 1) % 3).user
    assert user is not None
    return user


def give(game: Game, user: User, now: dt.datetime, *given: dict[str, Any], **more: Any) -> None:
    raw = {"orders": list(given)}
    standing_orders.give(
        game_id=game.pk, seat=seat_of(game, user).number, raw=raw, source="web", now=now, actor=user, **more
    )


def somebody_places(game: Game, now: dt.datetime) -> None:
    row = open_rows(fresh(game))[0]
    answer(game, row, now, {"type": "place", "token": 1, "space": "guard"})


def letters() -> int:
    return Notice.objects.filter(kind="orders").count()


def test_that_an_order_ended_on_its_date_is_worth_a_letter(placing: Game, now: dt.datetime) -> None:
    user, tomorrow = following(placing), now + dt.timedelta(days=1)
    give(placing, user, now, place(9, until="date"), dates=[tomorrow])
    assert standing_orders.end_one(tomorrow)
    assert "Your order for “When you place a token” has ended on its date." in mail("orders", user).text
    while (row := open_rows(fresh(placing))[0]).seat.user != user:
        answer(fresh(placing), row, now)
    assert stale("orders", user), "the letter that asks tells it too"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kind": "place", "answers": []}, "your order says that you decide this yourself"),
        (
            place(9, stops=[{"type": "others", "space": "guard", "is": "at_least", "value": 1}]),
            "stops here and asks you",
        ),
        (place(9, conditions=[{"type": "guard", "is": "at_least", "value": 1}]), "depends on something you can't see"),
        (place(9, "cave-gem"), "was dropped: its answer isn't possible any more"),
    ],
    ids=["told", "stopped", "unknown", "unfit"],
)
def test_why_an_order_has_not_answered_stands_in_the_letter_that_asks(
    placing: Game, now: dt.datetime, given: dict[str, Any], said: str
) -> None:
    user = following(placing)
    give(placing, user, now, given)
    if "dropped" in said:
        _lose_nine(placing, user)
    somebody_places(placing, now)
    assert open_rows(fresh(placing))[0].seat.user == user
    assert said in mail("due", user).text


def _lose_nine(game: Game, user: User) -> None:
    """The player has no 9 any more."""
    game = fresh(game)
    state = game.load_state()
    state.hands[seat_of(game, user).number].remove(9)
    Game.objects.filter(pk=game.pk).update(state=game.rules.dump(state).decode())


@pytest.mark.slow
def test_an_order_that_waits_because_a_card_was_shown_says_so_in_the_letter_that_asks(
    dealt_placing: Game, now: dt.datetime
) -> None:
    user = following(dealt_placing)
    give(dealt_placing, user, now, place(9))
    game = fresh(dealt_placing)
    state = game.load_state()
    sheet = state.orders[seat_of(game, user).number]
    sheet.plays, sheet.touched = 1, [EVERYTHING]
    Game.objects.filter(pk=game.pk).update(state=game.rules.dump(state).decode())
    somebody_places(dealt_placing, now)
    assert "your order waits for you, because a card" in mail("due", user).text


def test_orders_that_end_with_their_round_are_told_in_one_line_and_no_letter(placing: Game, now: dt.datetime) -> None:
    """Their player said himself that they end there."""
    user = following(placing)
    far = [{"type": "round", "is": "at_least", "value": 9}]
    bribe = {"kind": "bribe", "answers": [{"type": "stay_out"}], "until": "round"}
    give(placing, user, now, *(place(token, conditions=far, until="round") for token in (7, 8, 9)), bribe)
    game = fresh(placing)
    state = game.load_state()
    state.round += 1  # as if the next one had begun
    Game.objects.filter(pk=game.pk).update(state=game.rules.dump(state).decode())
    row = next(row for row in open_rows(game) if row.seat.user != user)
    Decision.objects.filter(pk=row.pk).update(code=row.code.replace("r1", "r2"))
    somebody_places(placing, now)
    assert letters() == 0
    lines = [line.text for line in history.since_last_answer(queries.Access(fresh(game), seat_of(game, user)))]
    told = [line for line in lines if "with the round" in line]
    assert told == [
        "Your order for “When you place a token” has ended with the round. (×3)",
        "Your order for “At the palace guard, when you are too weak” has ended with the round.",
    ]


def test_orders_until_their_player_is_back_end_without_a_letter_and_are_told_with_his_move(
    placing: Game, now: dt.datetime
) -> None:
    row = open_rows(placing)[0]
    assert row.seat.user is not None
    give(placing, row.seat.user, now, place(9, until="return"), place(8, until="return"))
    move = answer(placing, row, now, {"type": "place", "token": 1, "space": "guard"})
    access = queries.Access(fresh(placing), row.seat)
    assert letters() == 0
    assert history.lines_of_move(access, move)[0].text.endswith("has ended because you are back. (×2)")
    assert history.since_last_answer(access)[0].text.endswith("has ended because you are back. (×2)")
    others = queries.Access(fresh(placing), seat_of(placing, following(placing)))
    assert not any("because you are back" in line.text for line in history.log_lines(others))


@pytest.mark.slow
def test_who_comes_back_to_his_seat_reads_what_ended_in_the_letter_that_asks(placing: Game, now: dt.datetime) -> None:
    row = open_rows(placing)[0]
    assert row.seat.user is not None
    give(placing, row.seat.user, now, place(9, until="return"))
    Seat.objects.filter(pk=row.seat.pk).update(status=Seat.Status.ABSENT)
    absences.come_back(seat_id=row.seat.pk, now=now)
    assert letters() == 0
    assert "has ended because you are back" in mail("due", row.seat.user).text


@pytest.mark.slow
def test_an_order_for_something_unasked_that_is_dropped_is_told_by_a_letter(
    dealt_placing: Game, now: dt.datetime
) -> None:
    """Nobody is asked in its place, so no other letter would say it."""
    user = following(dealt_placing)
    access = queries.Access(fresh(dealt_placing), seat_of(dealt_placing, user))
    view = queries.view_of(access)
    kind = next(one for one in access.game.rules.vocabulary.kinds(view) if one.name == "declare")
    card = next(form for form in kind.answers if form.type == "card")
    own = [*view.magic.spells, *view.magic.artifacts]
    missing = next(option.value for option in card.fields[0].options if option.value not in own)
    declare = {"kind": "declare", "answers": [{"type": "card", "card": missing}], "conditions": [SOMEBODY]}
    give(dealt_placing, user, now, declare)
    somebody_places(dealt_placing, now)
    assert letters() == 1


def test_lines_that_everybody_reads_are_never_joined() -> None:
    at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    public = [LogLine(number, at, "Anna passes.", None) for number in (1, 2)]
    assert merge_lines(public) == public
    own = LogLine(None, at, "It ended.", None)
    assert [line.text for line in merge_lines([own, own, replace(own, at=at + dt.timedelta(1))])] == [
        "It ended. (×2)",
        "It ended.",
    ]
