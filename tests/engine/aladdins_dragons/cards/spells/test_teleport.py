"""Teleport."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table
from tests.engine.aladdins_dragons.table import A, B, only, play

MATRIX = {
    "teleport": Scene(
        "caravanserai",
        {"token": ["tent:2"], "to": ["caravanserai"]},
        another_has={"carpet": "stays", "double": "stays"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

MOVE = "teleport"
SPACES = {"tent": "B7 C2", "market": "A5 B4", "guard": "B9"}


def at_tent(*hoards, spells=(MOVE,)):
    return at_window(magic_table(spaces=SPACES, spells=spells, hoards=hoards), "tent")


def test_anothers_token_moves_and_its_owner_is_paid_three_s20():
    state = at_tent({"gem": 2, "gold": 4})
    state, happened = play(state, (A, declare(MOVE, token="tent:1", to="market", pay={"gem": 2, "gold": 1})))
    assert only(happened, magic.TokenMoved) == [magic.TokenMoved(B, "tent", "market", 7, True)]
    assert only(happened, magic.TreasureGiven) == [magic.TreasureGiven(A, B, {"gem": 2, "gold": 1})]
    assert (state.hoards[B]["gem"], state.hoards[B]["gold"], state.hoards[A]["gold"]) == (2, 1, 3)


def test_a_face_down_token_stays_hidden_s20():
    state = at_tent()
    _, happened = play(state, (A, declare(MOVE, token="market:2", to="room-1")))
    assert MAGIC_RULES.redact(only(happened, magic.TokenMoved)[0], A).value is None


def test_who_has_less_pays_what_he_has_s20():
    state = at_tent({"gem": 1})
    state, _ = play(state, (A, declare(MOVE, token="tent:1", to="market", pay={"gem": 1})))
    assert (state.hoards[A]["gem"], state.hoards[B]["gem"]) == (0, 1)


def test_for_a_token_that_is_gone_nothing_is_paid_s20_a78():
    state = at_tent({"gem": 9}, {"gem": 9}, {"gem": 3}, spells=[MOVE, "", MOVE])
    state, happened = play(
        state,
        (A, declare(MOVE, token="tent:1", to="market", pay={"gem": 3})),
        (2, declare(MOVE, token="tent:1", to="djinn", pay={"gem": 3})),
    )
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(2, MOVE)]
    assert [hoard["gem"] for hoard in state.hoards] == [6, 12, 3]


@pytest.mark.parametrize(
    "targets",
    [
        {"token": "market:1", "to": "djinn"},
        {"token": "guard:1", "to": "djinn"},
        {"token": "tent:1", "to": "guard"},
        {"token": "tent:1", "to": "tent"},
        {"token": "tent:1", "to": "cave-gem"},
        {"token": "tent:1", "to": "djinn", "pay": {"gem": 2}},
    ],
)
def test_own_tokens_the_guard_and_a_smaller_payment_are_refused_s20_a66(targets):
    state = at_tent({"gem": 9})
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, declare(MOVE, **{"pay": {"gem": 3}, **targets})))
    assert MAGIC_RULES.dump(state) == before


def test_if_its_owner_can_put_no_more_there_it_is_spent_for_nothing_s20_a24_a78():
    """Ben, before Anna in sequence, brings his fifth token into the room himself; Anna has none there."""
    state = magic_table(
        camel=B, spaces={"tent": "B7", "market": "B4", "room-1": "B1 B2 B5 B6"}, spells=[MOVE, "second_chance"],
        hoards=[{"gem": 3}],
    )  # fmt: skip
    state = at_window(state, "tent")
    own = declare("second_chance", token="market:1", to="room-1")
    state, happened = play(state, (B, own), (A, declare(MOVE, token="tent:1", to="room-1", pay={"gem": 3})))
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, MOVE)]
    assert (state.hoards[A]["gem"], len(state.spaces["room-1"])) == (3, 5)
