"""Only the public API of libraries is used. Ruff (SLF001) sees private attributes; here it is what is imported."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ("config", "engine", "games", "notifications")
BY_NAME = {"getattr", "setattr", "hasattr", "delattr"}


def private_uses(text: str) -> Iterator[str]:
    """What of others' is private: modules and names that begin with an underscore, and packages called internal."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names):
                yield from (one.name for one in names if _is_private(one.name))
            case ast.ImportFrom(module=str(module), names=names, level=0) if module.split(".")[0] not in OURS:
                yield from (f"{module}.{one.name}" for one in names if _is_private(f"{module}.{one.name}"))
            case ast.Call(ast.Name(called), [_, ast.Constant(str(name)), *_]) if called in BY_NAME and _is_private(
                name
            ):
                yield name


def _is_private(name: str) -> bool:
    parts = name.split(".")
    if parts[0] in sys.stdlib_module_names and not parts[0].startswith("_"):
        parts = parts[1:]
    return any((part.startswith("_") and not part.endswith("__")) or part == "internal" for part in parts)


def test_nothing_private_of_a_library_is_imported() -> None:
    files = [file for folder in OURS for file in (ROOT / folder).rglob("*.py")]
    found = {str(file.relative_to(ROOT)): [*private_uses(file.read_text())] for file in files}
    assert {file: names for file, names in found.items() if names} == {}


def test_what_is_private_is_seen_wherever_it_stands() -> None:
    lines = [
        "import lib._part", "from lib._part import a", "from lib import _part", "from lib.internal.flows import a",
        "def f():\n    from _lib import a", "getattr(a, '_state')",
    ]  # fmt: skip
    assert all(len([*private_uses(line)]) == 1 for line in lines)
    fine = ["from __future__ import annotations", "from gettext import gettext as _", "from games._x import y", "a.b"]
    assert not [found for line in fine for found in private_uses(line)]
