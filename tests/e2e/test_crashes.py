"""Processes are killed in mid-game: it goes on by itself, and nothing is lost, done twice or left unsaid."""

import os
import threading
import time
from random import Random

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from games.lab.play_by_mail.audit import audit, passes
from games.lab.play_by_mail.game import MailGame, Plan
from games.lab.play_by_mail.service import SmtpServer, running_service

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.long]
# Nobody misses anything, so whoever is passed all the same was done wrong.
PLAN = Plan(players=3, bots=2, options=(("version", "basic"),), seed=8, naughty=0.05, patience=60.0, stall=150.0)
PACE_SECONDS = 120.0
OURS = ("DATABASE_URL", "REDIS_URL")
BLOWS = ("worker", "web", "broker", "flush", "broker and worker", "all", "web", "listener")
ANSWERS_BETWEEN = 5
LONGEST_PAUSE = 0.4  # seconds after an answer: the blow falls anywhere in a turn


class Saboteur:
    """Strikes every so many answers, from a thread of its own, at a moment nobody can foresee."""

    def __init__(self, service):
        self.service = service
        self.struck = []
        self._dice = Random(8)
        self._answers = 0
        self._wake, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._over.set()
        self._wake.set()
        self._thread.join(10)

    def look(self, mail_game):
        self._answers = mail_game.record.answers
        if self._answers >= ANSWERS_BETWEEN * (len(self.struck) + 1):
            self._wake.set()

    def _run(self):
        for blow in BLOWS:
            self._wake.wait()
            if self._over.is_set():
                return
            time.sleep(self._dice.uniform(0, LONGEST_PAUSE))
            self._strike(blow)
            self.struck.append(blow)
            self._wake.clear()

    def _strike(self, blow):
        print(f"--- {blow} after {self._answers} answers")
        service = self.service.service
        if blow == "flush":
            url = service.environment["REDIS_URL"].replace("redis+socket", "unix")
            again = Retry(ConstantBackoff(0.2), 50)  # it may be starting again after the last blow
            redis.Redis.from_url(url, retry=again, retry_on_error=[redis.ConnectionError]).flushall()
        else:
            for name in service.children if blow == "all" else blow.split(" and "):
                service.kill(name)


def test_a_game_survives_every_kill():
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    with (
        SmtpServer() as smtp_server,
        running_service(smtp_server, pace_seconds=PACE_SECONDS, report=print, environment=environment) as service,
        Saboteur(service) as saboteur,
    ):
        mail_game = MailGame(PLAN, service.url, smtp_server, print, after_email=saboteur.look)
        mail_game.run()
        facts = service.settled_facts(mail_game.game_ref)
        replayed = service.replay(mail_game.game_ref)
        deaths = {name: child.deaths for name, child in service.service.children.items()}
    assert saboteur.struck == list(BLOWS)
    assert min(deaths.values()) >= 2
    assert mail_game.record.faults == []
    assert audit(facts, mail_game.record, repeats_allowed=True) == []
    assert passes(facts) == 0
    assert facts.winners
    assert replayed.returncode == 0, replayed.stderr
