"""Mutants: small mechanical faults in the product, and whether the tests of their room find them.

    python -m tests.lab.mutants draw > tests/lab/mutants.json          150 of the code that stands here, from SEED
    python -m tests.lab.mutants run [--first 0] [--count 150] [--tests FOLDER ...]

A mutant is kept as the function it is in and the line before and after, so that it can be tried in code that has moved:
the function is looked for by its name, the line by its text. `run` puts one in at a time, runs the tests of its room up
to the first failure, takes it out again, and prints a line of JSON for each: found, survived, or gone (the line is no
longer there). It edits files: run it in a worktree of its own.
"""

import argparse
import ast
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_suffix(".json")
SEED, COUNT = 40, 150
AREAS = ("config", "engine", "games", "notifications")
COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*"}
NEAR = 5  # test files that are tried first, by themselves: most mutants are found there
TIMEOUT, HANGS = 600, 240  # seconds of the tests of one mutant, and of one test


def product_files() -> list[str]:
    """Paths of the product's modules, migrations and package markers aside."""
    listed = subprocess.run(["git", "ls-files", *AREAS], cwd=HERE, check=True, capture_output=True, text=True).stdout
    return [path for path in listed.split() if path.endswith(".py") and "/migrations/" not in path]


def faults(path: str) -> Iterator[dict[str, str]]:
    """All mutants of a module that stand in one line of a function."""
    text = (HERE / path).read_text()
    lines = text.splitlines()

    def visit(node: ast.AST, names: tuple[str, ...]) -> Iterator[dict[str, str]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = (*names, node.name)
        for start, end, new in _changes(node):
            if names and start[0] == end[0]:
                old = lines[start[0] - 1]
                encoded = old.encode()
                line = (encoded[: start[1]] + new.encode() + encoded[end[1] :]).decode()
                yield {"path": path, "function": ".".join(names), "old": old.strip(), "new": line.strip()}
        for child in ast.iter_child_nodes(node):
            yield from visit(child, names)

    yield from visit(ast.parse(text), ())


def _changes(node: ast.AST) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    """Places of a node's text and what stands there instead."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in COMPARISONS:
            yield _end(left), _start(right), f" {COMPARISONS[type(operator)]} "
        case ast.BoolOp(values=[first, second], op=operator):
            yield _end(first), _start(second), " or " if isinstance(operator, ast.And) else " and "
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _start(node), _start(operand), ""
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in ARITHMETIC:
            yield _end(left), _start(right), f" {ARITHMETIC[type(operator)]} "
        case ast.Constant(value=bool() as value):
            yield _start(node), _end(node), str(not value)
        case ast.Constant(value=int() as value):
            yield _start(node), _end(node), str(value + 1)
        case ast.Return(value=ast.expr() as value):
            yield _start(value), _end(value), "None"
        case ast.Expr(value=ast.Call()):
            yield _start(node), _end(node), "pass"


def _start(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def draw() -> list[dict[str, str]]:
    """The mutants: over all rooms, at least one each, the others as the rooms are large."""
    dice, rooms = Random(SEED), defaultdict(list)
    for path in product_files():
        for fault in faults(path):
            try:
                ast.parse((HERE / path).read_text().replace(fault["old"], fault["new"], 1))
            except SyntaxError:
                continue
            rooms["/".join(path.split("/")[:2])].append(fault)
    chosen = [dice.choice(rooms[room]) for room in sorted(rooms)]
    others = [fault for room in sorted(rooms) for fault in rooms[room]]
    while len(chosen) < COUNT:
        fault = dice.choice(others)
        if fault not in chosen and Counter(f"{one['path']}" for one in chosen)[fault["path"]] < 3:
            chosen.append(fault)
    return chosen


def find(mutant: dict[str, str]) -> tuple[Path, int] | None:
    """The file and line (from 0) of a mutant in the code as it is now."""
    paths = dict.fromkeys([mutant["path"], *product_files()])
    texts = {path: text for path in paths if mutant["old"] in (text := _text(path))}
    for function in (mutant["function"], mutant["function"].rpartition(".")[2]):  # moved with its class, or without it
        for path, text in texts.items():
            lines = text.splitlines()
            for names, first, last in _functions(ast.parse(text), ()):
                for number in range(first - 1, last) if f".{names}".endswith(f".{function}") else ():
                    if lines[number].strip() == mutant["old"]:
                        return HERE / path, number
    return None


def _text(path: str) -> str:
    return (HERE / path).read_text() if (HERE / path).exists() else ""


def _functions(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """Functions and classes, by their names from the outermost on, with their first and last line."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            yield ".".join((*names, child.name)), first, child.end_lineno or first
            yield from _functions(child, (*names, child.name))
        else:
            yield from _functions(child, names)


def tests_of(path: str, function: str) -> list[str]:
    """The test files of a room, and those elsewhere that call the function; those named after the module come first."""
    area, room = path.split("/")[:2]
    folder = HERE / "tests" / area.removeprefix("tests") / room.removesuffix(".py")
    folders = [folder, *([HERE / "tests/playthroughs"] if area == "engine" else [])]
    if not folder.is_dir():
        folders = [HERE / "tests" / area]
    stem, names = Path(path).stem, set(function.split("."))
    call = re.compile(rf"\b{stem}\.{function.rpartition('.')[2]}\b")
    nearness = {}
    for file in sorted(
        file for place in (*AREAS, "lab", "playthroughs") for file in (HERE / "tests" / place).rglob("test_*.py")
    ):
        text, is_here = file.read_text(), any(file.is_relative_to(folder) for folder in folders)
        is_named = file.stem.startswith(f"test_{stem}") or file.stem.removeprefix("test_") in stem
        words, is_called = set(re.findall(r"\w+", text)), bool(call.search(text))
        if is_here or is_called:
            nearness[file] = 4 * (is_here and is_named) + 3 * is_called + 2 * len(names & words) + (stem in words)
    return [str(file.relative_to(HERE)) for file in sorted(nearness, key=lambda file: -nearness[file])]


def run(mutants: list[dict[str, Any]], tests: list[str]) -> None:
    """Prints what became of each, the first test that found it beside."""
    for mutant in mutants:
        now = {**mutant, **mutant.get("now", {})}
        place = None if "ended" in mutant else find(now)
        result, by = "ended" if "ended" in mutant else "gone", ""
        if place:
            path, number = place
            text = path.read_text()
            lines = text.splitlines(keepends=True)
            lines[number] = lines[number].replace(now["old"], now["new"])
            try:
                path.write_text("".join(lines))
                files = tests or tests_of(str(path.relative_to(HERE)), now["function"])
                result, by = _tried(files[:NEAR])
                if result == "survived" and files[NEAR:]:
                    result, by = _tried(files[NEAR:])
            finally:
                path.write_text(text)
        print(json.dumps({**mutant, "result": result, "by": by}), flush=True)


def _tried(tests: list[str]) -> tuple[str, str]:
    """What pytest says of the code as it stands: survived, found by which test, or a timeout to be looked at again."""
    options = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not long", "-o", f"faulthandler_timeout={HANGS}"]
    command = [sys.executable, "-m", "pytest", *options, "-o", "faulthandler_exit_on_timeout=true", *tests]
    process = subprocess.Popen(
        command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        said, _ = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return "timeout", f"{TIMEOUT} s"
    if process.returncode == 0:
        return "survived", ""
    by = re.findall(r"^(?:FAILED|ERROR) (tests/.*)", said, re.MULTILINE) or said.strip().splitlines()[-1:]
    return "timeout" if "Timeout (" in said else "found", " ".join(by[:1])[:200]


def main() -> None:
    parser = argparse.ArgumentParser(description="Mutants and the tests that find them.")
    parser.add_argument("act", choices=("draw", "run"))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--tests", nargs="*", default=[])
    asked = parser.parse_args()
    if asked.act == "draw":
        print(json.dumps(draw(), indent=1))
        return
    mutants = json.loads(LIST.read_text())
    run(mutants[asked.first : asked.first + asked.count], asked.tests)


if __name__ == "__main__":
    main()
