"""For some minutes two versions are at work on one database: neither hinders the other (docs/upgrading.md)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState

from engine.records import checking
from engine.records import model as records
from engine.registry import RULES
from tests.config.release import RELEASED, TABLES
from tests.config.skew import faults

CHANGES = Path(__file__).resolve().parents[2] / "CHANGELOG.md"
KEPT = sorted(path for path in RELEASED.glob("*.json") if path != TABLES)
COLUMN = models.CharField(max_length=10)


@pytest.fixture
def former() -> ProjectState:
    """A version with one table."""
    state = ProjectState()
    fields = [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", COLUMN),
        ("note", models.CharField(max_length=10, null=True)),
    ]
    state.add_model(ModelState("games", "Table", fields))
    return state


ADDITIONS = [
    ops.CreateModel("New", [("id", models.BigAutoField(primary_key=True))]),
    ops.AddField("table", "colour", models.CharField(max_length=10, null=True)),
    ops.AddField("table", "colour", models.CharField(max_length=10, db_default="red")),
    ops.AddField("new", "colour", COLUMN),
    ops.AlterField("table", "name", models.CharField(max_length=20)),
    ops.AlterField("table", "name", models.CharField(max_length=10, null=True)),
    ops.SeparateDatabaseAndState(state_operations=[ops.RemoveField("table", "note")]),
    ops.RunSQL("ALTER TABLE games_table DROP COLUMN colour"),
]
HINDRANCES = [
    ops.RemoveField("table", "name"),
    ops.DeleteModel("Table"),
    ops.RenameField("table", "name", "title"),
    ops.RenameModel("Table", "Board"),
    ops.AlterModelTable("table", "boards"),
    ops.AddField("table", "colour", models.CharField(max_length=10, default="red")),
    ops.AlterField("table", "name", models.CharField(max_length=5)),
    ops.AlterField("table", "name", models.IntegerField()),
    ops.AlterField("table", "name", models.CharField(max_length=10, unique=True)),
    ops.AlterField("table", "note", models.CharField(max_length=10)),
    ops.AddConstraint("table", models.UniqueConstraint(fields=["name"], name="once")),
    ops.SeparateDatabaseAndState(state_operations=[ops.RemoveField("table", "name")]),
    ops.SeparateDatabaseAndState(database_operations=[ops.RemoveField("table", "name")]),
    ops.RunSQL("ALTER TABLE games_table DROP COLUMN name"),
    ops.RunSQL("DROP TABLE games_table"),
]


@pytest.mark.parametrize("operation", ADDITIONS, ids=lambda one: one.describe())
def test_what_adds_hinders_nobody(former: ProjectState, operation: Any) -> None:
    assert list(faults(former, "games", [operation])) == []


@pytest.mark.parametrize("operation", HINDRANCES, ids=lambda one: one.describe())
def test_what_drops_renames_or_makes_stricter_hinders(former: ProjectState, operation: Any) -> None:
    assert len(list(faults(former, "games", [operation]))) == 1


def test_every_migration_since_the_last_version_only_adds(settings: Any) -> None:
    """One that must drop something leaves it out of use for a version first: docs/upgrading.md."""
    settings.MIGRATION_MODULES = {}  # other tests make their tables without them
    released = [tuple(leaf) for leaf in json.loads(TABLES.read_text()).items()]
    loader = MigrationLoader(None)
    former = loader.project_state(released)
    known = {node for leaf in released for node in loader.graph.forwards_plan(leaf)}
    later = [key for key in loader.disk_migrations if key[0] in dict(released) and key not in known]
    operations = [(app, loader.disk_migrations[app, name].operations) for app, name in sorted(later)]
    assert [fault for app, done in operations for fault in faults(former, app, done)] == []


def test_the_tables_of_a_version_are_written_down_when_it_is_released() -> None:
    versions = re.findall(r"^## (?!Unreleased)", CHANGES.read_text(), re.MULTILINE)
    assert bool(json.loads(TABLES.read_text())) == bool(versions), "python -m tests.config.release"


def test_the_changes_are_short() -> None:
    """Sixty lines for the first release; after it a fact of fifteen words an entry."""
    later, _heading, first = CHANGES.read_text().partition("## 1.0.0\n")
    assert len(first.splitlines()) <= 60, "a merge brings lines back that a commit took away"
    assert [entry for entry in re.findall(r"^- (.*(?:\n  .*)*)", later, re.MULTILINE) if len(entry.split()) > 15] == []


def test_there_is_a_kept_game_of_every_version_of_the_rules() -> None:
    kept = [records.load(path.read_bytes()) for path in KEPT]
    assert {(record.rules, record.rules_version) for record in kept} == set(RULES)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_game_goes_on_truly(path: Path) -> None:
    """Its chain holds the text of every state. Another format, or another rule, is a new version beside the former one;
    before the first version is released `python -m tests.config.release` writes the games of the newest rules anew."""
    record = records.load(path.read_bytes())
    assert {"orders", "branch", "resign", "advance"} <= {move.kind for move in record.moves}
    assert checking.check(record).head == record.moves[-1].chain
