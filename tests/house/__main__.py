"""Prints the figures; `python -m tests.house --files` names the files behind them."""

import json
import subprocess
import sys
from typing import Any

from tests.bench.surroundings import surroundings
from tests.house import structure

GOALS = {
    ("answer by link", "files"): 40,
    ("answer by link", "functions"): 180,
    ("answer by link", "changes"): 150,
    ("GET behind the link", "files"): 35,
}
LABELS = {"files": "files", "functions": "functions", "changes": "changes of file"}


def main(arguments: list[str]) -> None:
    """Everything, each figure beside its goal."""
    named = "--files" in arguments
    walks = _walks()
    for (walk, figure), goal in GOALS.items():
        _show(f"{walk}: {LABELS[figure]}", walks[walk][figure], goal)
    _show("lines of product code", structure.lines(), 50_000)
    _show("lines of compiled_query and bulk_write", structure.database_tool_lines(), 300)
    _show("bare Any", structure.bare_any(), 300)
    _show("modules in a cycle of imports", len(structure.circle()), 0)
    _show("files that ask for a channel by name", len(structure.channel_files()), 2)
    _show("files that know one field of the table's form", len(structure.field_files()), 6)
    _show("files of more than 300 lines", len(structure.longest()), 0)
    _show("folders of more than 12 files, one-file-each aside", len(structure.full_folders()), 0)
    _show("class names with two meanings", len(structure.same_class_names()), 0)
    if named:
        print(json.dumps(_details(walks), indent=1))


def _walks() -> dict[str, Any]:
    with surroundings("") as environment:
        subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(
            [sys.executable, "-m", "tests.house.walking"], env=environment, check=True, stdout=subprocess.PIPE
        )
    walks: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return walks


def _details(walks: dict[str, Any]) -> dict[str, Any]:
    return {
        "walks": {name: walk["by_file"] for name, walk in walks.items()},
        "circle": structure.circle(),
        "channels": structure.channel_files(),
        "field": structure.field_files(),
        "long files": structure.longest(),
        "full folders": structure.full_folders(),
        "class names": structure.same_class_names(),
    }


def _show(what: str, figure: int, goal: int) -> None:
    print(f"{what:<52}{figure:>8,}  goal {goal:>7,}  {'reached' if figure <= goal else 'missed'}")


if __name__ == "__main__":
    main(sys.argv[1:])
