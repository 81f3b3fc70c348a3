"""A whole game from invitation to winner: real pages, a real worker, real mails, and people who act by their links."""

import os
from dataclasses import replace

import pytest

from games.lab.play_by_mail.audit import audit, passes
from games.lab.play_by_mail.game import MailGame, Plan
from games.lab.play_by_mail.service import SmtpServer, running_service

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.long]
# The bot takes what it can get, so that the game is not too long. A dozen misses, not all excused.
PLAN = Plan(players=3, bots=1, options=(("version", "basic"),), seed=5, miss=0.07, naughty=0.2)
PACE_SECONDS = 4.0
OURS = ("DATABASE_URL", "REDIS_URL")


def play(plan, **servers):
    """One game, and everything that must be true of it afterwards."""
    environment = {name: value for name, value in os.environ.items() if name not in OURS} | servers
    with (
        SmtpServer() as smtp_server,
        running_service(smtp_server, pace_seconds=PACE_SECONDS, report=print, environment=environment) as service,
    ):
        mail_game = MailGame(plan, service.url, smtp_server, print)
        mail_game.run()
        facts = service.settled_facts(mail_game.game_ref)
        replayed = service.replay(mail_game.game_ref)
    assert mail_game.record.faults == []
    assert audit(facts, mail_game.record) == []
    assert replayed.returncode == 0, replayed.stderr
    return mail_game, facts


@pytest.mark.marathon  # in every run such a game is played beside kills (test_crashes.py), and a magic one below
def test_a_game_on_embedded_defaults_runs_from_invitation_to_winner():
    mail_game, facts = play(PLAN)
    assert facts.winners
    assert mail_game.record.answers > 100
    assert mail_game.record.misuse.total() > 5
    assert passes(facts) > 0


@pytest.mark.redis
def test_a_magic_game_on_postgresql_and_redis_runs_from_invitation_to_winner(postgres_url, redis_url):
    # A magic game is long; whole ones, and games of several people, are in tests/soak. Nobody knows how much a person
    # answers in this one: whoever stays away twice is passed until the way back is taken.
    plan = replace(PLAN, options=(("version", "magic"), ("length", "short")), bots=2)
    _, facts = play(plan, DATABASE_URL=postgres_url, REDIS_URL=redis_url)
    assert facts.winners
    assert {move.source for move in facts.moves} >= {"link", "bot"}
    assert any(move.answer.startswith("play_") for move in facts.moves)
