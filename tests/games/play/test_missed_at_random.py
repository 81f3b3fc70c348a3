"""Random games in which people miss their sheets or have stewards: nobody is asked about a round he has left."""

import datetime as dt
import json
from random import Random

import pytest

from games.models import Decision, Game, Move, Seat
from games.play import deadlines, proposals, stewards
from tests.capabilities import has_time
from tests.games.conftest import answer, fresh, open_rows, propose_all, settle
from tests.games.play.test_deadlines import told

DAY, HOUR = dt.timedelta(days=1), dt.timedelta(hours=1)
STEPS = 14  # of a game: about three rounds
SEEDS = range(30 if has_time() else 1)
pytestmark = pytest.mark.slow


def ask(game: Game, now: dt.datetime) -> list[Decision]:
    """What is asked once workers have done their work; everybody was told at once."""
    settle(now)
    propose_all(now)
    rows = open_rows(fresh(game))
    for row in rows:
        told(row, now)
    return rows


def accept(game: Game, row: Decision, now: dt.datetime) -> None:
    """Its player plays what is proposed to him."""
    shown = proposals.load_or_make(row, now)
    answer(game, row, now, json.loads(shown.answer) if shown else None)


def round_of(row: Decision) -> tuple[str, int]:
    """The round that is asked about, and the seat."""
    return row.code.partition("-")[0], row.seat_id


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("missed", ["proposal", "default"])
def test_who_misses_a_sheet_has_one_miss_and_is_not_asked_for_a_token_of_that_round(
    proposing: Game, now: dt.datetime, missed: str, seed: int
) -> None:
    Game.objects.filter(pk=proposing.pk).update(missed=missed, is_first_miss_excused=False, absent_after=20)
    dice, left = Random(seed), set[tuple[str, int]]()
    for _step in range(STEPS):
        late = set[int]()
        for row in ask(proposing, now):
            assert row.kind != "place" or round_of(row) not in left
            if row.kind == "sheet" and dice.random() < 0.5:
                left.add(round_of(row))
                late.add(row.seat_id)
            else:
                accept(proposing, row, now)
        before = {seat.pk: seat.misses for seat in proposing.seats.all()}
        now += DAY
        while deadlines.expire_one(now):
            pass
        after = {seat.pk: seat.misses for seat in Seat.objects.filter(game=proposing)}
        assert {key for key in after if after[key] != before[key]} == late
        assert all(after[key] == before[key] + 1 for key in late)
    assert left


@pytest.mark.parametrize("seed", SEEDS)
def test_stewards_act_for_those_who_opted_in_and_only_when_nobody_else_is_missing(
    proposing: Game, now: dt.datetime, seed: int
) -> None:
    dice = Random(seed)
    having = set(dice.sample(range(3), 2))
    for number in having:
        stewards.change(game_id=proposing.pk, seat=number, hours=dice.randint(1, 5), now=now)
    for _step in range(STEPS):
        rows = ask(proposing, now)
        if any(row.seat.number not in having for row in rows):
            assert not stewards.act_one(now + 6 * HOUR), "somebody without one is missing"
        for row in rows:
            if row.seat.number not in having:
                accept(proposing, row, now)
        now += 6 * HOUR
        while stewards.act_one(now):
            pass
    moves = Move.objects.filter(game=proposing, source=Move.Source.STEWARD)
    assert moves
    assert set(moves.values_list("seat", flat=True)) <= having
    assert not any(Seat.objects.filter(game=proposing).values_list("misses", flat=True))
