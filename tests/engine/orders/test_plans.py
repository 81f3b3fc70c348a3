"""Passing for longer, and the tally plan, in scenarios."""

from random import Random
from typing import Any

import pytest
from msgspec import UNSET

from engine.aladdins_dragons import model
from engine.aladdins_dragons.model import Window
from engine.core import IllegalAction, StaleDecision
from tests.engine.aladdins_dragons.magic_table import magic_table
from tests.engine.aladdins_dragons.table import SEED, A, B, C
from tests.engine.orders.orders import MAGIC, answer, asked, fact, fired, give, held, left, order

READY = {"type": "plan", "windows": "quiet"}
PASS = {"type": "pass"}
SPELLS = ["charity", "spy", "taboo"]


def placed(**position: Any) -> Any:
    """A magic table that plans; all tokens are placed, and the plans are asked."""
    state = magic_table(3, **{"tiles": ["lamp carpet", "lamp", "lamp"], "spells": SPELLS} | position)
    take_from_stacks(state, "carpet")  # A has it from there
    state.optional_plans = True
    state.agenda.pop()
    return state


def take_from_stacks(state: Any, tile: str) -> None:
    """One tile less of those that are not for sale yet."""
    room = next(room for room, stack in state.stacks.items() if tile in stack[:-1])
    place = state.stacks[room].index(tile)
    state.stacks[room].pop(place)
    state.magic.known[room].pop(place)


def give_tile(state: Any, seat: int, tile: str) -> None:
    """The seat has one tile more."""
    take_from_stacks(state, tile)
    state.artifacts[seat].append(tile)


def planned(state: Any, *plans: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Everybody gives his plan, "ready" where none is named, and a worker takes the game over the boundary."""
    for seat, plan in enumerate([*plans, *[READY] * (3 - len(plans))]):
        state, events = answer(MAGIC, state, seat, plan)
        assert events == []
    return MAGIC.advance(state)


def test_after_the_last_token_everybody_plans_at_once_unseen():
    state = placed()
    assert [(d.id, d.seat, d.kind, d.sealed) for d in asked(MAGIC, state)] == [
        ("r1-plan", seat, "plan", True) for seat in (A, B, C)
    ]
    assert not MAGIC.is_advance_pending(state)
    with pytest.raises(IllegalAction):
        MAGIC.advance(state)
    after, events = answer(MAGIC, state, B, READY)
    assert events == []
    for viewer in (None, A, C):
        assert MAGIC.view(after, viewer) == MAGIC.view(state, viewer)
    assert [d.seat for d in asked(MAGIC, after)] == [A, C]
    assert [d.seat for d in MAGIC.view(after, A).asked if d.prompted] == [A, B, C]


def test_a_plan_may_be_replaced_until_everybody_has_planned():
    state, _ = answer(MAGIC, placed(), B, READY)
    decision = next(d for d in MAGIC.decisions(state) if d.seat == B)
    state, _ = MAGIC.apply(state, decision.id, B, MAGIC.parse({"type": "plan_nothing"}))
    assert MAGIC.orders(state, B).quiet == "all"
    for seat in (A, C):
        state, _ = answer(MAGIC, state, seat, READY)
    assert MAGIC.is_advance_pending(state)
    with pytest.raises(StaleDecision):
        MAGIC.apply(state, decision.id, B, MAGIC.parse(READY))


def test_quiet_plans_run_through_to_the_end_of_the_round():
    state, _ = planned(placed())
    assert not asked(MAGIC, state)
    assert MAGIC.is_advance_pending(state)
    assert state.agenda[-1] == model.Boundary("round")


def test_without_plans_the_same_tally_stops_at_every_window():
    state = placed()
    state.optional_plans = UNSET
    state, _ = MAGIC.advance(state)
    assert {d.kind for d in asked(MAGIC, state)} == {"window"}


def test_ones_own_decisions_are_asked_unless_an_order_answers_them():
    state, _ = planned(placed(spaces={"market": "A9"}, hoards=[{"gem": 3}]))
    assert [(d.kind, d.seat) for d in asked(MAGIC, state)] == [("market", A)]
    state = give(MAGIC, placed(spaces={"market": "A9"}, hoards=[{"gem": 3}]), A, order("market", {"type": "keep"}))
    state, events = planned(state)
    assert [event.order for event in fired(events)] == ["o1"]
    assert not asked(MAGIC, state)


def test_the_carpet_flies_to_the_market_if_it_makes_its_owner_first():
    carpet = order(
        "window",
        {"type": "card", "card": "carpet"},
        topic="market",
        conditions=[
            fact("first", space="here", plus=0, how="no"),
            fact("first", space="here", plus=3, how="yes"),
        ],
    )
    for strength, flies in ((6, True), (9, False), (1, False)):
        state = give(MAGIC, placed(spaces={"market": f"A4 B{strength}"}, hoards=[{"gem": 3}] * 3), A, carpet)
        state, events = planned(state)
        assert bool(fired(events)) is flies, strength
        if flies:
            assert state.agenda[-1].where == "market", "the play is shown: another pass"
            assert [d.seat for d in asked(MAGIC, state)] == [B, C]


def test_a_shown_play_asks_everybody_again_but_whose_plan_says_not_even_then():
    flying = order("window", {"type": "card", "card": "carpet"}, topic="market")
    state = give(MAGIC, placed(spaces={"market": "A4 B6"}, hoards=[{"gem": 3}] * 3), A, flying)
    state, _ = planned(state, READY, {"type": "plan", "windows": "never"}, READY)
    assert [d.seat for d in asked(MAGIC, state)] == [C]
    assert {d.seat for d in MAGIC.decisions(state)} == {B, C}, "B's answer stands ready and can be replaced"


def test_if_one_plan_stops_at_a_window_everybody_entitled_is_in_it():
    stop = order("window", topic="market")
    state = give(MAGIC, placed(spaces={"market": "A4 B6"}, hoards=[{"gem": 3}] * 3), A, stop)
    state, events = planned(state)
    assert held(events) == [(A, "told")]
    window = state.agenda[-1]
    assert isinstance(window, Window)
    assert window.where == "market"
    assert {d.seat for d in MAGIC.decisions(state)} == set(window.entitled) == {A, B, C}
    assert [d.seat for d in asked(MAGIC, state)] == [A]
    assert {d.seat for d in MAGIC.view(state, None).asked if d.prompted} == {A, B, C}, "as if nobody had answered"


def test_a_ready_answer_may_be_replaced_until_the_window_closes():
    stop = order("window", topic="market")
    state = give(MAGIC, placed(spaces={"market": "A4 B6"}, hoards=[{"gem": 3}] * 3), A, stop)
    state, _ = planned(state)
    decision = next(d for d in MAGIC.decisions(state) if d.seat == C)
    state, _ = MAGIC.apply(state, decision.id, C, MAGIC.parse({"type": "play_taboo", "space": "tent"}))
    state, events = answer(MAGIC, state, A, PASS)
    assert any(type(event).__name__ == "CardPlayed" for event in events)


def test_a_missed_plan_is_the_default_for_the_rest_of_the_tally():
    state = placed(spaces={"market": "A9", "guard": "A1"}, hoards=[{"gem": 3}], guard=5)
    decision = asked(MAGIC, state)[0]
    for seat in (A, B, C):
        state, _ = MAGIC.apply(state, decision.id, seat, MAGIC.default(state, decision))
    state, events = MAGIC.advance(state)
    assert not asked(MAGIC, state)
    assert {"MarketDeclined", "BribeDeclined"} <= {type(event).__name__ for event in events}


def test_a_plan_holds_for_its_round_only():
    state, _ = planned(placed())
    state, _ = MAGIC.advance(state)
    assert all(MAGIC.orders(state, seat).quiet == "" for seat in (A, B, C))
    assert {d.id for d in asked(MAGIC, state)} == {"r2-sheet"}


@pytest.mark.parametrize(
    "bad",
    [PASS, {"type": "plan"}, {"type": "plan", "windows": "open"}, {"type": "plan", "windows": 5}, {"type": "place"}],
)
def test_what_is_no_plan_is_refused_and_changes_nothing(bad):
    state = placed()
    before = MAGIC.dump(state)
    with pytest.raises(IllegalAction) as refused:
        answer(MAGIC, state, A, bad)
    assert MAGIC.say(refused.value.text, "en", ["Anna", "Ben", "Carla"])
    assert MAGIC.dump(state) == before


@pytest.mark.parametrize("name", ["random", "greedy", "sultan"])
def test_a_bot_leaves_its_plan_empty_and_is_asked_where_it_may_play(name):
    """It answers at once, so nobody waits for it; what it holds does not lie idle because others plan."""
    state, bot = placed(spaces={"market": "A9 B6"}), MAGIC.bots[name]
    decision = asked(MAGIC, state)[0]
    for seat in (A, B, C):
        view = MAGIC.view(state, seat)
        action = bot.choose(view, MAGIC.questions(view)[0], Random(1)) if seat == A else MAGIC.parse(READY)
        state, _ = MAGIC.apply(state, decision.id, seat, action)
    state, _ = MAGIC.advance(state)
    assert [(open_now.kind, open_now.seat) for open_now in asked(MAGIC, state)] == [("window", A)]


def test_a_key_above_a_guard_of_a_certain_strength():
    """Key above 4: an order for the guard, with a condition on his strength; without tokens there it needs one."""
    for guard, uses in ((5, True), (4, False)):
        key = order("bribe", {"type": "card", "card": "key"}, conditions=[fact("guard", how="at_least", value=5)])
        state = placed(guard=guard)
        state.artifacts[A] = ["lamp", "key"]
        room = next(room for room, stack in state.stacks.items() if "key" in stack[:-1])
        place = state.stacks[room].index("key")
        state.stacks[room][place] = "carpet"
        state, events = planned(give(MAGIC, state, A, key))
        assert bool(fired(events)) is uses
        assert any(type(event).__name__ == "PalaceUnlocked" for event in events) is uses


def test_whether_a_quiet_plan_passes_the_guard_depends_on_what_everybody_sees():
    state, events = planned(placed(spaces={"guard": "A1"}, guard=5, hoards=[{"gem": 4}]))
    assert [(d.kind, d.seat) for d in asked(MAGIC, state)] == [("bribe", A)]
    assert not [event for event in events if type(event).__name__ == "BribeDeclined" and event.seat == A]


# Passing for longer, where nobody plans


def windowed(**position: Any) -> Any:
    """The window after the last token is open; nobody plans."""
    state = placed(**position)
    state.optional_plans = UNSET
    return MAGIC.advance(state)[0]


def ways(state: Any, seat: int) -> list[str]:
    return [form.type for question in MAGIC.questions(MAGIC.view(state, seat)) for form in question.actions]


def test_a_window_offers_to_pass_for_longer():
    assert ways(windowed(), B)[-3:] == ["pass_until_shown", "pass_until", "pass_round"]


def test_who_passes_for_the_round_is_not_asked_again_in_it():
    state = windowed(spaces={"market": "A4 B6"})
    for seat in (A, B, C):
        state, _ = answer(MAGIC, state, seat, {"type": "pass_round"})
    assert {d.kind for d in asked(MAGIC, state)} <= {"market", "bribe"}


def test_who_passes_until_something_is_played_is_asked_then():
    state = windowed()
    for seat in (A, B):
        state, _ = answer(MAGIC, state, seat, {"type": "pass_until_shown"})
    state, _ = answer(MAGIC, state, C, PASS)
    assert {d.seat for d in asked(MAGIC, state)} == {C}
    state, _ = answer(MAGIC, state, C, {"type": "play_taboo", "space": "tent"})
    assert {d.seat for d in asked(MAGIC, state)} >= {A, B}


def test_who_passes_until_a_space_is_asked_there():
    state = windowed(spaces={"market": "A4 B6"})
    for seat in (A, B, C):
        state, _ = answer(MAGIC, state, seat, {"type": "pass_until", "until": "market"})
    assert state.agenda[-1].where == "market"
    assert {d.seat for d in asked(MAGIC, state)} == {A, B, C}


def test_a_space_that_is_behind_cannot_be_waited_for():
    state = windowed(spaces={"market": "A4 B6"})
    for until in ("moon", ""):
        with pytest.raises(IllegalAction):
            answer(MAGIC, state, A, {"type": "pass_until", "until": until})


def test_who_answers_otherwise_passes_on_no_more():
    state, _ = answer(MAGIC, windowed(), A, {"type": "pass_round"})
    assert left(MAGIC, state, A) == ["pass"]
    decision = next(d for d in MAGIC.decisions(state) if d.seat == A)
    state, _ = MAGIC.apply(state, decision.id, A, MAGIC.parse(PASS))
    assert left(MAGIC, state, A) == []
    assert state.orders is UNSET, "as if nobody had ever given an order"


def test_a_playout_gives_plans_as_well_as_answers():
    state, _ = MAGIC.new(3, {"tally": "plan"}, SEED)
    random, plans = Random(1), 0
    while state.round < 2:
        asked = next((decision for decision in MAGIC.decisions(state) if decision.prompted), None)
        if asked is None:
            MAGIC.cross(state)
        else:
            plans += asked.kind in ("sheet", "plan")
            MAGIC.play(state, asked.seat, MAGIC.draw(state, asked, random))
    assert plans >= 3


# A play before the tally


def played_before_the_tally(*plans: dict[str, Any]) -> Any:
    """C's plan plays Taboo! in the window after the last token."""
    taboo = {"kind": "window", "topic": "placed", "answers": [{"type": "play_taboo", "space": "tent"}]}
    return planned(placed(), *plans, {**READY, "orders": [taboo]})[0]


def test_a_play_before_the_tally_opens_the_plans_again():
    state = played_before_the_tally(READY, READY)
    assert {(d.id, d.kind) for d in MAGIC.decisions(state)} == {("r1-plan-2", "plan")}
    assert {d.seat for d in asked(MAGIC, state)} == {A, B}, "C has shown it himself, and may change his plan"
    assert {d.seat for d in MAGIC.view(state, None).asked if d.prompted} == {A, B, C}
    (question,) = MAGIC.questions(MAGIC.view(state, A))
    assert "Taboo! in Aladdin's tent (Carla)" in MAGIC.say(question.title, "en", ["Anna", "Ben", "Carla"])
    for seat in (A, B):
        state, _ = answer(MAGIC, state, seat, READY)
    state, _ = MAGIC.advance(state)
    assert not asked(MAGIC, state), "the plans answer the second pass as well"
    assert state.agenda[-1] == model.Boundary("round")


@pytest.mark.parametrize("seat", [None, A, B, C])
def test_a_world_dealt_from_a_view_asks_for_the_plan_again_too(seat: int | None) -> None:
    state = played_before_the_tally(READY, READY)
    view = MAGIC.view(state, seat)
    world = MAGIC.determinise(view, Random(1))
    assert not MAGIC.is_advance_pending(world)
    assert MAGIC.view(world, seat) == view
    assert [d.id for d in MAGIC.decisions(world)] == [d.id for d in MAGIC.decisions(state)]
    mine = [d.prompted for d in MAGIC.decisions(state) if d.seat == seat]
    assert [d.prompted for d in MAGIC.decisions(world) if d.seat == seat] == mine


def test_whose_plan_says_not_even_then_need_not_plan_again():
    state = played_before_the_tally({"type": "plan", "windows": "never"}, {"type": "plan_nothing"})
    assert MAGIC.is_advance_pending(state)


def test_a_plan_that_is_opened_again_carries_an_answer_to_what_was_shown():
    state = placed()
    give_tile(state, A, "counterspell")
    taboo = {"kind": "window", "topic": "placed", "answers": [{"type": "play_taboo", "space": "tent"}]}
    state, _ = planned(state, READY, READY, {**READY, "orders": [taboo]})
    counter = {"kind": "window", "topic": "placed", "answers": [{"type": "counter", "card": "taboo"}]}
    state, _ = answer(MAGIC, state, A, {**READY, "orders": [counter]})
    state, _ = answer(MAGIC, state, B, READY)
    state, events = MAGIC.advance(state)
    assert [event.action["type"] for event in fired(events)] == ["play_counterspell"]
    assert {d.id for d in MAGIC.decisions(state)} == {"r1-plan-3"}, "and what it has shown asks once more"


def test_orders_that_wait_for_their_player_go_on_waiting_when_his_plan_is_missed():
    """He has not looked: what was shown before the tally still stands between him and his orders."""
    state = placed(spaces={"market": "A9"}, hoards=[{"gem": 3}])
    deal = order("market", {"type": "exchange_for", "kind": "gold"})
    state = give(MAGIC, state, A, deal)
    taboo = {"kind": "window", "topic": "placed", "answers": [{"type": "play_taboo", "space": "market"}]}
    state, _ = planned(state, READY, READY, {**READY, "orders": [taboo]})
    for decision in asked(MAGIC, state):
        nothing = MAGIC.default(state, decision)
        state, _ = MAGIC.open(state, decision.id, decision.seat).apply(nothing, by_player=decision.seat != A)
    state, events = MAGIC.advance(state)
    assert not fired(events)
    assert "MarketDeclined" in {type(event).__name__ for event in events}
