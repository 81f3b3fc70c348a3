"""JSON Schema of what a rule set shows and takes: views, events, actions and figures, made of the types of its methods.

Each member that a docstring explains under "Arguments:" is described by that sentence.
"""

import re
from collections.abc import Iterator
from functools import cache
from inspect import cleandoc
from types import NoneType
from typing import Any, get_args

import msgspec

from engine.core import JsonObject
from engine.core.games import Branched, FigureRow, FigureTable
from engine.orders.answers import TYPES
from engine.orders.model import Order, OrderEvent
from engine.registry import get_rules

DRAFT = "https://json-schema.org/draft/2020-12/schema"
ARGUMENT = re.compile(r"^ *(\w+(?:, \w+)*): (.*(?:\n {6,}.*)*)", re.MULTILINE)
BY_NAME = r"^(play|answer)_.+"
"""Types of actions that stand for a card: what else belongs to them depends on it, as the question's form says."""


@cache
def schema_of(name: str, version: int) -> JsonObject:
    """The schema of a rule set; `view`, `event`, `action` and `figures` are its definitions. Raises KeyError."""
    rules = get_rules(name, version)
    state, view = rules.state_type, rules.view_type
    events = [*_members(rules.event_type), *_members(OrderEvent), Branched]
    parsed = [*_members(rules.action_type)]
    actions = [kind for kind in parsed if kind.__struct_config__.tag is not None]
    kinds = [view, Order, FigureTable, FigureRow, *events, *actions]
    references, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    refers = dict(zip(kinds, references, strict=True))
    by_name = {"type": "object", "properties": {"type": {"pattern": BY_NAME}}, "required": ["type"]}
    common = {"type": "object", "properties": {"type": {"enum": sorted(TYPES)}}, "required": ["type"]}
    open_kinds = [common, *([by_name] if len(actions) < len(parsed) else [])]
    named: JsonObject = {
        "view": refers[view],
        "event": {"anyOf": [refers[kind] for kind in events]},
        "action": {"anyOf": [*(refers[kind] for kind in actions), *open_kinds]},
        "figures": {"type": "array", "items": refers[FigureTable], "description": "A game that is over in numbers."},
    }
    for definition in definitions.values():
        _explain(definition)
    for kind in reversed(state.__mro__):  # a view's fields are those of the state where they share a name
        _explain_members(definitions[view.__name__], cleandoc(kind.__doc__ or ""))
    for kind in reversed(view.__mro__):
        _explain_members(definitions[view.__name__], cleandoc(kind.__doc__ or ""))
    for kind in actions:  # orders may come with it
        definitions[kind.__name__]["properties"]["orders"] = {"type": "array", "items": refers[Order]}
    return {"$schema": DRAFT, "title": f"{name}, version {version}", "$defs": {**definitions, **named}}


def _members(kind: Any) -> Iterator[Any]:
    """The types of a union, those of unions within it too; a type alone is one."""
    inner = get_args(kind)
    if not inner and kind is not NoneType:
        yield kind
    for member in inner:
        yield from _members(member)


def _explain(definition: JsonObject) -> None:
    """Moves what a docstring says of members to these."""
    text = cleandoc(definition.get("description", ""))
    if text:
        definition["description"] = " ".join(text.partition("Arguments:\n")[0].split())
    _explain_members(definition, text)


def _explain_members(definition: JsonObject, text: str) -> None:
    arguments = text.partition("Arguments:\n")[2]
    for names, sentence in ARGUMENT.findall(arguments):
        for name in names.split(", "):
            if name in definition.get("properties", {}):
                definition["properties"][name]["description"] = " ".join(sentence.split())
