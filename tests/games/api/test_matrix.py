"""Who is told what: every address of the API has a row here, with who may read it and the exact fields he is given.

A new address without a row fails, and so does a field that nobody has allowed. What is inside a view is the matter of
`test_secrecy` and of the rules' own tests: here it must be exactly what the rules show this seat.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from msgspec import to_builtins

from games.api import urls
from games.models import Comment, Game, ModerationEntry, Move, User
from games.people import staff
from games.play import absences, table_talk
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.api.matrix import CHANGES, ELSEWHERE, READS, Read
from tests.games.api.rows import ALL
from tests.games.conftest import fresh, make_user, open_rows, running, seat_of, to_placing

pytestmark = pytest.mark.slow
VIEWERS = ("player", "opponent", "staff", "spectator", "former", "foreign", "anonymous")
SCOPES = ("play", "account", "moderate")
OF_PEOPLE = {"api_read_player", "api_read_person"}
NAMES = {"player": "Anna", "opponent": "Ben", "staff": "eva"}
OPAQUE = {"view", "event", "options", "value", "bars", "params"}  # of the rules, or of any form


@dataclass
class Table:
    """A game and everybody who may ask about it: Anna plays and hosts, Ben has taken over Carla's seat, Eva plays and
    is a moderator, David watches, Fay has nothing to do with it."""

    game: Game
    programs: dict[str, Program | None] = field(default_factory=dict)

    def ask(self, viewer: str, method: str, path: str, body: Any = None) -> Any:
        """What a viewer gets for it. Only the spectator's game may be watched."""
        Game.objects.filter(pk=self.game.pk).update(is_watchable=viewer in ("spectator", "anonymous"))
        program = self.programs[viewer]
        headers = program.headers if program else {}
        send = getattr(Client(), method.lower())
        data = {} if method == "GET" else {"data": body or {}, "content_type": "application/json"}
        return send(path, headers=headers, **data)


@pytest.fixture
def table(anna: User, ben: User, carla: User, david: User, now: dt.datetime) -> Iterator[Table]:
    with present.going_by(lambda: now):
        eva = staff.make_moderator("eva@example.org")
        game = to_placing(running(anna, [carla, eva], now), now)
        chair = seat_of(game, carla)
        chair.game, chair.user = game, carla
        absences.leave(chair, now)
        absences.hand_over(chair, ben, now)
        table_talk.say(game_id=game.pk, user=anna, text="Hello", now=now)
        people = {"player": anna, "opponent": ben, "staff": eva, "spectator": david, "former": carla}
        programs = {name: Program.with_scopes(user, *SCOPES) for name, user in people.items()}
        programs["foreign"] = Program.with_scopes(make_user("Fay"), *SCOPES)
        yield Table(fresh(game), {**programs, "anonymous": None})


def address(name: str, game: Game) -> str:
    """The address of that name, with references that are there."""
    seat = game.seats.get(user__email="ben@example.org")
    known: dict[str, Any] = {
        "ref": game.ref, "code": open_rows(game)[0].code, "number": seat.number,
        "comment_ref": Comment.objects.get().ref,
        "invitation_ref": "nothing12345", "player_ref": "nobody", "entrant_ref": "nobody",
        "name": "aladdins-dragons", "rules": "aladdins-dragons", "message_id": "msg_none",
        "token": "a" * 26,
    }  # fmt: skip
    pattern = next(one for one in urls.urlpatterns if getattr(one, "name", None) == name)
    wanted = list(pattern.pattern.converters)
    if name in OF_PEOPLE:
        known["ref"] = User.objects.get(email="ben@example.org").ref
    return reverse(name, kwargs={one: known[one] for one in wanted})


def methods() -> set[tuple[str, str]]:
    """Every method of every address, by name."""
    found = set()
    for pattern in urls.urlpatterns:
        view = getattr(pattern.callback, "view_class", getattr(pattern.callback, "cls", None))
        if getattr(pattern, "name", None) and pattern.name not in ("api_schema", "api_docs"):
            found |= {
                (one.upper(), pattern.name) for one in ("get", "post", "put", "patch", "delete") if hasattr(view, one)
            }
    return found


def paths(data: Any, prefix: str = "") -> set[str]:
    """Every field of an answer: `seats.name` for each of a list's; opaque ones are not looked into."""
    match data:
        case dict():
            found: set[str] = set()
            for name, inner in data.items():
                path = f"{prefix}.{name}" if prefix else name
                found |= {path} if name in OPAQUE else {path} | paths(inner, path)
            return found
        case list():
            return set().union(*(paths(one, prefix) for one in data)) if data else set()
    return set()


def test_every_address_has_a_row() -> None:
    rows = {("GET", name) for name in (*READS, *ELSEWHERE)} | set(CHANGES)
    assert methods() - rows == set(), "who may do that, and what is he told?"
    assert rows - methods() == set(), "these are gone"


def test_no_field_is_described_that_nobody_has_allowed() -> None:
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]  # it has no types
    named = {one.name: re.sub(r"<\w+:(\w+)>", r"{\1}", str(one.pattern)) for one in urls.urlpatterns if one.name}
    wrong = {}
    for name, row in READS.items():
        answer = schema["paths"][f"/api/{named[name]}"]["get"]["responses"]["200"]["content"]["application/json"]
        described = fields_of(answer["schema"], schema["components"]["schemas"])
        if described != set(row.fields.split()):
            wrong[name] = sorted(described ^ set(row.fields.split()))
    assert wrong == {}


def fields_of(schema: Any, known: dict[str, Any], prefix: str = "") -> set[str]:
    """`paths` of everything that has this form."""
    if "$ref" in schema:
        return fields_of(known[schema["$ref"].rsplit("/", 1)[-1]], known, prefix)
    for word in ("allOf", "oneOf", "anyOf", "items"):
        if word in schema:
            inner = schema[word]
            return fields_of(inner[0] if isinstance(inner, list) else inner, known, prefix)
    found: set[str] = set()
    for name, inner in schema.get("properties", {}).items():
        path = f"{prefix}.{name}" if prefix else name
        found |= {path} if name in OPAQUE else {path} | fields_of(inner, known, path)
    return found


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everybody_reads_what_is_his_and_no_more(table: Table, viewer: str) -> None:
    wrong = {}
    for name, row in READS.items():
        response = table.ask(viewer, "GET", address(name, table.game) + row.query)
        if response.status_code != expected(row, viewer):
            wrong[name] = response.status_code
        elif response.status_code == 200 and (extra := paths(response.json()) - set(row.fields.split())):
            wrong[name] = sorted(extra)
    assert wrong == {}


def expected(row: Read, viewer: str) -> int:
    """The status for a viewer."""
    if row.is_public:
        return row.status if viewer in row.viewers or row.viewers == ALL else row.refusal
    if viewer == "anonymous":
        return 401
    return row.status if viewer in row.viewers else row.refusal


def test_asking_for_the_head_alone_needs_what_reading_needs(table: Table, anna: User) -> None:
    reader = Program.with_scopes(anna, "read")
    for name, row in READS.items():
        path = address(name, table.game) + row.query
        read, asked = (getattr(Client(), verb)(path, headers=reader.headers).status_code for verb in ("get", "head"))
        assert asked == read, name


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_changes_what_is_not_his(table: Table, viewer: str) -> None:
    before = everything(table.game)
    wrong = {}
    for (method, name), row in CHANGES.items():
        if viewer in row.viewers:
            continue
        response = table.ask(viewer, method, address(name, table.game) + row.query, row.body)
        wanted = 401 if viewer == "anonymous" else row.refusal
        if response.status_code != wanted:
            wrong[method, name] = response.status_code
    assert wrong == {}
    assert everything(table.game) == before


WISHES = ("wants_pause", "wants_end", "agrees_to_hour", "absent_wish", "seeks_successor")


def everything(game: Game) -> tuple[object, ...]:
    """All that a change could change about a table."""
    row = fresh(game)
    seats = list(row.seats.order_by("number").values_list("user", "status", *WISHES, "name"))
    counts = (ModerationEntry.objects.count(), Comment.objects.count(), Move.objects.count(), Game.objects.count())
    return row.state, row.status, row.seq, seats, counts


def test_the_fields_that_belong_to_one_seat_are_told_to_that_seat(table: Table) -> None:
    path = address("api_read_game", table.game)
    for viewer in ("player", "opponent", "staff", "spectator"):
        shown = table.ask(viewer, "GET", path).json()
        mine = table.game.seats.filter(user__name=NAMES.get(viewer, "")).first()
        assert shown["seat"] == (mine.number if mine else None)
        rules = table.game.rules
        view = rules.view(fresh(table.game).load_state(), mine.number if mine else None)
        assert shown["view"] == to_builtins(view)
        assert shown["fairness"] == {
            "commitment": table.game.commitment, "server_seed": None, "entropies": None, "chain": None,
        }  # fmt: skip
