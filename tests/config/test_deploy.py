"""What lies in deploy/ fits the service: each command is one that there is, each variable one that is read.

Each file is one that its program takes; tests/e2e/test_deployment.py runs the commands.
"""

import http.client
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from config.celery import app
from config.environment import ALL
from tests.bench.waiting import until_listening
from tests.deployment import DEPLOY, ROOT, UNITS, copied, ours, services, unit_commands
from tests.servers import free_port

OF_COMPOSE = {"POSTGRES_PASSWORD"}
BY_ANOTHER_NAME = {"web": "web@1", "worker": "worker@1"}
OWN = {
    "--bind",
    "-n",
    "-c",
    "--into",
}  # where it listens, who it is, how large, where it writes: each place has its own
INSTALLED = Path(sys.executable).parent


def check(words: list[str]) -> None:
    """The part of a command that names a program of ours."""
    if words[0] == "sh":
        words = words[2].split()
    if "manage.py" in words:
        assert words[words.index("manage.py") + 1].rstrip(";") in get_commands()
    elif "-m" in words:
        assert (ROOT / f"{words[words.index('-m') + 1].replace('.', '/')}.py").exists()
    else:
        assert words[0] in ("gunicorn", "celery", "restic")


def common(words: list[str]) -> list[str]:
    """A command without what differs from place to place."""
    return [word for before, word in zip(["", *words], words, strict=False) if not {before, word} & OWN]


@pytest.mark.parametrize("words", [*ours().values(), *unit_commands().values()], ids=" ".join)
def test_each_command_is_one_that_there_is(words):
    check(words)


@pytest.mark.parametrize("name", [name for name in ours() if name != "backup"])
def test_units_and_compose_file_run_the_same(name):
    assert common(ours()[name]) == common(unit_commands()[BY_ANOTHER_NAME.get(name, name)])


def test_both_back_up_alike():
    assert " ".join(common(unit_commands()["backup"])) in " ".join(common(ours()["backup"][2].split()))


def test_every_queue_has_its_worker_in_both():
    queues = {route["queue"] for route in app.conf.task_routes.values()}
    for commands in (ours(), unit_commands()):
        (listened,) = [words[words.index("-Q") + 1] for words in commands.values() if "-Q" in words]
        assert sorted(listened.split(",")) == sorted(queues)


def test_there_is_a_server_for_everything_and_a_proxy():
    assert set(services()) == {"postgres", "redis", "proxy", "backup", "prepare", "web", "worker", "listener"}
    assert {"backup", "prepare", "web@1", "worker@1", "listener"} <= set(unit_commands())
    assert (DEPLOY / "caravanserai-backup.timer").exists()


def test_whatever_runs_on_is_asked_how_it_fares():
    silent = [name for name, one in services().items() if one.get("healthcheck", {}).get("disable")]
    assert silent == ["prepare"]  # it ends
    asked = "HEALTHCHECK" in (DEPLOY / "Dockerfile").read_text()
    assert asked, "that of the webs is the image's"


def test_nothing_of_ours_is_root():
    assert re.findall(r"^USER (\d+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE) == ["10001"]
    for unit in UNITS:
        text = unit.read_text()
        assert "\nUser=caravanserai\n" in text, unit.name
        assert "\nNoNewPrivileges=yes\n" in text, unit.name
        assert "\nProtectSystem=strict\n" in text, unit.name


MOST_EXPOSED = 3.0  # of 10, as systemd counts it


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_may_do_little_beside_its_work(systemd_analyze: str, unit: Path) -> None:
    said = subprocess.run(
        [systemd_analyze, "security", "--offline=true", unit], capture_output=True, text=True, check=True
    )
    (level,) = re.findall(r"exposure level for .*: ([\d.]+)", said.stdout)
    assert float(level) <= MOST_EXPOSED, said.stdout


def test_every_variable_of_the_example_is_read():
    names = set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE)) - OF_COMPOSE
    assert {"REPLY_ADDRESS", "MAIL_AUTHSERV_ID", "MAIL_LISTEN", "MAIL_PROVIDER"} <= names
    assert sorted(names - set(ALL)) == []


def test_the_image_takes_what_there_is_and_what_is_let_through():
    let_through = re.findall(r"^!(\S+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert sorted(source for source, _target in copied()) == sorted(let_through)
    assert [source for source in let_through if not (ROOT / source).exists()] == []


def test_every_page_of_the_manual_that_starts_a_unit_names_one_that_there_is():
    known = {f"caravanserai-{name}" for name in unit_commands()} | {
        "caravanserai-backup.timer",
        "caravanserai-web@1.socket",
    }
    for page in (DEPLOY / "README.md", ROOT / "docs" / "upgrading.md"):
        named = set(re.findall(r"\bcaravanserai-[a-z]+(?:@[a-z0-9]+|\.timer)?(?=[\s,`]|$)", page.read_text()))
        assert named, page
        assert named <= known, page


def said(*command: object) -> str:
    """What a program says when it is not content."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def test_hadolint_takes_the_dockerfile():
    assert said(INSTALLED / "hadolint", DEPLOY / "Dockerfile") == ""


@pytest.mark.slow
def test_the_compose_file_follows_its_schema():
    checker = ["check_jsonschema", "--builtin-schema", "compose-spec"]
    assert said(sys.executable, "-m", *checker, DEPLOY / "compose.yaml") == ""


def test_systemd_takes_every_unit(systemd_analyze, tmp_path):
    for path in (
        *UNITS,
        *DEPLOY.glob("*.timer"),
        *DEPLOY.glob("*.socket"),
    ):  # with a program that is there, for ours are not in /opt
        text = re.sub(r"^(Exec\w+)=/\S+", r"\1=/bin/true", path.read_text(), flags=re.M)
        (tmp_path / path.name.replace("@.", "@1.")).write_text(text)
    command = [systemd_analyze, "verify", "--man=no", *map(str, tmp_path.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")  # of a word it does not know it only warns


def test_caddy_takes_its_file(caddy, tmp_path):
    shutil.copy(DEPLOY / "Caddyfile", tmp_path)
    environment = {"SITE_URL": "https://play.example.org", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    command = [caddy, "validate", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "not formatted" not in done.stderr


def test_the_proxy_says_of_what_is_too_large_that_it_is(caddy, tmp_path):
    """Beyond what the service itself refuses in words."""
    ports = {name: free_port() for name in ("HTTP_PORT", "secure", "web")}
    environment = {"SITE_URL": f"https://localhost:{ports['secure']}", "WEBS": f"127.0.0.1:{ports['web']}"}
    environment |= {"HTTP_PORT": str(ports["HTTP_PORT"]), "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    command = [caddy, "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as proxy:
        try:
            until_listening(ports["HTTP_PORT"])
            for path, size, is_refused in (
                ("/", 6_000_000, True), ("/", 123_456_789, True), ("/anymail/mailgun/inbound/", 35_000_000, False),
            ):  # fmt: skip
                connection = http.client.HTTPConnection("127.0.0.1", ports["HTTP_PORT"], timeout=10)
                connection.putrequest("POST", path)
                connection.putheader("Content-Length", str(size))
                connection.endheaders()
                if is_refused:
                    answer = connection.getresponse()
                    assert (answer.status, answer.read()) == (413, b"What you sent is too large.")
                else:  # it waits for all of it
                    connection.sock.settimeout(1)
                    with pytest.raises(TimeoutError):
                        connection.getresponse()
                connection.close()
        finally:
            proxy.kill()  # it would wait for whoever is still sending
