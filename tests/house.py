"""`script/house`: how much code one has to know, counted anew each time. It reports; it limits nothing.

`python -m tests.house` prints the figures, `--files` also the files behind them as JSON, `--tree FOLDER` reads another
checkout, without walks. A module of more than 800 lines or a function of more than 80 is worth a question, no more.
"""

import argparse
import ast
import io
import json
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import FrameType
from typing import Any

HERE = Path(__file__).resolve().parent.parent
AREAS = ("config", "engine", "games", "notifications")
OTHER = (".html", ".js", ".css", ".json", ".txt", ".toml")  # where code could hide that no longer stands in Python
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
WARMING, COUNTED = 3, 8  # how often each walk is gone
QUESTIONABLE = {"module": 800, "function": 80}  # lines


class Tree:
    """The Python modules of a checkout that git knows, migrations aside.

    Arguments:
        root: the checkout's folder.
    """

    def __init__(self, root: Path):
        self.root = root
        self.paths = [path for path in self.listed(".py", *AREAS) if "/migrations/" not in path]
        self.texts = {path: (root / path).read_text() for path in self.paths}
        self.trees = {path: ast.parse(text) for path, text in self.texts.items()}
        self.modules = {_module(path): path for path in self.paths}

    def listed(self, suffix: str, *folders: str) -> list[str]:
        """Paths of the files in some folders whose names end so."""
        command = ["git", "ls-files", "--", *folders]
        lines = subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True).stdout.splitlines()
        return [line for line in lines if line.endswith(suffix) and (self.root / line).is_file()]

    def lines(self, suffix: str, *folders: str) -> int:
        """Lines of those files, migrations aside."""
        paths = [path for path in self.listed(suffix, *folders) if "/migrations/" not in path]
        return sum((self.root / path).read_text().count("\n") for path in paths)

    @cached_property
    def code_lines(self) -> dict[str, int]:
        """Lines of each module without blanks, comments, docstrings and imports."""
        return {path: len(_code(self.texts[path], self.trees[path])) for path in self.paths}

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """The modules that each module imports: at its top, in functions, and by `import_module` of a whole name.

        A name that `games.models` hands on leads to the module that defines it; imports for type checking count too.
        """
        return {
            module: {self._target(name) for name in _imported(self.trees[path])} - {"", module}
            for module, path in self.modules.items()
        }

    def _target(self, name: str) -> str:
        """The module of the product that a dotted name leads to, or nothing."""
        module = name
        while module and module not in self.modules:
            module = module.rpartition(".")[0]
        attribute = name[len(module) + 1 :]
        if module in ("games.models", "notifications.models") and attribute:
            for node in self.trees[self.modules[module]].body:
                if isinstance(node, ast.ImportFrom) and any(attribute == alias.name for alias in node.names):
                    return self._target(f"{node.module}.{attribute}")
        return module

    @cached_property
    def room_imports(self) -> dict[str, dict[str, set[str]]]:
        """Which room of games/ imports which other, and the pairs of modules behind it."""
        pairs: defaultdict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for module, targets in self.imports.items():
            for target in targets:
                here, there = _room(module), _room(target)
                if here and there and here != there:
                    pairs[here][there].add(f"{module} -> {target}")
        return pairs

    def mutual_pairs(self) -> list[tuple[str, str]]:
        """Rooms that import each other."""
        rooms = self.room_imports
        return sorted((a, b) for a in rooms for b in rooms[a] if a < b and a in rooms.get(b, ()))

    def rooms_in_cycles(self) -> list[str]:
        """Rooms from which a way of imports leads back to themselves."""
        return sorted(room for room in self.room_imports if room in self._reachable(room))

    def _reachable(self, room: str) -> set[str]:
        reached: set[str] = set()
        waiting = list(self.room_imports[room])
        while waiting:
            following = waiting.pop()
            if following not in reached:
                reached.add(following)
                waiting += self.room_imports.get(following, ())
        return reached

    def with_one_importer(self) -> list[str]:
        """Modules that exactly one other module of the product imports; packages and commands aside."""
        importers: Counter[str] = Counter(target for targets in self.imports.values() for target in targets)
        return sorted(
            module
            for module, path in self.modules.items()
            if importers[module] == 1 and not path.endswith("__init__.py") and ".management." not in module
        )

    def questionable(self) -> Iterator[str]:
        """Modules and functions so long that a reader may ask why."""
        for path, text in self.texts.items():
            if text.count("\n") > QUESTIONABLE["module"]:
                yield f"{path}: {text.count(chr(10))} lines"
            for node in ast.walk(self.trees[path]):
                if isinstance(node, ast.FunctionDef) and _length(node) > QUESTIONABLE["function"]:
                    yield f"{path}: {node.name}: {_length(node)} lines"

    def figures(self) -> dict[str, int]:
        """All that is counted by reading."""
        functions = [
            node for tree in self.trees.values() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        ]
        others = {f"lines of {suffix[1:]}": self.lines(suffix, *AREAS) for suffix in OTHER}
        return {
            "files": len(self.paths),
            "folders": len({str(Path(path).parent) for path in self.paths}),
            "code lines": sum(self.code_lines.values()),
            "all lines": sum(text.count("\n") for text in self.texts.values()),
            "functions": len(functions),
            "rooms of games/": len({_room(module) for module in self.modules} - {""}),
            "rooms in a cycle": len(self.rooms_in_cycles()),
            "mutual pairs of rooms": len(self.mutual_pairs()),
            "modules with one importer": len(self.with_one_importer()),
            "all lines of games/api": self.lines(".py", "games/api"),
            "all lines of tests": self.lines(".py", "tests"),
            "long modules and functions": len(list(self.questionable())),
            **others,
        }

    def details(self) -> dict[str, Any]:
        """The names behind the figures."""
        return {
            "rooms in a cycle": self.rooms_in_cycles(),
            "mutual pairs of rooms": {
                f"{a} <-> {b}": sorted(self.room_imports[a][b] | self.room_imports[b][a])
                for a, b in self.mutual_pairs()
            },
            "modules with one importer": self.with_one_importer(),
            "long modules and functions": sorted(self.questionable()),
            "rooms": {a: sorted(there) for a, there in sorted(self.room_imports.items())},
        }


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _room(module: str) -> str:
    """The room of games/ a module is in; modules directly in games/ are in none."""
    parts = module.split(".")
    return parts[1] if parts[0] == "games" and len(parts) > 2 else ""


def _length(node: ast.FunctionDef) -> int:
    first = node.body[0]
    docstring = (first.end_lineno or first.lineno) - first.lineno + 1 if ast.get_docstring(node) else 0
    return (node.end_lineno or node.lineno) - node.lineno + 1 - docstring


def _code(text: str, tree: ast.Module) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {line for token in tokens if token.type not in LAYOUT for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(tree):
        is_text = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if is_text or isinstance(node, ast.Import | ast.ImportFrom):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "import_module":
                yield str(node.args[0].value)


class Walk:
    """The product's files and functions that something goes through, in the thread that does it."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()

    def follow(self, action: Callable[[], object]) -> "Walk":
        """Counts what this does."""
        sys.setprofile(self._profile)
        try:
            action()
        finally:
            sys.setprofile(None)
        return self

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(tuple(f"{HERE}/{area}/" for area in AREAS)):
            self.calls[file.removeprefix(f"{HERE}/"), frame.f_code.co_qualname] += 1

    def figures(self) -> dict[str, Any]:
        """Files, functions with a name, the others (lambdas, comprehensions, module bodies), and calls by file."""
        named = [name for _, name in self.calls if "<" not in name.rpartition(".")[2]]
        files: Counter[str] = Counter()
        for (file, _), count in self.calls.items():
            files[file] += count
        return {
            "files": len(files),
            "files of notifications": sum(file.startswith("notifications/") for file in files),
            "named functions": len(named),
            "lambdas and comprehensions": len(self.calls) - len(named),
            "by file": files.most_common(),
        }


def walk() -> dict[str, Any]:
    """Walks through the service with settings of `tests.bench.surroundings`; prints nothing.

    Each is done some times before it is counted, so that what is imported and cached at first is not; of several
    that are counted the longest is given, because a sealed answer is a shorter way than one that asks somebody else.
    """
    import django

    django.setup()
    from datetime import timedelta

    from django.core.management import call_command
    from django.test.utils import override_settings

    from config.wsgi import application
    from games.models import Decision
    from games.play import deadlines, proposals
    from notifications.clock import present
    from notifications.delivery.sending import deliver_due
    from notifications.models import Delivery, DeliveryState, Notice
    from tests.bench.answered import Supply, by_link
    from tests.bench.stepping import ask, environ_of

    call_command("migrate", verbosity=0, interactive=False)
    supply = Supply(size=1)

    def request() -> Any:
        made = supply.requests(by_link)[0]
        while proposals.make_one(present.now()):
            pass  # a worker has made what is proposed by the time somebody opens the link
        return made

    def get(made: Any) -> None:
        body = application(
            environ_of(made) | {"REQUEST_METHOD": "GET", "CONTENT_LENGTH": "0", "wsgi.input": io.BytesIO()},
            lambda *_: print,
        )
        b"".join(body)
        body.close()

    def prepare_delivery() -> None:
        subjects = [decision.subject for decision, _answer in supply.answers()]
        latest = Notice.objects.filter(kind="due", subject__in=subjects).latest("pk")
        Notice.objects.exclude(pk=latest.pk).update(pending=None)
        Delivery.objects.update(state=DeliveryState.STALE, attempt_after=None)
        latest.deliveries.all().delete()
        pending = {"forms": ["letter", "announcement"], "endpoint": None, "unwanted": ""}
        Notice.objects.filter(pk=latest.pk).update(pending=pending)

    def prepare_deadline() -> None:
        supply.answers()
        Decision.objects.filter(status="open", is_automatic=False).update(due_at=present.now() - timedelta(minutes=10))

    def expire() -> None:
        assert deadlines.expire_one(present.now() + timedelta(minutes=5))

    walks: dict[str, list[Walk]] = defaultdict(list)
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        for number in range(COUNTED + WARMING):
            made = request()
            for name, prepare, action in (
                ("GET behind the link", None, lambda made=made: get(made)),
                ("answer by link", None, lambda made=made: ask(application, made)),
                ("a delivery", prepare_delivery, deliver_due),
                ("a deadline", prepare_deadline, expire),
            ):
                if prepare:
                    prepare()
                if number < WARMING:
                    action()
                else:
                    walks[name].append(Walk().follow(action))
    return {
        name: max((one.figures() for one in many), key=lambda found: found["files"]) for name, many in walks.items()
    }


def _walks() -> dict[str, Any]:
    from tests.bench.surroundings import surroundings

    with surroundings("") as environment:
        command = [sys.executable, "-m", "tests.house", "--walk"]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, cwd=HERE)
    walks: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return walks


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts how much code one has to know.")
    parser.add_argument("--files", action="store_true", help="name the files behind the figures, as JSON")
    parser.add_argument("--tree", type=Path, help="another checkout, counted by reading alone")
    parser.add_argument("--walk", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.walk:
        print(json.dumps(walk()))
        return
    tree = Tree((arguments.tree or HERE).resolve())
    for name, count in tree.figures().items():
        print(f"{name:<44}{count:>8,}")
    walks = {} if arguments.tree else _walks()
    for name, figures in walks.items():
        for label, figure in figures.items():
            if label != "by file":
                print(f"{name + ': ' + label:<44}{figure:>8,}")
    if arguments.files:
        print(json.dumps(tree.details() | {"walks": walks}, indent=1))


if __name__ == "__main__":
    main()
