"""What somebody may do to a record so that the game looks otherwise, and by which code it is told."""

import json
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from typing import Any

Data = dict[str, Any]
Tamper = Callable[[Data], object]


def _first(data: Data, **facts: Any) -> Data:
    """The first move with these facts."""
    return next(move for move in data["moves"] if all(move.get(name) == value for name, value in facts.items()))


def _another_seed(data: Data) -> None:
    data["server_seed"] = "1" * 64


def _another_seed_with_its_commitment(data: Data) -> None:
    _another_seed(data)
    data["commitment"] = sha256(bytes.fromhex(data["server_seed"])).hexdigest()


def _another_commitment(data: Data) -> None:
    data["commitment"] = "2" * 64


def _another_entropy(data: Data) -> None:
    data["seats"][0]["entropy"] = "my lucky words"


def _changed_answer(data: Data) -> None:
    first, second = [move for move in data["moves"] if move["kind"] == "answer" and move["by"] == "player"][:2]
    first["action"], second["action"] = second["action"], first["action"]
    if first["action"] == second["action"]:
        first["action"] = {"type": "nothing"}


def _impossible_answer(data: Data) -> None:
    _first(data, kind="answer")["action"] = {"type": "win"}


def _swapped_moves(data: Data) -> None:
    moves = data["moves"]
    moves[3], moves[4] = moves[4] | {"number": 4}, moves[3] | {"number": 5}


def _removed_move(data: Data) -> None:
    del data["moves"][5]


def _removed_and_renumbered(data: Data) -> None:
    del data["moves"][5]
    for number, move in enumerate(data["moves"], start=1):
        move["number"] = number


def _added_move(data: Data) -> None:
    data["moves"].append(deepcopy(data["moves"][-1]) | {"number": len(data["moves"]) + 1})


def _cut_end(data: Data) -> None:
    del data["moves"][-1]


def _another_winner(data: Data) -> None:
    data["outcome"]["winners"] = [(data["outcome"]["winners"][0] + 1) % len(data["seats"])]


def _another_score(data: Data) -> None:
    data["outcome"]["scores"][0] += 5


def _another_event(data: Data) -> None:
    data["moves"][0]["events"][0]["type"] = "Shuffled"


def _dropped_event(data: Data) -> None:
    next(move for move in data["moves"] if move.get("events"))["events"].pop()


def _another_state(data: Data) -> None:
    data["moves"][7]["chain"] = "3" * 64


def _another_position(data: Data) -> None:
    data["moves"][7]["position"] = "3" * 64


def _another_seat(data: Data) -> None:
    move = _first(data, kind="answer")
    move["seat"] = (move["seat"] + 1) % len(data["seats"])


def _no_such_seat(data: Data) -> None:
    _first(data, kind="answer")["seat"] = 9


def _swapped_seats(data: Data) -> None:
    data["seats"][0], data["seats"][1] = data["seats"][1], data["seats"][0]


def _joined_twice(data: Data) -> None:
    for seat in data["seats"]:
        seat["joined"] = 0


def _other_options(data: Data) -> None:
    name = "full_distance" if data["rules"] == "cave-of-wonders" else "last_first"
    data["options"] = data["options"] | {name: "on" if name == "full_distance" else "swap19"}


def _other_rules(data: Data) -> None:
    data["rules_version"] = 99


def _other_table(data: Data) -> None:
    data["ref"] = "Another12345"


def _other_branch(data: Data) -> None:
    _first(data, kind="branch")["action"]["branch"] = 5


def _other_origin(data: Data) -> None:
    _first(data, kind="branch")["action"]["seq"] -= 1


def _branch_from_the_future(data: Data) -> None:
    move = _first(data, kind="branch")
    move["action"]["seq"] = move["number"] + 3


def _removed_roll_back(data: Data) -> None:
    data["moves"].remove(_first(data, kind="branch"))


def _other_orders(data: Data) -> None:
    orders = _first(data, kind="orders")["action"]["orders"][0]
    orders["even_so"] = not orders.get("even_so", False)


def _begun_again(data: Data) -> None:
    data["moves"][9] = data["moves"][0] | {"number": 10}


def _no_events_at_all(data: Data) -> None:
    for move in data["moves"]:
        move["events"] = []


def _unknown_field_of_an_action(data: Data) -> None:
    _first(data, kind="answer")["action"]["comment"] = "lucky"


def _action_of_a_step_of_the_service(data: Data) -> None:
    _first(data, kind="advance")["action"] = {"type": "advance"}


def _true_for_a_score(data: Data) -> None:
    data["outcome"]["scores"][0] = bool(data["outcome"]["scores"][0])


def _true_for_a_winner(data: Data) -> None:
    data["outcome"]["ranking"] = [[bool(seat) if seat < 2 else seat for seat in data["outcome"]["winners"]]]


def _no_such_day(data: Data) -> None:
    data["finished_at"] = "2026-02-30T12:00:00Z"


def _no_such_hour(data: Data) -> None:
    data["finished_at"] = "2026-02-03T25:00:00Z"


def _over_before_it_began(data: Data) -> None:
    data["finished_at"] = "2025-10-01T12:00:00Z"


def _moved_after_the_end(data: Data) -> None:
    data["moves"][3]["at"] = "2026-03-01T12:00:00Z"


def _time_with_a_newline(data: Data) -> None:
    data["started_at"] = data["started_at"] + "\n"


def _true_for_the_format(data: Data) -> None:
    data["format_version"] = True


def _unknown_field(data: Data) -> None:
    data["moves"][2]["comment"] = "lucky"


def _unknown_member_of_the_outcome(data: Data) -> None:
    data["outcome"]["comment"] = "lucky"


def _another_hand(data: Data) -> None:
    _first(data, kind="answer", by="deadline")["by"] = "bot"


def _a_moderator_for_the_service(data: Data) -> None:
    _first(data, kind="advance")["by"] = "moderator"


def _seat_of_a_step_of_the_service(data: Data) -> None:
    _first(data, kind="advance")["seat"] = 0


def _no_start(data: Data) -> None:
    data["moves"][0]["kind"] = "advance"


def _former_format(data: Data) -> None:
    data["format_version"] = 1


def _leap_day_of_another_year(data: Data) -> None:
    data["started_at"] = "2025-02-29T12:00:00Z"


def _unknown_bot(data: Data) -> None:
    data["seats"][0]["bot"] = "nobody"


def _control_character_in_a_name(data: Data) -> None:
    data["seats"][0]["name"] = "Anna\0"


TAMPERINGS: list[tuple[Tamper, str]] = [
    (_another_seed, "record.seed"),
    (_another_seed_with_its_commitment, "record.seats record.chain record.events"),
    (_another_commitment, "record.seed"),
    (_another_entropy, "record.seats record.chain record.events"),
    (_changed_answer, "record.impossible record.chain record.events"),
    (_impossible_answer, "record.impossible"),
    (_swapped_moves, "record.impossible record.chain record.events"),
    (_removed_move, "record.missing"),
    (_removed_and_renumbered, "record.impossible record.chain record.events"),
    (_added_move, "record.impossible"),
    (_cut_end, "record.unfinished"),
    (_another_winner, "record.outcome"),
    (_another_score, "record.outcome"),
    (_another_event, "record.events"),
    (_dropped_event, "record.events"),
    (_another_state, "record.chain"),
    (_another_position, "record.position"),
    (_another_seat, "record.impossible record.chain"),
    (_no_such_seat, "record.impossible"),
    (_swapped_seats, "record.seats"),
    (_joined_twice, "record.joined"),
    (_other_options, "record.chain record.events"),
    (_other_rules, "record.rules"),
    (_other_table, "record.chain"),
    (_other_branch, "record.impossible"),
    (_other_origin, "record.chain"),
    (_branch_from_the_future, "record.impossible"),
    (_removed_roll_back, "record.missing record.impossible"),
    (_other_orders, "record.chain record.impossible"),
    (_begun_again, "record.impossible"),
    (_no_events_at_all, "record.events"),
    (_unknown_bot, "record.bot"),
    (_control_character_in_a_name, "record.malformed"),
    (_unknown_field, "record.malformed"),
    (_unknown_field_of_an_action, "record.impossible"),
    (_action_of_a_step_of_the_service, "record.impossible"),
    (_true_for_a_score, "record.malformed"),
    (_true_for_a_winner, "record.malformed"),
    (_no_such_day, "record.time"),
    (_no_such_hour, "record.malformed"),
    (_over_before_it_began, "record.time"),
    (_moved_after_the_end, "record.time"),
    (_time_with_a_newline, "record.malformed"),
    (_true_for_the_format, "record.malformed"),
    (_unknown_member_of_the_outcome, "record.malformed"),
    (_another_hand, "record.chain"),
    (_a_moderator_for_the_service, "record.impossible"),
    (_seat_of_a_step_of_the_service, "record.impossible"),
    (_no_start, "record.impossible"),
    (_former_format, "record.former"),
    (_leap_day_of_another_year, "record.time"),
]
"""Each with the codes it may be told by: which one comes first depends on the game."""


SEEN_BY_THE_SCHEMA = {
    _no_such_day, _leap_day_of_another_year, _begun_again, _no_start, _a_moderator_for_the_service,
    _seat_of_a_step_of_the_service, _action_of_a_step_of_the_service,
}  # fmt: skip
"""Beside what is malformed: a schema can see these, too."""


def tampered(record: bytes, tamper: Tamper) -> bytes:
    """The record after somebody has been at it."""
    data = json.loads(record)
    tamper(data)
    return json.dumps(data).encode()


def name_of(tamper: Tamper) -> str:
    """What was done, for the names of tests and files."""
    return tamper.__name__.strip("_").replace("_", "-")  # type: ignore[attr-defined]  # all are functions
