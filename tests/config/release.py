"""`python -m tests.config.release`: writes down what the version that is being released keeps: its tables, and games.

tests/config/test_skew.py then holds the next version to it. Before the first version there are no tables to hold to,
and the games of the newest rules are written anew whenever these change. Games of former rules stay as they are.
"""

import json
import os
from pathlib import Path

RELEASED = Path(__file__).with_name("released")
TABLES = RELEASED / "tables.json"
APPS = ("games", "notifications")
GAMES: dict[str, tuple[str, int, dict[str, str]]] = {
    "cave": ("cave-of-wonders", 3, {}),
    "dragons": ("aladdins-dragons", 3, {"version": "magic", "tally": "plan"}),
}
"""Games with orders, sheets and plans, missed deadlines, roll-backs and resignations: each state is in their chain."""
MOST_STEPS = 90  # then everybody resigns: long enough to have been everywhere


def main() -> None:
    """Write everything anew."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.db.migrations.loader import MigrationLoader

    from engine.records import model
    from tests.engine.records.making import played

    RELEASED.mkdir(exist_ok=True)
    leaves = dict(leaf for leaf in MigrationLoader(None).graph.leaf_nodes() if leaf[0] in APPS)
    TABLES.write_text(json.dumps(leaves, indent=2) + "\n")
    for name, (rules, seats, options) in GAMES.items():
        record = played(rules, seats, most=MOST_STEPS, **options)
        (RELEASED / f"{name}-{record.rules_version}.json").write_bytes(model.dump(record))


if __name__ == "__main__":
    main()
