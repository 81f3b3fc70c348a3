"""The proxy before the shards: whatever names a table or one of its questions goes where that stands."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests import capabilities

RULES = """
{{
	admin off
	auto_https off
}}
http://127.0.0.1:{port} {{
	@other path_regexp ^/(?:[a-z0-9-]+/)*{prefix}[a-z2-9]{{11}}(?:[-/].*)?$
	reverse_proxy @other 127.0.0.1:{other}
	reverse_proxy 127.0.0.1:{home}
}}
"""


@contextlib.contextmanager
def proxy(folder: Path, port: int, home: int, other: int, prefix: str) -> Iterator[str]:
    """Gives the address people use.

    Arguments:
        home, other: the ports of the webs.
        prefix: what references of the other shard begin with; all else goes home.
    """
    rules = folder / "Caddyfile"
    rules.write_text(RULES.format(port=port, home=home, other=other, prefix=prefix))
    command = [str(capabilities.caddy_binary()), "run", "--adapter", "caddyfile", "--config", str(rules)]
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={"HOME": str(folder)})
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)
