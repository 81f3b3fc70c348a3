"""What watches the service from outside."""

import json
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from games.models import Decision, Game, Heartbeat, Move
from games.play import locking
from games.play.deadline_rule import HEART
from games.web import metrics, site
from notifications import worker_hints
from notifications.clock import present
from notifications.models import ChannelHealth
from tests.games.conftest import answer, deliveries, open_rows

pytestmark = pytest.mark.django_db
TOKEN = "a-word-only-prometheus-knows"


@pytest.fixture(autouse=True)
def no_broker(settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(worker_hints, "queue_depths", lambda: None)


def beat(age):
    Heartbeat.objects.update_or_create(name=HEART, defaults={"beat_at": present.now() - timedelta(seconds=age)})


def scrape(client):
    response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain; version=")
    lines = [line for line in response.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_alerts_and_dashboard_ask_for_metrics_that_are_there(client, settings):
    deploy = Path(settings.BASE_DIR, "deploy")
    (group,) = yaml.safe_load((deploy / "alerts.yaml").read_text())["groups"]
    dashboard = json.loads((deploy / "dashboard.json").read_text())
    asked = [rule["expr"] for rule in group["rules"]]
    asked += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    there = {name for family in text_string_to_metric_families(response.content.decode()) for name in names_of(family)}
    wanted = {name for expr in asked for name in re.findall(r"caravanserai_\w+", expr)}
    assert wanted - there == set() and len(wanted) > 14
    table = Path(settings.BASE_DIR, "docs", "operations.md").read_text().partition("## Metrics")[2].partition("##")[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines() if row.startswith("| `")]
    alerts = {name for rule in group["rules"] for name in re.findall(r"caravanserai_(\w+)", rule["expr"])}
    for names, _what, limit in (row for row in rows if len(row) == 3 and row[2].strip(" |")):
        assert {name.removesuffix("_total") for name in re.findall(r"`([a-z_]+)", names)} & {
            re.sub("_(total|bucket)$", "", name) for name in alerts
        }, limit


def names_of(family):
    """The names of a family's samples, as queries have them."""
    kinds = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("_total",)}
    return {f"{family.name}{ending}" for ending in kinds.get(family.type, ("",))}


def test_a_process_that_lives_says_so_without_asking_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, f"ok {settings.VERSION}".encode())


def test_the_version_is_shown_by_check_the_admin_site_and_the_api(admin_client):
    said = StringIO()
    call_command("check", stdout=said)
    assert said.getvalue().startswith(f"Caravanserai {settings.VERSION}\n")
    assert f"Caravanserai {settings.VERSION}</footer>" in admin_client.get("/admin/").content.decode()
    assert admin_client.get("/api/schema/").json()["info"]["version"] == settings.VERSION


def test_it_is_ready_while_a_worker_is_at_work(client):
    beat(10)
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "parts": {"database": "ok", "tables": "ok", "worker": "ok", "mail": "ok"},
    }


@pytest.mark.parametrize("age", [91, 3600])
def test_a_worker_that_is_silent_for_a_minute_and_a_half_makes_it_red(client, age):
    beat(age)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert re.fullmatch(r"was last at work \d+ s ago", response.json()["parts"]["worker"])


def test_a_failure_of_the_mail_server_that_a_second_one_confirms_makes_it_red(client):
    beat(10)
    ChannelHealth.objects.create(channel="webhook", failures=50)
    row = ChannelHealth.objects.create(channel="mail", failures=1)
    resting = 'caravanserai_channel_resting{channel="mail"}'
    assert client.get("/readyz").status_code == 200 and not scrape(client).get(resting)
    ChannelHealth.objects.filter(pk=row.pk).update(failures=2)
    response = client.get("/readyz")
    assert response.status_code == 503 and scrape(client)[resting] == 1
    assert response.json()["parts"]["mail"] == "2 failures in a row: see the worker's log"


def test_a_database_that_takes_no_changes_makes_it_red(client):
    beat(1)
    statements = {
        "postgresql": ("SET TRANSACTION READ ONLY", "SELECT 1"),
        "sqlite": ("PRAGMA query_only = 1", "PRAGMA query_only = 0"),
    }
    with connection.cursor() as cursor:
        begin, end = statements[connection.vendor]
        cursor.execute(begin)
        response = client.get("/readyz")
        cursor.execute(end)
    assert (response.status_code, response.json()["parts"]) == (503, {"database": "is read-only"})


def test_without_any_worker_it_is_red(client):
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["parts"]["worker"] == "has never been at work"


def test_a_database_without_all_tables_makes_it_red(client, monkeypatch):
    monkeypatch.setattr(site._Tables, "_complete", False)
    monkeypatch.setattr(site.MigrationExecutor, "migration_plan", lambda self, targets: ["something"])
    beat(1)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["parts"]["tables"] == "migrations are missing"


def test_the_tables_of_this_version_are_complete(client, monkeypatch):
    monkeypatch.setattr(site._Tables, "_complete", False)
    beat(1)
    assert client.get("/readyz").status_code == 200
    assert site._Tables._complete


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}])
def test_metrics_are_for_those_who_know_the_word(client, header):
    assert client.get("/metrics", headers=header).status_code == 404


def test_without_a_word_there_are_no_metrics(client, settings):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_an_idle_service_has_metrics(client):
    beat(5)
    seen = scrape(client)
    assert seen["caravanserai_overdue_decision_seconds"] == 0
    assert seen['caravanserai_due_notice_seconds{channel="mail"}'] == 0
    assert seen['caravanserai_due_notice_seconds{channel="webhook"}'] == 0
    assert 5 <= seen['caravanserai_heartbeat_age_seconds{part="ticker"}'] < 60
    assert seen["caravanserai_broker_up"] == 0


def test_the_oldest_deadline_and_the_oldest_notice_that_are_late_are_told(client, game):
    Decision.objects.filter(game=game, status="open").update(due_at=present.now() - timedelta(seconds=300))
    seen = scrape(client)
    assert 300 <= seen["caravanserai_overdue_decision_seconds"] < 360
    assert seen['caravanserai_games{status="running"}'] == 1
    assert seen['caravanserai_deliveries_waiting{channel="mail"}'] > 0


def test_a_late_mail_does_not_make_webhooks_look_late(client, game):
    late = present.now() - timedelta(seconds=300)
    assert deliveries().filter(channel="mail", state="waiting").update(attempt_after=late)
    seen = scrape(client)
    assert 300 <= seen['caravanserai_due_notice_seconds{channel="mail"}'] < 360
    assert seen['caravanserai_due_notice_seconds{channel="webhook"}'] == 0


def test_what_became_of_the_last_deliveries_is_told_by_channel(client, game):
    deliveries().filter(pk=deliveries().filter(channel="mail").first().pk).update(state="failed")
    assert scrape(client)['caravanserai_deliveries_lately{channel="mail",state="failed"}'] == 1


def test_a_game_whose_rules_broke_is_told_and_is_not_late(client, game):
    Game.objects.filter(pk=game.pk).update(quarantined_at=present.now(), advance_at=present.now() - timedelta(days=1))
    Decision.objects.filter(game=game).update(due_at=present.now() - timedelta(days=1))
    seen = scrape(client)
    assert seen["caravanserai_games_quarantined"] == 1
    assert seen["caravanserai_overdue_boundary_seconds"] == seen["caravanserai_overdue_decision_seconds"] == 0


def test_only_moves_of_people_count_for_how_long_a_move_takes(game):
    now = present.now()
    for number, (source, seconds) in enumerate([(Move.Source.WEB, 2), (Move.Source.LINK, 1), (Move.Source.BOT, 90)]):
        Move.objects.create(
            game=game, seq=1000 + number, kind=Move.Kind.ANSWER, source=source, first_public=0, chain="",
            received_at=now - timedelta(seconds=seconds), made_at=now,
        )  # fmt: skip
    assert metrics.measure_health(now).moves[-2:] == [1, 2]
    assert 90 not in metrics.measure_health(now).moves


def test_an_answer_that_waits_for_its_game_is_made_when_it_is_stored(client, game, monkeypatch):
    received, waited = present.now(), timedelta(seconds=3)
    clock, find_row = [received], locking._locked_row

    def row_that_others_hold(pk):
        clock[0] += waited
        return find_row(pk)

    monkeypatch.setattr(locking, "_locked_row", row_that_others_hold)
    with present.going_by(lambda: clock[0]):
        move = answer(game, open_rows(game)[0], received)
    assert (move.received_at, move.made_at) == (received, received + waited)
    assert scrape(client)['caravanserai_move_seconds{quantile="0.99"}'] == 3


def test_the_number_of_queries_does_not_depend_on_how_much_there_is(client, game, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        scrape(client)
