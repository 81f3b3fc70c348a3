"""Others receive the same, byte for byte, whatever Ben does in secret.

25 pairs with a sealed answer and 25 with orders each time; 1,000 and 300 with MARATHON=1. Each pair reads a share of
all there is to read, and the pairs of a run every share.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from random import Random
from typing import Any

import pytest
from django.db import transaction

from tests import capabilities
from tests.games.conftest import fresh, open_rows
from tests.games.magic import PASS, deal_all_spells
from tests.secrecy import acting
from tests.secrecy.acting import Hidden
from tests.secrecy.collecting import Share, differences, everything
from tests.secrecy.worlds import HIDDEN, HOST, STAFF_PLAYER, House, Received, open_house, world

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

SEALED = ("take_treasures", "sheet", "place", "plan", "window")
IN_AN_HOUR = "plan"  # is asked while the table plays live together
SHARES, TO_EACH = 56, 2  # into how many shares all is divided; how many worlds are compared with the same one
PLACES = ("first", "second", "last")
"""When Ben is asked in the first window of a game: that an order answers for him changes nothing for who is later."""

MOST_DEALS = 40  # games that are dealt until one is found

MOST = {"sealed": 1000, "ordered": 300} if capabilities.has_time() else {"sealed": 25, "ordered": 25}
PAIRS = dict.fromkeys(SEALED, MOST["sealed"] // len(SEALED))
PAIRS |= {f"orders in a window, asked {place}": MOST["ordered"] // 9 for place in PLACES}
PAIRS |= {"orders face down": MOST["ordered"] // 3}
PAIRS |= {"orders that end": MOST["ordered"] - 3 * (MOST["ordered"] // 9) - MOST["ordered"] // 3}
GROUPS = {kind: -(-many // TO_EACH) for kind, many in PAIRS.items()}
FIRST = dict(zip(GROUPS, accumulate(GROUPS.values(), initial=0), strict=False))
"""The share that the first worlds of each kind read; the next ones read the next."""

WAVES = {"version": "magic", "tally": "plan", "placing": "waves", "tokens_per_turn": "8"}
Live = Callable[[House, Sequence[Hidden], Share], list[Received]]


def test_the_pairs_of_a_run_read_every_share() -> None:
    shares = [Share(number % SHARES, SHARES) for number in range(sum(GROUPS.values()))]
    assert {one.number for share in shares for one in (share, share.opposite())} == set(range(SHARES))


@pytest.mark.parametrize("kind", SEALED)
def test_nobody_can_tell_what_was_answered_in_secret_or_whether(
    kind: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Nor what was replaced, how often, by which way and when, or what orders were given besides."""
    if kind == "window":
        deal_all_spells(monkeypatch)
    with open_house(monkeypatch, settings, kind, options={} if kind == "window" else WAVES) as house:
        acting.play_to(house, kind)
        row = house.asked(HIDDEN)
        assert row is not None and row.is_sealed
        if kind == IN_AN_HOUR:
            acting.begin_hour(house)
        doing = [acting.in_secret(Random(f"{kind} {number}")) for number in range(PAIRS[kind])]
        compare(house, doing, answer_in_the_end, kind)


def answer_in_the_end(house: House, hidden: Sequence[Hidden], share: Share) -> list[Received]:
    """Ben does things in secret, or nothing; everybody waits and is reminded, and a moderator has Ben's question sent
    to him again. Then all answer, and Ben in every world the same. An hour together is missed meanwhile."""
    for act in hidden[::2]:
        house.do("Ben acts", partial(act, house))
    live: list[Received] = []
    if fresh(house.game).is_live_hour:
        house.wait(0.1)
        live = [everything(house, "live", share)]
    house.wait(21)
    for act in hidden[1::2]:
        house.do("Ben goes on", partial(act, house))
    house.wait(2)
    found = [everything(house, "open", share) | mail_again(house)]
    house.do("Ben settles", partial(acting.settle_on, house, 0))
    answered = acting.others_answer(house, 1)
    house.wait(4)
    return [*live, *found, everything(house, "closed", share.opposite()) | answered]


def mail_again(house: House) -> Received:
    """A moderator has Ben's question sent to him once more, whether or not it is open."""
    said: list[Any] = []
    path = "moderation/acts/"
    body = {"act": "mail_again", "ref": house.game.ref, "reason": "He asked for it.", "seat": house.seat(HIDDEN).number}
    house.do("mail again", lambda: said.append(house.programs["staff"].post(path, body)))
    return {"what a moderator is answered": repr(said).encode()}


@pytest.mark.parametrize("place", PLACES)
def test_nobody_can_tell_an_order_that_passes_in_a_window_from_a_hand_that_does(
    place: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """The games are dealt until there is one in which Ben is asked in that place."""
    deal_all_spells(monkeypatch)
    kind = f"orders in a window, asked {place}"
    for dealt in map(str, range(MOST_DEALS)):
        before = transaction.savepoint()
        with open_house(monkeypatch, settings, dealt, options={}) as house:
            acting.play_to(house, "take_treasures")
            house.do("Ben takes", partial(acting.settle_on, house, 0))
            if asked_in_turn(house).index(HIDDEN) == PLACES.index(place):
                doing = [[partial(pass_by_orders, Random(number))] for number in range(PAIRS[kind])]
                compare(house, doing, windows, kind)
                return
        transaction.savepoint_rollback(before)
    raise AssertionError(f"Ben is never asked {place}")


def asked_in_turn(house: House) -> list[str]:
    """Who is asked in the window that opens when all have taken their treasures, in the order of the rules."""
    with world(house):
        acting.others_answer(house, 1)
        return [row.seat.name for row in open_rows(house.game)]


def pass_by_orders(random: Random, house: House) -> None:
    """He orders to pass, in every window, with other orders that do nothing."""
    passing = {"kind": "window", "answers": [PASS], "stays": True, "even_so": True}
    acting.order(house, passing, *map(acting.far, random.sample(acting.hand(house), random.randint(0, 3))))


def windows(house: House, hidden: Sequence[Hidden], share: Share) -> list[Received]:
    """Orders answer for Ben as the window opens, and he is told so after a while; or he answers by hand, late."""
    for act in hidden:
        house.do("Ben orders", partial(act, house))
    answered = acting.others_answer(house, 1)
    house.wait(5)
    found = [everything(house, "open", share) | answered]
    house.do("Ben passes", partial(acting.pass_by_hand, house))
    for name in (STAFF_PLAYER, HOST):
        house.do(f"{name} passes", partial(acting.pass_by_hand, house, name))
    house.wait(1)
    return [*found, everything(house, "closed", share.opposite())]


def test_nobody_can_tell_which_token_an_order_has_placed_face_down(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    with open_house(monkeypatch, settings, "face down", options={"version": "basic"}) as house:
        before = house.game.seats.get(number=(house.seat(HIDDEN).number - 1) % 3).name
        acting.play_to(house, "place", before)
        kind = "orders face down"
        doing = [[partial(place_by_orders, Random(number))] for number in range(PAIRS[kind])]
        compare(house, doing, partial(placed, before), kind)


def place_by_orders(random: Random, house: House) -> None:
    """One or more orders to place a token at the market; the first one fires."""
    hand = acting.hand(house)
    tokens = random.sample(hand, random.randint(1, min(3, len(hand))))
    acting.order(house, *(acting.place(token, "market") for token in tokens[:1]), *map(acting.far, tokens[1:]))


def placed(before: str, house: House, hidden: Sequence[Hidden], share: Share) -> list[Received]:
    """Whoever sits before Ben places, and Ben's order answers at once."""
    if not hidden:
        hidden = [lambda house: acting.order(house, acting.place(acting.hand(house)[0], "market"))]
    for act in hidden:
        house.do("Ben orders", partial(act, house))
    house.wait(1)
    found = [everything(house, "given", share)]
    house.do("before Ben", partial(acting.place_openly, house, before))
    assert house.asked(HIDDEN) is None
    house.wait(5)
    return [*found, everything(house, "fired", share.opposite())]


def test_nobody_can_tell_orders_that_end_from_none(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    with open_house(monkeypatch, settings, "that end", options={"version": "basic"}) as house:
        acting.play_to(house, "place", HOST)
        kind = "orders that end"
        doing = [[partial(dated_orders, Random(number)), *more(number)] for number in range(PAIRS[kind])]
        compare(house, doing, ended, kind)


def more(number: int) -> list[Hidden]:
    """What some of them do besides: take the orders back, look, and write."""
    return [[acting.order], [acting.look], [partial(acting.by_mail, "orders")], []][number % 4]  # type: ignore[list-item]


def dated_orders(random: Random, house: House) -> None:
    """Some orders that end in two hours, before they have done anything."""
    tokens = random.sample(acting.hand(house), random.randint(1, 4))
    dated = [{**acting.far(token), "until": "date"} for token in tokens]
    acting.order(house, *dated, dates=[acting.in_hours(house, 2)] * len(dated))


def ended(house: House, hidden: Sequence[Hidden], share: Share) -> list[Received]:
    """Orders are given, perhaps taken back, and end by themselves; Ben is told so after a while."""
    for act in hidden:
        house.do("Ben orders", partial(act, house))
    house.wait(1)
    found = [everything(house, "given", share)]
    house.wait(2)
    house.wait(4)
    house.do("Anna places", partial(acting.place_openly, house, HOST))
    house.wait(1)
    return [*found, everything(house, "ended", share.opposite())]


def compare(house: House, doing: Sequence[Sequence[Hidden]], live: Live, kind: str) -> None:
    """Worlds in which Ben does one thing or another, each with one in which he does nothing of it."""
    found: list[str] = []
    for number, begin in enumerate(range(0, len(doing), TO_EACH), FIRST[kind]):
        share = Share(number % SHARES, SHARES)
        with world(house):
            same = live(house, [], share)
        for hidden in doing[begin : begin + TO_EACH]:
            with world(house):
                others = live(house, hidden, share)
            for moment, (one, other) in enumerate(zip(same, others, strict=True)):
                found += [f"{moment}: {line}" for line in differences(one, other)]
    assert not found, f"{len(found)} differences:\n" + "\n".join(dict.fromkeys(found[:40]))
