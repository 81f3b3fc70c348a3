"""Smuggler."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import GiveCamel, KeepSpell
from engine.aladdins_dragons.model import Camel, Effect, Market, Tent
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import ROW, Scene
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    asked_seats,
    at_window,
    declare,
    magic_table,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "smuggler": Scene(
        "caves",
        use={"double": "caravanserai"},
        rows={"market": "", "caravanserai": ROW},
        caster_has={"carpet": "ranks"},
        another_has={"carpet": "ranks"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

SMUGGLER = declare("smuggler")


def smuggled(**position):
    """Anna's card has taken effect between caves and city."""
    return silence(magic_played(**position), lambda state: getattr(state.agenda[-1], "where", "") != "caves")[0]


def magic_played(**position):
    state = at_window(magic_table(spells=["smuggler"], **position), "caves")
    return play(state, (A, SMUGGLER))[0]


def test_he_is_first_in_every_empty_space_of_the_city_and_nowhere_else_s15():
    state = smuggled(spaces={"market": "B1", "djinn": "B2"}, hoards=[{}, {"gem": 1}])
    assert [effect for effect in state.magic.effects if effect.name == "first"] == [
        Effect("first", A, "tent"), Effect("first", A, "caravanserai"),
    ]  # fmt: skip
    state, _ = silence(state, lambda now: isinstance(now.agenda[-1], Market))
    assert state.agenda[-1] == Market(B)
    state, _ = silence(state, lambda now: isinstance(now.agenda[-1], Camel))
    state, _ = play(state, (A, GiveCamel(C)))
    assert state.camel == C


@pytest.mark.parametrize(("camel", "winner"), [(A, A), (B, B), (C, A)])
def test_against_a_carpet_player_sequence_decides_s15(camel, winner):
    state = smuggled(
        camel=camel, spaces={"tent": "C1", "djinn": "C2"}, tiles=["lamp", "carpet", "lamp"], hoards=[{"gem": 1}] * 2
    )
    state, _ = play(at_window(state, "market"), (B, declare("carpet")))
    state, _ = silence(state, lambda now: isinstance(now.agenda[-1], Market))
    assert state.agenda[-1] == Market(winner)


def test_in_the_tent_the_other_card_is_discarded_without_a_second_player_s15_a53():
    state, _ = silence(smuggled(spaces={"market": "B1"}), lambda now: isinstance(now.agenda[-1], Tent))
    frame = state.agenda[-1]
    assert (frame.seat, frame.to) == (A, None)
    state, happened = play(state, (A, KeepSpell(frame.cards[0])))
    assert only(happened, magic.SpellKept) == [magic.SpellKept(A, frame.cards[0], None, frame.cards[1])]


def test_a_closed_space_does_not_stop_him_s15_s19():
    state = magic_table(
        spells=["smuggler"], spaces={"tent": "B1", "djinn": "B2", "caravanserai": "B4"}, hoards=[{"gem": 1}]
    )
    state.magic.effects = [Effect("closed", C, "market")]
    state, _ = play(at_window(state, "caves"), (A, SMUGGLER))
    state, _ = silence(state, lambda now: isinstance(now.agenda[-1], Market))
    assert state.agenda[-1] == Market(A)


@pytest.mark.parametrize(("where", "city"), [("placed", "tent"), ("caves", "tent djinn market caravanserai")])
def test_only_between_caves_and_city_and_with_an_empty_space_s15(where, city):
    spaces = {space: f"B{value}" for space, value in zip(city.split(), (1, 2, 4, 5), strict=False)}
    state = at_window(magic_table(spells=["smuggler"], spaces=spaces), where)
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, SMUGGLER))
    assert MAGIC_RULES.dump(state) == before


def test_if_somebody_has_filled_the_last_empty_space_it_is_spent_for_nothing_s15_a78():
    spaces = {"tent": "B1", "djinn": "B2", "market": "B4 B5"}
    state = at_window(magic_table(camel=B, spells=["smuggler", "second_chance"], spaces=spaces), "caves")
    state, happened = play(state, (B, declare("second_chance", token="market:2", to="caravanserai")), (A, SMUGGLER))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, "smuggler")]
    assert [effect for effect in state.magic.effects if effect.name == "first"] == []
    assert state.magic.played == ["second_chance", "smuggler"]


def test_asked_are_those_who_could_play_a_spell_whatever_it_is_a76():
    for card in ("smuggler", "charity"):
        state = at_window(magic_table(spells=["", card, ""], spaces={"tent": "A1"}), "caves")
        assert asked_seats(state) == [B]
