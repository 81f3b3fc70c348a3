"""A shown card suspends the orders that it touches, and no others: a scenario for each card."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET

from engine.aladdins_dragons.cards.card import Card
from engine.aladdins_dragons.cards.deck import ALL_CARDS, get_card
from engine.aladdins_dragons.events import CardPlayed
from engine.aladdins_dragons.model import Boundary, Bribes, Play, Purchase, State, Window
from engine.core import IllegalAction
from engine.orders.model import EVERYTHING, OrderFired
from engine.orders.running import is_touched
from tests.engine.aladdins_dragons.magic_table import magic_table
from tests.engine.aladdins_dragons.rules import DealtRules, with_orders
from tests.engine.aladdins_dragons.table import A, B, C
from tests.engine.orders.orders import MAGIC, answer, asked, fact, fired, give, held, order, others, place, placing
from tests.engine.orders.test_plans import give_tile, placed, planned, take_from_stacks
from tests.engine.orders.test_properties import walk
from tests.engine.playing import Step

ORDERS = {
    "market": order("market", {"type": "keep"}),
    "camel": order("camel", {"type": "leave_camel"}),
    "bribe": order("bribe", {"type": "bribe_up_to", "limit": 9}),
    "room-1": order("buy", {"type": "decline"}, topic="room-1"),
    "room-2": order("buy", {"type": "decline"}, topic="room-2"),
    "room-3": order(
        "buy", {"type": "decline"}, topic="room-3",
        conditions=[fact("others", space="caravanserai", how="at_most", value=9)],
    ),
}  # fmt: skip
"""Orders of A for the six decisions of his tally, in their order; the last one speaks of the caravanserai, too."""

SPACES = {
    "cave-crown": "C5 B9", "market": "A8 B2", "caravanserai": "A9", "guard": "A7 C9", "room-1": "A1 C2", "room-2": "A2",
    "room-3": "A4 A5",
}  # fmt: skip
SPENT = {"bribe", "market", "room-1", "room-2", "room-3"}
"""Where treasure is spent."""
CITY = {"market", "camel", "room-3"}
ROOMS = {"room-1", "room-2", "room-3"}


class Shown(NamedTuple):
    """A card that C plays in the tally, and the orders of A that wait for him because of it.

    Arguments:
        where: the window; "guard-decision" and "room-1-purchase" are C's own decisions.
        targets: what the card is aimed at.
        touches: of `ORDERS`.
        position: what differs from the usual one.
        before: what B plays there before.
        form: the type of C's answer, if the card has more than one.
    """

    where: str
    targets: dict[str, Any] = {}
    touches: set[str] = set()
    position: dict[str, Any] = {}
    before: dict[str, Any] | None = None
    form: str = ""


STRONG_GUARD = {"guard": 10}
TABOO = {"type": "play_taboo", "space": "market"}
TALLY = [
    ("lamp", Shown("cave-crown")),
    ("carpet", Shown("market", touches={"market"})),
    ("carpet", Shown("guard")),
    ("double", Shown("room-1", {"token": "room-1:2"}, {"room-1"})),
    ("double", Shown("guard", {"token": "guard:2"})),
    ("key", Shown("guard-decision", position=STRONG_GUARD)),
    ("counterspell", Shown("cave-crown", {"play": 1}, {"market"}, before=TABOO)),
    ("charity", Shown("cave-crown", {"take": {"gold": 3}})),
    ("trade", Shown("cave-crown", {"give": {"gem": 1}, "take": {"gold": 1}})),
    ("donation", Shown("cave-crown", touches=SPENT)),
    ("sacrifice", Shown("cave-crown", touches=SPENT)),
    ("abracadabra", Shown("room-1-purchase", {"pay_2": "gem"})),
    ("dragon_leaves", Shown("cave-crown", {"space": "cave-gold"})),
    ("dragons_return", Shown("cave-crown", {"space": "cave-crown"})),
    ("eye_for_an_eye", Shown("cave-crown", {"token": "market:2"}, {"market", "room-1"})),
    ("last_first", Shown("cave-crown", touches=CITY | ROOMS)),
    ("lunar_eclipse", Shown("room-2", {"space": "room-2"}, {"room-2"})),
    ("solar_eclipse", Shown("caravanserai", {"space": "caravanserai"}, {"camel", "room-3"})),
    ("mages_apprentice", Shown("cave-crown", {"space": "room-2", "give": "scroll"}, {"room-2"})),
    ("mirage", Shown("cave-crown", {"space": "room-1"}, {"room-1"})),
    ("second_chance", Shown("cave-crown", {"token": "room-1:2", "to": "market"}, {"room-1", "market"})),
    ("smuggler", Shown("caves", {}, {"room-3"}, {"spaces": {**SPACES, "caravanserai": ""}})),
    ("spy", Shown("cave-crown")),
    ("taboo", Shown("cave-crown", {"space": "room-2"}, {"room-2"})),
    ("teleport", Shown("cave-crown", {"token": "market:2", "to": "room-2", "pay": {"gem": 3}}, {"market", "room-2"})),
    ("teleport", Shown("cave-crown", {"token": "room-3:2", "to": "cave-crown", "pay": {"gem": 3}}, SPENT)),
    ("city_tax", Shown("cave-crown", {}, SPENT | CITY)),
    ("sultans_tax", Shown("cave-crown", {}, SPENT)),
    ("parasite", Shown("market", {}, {"market"}, before={"type": "play_carpet"}, form="play_parasite__carpet")),
    ("parasite", Shown("guard-decision", {}, set(), STRONG_GUARD, {"type": "play_key"}, "play_parasite__key")),
]
TILES = {"lamp", "carpet", "double", "key", "counterspell"}


def table_of(card: str, shown: Shown) -> Any:
    """A tally in which A has an order for each of his decisions; he has no use of his lamp, so no window asks him."""
    spells = ["", "taboo", "spy" if card in TILES else card]
    tiles = ["lamp", "lamp carpet key", f"lamp scroll {card if card in TILES - {'lamp'} else ''}"]
    hoards = [{"gem": 12, "gold": 12, "pearl": 9}, {"gem": 5}, {"gem": 9, "gold": 9}]
    usual: dict[str, Any] = {"spaces": SPACES, "guard": 9, "caves": {"crown": [3, 2]}, "hoards": hoards, "camel": B}
    state = magic_table(3, tiles=tiles, spells=spells, **usual | shown.position)
    for tile in " ".join(tiles).replace("lamp", "").split():
        take_from_stacks(state, tile)
    state.magic.allowance = [0, 2, 2]
    state.agenda.pop()
    return give(MAGIC, state, A, *ORDERS.values())


def moment(state: State) -> str:
    """The window that is open, or whose decision it is."""
    match state.agenda[-1]:
        case Window(where):
            return where
        case Bribes():
            return "guard-decision"
        case Purchase(room):
            return f"{room}-purchase"
    return ""


def played_out(state: Any, where: str, *intents: tuple[int, dict[str, Any]]) -> list[Any]:
    """What happens until the end of the round: each plays what he means to, in turn, and is silent else.

    A never answers himself, so he has not seen what was shown; for him is paid what he can pay.
    """
    left = list(intents)
    state, events = MAGIC.advance(state)
    while not MAGIC.is_advance_pending(state):
        decision = next(one for one in MAGIC.decisions(state) if one.prompted)
        forms = {form.type: form for form in MAGIC.question(state, decision.id, decision.seat).actions}
        action = MAGIC.default(state, decision)
        if decision.seat == A and (paying := forms.get("bribe") or forms.get("answer_pay")):
            action = MAGIC.parse({"type": paying.type, "pay": {"gem": paying.fields[0].total}})
        elif left and (moment(state), decision.seat) == (where, left[0][0]) and left[0][1]["type"] in forms:
            action = MAGIC.parse(left.pop(0)[1])
        by_player = decision.kind == "window" and decision.seat != A
        state, more = MAGIC.open(state, decision.id, decision.seat).apply(action, by_player=by_player)
        events += more
    assert not left, left
    return events


@pytest.mark.parametrize(("card", "shown"), TALLY, ids=[f"{card}-{shown.where}" for card, shown in TALLY])
def test_an_order_that_a_card_touches_waits_and_every_other_one_answers(card: str, shown: Shown) -> None:
    intents = [(B, shown.before)] if shown.before else []
    played = {"type": shown.form or f"play_{card}", **shown.targets}
    events = played_out(table_of(card, shown), shown.where, *intents, (C, played))
    names = {f"o{number}": name for number, name in enumerate(ORDERS, start=1)}
    waiting = {names[event.order] for event in events if type(event).__name__ == "OrderHeld"}
    assert waiting == shown.touches
    assert {why for _seat, why in held(events)} <= {"suspended"}
    never_asked = {"smuggler": {"camel"}, "abracadabra": {"room-1"}}.get(card, set())  # C is first there
    assert {names[event.order] for event in fired(events)} == set(ORDERS) - waiting - never_asked


@pytest.mark.parametrize("name", ALL_CARDS)
def test_every_card_says_what_it_touches(name: str) -> None:
    assert type(ALL_CARDS[name]).touches is not Card.touches


def test_of_a_card_that_does_not_say_everything_waits() -> None:
    card = Card()
    assert list(card.touches(magic_table(), Play(A, ""), B)) == [EVERYTHING]
    assert all(is_touched(one, "", [EVERYTHING]) for one in ORDERS.values())


def test_a_spell_that_acts_on_its_player_alone_touches_him_when_it_is_negated() -> None:
    state = table_of("charity", Shown("cave-crown"))
    state.artifacts[B].remove("carpet")
    give_tile(state, B, "counterspell")
    state = give(MAGIC, state, C, order("buy", {"type": "decline"}, topic="room-1"))
    counter = {"type": "play_counterspell", "play": 1}
    events = played_out(state, "cave-crown", (C, {"type": "play_charity", "take": {"gold": 3}}), (B, counter))
    assert (C, "suspended") in held(events)


# While tokens are placed


def placing_table() -> Any:
    """A is to place; C has two spells, and B, who has spent his use, is asked in no window."""
    state = magic_table(3, caves={"crown": [3, 2]}, spells=["", "", "spy taboo charity"])
    state.magic.allowance = [0, 0, 1]
    return state


def declared(state: Any, action: dict[str, Any]) -> Any:
    """C declares a card, nobody answers, and A places his 1 at the guard."""
    decision = next(one for one in MAGIC.decisions(state) if one.seat == C and one.kind == "declare")
    state, _ = MAGIC.apply(state, decision.id, C, MAGIC.parse(action))
    while asked(MAGIC, state)[0].kind == "window":
        state, _ = answer(MAGIC, state, C, {"type": "pass"})
    return place(MAGIC, state, A, 1, "guard")


TABOO_CROWN = {"type": "play_taboo", "space": "cave-crown"}
CHARITY = {"type": "play_charity", "take": {"gold": 3}}


@pytest.mark.parametrize(
    ("action", "space", "waits"),
    [
        ({"type": "play_spy"}, "market", True),
        (TABOO_CROWN, "cave-crown", True),
        (TABOO_CROWN, "market", False),
        (CHARITY, "market", False),
    ],
)
def test_a_card_declared_while_tokens_are_placed_holds_the_placements_it_touches(action, space, waits) -> None:
    _, events = declared(give(MAGIC, placing_table(), B, placing(9, space)), action)
    assert (held(events) == [(B, "suspended")]) is waits
    assert bool(fired(events)) is not waits


def test_a_placement_that_depends_on_a_space_waits_for_what_touches_that_space() -> None:
    order_of_b = placing(9, "market", conditions=[others("cave-crown", 0)])
    _, events = declared(give(MAGIC, placing_table(), B, order_of_b), TABOO_CROWN)
    assert held(events) == [(B, "suspended")]


def test_an_order_may_wait_for_any_play_and_another_for_none() -> None:
    _, events = declared(give(MAGIC, placing_table(), B, placing(9, "market", any_play=True)), CHARITY)
    assert held(events) == [(B, "suspended")]
    _, events = declared(give(MAGIC, placing_table(), B, placing(9, "cave-crown", even_so=True)), CHARITY)
    assert [event.seat for event in fired(events)] == [B]
    with pytest.raises(IllegalAction) as refused:
        give(MAGIC, placing_table(), B, placing(9, "market", even_so=True, any_play=True))
    assert refused.value.text.params["reason"]["text"]["code"] == "orders.contradiction"


# Plans


READY = {"type": "plan", "windows": "quiet"}


def test_a_lamp_shown_before_the_tally_opens_no_plan_again() -> None:
    lamp = {"kind": "window", "topic": "placed", "answers": [{"type": "card", "card": "lamp"}]}
    state, _ = planned(placed(), READY, READY, {**READY, "orders": [lamp]})
    assert state.magic.used[C] == ["lamp"]
    assert not asked(MAGIC, state)
    assert state.agenda[-1] == Boundary("round")


def test_quiet_plans_pass_on_after_a_key() -> None:
    """A and B have lamps and spells, so every window behind the guard asks them unless their plans pass."""
    state = placed(guard=10, spaces={"room-1": "A5 B4"}, tiles=["lamp", "lamp", "lamp key"])
    take_from_stacks(state, "key")
    key = {"kind": "bribe", "answers": [{"type": "card", "card": "key"}]}
    state, events = planned(state, READY, READY, {**READY, "orders": [key]})
    assert [event.seat for event in fired(events)] == [C]
    assert not [one for one in asked(MAGIC, state) if one.kind == "window"]


def test_a_quiet_plan_asks_where_a_card_touches_and_nowhere_else() -> None:
    """C's carpet comes to the market: A is asked there, and though he has not looked, at no later window."""
    state = placed(spaces={"market": "B4 C1"}, tiles=["lamp", "lamp", "carpet"])
    carpet = {"kind": "window", "topic": "market", "answers": [{"type": "card", "card": "carpet"}]}
    state, _ = planned(state, READY, {**READY, "windows": "never"}, {**READY, "orders": [carpet]})
    assert [(one.id, one.seat) for one in asked(MAGIC, state)] == [("r1-window-market-2", A)]
    (decision,) = asked(MAGIC, state)
    state, _ = MAGIC.open(state, decision.id, A).apply(MAGIC.parse({"type": "pass"}), by_player=False)
    assert not [one for one in asked(MAGIC, state) if one.kind == "window"]


def test_pass_until_somebody_plays_a_card_means_any_card() -> None:
    state = placed(tiles=["lamp", "lamp", "lamp"], spells=["charity", "spy", "taboo"])
    state.optional_plans = UNSET
    state, _ = MAGIC.advance(state)
    state, _ = answer(MAGIC, state, A, {"type": "pass_until_shown"})
    state, _ = answer(MAGIC, state, B, {"type": "pass"})
    state, _ = answer(MAGIC, state, C, {"type": "play_lamp"})
    assert {one.seat for one in asked(MAGIC, state)} == {A, B, C}


# What must be true of cards and orders in any magic game: random orders, given at random moments of random games.

pytestmark = pytest.mark.slow

DEALT = with_orders(DealtRules())
SEATS = 4
NUMBERS = (3, 17, 29)


def steps() -> Iterator[Step]:
    """Some games, one behind the other."""
    for number in NUMBERS:
        yield from walk(DEALT, SEATS, number)


def shown(step: Step) -> list[tuple[CardPlayed, int]]:
    """The cards that the step shows, each with every other seat."""
    cards = [event for event in step.events if isinstance(event, CardPlayed)]
    return [(card, seat) for card in cards for seat in range(SEATS) if seat != card.seat]


def test_what_a_card_touches_is_read_from_what_everybody_sees() -> None:
    """From the state itself, from what a spectator sees, and from each seat's view the same words come."""
    compared = 0
    for step in steps():
        for event, seat in shown(step):
            play, card = Play(event.seat, event.card, dict(event.targets)), get_card(event.card)
            if step.decision is None or event.card in ("counterspell", "parasite"):
                continue  # these name plays of a window that may have been shown in the same step
            views = [step.before, *(DEALT.view(step.before, viewer) for viewer in (None, *range(SEATS)))]
            assert len({tuple(card.touches(view, play, seat)) for view in views}) == 1
            compared += 1
    assert compared > 30


def test_no_order_answers_that_a_card_shown_before_touches() -> None:
    """Unless it says even so, or is about the card."""
    fired = suspended = 0
    for step in steps():
        for event in step.events:
            if not isinstance(event, OrderFired):
                continue
            sheet = DEALT.orders(step.before, event.seat)
            order = next((one for one in sheet.orders if one.id == event.order), None)
            has_looked = step.decision is not None and step.decision.seat == event.seat
            if order is None or has_looked or order.even_so:
                continue
            if {one["type"] for one in order.conditions} & DEALT.vocabulary.about_plays:
                continue
            assert not is_touched(order, order.topic, sheet.touched)
            fired += 1
        suspended += sum(bool(DEALT.orders(step.after, seat).touched) for seat in range(SEATS))
    assert fired > 10
    assert suspended > 5


def test_who_has_answered_or_given_orders_has_seen_what_was_shown() -> None:
    for step in steps():
        if step.decision is not None and not shown(step):
            sheet: Any = DEALT.orders(step.after, step.decision.seat)
            assert (sheet.plays, sheet.touched) == (0, [])
