"""While a new version is put in place, processes of the former one meet games by rules that they do not know."""

import datetime as dt
from collections.abc import Iterator

import pytest
from django.test import Client

from engine.registry import newest
from games import ticks
from games.errors import Newer
from games.models import Game, Move, User
from games.play import game_moves
from notifications.clock import present
from tests.games.conftest import fresh, open_rows, some_answer

pytestmark = pytest.mark.django_db
KNOWN = {rules.name: rules.version for rules in newest()}
LATER = dt.timedelta(days=9)


@pytest.fixture
def newer(placing: Game, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """A game that a process of the next version has opened; here it is long after its deadline, and a bot is asked."""
    placing.decisions.filter(status="open").update(is_automatic=True)
    Game.objects.filter(pk=placing.pk).update(rules_version=99, advance_at=placing.created_at)
    monkeypatch.setattr(present, "now", lambda: placing.created_at + LATER)
    return fresh(placing)


def test_a_worker_leaves_it_to_others(newer: Game) -> None:
    before = (newer.seq, newer.failures, newer.quarantined_at, newer.advance_at)
    ticks.tick()
    newer.decisions.filter(status="open").update(is_automatic=False)
    ticks.tick()
    left = fresh(newer)
    assert (left.seq, left.failures, left.quarantined_at, left.advance_at) == before
    assert not newer.decisions.filter(extensions__isnull=False).exists()


def test_an_answer_is_refused_and_the_game_is_not_broken(newer: Game, anna: User, now: dt.datetime) -> None:
    (row,) = open_rows(newer)
    Game.objects.filter(pk=newer.pk).update(rules_version=KNOWN[newer.rules_name])
    action = some_answer(fresh(newer), row)
    Game.objects.filter(pk=newer.pk).update(rules_version=99)
    facts = {"game_id": newer.pk, "seat": row.seat.number, "decision": row.code, "action": action}
    with pytest.raises(Newer):
        game_moves.submit(**facts, source=Move.Source.WEB, received_at=now)
    assert fresh(newer).quarantined_at is None
    Game.objects.filter(pk=newer.pk).update(rules_version=KNOWN[newer.rules_name])
    assert game_moves.submit(**facts, source=Move.Source.WEB, received_at=now).seq == newer.seq + 1


def test_pages_and_api_say_come_back_in_a_minute(newer: Game, anna: User, client: Client) -> None:
    client.force_login(anna)
    page = client.get(f"/table/{newer.ref}/")
    assert (page.status_code, "in a minute" in page.content.decode()) == (503, True)
    problem = client.get(f"/api/v1/games/{newer.ref}/")
    assert (problem.status_code, problem.json()["code"]) == (503, "newer")
