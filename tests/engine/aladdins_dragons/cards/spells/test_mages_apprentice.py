"""Mage's Apprentice."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table, silence
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "mages_apprentice": Scene(
        "tent",
        {"space": ["room-2"], "give": ["scroll", "key"]},
        caster_has={"carpet": "gives", "counterspell": "gives", "double": "gives", "key": "gives", "scroll": "gives"},
        reaches="takes",
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""


def swap(give, space="room-1"):
    return declare("mages_apprentice", space=space, give=give)


def table(tiles, offer="carpet", **position):
    """Anna has the card and these tiles; the first room offers one."""
    state = magic_table(spells=["mages_apprentice"], tiles=[tiles, "lamp", "lamp counterspell"], **position)
    state.stacks["room-1"] = ["scroll", offer]
    state.magic.known["room-1"] = [[], [-1]]
    return state


def settle(state):
    return silence(state, lambda now: now.agenda[-1].__class__.__name__ != "Window" or now.agenda[-1].where != "placed")


def test_the_artifacts_change_places_and_the_number_stays_s11_a95():
    state, _ = play(at_window(table("lamp scroll"), "placed"), (A, swap("scroll")))
    state, happened = settle(state)
    assert only(happened, magic.OfferSwapped) == [magic.OfferSwapped(A, "room-1", "carpet", "scroll")]
    assert (sorted(state.artifacts[A]), state.stacks["room-1"]) == (["carpet", "lamp"], ["scroll", "scroll"])
    assert MAGIC_RULES.view(state, None).magic.offers["room-1"] == "scroll"
    assert MAGIC_RULES.view(state, None).magic.tiles[A] == ["carpet", "lamp"]


def test_the_one_taken_may_be_used_at_once_within_the_allowance_s11():
    state = table("lamp scroll", spaces={"market": "A7"})
    state.magic.allowance[A] = 2
    state, _ = play(at_window(state, "placed"), (A, swap("scroll")))
    state = at_window(settle(state)[0], "market")
    state, _ = play(state, (A, declare("carpet")))
    assert state.magic.used[A] == ["lamp", "carpet"]


def test_a_tile_that_nobody_knew_of_is_shown_s11_a47():
    state = table("lamp scroll")
    state.magic.unknown[A] = ["scroll"]
    state, _ = play(at_window(state, "placed"), (A, swap("scroll")))
    assert state.magic.unknown[A] == []
    state, _ = settle(state)
    assert state.magic.unknown[A] == []
    assert sorted(state.artifacts[A]) == ["carpet", "lamp"]


def test_a_room_tallied_without_a_sale_will_do_s11():
    state = at_window(table("lamp scroll", guard=1, spaces={"room-2": "B1", "guard": "A4 B2"}), "room-2")
    assert "room-1" in state.tallied
    state, happened = play(state, (A, swap("scroll")))
    happened += silence(state, lambda now: now.tallying != "room-2" or now.agenda[-1].__class__.__name__ != "Window")[1]
    assert len(only(happened, magic.OfferSwapped)) == 1


@pytest.mark.parametrize(
    ("_case", "tiles", "give", "space"),
    [
        ("the lamp it is played under", "lamp scroll", "lamp", "room-1"),
        ("not his", "lamp scroll", "key", "room-1"),
        ("no such room", "lamp scroll", "scroll", "room-4"),
        ("nothing to give", "lamp", "lamp", "room-1"),
    ],
)
def test_what_cannot_be_given_or_taken_is_refused_and_nothing_changes_s11(_case, tiles, give, space):
    state = at_window(table(tiles), "placed")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, swap(give, space)))
    assert MAGIC_RULES.dump(state) == before


def test_a_tile_used_this_round_cannot_be_given_s11():
    state = table("lamp carpet scroll", spaces={"market": "A7"})
    state.magic.allowance[A], state.magic.used[A] = 2, ["lamp", "carpet"]
    state = at_window(state, "market")
    with pytest.raises(IllegalAction):
        play(state, (A, swap("carpet")))


def test_if_the_tile_is_used_in_the_same_window_the_card_is_spent_for_nothing_s11_a78():
    state = table("lamp double", spaces={"market": "A7 B8"})
    state.magic.allowance[A] = 2
    state, _ = play(at_window(state, "market"), (A, swap("double")))
    state, happened = play(state, (A, declare("double", token="market:1")))
    happened += silence(state, lambda now: now.tallying != "market")[1]
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "mages_apprentice")]
    assert sorted(state.artifacts[A]) == ["double", "lamp"]


def test_a_second_lamp_may_be_given_s11():
    state, _ = play(at_window(table("lamp lamp"), "placed"), (A, swap("lamp")))
    state, happened = settle(state)
    assert only(happened, magic.OfferSwapped) == [magic.OfferSwapped(A, "room-1", "carpet", "lamp")]
    assert B not in state.admitted and C not in state.admitted
