"""Small files and small functions: what is larger is to be split."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST_MODULE = 400
LONGEST_FUNCTION = 40
SOURCES = [
    path
    for area in ("config", "engine", "games", "notifications")
    for path in sorted((ROOT / area).rglob("*.py"))
    if "migrations" not in path.parts
]


def functions(path: Path):
    """Name and number of lines of every function of a file, its docstring not counted."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            first, last = node.body[0], node.end_lineno or node.lineno
            docstring = first.end_lineno - first.lineno + 1 if ast.get_docstring(node) else 0
            yield node.name, last - node.lineno + 1 - docstring


def test_no_module_is_longer_than_400_lines():
    modules = [*SOURCES, *(ROOT / "tests").rglob("*.py")]
    sizes = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in modules}
    assert {name: size for name, size in sizes.items() if size > LONGEST_MODULE} == {}


def test_no_function_is_longer_than_40_lines():
    long = {f"{path.relative_to(ROOT)}:{name}": size for path in SOURCES for name, size in functions(path)}
    assert {name: size for name, size in long.items() if size > LONGEST_FUNCTION} == {}
