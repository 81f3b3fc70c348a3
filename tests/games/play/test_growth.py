"""Nothing grows with what it should not depend on: counts of statements and of moves read, never times."""

import datetime as dt
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.rules import OpenDecision
from games import ticks
from games.admin import desk, play
from games.api.game_shapes import log_behind
from games.archive import ratings
from games.lobby import lifecycle
from games.models import Decision, Game, Move, User
from games.play import (
    automatic_answers,
    deadlines,
    decision_links,
    game_moves,
    history,
    locking,
    pauses,
    queries,
    standing_orders,
)
from games.privacy import retention
from games.tables.settings import TablePlan
from games.web.play import page_etag
from notifications.delivery.sending import deliver
from notifications.inbound.receiving import handle_one
from tests.games.conftest import answer, fresh, open_rows, running, some_answer

LONG = 400
"""Moves by which a log is made longer: more than any page or letter shows."""

ON_THE_PAGE = 16
"""Statements for a table's page."""

FOR_A_MOVE = 9
"""Statements for an answer after which the next seat is asked, its savepoint included; the bare transaction has 6."""


class Cost:
    """What was done while it was counted: the statements, and how many moves were read."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.moves = 0

    def read_a_move(self, instance: Move, **_: object) -> None:
        """Django made an object of a row."""
        self.moves += instance.pk is not None


@contextmanager
def counting() -> Iterator[Cost]:
    """Counts what happens in the block."""
    cost = Cost()

    post_init.connect(cost.read_a_move, sender=Move)
    try:
        with CaptureQueriesContext(connection) as captured:
            yield cost
    finally:
        post_init.disconnect(cost.read_a_move, sender=Move)
    cost.statements = [entry["sql"] for entry in captured.captured_queries]


def cost_of(do: Callable[[], object]) -> tuple[int, int]:
    """Statements and moves read."""
    with counting() as cost:
        do()
    return len(cost.statements), cost.moves


def lengthen(game: Game, moves: int = LONG) -> None:
    """Adds copies of the last answer to the log, each with one line in it."""
    last, game, rules = game.moves.filter(kind=Move.Kind.ANSWER).latest("seq"), fresh(game), game.rules
    said = next(event for event in rules.load_events(last.events.encode()) if rules.redact(event, None) is not None)
    copies = [
        Move(
            game=game,
            seq=game.seq + number,
            kind=last.kind,
            seat=last.seat,
            decision=f"copy-{number}",
            action=last.action,
            events=rules.dump_events([said]).decode(),
            first_public=game.public_events + number,
            source=last.source,
            actor=last.actor,
            received_at=last.received_at,
            chain=last.chain,
        )
        for number in range(1, moves + 1)
    ]
    Move.objects.bulk_create(copies)
    Game.objects.filter(pk=game.pk).update(seq=game.seq + moves, public_events=game.public_events + moves)


def answer_next(game: Game, now: dt.datetime) -> tuple[int, int]:
    """What it costs to take the next answer."""
    row = open_rows(game)[0]
    action = some_answer(fresh(game), row)
    details = {"source": Move.Source.WEB, "actor": row.seat.user, "received_at": now, "due_at": row.due_at}
    return cost_of(
        lambda: game_moves.submit(
            game_id=game.pk,
            seat=row.seat.number,
            decision=row.code,
            action=action,
            idempotency_key=row.ref,
            **details,  # type: ignore[arg-type]
        )
    )


def test_an_answer_reads_no_move_and_costs_the_same_after_a_short_and_a_long_log(
    placing: Game, now: dt.datetime
) -> None:
    early = answer_next(placing, now)
    lengthen(placing)
    late = answer_next(placing, now)
    assert late == early == (late[0], 0)
    assert late[0] == FOR_A_MOVE


def ask_before(game: Game) -> None:
    """The game has asked its first player the same many times."""
    asked = {field.attname: getattr(open_rows(game)[0], field.attname) for field in Decision._meta.concrete_fields}
    kept = {name: value for name, value in asked.items() if name not in ("id", "ref")}
    old = {"status": Decision.Status.ANSWERED, "due_at": None, "remind_at": None}
    Decision.objects.bulk_create(Decision(**kept | old | {"code": f"old-{number}"}) for number in range(LONG))
    made = {field.attname: getattr(game.moves.last(), field.attname) for field in Move._meta.concrete_fields}
    kept = {name: value for name, value in made.items() if name not in ("id", "actor_id", "seq")}
    others = game.seats.exclude(user__name="Anna").values_list("user", flat=True)
    Move.objects.bulk_create(
        Move(**kept, seq=1000 + number, actor_id=others[number % len(others)]) for number in range(LONG)
    )
    with connection.cursor() as cursor:  # else PostgreSQL knows of no rows and finds all indexes the same
        cursor.execute("ANALYZE games_decision")
        cursor.execute("ANALYZE games_move")


def test_what_was_asked_before_is_not_looked_at_when_a_game_is_locked(placing: Game) -> None:
    ask_before(placing)
    with CaptureQueriesContext(connection) as captured, locking.locked(placing.pk):
        pass
    (asked,) = [entry["sql"] for entry in captured.captured_queries if "games_decision" in entry["sql"]]
    assert "decision_open" in plan_of(asked)


BY_CODE = {
    "sqlite": r"games_decision_2 \(game_id=\? AND code=\?\)",
    "postgresql": r"asked_once on .*\n.*Index Cond: .*code",
}


def test_what_was_asked_before_is_not_looked_at_by_an_open_page(placing: Game, anna: User) -> None:
    ask_before(placing)
    with CaptureQueriesContext(connection) as captured:
        page_etag.compute_page_etag(anna, placing.ref)
    (watched,) = [entry["sql"] for entry in captured.captured_queries]
    plan = plan_of(watched)
    assert "decision_open" in plan
    assert re.search(BY_CODE[connection.vendor], plan), plan
    assert "move_of_actor" in plan


def test_taking_a_table_on_costs_the_same_however_many_are_asked(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    def to_the_first_placements(guests: list[User]) -> tuple[int, int]:
        options = {"version": "magic", "placing": "waves"}
        game = running(anna, guests, now, seat_count=len(guests) + 1, options=options)
        for row in open_rows(game):
            answer(game, row, now)
        cost = cost_of(lambda: game_moves.advance_one(now))
        assert len(open_rows(game)) == len(guests) + 1
        return cost

    assert to_the_first_placements([ben, carla]) == to_the_first_placements([ben, carla, david])


def test_an_answer_lets_the_rules_work_once_and_replays_nothing(
    placing: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengthen(placing)
    applied = []
    apply = OpenDecision.apply
    monkeypatch.setattr(OpenDecision, "apply", lambda *args, **how: applied.append(1) or apply(*args, **how))
    answer_next(placing, now)
    assert len(applied) == 1


def test_a_table_costs_its_page_the_same_however_long_its_log_is(placing: Game, anna: User, client: Client) -> None:
    client.force_login(anna)

    def look() -> None:
        assert client.get(reverse("table", args=[placing.ref])).status_code == 200

    look()  # the session knows its place
    lengthen(placing)
    early = cost_of(look)
    lengthen(placing)
    assert cost_of(look) == early
    assert early[0] <= ON_THE_PAGE


def test_the_page_behind_a_link_costs_the_same_however_long_the_log_is(
    placing: Game, now: dt.datetime, client: Client
) -> None:
    for _ in range(3):  # everybody has answered since the treasures
        answer_next(placing, now)
    address = decision_links.act_url(open_rows(placing)[0])

    def look() -> None:
        assert client.get(address).status_code == 200

    early = cost_of(look)
    older = placing.moves.order_by("seq").first()
    assert older is not None
    assert early[1] < placing.moves.count()
    assert cost_of(look) == early


def test_a_program_that_follows_the_log_reads_what_is_new(placing: Game) -> None:
    def follow() -> list[history.LogLine]:
        return list(log_behind(queries.Access(fresh(placing), None), fresh(placing).public_events - 3))

    lengthen(placing)
    assert len({line.number for line in follow()}) == 3
    early = cost_of(follow)
    lengthen(placing)
    assert cost_of(follow) == early
    assert early[1] == 3 + 1  # and the move in which the last known line stands


@pytest.mark.parametrize("page", ["home", "my_games", "lobby", "told", "settings"])
def test_a_list_has_as_many_statements_for_many_games_as_for_one(
    page: str, anna: User, ben: User, carla: User, client: Client, now: dt.datetime
) -> None:
    client.force_login(anna)

    def look() -> None:
        assert client.get(reverse(page)).status_code == 200

    def more() -> None:
        running(anna, [ben, carla], now, is_listed=True)
        lifecycle.open_table(
            host=ben,
            plan=TablePlan(title="Free", rules_name="cave-of-wonders", seat_count=3, is_listed=True),
            now=now,
        )

    more()
    look()
    one = cost_of(look)
    for _ in range(3):
        more()
    assert cost_of(look) == one


STEPS = {
    "game_to_advance": game_moves.advance_one,
    "decision_automatic": automatic_answers.answer_one,
    "decision_overdue": deadlines.expire_one,
    "decision_to_remind": deadlines.remind_one,
    "pause_to_end": pauses.end_one,
    "order_to_end": standing_orders.end_one,
    "table_to_expire": lifecycle.expire_one,
    "game_to_rate": ratings.rate_one,
    "inbound_waiting": handle_one,
    "delivery_due": deliver,
}
"""What a tick looks for, by the index that leads there: whatever is not due is not looked at."""


@pytest.mark.parametrize("index", STEPS)
@pytest.mark.django_db(transaction=True)
def test_a_tick_finds_what_is_due_by_an_index_of_that_alone(index: str, now: dt.datetime) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert not STEPS[index](now)
    selects = [entry["sql"] for entry in captured.captured_queries if entry["sql"].startswith("SELECT")]
    assert any(index in plan_of(statement) for statement in selects[:3]), (
        "first come new notices, and the channels that rest, if any"
    )


@pytest.mark.django_db(transaction=True)
def test_the_nightly_pass_begins_with_what_is_not_known_to_stay(anna: User, now: dt.datetime) -> None:
    with CaptureQueriesContext(connection) as captured:
        retention.clear_some(now)
    selects = [entry["sql"] for entry in captured.captured_queries if entry["sql"].startswith("SELECT")]
    plans = [plan_of(statement) for statement in selects if "SKIP LOCKED" not in statement]
    for index in ("user_not_kept", "recipient_not_kept", "folded_to_clear"):
        assert any(index in plan for plan in plans), index


def test_moderators_see_what_is_open_without_a_look_at_what_was_asked_before(placing: Game, now: dt.datetime) -> None:
    ask_before(placing)
    with CaptureQueriesContext(connection) as captured:
        desk.figures(now)
        assert play.asked_now(play.with_asked(Game.objects.all()).get())
    statements = [entry["sql"] for entry in captured.captured_queries if "games_decision" in entry["sql"]]
    assert len(statements) == 2
    for statement in statements:
        assert "decision_open" in plan_of(statement)


def test_a_leaderboard_reads_one_page(anna: User, client: Client) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(reverse("ranking", args=["cave-of-wonders"])).status_code == 200
    assert [entry["sql"] for entry in captured.captured_queries if entry["sql"].endswith(" LIMIT 101")]
    assert not [
        entry["sql"] for entry in captured.captured_queries if "COUNT" in entry["sql"] and "points" in entry["sql"]
    ]


DEAR = ("enable_seqscan", "enable_sort", "enable_bitmapscan")
"""What costs most where there are many rows; PostgreSQL takes it for cheap as long as the tables are empty."""


def plan_of(statement: str) -> str:
    """How the database would do it if the tables were large."""
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute("EXPLAIN QUERY PLAN " + statement)
            return "\n".join(str(row[-1]) for row in cursor.fetchall())
        for dear in DEAR:
            cursor.execute(f"SET {dear} = off")
        cursor.execute("EXPLAIN " + statement)
        plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
        for dear in DEAR:
            cursor.execute(f"RESET {dear}")
    return plan


def test_a_tick_with_nothing_due_asks_the_same_whatever_there_is(
    anna: User, ben: User, carla: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = dt.datetime.now(dt.UTC)
    monkeypatch.setattr(ticks, "deliver_due", lambda: None)  # what was owed before is due
    running(anna, [ben, carla], now)
    ticks.tick()
    one = cost_of(ticks.tick)
    assert one == (25, 0), "one for each of its parts, outside any transaction"
    for _ in range(3):
        running(anna, [ben, carla], now)
    assert cost_of(ticks.tick) == one
