"""The simulated world: time, people, doors, faults; and whole games in it."""

import datetime as dt
from dataclasses import replace
from random import Random

import pytest
from django.core.management import call_command
from msgspec import json

from games.forms import answers
from games.models import Game
from games.services import orders
from games.simulation import checks, planner
from games.simulation.doors import Broken, as_posted
from games.simulation.model import DOORS, ROUGH, Scenario
from games.simulation.report import summary
from games.simulation.service import Crash, _dying_at
from games.simulation.trial import Figures, play_one
from games.simulation.world import World
from notifications.clock import present
from tests.games.conftest import fresh, to_placing

BEGINS = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
CAVE = Scenario("cave-of-wonders", 2)


def test_people_act_in_the_order_of_their_times_and_nothing_happens_early():
    world, done = World(BEGINS), []
    world.at(BEGINS + 2 * HOUR, lambda: done.append("later"))
    world.at(BEGINS + HOUR, lambda: done.append("sooner"))
    world.at(BEGINS - HOUR, lambda: done.append("now"))
    world.act()
    assert done == ["now"]
    world.go_to(BEGINS + 3 * HOUR)
    world.act()
    assert done == ["now", "sooner", "later"]


def test_time_never_runs_backwards():
    world = World(BEGINS)
    world.go_to(BEGINS - HOUR)
    assert world.now == BEGINS


def test_an_action_is_posted_as_its_form_sends_it(game):
    rules = game.rules
    view = rules.view(game.load_state(), 0)
    (question,) = rules.questions(view)
    for number in range(20):
        action = rules.sample(question, Random(number))
        answer = json.decode(rules.dump_action(action))
        posted = as_posted(question.decision.id, answer)
        decoded = answers.decode(posted, question, lambda text: text.code)
        assert rules.parse(decoded.action) == action


@pytest.mark.django_db(transaction=True)
def test_a_process_dies_at_its_statement_and_leaves_nothing_half_done(anna):
    with _dying_at(1):
        Game.objects.count()
        with pytest.raises(Crash):
            Game.objects.update(failures=1)
    assert not Game.objects.filter(failures=1).exists()


@pytest.mark.django_db(transaction=True)
def test_a_gap_in_the_log_is_seen(game, now):
    checks.after_step(game, now)
    Game.objects.filter(pk=game.pk).update(seq=game.seq + 1)
    with pytest.raises(Broken):
        checks.after_step(game, now)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", ["submit", DOORS])
def test_a_rough_game_of_the_cave_comes_to_its_winner(door):
    figures = play_one(replace(CAVE, faults=ROUGH, door=door), 1)
    assert figures.days > 1
    assert figures.waits > 10
    assert figures.mails > 10, "several questions that wait may share a mail"
    assert present.now() - dt.datetime.now(dt.UTC) < HOUR


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_same_seed_gives_the_same_game_again():
    once = play_one(CAVE, 2)
    outcome = Game.objects.get().outcome
    call_command("flush", interactive=False, verbosity=0)
    assert play_one(CAVE, 2) == once
    assert Game.objects.get().outcome == outcome


@pytest.mark.django_db(transaction=True)
def test_the_rest_of_a_round_is_ordered_in_advance(game, now):
    game = to_placing(game, now)
    seat = game.seats.get(number=next(one.seat for one in game.rules.decisions(game.load_state()) if one.prompted))
    ordered = planner.placements(game, seat, "greedy", Random(1))
    tokens = [order["answers"][0]["token"] for order in ordered]
    assert len(tokens) == len(set(tokens)) > 5
    orders.give(game_id=game.pk, seat=seat.number, raw={"orders": ordered[1:]}, source="web", now=now)
    assert len(game.rules.orders(fresh(game).load_state(), seat.number).orders) == len(ordered) - 1


def test_the_report_has_medians():
    game = Figures(1, 10.0, 4, 50, 4, 400, 1, 0, 60, 0, 0)
    slow = game._replace(days=30.0, mails=1200)
    assert summary([game, game, slow])["days_median"] == 10.0
    assert summary([game, game, slow])["mails_per_player_and_day"] == 10.0
