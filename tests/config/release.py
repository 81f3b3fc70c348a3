"""`python -m tests.config.release`: writes down what a version that is released keeps: tables, games and a database.

tests/config/test_skew.py holds the next version to the tables and games, tests/config/test_upgrade.py plays on in the
database. The games of the newest rules are written anew whenever these change; games of former rules, and databases of
former versions, stay as they are.
"""

import datetime as dt
import gzip
import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

RELEASED = Path(__file__).with_name("released")
TABLES = RELEASED / "tables.json"
APPS = ("games", "notifications")
GAMES: dict[str, tuple[str, int, dict[str, str]]] = {
    "cave": ("cave-of-wonders", 3, {}),
    "dragons": ("aladdins-dragons", 3, {"version": "magic", "tally": "plan"}),
}
"""Games with orders, sheets and plans, missed deadlines, roll-backs and resignations: each state is in their chain."""
MOST_STEPS = 90  # then everybody resigns: long enough to have been everywhere
ANSWERS = 12  # after an upgrade


def main() -> None:
    """Write everything anew."""
    import django

    django.setup()
    from django.conf import settings
    from django.db.migrations.loader import MigrationLoader

    from engine.records import model
    from tests.engine.records.making import played

    RELEASED.mkdir(exist_ok=True)
    leaves = dict(leaf for leaf in MigrationLoader(None).graph.leaf_nodes() if leaf[0] in APPS)
    TABLES.write_text(json.dumps(leaves, indent=2) + "\n")
    for name, (rules, seats, options) in GAMES.items():
        record = played(rules, seats, most=MOST_STEPS, **options)
        (RELEASED / f"{name}-{record.rules_version}.json").write_bytes(model.dump(record))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.sqlite3"
        run("manage.py", "migrate", "-v", "0", url=f"sqlite:///{path}", folder=path.parent)
        kept = run("-m", "tests.config.release", "begin", url=f"sqlite:///{path}", folder=path.parent)
        with closing(sqlite3.connect(path)) as made:
            dump = "\n".join([f"-- {kept.strip()}", *made.iterdump()])
    (RELEASED / f"{settings.VERSION}.sql.gz").write_bytes(gzip.compress(dump.encode(), mtime=0))


def run(*command: str, url: str, folder: Path, code: Path | None = None) -> str:
    """Runs Python on a database, with keys that are always the same; returns what it prints.

    Arguments:
        code: of another version; None for this one.
    """
    environment = os.environ | {
        "DATABASE_URL": url,
        "VAR_DIR": str(folder),
        "SECRET_KEY": "the-same-for-every-version-of-these-tests-0123456789",
    }
    done = subprocess.run(
        [sys.executable, *command], cwd=code, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def begin() -> None:
    """Fills an empty database: a game that waits, one that is over, talk, emails not yet sent, somebody signed in.

    Prints a link of an email and a cookie.
    """
    from django.conf import settings
    from django.test import Client

    from games.play import decision_links, table_talk
    from tests.games import conftest as people
    from tests.games.letters.conftest import end_soon

    anna, *_others = [people.make_user(name) for name in people.THREE]
    now = at(dt.timedelta(0))
    magic = {"version": "magic", "tally": "plan"}
    waiting = people.to_placing(people.of_three(now, options=magic), now)
    people.answer(waiting, people.open_rows(waiting)[0], now)
    table_talk.say(game_id=waiting.pk, user=anna, text="Have fun!", now=now)
    end_soon(people.cave_of_three(now), anna, now)
    client = Client()
    client.force_login(anna)
    row = people.open_rows(waiting)[0]
    print(json.dumps([urlsplit(decision_links.act_url(row)).path, client.cookies[settings.SESSION_COOKIE_NAME].value]))


def play_on(link: str, cookie: str) -> None:
    """Goes on in such a database: the link and the cookie are good, emails go out, and the game is played."""
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse

    from config.ticker import tick_once
    from games.models import Game
    from games.play.replay import replay
    from notifications.models import StoredMail
    from tests.games import conftest as people

    now = at(dt.timedelta(hours=1))
    client = Client(SERVER_NAME="localhost")
    assert client.get(link).status_code == 200
    client.cookies[settings.SESSION_COOKIE_NAME] = cookie
    assert client.get(reverse("my_games")).status_code == 200
    assert tick_once()
    while not StoredMail.objects.exists():  # a tick begins deliveries, and waits for none
        time.sleep(0.05)
    waiting, over = Game.objects.order_by("pk")
    before = waiting.seq
    for step in range(ANSWERS):
        people.settle(now)
        row = people.open_rows(waiting)[0]
        people.answer(waiting, row, now, people.some_answer(people.fresh(waiting), row, step))
    assert people.fresh(waiting).seq >= before + ANSWERS
    assert [replay(people.fresh(game)).moves for game in (waiting, over)] == [people.fresh(waiting).seq, over.seq]


def at(later: dt.timedelta) -> dt.datetime:
    """Lets this process go by a clock that stands still, so long after the database was made."""
    from notifications.clock import present
    from tests.conftest import NOON

    present.go_by(lambda: NOON + later)
    return NOON + later


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    match sys.argv[1:]:
        case []:
            main()
        case [act, *arguments]:
            import django

            django.setup()
            {"begin": begin, "play_on": play_on}[act](*arguments)
