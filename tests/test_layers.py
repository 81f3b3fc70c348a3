"""No game knows another, and nobody imports a private part of a framework. `lint-imports` keeps the layers."""

import ast
import itertools
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

import engine

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "engine", "games", "notifications")
SHARED = {"engine.core", "engine.orders", "engine.records", "engine.reviews"}  # what games use, or goes around all
FOLDERS = {f"engine.{module.name}" for module in pkgutil.iter_modules(engine.__path__) if module.ispkg}
GAMES = sorted(FOLDERS - SHARED)
FRAMEWORKS = {
    *("allauth", "anymail", "celery", "django", "django_otp", "drf_spectacular", "gunicorn", "jinja2", "kombu"),
    *("psycopg", "redis", "requests", "rest_framework", "sesame", "smtplib", "urllib3", "whitenoise"),
}
PRIVATE = re.compile(
    r"""\._ | \.(internal|compat)\b
    | ^django\.(core\.handlers | db\.backends\.(?!signals\b) | db\.models\.(base|options|query|query_utils|sql)\b)
    | ^django\.db\.models\.expressions\.Col\b
    | ^celery\.(app|concurrency|worker)\. | ^gunicorn\.(?!config\b|glogging\b) | ^rest_framework\.utils\b
    | ^psycopg\.(connection|cursor|generators|waiting)\b""",
    re.VERBOSE,
)
"""Parts of the frameworks that nobody has promised to keep in the next release."""
ALLOWED = {
    (
        "config/database/limited_postgresql/base.py",
        "django.db.backends.postgresql.base",
    ),  # documented for backends
    # Documented: `worker_class` may be a class of one's own. No setting of Gunicorn's ends half-open requests.
    ("config/web_server.py", "gunicorn.workers.gthread.ThreadWorker"),
}


def imported_by(path: Path) -> Iterator[str]:
    """The full names of what a module imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def private_imports(root: Path) -> set[tuple[str, str]]:
    """File and name of each import of a private part of a framework."""
    files = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    return {
        (str(path.relative_to(root)), name)
        for path in files
        for name in imported_by(path)
        if name.partition(".")[0] in FRAMEWORKS and PRIVATE.search(name)
    }


@pytest.fixture(scope="module")
def imports():
    return grimp.build_graph(*PACKAGES, include_external_packages=False)


def test_no_game_imports_another(imports):
    pairs = itertools.permutations(GAMES, 2)
    assert [pair for pair in pairs if imports.find_shortest_chains(*pair)] == []


def test_only_the_registry_imports_a_game(imports):
    inside = {module for game in GAMES for module in {game} | imports.find_descendants(game)}
    importers = {importer for module in inside for importer in imports.find_modules_that_directly_import(module)}
    assert importers - inside <= {"engine.registry"}


def test_no_module_imports_a_private_part_of_a_framework():
    assert private_imports(ROOT) == ALLOWED


def test_private_parts_are_told_from_public_ones(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "some.py").write_text(
        "from django.db.models.sql.compiler import SQLCompiler\n"
        "from django.db.models.query import get_related_populators\n"
        "from django.db.backends.sqlite3 import base\n"
        "from django.db.backends.signals import connection_created\n"
        "from django.db.models import QuerySet\n"
        "from psycopg import _oids\n"
        "import gunicorn.workers.gthread\n"
    )
    assert {name for _file, name in private_imports(tmp_path)} == {
        "django.db.models.sql.compiler.SQLCompiler",
        "django.db.models.query.get_related_populators",
        "django.db.backends.sqlite3.base",
        "psycopg._oids",
        "gunicorn.workers.gthread",
    }
