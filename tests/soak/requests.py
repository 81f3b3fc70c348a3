"""Somebody who looks at the pages of both webs all the time, and counts what they answer."""

import threading
import urllib.error
import urllib.request
from collections import Counter

PAGES = ("/healthz", "/readyz", "/")
TIMEOUT = 10.0  # seconds
PAUSE = 0.1  # seconds between two requests


class Requests:
    """Works in a thread of its own; `seen` counts answers by page and status, or by "nobody" where none came."""

    def __init__(self, urls: list[str]) -> None:
        self.seen: Counter[str] = Counter()
        self._urls = urls
        self._over = threading.Event()

    def run(self) -> None:
        """Ask, until `stop`."""
        number = 0
        while not self._over.wait(PAUSE):
            number += 1
            page = PAGES[number % len(PAGES)]
            self.seen[f"{page} {self._status(self._urls[number % len(self._urls)] + page)}"] += 1

    def stop(self) -> None:
        """Let `run` return."""
        self._over.set()

    def _status(self, url: str) -> str:
        request = urllib.request.Request(url, headers={"Host": "soak.example.org"})  # noqa: S310  # our own web
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
                return str(answer.status)
        except urllib.error.HTTPError as error:
            return str(error.code)
        except OSError:
            return "nobody"
