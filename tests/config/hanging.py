"""A WSGI application whose answers say who gave them, one of which waits until another one is asked for."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

_may_end = threading.Event()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """`/hold` waits for `/let-go`, or for a body that is announced and does not come; all say their thread."""
    if environ["PATH_INFO"] == "/hold":
        _may_end.wait(60)
    if environ["PATH_INFO"] == "/let-go":
        _may_end.set()
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    said = str(threading.get_ident()).encode()
    start_response("200 OK", [("Content-Length", str(len(said)))])
    return [said]
