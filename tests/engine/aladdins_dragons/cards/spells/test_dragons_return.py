"""Dragon's Return."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table
from tests.engine.aladdins_dragons.table import A, B, only, play

MATRIX = {
    "dragons_return": Scene(
        "cave-pearl",
        {"space": ["cave-gold"]},
        use={"carpet": "cave-gold", "double": "cave-gold"},
        caster_has={"carpet": "bars"},
        another_has={"carpet": "bars"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

RETURN = "dragons_return"
CAVES = {"gem": [4, 2], "gold": [3]}


def test_the_cave_being_tallied_is_emptied_and_its_tokens_win_nothing_s8():
    state = at_window(magic_table(caves=CAVES, spaces={"cave-gem": "A9 B7"}, spells=[RETURN]), "cave-gem")
    state, happened = play(state, (A, declare(RETURN, space="cave-gem")))
    assert only(happened, events.TreasureReturned)[0] == events.TreasureReturned("cave-gem", 6)
    assert only(happened, events.TreasureTaken) == []
    assert state.bank["gem"] == 29
    assert len(state.spaces["cave-gem"]) == 2


@pytest.mark.parametrize("where", ["start", "placed"])
def test_it_is_refused_outside_the_tally_s8_a30(where):
    state = magic_table(caves=CAVES, spaces={"cave-gem": "A9"}, spells=[RETURN, "charity"])
    state = at_window(state, "placed")
    state.agenda[-1].where = where
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, declare(RETURN, space="cave-gem")))
    assert MAGIC_RULES.dump(state) == before


@pytest.mark.parametrize("space", ["cave-gem", "cave-pearl", "market"])
def test_neither_a_tallied_nor_an_empty_cave_nor_another_space_s8(space):
    state = magic_table(caves=CAVES, spaces={"cave-gem": "A9", "cave-gold": "B7"}, spells=[RETURN])
    state = at_window(state, "cave-gold")
    with pytest.raises(IllegalAction):
        play(state, (A, declare(RETURN, space=space)))


def test_a_cave_emptied_in_the_same_window_leaves_nothing_to_do_a78():
    state = at_window(magic_table(caves=CAVES, spaces={"cave-gem": "A9 B7"}, spells=[RETURN, RETURN]), "cave-gem")
    state, happened = play(state, (A, declare(RETURN, space="cave-gem")), (B, declare(RETURN, space="cave-gem")))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(B, RETURN)]
