"""Real servers for tests, private and short-lived: PostgreSQL and Redis on loopback, in a temporary folder.

A server, or any group of processes, can be frozen for a while: its processes live, and answer nothing.
"""

import contextlib
import grp
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import trustme

from tests import capabilities

START_SECONDS = 120  # all is well in one or two; a machine may be busy


@contextlib.contextmanager
def running_postgres(*settings: str, is_durable: bool = False) -> Iterator[str]:
    """A fresh PostgreSQL; gives the URL of its `postgres` database, stops and removes it afterwards.

    Tests kill processes, not machines: unless it is to be durable nothing waits for the disk.

    Arguments:
        settings: of the server, such as "work_mem=8MB".
    """
    programs = capabilities.postgres_bin()
    assert programs is not None, "no PostgreSQL here"
    owner = _unprivileged_user()
    with _folder_of(owner) as folder:
        data, port = folder / "data", free_port()
        initdb = [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(initdb, check=True, user=owner, cwd=folder, stdout=subprocess.DEVNULL)
        options = ["-h", "127.0.0.1", "-p", str(port), "-k", str(folder)]
        for setting in (f"fsync={'on' if is_durable else 'off'}", "max_connections=200", *settings):
            options += ["-c", setting]
        with _process([programs / "postgres", "-D", data, *options], folder, owner):
            url = f"postgres://postgres@127.0.0.1:{port}/postgres"
            _wait_until(lambda: psycopg.connect(url).close())
            yield url


@contextlib.contextmanager
def running_redis(*options: str) -> Iterator[str]:
    """A fresh Redis-compatible server that never evicts; gives its URL, stops and removes it afterwards."""
    binary = capabilities.redis_binary()
    assert binary is not None, "no Redis here"
    with _folder_of(None) as folder:
        port = free_port()
        fixed = ["--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--save", ""]
        with _process([binary, *fixed, "--maxmemory-policy", "noeviction", *options], folder, None):
            _wait_until(lambda: socket.create_connection(("127.0.0.1", port), 1).close())
            yield f"redis://127.0.0.1:{port}/0"


DOVECOT = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/mail.log
listen = 127.0.0.1
protocols = imap
ssl = required
ssl_cert = <{folder}/server.pem
ssl_key = <{folder}/server.key
mail_location = maildir:{folder}/mail
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/home
}}
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@dataclass(frozen=True)
class Dovecot:
    """A mailbox: its address as REPLY_MAILBOX has it, and whom its certificate is from (a file)."""

    url: str
    authority: Path


@contextlib.contextmanager
def running_dovecot(password: str = "p@ss") -> Iterator[Dovecot]:
    """A fresh Dovecot with one mailbox, by IMAP over TLS."""
    binary = capabilities.dovecot_binary()
    assert binary is not None, "no Dovecot here"
    owner = _unprivileged_user()
    with _folder_of(owner) as folder:
        port, person = free_port(), pwd.getpwuid(os.getuid() if owner is None else owner)
        authority = trustme.CA()
        certificate = authority.issue_cert("localhost")
        authority.cert_pem.write_to_path(folder / "authority.pem")
        certificate.private_key_pem.write_to_path(folder / "server.key")
        certificate.cert_chain_pems[0].write_to_path(folder / "server.pem")
        group = grp.getgrgid(person.pw_gid).gr_name
        facts = {"folder": folder, "port": port, "password": password, "user": person.pw_name, "group": group}
        (folder / "dovecot.conf").write_text(DOVECOT.format(**facts))
        with _process([Path(binary), "-F", "-c", folder / "dovecot.conf"], folder, None):
            _wait_until(lambda: socket.create_connection(("127.0.0.1", port), 1).close())
            yield Dovecot(f"imaps://anna:{quote(password, safe='')}@localhost:{port}/INBOX", folder / "authority.pem")


def processes_of_postgres(url: str) -> list[int]:
    """Returns the server's main process and all that it has started. Raises OperationalError if it is down."""
    with psycopg.connect(url, autocommit=True) as connection:
        status = Path(f"/proc/{connection.info.backend_pid}/status").read_text()
    main = int(status.partition("PPid:")[2].split()[0])
    return [main, *children_of(main)]


def children_of(parent: int) -> list[int]:
    """Returns the processes that one has started, by whichever of its threads, and that still live, oldest first."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                children.append(int(stat.parent.name))
    return sorted(children)


@contextlib.contextmanager
def frozen_postgres(url: str) -> Iterator[None]:
    """Nothing of the server runs until the end of `with`. Raises OperationalError if it is down."""
    main = processes_of_postgres(url)[0]
    os.kill(main, signal.SIGSTOP)  # first: it starts no more of them
    stopped = [main, *children_of(main)]
    try:
        for process in stopped[1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        yield
    finally:
        for process in reversed(stopped):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def free_port() -> int:
    """A port of loopback nobody listens on at this moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _unprivileged_user() -> int | None:
    """Whom PostgreSQL runs as: it refuses root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_uid
    raise RuntimeError("PostgreSQL refuses to run as root and there is no other user")


@contextlib.contextmanager
def _folder_of(owner: int | None) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="caravanserai-"))
    try:
        if owner is not None:
            os.chown(folder, owner, -1)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _process(command: list[str | Path], folder: Path, owner: int | None) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, user=owner, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.send_signal(2)  # PostgreSQL's fast shutdown; Redis ends as well
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until(attempt: object) -> None:
    assert callable(attempt)
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            attempt()
        except (OSError, psycopg.OperationalError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a private PostgreSQL for the whole run."""
    with running_postgres() as url:
        yield url


_numbers = itertools.count(1)


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The address of an empty database on a private PostgreSQL, for one test."""
    name = f"trial_{next(_numbers)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return postgres_server.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The address of an empty private Redis, for one test."""
    with running_redis() as url:
        yield url
