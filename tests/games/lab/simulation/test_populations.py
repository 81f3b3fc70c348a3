"""Keen, ordinary and casual people: what they are like, and whole games of each."""

from collections.abc import Sequence
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from games.lab.simulation.people.habits import CASUAL, KEEN, MINDS, ORDINARY, POPULATIONS, Habits, mind_of
from games.lab.simulation.reports.tables import format_table
from games.lab.simulation.scenario import TABLES
from tests.games.lab.simulation.command import simulate

DILIGENCE = ("sheets", "ordered", "rest", "plans", "ahead", "comfort", "even_so")


def test_casual_people_are_half_as_diligent_in_everything_at_once():
    changed = {field.name for field in fields(Habits) if getattr(CASUAL, field.name) != getattr(ORDINARY, field.name)}
    assert changed == {*DILIGENCE, "asks", "accepts", "edits"}
    for habit in DILIGENCE:
        assert getattr(CASUAL, habit) == pytest.approx(getattr(ORDINARY, habit) / 2, abs=0.03), habit
    assert CASUAL.asks == 2 * ORDINARY.asks


def test_keen_people_are_more_diligent_in_everything_and_still_not_perfect():
    for habit in DILIGENCE:
        assert getattr(ORDINARY, habit) < getattr(KEEN, habit) < 1, habit
    assert 0 < KEEN.asks < ORDINARY.asks
    assert KEEN.answer_hours == CASUAL.answer_hours == ORDINARY.answer_hours


def test_everybody_at_a_mixed_table_thinks_in_his_own_way():
    minds = {mind_of("mixed", Random(seed)) for seed in range(20)}
    assert minds == {"greedy", "sultan"}
    assert [mind_of(one, Random(1)) for one in MINDS if one != "mixed"] == ["greedy", "sultan"]


def test_a_table_of_populations_has_a_row_for_each_figure_and_a_column_for_each_population():
    figures: dict[str, Any] = dict.fromkeys(
        [
            "days_median", "days_p90", "rounds_median", "rounds_p90", "days_per_round_median", "days_per_round_p90",
            "waits_per_round", "waits_per_round_p90", "mails_per_player_and_day", "mails_per_player_and_day_p90",
        ],
        1.5,
    ) | {"games": 5, "sheets_by_steward": 0.0}  # fmt: skip
    lines = format_table({("waves", "keen"): figures, ("waves", "casual"): figures | {"days_p90": 9.0}}).splitlines()
    assert lines[0] == "|  |  | keen | casual |"
    assert "| waves | days, median (p90) | 1.5 (1.5) | 1.5 (9.0) |" in lines
    assert "| waves | games | 5 | 5 |" in lines


def _checked(
    report: Sequence[dict[str, Any]], tables: Sequence[str], games: int
) -> dict[tuple[str, str], dict[str, Any]]:
    found = {(cell["table"], cell["people"]): cell for cell in report}
    assert set(found) == {(table, people) for table in tables for people in POPULATIONS}
    assert {cell["games"] for cell in report} == {games}
    return found


@pytest.mark.slow
def test_two_games_of_each_population_with_proposals_and_stewards_keep_every_promise(tmp_path):
    report = simulate(tmp_path, "--table", "swift", "--seeds", "2", "--players", "3", "--minds", "sultan")
    found = _checked(report, ["swift"], 2)
    assert found["swift", "keen"]["waits_per_round"] <= found["swift", "casual"]["waits_per_round"]
    assert all(cell["proposals_accepted"] > 0 for cell in report)
    assert any(cell["sheets_by_steward"] > 0 for cell in report)


@pytest.mark.marathon
def test_a_hundred_games_of_each_population_at_each_table_keep_every_promise(tmp_path):
    _checked(simulate(tmp_path, "--table", "--seeds", "100", "--minds", "greedy"), list(TABLES), 100)
