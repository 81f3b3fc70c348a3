"""2nd Chance, and Charity."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, PASS, all_pass, at_window, declare, magic_table
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "second_chance": Scene(
        "caravanserai", {"token": ["tent:1"], "to": ["caravanserai"]}, caster_has={"carpet": "stays", "double": "stays"}
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

MOVE = "second_chance"


def gift(**take):
    return declare("charity", take=take)


def test_a_token_of_a_tallied_space_moves_on_and_stays_as_it_lies_s1():
    state = magic_table(caves={"gem": [4]}, spaces={"cave-gem": "A9", "tent": "B1", "market": "A7"}, spells=[MOVE])
    state = at_window(state, "tent")
    state, happened = play(state, (A, declare(MOVE, token="cave-gem:1", to="room-1")))
    assert only(happened, magic.TokenMoved) == [magic.TokenMoved(A, "cave-gem", "room-1", 9, True)]


def test_a_face_down_token_that_comes_into_the_space_being_tallied_is_turned_over_a37():
    state = at_window(magic_table(spaces={"tent": "B1", "market": "A7"}, spells=[MOVE]), "tent")
    state, happened = play(state, (A, declare(MOVE, token="market:1", to="tent")))
    assert MAGIC_RULES.redact(only(happened, magic.TokenMoved)[0], B).value is None
    assert only(happened, magic.TokenRevealed) == [magic.TokenRevealed(A, "tent", 7)]


@pytest.mark.parametrize(
    ("_case", "token", "to"),
    [
        ("tallied", "market:1", "cave-gem"),
        ("guard", "market:1", "guard"),
        ("from the guard", "guard:1", "tent"),
        ("empty cave", "market:1", "cave-gold"),
        ("where it is", "market:1", "market"),
        ("another's", "tent:1", "market"),
        ("sixth in a room", "market:1", "room-1"),
    ],
)
def test_where_a_token_may_not_go_s1_a24_a25_a66(_case, token, to):
    spaces = {"cave-gem": "C1", "guard": "A9", "tent": "B1", "market": "A7", "room-1": "A1 A2 A4 A5 A6"}
    state = at_window(magic_table(caves={"gem": [4]}, spaces=spaces, spells=[MOVE]), "tent")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, declare(MOVE, token=token, to=to)))
    assert MAGIC_RULES.dump(state) == before


def test_charity_gives_three_of_value_and_as_much_as_the_bank_still_has_s4_a44():
    state = magic_table(spells=["charity", "charity"], hoards=[{"gem": 26}])
    state = at_window(state, "placed")
    state, _ = play(state, (A, gift(gem=3)), (B, gift(gem=2, gold=1)))
    assert (state.hoards[A]["gem"], state.hoards[B]["gem"], state.hoards[B]["gold"]) == (29, 0, 1)


def test_a_declaration_while_placing_opens_a_window_and_placing_goes_on_a92():
    state = magic_table(caves={"gem": [4]}, spells=["", "charity", ""], tiles=["lamp", "lamp", "counterspell"])
    unasked = [decision for decision in MAGIC_RULES.decisions(state) if not decision.prompted]
    assert [(decision.seat, decision.id) for decision in unasked] == [(B, "r1-declared-1")]
    state, shown = MAGIC_RULES.apply(state, "r1-declared-1", B, declare("charity", take={"gem": 3}))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["lamp", "charity"]
    assert [decision.seat for decision in MAGIC_RULES.decisions(state)] == [C]
    state, _ = play(state, (C, PASS))
    assert state.hoards[B]["gem"] == 3
    assert MAGIC_RULES.decisions(state)[0].kind == "place"


@pytest.mark.parametrize(
    ("_case", "first", "targets"),
    [
        ("closed", "taboo", {"space": "djinn"}),
        ("gone home", "solar_eclipse", {"space": "tent"}),
    ],
)
def test_if_the_token_or_the_way_is_gone_it_is_spent_for_nothing_s1_a78(_case, first, targets):
    state = magic_table(camel=C, spaces={"tent": "A8 B1"}, spells=[MOVE, "", first])
    state = at_window(state, "tent")
    state, happened = play(state, (A, declare(MOVE, token="tent:1", to="djinn")), (C, declare(first, **targets)))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, MOVE)]
    assert state.spaces["djinn"] == []
    assert state.magic.played == [first, MOVE]


def test_a_token_leaves_a_room_only_for_where_its_owner_may_be_s1_a68():
    """Who is out of the palace cannot bring a token into its rooms any more."""
    state = magic_table(guard=9, spaces={"market": "A7", "guard": "B9", "room-2": "B1"}, spells=[MOVE, MOVE, ""])
    state = at_window(state, "room-2")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, declare(MOVE, token="market:1", to="room-3")))
    assert MAGIC_RULES.dump(state) == before
    state, happened = play(state, (B, declare(MOVE, token="room-2:1", to="room-3")), (A, PASS))
    _, happened = all_pass(state)
    assert only(happened, magic.TokenMoved) == [magic.TokenMoved(B, "room-2", "room-3", 1, True)]
