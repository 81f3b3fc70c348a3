"""Settings of the database: SQLite in one file, or PostgreSQL at DATABASE_URL."""

from pathlib import Path
from typing import Any

import environ

# No greeting (from each address of a name), lost packets: seconds, the last one milliseconds.
# A server that is frozen: config/database/limits.py.
TIMEOUTS = {
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}


def database_settings(env: environ.Env, folder: Path) -> dict[str, Any]:
    """`DATABASES["default"]`. SQLite's file lies in `folder`, which is made."""
    database: dict[str, Any] = env.db("DATABASE_URL") if env("DATABASE_URL") else _sqlite(folder)
    if database["ENGINE"] == "django.db.backends.sqlite3":
        folder.mkdir(parents=True, exist_ok=True)
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",  # writers queue instead of failing half-way with "database is locked"
            "timeout": 20,
            # FULL: a move that was confirmed survives a power cut.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
    else:
        _set_up_postgresql(database, is_pooled=env("BEHIND_POOLER"))
    return database | {"CONN_MAX_AGE": env("CONN_MAX_AGE"), "CONN_HEALTH_CHECKS": True}


def _sqlite(folder: Path) -> dict[str, Any]:
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "caravanserai.sqlite3"}


def _set_up_postgresql(database: dict[str, Any], *, is_pooled: bool) -> None:
    """Add what keeps a connection from waiting for ever, and what lets PostgreSQL plan a statement once.

    What DATABASE_URL says itself, such as `?connect_timeout=9`, stays.
    """
    database["ENGINE"] = "config.database.limited_postgresql"
    options = database["OPTIONS"] = TIMEOUTS | database.get("OPTIONS", {})
    if is_pooled:
        # Each transaction may have another connection of the pooler's: none of them is to remember anything.
        database["DISABLE_SERVER_SIDE_CURSORS"] = True
        return
    # What is asked again is parsed once, and planned once where PostgreSQL finds one plan good for all values.
    # (`plan_cache_mode=force_generic_plan` would take their partial indexes from the ORM's statements.)
    options |= {"server_side_binding": True, "prepare_threshold": 2}
    # A process that is frozen in the middle of a move (a machine that pauses, a network that is cut) would hold its
    # game, and whoever waits for it, for ever. Longer than anything of ours takes.
    # No statement of ours is worth compiling: where PostgreSQL thinks so, it takes seconds, and the statement none.
    options.setdefault("options", "-c idle_in_transaction_session_timeout=45s -c jit=off")
