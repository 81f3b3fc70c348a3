"""The sample bot plays whole games of both rule sets against a real service, by nothing but the API."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from config.launcher.service import Service
from tests.e2e.programs import ROOT, tokens_of

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.long]

EXAMPLES = ROOT / "docs" / "examples"
PATIENCE = 600


@pytest.fixture
def client() -> Iterator[type[Any]]:
    """The client, as a program that was copied somewhere would import it."""
    sys.path.insert(0, str(EXAMPLES))
    from caravanserai import Caravanserai

    yield Caravanserai
    sys.path.remove(str(EXAMPLES))


def program(service: Service, folder: Path, token: str, *options: str) -> "subprocess.Popen[str]":
    """The bot, copied away from the service's code."""
    folder.mkdir(exist_ok=True)
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, folder)
    command = [sys.executable, "sample_bot.py", service.url, "--every", "0.2", "--seed", "7", *options]
    environment = {"PATH": os.environ["PATH"], "CARAVANSERAI_TOKEN": token}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_it_plays_both_games_to_their_end(service: Service, tmp_path: Path, client: Callable[..., Any]) -> None:
    """Anna's program plays both. Another account is invited to the cave and sits down by itself, and so does the bot
    account that Ben has made: its program plays with its own token, hears that it is asked, and is started again in
    between. Meanwhile two of Ben's bots play a match."""
    annas, robots, bens = tokens_of(service, "Anna", "Robot", "Ben")
    with client(service.url, annas) as anna, client(service.url, robots) as robot, client(service.url, bens) as ben:
        account = ben.call("POST", "me/bots/", {"name": "Robo", "is_for_all": True})
        robos = ben.call("POST", f"me/bots/{account['ref']}/token/")["key"]
        ben.call("PATCH", f"me/bots/{account['ref']}/takes/", {"answers_invitations": True})
        ada = ben.call("POST", "me/bots/", {"name": "Ada"})
        adas = ben.call("POST", f"me/bots/{ada['ref']}/token/")["key"]
        match = ben.call("POST", "matches/", {"rules": "cave-of-wonders", "bots": ["Robo", "Ada"], "games": 1})
        dragons = anna.open_table("aladdins-dragons", 3, bots=["greedy", "greedy"], options={"tokens_per_turn": "8"})
        cave = anna.open_table("cave-of-wonders", 3)
        assert len(anna.call("POST", f"games/{cave['ref']}/seats/", {"bot": "Robo"})["seats"]) == 1
        anna.call("POST", f"games/{cave['ref']}/invitations/", {"address": "robot@example.org"})
        listening = ("--joins", "--listens", "--place", "place")
        others = [
            program(service, tmp_path / "robot", robots, "--joins"),
            program(service, tmp_path / "ada", adas),
            program(service, tmp_path / "robo", robos, *listening),
        ]
        try:
            while len(anna.game(cave["ref"])["seats"]) < 3:
                assert [other.poll() for other in others] == [None] * 3
            assert {seat["owner"] for seat in anna.game(cave["ref"])["seats"]} == {None, "Ben"}
            for table in (dragons, cave):
                anna.start(table["ref"])
            stopped = others.pop()
            stopped.kill()
            stopped.communicate()
            others.append(program(service, tmp_path / "robo", robos, *listening))
            host = program(service, tmp_path / "anna", annas, "--until-over")
            said, _nothing = host.communicate(timeout=PATIENCE)
            while (shown := ben.call("GET", f"matches/{match['ref']}/"))["status"] == "running":
                time.sleep(1)
        finally:
            for other in others:
                other.kill()
                other.communicate()
        assert host.returncode == 0, said
        assert (tmp_path / "robo" / "place").read_text()
        assert sum(row["wins"] for row in shown["results"]) >= 1 and shown["played"][0]["status"] == "finished"
        for table in (dragons, cave):
            over = anna.game(table["ref"])
            assert (over["status"], over["outcome"]["ending"]) == ("finished", "complete")
            assert anna.call("POST", f"games/{table['ref']}/verify/")["fault"] == ""
        assert [game["ref"] for game in robot.games(status="finished")] == [cave["ref"]]
    with client(service.url, robos) as robo:
        finished = {game["ref"] for game in robo.games(status="finished")}
        assert finished == {cave["ref"], shown["played"][0]["game_ref"]}
        assert robo.me()["owner"] == "Ben"
