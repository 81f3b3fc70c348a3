"""Writes the reference of the base of a game from its docstrings: `python -m tests.base_reference`."""

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path

from tests.catalogues import ROOT

PAGE = ROOT / "docs" / "game-base.md"
BASE, KITS = ROOT / "engine" / "base.py", ROOT / "engine" / "kits.py"
CLASSES = ("Action", "AskedSeats", "BaseEvent", "BaseState", "BaseView")
PARTS = ("squares", "hexagons", "cards", "track", "lines", "stacked", "BoardPiece")
LAST = "A game as a whole"  # from here on it is the service that calls
SECTION = re.compile(r"^    # (.+)$", re.MULTILINE)


def reference() -> str:
    """The page as it should be."""
    return "\n".join(_lines()).rstrip() + "\n"


def _lines() -> Iterator[str]:
    source = BASE.read_text()
    classes = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    yield "# The base of a game"
    yield ""
    yield (
        "`engine/base.py` has what all games share. `python -m tests.base_reference` makes this page of its docstrings."
    )
    yield (
        "[Adding a game](adding-a-game.md) walks through a game. Import these names from `engine.base`; `Seat`, `Text`,"
    )
    yield ("`Question`, `Answer`, `TableOption` from `engine.core`, `_` from its `language`, `Rng` from its `rng`.")
    for name in CLASSES:
        yield from ["", f"## {name}", "", *_documented(classes[name])]
    rules = classes["BaseRules"]
    yield from ["", "## BaseRules", "", *_documented(rules)]
    sections = [(source[: found.start()].count("\n") + 1, found[1]) for found in SECTION.finditer(source)]
    told = [(line, title) for line, title in sections if line > rules.lineno]
    for (line, title), (end, _title) in pairwise(told):
        if title == LAST:
            break
        yield from ["", f"### {title}", "", "| Method | |", "|---|---|"]
        for node in rules.body:
            if isinstance(node, ast.FunctionDef) and line < node.lineno < end and not node.name.startswith("_"):
                yield f"| `{_call(node)}` | {_cell(node)} |"
    own = "`engine.core.language.SHARED` has the sentences of the base; a game says one otherwise under the same code."
    yield from ["", own]
    yield from ["", "## Boards", "", "From `engine.kits`; `draw_board` returns one of these, or several `stacked`.", ""]
    yield from ["| Part | |", "|---|---|"]
    for node in ast.parse(KITS.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name in PARTS:
            yield f"| `{_call(node)}` | {_cell(node)} |"
        if isinstance(node, ast.ClassDef) and node.name in PARTS:
            fields = ", ".join(
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            )
            yield f"| `{node.name}({fields})` | {_cell(node)} |"


def _call(node: ast.FunctionDef) -> str:
    names = [one.arg for one in (*node.args.args, *node.args.kwonlyargs) if one.arg != "self"]
    names += [f"*{node.args.vararg.arg}"] if node.args.vararg else []
    return f"{node.name}({', '.join(names)})"


def _cell(node: ast.FunctionDef | ast.ClassDef) -> str:
    """A docstring in one line."""
    text = cleandoc(ast.get_docstring(node) or "")
    return " ".join(text.replace("Arguments:", "").split()).replace("|", "\\|")


def _documented(node: ast.ClassDef) -> Iterator[str]:
    """A docstring, its arguments as a list."""
    text, _, arguments = cleandoc(ast.get_docstring(node) or "").partition("Arguments:\n")
    yield text.strip()
    if arguments:
        yield ""
    for entry in re.split(r"\n(?=    \w)", arguments.rstrip()):
        names, _, sentence = " ".join(entry.split()).partition(": ")
        if names:
            yield f"- {', '.join(f'`{name}`' for name in names.split(', '))}: {sentence}"


if __name__ == "__main__":
    Path(PAGE).write_text(reference(), encoding="utf-8")
