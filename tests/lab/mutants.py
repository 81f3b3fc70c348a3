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
TIMEOUT = 600  # seconds of tests for one mutant


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
    *_, name = mutant["function"].split(".")
    for path in sorted(product_files(), key=lambda path: path != mutant["path"]):
        text = (HERE / path).read_text()
        if mutant["old"] not in text:
            continue
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name:
                for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                    if lines[number].strip() == mutant["old"]:
                        return HERE / path, number
    return None


def tests_of(path: str) -> list[str]:
    """The folders of tests for a room, the nearest that is there."""
    area, room = path.split("/")[:2]
    folder = Path("tests") / area / room.removesuffix(".py")
    if (HERE / folder).is_dir():
        return [str(folder), *(["tests/playthroughs"] if area == "engine" else [])]
    return [f"tests/{area}"]


def run(mutants: list[dict[str, Any]], folders: list[str]) -> None:
    """Prints what became of each."""
    for mutant in mutants:
        place = find(mutant)
        result = "gone"
        if place:
            path, number = place
            text = path.read_text()
            lines = text.splitlines(keepends=True)
            lines[number] = lines[number].replace(mutant["old"], mutant["new"])
            tests = folders or tests_of(str(path.relative_to(HERE)))
            try:
                path.write_text("".join(lines))
                command = [
                    sys.executable,
                    "-m",
                    "pytest",
                    "-q",
                    "-x",
                    "-p",
                    "no:cacheprovider",
                    "-m",
                    "not long",
                    *tests,
                ]
                done = subprocess.run(command, cwd=HERE, capture_output=True, timeout=TIMEOUT, check=False)
                result = "survived" if done.returncode == 0 else "found"
            except subprocess.TimeoutExpired:
                result = "found"  # it hangs
            finally:
                path.write_text(text)
        print(json.dumps({**mutant, "result": result}), flush=True)


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
