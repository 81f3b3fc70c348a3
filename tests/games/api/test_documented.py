"""docs/api.md says what the OpenAPI description says: addresses, fields, defaults, error codes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from games.api import problems
from games.api.schema import WHY
from games.errors import ServiceError
from games.models import User
from notifications import reasons
from notifications.delivery import sending  # noqa: F401  it declares reasons, too
from tests.games.api.test_schema import parameters

GROUPS = ("Bots", "Hosts", "Your account", "What a site shows", "Moderators")
ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "api.md"
PLAIN = {"ServiceError", "Illegal"}
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
METHOD = re.compile(r"(?:(GET|POST|PUT|PATCH|DELETE) ?)?(\S*)")
KEY = re.compile(r'(?<!: )"(\w+)"(?=[:,}])')
WORD = re.compile(r"[a-z]+(?:_[a-z]+)+")
ELSEWHERE = {"bad-record", "mail-is-down", "refused", "wrong-code", "no-devices", "device-refused"}
"""Codes that no operation gives: of the worker that checks a record, and of pages."""
VALUES = {"crv_", "easy_bot", "strong_bot"}
"""Words with an underscore that are no fields."""


@pytest.fixture(scope="module")
def schema() -> Any:
    return SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]  # it has no types


@pytest.fixture(scope="module")
def page() -> str:
    return FENCED.sub("", PAGE.read_text())


def rows(page: str, heading: str) -> Iterator[list[str]]:
    """The cells of each row of the tables below a heading."""
    part = page.split(f"## {heading}\n")[1].split("\n## ", maxsplit=1)[0]
    for line in part.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def named(path: str) -> str:
    """An address without the names of its parameters."""
    return re.sub(r"\{\w+\}", "{}", path)


def operations(cell: str) -> Iterator[tuple[str, str, set[str]]]:
    """Method, address and parameters of each operation that a cell names."""
    path, method = "", "GET"
    spans = [METHOD.fullmatch(span) for span in SPAN.findall(cell)]
    addresses = [span[2] for span in spans if span and span[2]]
    for span in spans:
        assert span is not None
        method = span[1] or method
        given, _, query = (span[2] or path or addresses[0]).partition("?")
        if given.startswith(".../"):
            steps = given.removeprefix(".../")
            given = path.rstrip("/").rsplit("/", steps.count("/"))[0] + "/" + steps
        path = given
        yield method, path, set(re.findall(r"(\w+)=", query))


def fields(schema: Any, part: Any) -> set[str]:
    """The names of all fields of a part of the description, with those it refers to."""
    if isinstance(part, list):
        return set().union(*(fields(schema, one) for one in part))
    if not isinstance(part, dict):
        return set()
    if "$ref" in part:
        kind, name = part["$ref"].split("/")[-2:]
        return fields(schema, schema["components"][kind][name])
    inner = [value for key, value in part.items() if key not in ("example", "examples")]
    return set(part.get("properties", {})) | set().union(set(), *(fields(schema, one) for one in inner))


def test_every_address_and_field_of_the_tables_is_described(schema: Any, page: str) -> None:
    described = {named(path): methods for path, methods in schema["paths"].items()}
    wrong: list[Any] = []
    for cells in (cells for group in GROUPS for cells in rows(page, group)):
        known: set[str] = set()
        for method, path, query in operations(cells[0]):
            one = described.get(named("/api/v1/" + path), {}).get(method.lower())
            if one is None:
                wrong.append((method, path))
                continue
            names = {parameter["name"] for parameter in parameters(schema, one)}
            known |= names | fields(schema, [one.get("requestBody"), one["responses"]])
            if query - names:
                wrong.append((method, path, query - names))
        written = {key for cell in cells for span in SPAN.findall(cell) if "{" in span for key in KEY.findall(span)}
        if written - known:
            wrong.append((cells[0], written - known))
    assert wrong == []


def test_every_operation_is_in_the_tables(schema: Any, page: str) -> None:
    written = set()
    for cells in (cells for group in GROUPS for cells in rows(page, group)):
        for method, path, _query in operations(cells[0]):
            written.add((method, named("/api/v1/" + path)))
    described = {(method.upper(), named(path)) for path, methods in schema["paths"].items() for method in methods}
    elsewhere = {("GET", "/api/v1/games/{}/events/"), ("GET", "/api/v1/me/export/")}
    assert described - written == elsewhere


def test_what_a_host_may_choose_has_the_defaults_that_are_written(schema: Any, page: str) -> None:
    body = schema["components"]["schemas"]["TableBody"]["properties"]
    written = {SPAN.findall(cells[0])[0]: cells[1] for cells in rows(page, "Hosting a table")}
    assert set(written) | {"rules", "seat_count", "options"} == set(body)
    for name, cell in written.items():
        default = body[name].get("default", [])
        if default != "":
            shown = str(default).lower() if isinstance(default, bool) else str(default)
            assert cell.strip("`") == shown, name


def test_every_field_in_the_text_is_described(schema: Any, page: str) -> None:
    known = fields(schema, [schema["paths"], schema.get("webhooks")])
    written = {span for span in SPAN.findall(page) if WORD.fullmatch(span)}
    assert written - known - VALUES - set(reasons.declared()) == set()


def refusals() -> Iterator[tuple[str, ast.Call]]:
    """Every refusal that a service raises with the two plain classes, and where."""
    for path in sorted((ROOT / "games").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())) if "web" not in path.parts else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLAIN:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def code_of(call: ast.Call) -> str:
    return next((str(one.value.value) for one in call.keywords if one.arg == "code"), "")  # type: ignore[attr-defined]  # texts


def test_every_refusal_has_a_code_of_its_own() -> None:
    """But for what the rules of a game forbid, which is `illegal-action`."""
    plain = {where.partition(":")[0] for where, call in refusals() if not code_of(call)}
    assert plain == {"games/play/game_moves.py", "games/play/standing_orders.py"}


def test_every_error_code_is_in_the_table(page: str) -> None:
    written = {code for cells in rows(page, "Errors") for code in SPAN.findall(cells[1])}
    written |= {
        code
        for line in page.split("| Status |")[1].splitlines()
        if line.startswith("| ")
        for code in SPAN.findall(line.split("|")[2])
    }
    used = {*problems.CODES.values(), "invalid", "broken", "unavailable"}
    used |= {error.code for error in descendants(ServiceError) if not error.__module__.startswith("games.web")}
    used |= {code for _where, call in refusals() if (code := code_of(call))}
    assert written ^ (used - ELSEWHERE) == set()
    assert {
        int(status)
        for line in page.split("| Status |")[1].splitlines()
        if line.startswith("| ")
        for status in re.findall(r"\d+", line.split("|")[1])
    } >= set(WHY)


def descendants(kind: type[ServiceError]) -> Iterator[type[ServiceError]]:
    """The class and all below it."""
    yield kind
    for one in kind.__subclasses__():
        yield from descendants(one)


def test_every_reason_is_described_in_the_words_that_people_read(schema: Any) -> None:
    described = schema["components"]["schemas"]["ReasonCode"]["anyOf"]
    known = {one["const"]: one["description"] for one in described if one.get("const")}
    assert known == reasons.declared()


# Everything that the pages do, a program can do

ACTS = {
    "act": "answer_decision", "table_act": "answer_decision", "begin_lesson": "begin_lesson", "play_now": "open_table",
    "play_on": "play_on",
    "new_table": "open_table save_preset", "join": "join_table", "invitation": "accept_invitation decline_invitation",
    "new_tournament": "open_tournament", "enter_tournament": "enter_tournament", "leave_tournament": "leave_tournament",
    "enter_bot": "enter_bot", "start_tournament": "start_tournament", "end_round": "end_round",
    "call_off_tournament": "call_off_tournament", "report_tournament": "report_tournament",
    "remove_entrant": "remove_entrant", "add_order": "give_orders",
    "change_order": "give_orders", "verify": "verify_game", "remove_import": "remove_imported",
    "import_game": "import_record", "play_again": "play_again", "review": "request_review", "say": "say",
    "hide_comment": "hide_comment",
    "note": "keep_note", "take_back": "take_back", "resign": "resign",
    "end": "end_game", "care": "extend_deadlines nudge replace_player report offer_host_role",
    "take_host_role": "take_host_role", "withdraw_host_offer": "withdraw_host_role",
    "pause": "wish_pause take_back_pause", "steward": "choose_steward", "agree_end": "wish_end take_back_end",
    "hour": "agree_on_hour decline_hour",
    "seek_successor": "seek_successor keep_seat", "wish_for_absent": "wish_for_absent",
    "talk_read": "mark_talk_read",
    "come_back": "come_back", "take_seat": "take_seat",
    "invite": "invite", "withdraw_invitation": "withdraw_invitation",
    "add_bot": "seat_bot", "remove_seat": "remove_from_seat", "start": "start_game", "close_table": "close_table",
    "leave_table": "leave_table", "answer_friend": "accept_friend decline_friend end_friendship",
    "ask_friend": "ask_friend", "block_player": "block_player", "block_author": "block_author",
    "blocked": "unblock_player", "found_club": "found_club",
    "act_on_club": "change_club close_club leave_club invite_to_club remove_member hand_over_club report_club",
    "join_club": "join_club", "club_invitation": "join_club", "change_table": "change_settings",
    "agree_settings": "agree_settings", "agreement": "agree_settings", "rename_preset": "rename_preset",
    "delete_preset": "delete_preset", "back": "come_back",
    "agree_to_hour": "agree_on_hour decline_hour", "friend_request": "accept_friend decline_friend",
    "host_offer": "accept_host_role decline_host_role", "mails": "change_mail change_table_mail",
    "table_mail": "change_table_mail snooze_table",
    "mail_settings": "change_mail snooze_mail send_test_mail reopen_address renew_calendar", "settings": "change_me",
    "change_hours": "change_hours", "change_zone": "change_hours", "plan_vacation": "plan_vacation",
    "end_vacation": "end_vacation", "change_address": "change_address", "webhooks": "make_webhook",
    "webhook_page": "change_webhook remove_webhook renew_webhook_secret switch_webhook ping_webhook send_webhook_again",
    "table_webhooks": "make_table_webhook", "club_webhooks": "make_club_webhook",
    "tournament_webhooks": "make_tournament_webhook", "bots": "make_bot",
    "new_match": "open_match", "match": "call_off_match",
    "bot": "change_bot change_bot_takes close_bot switch_bot renew_bot_token revoke_bot_token",
    "take_copy": "export_me",
    **dict.fromkeys(("one_puzzle", "mailed_puzzle"), "solve_puzzle"), "puzzle_mails": "change_mail",
}  # fmt: skip
"""By address of a page that takes something: the operations that do the same."""
FOR_PAGES = {
    **dict.fromkeys(
        ("second_factor", "sign_in_link", "sign_in_again", "signed_in", "not_me", "invitation_as_me",
         "club_invitation_as_me", "tokens", "confirm_address", "confirm_reply"),
        "who somebody is, is shown in a browser or by a link in an email"),
    **dict.fromkeys(("push_devices", "push_device"), "a device belongs to a browser"),
    **dict.fromkeys(("leave", "stay"), "an account is deleted by its owner in person"),
    **dict.fromkeys(
        ("table_feed", "tournament_feed", "archive_feed", "sitemap"),
        "it is read, whatever the method"),
    **dict.fromkeys(("appeal", "puzzle_mail"), "the link is in the email about it"),
    "film": "it is watched",
    "hear_bots": "a program is told nothing by the bots' characters",
}  # fmt: skip


def test_everything_that_the_pages_do_a_program_can_do(schema: Any, client: Client, anna: User) -> None:
    from games.urls import urlpatterns

    client.force_login(anna)
    taking = set()
    for pattern in urlpatterns:
        if (name := getattr(pattern, "name", None)) is not None:
            words = {"slug": "x", "int": 1, "str": "x", "path": "x", "uuid": "x"}
            kinds = re.findall(r"<(\w+):(\w+)>", str(pattern.pattern))
            answer = client.post(reverse(name, kwargs={variable: words[kind] for kind, variable in kinds}))
            taking |= {name} if answer.status_code != 405 else set()
    known = {one["operationId"] for methods in schema["paths"].values() for one in methods.values()}
    assert sorted(taking - set(ACTS) - set(FOR_PAGES)) == [], "which operation does it?"
    assert {name for names in ACTS.values() for name in names.split()} - known == set()
    assert (set(ACTS) | set(FOR_PAGES)) - taking == set(), "these take nothing"
