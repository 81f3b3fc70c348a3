"""The first sheet, and the starting treasures beside it."""

from random import Random

import pytest

from engine.core import IllegalAction
from tests.engine.aladdins_dragons.table import SEED, A, B, C
from tests.engine.orders.orders import MAGIC, asked, left
from tests.engine.orders.test_sheets import EMPTY, put, sheet, treasures_chosen


def test_treasures_are_chosen_beside_the_first_sheet_a6():
    state, events = MAGIC.new(3, {"tally": "plan"}, SEED)
    assert "CavesFilled" in {type(event).__name__ for event in events}
    ids = ["start-treasures"] * 3 + ["r1-sheet"] * 3
    assert [one.id for one in asked(MAGIC, state)] == ids
    assert [one.id for one in MAGIC.view(state, None).asked] == ids
    assert [one.decision.id for one in MAGIC.questions(MAGIC.view(state, B))] == ["start-treasures", "r1-sheet"]
    state, _ = MAGIC.apply(state, "r1-sheet", B, MAGIC.parse(sheet(put(9, "tent"))))
    state, events = MAGIC.apply(state, "start-treasures", B, MAGIC.parse(CROWNS))
    assert events == []
    assert [(one.id, one.seat) for one in asked(MAGIC, state)] == [
        ("start-treasures", A), ("start-treasures", C), ("r1-sheet", A), ("r1-sheet", C)
    ]  # fmt: skip
    for viewer in (None, A):
        assert [one.id for one in MAGIC.view(state, viewer).asked if one.prompted] == ids, (
            "who has answered is told nobody"
        )
    assert not MAGIC.is_advance_pending(state)


CROWNS = {"type": "take_treasures", "amounts": {"crown": 3}}


def test_a_first_sheet_may_be_replaced_while_treasures_are_missing():
    state, _ = MAGIC.new(3, {"tally": "plan"}, SEED)
    for seat in (A, B, C):
        state, _ = MAGIC.apply(state, "r1-sheet", seat, MAGIC.parse(EMPTY))
    assert {one.kind for one in asked(MAGIC, state)} == {"take_treasures"}
    state, _ = MAGIC.apply(state, "r1-sheet", A, MAGIC.parse(sheet(put(9, "tent"))))
    assert left(MAGIC, state, A) == ["o1"]
    with pytest.raises(IllegalAction):
        MAGIC.advance(state)
    state = treasures_chosen(MAGIC, state)
    assert MAGIC.is_advance_pending(state)


def test_treasures_are_taken_openly_once_all_have_chosen_though_a_sheet_is_missing():
    state, _ = MAGIC.new(3, {"tally": "plan"}, SEED)
    for seat in (A, B):
        state, _ = MAGIC.apply(state, "r1-sheet", seat, MAGIC.parse(EMPTY))
    state = treasures_chosen(MAGIC, state)
    assert [hoard["crown"] for hoard in state.hoards] == [1, 1, 1]
    assert [(one.id, one.seat) for one in asked(MAGIC, state)] == [("r1-sheet", C)]


@pytest.mark.parametrize("viewer", [None, A, B])
def test_a_world_dealt_from_such_a_view_looks_the_same(viewer):
    state, _ = MAGIC.new(3, {"tally": "plan"}, SEED)
    state, _ = MAGIC.apply(state, "r1-sheet", B, MAGIC.parse(sheet(put(9, "tent"))))
    view = MAGIC.view(state, viewer)
    world = MAGIC.determinise(view, Random(1))
    assert MAGIC.view(world, viewer) == view
    assert not MAGIC.is_advance_pending(world)


def test_the_board_in_words_asks_for_both():
    state, _ = MAGIC.new(3, {"tally": "plan"}, SEED)
    told = MAGIC.describe(MAGIC.view(state, A), "en", ["Anna", "Ben", "Carla"])
    assert "Send my plan" in told
    assert "treasures" in told.partition("Everyone plans at once")[0]


def test_without_sheets_treasures_are_chosen_before_the_first_card_is_turned_up():
    state, events = MAGIC.new(3, {"tally": "step"}, SEED)
    assert "CavesFilled" not in {type(event).__name__ for event in events}
    assert [one.id for one in asked(MAGIC, state)] == ["start-treasures"] * 3
