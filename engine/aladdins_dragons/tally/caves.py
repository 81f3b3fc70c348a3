"""The dragon caves: the strongest takes the top shelf, the next the second, and so on."""

from engine.aladdins_dragons.board.facts import cave_kind
from engine.aladdins_dragons.board.verbs import Board


def reward(board: Board, space: str) -> None:
    """One shelf per seat by rank, compulsory (A50); what nobody claims goes to the bank (A51)."""
    shelves = board.state.caves[cave_kind(space)]
    ranking = board.state.rankings.get(space)
    for seat in ranking.seats if ranking else []:
        if shelves:
            board.take_shelf(seat, space)
    if shelves:
        board.empty_cave(space)
