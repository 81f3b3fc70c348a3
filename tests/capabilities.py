"""What this machine can test: which servers and browsers are here, and what to install for those that are not."""

import functools
import os
import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from config import services

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FORMER_RELEASE = "54e8e575bf7e9a839f314272a4b5da4c4b375088"  # 1.0.0
REDIS_NAMES = ("valkey-server", "redis-server")
GETTEXT_NAMES = ("msgfmt", "msgmerge", "msguniq", "msgattrib", "xgettext")


@functools.cache
def postgres_bin() -> Path | None:
    """The folder of PostgreSQL's initdb and postgres, the newest version's if there are several."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def _version(folder: Path) -> int:
    return int(folder.parent.name) if folder.parent.name.isdigit() else 0


@functools.cache
def redis_binary() -> str | None:
    """A Redis-compatible server: one that is installed, else the one that came with the Python packages."""
    installed = next((path for path in map(shutil.which, REDIS_NAMES) if path), None)
    if installed:
        return installed
    return services.find_broker_binary()


@functools.cache
def node_binary() -> str | None:
    """What runs the documentation's JavaScript."""
    return shutil.which("node")


NPM_PACKAGES = Path(__file__).resolve().parent / "clients" / "node_modules"


def npm_packages() -> Path | None:
    """The packages of tests/clients, as `npm ci` there leaves them; .ci/run calls it."""
    return NPM_PACKAGES if node_binary() and (NPM_PACKAGES / ".package-lock.json").exists() else None


def nu_checker() -> list[str] | None:
    """The command of the Nu HTML checker, which is one of the packages of tests/clients and runs on Java."""
    java, archive = shutil.which("java"), NPM_PACKAGES / "vnu-jar" / "build" / "dist" / "vnu.jar"
    quick = ["-Xss4m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # compiled once: half the processor time
    return [java, *quick, "-jar", str(archive)] if java and archive.exists() else None


@functools.cache
def chromium_binary() -> str | None:
    """The browser the browser suite drives."""
    return next((path for path in map(shutil.which, CHROMIUM_NAMES) if path), None)


@functools.cache
def caddy_binary() -> str | None:
    """The proxy of deploy/."""
    return shutil.which("caddy")


@functools.cache
def dovecot_binary() -> str | None:
    """A mail server with mailboxes that are read by IMAP."""
    return next(filter(None, map(shutil.which, ("dovecot", "/usr/sbin/dovecot"))), None)


@functools.cache
def systemd_analyze_binary() -> str | None:
    """What reads units without running them."""
    return shutil.which("systemd-analyze")


def has_gettext() -> bool:
    """Whether the catalogues can be made."""
    return all(map(shutil.which, GETTEXT_NAMES))


@functools.cache
def has_former_release() -> bool:
    """Whether git has the code of the release before this version."""
    asked = ["git", "cat-file", "-e", f"{FORMER_RELEASE}^{{tree}}"]
    return shutil.which("git") is not None and subprocess.run(asked, check=False, capture_output=True).returncode == 0


def has_time() -> bool:
    """Whether this run may take hours: MARATHON=1."""
    return bool(os.environ.get("MARATHON"))


NEEDS: dict[str, tuple[Callable[[], Any], str]] = {
    "postgres_url": (postgres_bin, "no PostgreSQL; apt install postgresql"),
    "postgres_server": (postgres_bin, "no PostgreSQL; apt install postgresql"),
    "postgres": (lambda: os.environ.get("DATABASE_URL", "").startswith("postgres"), "this pass runs on SQLite"),
    "redis": (redis_binary, "no Redis; apt install redis-server"),
    "redis_url": (redis_binary, "no Redis; apt install redis-server"),
    "gettext_tools": (has_gettext, "no gettext; apt install gettext"),
    "node": (node_binary, "no Node.js; apt install nodejs"),
    "npm_packages": (npm_packages, "no packages of tests/clients; npm ci --prefix tests/clients"),
    "nu_checker": (
        nu_checker,
        "no Nu HTML checker; apt install default-jre-headless, npm ci --prefix tests/clients --ignore-scripts",
    ),
    "caddy": (caddy_binary, "no Caddy; apt install caddy"),
    "dovecot": (dovecot_binary, "no Dovecot; apt install dovecot-imapd"),
    "systemd_analyze": (systemd_analyze_binary, "no systemd; apt install systemd"),
    "former_release": (has_former_release, "no history of the former release; git fetch --unshallow"),
    "open_spiel": (lambda: find_spec("pyspiel"), "no OpenSpiel; pip install --no-deps open_spiel"),
    "browser": (chromium_binary, "no chromium; apt install chromium"),
    "marathon": (has_time, "minutes each; MARATHON=1 plays them"),
}
"""What marks and fixtures ask for: what finds it, and what to say where it is not found."""


def missing_capability(name: str) -> str | None:
    """Why tests that need `name` cannot run here; None if they can."""
    finder, reason = NEEDS.get(name, (lambda: True, ""))
    return None if finder() else reason


def first_missing(item: Any) -> tuple[str, str] | None:
    """The first thing a collected test needs and this machine lacks, with the reason; None if it can run."""
    needs = [mark.name for mark in item.iter_markers()] + list(getattr(item, "fixturenames", ()))
    for name in needs:
        reason = missing_capability(name)
        if reason:
            return name, reason
    return None
