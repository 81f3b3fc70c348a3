"""The figures that `script/house` reads in the files: lines, folders, cycles of imports, names with two meanings."""

import ast
import re
import subprocess
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

from tests import test_words

HERE = Path(__file__).resolve().parents[2]
ROOMS = ("config", "engine", "games", "notifications")
CHANNEL = re.compile(r"""Channel\.(?:MAIL|WEBHOOK)\b|["'](?:mail|webhook)["']""")
TABLE_FIELD = "allows_vacation"  # a field of the form of a table, typical of those a host chooses
ONE_FILE_EACH = {  # folders that hold one small file for each thing of a kind, and grow with the game
    "engine/aladdins_dragons/cards/spells": "one file a spell",
    "games/letters/kinds": "one file a kind of email",
    "games/management/commands": "one file a command: Django looks for them nowhere else",
}
GAMES = ("engine/aladdins_dragons/", "engine/cave_of_wonders/")  # their parallel modules name the same things
DATABASE_TOOLS = ("compiled_query", "bulk_write")


@cache
def product_files() -> tuple[Path, ...]:
    """The Python files of the product that git knows, migrations aside."""
    listed = subprocess.run(["git", "ls-files", *ROOMS], cwd=HERE, check=True, capture_output=True, text=True).stdout
    paths = (HERE / line for line in listed.splitlines() if line.endswith(".py"))
    return tuple(path for path in paths if path.exists() and "migrations" not in path.parts)


def lines() -> int:
    """Lines of product code, comments and blank ones included."""
    return sum(path.read_text().count("\n") for path in product_files())


def longest() -> list[tuple[str, int]]:
    """The files of more than 300 lines, the longest first."""
    counts = {str(path.relative_to(HERE)): path.read_text().count("\n") for path in product_files()}
    return [(name, count) for name, count in Counter(counts).most_common() if count > 300]


def full_folders() -> list[tuple[str, int]]:
    """The folders with more than twelve Python files, the fullest first; ONE_FILE_EACH do not count."""
    folders = Counter(str(path.parent.relative_to(HERE)) for path in product_files() if path.name != "__init__.py")
    return [(name, count) for name, count in folders.most_common() if count > 12 and name not in ONE_FILE_EACH]


def database_tool_lines() -> int:
    """Lines of the modules that save statements where the ORM would compile or write them one by one."""
    return sum(path.read_text().count("\n") for path in product_files() if path.stem in DATABASE_TOOLS)


def bare_any() -> int:
    """How often `Any` stands in code, imports aside."""
    return sum(
        isinstance(node, ast.Name) and node.id == "Any"
        for path in product_files()
        for node in ast.walk(ast.parse(path.read_text()))
    )


def circle() -> list[str]:
    """The modules of one import cycle, or nothing; imports for type checking only do not count."""
    graph = grimp.build_graph(*ROOMS, exclude_type_checking_imports=True, cache_dir=None)
    sorter = TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules})
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def naming(pattern: re.Pattern[str]) -> list[str]:
    """The product's files in which a pattern stands."""
    return [str(path.relative_to(HERE)) for path in product_files() if pattern.search(path.read_text())]


def channel_files() -> list[str]:
    """The files outside the channels' own folder in which a kind of channel is asked for by name."""
    return [name for name in naming(CHANNEL) if not name.startswith("notifications/channels/")]


def field_files() -> list[str]:
    """The files which one more field in the form of a table would touch, judged by one that is there."""
    return naming(re.compile(rf"\b{TABLE_FIELD}\b"))


def same_class_names() -> dict[str, int]:
    """Class names with two meanings: see tests/test_words.py."""
    modules = {str(path.relative_to(HERE)): ast.parse(path.read_text()) for path in product_files()}
    repeated = test_words.repeated_classes(modules)
    return {name: len(paths) for name, paths in repeated.items() if name not in test_words.SHARED}
