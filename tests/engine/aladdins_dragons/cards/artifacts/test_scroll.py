"""Scroll."""

import pytest

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.tally import finish_complete
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table, playable
from tests.engine.aladdins_dragons.table import A, B, C, play


def test_it_is_never_invoked_a85():
    state = magic_table(spaces={"market": "A7"}, tiles=["scroll carpet", "lamp", "lamp"])
    state = at_window(state, "market")
    before = MAGIC_RULES.dump(state)
    assert playable(state, A) == ["play_carpet", "pass"]
    with pytest.raises(IllegalAction):
        play(state, (A, declare("scroll")))
    assert MAGIC_RULES.dump(state) == before


@pytest.mark.parametrize(
    ("_case", "tiles", "camel", "ranking"),
    [
        ("more scrolls", ["key key", "key scroll", "scroll scroll"], A, [C, B, A]),
        ("scrolls count among the tied only", ["key key key", "scroll scroll", "key scroll"], A, [A, B, C]),
        ("then player sequence", ["key scroll", "double scroll", "scroll lamp"], B, [B, C, A]),
    ],
)
def test_ties_go_by_scrolls_and_then_by_player_sequence_a96(_case, tiles, camel, ranking):
    board = Board(magic_table(tiles=tiles, camel=camel))
    finish_complete(board)
    assert board.state.outcome is not None
    assert board.state.outcome.ranking == ranking
