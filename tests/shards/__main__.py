"""`python -m tests.shards [--seed 1]`: two PostgreSQL servers, a whole service on each, one proxy before both.

The same three people play a game on each. Accounts are the first server's; the second one follows its tables. Then it
looks into both databases: each has its own game and nothing of the other one, and everybody has signed in once. The
exit status is 0 if that is so. What works by this and what does not: docs/scaling.md.
"""

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import requests

from config.launcher.service import Service
from tests import capabilities
from tests.e2e.programs import ROOT, tokens_of
from tests.servers import free_port
from tests.shards.databases import look, share_accounts, stop_sharing, two_servers
from tests.shards.front import proxy

sys.path.insert(0, str(ROOT / "docs" / "examples"))
from caravanserai import Caravanserai, Refused  # as a program that was copied somewhere imports it
from sample_bot import throw

NAMES = ("Anna", "Ben", "Carla")
HOME, OTHER = "a", "b"  # with what the references of each shard begin
RULES = "cave-of-wonders"
PATIENCE = 120.0  # seconds for what another process does
SECRET = "rehearsal-" * 6
GAMES = "SELECT ref FROM games_game ORDER BY ref"
MOVES = "SELECT count(*) FROM games_move"
PEOPLE = "SELECT id, email FROM games_user ORDER BY id"
SIGN_INS = "SELECT count(*) FROM games_signin"
SESSIONS = "SELECT session_key FROM games_session WHERE user_id IS NOT NULL"
MAILS = "SELECT text FROM notifications_storedmail ORDER BY id"
NOTICES = "SELECT count(*) FROM notifications_notice"


def main(arguments: list[str]) -> int:
    """Rehearses; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.shards", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if capabilities.postgres_bin() is None or capabilities.caddy_binary() is None:
        print("It needs PostgreSQL and Caddy.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="shards-") as folder, two_servers() as (home, other):
        return Rehearsal(Path(folder), home, other, Random(options.seed)).whole()


class Rehearsal:
    """Both shards and what was found. A shard is a service of its own: web, worker, broker, database.

    Arguments:
        home, other: the databases; the first one has the accounts.
    """

    def __init__(self, folder: Path, home: str, other: str, dice: Random) -> None:
        self.folder, self.dice, self.databases = folder, dice, {HOME: home, OTHER: other}
        self.front = free_port()
        self.shards = {name: self._service(name, url) for name, url in self.databases.items()}
        self.faults: list[str] = []

    def _service(self, name: str, database: str) -> Service:
        environment = {
            "PATH": str(Path(sys.executable).parent),
            "DATABASE_URL": database,
            "REF_PREFIX": name,
            "SECRET_KEY": SECRET,  # the same: links and sessions are good on both
            "SITE_URL": f"http://127.0.0.1:{self.front}",
            "VAR_DIR": str(self.folder / name),
            "PORT": "0",
            "TICK_SECONDS": "0.2",
            "REVIEW_SECONDS": "0",
            "GUESTS_AT_ONCE": "0",  # who plays without an account would be a new person of the second server's own
        }
        return Service(environment, report=lambda _line: None)

    def whole(self) -> int:
        """Starts both, plays, and looks into the databases; returns the exit status."""
        for shard in self.shards.values():
            shard.prepare()
        share_accounts(self.databases[HOME], self.databases[OTHER])
        ports = [shard.port for shard in self.shards.values()]
        try:
            for shard in self.shards.values():
                shard.start()
            for shard in self.shards.values():
                shard.wait_ready(PATIENCE)
            with proxy(self.folder, self.front, *ports, prefix=OTHER) as address:
                self._play(address)
        finally:
            for shard in self.shards.values():
                shard.stop()
            stop_sharing(self.databases[OTHER])
        return 1 if self.faults else 0

    def _play(self, address: str) -> None:
        tokens = tokens_of(self.shards[HOME], *NAMES)
        anna = self._sign_in(address, "anna@example.org")
        _until(lambda: self._same(PEOPLE) and self._same(SESSIONS), "the accounts are on both servers")
        refs = [self._game(address, name, tokens) for name in self.shards]
        for ref in refs:
            page = anna.get(f"{address}/table/{ref}/", timeout=30)
            self._expect("Sign out" in page.text and page.ok, f"Anna, signed in once, sees table {ref} as herself")
        self._look_inside(refs)
        listed = list(Caravanserai(address, tokens[0]).games())
        print(f"not yet: “my games” behind the proxy lists {len(listed)} of the {len(refs)} games", flush=True)

    def _sign_in(self, address: str, email: str) -> requests.Session:
        """A browser whose person follows a sign-in link, once, at the home of the accounts."""
        command = [sys.executable, "manage.py", "sign_in_link", email]
        environment = self.shards[HOME].environment
        made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        browser = requests.Session()
        page = browser.get(made.stdout.strip(), timeout=30)
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        asked_who = browser.post(page.url, data=fields, headers={"Referer": page.url}, timeout=30)
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', asked_who.text)) | {
            "person": "me"
        }
        browser.post(asked_who.url, data=fields, headers={"Referer": page.url}, timeout=30).raise_for_status()
        return browser

    def _game(self, address: str, name: str, tokens: list[str]) -> str:
        """A game on one shard from its opening to its end, by the API. Returns its reference."""
        door = f"http://127.0.0.1:{self.shards[name].port}"  # where a table stands is chosen when it is opened
        ref: str = Caravanserai(door, tokens[0]).open_table(RULES, len(tokens), is_listed=True)["ref"]
        host, *guests = people = [Caravanserai(address, token) for token in tokens]
        for guest in guests:
            guest.join(ref)
        host.start(ref)
        self._follow_mail(address, name)
        began = time.monotonic()
        while host.game(ref)["status"] == "running":
            assert time.monotonic() - began < 10 * PATIENCE, f"game {ref} does not end"
            for person in people:
                self._answer_all(person, ref)
        print(f"game {ref} was played to its end in {time.monotonic() - began:.0f} s", flush=True)
        return ref

    def _follow_mail(self, address: str, name: str) -> None:
        """The first email about a question has a link that leads to it, through the proxy and without signing in."""
        links: list[str] = []

        def is_told() -> bool:
            texts = (text for (text,) in look(self.databases[name], MAILS))
            links.extend(link for text in texts for link in re.findall(rf"{address}/act/\w+/\w+/", text))
            return bool(links)

        _until(is_told, f"an email of database {name} asks")
        page = requests.get(links[0], timeout=30)
        self._expect(page.ok and f"/act/{name}" in links[0], f"the email’s link is answered by database {name}")

    def _answer_all(self, person: Any, ref: str) -> None:
        for question in person.decisions(ref):
            with contextlib.suppress(Refused):  # what another answer has just settled
                person.answer(ref, question["code"], throw(question, self.dice))

    def _look_inside(self, refs: list[str]) -> None:
        for name, database in self.databases.items():
            own = [ref for (ref,) in look(database, GAMES)]
            expected = [ref for ref in refs if ref.startswith(name)]
            self._expect(own == expected, f"database {name} has its own game only: {own}")
            moves, notices = (look(database, query)[0][0] for query in (MOVES, NOTICES))
            self._expect(moves > 0 and notices > 0, f"database {name} has {moves} moves, {notices} notices of its own")
        self._expect(self._same(PEOPLE), f"both know the same {len(look(self.databases[HOME], PEOPLE))} people")
        sessions = look(self.databases[OTHER], SESSIONS)
        self._expect(len(sessions) == 1 and self._same(SESSIONS), "Anna has one session, and both know it")
        self._expect(look(self.databases[OTHER], SIGN_INS) == [(0,)], f"nobody has signed in at {OTHER}")

    def _same(self, query: str) -> bool:
        home, other = (look(database, query) for database in self.databases.values())
        return bool(home) and home == other

    def _expect(self, is_so: bool, what: str) -> None:
        print(f"{'yes' if is_so else 'NO '}: {what}", flush=True)
        if not is_so:
            self.faults.append(what)


def _until(is_so: Callable[[], Any], what: str) -> None:
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < PATIENCE, f"never happened: {what}"
        time.sleep(0.1)
    print(f"yes: {what}, {time.monotonic() - began:.1f} s later")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
