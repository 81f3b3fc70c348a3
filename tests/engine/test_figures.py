"""The statistics of a game, from its public events alone: they come to what the state says."""

import pytest

from engine.registry import newest
from tests.engine.playing import SHARED, walk_again

DRAGONS, CAVE = newest()[:2]


def ranked_last(told: list) -> tuple[list[list[int]], list[list[int]]]:
    """The strengths by seat, and the seats by rank, in each space of the round that has just ended."""
    names = [type(event).__name__ for event in told]
    ended = len(names) - names[::-1].index("RoundEnded")
    began = max(at for at, name in enumerate(names[:ended]) if name == "RoundBegan")
    ranked = [event for event in told[began:ended] if type(event).__name__ == "SpaceRanked"]
    strengths = [dict(zip(one.ranking, one.totals, strict=True)) for one in ranked]
    return [[one.get(seat, 0) for seat in range(3)] for one in strengths], [one.ranking for one in ranked]


@pytest.mark.slow
def test_treasure_and_artifacts_of_each_round_are_those_of_the_board() -> None:
    told, rounds = [], 0
    for step in walk_again(DRAGONS, 3, SHARED[0]):
        told += [seen for event in step.events if (seen := DRAGONS.redact(event, None)) is not None]
        if any(type(event).__name__ == "RoundEnded" for event in step.events):
            rounds += 1
            tally = DRAGONS.last_tally(told, 3)
            assert tally is not None and tally.title.params == {"round": rounds}
            assert ranked_last(told) == ([row for _label, row in tally.lines], tally.ranks)
            hoards, artifacts = DRAGONS.figures(told, 3)[:2]
            assert hoards.is_course and artifacts.is_course
            assert len(hoards.lines) == len(artifacts.lines) == rounds
            assert hoards.lines[-1][1] == [sum(hoard.values()) for hoard in step.after.hoards]
    assert rounds > 1
    tables = {table.title.code: {label.code: row for label, row in table.lines} for table in DRAGONS.figures(told, 3)}
    gained, bribes, spent = (sum(row) for row in tables["figures-treasure"].values())
    assert gained > bribes + spent > 0
    assert all(sum(row) for row in tables["figures-placed"].values())


def test_points_of_each_round_come_to_the_score_and_to_what_brought_them() -> None:
    told: list[object] = []
    for step in walk_again(CAVE, 3, SHARED[0]):
        told += [seen for event in step.events if (seen := CAVE.redact(event, None)) is not None]
    course, points, treasures = CAVE.figures(told, 3)
    assert course.lines[-1][1] == step.after.scores
    earlier = [row for _label, row in course.lines]
    assert len(earlier) == -(-step.after.turn // 3) and earlier[0] != earlier[-1]
    brought = [sum(row[seat] for _label, row in points.lines) for seat in range(3)]
    assert all(sum_of <= score for sum_of, score in zip(brought, step.after.scores, strict=True))
    assert sum(treasures.lines[0][1]) > 3
