"""boardgame.io (Node) as the peer of `submit`: a server that keeps its games in files, and who plays there."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench.surroundings import kept_folder
from tests.bench.waiting import until_listening
from tests.servers import free_port

PACKAGE = {
    "dependencies": {"boardgame.io": "0.50.2", "node-persist": "3.1.0"},  # the second is what its FlatFile needs
    "overrides": {"koa-compose": "4.1.0"},  # with a later one its server answers no request for a new match
}
SCRIPT = Path(__file__).with_name("boardgame.mjs")
INSTALL_SECONDS = 180


class NotHere(Exception):
    """Why it cannot be played here."""


class Died(Exception):
    """Its server sometimes reads a file that it has not written to the end, and stops."""


@dataclass(frozen=True)
class Players:
    """Those who play, each at a match of his own.

    Arguments:
        pids: of the server, and of those who play.
    """

    process: "subprocess.Popen[str]"
    pids: tuple[int, int]

    def play(self, moves: int) -> int:
        """Makes that many at each match; returns how many the server has taken. Raises Died."""
        assert self.process.stdin is not None and self.process.stdout is not None
        print(moves, file=self.process.stdin, flush=True)
        if not (taken := self.process.stdout.readline()):
            raise Died
        return int(taken)


@contextlib.contextmanager
def playing(matches: int) -> Iterator[Players]:
    """Runs the server and those who play. Raises NotHere."""
    modules, port, pipe = _modules(), str(free_port()), subprocess.PIPE
    environment = os.environ | {"NODE_ENV": "production"}
    start = ["node", str(SCRIPT)]
    with tempfile.TemporaryDirectory(dir=modules) as folder:
        serve = subprocess.Popen([*start, "serve", modules, port, folder], env=environment, stdout=subprocess.DEVNULL)
        with serve:
            try:
                until_listening(int(port))
                play = [*start, "play", modules, port, str(matches)]
                with subprocess.Popen(play, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
                    assert process.stdin is not None and process.stdout is not None
                    assert process.stdout.readline() == "ready\n"
                    yield Players(process, (serve.pid, process.pid))
                    process.stdin.close()
            finally:
                serve.terminate()


def _modules() -> Path:
    """The folder in which it is installed; it stays there for the next run."""
    folder = kept_folder() / "bench-node"
    wanted, stamp = json.dumps(PACKAGE), folder / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise NotHere("no Node here")
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text(wanted)
    install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        subprocess.run(install, check=True, capture_output=True, timeout=INSTALL_SECONDS, cwd=folder)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotHere(f"boardgame.io cannot be installed: {error}") from error
    stamp.write_text(wanted)
    return folder
