"""Waiting for a server to listen."""

import contextlib
import socket
import time

START_SECONDS = 180


def until_listening(port: int) -> None:
    """Returns when somebody listens on a port of loopback. Raises TimeoutError if nobody does."""
    stop = time.monotonic() + START_SECONDS
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if time.monotonic() > stop:
            raise TimeoutError(f"nobody listens on port {port}")
        time.sleep(0.1)
