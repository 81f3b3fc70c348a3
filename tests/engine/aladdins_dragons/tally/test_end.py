"""The end of a game and its ranking."""

from engine.aladdins_dragons import events
from engine.aladdins_dragons.actions import Buy, Decline, Forfeit
from engine.core import Text
from tests.engine.aladdins_dragons.table import RULES, A, B, C, only, play, table, tallied

LAST = {"room-1": 1, "room-2": 0, "room-3": 0}


def last_sale(**position):
    """The last artifact of all is for sale to A, for a gemstone."""
    state, _ = tallied(
        guard=5, spaces={"guard": "A5", "room-1": "A1"}, hoards=[{"gem": 1}, {"gem": 20}], stacks=LAST, **position
    )
    return play(state, (A, Buy(pay_1="gem")))


def test_the_game_ends_at_once_with_the_last_artifact_of_all_rooms_a94():
    state, happened = last_sale(artifacts=[5, 4, 2])
    assert state.outcome is not None
    assert state.outcome.ending == "complete"
    assert (state.outcome.winners, state.outcome.scores) == ([A], [6, 4, 2])
    assert isinstance(happened[-1], events.GameEnded)
    assert not RULES.decisions(state)
    assert not RULES.is_advance_pending(state)


def test_a_room_sold_out_does_not_end_it_while_another_has_artifacts_a94():
    state, _ = tallied(
        guard=5,
        spaces={"guard": "A5", "room-1": "A1"},
        hoards=[{"gem": 1}],
        stacks={"room-1": 1, "room-2": 0, "room-3": 1},
    )
    state, _ = play(state, (A, Buy(pay_1="gem")))
    assert state.outcome is None


def test_an_unsold_last_artifact_lets_the_game_go_on_a94():
    state, _ = tallied(guard=5, spaces={"guard": "A5", "room-1": "A1"}, hoards=[{"gem": 1}], stacks=LAST)
    state, _ = play(state, (A, Decline()))
    assert state.outcome is None


def test_ties_go_by_player_sequence_from_the_camel_a97():
    state, _ = last_sale(artifacts=[5, 6, 6], camel=C)
    assert state.outcome is not None
    assert state.outcome.ranking == [C, A, B]
    assert state.outcome.reason.code == "won-tie"


def test_treasure_counts_for_nothing_at_the_end_a98():
    state, _ = last_sale(artifacts=[5, 5, 5])
    assert state.outcome is not None
    assert state.outcome.ranking == [A, B, C]
    assert state.outcome.reason == Text("won", {"winner": {"seat": A}, "artifacts": 6})


def test_who_resigned_ranks_below_all_who_stayed_a99():
    state, _ = RULES.resign(table(artifacts=[1, 3, 2]), B)
    for seat in (A,):
        state, _ = RULES.resign(state, seat)
    state, happened = RULES.end(state, C)
    assert state.outcome is not None
    assert (state.outcome.ending, state.outcome.ranking) == ("abandoned", [C, B, A])
    assert only(happened, events.GameEnded)[0].scores == [1, 3, 2]


def test_the_last_person_may_end_the_game_against_bots_and_wins_a99():
    state, _ = RULES.resign(table(artifacts=[1, 3, 2]), A)
    state, _ = RULES.end(state, C)
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.ranking) == ([C], [C, B, A])


def test_a_resigned_leader_does_not_win_the_last_sale_a99():
    state, _ = last_sale(artifacts=[5, 9, 2], resigned=[B])
    assert state.outcome is not None
    assert state.outcome.ranking == [A, C, B]


def test_the_tokens_of_who_resigned_play_on_by_forfeits_a99():
    state, _ = RULES.resign(table(spaces={"market": "A9"}), A)
    assert RULES.decisions(state)[0].seat == A
    state, _ = play(state, (A, Forfeit()))
    assert len(state.spaces["market"]) == 1
