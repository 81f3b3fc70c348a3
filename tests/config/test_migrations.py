"""Tests make their tables from the models, which is quick; the migrations must make the same ones."""

import os
import re
import sqlite3
import subprocess
import sys

import psycopg
import pytest
from django.apps import apps
from django.db import connection

from config.launcher.children import ROOT

SHAPE = "SELECT name, type, \"notnull\", pk > 0 FROM pragma_table_info('{}')"
INDEXES = (
    "SELECT \"unique\", (SELECT group_concat(name) FROM pragma_index_info(il.name)) FROM pragma_index_list('{}') il"
)
GONE = (
    r"games_seat_game_id_\w{8}",
    r"notifications_(notice_recipient|delivery_notice|delivery_leader)_id_\w{8}",
    r"(games_(decision|game)_ref|notifications_(notice_ref|notice_dedupe_key|delivery_message_id))_\w{8}_like",
)
OF_COLUMN = "SELECT attoptions FROM pg_attribute WHERE attrelid ="
OF_STATES = (
    "SELECT attcompression, attstorage, reloptions FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid"
    " WHERE relname = 'games_game' AND attname = 'state'"
)
LZ4 = "SELECT 'lz4' = ANY(enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"


def shape_of(ask, table: str) -> list[list[tuple]]:
    """Columns and indexes, in no order: later columns stand at the end when migrations add them."""
    return [sorted(ask(question.format(table)), key=repr) for question in (SHAPE, INDEXES)]


@pytest.mark.slow
def test_the_migrations_make_the_tables_that_the_tests_have(db, tmp_path):
    if connection.vendor != "sqlite":
        return  # there the tests' own tables are made by the migrations
    path = tmp_path / "migrated.sqlite3"
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{path}"}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=ROOT, env=environment, check=True)
    with sqlite3.connect(path) as migrated, connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            made = shape_of(lambda question: cursor.execute(question).fetchall(), table)
            assert made[0], table
            assert shape_of(lambda question: migrated.execute(question).fetchall(), table) == made, table


@pytest.mark.slow
def test_on_postgresql_no_index_or_constraint_is_lost_on_the_way(postgres_url):
    """Django drops every index that stands for a column alone, a unique one too, when the column loses its own."""
    environment = os.environ | {"DATABASE_URL": postgres_url}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=ROOT, env=environment, check=True)
    with psycopg.connect(postgres_url) as migrated:
        names = "SELECT indexname FROM pg_indexes UNION SELECT conname FROM pg_constraint"
        made = {name for (name,) in migrated.execute(names)}
        told = migrated.execute(f"{OF_COLUMN} 'games_decision'::regclass AND attname = 'game_id'").fetchone()
        packing, storage, options = migrated.execute(OF_STATES).fetchone()
        knows_lz4 = migrated.execute(LZ4).fetchone() == (True,)
    assert (packing, storage) == (("l", "m") if knows_lz4 else ("", "x"))
    assert options == ["fillfactor=50"]  # else most moves write all indexes of their game
    assert told == (["n_distinct=-0.005"],)  # else a young service reads all that a long game has asked
    wanted = {one.name for model in apps.get_models() for one in (*model._meta.indexes, *model._meta.constraints)}
    assert wanted - made == set()
    assert [name for name in made for gone in GONE if re.fullmatch(gone, name)] == []
