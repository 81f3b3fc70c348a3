"""Double."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Buy
from engine.aladdins_dragons.board import Board
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    PASS,
    all_pass,
    at_window,
    declare,
    magic_table,
    playable,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, asked, forms, only, play

DOUBLE = declare("double", token="market:1")


def at_market(row="A9 B5", **position):
    """The market's window; Anna has a double."""
    state = magic_table(
        spaces={"market": row, "caravanserai": "C1"}, **{"tiles": ["double", "lamp", "lamp"], **position}
    )
    return at_window(state, "market")


def test_a_second_token_as_strong_lies_face_up_beside_the_first_a87_a34():
    state, happened = play(at_market(), (A, DOUBLE))
    assert only(happened, magic.TokenAdded) == [magic.TokenAdded(A, "market", 9, "double")]
    assert [(token.value, token.face_up, token.source) for token in state.spaces["market"][2:]] == [(9, True, "double")]
    assert state.rankings["market"].totals == [18, 5]


def test_at_the_guard_it_counts_too_a65():
    state = magic_table(guard=10, spaces={"guard": "A5 B9"}, tiles=["double", "lamp", "lamp"])
    state, _ = play(at_window(state, "guard"), (A, declare("double", token="guard:1")))
    assert state.admitted == [A]


def test_what_spy_has_turned_up_may_be_doubled_before_its_space_is_tallied_a87():
    state = magic_table(spaces={"market": "A9 B5"}, tiles=["double", "lamp", "lamp"])
    state.spaces["market"][0].face_up = True
    state, _ = play(at_window(state, "placed"), (A, DOUBLE))
    assert [token.value for token in state.spaces["market"]] == [9, 5, 9]


@pytest.mark.parametrize(
    ("_case", "token"),
    [
        ("another's", "market:2"),
        ("face down", "room-1:1"),
        ("a double", "market:3"),
        ("of a tallied space", "tent:1"),
        ("at no space", "palace:1"),
        ("not there", "market:9"),
        ("a carpet that nobody brings", "market:carpet"),
    ],
)
def test_what_cannot_be_doubled_is_refused_and_nothing_changes_a87(_case, token):
    state = magic_table(
        spaces={"tent": "A2", "market": "A9 B5", "room-1": "A4"}, tiles=["double double", "lamp", "lamp"]
    )
    Board(state).add_token(A, "market", 9, "double")
    state = at_window(state, "market")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, declare("double", token=token)))
    assert MAGIC_RULES.dump(state) == before
    assert playable(state, A) == ["play_double", "pass"]


def test_if_the_original_has_gone_when_it_takes_effect_it_is_spent_for_nothing_a78():
    """Carla, before Anna in sequence, sends the odd ones home."""
    state = at_market(camel=C, spells=["", "", "lunar_eclipse"])
    state, happened = play(state, (A, DOUBLE), (C, declare("lunar_eclipse", space="market")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "double")]
    assert state.magic.used[A] == ["double"]
    assert state.spaces["market"] == []


def test_a_double_stays_without_its_original_a88():
    """Anna moves away what she has doubled in the same window; what has been doubled counts on."""
    state = at_market("A4 B5", tiles=["double lamp", "lamp", "lamp"], spells=["second_chance"])
    state.magic.allowance[A] = 2
    state, _ = play(state, (A, DOUBLE))
    state, _ = play(state, (A, declare("second_chance", token="market:1", to="caravanserai")))
    assert [(token.seat, token.value) for token in state.spaces["market"]] == [(B, 5), (A, 4)]
    assert state.rankings["market"].totals == [5, 4]


def test_it_is_removed_on_its_own_and_returns_nothing_to_the_hand_a88():
    state = at_market(camel=A, spells=["", "", "lunar_eclipse"])
    hand = list(state.hands[A])
    state, _ = play(state, (A, DOUBLE), (C, PASS))
    state, happened = play(state, (C, declare("lunar_eclipse", space="market")))
    removed = [(event.value, event.source) for event in only(happened, magic.TokenRemoved)]
    assert removed == [(9, ""), (5, ""), (9, "double")]
    assert state.hands[A] == sorted([*hand, 9])


def test_neither_a_double_nor_a_carpet_can_be_moved_a89():
    state = at_market(tiles=["double carpet lamp", "lamp", "lamp"], spells=["second_chance", "teleport", ""])
    state.magic.allowance[A] = 3
    state, _ = play(state, (A, DOUBLE), (B, PASS), (A, declare("carpet")), (B, PASS))
    state, _ = all_pass(state)
    state = at_window(state, "caravanserai")
    assert [token.source for token in state.spaces["market"] if not token.is_number] == ["double", "carpet"]
    tokens = {
        (seat, option.value)
        for seat in (A, B)
        for question in MAGIC_RULES.view(state, seat).questions
        for form in question.actions
        for field in form.fields
        if field.name == "token"
        for option in field.options
    }
    assert {name for seat, name in tokens if seat == A} == {"market:1"}
    assert {name for seat, name in tokens if seat == B} == {"market:1", "caravanserai:1"}


def test_the_price_of_a_room_rises_by_a_doubled_carpet_in_kinds_of_their_own_a71():
    state = magic_table(
        guard=1, spaces={"guard": "A4", "room-1": "A9"}, tiles=["carpet double", "lamp", "lamp"],
        hoards=[{"gem": 9, "gold": 3, "crown": 3}],
    )  # fmt: skip
    state.magic.allowance[A] = 2
    state, _ = play(at_window(state, "room-1"), (A, declare("carpet")))
    state, _ = play(state, (A, declare("double", token="room-1:carpet")))
    assert [field.name for field in asked(state).actions[0].fields] == ["pay_9", "pay_3", "pay_3_2"]
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, Buy(pay_9="gem", pay_3="gold", pay_3_2="gold")))
    assert MAGIC_RULES.dump(state) == before
    state, _ = play(state, (A, Buy(pay_9="gem", pay_3="gold", pay_3_2="crown")))
    assert sum(state.hoards[A].values()) == 0


def test_more_than_five_tokens_by_carpet_and_double_cannot_be_paid_a24():
    state = magic_table(
        guard=1, spaces={"guard": "A9", "room-1": "A1 A2 A4 A5 A6"}, tiles=["carpet", "lamp", "lamp"],
        hoards=[dict.fromkeys(("crown", "pearl", "gem", "trophy", "gold"), 9)],
    )  # fmt: skip
    state.open_hoards = False  # else he is not even asked
    state, _ = play(at_window(state, "room-1"), (A, declare("carpet")))
    assert forms(state) == ["decline"]
