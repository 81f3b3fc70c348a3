"""Settings that do not fit together are said at start-up, by number."""

import re
from collections import Counter
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.checks import registry, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from environ import Env

from config import checks
from config.services import object_of, server_at
from games.models import Game, User
from notifications.clock import present

GOOD = {
    "SITE_URL": "https://play.example.org",
    "DEFAULT_FROM_EMAIL": "Caravanserai <games@play.example.org>",
    "EMAIL_URL": "smtp+tls://mail.example.org",
    "SECRET_KEY": "jY3kqZ0w8vTn5RbXc2Lm7PsHd4Fg6AeU",
    "SECRET_KEY_IS_GENERATED": False,
    "LINK_KEY": "0123456789abcdef" * 4,
    "SUPPRESSION_KEY": "0123456789abcdef" * 4,
    "SEALING_KEYS": ["0123456789abcdef" * 4],
    "METRICS_TOKEN": "",
    "MAIL_EVENTS_SECRET": "",
    "ALLOWED_HOSTS": ["play.example.org"],
    "WEBHOOK_ALLOW_INSECURE": False,
    "STAFF_SECOND_FACTOR": True,
    "IS_PRODUCTION": True,
    "DEBUG": False,
    "REDIS_URL": "redis://127.0.0.1:6379/0",
    "TICK_SECONDS": 2.0,
    "REPLY_ADDRESS": "reply+{token}@play.example.org",
    "BOUNCE_ADDRESS": "bounce+{token}@play.example.org",
    "MAIL_AUTHSERV_ID": "mx.play.example.org",
}
HOME = {
    "SITE_URL": "http://localhost:8000",
    "IS_PRODUCTION": False,
    "EMAIL_URL": "mailbox://",
    "SECRET_KEY_IS_GENERATED": True,
    "DEBUG": True,
}
OPEN = HOME | {"SITE_URL": "http://play.example.org", "EMAIL_URL": "smtp+tls://mail.example.org", "DEBUG": False}


def ids(settings, changes):
    for name, value in (GOOD | changes).items():
        setattr(settings, name, value)
    return [message.id for message in run_checks() if message.id and message.id.startswith("config.")]


@pytest.mark.parametrize("changes", [{}, HOME], ids=["in production", "at home"])
def test_a_sensible_set_of_settings_passes(settings, monkeypatch, changes):
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", "/var/lib/caravanserai/caravanserai.sqlite3")
    assert ids(settings, changes) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"SITE_URL": "play.example.org", "IS_PRODUCTION": False}, "config.E001"),
        ({"SITE_URL": "ftp://play.example.org", "IS_PRODUCTION": False}, "config.E001"),
        ({"SITE_URL": "https://", "IS_PRODUCTION": False}, "config.E001"),
        ({"REF_PREFIX": "ab"}, "config.E021"),
        ({"REF_PREFIX": "7"}, "config.E021"),
        ({"DEFAULT_FROM_EMAIL": "Caravanserai"}, "config.E002"),
        ({"DEFAULT_FROM_EMAIL": "games@"}, "config.E002"),
        ({"DEFAULT_FROM_EMAIL": "Games, and more <games@example.org>"}, "config.E002"),
        ({"EMAIL_URL": "mailbox://"}, "config.E003"),
        ({"SECRET_KEY_IS_GENERATED": True}, "config.E004"),
        ({"DEBUG": True}, "config.E005"),
        (OPEN, "config.W001"),
        ({"SITE_URL": "http://play.example.org"}, "config.E009"),
        ({"SECRET_KEY": "too short for a key"}, "config.E010"),
        ({"SECRET_KEY": "ab" * 30}, "config.E010"),
        ({"SECRET_KEY": "fifty-random-characters-that-you-keep-to-yourself"}, "config.E010"),
        ({"LINK_KEY": "secret"}, "config.E010"),
        ({"SUPPRESSION_KEY": "secret"}, "config.E010"),
        ({"SEALING_KEYS": ["0123456789abcdef" * 4, "secret"]}, "config.E010"),
        ({"ALLOWED_HOSTS": ["play.example.org", "*"]}, "config.E011"),
        ({"METRICS_TOKEN": "metrics"}, "config.E013"),
        ({"MAIL_EVENTS_SECRET": "a-long-name-and-a:pass"}, "config.E013"),
        ({"MAIL_EVENTS_SECRET": "long-enough-but-without-a-name"}, "config.E017"),
        ({"VAPID_PRIVATE_KEY": "no key"}, "config.E018"),
        ({"VAPID_PRIVATE_KEY": "AAAA"}, "config.E018"),
        ({"VAPID_CONTACT": "games@play.example.org"}, "config.E019"),
        ({"VAPID_CONTACT": "mailto:"}, "config.E019"),
        ({"VAPID_CONTACT": "https:///nowhere"}, "config.E019"),
        ({"WEBHOOK_ALLOW_INSECURE": True}, "config.E014"),
        ({"EMAIL_URL": "smtp://mail.example.org"}, "config.W004"),
        ({"STAFF_SECOND_FACTOR": False}, "config.W005"),
        (OPEN | {"EMAIL_URL": "mailbox://"}, "config.W002"),
        ({"REDIS_URL": "redis://redis.example.org/0"}, "config.E006"),
        ({"TICK_SECONDS": 0}, "config.E007"),
        ({"TICK_SECONDS": 61}, "config.E007"),
        ({"REPLY_ADDRESS": "reply@play.example.org"}, "config.E008"),
        ({"REPLY_ADDRESS": "{token}"}, "config.E008"),
        ({"REPLY_ADDRESS": f"{'x' * 26}{{token}}@play.example.org"}, "config.E008"),
        ({"BOUNCE_ADDRESS": "bounce@play.example.org"}, "config.E008"),
        ({"BOUNCE_ADDRESS": "bounce+{token}@play.example.org."}, "config.E008"),
        ({"BOUNCE_ADDRESS": "bounce+{token}@play.example.org, b@example.org"}, "config.E008"),
        ({"BOUNCE_ADDRESS": f"{'x' * 18}{{token}}@play.example.org"}, "config.E008"),
        ({"MAIL_AUTHSERV_ID": ""}, "config.W003"),
        ({"MAIL_PROVIDER": "postmrk", "EMAIL_BACKEND": "anymail.backends.postmrk.EmailBackend"}, "config.E015"),
        ({"MAIL_PROVIDER": "postmark", "EMAIL_BACKEND": "anymail.backends.postmark.EmailBackend"}, "config.E015"),
    ],
)
def test_each_fault_has_its_number(settings, monkeypatch, changes, expected):
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", "/var/lib/caravanserai/caravanserai.sqlite3")
    assert ids(settings, changes) == [expected]


@pytest.mark.parametrize(
    "url",
    [
        "smtp+tls://games:s3cr#et@mail.example.org:587",
        "smtp+tls://games:s3cr/et@mail.example.org:587",
        "smtp+tsl://games:s3cret@mail.example.org",
        "mail.example.org",
    ],
)
def test_a_mail_server_that_cannot_be_read_is_named_without_its_password(url):
    with pytest.raises(ImproperlyConfigured, match=r"^EMAIL_URL cannot be read.*%23") as raised:
        server_at(url, Env().email_url_config)
    assert "s3cr" not in str(raised.value)


def test_a_mail_server_has_the_port_of_its_kind_and_any_password():
    read = partial(server_at, parse=Env().email_url_config)
    ports = [read(f"{kind}://mail.example.org")["EMAIL_PORT"] for kind in ("smtp+tls", "smtp+ssl", "smtp")]
    assert ports == [587, 465, 25]
    found = read("smtp+tls://games@example.org:s3cr%23%2Fet@mail.example.org:2525")
    assert found["EMAIL_PORT"] == 2525
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("games@example.org", "s3cr#/et")


@pytest.mark.parametrize("text", ["{'KEY': 'x'}", "[]", "KEY=s3cret"])
def test_what_a_provider_needs_is_json_or_named(text):
    with pytest.raises(ImproperlyConfigured, match=r"^MAIL_PROVIDER_SETTINGS must be a JSON object") as raised:
        object_of("MAIL_PROVIDER_SETTINGS", text)
    assert "s3cret" not in str(raised.value)


def test_debug_is_refused_wherever_others_reach_the_site(settings):
    assert "config.E005" in ids(settings, OPEN | {"DEBUG": True})


@pytest.mark.parametrize("name", ["/tmp/var/games.sqlite3", Path("/run/games.sqlite3")])  # noqa: S108
def test_a_database_where_machines_tidy_up_is_refused_in_production(settings, monkeypatch, name):
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", name)
    assert ids(settings, {}) == ["config.E012"]
    assert ids(settings, HOME) == []


def test_a_broker_elsewhere_is_fine_with_postgresql(settings, monkeypatch):
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    assert ids(settings, {"REDIS_URL": "redis://redis.example.org/0"}) == []


def test_no_check_shares_its_number_with_another():
    """One call of a message each, but for E013, which says the same of two secrets in one loop."""
    sources = "".join(path.read_text() for path in Path(checks.__file__).parent.glob("*.py"))
    used = re.findall(r'id="(config\.[EW]\d+)"', sources)
    assert len(set(used)) > 20 and [number for number, times in Counter(used).items() if times > 1] == []


@pytest.mark.parametrize(("is_production", "expected"), [(True, ["config.W006"]), (False, [])])
def test_sqlite_in_production_is_a_warning_of_check_deploy(settings, monkeypatch, is_production, expected):
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    monkeypatch.setattr(checks, "_games_held", dict)
    monkeypatch.setattr(checks, "_database_size", lambda: (0, None))
    settings.IS_PRODUCTION = is_production
    said = run_checks(include_deployment_checks=True)
    assert [message.id for message in said if message.id == "config.W006"] == expected
    assert "config.W006" not in [message.id for message in run_checks()]


GIGABYTE = 1_000_000_000


@pytest.fixture
def machine(monkeypatch):
    """A machine with so much memory, and so much room for a database of so many games."""

    def make(memory, room, running, ended=0):
        monkeypatch.setattr(checks, "_games_held", lambda: {"aladdins-dragons": (running, ended)})
        monkeypatch.setattr(checks, "_database_size", lambda: (0, Path("/")))
        monkeypatch.setattr(checks, "memory_limit", lambda: memory)
        monkeypatch.setattr(checks.shutil, "disk_usage", lambda folder: SimpleNamespace(free=room))
        return [(message.id, message.msg) for message in checks.check_machine()]

    return make


def test_a_machine_that_is_large_enough_is_not_spoken_of(machine):
    assert machine(2 * GIGABYTE, 40 * GIGABYTE, running=5_000) == []


def test_too_little_memory_is_said_with_the_figures(machine):
    ((number, words),) = machine(GIGABYTE // 2, 40 * GIGABYTE, running=10)
    assert number == "config.W025" and "has 500 MB" in words and "take 710 MB" in words


@pytest.mark.parametrize(("running", "ended"), [(10_000, 0), (0, 200_000)])
def test_a_disk_that_will_be_full_is_said_with_the_figures(machine, running, ended):
    ((number, words),) = machine(2 * GIGABYTE, 20 * GIGABYTE, running, ended)
    assert number == "config.W026" and "of 20,000 MB" in words and f"{running:,} running games" in words


def test_a_database_that_is_away_is_said_by_others(machine, monkeypatch):
    machine(GIGABYTE, GIGABYTE, 0)

    def away():
        raise OperationalError("no route to host")

    monkeypatch.setattr(checks, "_games_held", away)
    assert list(checks.check_machine()) == []


@pytest.mark.django_db
def test_the_games_of_this_database_are_counted():
    host = User.objects.create_user("anna@example.org", name="Anna")
    table = {"host": host, "rules_name": "gops", "rules_version": 1, "seat_count": 2, "expires_at": present.now()}
    for status, finished in (("running", None), ("finished", present.now()), ("open", None)):
        Game.objects.create(**table, status=status, finished_at=finished)
    assert checks._games_held() == {"gops": (1, 1)}
    assert list(checks.check_machine()) == []


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("0::/box", "box/memory.max"),
        ("0::/box/inner", "box/memory.max"),
        ("9:memory:/box", "memory/box/memory.limit_in_bytes"),
    ],
)
def test_the_limit_of_a_container_counts_as_memory(monkeypatch, tmp_path, line, file):
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("400000000\n")
    read = Path.read_text
    monkeypatch.setattr(checks, "CGROUPS", tmp_path)
    monkeypatch.setattr(Path, "read_text", lambda path: line if str(path) == "/proc/self/cgroup" else read(path))
    assert checks.memory_limit() == 400_000_000


def test_check_deploy_looks_at_the_machine():
    assert checks.check_machine in registry.registry.deployment_checks
