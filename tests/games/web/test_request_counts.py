"""How many requests were answered and how: counted in each web process, told by all of them."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError
from django.test import Client

from config import web_server
from games.models import RequestCount
from games.web import archive, metrics, request_counts
from notifications.clock import present

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[Any, Any]]:
    monkeypatch.setattr(request_counts, "_counted", {})
    return request_counts._counted


def told() -> dict[tuple[str, int], int]:
    return {(row.area, row.status): row.count for row in RequestCount.objects.all()}


def test_answers_are_counted_by_area_and_status_whatever_was_done_there(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise OperationalError("away")

    for path in ("/", "/rules/", "/rules/aladdins-dragons/", "/api/v1/me/", "/nowhere/", "/admin/", "/table/x/orders/"):
        client.get(path)
    monkeypatch.setattr(archive, "render", away)
    client.raise_request_exception = False
    client.get("/archive/")
    request_counts.store_request_counts()
    assert told() == {
        ("home", 200): 1,
        ("rules", 200): 2,
        ("api", 401): 1,
        ("none", 404): 1,
        ("admin", 302): 1,
        ("table", 302): 1,
        ("archive", 503): 1,
    }


def test_all_processes_add_to_the_same_numbers() -> None:
    for _process in range(2):
        request_counts.count_request("act", 200, 0.05)
        request_counts.count_request("act", 200, 2.0)
        request_counts.store_request_counts()
    row = RequestCount.objects.get()
    assert (row.count, row.within_100_ms, row.within_1_s, row.within_5_s) == (4, 2, 2, 4)
    assert row.seconds == pytest.approx(4.1)


def test_nothing_is_lost_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(**_: object) -> None:
        raise DatabaseError("away")

    request_counts.count_request("act", 503, 4.0)
    with monkeypatch.context() as outage:
        outage.setattr(RequestCount.objects, "get_or_create", away)
        with pytest.raises(DatabaseError):
            request_counts.store_request_counts()
    request_counts.count_request("act", 503, 4.0)
    request_counts.store_request_counts()
    assert told() == {("act", 503): 2}


@pytest.mark.django_db(transaction=True)
def test_a_web_process_writes_down_what_it_has_counted_with_its_heartbeat() -> None:
    request_counts.count_request("act", 200, 0.01)
    assert web_server.beat_once()
    assert told() == {("act", 200): 1}


def test_prometheus_reads_them_as_a_counter_and_a_histogram() -> None:
    request_counts.count_request("api", 500, 0.5)
    request_counts.store_request_counts()
    lines = metrics.render_metrics(present.now()).decode().splitlines()
    label = 'area="api",{}status="500"'
    assert f"caravanserai_requests_total{{{label.format('')}}} 1.0" in lines
    for bound, number in (("0.1", 0), ("1.0", 1), ("5.0", 1), ("+Inf", 1)):
        assert f'caravanserai_request_seconds_bucket{{area="api",le="{bound}",status="500"}} {number}.0' in lines
    assert 'caravanserai_request_seconds_sum{area="api",status="500"} 0.5' in lines


def test_what_was_counted_last_is_written_down_as_the_process_ends(monkeypatch):
    written = threading.Event()
    monkeypatch.setattr(web_server, "beat_once", written.set)
    web_server.worker_exit(None, None)
    assert written.is_set()


def test_a_process_ends_though_the_database_does_not_answer(monkeypatch):
    monkeypatch.setattr(web_server, "LAST_SECONDS", 0.01)
    answered = threading.Event()
    monkeypatch.setattr(web_server, "beat_once", answered.wait)
    web_server.worker_exit(None, None)
    assert not answered.is_set()
    answered.set()
