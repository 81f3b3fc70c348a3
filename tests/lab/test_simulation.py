"""The simulator: timeline, people, doors and faults; whole games at tables and by people of every kind."""

import datetime as dt
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from engine.registry import newest
from games.models import Decision, Game, Heartbeat, Move, Seat
from games.play import standing_orders
from games.play.deadline_rule import patience
from games.tables import pace
from games.web.answers.posted_answer import decode
from notifications.clock import present
from notifications.delivery import sending
from notifications.models import Delivery, Notice
from tests.games.conftest import fresh
from tests.lab.people import (
    CASUAL,
    KEEN,
    MINDS,
    ORDINARY,
    POPULATIONS,
    Habits,
    InvariantBroken,
    Planner,
    ServiceDoor,
    SimulatedPlayer,
    as_posted,
    mind_of,
)
from tests.lab.reports import GameFigures, compare, days_per_wait, floor, format_table, summarise
from tests.lab.simulation import (
    CALM,
    DOORS,
    REPLIES,
    ROUGH,
    TABLES,
    Crash,
    Faults,
    InvariantChecker,
    Scenario,
    Workers,
    _dying_at,
    first_due,
    play_one,
    scenario_of,
)
from tests.lab.timeline import Timeline

ROOT = Path(__file__).resolve().parents[2]


def simulate(place: Path, *arguments: str) -> Any:
    """The command's report as an object; a broken promise fails the test and says the seed."""
    command = [sys.executable, "-m", "tests.lab", "simulate", *arguments, "--jobs", "2", "--json"]
    environment = {**os.environ, "DATABASE_URL": "", "VAR_DIR": str(place)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


# The simulated timeline: time, people, doors, faults; and whole games in it.

BEGINS = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
CAVE = Scenario("cave-of-wonders", 2)


def test_people_act_in_the_order_of_their_times_and_nothing_happens_early():
    timeline, done = Timeline(BEGINS), []
    timeline.at(BEGINS + 2 * HOUR, lambda: done.append("later"))
    timeline.at(BEGINS + HOUR, lambda: done.append("sooner"))
    timeline.at(BEGINS - HOUR, lambda: done.append("now"))
    timeline.act()
    assert done == ["now"]
    timeline.go_to(BEGINS + 3 * HOUR)
    timeline.act()
    assert done == ["now", "sooner", "later"]


def test_time_never_runs_backwards():
    timeline = Timeline(BEGINS)
    timeline.go_to(BEGINS - HOUR)
    assert timeline.now == BEGINS


def test_an_action_is_posted_as_its_form_sends_it(game):
    rules = game.rules
    view = rules.view(game.load_state(), 0)
    (question,) = rules.questions(view)
    for number in range(20):
        action = rules.sample(question, Random(number))
        answer = json.loads(rules.dump_action(action))
        posted = as_posted(question.decision.id, answer)
        decoded = decode(posted, question, lambda text: text.code)
        assert rules.parse(decoded.action) == action


@pytest.mark.django_db(transaction=True)
def test_a_process_dies_at_its_statement_and_leaves_nothing_half_done(anna):
    with _dying_at(1):
        Game.objects.count()
        with pytest.raises(Crash):
            Game.objects.update(failures=1)
    assert not Game.objects.filter(failures=1).exists()


@pytest.mark.django_db(transaction=True)
def test_a_gap_in_the_log_is_seen(game):
    InvariantChecker(game).after_step()
    Game.objects.filter(pk=game.pk).update(seq=game.seq + 1)
    with pytest.raises(InvariantBroken, match="the last move is 1, the game says 2"):
        InvariantChecker(game).after_step()


@pytest.mark.django_db(transaction=True)
def test_an_event_that_was_changed_in_the_log_is_seen(game):
    game.moves.update(events="[]")
    with pytest.raises(InvariantBroken, match="leads to other events"):
        InvariantChecker(game).after_step()


@pytest.mark.django_db(transaction=True)
def test_a_question_that_nobody_asks_is_seen(game):
    game.decisions.filter(seat__number=1).delete()
    with pytest.raises(InvariantBroken, match="the rules ask"):
        InvariantChecker(game).after_step()


@pytest.mark.django_db(transaction=True)
def test_a_question_that_nobody_is_told_of_is_seen(game):
    Delivery.objects.all().delete()
    with pytest.raises(InvariantBroken, match="nobody tells"):
        InvariantChecker(game).after_step(are_workers_dead=True)


@pytest.mark.django_db(transaction=True)
def test_a_new_notice_is_due_and_waits_for_dead_workers_only(game, now):
    Delivery.objects.all().delete()
    written = Notice.objects.update(pending={"forms": ["letter"], "endpoint": None, "unwanted": ""})
    assert written and first_due()["notice"] <= now
    InvariantChecker(game).after_step(are_workers_dead=True)
    with pytest.raises(InvariantBroken, match="nobody tells"):
        InvariantChecker(game).after_step()
    Workers(Timeline(now), lambda instant: sending.deliver(instant, 1) == 1, CALM, Random(1)).settle()
    assert "notice" not in first_due()
    InvariantChecker(game).after_step()


@pytest.mark.django_db(transaction=True)
def test_the_service_knows_what_is_due_without_looking_for_it(game, now):
    Delivery.objects.update(attempt_after=now + HOUR)
    Decision.objects.update(due_at=now + 2 * HOUR, remind_at=None)
    assert first_due() == {"delivery": now + HOUR, "deadline": now + 2 * HOUR + patience()}


@pytest.mark.django_db(transaction=True)
def test_work_that_was_not_due_is_seen(game, now):
    timeline = Timeline(now)
    service = Workers(timeline, lambda instant: True, Faults(idle=1.0), Random(1))
    Delivery.objects.update(attempt_after=now + HOUR)
    with pytest.raises(InvariantBroken, match="work of the kind delivery when nothing was due"):
        service.settle()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_dead_workers_do_nothing_and_give_the_lost_time_back(game, now):
    due = game.decisions.values_list("due_at", flat=True).first()
    timeline = Timeline(now)
    service = Workers(timeline, lambda instant: False, Faults(outage=1e9, outage_hours=9), Random(1))
    Heartbeat.objects.create(name="ticker", beat_at=now)
    timeline.go_to(now + dt.timedelta(milliseconds=1))
    back = service.settle()
    assert back > now
    timeline.go_to(due + HOUR)
    service.settle()
    assert service.outages == 1
    assert game.moves.filter(source="deadline").count() == 0


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", [DOORS, REPLIES])
def test_a_rough_game_of_the_cave_comes_to_its_winner(door):
    figures = play_one(replace(CAVE, faults=ROUGH, door=door, language="de" if door == REPLIES else "en"), 1)
    assert figures.days > 1
    assert figures.waits > 10
    assert figures.mails > 10, "several questions that wait may share a mail"
    assert present.now() - dt.datetime.now(dt.UTC) < HOUR


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_rough_game_that_a_moderator_takes_back_comes_to_its_winner():
    play_one(replace(CAVE, faults=ROUGH, habits=Habits(taken_back=1.0)), 2)
    assert (Game.objects.get().status, Game.objects.get().branch) == ("finished", 1)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_same_seed_gives_the_same_game_again():
    once = play_one(CAVE, 2)
    outcome = Game.objects.get().outcome
    call_command("flush", interactive=False, verbosity=0)
    assert play_one(CAVE, 2) == once
    assert Game.objects.get().outcome == outcome


@pytest.mark.django_db(transaction=True)
def test_the_rest_of_a_round_is_ordered_in_advance(placing, now):
    seat = next(one.seat for one in placing.rules.decisions(placing.load_state()) if one.prompted)
    view = placing.rules.view(placing.load_state(), seat)
    ordered = Planner(Habits(), "greedy", Random(1)).placements(placing.rules, view, seat)
    tokens = [order["answers"][0]["token"] for order in ordered]
    assert len(tokens) == len(set(tokens)) > 5
    standing_orders.give(game_id=placing.pk, seat=seat, raw={"orders": ordered[1:]}, source="web", now=now)
    assert len(placing.rules.orders(fresh(placing).load_state(), seat).orders) == len(ordered) - 1


def test_the_report_has_medians():
    game = GameFigures(
        seed=1, players=4, days=10.0, rounds=5, waits=50, waits_by_kind={"sheet": 5}, days_by={"kind": {"sheet": 2.5}},
        mails=400, passed=1, given=59, accepted=0, ordered=0,
        sheets=20, sheets_by_steward=5, crashes=0, outages=0, refused=0, trace="",
    )  # fmt: skip
    slow = game._replace(days=30.0, mails=1200)
    report = summarise([game, game, slow])
    assert report["days_median"] == 10.0
    assert report["mails_per_player_and_day"] == 10.0
    assert report["waits_per_round"] == 10.0
    assert report["days_per_round_by_kind"] == {"sheet": 0.5}
    assert (report["days_per_round_median"], report["days_per_round_p90"]) == (2.0, 5.2)
    assert report["sheets_by_steward"] == 0.25
    assert compare([game], [slow._replace(waits=500)]) == {"fewer_waits": 10.0, "fewer_days": 3.0}


@pytest.mark.slow
def test_more_people_take_longer_and_the_deadline_ends_every_wait():
    days = [days_per_wait(Habits(), people, "daily", BEGINS, Random(1)) for people in (1, 4)]
    assert 0 < days[0] < days[1] < 1
    slow = Habits(answer_hours=500.0)
    assert days_per_wait(slow, 4, "daily", BEGINS, Random(1)) > 0.99


@pytest.mark.slow
def test_the_floor_of_a_game_is_its_rounds_times_its_simultaneous_questions():
    found = floor(Scenario("aladdins-dragons", 4), 10, BEGINS)
    assert found["days_with_2_a_round"] == pytest.approx(20 * found["days_per_simultaneous_wait"], abs=0.2)
    assert found["days_with_3_a_round"] == pytest.approx(3 * found["days_with_1_a_round"], abs=0.2)


class TwiceAsked(SimulatedPlayer):
    """Is asked again when a worker has taken the game over a phase boundary, which is a moment after the answer."""

    def _asked(self, game: Game) -> Decision | None:
        is_new = self.answers == 0 or (self.answers == 1 and self.timeline.now > BEGINS)
        return Decision() if is_new else None

    def _answer(self, row: Decision) -> None:
        self.answers += 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("stays", "answers"), [(1.0, 2), (0.0, 1)])
def test_who_stays_on_the_page_answers_the_next_question_at_once(game, anna, stays, answers):
    timeline, dice = Timeline(BEGINS), Random(1)
    person = TwiceAsked(anna, timeline, Habits(stays=stays), "greedy", ServiceDoor(dice), dice)
    person.visit(game)
    timeline.go_to(BEGINS + HOUR)
    timeline.act()
    assert person.answers == answers


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_proposals_are_accepted_behind_the_link_on_the_page_by_the_api_and_by_a_reply():
    accepting = Habits(accepts=1.0, edits=0.0)
    figures = play_one(replace(CAVE, habits=accepting, faults=ROUGH, door=DOORS, settings={"proposals": "on"}), 3)
    assert figures.accepted == figures.given > 10
    sources = set(Move.objects.filter(kind=Move.Kind.ANSWER).values_list("source", flat=True))
    assert sources >= {Move.Source.LINK, Move.Source.WEB, Move.Source.API, Move.Source.MAIL}


# Tables of every kind come to their end, whatever goes wrong: both games, all options, doors and people.

SEEDS = (20, 31, 36, 58, 60, 71, 95)  # every kind, and of those the shortest games
MORE = [seed for seed in range(1, 101) if seed not in SEEDS]


def test_the_tables_of_these_seeds_are_of_every_kind():
    tables = [scenario_of(seed) for seed in SEEDS]
    assert {(table.rules, table.players) for table in tables} == {
        (rules.name, count) for rules in newest() for count in rules.seat_counts
    }
    assert {(table.rules, table.door) for table in tables} >= {(rules.name, DOORS) for rules in newest()}
    for rules in newest():
        for option in rules.options:
            chosen = {table.options[option.name] for table in tables if table.rules == rules.name}
            assert chosen == {value for value, _label in option.values}, option.name


@pytest.mark.slow
@pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(MORE, marks=pytest.mark.marathon)], ids=["of every kind", "more"]
)
def test_tables_come_to_their_end_with_every_promise_kept(tmp_path, seeds):
    played = simulate(tmp_path, "--mixed", "--naive-seeds", "0", "--only", *map(str, seeds))["played"]
    assert played["games"] == len(seeds)
    faults = Counter({name: played[name] for name in ("crashes", "outages")})
    assert min(faults.values()) > 0, "nothing went wrong, so nothing was shown"


# Keen, ordinary and casual people: what they are like, and whole games of each.

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
def test_a_game_of_each_population_with_proposals_and_stewards_keep_every_promise(tmp_path):
    report = simulate(tmp_path, "--table", "swift", "--seeds", "1", "--players", "3", "--minds", "sultan")
    found = _checked(report, ["swift"], 1)
    assert found["swift", "keen"]["waits_per_round"] <= found["swift", "casual"]["waits_per_round"]
    assert all(cell["proposals_accepted"] > 0 for cell in report)
    assert any(cell["sheets_by_steward"] > 0 for cell in report)


@pytest.mark.marathon
def test_a_hundred_games_of_each_population_at_each_table_keep_every_promise(tmp_path):
    _checked(simulate(tmp_path, "--table", "--seeds", "100", "--minds", "greedy"), list(TABLES), 100)


# Stewards in virtual time: when they act, and for whom.

BASIC = {"version": "basic", "tally": "plan"}


@pytest.mark.django_db(transaction=True)
def test_stewards_are_due_when_the_last_of_those_who_are_missing_may_act(game, now):
    rows = list(game.decisions.order_by("pk"))
    for number, row in enumerate(rows, 1):
        Decision.objects.filter(pk=row.pk).update(steward_at=now + number * HOUR)
    assert first_due()["steward"] == now + len(rows) * HOUR


@pytest.mark.django_db(transaction=True)
def test_stewards_wait_for_whoever_has_none(game, now):
    first, *others = game.decisions.order_by("pk")
    assert others
    Decision.objects.filter(pk=first.pk).update(steward_at=now + HOUR)
    assert "steward" not in first_due()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("speed", "share", "has_acted"), [("swift", 0.0, True), ("daily", 1.0, True), ("daily", 0.0, False)]
)
def test_stewards_answer_where_the_pace_has_them_or_people_want_them_and_nowhere_else(speed, share, has_acted):
    habits = Habits(steward=share, steward_hours=4, answer_hours=9.0)
    table = Scenario("aladdins-dragons", 3, BASIC, speed, {"proposals": "on"}, habits, "sultan", ROUGH)
    figures = play_one(table, 1)
    assert (figures.sheets_by_steward > 0) == has_acted
    hours = {pace.steward_hours(speed) or (4 if share else None)}
    assert set(Seat.objects.filter(game=Game.objects.get()).values_list("steward_hours", flat=True)) == hours
    assert Move.objects.filter(source=Move.Source.STEWARD).exists() == has_acted
