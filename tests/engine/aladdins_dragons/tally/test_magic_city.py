"""Aladdin's tent and the house of the Djinn."""

import pytest

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import KeepSpell
from engine.aladdins_dragons.model import Effect, Tent
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    at_window,
    declare,
    end_of_round,
    magic_table,
    playable,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, asked, only, options, play, tally

DECK = ["spy", "taboo", "teleport"]
"""The next card is the last."""


def at_tent(row, deck=DECK, **position):
    """The tally up to the tent's question, if there is one, and what has happened."""
    state = magic_table(spaces={"tent": row}, **position)
    state.magic.spell_deck = list(deck)
    state, happened = tally(state)
    state, more = silence(state, lambda now: isinstance(now.agenda[-1], Tent) or MAGIC_RULES.is_advance_pending(now))
    return state, happened + more


def view(state, seat):
    return MAGIC_RULES.view(state, seat).magic


def test_the_strongest_draws_two_keeps_one_and_gives_the_second_strongest_the_other_a53():
    state, _ = at_tent("A5 B7 C6")
    assert (state.agenda[-1].seat, state.agenda[-1].to, options(state, "card")) == (B, C, ["teleport", "taboo"])
    state, happened = play(state, (B, KeepSpell("taboo")))
    assert (state.magic.spells, state.magic.spell_deck) == ([[], ["taboo"], ["teleport"]], ["spy"])
    assert only(happened, magic.SpellKept) == [magic.SpellKept(B, "taboo", C, "teleport")]


def test_the_card_given_is_known_to_both_and_to_nobody_else_a54():
    state, _ = at_tent("A5 B7 C6")
    state, happened = play(state, (B, KeepSpell("taboo")))
    (kept,) = only(happened, magic.SpellKept)
    seen = [MAGIC_RULES.redact(kept, viewer) for viewer in (A, B, C, None)]
    assert [(event.kept, event.given) for event in seen] == [
        (None, None), ("taboo", "teleport"), (None, "teleport"), (None, None),
    ]  # fmt: skip
    assert [[passed.card for passed in view(state, viewer).passed] for viewer in (A, B, C, None)] == [
        [], ["teleport"], ["teleport"], [],
    ]  # fmt: skip
    assert view(state, A).spell_counts == [0, 1, 1]


def test_without_a_second_player_the_other_card_is_discarded_and_nobody_sees_it_a53_a54():
    state, _ = at_tent("B7 B1")
    assert state.agenda[-1].to is None
    state, happened = play(state, (B, KeepSpell("teleport")))
    (kept,) = only(happened, magic.SpellKept)
    assert [MAGIC_RULES.redact(kept, viewer).given for viewer in (A, B, C, None)] == [None, "taboo", None, None]
    assert [view(state, viewer).buried_count for viewer in (A, B)] == [1, 1]
    assert [[buried.card for buried in view(state, viewer).buried] for viewer in (A, B)] == [[], ["taboo"]]
    assert "taboo" not in [card for hand in state.magic.spells for card in hand]


def test_who_draws_is_seen_and_what_only_by_him_a53():
    _, happened = at_tent("A5 B7")
    (drawn,) = only(happened, magic.SpellsDrawn)
    assert [(seen.count, seen.cards) for seen in (MAGIC_RULES.redact(drawn, viewer) for viewer in (A, B, None))] == [
        (2, None), (2, ["teleport", "taboo"]), (2, None),
    ]  # fmt: skip


def test_the_last_card_goes_to_the_strongest_without_a_question_a55():
    state, happened = at_tent("A5 B7", deck=["spy"])
    assert only(happened, magic.SpellKept) == [magic.SpellKept(B, "spy", None, None)]
    assert (state.magic.spells, state.magic.spell_deck, state.magic.buried) == ([[], ["spy"], []], [], [])


def test_an_empty_deck_gives_nothing_and_is_not_shuffled_again_a55():
    state, happened = at_tent("A5 B7", deck=[])
    assert only(happened, magic.SpellsDrawn) == []
    assert (state.magic.spells, state.magic.spell_deck) == ([[], [], []], [])


@pytest.mark.parametrize(("camel", "first", "second"), [(A, A, B), (B, B, C), (C, C, A)])
def test_a_tie_at_the_tent_goes_by_player_sequence_a53_a35(camel, first, second):
    state, _ = at_tent("A7 B7 C7", camel=camel)
    assert (state.agenda[-1].seat, state.agenda[-1].to) == (first, second)


def test_a_seat_without_a_token_there_is_no_second_player_a53_s15():
    """Anna counts as first without a token; Ben, who is before her in sequence, has brought one."""
    state = magic_table(camel=B, spaces={"market": "C1"}, tiles=["lamp", "carpet", "lamp"])
    state.magic.effects = [Effect("first", A, "tent")]
    state, _ = play(at_window(state, "tent"), (B, declare("carpet")))
    assert (state.agenda[-1].seat, state.agenda[-1].to) == (B, None)


@pytest.mark.parametrize("card", ["spy", "charity", "carpet", ""])
def test_a_card_that_was_not_drawn_cannot_be_kept_and_nothing_changes_a53(card):
    state, _ = at_tent("A5 B7")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (B, KeepSpell(card)))
    assert MAGIC_RULES.dump(state) == before


def test_silence_keeps_the_first_card_a99():
    state, _ = at_tent("A5 B7")
    (decision,) = MAGIC_RULES.decisions(state)
    assert MAGIC_RULES.default(state, decision) == KeepSpell("teleport")
    assert MAGIC_RULES.say(asked(state).default, "en", ["Anna", "Ben", "Carla"]) == "You keep the first card."


# The Djinn


def djinn_won(tiles, used=(), **position):
    """Anna has won the Djinn's favour; the market's window is open."""
    state = magic_table(spaces={"djinn": "A7 B1", "market": "A4 B5 C8"}, tiles=tiles, **position)
    state.magic.used[A] = list(used)
    return at_window(state, "market")


def test_the_strongest_at_the_djinn_may_use_two_artifacts_this_round_and_nobody_else_a57():
    state = djinn_won(["carpet double", "carpet double", "lamp"])
    assert state.magic.allowance == [2, 1, 1]
    state, _ = play(state, (A, declare("carpet")), (B, declare("carpet")))
    assert (playable(state, A), playable(state, B)) == (["play_double", "pass"], [])
    state, _ = play(state, (A, declare("double", token="market:1")))
    assert state.magic.used[:2] == [["carpet", "double"], ["carpet"]]


def test_two_tiles_of_one_type_are_two_uses_and_one_tile_is_one_a57():
    state = djinn_won(["carpet carpet", "lamp", "lamp"])
    state, _ = play(state, (A, declare("carpet")))
    assert playable(state, A) == ["play_carpet", "pass"]
    state, happened = play(state, (A, declare("carpet")))
    assert [event.value for event in only(happened, magic.TokenAdded)] == [3, 3]
    state, _ = play(djinn_won(["carpet", "lamp", "lamp"]), (A, declare("carpet")))
    assert playable(state, A) == []


def test_what_was_used_before_counts_and_two_are_the_most_a57_a82():
    state = djinn_won(["carpet double lamp"], used=["lamp"])
    state, _ = play(state, (A, declare("carpet")))
    assert playable(state, A) == []
    assert state.magic.used[A] == ["lamp", "carpet"]


def test_in_the_next_round_it_is_one_again_and_the_same_tiles_can_be_used_a57_a83():
    state = djinn_won(["carpet double", "lamp", "lamp"])
    state, _ = play(state, (A, declare("carpet")))
    state, _ = play(state, (A, declare("double", token="market:1")))
    state, _ = MAGIC_RULES.advance(end_of_round(state)[0])
    assert (state.magic.allowance, state.magic.used) == ([1, 1, 1], [[], [], []])
    assert state.artifacts[A] == ["carpet", "double"]


def test_nobody_at_the_djinn_nobodys_favour_a57_a33():
    state = magic_table(spaces={"market": "A4"}, tiles=["carpet", "lamp", "lamp"])
    state = at_window(state, "market")
    assert state.magic.allowance == [1, 1, 1]


def test_a_tie_at_the_djinn_goes_by_player_sequence_a57_a35():
    state = magic_table(camel=B, spaces={"djinn": "A7 B7", "market": "A4"}, tiles=["carpet", "carpet", "carpet"])
    assert at_window(state, "market").magic.allowance == [1, 2, 1]


def test_a_card_that_was_given_and_has_been_played_is_in_nobodys_hand_any_more_a54_a55():
    state, _ = at_tent("A5 B7 C6", deck=["taboo", "spy", "charity"])
    state, _ = play(state, (B, KeepSpell("charity")))
    state, _ = silence(state, MAGIC_RULES.is_advance_pending)
    state, _ = MAGIC_RULES.advance(state)
    assert [passed.card for passed in view(state, B).passed] == ["spy"]
    state, _ = play(state, (C, declare("spy")))
    state, _ = silence(state, lambda now: "spy" in now.magic.played)
    assert [view(state, viewer).passed for viewer in (B, C)] == [[], []]
    assert (state.magic.spells[C], state.magic.played) == ([], ["spy"])
