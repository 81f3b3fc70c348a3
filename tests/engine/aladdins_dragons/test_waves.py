"""Faster tables: several tokens at a time, in turns or all at once (table options `tokens_per_turn`, `placing`)."""

from random import Random
from typing import Any

import msgspec
import pytest

from engine.aladdins_dragons import events, model, waves
from engine.aladdins_dragons.actions import Forfeit, Place, PlayCard, StartOver
from engine.aladdins_dragons.facts import PIECES
from engine.core import IllegalAction, Text
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, declare_now, magic_table, one_pass
from tests.engine.aladdins_dragons.table import A, B, C, only, table
from tests.engine.orders.orders import MAGIC, give, placing
from tests.engine.playing import one_step, seed_of

RULES = MAGIC_RULES
CAVES = {"crown": [5, 3], "gem": [4]}


def wave(tokens: int, *, at_once: bool, **position: Any) -> Any:
    """Placing begins; so many tokens at a time, of everybody at once or in turns."""
    state = magic_table(3, caves=CAVES, **position)
    state.optional_tempo = model.Tempo(tokens, at_once)
    state.agenda[-1] = waves.first(state)
    return state


def prompted(state: Any) -> list[int]:
    return [d.seat for d in RULES.decisions(state) if d.prompted]


def choose(state: Any, seat: int, *actions: Any) -> tuple[Any, list[Any]]:
    happened: list[Any] = []
    for action in actions:
        decision = next(d for d in RULES.decisions(state) if d.seat == seat and d.kind == "place")
        state, more = RULES.apply(state, decision.id, seat, action)
        happened += more
    return state, happened


def test_everybody_chooses_at_once_and_nothing_is_seen_before_all_have():
    state = wave(2, at_once=True)
    assert prompted(state) == [A, B, C]
    assert len({d.id for d in RULES.decisions(state) if d.kind == "place"}) == 1
    after, happened = choose(state, B, Place(9, "guard"), Place(8, "cave-gem"))
    assert happened == []
    for viewer in (None, A, C):
        assert RULES.view(after, viewer) == RULES.view(state, viewer)
    assert prompted(after) == [A, C]
    seen = RULES.view(after, B)
    assert seen.hand == [1, 2, 4, 5, 6, 7]
    assert [token.value for token in seen.spaces["guard"]] == [9]


def test_a_wave_is_laid_out_in_player_order_when_all_have_chosen():
    state = wave(2, at_once=True)
    state, _ = choose(state, C, Place(9, "guard"), Place(8, "guard"))
    state, _ = choose(state, A, Place(7, "guard"), Place(6, "market"))
    state, happened = choose(state, B, Place(1, "guard"), Place(2, "market"))
    assert [(event.seat, event.value) for event in only(happened, events.TokenPlaced)] == [
        (A, 7), (A, 6), (B, 1), (B, 2), (C, 9), (C, 8),
    ]  # fmt: skip
    assert prompted(state) == [A, B, C]
    assert {d.id for d in RULES.decisions(state) if d.kind == "place"} == {"r1-wave-2-0"}


def test_in_turns_a_seat_places_several_before_the_next():
    state = wave(4, at_once=False)
    assert prompted(state) == [A]
    state, happened = choose(state, A, *(Place(value, "guard") for value in (1, 2, 4, 5)))
    assert len(only(happened, events.TokenPlaced)) == 4
    assert prompted(state) == [B]


def test_what_has_been_chosen_can_be_taken_back_until_the_wave_is_complete():
    state = wave(2, at_once=True)
    state, _ = choose(state, A, Place(9, "guard"), Place(8, "guard"), StartOver())
    assert A in prompted(state)
    state, _ = choose(state, A, Place(1, "guard"), Place(2, "guard"))
    state, _ = choose(state, B, Place(1, "guard"), Place(2, "guard"))
    state, _ = choose(state, C, Place(1, "guard"), Place(2, "guard"))
    assert sorted(state.hands[A]) == [4, 5, 6, 7, 8, 9]


def test_nothing_can_be_taken_back_that_was_not_chosen_and_no_token_is_chosen_twice():
    state = wave(2, at_once=True)
    with pytest.raises(IllegalAction):
        choose(state, A, StartOver())
    with pytest.raises(IllegalAction):
        choose(state, A, Place(9, "guard"), Place(9, "market"))


def test_a_room_takes_five_tokens_of_a_seat_in_one_wave_too():
    """A23."""
    state = wave(8, at_once=True)
    state, _ = choose(state, A, *(Place(value, "room-1") for value in (1, 2, 4, 5, 6)))
    with pytest.raises(IllegalAction):
        choose(state, A, Place(7, "room-1"))


def test_the_deadline_forfeits_what_is_missing_in_the_wave():
    """A21: what was chosen is placed, the rest stays in hand."""
    state = wave(4, at_once=True)
    state, _ = choose(state, A, Place(9, "guard"), Forfeit())
    state, _ = choose(state, B, Forfeit())
    state, happened = choose(state, C, Forfeit())
    assert [event.seat for event in only(happened, events.TokenPlaced)] == [A]
    assert state.forfeits == [3, 4, 4]


def test_forfeited_tokens_end_placing_as_ever():
    state = wave(8, at_once=True)
    for seat in (A, B, C):
        state, _ = choose(state, seat, Forfeit())
    assert RULES.is_advance_pending(state)


def test_a_declaration_starts_the_wave_anew():
    """A92: what is declared may change where tokens can go."""
    state = wave(2, at_once=True, spells=["", "taboo"])
    state, _ = choose(state, A, Place(9, "cave-crown"), Place(8, "guard"))
    before = {d.id for d in RULES.decisions(state) if d.kind == "place"}
    state, _ = declare_now(state, B, PlayCard("taboo", {"space": "cave-crown"}))
    while isinstance(state.agenda[-1], model.Window):
        state, _ = one_pass(state)
    assert prompted(state) == [A, B, C]
    assert before.isdisjoint({d.id for d in RULES.decisions(state) if d.kind == "place"})
    with pytest.raises(IllegalAction):
        choose(state, A, Place(9, "cave-crown"))


def test_a_world_dealt_from_a_view_asks_the_same_in_a_wave_of_eight():
    state = wave(8, at_once=True)
    tokens = [Place(9, "cave-gem"), Place(8, "guard"), Place(6, "cave-crown"), Place(5, "market")]
    tokens += [Place(4, "caravanserai"), Place(2, "room-1"), Place(1, "room-1")]
    for action in tokens:
        state, _ = choose(state, A, action)
        for viewer in (None, A, B, C):
            view = MAGIC.view(state, viewer)
            world = MAGIC.determinise(view, Random(1))
            assert MAGIC.view(world, viewer) == view
            asked = [[d for d in MAGIC.decisions(one) if d.seat == viewer] for one in (state, world)]
            assert asked[0] == asked[1]


def test_orders_choose_a_whole_wave():
    state = wave(2, at_once=True)
    state.agenda.append(model.Window("start", number=1, entitled=[A], answers=[None]))
    state = give(MAGIC, state, B, placing(9, "guard"), placing(8, "cave-gem"))
    state, happened = MAGIC.apply(state, "r1-window-start-1", A, MAGIC.parse({"type": "pass"}))
    assert [event.order for event in happened if type(event).__name__ == "OrderFired"] == ["o1", "o2"]
    assert prompted(state) == [A, C]


def test_without_the_options_the_state_carries_nothing_of_it():
    state = table(3)
    assert b"tempo" not in RULES.dump(state)
    assert isinstance(waves.first(state), model.Placing)
    assert not isinstance(waves.first(state), model.Wave)


@pytest.mark.parametrize("options", [{"tokens_per_turn": "3"}, {"placing": "storm"}, {"tokens_per_turn": "0"}])
def test_other_numbers_are_refused(options):
    with pytest.raises(IllegalAction):
        RULES.new(3, options, seed_of(1))


@pytest.mark.slow
def test_a_playout_takes_back_nothing_that_it_has_chosen():
    state, dice = wave(8, at_once=True), Random(1)
    for _ in range(3 * 8):
        asked = next(d for d in RULES.decisions(state) if d.prompted)
        RULES.play(state, asked.seat, RULES.draw(state, asked, dice))
    assert not any(state.hands), "every token lies on the board"


@pytest.mark.parametrize(("tokens", "placing_by"), [("4", "waves"), ("2", "turns"), ("8", "waves")])
def test_rounds_at_random_lay_out_every_token_and_show_nobody_too_much(tokens, placing_by):
    random = Random(5)
    state, _ = MAGIC.new(3, {"tokens_per_turn": tokens, "placing": placing_by, "tally": "plan"}, seed_of(5))
    for _ in range(120):
        if MAGIC.outcome(state) is not None:
            break
        state = one_step(MAGIC, state, random).after
        for viewer in (None, A, B, C):
            view = MAGIC.view(state, viewer)
            other = MAGIC.determinise(view, random)
            assert msgspec.json.encode(MAGIC.view(other, viewer)) == msgspec.json.encode(view)
        assert MAGIC.load(MAGIC.dump(state)) == state
        lying = [token for row in state.spaces.values() for token in row if token.is_number]
        assert len(lying) + sum(map(len, state.hands)) == 3 * len(PIECES.tokens)
    assert state.round > 0


@pytest.mark.slow
def test_bots_play_waves():
    random = Random(7)
    for name in ("random", "greedy", "sultan"):
        state = wave(4, at_once=True)
        bot = MAGIC.bots[name]
        for _ in range(60):
            decision = next((d for d in MAGIC.decisions(state) if d.prompted and d.kind == "place"), None)
            if decision is None or state.turns[A] >= 4:
                break
            view = MAGIC.view(state, decision.seat)
            (question,) = (q for q in MAGIC.questions(view) if q.decision.kind == "place")
            state, _ = MAGIC.apply(state, decision.id, decision.seat, bot.choose(view, question, random))
        assert state.turns == [4, 4, 4], name


def test_the_random_bot_takes_nothing_back():
    """Its dice fall the same whenever it is asked the same: it would take back, and choose, for ever."""
    state, _ = choose(wave(3, at_once=True), A, Place(9, "guard"))
    view = RULES.view(state, A)
    (question,) = (one for one in RULES.questions(view) if one.decision.kind == "place")
    assert "start_over" in {form.type for form in question.actions}
    answers = [RULES.bots["random"].choose(view, question, Random(dice)) for dice in range(40)]
    assert not any(isinstance(answer, StartOver) for answer in answers)


def asked(state):
    question = next(iter(RULES.view(state, A).questions))
    return question.title, question.hint and question.hint.code


def test_a_wave_says_how_many_tokens_and_the_first_of_a_game_without_magic_what_they_do():
    state = table(caves=CAVES)
    state.optional_tempo = model.Tempo(4, has_waves=True)
    state.agenda[-1] = waves.first(state)
    for left, number in ((4, "first"), (3, "second"), (2, "third"), (1, "fourth")):
        assert asked(state) == (Text("ask-place-wave", {"round": 1, "count": left}), f"hint-wave-{number}")
        state, _ = choose(state, A, Place(left + 5, "guard"))


@pytest.mark.parametrize(("at_once", "hint"), [(True, "hint-wave-sealed"), (False, None)])
def test_only_where_all_choose_at_once_is_it_said_that_nobody_sees_it(at_once, hint):
    state = wave(3, at_once=at_once)
    state.round = 2
    assert asked(state) == (Text("ask-place-wave", {"round": 2, "count": 3}), hint)
