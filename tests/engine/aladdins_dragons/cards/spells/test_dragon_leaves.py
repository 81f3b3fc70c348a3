"""Dragon Leaves."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Place
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    at_window,
    declare,
    declare_now,
    magic_table,
    playable,
)
from tests.engine.aladdins_dragons.table import A, B, only, play

MATRIX = {
    "dragon_leaves": Scene(
        "placed",
        {"space": ["cave-gem"]},
        use={"carpet": "cave-gem"},
        caster_has={"carpet": "opens"},
        another_has={"carpet": "opens"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""


def leaves(space):
    return declare("dragon_leaves", space=space)


def test_an_empty_cave_gets_four_and_two_and_tokens_may_come_s7():
    state = magic_table(spells=["", "dragon_leaves", ""])
    state, happened = declare_now(state, B, leaves("cave-gem"))
    assert only(happened, magic.CaveOpened) == [magic.CaveOpened("cave-gem", [4, 2])]
    assert (state.caves["gem"], state.bank["gem"]) == ([4, 2], 23)
    state, _ = play(state, (A, Place(9, "cave-gem")))
    assert [token.seat for token in state.spaces["cave-gem"]] == [A]


def test_after_placing_a_carpet_may_go_there_and_takes_the_first_shelf_s7_a33():
    state = magic_table(spells=["", "dragon_leaves", ""], tiles=["carpet", "lamp", "lamp"])
    state, _ = play(at_window(state, "placed"), (B, leaves("cave-gem")))
    state = at_window(state, "cave-gem")
    assert playable(state, A) == ["play_carpet", "pass"]
    state, _ = play(state, (A, declare("carpet")))
    assert (state.hoards[A]["gem"], state.caves["gem"], state.bank["gem"]) == (4, [], 25)


@pytest.mark.parametrize(("left", "shelves"), [(5, [4, 1]), (4, [4]), (3, [3])])
def test_a_short_bank_fills_the_first_shelf_first_s7(left, shelves):
    state = magic_table(spells=["dragon_leaves"], hoards=[{}, {"gem": 29 - left}])
    state, happened = declare_now(state, A, leaves("cave-gem"))
    assert only(happened, magic.CaveOpened) == [magic.CaveOpened("cave-gem", shelves)]
    assert (state.caves["gem"], state.bank["gem"]) == (shelves, left - sum(shelves))


def test_an_empty_bank_leaves_the_cave_closed_and_the_card_spent_s7_a78():
    state = magic_table(spells=["dragon_leaves"], hoards=[{}, {"gem": 29}])
    state, happened = play(at_window(state, "placed"), (A, leaves("cave-gem")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "dragon_leaves")]
    assert (state.caves["gem"], state.magic.played) == ([], ["dragon_leaves"])


@pytest.mark.parametrize("space", ["cave-gold", "cave-crown", "tent"])
def test_a_cave_with_treasure_or_one_tallied_is_refused_and_nothing_changes_s7(space):
    """Cave and crown: its treasure has been taken in the tally; what was empty from the start is over too."""
    position = {"caves": {"crown": [4], "gem": [4], "gold": [4]}, "spaces": {"cave-crown": "A9", "cave-gem": "B1"}}
    state = at_window(magic_table(spells=["dragon_leaves"], **position), "cave-gem")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, leaves(space)))
    assert MAGIC_RULES.dump(state) == before
