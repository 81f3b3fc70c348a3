"""The round sheet, and orders that come with an answer, in scenarios."""

from typing import Any

import pytest

from engine.aladdins_dragons import model
from engine.aladdins_dragons.facts import PIECES
from engine.core import IllegalAction
from engine.orders.model import MOST_ORDERS, CancelOrders
from tests.engine.aladdins_dragons.magic_table import magic_table
from tests.engine.aladdins_dragons.table import SEED, A, B, C
from tests.engine.languages import LANGUAGES
from tests.engine.orders.orders import DRAGONS, MAGIC, answer, asked, fired, left, others

SPELLS = ["charity", "spy", "taboo"]


def sheet(*orders: dict[str, Any], windows: str = "quiet", tally: str = "later") -> dict[str, Any]:
    """A sheet with these orders."""
    return {"type": "sheet", "windows": windows, "tally": tally, "orders": list(orders)}


def plan(*orders: dict[str, Any], windows: str = "quiet") -> dict[str, Any]:
    """A plan with these orders."""
    return {"type": "plan", "windows": windows, "orders": list(orders)}


EMPTY = {"type": "sheet", "windows": "quiet", "tally": "later"}


def put(token: int, space: str, **more: Any) -> dict[str, Any]:
    """An order to place that token there, as JSON."""
    return {"kind": "place", "answers": [{"type": "place", "token": token, "space": space}], "until": "round", **more}


def dawn(**position: Any) -> Any:
    """A magic table that plans, as its second round begins: the sheets are asked."""
    state = magic_table(3, **{"tiles": ["lamp"] * 3, "spells": SPELLS} | position)
    state.optional_plans = True
    state.agenda = [model.RoundStart(), model.Boundary("round")]
    state, _ = MAGIC.advance(state)
    return state


def sheets(state: Any, *given: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Everybody gives his sheet, an empty one where none is named, and a worker takes the game over the boundary."""
    for seat, one in enumerate([*given, *[EMPTY] * (3 - len(given))]):
        state, events = answer(MAGIC, state, seat, one)
        assert events == []
    return MAGIC.advance(state)


def treasures_chosen(rules: Any, state: Any) -> Any:
    """Everybody has chosen his starting treasures; the first sheets are still asked."""
    for decision in [one for one in rules.decisions(state) if one.kind == "take_treasures"]:
        state, _ = rules.apply(state, decision.id, decision.seat, rules.default(state, decision))
    return state


def eight(first: str, second: str) -> list[dict[str, Any]]:
    """All tokens of a seat, to two spaces."""
    return [put(token, first if token % 2 else second) for token in PIECES.tokens]


def test_a_round_begins_with_one_sealed_question_for_everybody():
    state = dawn()
    assert [(d.id, d.kind, d.sealed) for d in asked(MAGIC, state)] == [("r2-sheet", "sheet", True)] * 3
    assert {d.seat for d in asked(MAGIC, state)} == {A, B, C}
    after, events = answer(MAGIC, state, B, sheet(put(9, "market")))
    assert events == []
    for viewer in (None, A, C):
        assert MAGIC.view(after, viewer) == MAGIC.view(state, viewer)
        assert MAGIC.describe(MAGIC.view(after, viewer), "en", "ABC") == MAGIC.describe(
            MAGIC.view(state, viewer), "en", "ABC"
        )
    assert [d.seat for d in asked(MAGIC, after)] == [seat for seat in state.sequence() if seat != B]


def test_the_basic_version_has_a_sheet_without_windows():
    state, _ = DRAGONS.new(3, {"version": "basic", "tally": "plan"}, SEED)
    state = treasures_chosen(DRAGONS, state)
    assert {d.id for d in asked(DRAGONS, state)} == {"r1-sheet"}
    with pytest.raises(IllegalAction):
        answer(DRAGONS, state, A, sheet())
    for seat in (A, B, C):
        orders = [put(token, "market") for token in PIECES.tokens]
        state, _ = answer(DRAGONS, state, seat, {"type": "sheet", "tally": "later", "orders": orders})
    state, events = DRAGONS.advance(state)
    assert len(fired(events)) == 24
    assert {d.id for d in asked(DRAGONS, state)} == {"r1-plan"}
    for seat in (A, B, C):
        state, _ = answer(DRAGONS, state, seat, {"type": "plan"})
    state, _ = DRAGONS.advance(state)
    assert {d.kind for d in asked(DRAGONS, state)} == {"market"}


def test_placing_runs_as_far_as_the_sheets_reach():
    one, two = [put(9, "tent")], [put(9, "tent"), put(5, "guard")]
    state = dawn()
    first, second, third = state.sequence()
    given = {first: sheet(*two), second: sheet(*one), third: sheet(*one)}
    state, events = sheets(state, *(given[seat] for seat in (A, B, C)))
    assert [event.seat for event in fired(events)] == [first, second, third, first]
    assert [(d.kind, d.seat) for d in asked(MAGIC, state)] == [("place", second)]


def test_full_sheets_place_everything_and_the_plans_are_asked():
    state, events = sheets(dawn(), *(sheet(*eight("market", "tent")) for _ in range(3)))
    assert len(fired(events)) == 24
    assert {d.id for d in asked(MAGIC, state)} == {"r2-plan"}


@pytest.mark.parametrize("options", [{"tokens_per_turn": "4"}, {"placing": "waves", "tokens_per_turn": "2"}])
def test_a_sheet_works_where_several_tokens_are_placed_at_a_time(options):
    state, _ = MAGIC.new(3, {"tally": "plan", **options}, SEED)
    state = treasures_chosen(MAGIC, state)
    state, events = sheets(state, *(sheet(*eight("market", "tent")) for _ in range(3)))
    assert len(fired(events)) == 24
    assert {d.id for d in asked(MAGIC, state)} == {"r1-plan"}


@pytest.mark.parametrize(
    "options", [{}, {"tokens_per_turn": "4"}, {"placing": "waves", "tokens_per_turn": "8"}], ids=str
)
def test_who_leaves_a_round_to_the_defaults_forfeits_all_its_placements_and_is_asked_nothing_more_a21_a99(options):
    state, _ = MAGIC.new(3, {"tally": "plan", **options}, SEED)
    state = treasures_chosen(MAGIC, state)
    (mine,) = [decision for decision in asked(MAGIC, state) if decision.seat == B]
    assert MAGIC.dump_action(MAGIC.forfeit(state, mine)) == b'{"type":"sheet_nothing"}'
    full = sheet(*eight("market", "tent"), tally="same")
    state, _ = sheets(state, full, {"type": "sheet_nothing"}, full)
    assert len(state.hands[B]) == len(PIECES.tokens)
    while MAGIC.outcome(state) is None and state.round == 1:
        if MAGIC.is_advance_pending(state):
            state, _ = MAGIC.advance(state)
            continue
        assert B not in {decision.seat for decision in asked(MAGIC, state)}
        decision = asked(MAGIC, state)[0]
        state, _ = MAGIC.apply(state, decision.id, decision.seat, MAGIC.default(state, decision))


def test_a_whole_round_is_left_to_the_defaults_by_a_sheet_alone():
    """No question offers it, and it answers no other one."""
    state, _ = sheets(dawn(), *(sheet(*eight("market", "tent")) for _ in range(3)))
    assert {d.kind for d in asked(MAGIC, state)} == {"plan"}
    with pytest.raises(IllegalAction):
        answer(MAGIC, state, A, {"type": "sheet_nothing"})
    with pytest.raises(IllegalAction):
        answer(MAGIC, dawn(), A, {"type": "sheet_nothing", "orders": []})
    asks = [question for question in MAGIC.questions(MAGIC.view(dawn(), A)) if question.decision.kind == "sheet"]
    assert [form.type for question in asks for form in question.actions] == ["sheet"]


def test_a_missed_sheet_is_empty_and_asks_as_the_round_goes_on():
    state = dawn()
    for decision in asked(MAGIC, state):
        state, _ = MAGIC.apply(state, decision.id, decision.seat, MAGIC.default(state, decision))
    state, _ = MAGIC.advance(state)
    assert [d.kind for d in asked(MAGIC, state)] == ["place"], "the window at the start has been passed"


def test_a_sheet_carries_the_answer_to_the_first_pass_at_the_start():
    taboo = {"kind": "window", "topic": "start", "answers": [{"type": "play_taboo", "space": "market"}]}
    state, events = sheets(dawn(), EMPTY, EMPTY, sheet(taboo))
    assert [event.action["type"] for event in fired(events)] == ["play_taboo"]
    assert {d.id for d in asked(MAGIC, state)} == {"r2-window-start-2"}, "what was shown asks everybody entitled again"


def test_a_sheet_that_asks_is_asked_at_the_start():
    state, _ = sheets(dawn(), EMPTY, EMPTY, {**EMPTY, "windows": "ask"})
    assert {(d.id, d.seat) for d in asked(MAGIC, state)} == {("r2-window-start-1", C)}


def test_a_card_shown_at_the_start_holds_the_placements_that_it_touches_but_for_even_so():
    taboo = {"kind": "window", "topic": "start", "answers": [{"type": "play_taboo", "space": "cave-crown"}]}
    few = {"conditions": [others("cave-crown", 0)]}
    state, _ = sheets(
        dawn(), sheet(put(9, "tent", **few), windows="never"),
        sheet(put(9, "tent", **few, even_so=True), windows="never"), sheet(taboo, put(9, "tent"), windows="never"),
    )  # fmt: skip
    assert not any(d.kind == "window" for d in asked(MAGIC, state))
    seats = {token.seat for token in state.spaces["tent"]}
    assert A not in seats
    assert asked(MAGIC, state)[0].seat == A


# The plan given ahead


def test_a_sheet_may_be_the_plan_as_well():
    state = dawn()
    full = [sheet(*eight("market", "tent"), tally="same") for _ in range(3)]
    state, _ = sheets(state, *full[:2], {**full[2], "tally": "later"})
    assert [d.seat for d in asked(MAGIC, state)] == [C]
    assert {d.seat for d in MAGIC.decisions(state)} == {A, B, C}, "their rows are there, and can be replaced"
    for viewer in (None, C):
        assert {d.seat for d in MAGIC.view(state, viewer).asked if d.prompted} == {A, B, C}
    state, _ = answer(MAGIC, state, C, plan())
    assert MAGIC.is_advance_pending(state)


def test_with_all_plans_given_ahead_nothing_more_is_asked():
    full = [sheet(*eight("market", "tent"), tally="same") for _ in range(3)]
    state, _ = sheets(dawn(), *full)
    assert not asked(MAGIC, state)
    assert MAGIC.is_advance_pending(state)


def test_a_plan_given_ahead_is_not_that_of_whoever_takes_the_seat_over():
    full = [sheet(*eight("market", "tent"), tally="same") for _ in range(3)]
    state, _ = answer(MAGIC, dawn(), B, full[1])
    state, events = MAGIC.instruct(state, B, CancelOrders([], "hands"))
    assert events == []
    state, _ = answer(MAGIC, state, A, full[0])
    state, _ = answer(MAGIC, state, C, full[2])
    state, _ = MAGIC.advance(state)
    while asked(MAGIC, state)[0].kind in ("window", "place"):
        assert {d.seat for d in asked(MAGIC, state)} == {B}
        first = asked(MAGIC, state)[0]
        state, _ = MAGIC.apply(state, first.id, B, MAGIC.default(state, first))
        state = MAGIC.advance(state)[0] if MAGIC.is_advance_pending(state) else state
    assert [(d.kind, d.seat) for d in asked(MAGIC, state)] == [("plan", B)]


def test_a_plan_given_ahead_can_be_replaced_while_another_is_missing():
    full = [sheet(*eight("market", "tent"), tally="same") for _ in range(3)]
    state, _ = sheets(dawn(), *full[:2], {**full[2], "tally": "later"})
    decision = next(d for d in MAGIC.decisions(state) if d.seat == A)
    state, _ = MAGIC.apply(state, decision.id, A, MAGIC.parse({"type": "plan_nothing"}))
    assert MAGIC.orders(state, A).quiet == "all"


def test_a_card_shown_while_placing_asks_for_a_plan_that_it_touches_again_but_who_said_not_even_then():
    plan_there = {"kind": "window", "topic": "djinn", "answers": [{"type": "pass"}]}
    taboo = {"kind": "window", "topic": "start", "answers": [{"type": "play_taboo", "space": "djinn"}]}
    steady = [{**one, "even_so": True} for one in eight("market", "tent")]
    state, _ = sheets(
        dawn(spells=["", "", "taboo"]),
        sheet(*steady, plan_there, tally="same"), sheet(*steady, plan_there, tally="same", windows="never"),
        sheet(taboo, *steady, tally="same"),
    )  # fmt: skip
    assert {d.id for d in MAGIC.decisions(state)} == {"r2-plan"}
    assert [d.seat for d in asked(MAGIC, state)] == [A]


# Orders that come with an answer


def test_orders_that_come_with_a_plan_are_all_orders_of_the_seat():
    state = dawn()
    state, _ = answer(MAGIC, state, A, sheet(put(9, "tent"), put(8, "tent")))
    assert left(MAGIC, state, A) == ["o1", "o2"]
    kept = {"id": "o2", **put(8, "tent")}
    state, _ = MAGIC.apply(state, "r2-sheet", A, MAGIC.parse(sheet(put(4, "market"), kept)))
    assert left(MAGIC, state, A) == ["o3", "o2"]
    state, _ = MAGIC.apply(state, "r2-sheet", A, MAGIC.parse(EMPTY))
    assert left(MAGIC, state, A) == ["o3", "o2"], "without orders they stay as they are"
    state, _ = MAGIC.apply(state, "r2-sheet", A, MAGIC.parse(sheet()))
    assert left(MAGIC, state, A) == []


BAD = {
    "no list": {**EMPTY, "orders": "market"},
    "no order": {**EMPTY, "orders": [5]},
    "unknown member": sheet({**put(9, "tent"), "colour": "red"}),
    "no such space": sheet(put(9, "moon")),
    "no such token": sheet(put(77, "tent")),
    "one token twice": sheet(put(9, "tent"), put(9, "market")),
    "contradiction": sheet(
        put(9, "tent", conditions=[
            {"type": "others", "space": "tent", "is": "at_least", "value": 3},
            {"type": "others", "space": "tent", "is": "at_most", "value": 2},
        ])
    ),
    "never reached": sheet(put(9, "tent", stays=True), put(8, "market")),
    "an id of nobody": sheet({"id": "o7", **put(9, "tent")}),
    "too many": sheet(*[{"kind": "camel", "answers": [{"type": "leave_camel"}]}] * (MOST_ORDERS + 1)),
    "too large": sheet({"kind": "camel", "topic": "x" * 21_000, "answers": [{"type": "leave_camel"}]}),
    "payment that cannot be": sheet(
        {"kind": "bribe", "answers": [{"type": "bribe_up_to", "limit": 99, "spare": "none"}]}
    ),
    "unasked for ever": sheet({"kind": "declare", "answers": [{"type": "card", "card": "taboo"}], "stays": True,
                               "conditions": [{"type": "round", "is": "at_least", "value": 1}]}),
    "window that is none": {**EMPTY, "windows": "open"},
    "tally missing": {"type": "sheet", "windows": "quiet"},
}  # fmt: skip


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_what_cannot_be_meant_is_refused_in_words_and_changes_nothing(bad):
    state = dawn()
    before = MAGIC.dump(state)
    with pytest.raises(IllegalAction) as refused:
        answer(MAGIC, state, A, bad)
    for language in LANGUAGES:
        words = MAGIC.say(refused.value.text, language, ["Anna", "Ben", "Carla"])
        assert words
        assert "{" not in words
    assert MAGIC.dump(state) == before


def test_orders_do_not_come_with_an_answer_that_takes_none():
    state, _ = sheets(dawn(), EMPTY, EMPTY, {**EMPTY, "windows": "ask"})
    for bad in ({"type": "pass", "orders": []}, {"type": "pass_round", "orders": []}):
        with pytest.raises(IllegalAction):
            answer(MAGIC, state, C, bad)


def test_an_answer_with_orders_is_stored_and_read_again():
    action = MAGIC.parse(sheet(put(9, "tent", stops=[{"type": "round", "is": "at_least", "value": 9}])))
    assert MAGIC.load_action(MAGIC.dump_action(action)) == action


def test_the_orders_of_the_last_sheet_are_remembered():
    state, _ = sheets(dawn(), sheet(*eight("market", "tent")))
    assert [one.answers[0]["token"] for one in MAGIC.orders(state, A).given] == PIECES.tokens
    assert not any(one.id for one in MAGIC.orders(state, A).given)


def test_a_sheet_without_orders_counts_in_a_later_round_as_well():
    state, _ = sheets(dawn(), *[{**EMPTY, "windows": "ask"}] * 3)
    state.agenda = [model.RoundStart(), model.Boundary("round")]
    state, _ = MAGIC.advance(state)
    state, _ = sheets(state)
    assert [d.kind for d in asked(MAGIC, state)] == ["place"], "the window was passed"


# The dry run of a sheet


def test_each_placement_is_foreseen_as_if_those_before_it_were_made():
    state = dawn()
    one = {"type": "mine", "space": "tent", "is": "at_least", "value": 1}
    given = [
        put(9, "tent"), put(8, "tent", conditions=[one]), put(7, "tent"), put(9, "market"),
    ]  # fmt: skip
    given[3]["answers"].append({"type": "place", "token": 6, "space": "market"})
    state, _ = answer(MAGIC, state, A, sheet(*given))
    forecasts = MAGIC.dry_run(MAGIC.view(state, A), MAGIC.orders(state, A))
    assert [found.does for found in forecasts] == ["fires"] * 4
    assert [found.action["token"] for found in forecasts if found.action] == [9, 8, 7, 6]


def test_a_sheet_does_what_its_dry_run_says_if_the_others_change_nothing():
    for token, space in ((9, "tent"), (1, "guard"), (5, "room-1")):
        state = dawn()
        first = state.sequence()[0]
        given = [put(token, space), put(2, "market", conditions=[{"type": "round", "is": "at_least", "value": 9}])]
        state, _ = answer(MAGIC, state, first, sheet(*given))
        forecasts = MAGIC.dry_run(MAGIC.view(state, first), MAGIC.orders(state, first))
        for decision in asked(MAGIC, state):
            state, _ = MAGIC.apply(state, decision.id, decision.seat, MAGIC.default(state, decision))
        state, events = MAGIC.advance(state)
        assert [event.action for event in fired(events)] == [found.action for found in forecasts if found.action]


def test_in_the_tent_the_wish_to_keep_the_first_card_always_fits():
    state = magic_table(3, tiles=["lamp"] * 3, spells=SPELLS, spaces={"tent": "A9"})
    state.optional_plans = True
    state.agenda.pop()
    keep = {"kind": "tent", "answers": [{"type": "keep_spell", "card": "spy"}, {"type": "default"}], "until": "round"}
    state, _ = answer(MAGIC, state, A, plan(keep))
    for seat in (B, C):
        state, _ = answer(MAGIC, state, seat, plan())
    state, events = MAGIC.advance(state)
    assert [(event.seat, event.action["type"]) for event in fired(events)] == [(A, "keep_spell")]


def test_the_orders_of_the_last_plan_are_remembered_beside_those_of_the_sheet():
    camel = {"kind": "camel", "answers": [{"type": "leave_camel"}], "until": "round"}
    state, _ = sheets(dawn(), *(sheet(*eight("market", "tent")) for _ in range(3)))
    assert MAGIC.orders(state, A).planned == []
    state, _ = answer(MAGIC, state, A, plan(camel))
    assert [one.kind for one in MAGIC.orders(state, A).planned] == ["camel"]
    assert {one.kind for one in MAGIC.orders(state, A).given} == {"place"}
