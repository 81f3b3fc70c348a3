"""The JSON Schema of each rule set holds for whole games: every view, event and action of them."""

from collections import defaultdict
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from engine.core.games import plain_table
from engine.registry import RULES, AnyRules, newest
from engine.schemas import schema_of
from tests.engine.playing import PUBLISHED, walk_again

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")
EVERY = 9  # steps between two looks; events and actions are looked at after each


def validators(rules: AnyRules) -> dict[str, Any]:
    """What is true of a view, an event, an action: members that are not described are none."""
    schema = schema_of(rules.name, rules.version)
    closed = msgspec.json.decode(msgspec.json.encode(schema))
    for definition in closed["$defs"].values():
        if "properties" in definition:
            definition["additionalProperties"] = False
    return {
        name: jsonschema_rs.validator_for({**closed, "$ref": f"#/$defs/{name}"})
        for name in ("view", "event", "action", "figures")
    }


def plain(data: bytes) -> Any:
    return msgspec.json.decode(data)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats"), PUBLISHED)
def test_everything_in_a_game_is_as_described(rules: AnyRules, seats: int) -> None:
    wanted, seen_by = validators(rules), defaultdict[int | None, list[object]](list)
    for count, step in enumerate(walk_again(rules, seats)):
        viewers = (None, *range(seats))
        if step.decision is not None:
            wanted["action"].validate(plain(rules.dump_action(step.action)))
        for event in step.events:
            for viewer in viewers:
                seen = rules.redact(event, viewer)
                if seen is not None:
                    seen_by[viewer].append(seen)
                    wanted["event"].validate(plain(msgspec.json.encode(seen)))
        if count % EVERY == 0:
            for viewer in viewers:
                wanted["view"].validate(plain(msgspec.json.encode(rules.view(step.after, viewer))))
    for seen in seen_by.values():
        tables = [plain_table(one, lambda text: rules.say(text, "en", NAMES)) for one in rules.figures(seen, seats)]
        assert tables and len({table.code for table in tables}) == len(tables), "a code names one table"
        wanted["figures"].validate(plain(msgspec.json.encode(tables)))


@pytest.mark.parametrize("key", RULES, ids=str)
def test_each_version_has_a_schema_that_is_one(key: tuple[str, int]) -> None:
    schema = schema_of(*key)
    jsonschema_rs.meta.validate(schema)
    assert {"view", "event", "action", "figures"} <= set(schema["$defs"])


@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_every_member_of_a_view_and_every_event_is_explained_in_a_sentence(rules: AnyRules) -> None:
    definitions = schema_of(rules.name, rules.version)["$defs"]
    views = [definitions[name] for name in ("View", "MagicView") if name in definitions]
    views += [definitions["FigureTable"], definitions["FigureRow"]]
    assert [name for view in views for name, one in view["properties"].items() if "description" not in one] == []
    assert [name for name, one in definitions.items() if "properties" in one and not one.get("description")] == []
