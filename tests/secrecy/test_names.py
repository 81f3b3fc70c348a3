"""Where names are hidden until the end, nobody at the table or beside it can tell who sits where.

Each pair is two worlds in which Ben and Carla sit on each other's seats, and the seats do the same. Ben is blocked by
Anna, lives elsewhere and sleeps at other hours than Carla. 10 pairs each time, 500 with MARATHON=1.
"""

import datetime as dt
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from games.clubs.models import Membership
from games.errors import ServiceError
from games.models import Comment, Seat
from games.moderation import tables
from games.people import blocks
from games.play import absences, clocks, game_moves, pauses, table_talk
from notifications.models import Endpoint
from tests import capabilities
from tests.games.conftest import answer, fresh, open_rows, some_answer
from tests.secrecy.collecting import Share, differences, everything
from tests.secrecy.worlds import HIDDEN, HIDDEN_HOOK, HOST, SPECTATOR, STAFF_PLAYER, House, Received, open_house, world

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

PAIRS = 500 if capabilities.has_time() else 10
SHARES = 10
VIEWERS = ("player", "spectator", "nobody")
STRANGERS = (STAFF_PLAYER, "Eva", f"device of {STAFF_PLAYER}")  # what they are sent is theirs
Act = Callable[[House, Seat, Random], object]


def trade_places(house: House) -> None:
    """Ben and Carla have each other's seats, and have had them from the beginning."""
    seats = [house.seat(name) for name in (HIDDEN, STAFF_PLAYER)]
    held = [(seat.user, seat.name, seat.entropy) for seat in seats]
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(user=None)
    for seat, (user, name, entropy) in zip(seats, reversed(held), strict=True):
        Seat.objects.filter(pk=seat.pk).update(user=user, name=name, entropy=entropy)
        seat.tenures.update(user=user)


def speaks(house: House, seat: Seat, random: Random) -> None:
    """The player of a seat says something to another one, by a name that tells nothing."""
    text = random.choice(["Well played!", "Hm.", "@Player 1 hello", "@Anna hello", "@Ben and @Carla hello"])
    assert seat.user is not None
    table_talk.say(game_id=house.game.pk, user=seat.user, text=text, now=house.now)


def answers(house: House, seat: Seat, random: Random) -> None:
    """The player of a seat answers what it is asked."""
    dice = random.randrange(1000)
    for row in open_rows(house.game):
        if row.seat_id == seat.pk:
            answer(house.game, row, house.now, some_answer(fresh(house.game), row, dice))
            return


def sleeps(house: House, seat: Seat, random: Random) -> None:
    """Nobody does anything for a while: reminders come, or a deadline passes."""
    house.wait(random.choice([2, 9, 25, 50]))


def wishes(house: House, seat: Seat, random: Random) -> None:
    """The player of a seat wants a pause, the end, a successor, an hour together, or something for absent seats."""
    game, number, soon = house.game.pk, seat.number, fresh(house.game).hour_at or house.now + dt.timedelta(minutes=2)
    random.choice(
        [
            lambda: pauses.set_wish(game_id=game, seat=number, is_wanted=True, now=house.now),
            lambda: game_moves.set_end_wish(game_id=game, seat=number, is_wanted=True, now=house.now),
            lambda: absences.seek_successor(seat_id=seat.pk, is_wanted=True, now=house.now),
            lambda: absences.come_back(seat_id=seat.pk, now=house.now),
            lambda: pauses.agree_on_hour(game_id=game, seat=number, starts_at=soon, now=house.now),
            lambda: pauses.decline_hour(game_id=game, seat=number, now=house.now),
            lambda: absences.wish_for_absent(seat_id=seat.pk, wish="bot", now=house.now),
        ]
    )()


def cares(house: House, seat: Seat, random: Random) -> None:
    """Anna, who hosts the table, reminds whoever it waits for; or Ben plans a vacation."""
    today, host = house.now.date(), house.people[HOST]
    random.choice(
        [
            lambda: tables.nudge(game=fresh(house.game), by=host, reason="Please", now=house.now),
            lambda: absences.plan(
                user=house.people[HIDDEN], first_day=today, last_day=today + dt.timedelta(3), now=house.now
            ),
        ]
    )()


def resigns(house: House, seat: Seat, random: Random) -> None:
    """The player of a seat gives up."""
    if random.random() < 0.3:
        game_moves.resign(game_id=house.game.pk, seat=seat.number, actor=seat.user, source="web", now=house.now)


ACTS: tuple[Act, ...] = (speaks, speaks, answers, answers, answers, sleeps, wishes, wishes, cares, resigns)


def live(house: House, number: int) -> list[Received]:
    """Each seat does its acts, whoever sits there; then all is read that the others can read."""
    random = Random(number)
    if number % 2:
        Membership.objects.create(club=house.game.club, user=house.people[SPECTATOR])
    for at in range(8):
        seat = fresh(house.game).seats.select_related("user__recipient", "game").get(number=random.randrange(3))
        act = random.choice(ACTS)
        house.do(f"{at} {act.__name__}", partial(try_to, act, house, seat, random))
    house.wait(1)
    share = Share(number % SHARES, SHARES)
    received = everything(house, "in the end", share, VIEWERS)
    return [{key: value for key, value in received.items() if not key.startswith(STRANGERS)}]


def try_to(act: Act, house: House, seat: Seat, random: Random) -> None:
    """Does it, or is refused, as the seat is by now."""
    try:
        act(house, seat, random)
    except ServiceError:
        house.dice.throw("refused")


def test_nobody_can_tell_who_sits_where(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    with open_house(monkeypatch, settings, "names", hides_names=True, options={"version": "basic"}) as house:
        Endpoint.objects.filter(url=HIDDEN_HOOK).delete()  # else somebody is told whom nobody reads here
        ben = house.people[HIDDEN]
        ben.is_ranked = ben.has_profile = True
        ben.save()
        hours = clocks.Hours("Pacific/Auckland", dt.time(1), dt.time(9), [90])
        clocks.change_hours(user=ben, hours=hours, now=house.now)
        blocks.block(by=house.people[HOST].recipient, other=ben, now=house.now)
        house.game.seats.filter(user=house.people[HOST]).update(hears_all_talk=True)
        found: list[str] = []
        for number in range(PAIRS):
            with world(house):
                same = live(house, number)
            with world(house):
                trade_places(house)
                others = live(house, number)
            for one, other in zip(same, others, strict=True):
                found += [f"{number}: {line}" for line in differences(one, other)]
        assert not found, f"{len(found)} differences:\n" + "\n".join(dict.fromkeys(found[:40]))


def test_at_a_table_that_hides_names_the_pairs_would_tell_if_it_did_not(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    with open_house(monkeypatch, settings, "names", options={"version": "basic"}) as house:
        with world(house):
            same = live(house, 0)
        with world(house):
            trade_places(house)
            others = live(house, 0)
        assert differences(same[0], others[0])
        assert not Comment.objects.exclude(hidden_seat=None).exists()
        assert house.people[SPECTATOR].pk not in fresh(house.game).seats.values_list("user", flat=True)
