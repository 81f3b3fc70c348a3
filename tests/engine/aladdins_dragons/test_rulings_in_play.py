"""Rulings that hold throughout, each in a round that is played: what is laid out, placed, shown and resolved."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Exchange, Place
from engine.aladdins_dragons.facts import KINDS, PIECES
from engine.core import Amounts, IllegalAction
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    PASS,
    asked_seats,
    at_window,
    declare,
    magic_table,
    playable,
)
from tests.engine.aladdins_dragons.table import RULES, A, B, C, asked, only, options, play, table, tallied

# What is laid out


WEIGHED = {
    1: ("1", ""), 2: ("2", "1"), 3: ("1 2", "2"), 4: ("4", "1 2"), 5: ("5", "4"), 6: ("6", "5"), 7: ("7", "6"),
    8: ("8", "7"), 9: ("9", "8"), 10: ("8 2", "9"),
}  # fmt: skip
"""By strength of the guard: tokens that are just as strong, and one less."""


@pytest.mark.parametrize("strength", WEIGHED)
def test_there_is_one_guard_of_each_strength_and_only_his_equals_enter_a12(strength):
    """Anna brings exactly as much as he has, Ben one less."""
    assert PIECES.guards.count(strength) == 1
    own, other = WEIGHED[strength]
    row = " ".join([*(f"A{value}" for value in own.split()), *(f"B{value}" for value in other.split())])
    state, happened = tallied(guard=strength, spaces={"guard": row})
    assert [event.strength for event in only(happened, events.GuardRevealed)] == [strength]
    assert state.admitted == [A]


def test_the_caves_are_tallied_from_crowns_to_gold_each_with_its_own_kind_a14():
    caves = {kind: [number] for number, kind in enumerate(KINDS, start=1)}
    spaces = {f"cave-{kind}": f"A{value}" for kind, value in zip(KINDS, (1, 2, 4, 5, 6), strict=True)}
    _, happened = tallied(caves=caves, spaces=spaces)
    taken = [(event.source, event.amounts) for event in only(happened, events.TreasureTaken)]
    assert taken == [
        ("cave-crown", {"crown": 1}), ("cave-pearl", {"pearl": 2}), ("cave-gem", {"gem": 3}),
        ("cave-trophy", {"trophy": 4}), ("cave-gold", {"gold": 5}),
    ]  # fmt: skip


def test_between_two_rounds_the_system_does_the_viziers_chores_and_asks_nobody_a15():
    """Not even the owner of the camel, whose chores they were."""
    state, happened = RULES.advance(end_of_round_of(table()))
    kinds = [type(event) for event in happened]
    assert kinds[-3:] == [events.RoundBegan, events.CavesFilled, events.GuardPosted]
    assert [decision.kind for decision in RULES.decisions(state)] == ["place"]
    assert state.round == 2


def end_of_round_of(state):
    """All tokens of a basic table forfeited, and its tally run through."""
    state.forfeits = [len(hand) for hand in state.hands]
    state.agenda.pop()
    return RULES.advance(state)[0]


# Placing


def test_a_player_may_lay_all_he_has_in_one_space_of_the_city_and_all_of_it_counts_a22():
    """Eight of Anna's at the market, beside seven of Ben's."""
    state = table(spaces={"market": "A1 A2 A4 A5 A6 A7 A8 B2 B4 B5 B6 B7 B8 B9"}, hoards=[{"gem": 1}] * 2)
    assert "market" in options(state, "space")
    state, _ = play(state, (A, Place(9, "market")))
    state.forfeits = [len(hand) for hand in state.hands]
    state.agenda.pop()
    state, happened = RULES.advance(state)
    (ranked,) = only(happened, events.SpaceRanked)
    assert (ranked.ranking, ranked.totals) == ([A, B], [42, 41])


# The market


def test_at_the_market_what_is_given_is_not_among_what_is_taken_a45():
    """The bank has two gems; the gem that Anna gives for them does not make three."""
    most = dict.fromkeys(("crown", "pearl", "trophy", "gold"), 29)
    state, _ = tallied(spaces={"market": "A9"}, hoards=[{"gem": 1}, {**most, "gem": 26}])
    (take,) = (field for field in asked(state).actions[0].fields if isinstance(field, Amounts))
    assert [(option.value, option.limit) for option in take.options] == [("gem", 2)]
    with pytest.raises(IllegalAction):
        RULES.check(state, "r1-market", A, Exchange("gem", {"gem": 3}))
    state, _ = play(state, (A, Exchange("gem", {"gem": 2})))
    assert (state.hoards[A]["gem"], state.bank["gem"]) == (2, 1)


# Windows


def test_everything_of_a_window_takes_effect_in_sequence_from_the_camel_a75():
    """Carla has the camel: her card, shown last, comes before Ben's and before the two that Anna showed."""
    state = magic_table(camel=C, spells=["charity trade", "charity", "charity"], hoards=[{"gem": 1}])
    state.magic.used = [["lamp"], ["lamp"], ["lamp"]]
    state = at_window(state, "placed")
    gift = declare("charity", take={"gold": 3})
    state, _ = play(state, (A, gift), (B, gift), (C, PASS))
    state, happened = play(state, (A, declare("trade", give={"gem": 1}, take={"pearl": 1})), (C, gift))
    order = [(type(event).__name__, event.seat) for event in only(happened, events.TreasureTaken)]
    assert [seat for _name, seat in order] == [C, A, A, B]
    sources = [event.source for event in only(happened, events.TreasureTaken)]
    assert sources == ["charity", "charity", "trade", "charity"], "one player's own as he declared them"


def test_an_answer_shows_one_card_with_the_lamp_the_lamp_and_a_spell_and_the_second_comes_in_the_next_pass_a76():
    state = magic_table(spells=["charity trade", "", ""], hoards=[{"gem": 1}])
    state = at_window(state, "placed")
    assert sorted(playable(state, A)) == ["pass", "play_charity", "play_lamp", "play_trade"]
    state, shown = play(state, (A, declare("charity", take={"gold": 3})))
    assert [event.card for event in only(shown, magic.CardPlayed)] == ["lamp", "charity"]
    assert only(shown, events.TreasureTaken) == [], "nothing takes effect while somebody may still add to it"
    assert asked_seats(state) == [A], "another pass, in which the second card may be shown"
    _, happened = play(state, (A, declare("trade", give={"gem": 1}, take={"pearl": 1})))
    assert [event.card for event in only(happened, magic.CardPlayed)] == ["trade"]
    assert [event.source for event in only(happened, events.TreasureTaken)] == ["charity", "trade"]


# What the deadline does


def test_for_eye_for_an_eye_the_deadline_names_the_first_of_the_casters_tokens_in_board_order_a99():
    """Not the lowest: that lies face down at the caravanserai, and who is named would tell its value."""
    spaces = {"market": "A9 B6", "caravanserai": "A1"}
    state = at_window(magic_table(spaces=spaces, spells=["eye_for_an_eye"]), "market")
    state, _ = play(state, (A, declare("eye_for_an_eye", token="market:2")))
    (decision,) = MAGIC_RULES.decisions(state)
    state, happened = MAGIC_RULES.apply(state, decision.id, B, MAGIC_RULES.default(state, decision))
    assert [(event.seat, event.space) for event in only(happened, magic.TokenRemoved)] == [(A, "market")]
    assert [token.value for token in state.spaces["caravanserai"]] == [1]
