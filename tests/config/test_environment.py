"""The table of settings says what the settings are: each variable is declared once, read once, and listed."""

import ast
from pathlib import Path

from config.environment import ALL, GROUPS, TABLE, as_markdown, read_environment

CONFIG = Path(__file__).resolve().parent.parent.parent / "config"
SETTINGS = [CONFIG / "settings.py", CONFIG / "database" / "settings.py"]
READ_BY_THE_LAUNCHER = {"HOST"}


def nodes(kind):
    return [node for path in SETTINGS for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, kind)]


def name_of(node):
    """The variable that a call of `env` reads; None for any other node."""
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
        return None
    called = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    return node.args[0].value if isinstance(called, ast.Name) and called.id == "env" else None


def test_the_page_of_settings_is_what_the_declarations_say():
    assert TABLE.read_text() == as_markdown(), "run python -m config.environment"


def test_every_variable_is_declared_once():
    assert len(ALL) == sum(len(variables) for variables in GROUPS.values())


def test_the_settings_read_what_is_declared_and_nothing_else():
    assert {name for node in nodes(ast.Call) if (name := name_of(node))} == set(ALL) - READ_BY_THE_LAUNCHER


def test_the_table_names_the_default_of_what_is_computed():
    """Where settings give a default of their own, the declared one is not what people get."""
    own = {name_of(node) for node in nodes(ast.Call) if any(word.arg == "default" for word in node.keywords)}
    other = {name_of(node.values[0]) for node in nodes(ast.BoolOp) if isinstance(node.op, ast.Or)}
    unsaid = {name for name in own | other if name and not ALL[name].shown}
    assert unsaid == set()


def test_a_declared_default_has_the_declared_type():
    env = read_environment()
    env.ENVIRON = {}
    for variable in ALL.values():
        kind = variable.cast if isinstance(variable.cast, type) else dict
        assert isinstance(env(variable.name), kind), variable.name
