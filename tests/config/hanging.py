"""A WSGI application whose answers say who gave them, some of which wait until they are let go."""

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

_may_end = threading.Event()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """`/hold` waits for `/let-go`, `/held-by` for a file in the folder that it names, where it makes another one; and
    all wait for the body that is announced. All say their thread."""
    if environ["PATH_INFO"] == "/hold":
        _may_end.wait(60)
    if environ["PATH_INFO"] == "/let-go":
        _may_end.set()
    if environ["PATH_INFO"] == "/held-by":
        _wait_in(Path(environ["QUERY_STRING"]))
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    said = str(threading.get_ident()).encode()
    start_response("200 OK", [("Content-Length", str(len(said)))])
    return [said]


def _wait_in(folder: Path) -> None:
    (folder / "begun").touch()
    while not (folder / "may-end").exists():
        time.sleep(0.01)
