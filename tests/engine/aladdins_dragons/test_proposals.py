"""What is proposed in Aladdin's Dragons, and whether the reason given is true."""

import msgspec
import pytest

from engine.aladdins_dragons import model, proposals
from engine.aladdins_dragons.facts import GUARD, PIECES
from engine.aladdins_dragons.model import Boundary, Tent
from engine.aladdins_dragons.proposals import Layout
from engine.orders.lines import read
from engine.orders.model import Order
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, magic_table, silence
from tests.engine.aladdins_dragons.rules import with_orders
from tests.engine.aladdins_dragons.table import RULES, A, B, table, tallied, tally
from tests.engine.playing import seed_of

PLANNED = with_orders(MAGIC_RULES)
NAMES = ["Anna", "Ben", "Carla", "David"]


def proposal(state, seat=A, rules=MAGIC_RULES):
    """What is proposed for the question that is put to the seat, and the reason in words."""
    view = rules.view(state, seat)
    question = next(one for one in rules.questions(view) if one.decision.prompted)
    found = rules.propose(view, question)
    rules.check(state, question.decision.id, seat, rules.parse(found.answer))
    return found.answer, rules.say(found.reason, "en", NAMES)


def owning(tiles=(), **position):
    """A planned table at which seats own these artifacts beside their lamps; the tiles come from the rooms."""
    state = magic_table(options={"tally": "plan"}, **position)
    for seat, names in enumerate(tiles):
        for name in names.split():
            room = next(room for room, stack in state.stacks.items() if name in stack[:-1])
            index = state.stacks[room].index(name)
            state.artifacts[seat].append(state.stacks[room].pop(index))
            del state.magic.known[room][index]
    return state


def at_sheet(**position):
    """A round begins in which everybody says at once where his tokens go."""
    state = owning(**position)
    state.agenda += [model.Window("start"), Boundary("start")]
    return state


def at_plan(**position):
    """All tokens are placed; those that are not in a space are forfeited (A21)."""
    state = owning(**position)
    state.agenda.pop()
    state.forfeits = [len(hand) for hand in state.hands]
    return state


def test_the_first_sheet_counts_on_the_treasures_that_are_chosen_beside_it_a6(monkeypatch):
    """What the seat has chosen itself, and what silence takes for the others, whose choice it cannot see."""
    seen = []
    monkeypatch.setattr(
        proposals, "Layout", lambda view, *rest, **more: seen.append(view) or Layout(view, *rest, **more)
    )
    state, _ = PLANNED.new(3, {"tally": "plan"}, seed_of(1))
    for seat, kind in ((A, "gold"), (B, "pearl")):
        action = PLANNED.parse({"type": "take_treasures", "amounts": {kind: 3}})
        state, _ = PLANNED.apply(state, "start-treasures", seat, action)
    view = PLANNED.view(state, A)
    (question,) = (one for one in PLANNED.questions(view) if one.decision.kind == "sheet")
    PLANNED.propose(view, question)
    held = [{kind: amount for kind, amount in hoard.items() if amount} for hoard in seen[0].hoards]
    assert held == [{"gold": 3}, *[{"crown": 1, "pearl": 1, "gem": 1}] * 2]


def orders(answer, kind):
    return [order for order in answer["orders"] if order["kind"] == kind]


RICH = {"crown": 6, "pearl": 6, "gem": 6}


def test_a_sheet_places_every_token_once_and_plans_the_whole_tally():
    answer, _ = proposal(at_sheet(caves={"crown": [5, 3]}, hoards=[RICH]), rules=PLANNED)
    assert answer["tally"] == "same"
    assert sorted(order["answers"][0]["token"] for order in orders(answer, "place")) == list(PIECES.tokens)
    assert {order["kind"] for order in answer["orders"]} == {"place", "bribe", "buy", "market", "camel", "tent", "ask"}
    assert all(order["until"] == "round" for order in answer["orders"])


def test_a_sheet_passes_for_good_without_a_card_and_quietly_with_one():
    for tiles, windows in (("", "never"), ("key scroll", "never"), ("carpet", "quiet")):
        answer, _ = proposal(at_sheet(caves={"crown": [5]}, tiles=[tiles]), rules=PLANNED)
        assert answer["windows"] == windows, tiles
    answer, _ = proposal(at_sheet(caves={"crown": [5]}, spells=["charity"]), rules=PLANNED)
    assert answer["windows"] == "quiet"


def test_the_reason_of_a_sheet_says_what_the_strongest_token_is_for_and_what_is_bought():
    answer, said = proposal(at_sheet(caves={"crown": [20, 1]}, hoards=[RICH, RICH, RICH]), rules=PLANNED)
    nine = next(order for order in orders(answer, "place") if order["answers"][0]["token"] == 9)
    assert nine["answers"][0]["space"] == "cave-crown"
    assert said.startswith("Your 9 could win 20 crowns.")
    prices = {}
    for order in orders(answer, "place"):
        space = order["answers"][0]["space"]
        prices[space] = prices.get(space, 0) + order["answers"][0]["token"]
    rooms = [f"in room {space[-1]} for {price}" for space, price in sorted(prices.items()) if space.startswith("room-")]
    assert rooms and all(room in said for room in rooms), said
    assert f"You have {prices[GUARD]} at the guard" in said


def test_a_rival_with_a_key_and_the_richest_are_named_before_anybody_has_placed():
    poor = {"crown": 1}
    _, said = proposal(at_sheet(caves={"crown": [5]}, hoards=[poor, RICH, poor], tiles=["", "", "key"]), rules=PLANNED)
    assert "With a Key: Carla." in said and "Ben has most treasure, 18." in said
    _, said = proposal(at_sheet(caves={"crown": [5]}, hoards=[RICH, poor, poor]), rules=PLANNED)
    assert "most treasure" not in said and "Key" not in said


def test_hidden_hoards_are_not_told():
    state = at_sheet(caves={"crown": [5]}, hoards=[{}, RICH, {}])
    state.open_hoards = False
    assert "most treasure" not in proposal(state, rules=PLANNED)[1]


@pytest.mark.parametrize(
    ("spaces", "said"),
    [
        ({GUARD: "A5", "room-1": "A2"}, "Not at the guard: Ben and Carla."),
        ({GUARD: "A5 B1", "room-1": "A2"}, "Not at the guard: Carla."),
        ({GUARD: "A5 B1 C1", "room-1": "A2"}, ""),
    ],
)
def test_a_plan_names_the_rivals_who_have_nobody_at_the_guard_a63(spaces, said):
    _, reason = proposal(at_plan(spaces=spaces, hoards=[RICH]), rules=PLANNED)
    assert reason.startswith("To be bought: in room 1 for 2. You have 5 at the guard, ")
    assert said in reason and ("Not at the guard" in reason) == bool(said)


def test_a_rival_with_a_key_everybody_knows_of_is_not_called_weak_a64():
    state = at_plan(spaces={GUARD: "A5", "room-1": "A2"}, tiles=["", "key"], hoards=[RICH])
    assert "Not at the guard: Carla." in proposal(state, rules=PLANNED)[1]


def test_a_bribe_is_ordered_as_far_as_it_brings_more_than_to_stay_out_a62():
    spaces = {GUARD: "A5", "room-1": "A2"}
    answer, said = proposal(at_plan(spaces=spaces, hoards=[RICH]), rules=PLANNED)
    (order,) = orders(answer, "bribe")
    bribe, out = order["answers"]
    assert out == {"type": "stay_out"} and bribe["limit"] == 5, "the strongest guard has 10"
    assert "You have 5 at the guard, and a bribe of up to 5 is worth it." in said
    answer, _ = proposal(at_plan(spaces=spaces, hoards=[{"crown": 2, "gem": 2}]), rules=PLANNED)
    assert orders(answer, "bribe")[0]["answers"][0]["limit"] == 1, "after two no kind pays for the artifact"


def test_nobody_bribes_the_guard_who_has_nothing_to_buy():
    answer, said = proposal(at_plan(spaces={GUARD: "A5", "cave-crown": "A9"}, hoards=[RICH]), rules=PLANNED)
    assert [order["answers"] for order in orders(answer, "bribe")] == [[{"type": "stay_out"}]]
    assert said.startswith("Nothing is to be bought.")


def test_at_the_market_that_kind_is_taken_of_which_there_will_be_least_a58():
    held = dict.fromkeys(["pearl", "gem", "trophy", "gold"], 2)
    for row, wanted in (("B9", "crown"), ("A9", "pearl")):
        spaces = {"cave-crown": row, "market": "A8"}
        answer, _ = proposal(at_plan(spaces=spaces, caves={"crown": [5]}, hoards=[held]), rules=PLANNED)
        (order,) = orders(answer, "market")
        assert order["answers"] == [{"type": "exchange_for", "kind": wanted}]


@pytest.mark.parametrize(("tokens", "least"), [({}, 1), ({GUARD: "A1"}, 4), ({GUARD: "A5 A2"}, 10)])
def test_a_key_opens_the_palace_where_the_guard_is_dear_or_nobody_stands_there_a64(tokens, least):
    state = at_plan(spaces={"room-1": "A4", **tokens}, tiles=["key"], hoards=[RICH])
    answer, said = proposal(state, rules=PLANNED)
    key = orders(answer, "bribe")[0]
    assert key["answers"] == [{"type": "card", "card": "key"}]
    assert key["conditions"] == [{"type": "guard", "is": "at_least", "value": least}]
    assert "Your Key opens the palace." in said


def test_every_order_that_is_proposed_stands_in_a_line_of_its_sheet_but_for_what_is_said_in_words():
    """So that it can be read and changed there: the tent's three cards, and a Key on its condition, in words."""
    state = at_sheet(caves={"crown": [5, 3]}, hoards=[RICH], tiles=["key carpet"])
    view = PLANNED.view(state, A)
    (question,) = PLANNED.questions(view)
    proposed = msgspec.convert(PLANNED.propose(view, question).answer["orders"], list[Order])
    _, left = read(question.actions[0].rows, proposed)
    assert [(order.kind, bool(order.conditions)) for order in left] == [("bribe", True), ("tent", False)]


def test_a_single_token_of_a_planned_table_brings_the_rest_of_the_round_along():
    state = magic_table(options={"tally": "plan"}, caves={"crown": [5, 3]}, spaces={GUARD: "A5 B9"})
    answer, said = proposal(state, rules=PLANNED)
    placed = [answer["token"], *(order["answers"][0]["token"] for order in orders(answer, "place"))]
    assert placed == sorted(state.hands[A])
    assert "Not at the guard yet: Carla." in said


def test_a_single_token_elsewhere_says_what_it_is_for():
    state = table(spaces={GUARD: "A9 A8 A7 A6"}, caves={"crown": [9, 8]}, hoards=[RICH])
    state.hands[A] = [5]
    answer, said = proposal(state, rules=RULES)
    assert set(answer) == {"type", "token", "space"}
    assert said.startswith("Your 5 ") and "Not at the guard yet: Ben and Carla." in said


def until(frame, **position):
    return silence(tally(magic_table(**position))[0], lambda now: isinstance(now.agenda[-1], frame))[0]


def test_a_bribe_says_what_the_palace_is_worth_beyond_it_a62():
    state, _ = tallied(guard=5, spaces={GUARD: "A4", "room-1": "A2"}, hoards=[{"crown": 4, "gem": 4}])
    answer, said = proposal(state, rules=RULES)
    assert answer["type"] == "bribe"
    assert said == "Inside you can win more than the bribe of 1."


def test_who_has_nothing_to_buy_stays_out_a63():
    state, _ = tallied(guard=5, spaces={GUARD: "A4"}, hoards=[{"crown": 4, "gem": 4}])
    answer, said = proposal(state, rules=RULES)
    assert (answer, said) == (
        {"type": "stay_out"}, "Nothing inside is worth the bribe.",
    )  # fmt: skip


def test_a_purchase_says_what_it_costs_a69():
    state, _ = tallied(guard=1, spaces={GUARD: "A4", "room-1": "A2"}, hoards=[{"crown": 4, "gem": 4}])
    answer, said = proposal(state, rules=RULES)
    assert (answer["type"], said) == ("buy", "Only artifacts win; this one costs you 2.")


def test_who_cannot_pay_is_told_so_where_hoards_are_hidden_and_all_are_asked_a70():
    position = {"spaces": {GUARD: "A4", "room-1": "A9"}, "hoards": [{"crown": 4, "gem": 4}]}
    state, _ = tallied(guard=1, open_hoards=False, **position)
    assert proposal(state, rules=RULES) == ({"type": "decline"}, "You can't pay for it.")


def test_the_market_says_what_is_given_and_taken_a58():
    state, _ = tallied(spaces={"market": "A4"}, hoards=[{"crown": 4}])
    answer, said = proposal(state, rules=RULES)
    assert answer["give"] == "crown"
    assert said == "You get 1 pearl, 1 gemstone and 1 trophy for 1 crown."


def test_the_camel_is_taken_for_its_ties_a59():
    state, _ = tallied(spaces={"caravanserai": "B4"})
    assert proposal(state, B, RULES) == ({"type": "give_camel", "seat": B}, "Whoever has the camel wins ties.")


def test_a_card_says_what_it_brings_and_a_pass_that_none_does():
    row = {"cave-gem": "A5 B7"}
    state = at_window(owning(spaces=row, caves={"gem": [9, 1]}, tiles=["carpet"]), "cave-gem")
    answer, said = proposal(state)
    assert answer == {"type": "play_carpet"}
    assert said.startswith("Flying Carpet is worth about ") and said.endswith(" more than it costs.")
    row = {"cave-gem": "A5 B9"}
    state = at_window(owning(spaces=row, caves={"gem": [9, 1]}, tiles=["carpet"]), "cave-gem")
    assert proposal(state) == ({"type": "pass"}, "No card of yours is worth what it costs now.")


def test_who_has_no_card_to_play_passes_for_the_round_a76():
    """Whom everybody asks because he might have one, and who has none, is not asked again and again."""
    position = {"spaces": {"cave-gem": "A5 B7"}, "caves": {"gem": [9, 1]}}
    state = at_window(owning(**position, tiles=["scroll", "carpet"]), "cave-gem")
    state.magic.unknown[A] = ["scroll"]
    state.agenda[-1].entitled, state.agenda[-1].answers = [A, B], [None, None]
    answer, said = proposal(state, rules=PLANNED)
    assert (answer, said) == (
        {"type": "pass_round"},
        "You have no card that you could play in a window of this round.",
    )
    assert proposal(state, B, PLANNED)[0]["type"] in ("pass", "play_carpet")


def test_the_tent_keeps_the_more_useful_card_a53():
    state = until(Tent, spaces={"tent": "A4"})
    answer, said = proposal(state)
    assert answer["type"] == "keep_spell"
    assert said.endswith(" is the more useful card.")


def test_whoever_begins_takes_two_of_a_kind_a5():
    state, _ = MAGIC_RULES.new(3, {}, seed_of(1))
    answer, said = proposal(state)
    assert sorted(answer["amounts"].values()) == [1, 2]
    assert said == "Two of a kind pay for a token of 2; single treasures can't."


def test_what_nobody_asks_for_is_proposed_only_if_it_helps_a92():
    state = owning(tiles=["double"], spaces={"cave-gem": "A5"})
    state.spaces["cave-gem"][0].face_up = True
    view = MAGIC_RULES.view(state, A)
    (question,) = (one for one in MAGIC_RULES.questions(view) if one.decision.kind == "declare")
    assert MAGIC_RULES.propose(view, question).answer == {}


def test_a_wave_that_is_chosen_stays_as_it_is():
    state, _ = PLANNED.new(3, {"placing": "waves", "tokens_per_turn": "1", "tally": "step"}, seed_of(1))
    while not any(decision.kind == "place" for decision in PLANNED.decisions(state)):
        asked = next((one for one in PLANNED.decisions(state) if one.prompted), None)
        state = (
            PLANNED.advance(state)[0]
            if asked is None
            else PLANNED.apply(state, asked.id, asked.seat, PLANNED.default(state, asked))[0]
        )
    first = next(one for one in PLANNED.decisions(state) if one.kind == "place")
    answer, _ = proposal(state, first.seat, PLANNED)
    state, _ = PLANNED.apply(state, first.id, first.seat, PLANNED.parse(answer))
    view = PLANNED.view(state, first.seat)
    (question,) = (one for one in PLANNED.questions(view) if one.decision.kind == "place")
    found = PLANNED.propose(view, question)
    assert found.answer == {} and PLANNED.say(found.reason, "en", NAMES) == "You have chosen all tokens of this wave."
