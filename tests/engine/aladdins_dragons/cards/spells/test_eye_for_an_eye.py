"""Eye for an Eye."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Reply
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table, playable
from tests.engine.aladdins_dragons.table import A, B, C, only, play

MATRIX = {
    "eye_for_an_eye": Scene(
        "caravanserai",
        {"token": ["market:4", "market:2", "market:1"]},
        reply=("answer_take_back", {"token": ["market:4", "market:2", "market:1"]}),
        caster_has={"carpet": "removes", "double": "removes"},
        another_has={"carpet": "removes", "double": "removes"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

EYE = "eye_for_an_eye"
SPACES = {"tent": "A4 B7", "market": "A5 B6 C2", "guard": "A9 B9"}


def at_tent(**position):
    return at_window(magic_table(**{"spaces": SPACES, "spells": [EYE], **position}), "tent")


def choose(token):
    return Reply("take_back", {"token": token})


def removed(happened):
    return [(event.seat, event.space, event.value) for event in only(happened, magic.TokenRemoved)]


def test_each_of_the_two_chooses_a_token_that_the_other_takes_back_s9():
    state, happened = play(at_tent(), (A, declare(EYE, token="market:2")), (B, choose("tent:1")))
    assert removed(happened) == [(B, "market", 6), (A, "tent", 4)]
    assert 4 in state.hands[A] and 6 in state.hands[B]
    assert [token.seat for token in state.spaces["market"]] == [A, C]


def test_a_face_down_token_goes_home_unseen_s9_a38():
    _, happened = play(at_tent(), (A, declare(EYE, token="market:2")))
    (event,) = only(happened, magic.TokenRemoved)
    assert [MAGIC_RULES.redact(event, seat).value for seat in (A, B, C, None)] == [None, 6, None, None]


def test_only_the_player_whose_token_was_named_is_asked_s9_a77():
    state, _ = play(at_tent(), (A, declare(EYE, token="market:3")))
    (decision,) = MAGIC_RULES.decisions(state)
    assert (decision.seat, decision.kind) == (C, "ask")


def test_of_a_single_token_there_is_nothing_to_choose_s9():
    state = at_tent(spaces={"tent": "A4 B7", "guard": "A9"})
    _, happened = play(state, (A, declare(EYE, token="tent:2")))
    assert removed(happened) == [(B, "tent", 7), (A, "tent", 4)]


def test_a_caster_without_tokens_loses_none_s9():
    state = at_tent(spaces={"tent": "B7 C1", "guard": "A9"})
    _, happened = play(state, (A, declare(EYE, token="tent:1")))
    assert removed(happened) == [(B, "tent", 7)]


def after_an_eclipse(spaces):
    """B, first in sequence, sends home what A names in the same window."""
    state = at_tent(spells=[EYE, "solar_eclipse", ""], spaces=spaces, camel=B)
    return play(state, (A, declare(EYE, token="tent:2")), (B, declare("solar_eclipse", space="tent")))


def test_if_the_token_is_gone_the_opponent_still_chooses_one_s9_a78():
    state, _ = after_an_eclipse({"tent": "A5 B2 C1", "market": "A1 B4"})
    _, happened = play(state, (B, choose("market:1")))
    assert removed(happened) == [(A, "market", 1)]


def test_with_both_tokens_gone_it_fizzles_a78():
    _, happened = after_an_eclipse({"tent": "A2 B2 C1"})
    assert removed(happened) == [(A, "tent", 2), (B, "tent", 2)]
    assert only(happened, magic.CardFizzled) == [magic.CardFizzled(A, EYE)]


@pytest.mark.parametrize("token", ["guard:2", "tent:1", "tent:9", "djinn:1", ""])
def test_tokens_at_the_guard_own_ones_and_none_are_refused_s9_a66(token):
    state = at_tent()
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (A, declare(EYE, token=token)))
    assert MAGIC_RULES.dump(state) == before


@pytest.mark.parametrize("token", ["guard:1", "tent:2", "market:3"])
def test_the_opponent_names_one_of_the_caster_s9(token):
    state, _ = play(at_tent(), (A, declare(EYE, token="market:2")))
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (B, choose(token)))
    assert MAGIC_RULES.dump(state) == before


def test_without_a_token_of_another_it_cannot_be_played_s9():
    state = magic_table(spaces={"tent": "A4", "guard": "B9"}, spells=[EYE])
    assert playable(state, A) == ["play_lamp"]


def test_the_deadline_names_the_first_token_in_board_order_whatever_its_value_a99():
    state = at_tent(spaces={"market": "A9 A1 B6", "tent": "B4", "caravanserai": "A2"})
    state, _ = play(state, (A, declare(EYE, token="market:3")))
    (decision,) = MAGIC_RULES.decisions(state)
    assert MAGIC_RULES.default(state, decision) == choose("market:1")


def test_while_placing_lasts_both_tokens_are_placed_again_a30():
    state = magic_table(spells=[EYE], spaces={"tent": "A4 B7", "market": "A5"})
    for seat in range(3):
        state.hands[seat] = state.hands[seat][:1]
    (decision,) = (d for d in MAGIC_RULES.decisions(state) if d.seat == A and d.kind == "declare")
    state, _ = MAGIC_RULES.apply(state, decision.id, A, declare(EYE, token="tent:2"))
    state, _ = play(state, (B, choose("market:1")))
    assert [len(hand) for hand in state.hands] == [2, 2, 1]
    assert MAGIC_RULES.decisions(state)[0].kind == "place"


def test_the_opponent_may_name_a_carpet_which_is_then_gone_s9_a90():
    state = at_tent(tiles=["lamp carpet", "lamp", "lamp"])
    state.magic.allowance[A] = 2
    state, _ = play(state, (A, declare("carpet")))
    state, _ = play(state, (A, declare(EYE, token="market:2")))
    state, happened = play(state, (B, choose("tent:3")))
    assert [(e.seat, e.source) for e in only(happened, magic.TokenRemoved)] == [(A, "carpet")]
    assert [token.value for token in state.spaces["tent"]] == [4, 7]
    assert state.magic.used[A] == ["carpet", "lamp"]
