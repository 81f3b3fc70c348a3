"""The walks that `script/house` counts: a GET and an answer by the link of an email, through the WSGI application.

Run as a process of its own: `python -m tests.house.walking` prints JSON. Only files of the product are counted, not
those of tests and libraries. What is imported or cached at the first request has been done by the ones that are
counted.
"""

import io
import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import django

HERE = Path(__file__).resolve().parents[2]
ROOMS = tuple(f"{HERE}/{room}/" for room in ("config", "engine", "games", "notifications"))
WARMING = 3  # requests of each kind before those that are counted
COUNTED = 12  # of which the longest walk is told: a sealed answer is a shorter way than one that asks somebody else


@dataclass
class Walk:
    """The files and functions that one request goes through, in order."""

    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    changes: int = 0
    _last: str = ""

    def follow(self, request: Callable[[], object]) -> None:
        """Counts what this request does in this thread."""
        sys.setprofile(self._profile)
        try:
            request()
        finally:
            sys.setprofile(None)

    def figures(self) -> dict[str, Any]:
        """The counts, and how often each file was entered."""
        files: Counter[str] = Counter()
        for (file, _), count in self.calls.items():
            files[file.removeprefix(f"{HERE}/")] += count
        return {
            "files": len(files),
            "functions": len(self.calls),
            "changes": self.changes,
            "by_file": files.most_common(),
        }

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(ROOMS):
            return
        self.calls[file, frame.f_code.co_qualname] += 1
        if self._last and file != self._last:
            self.changes += 1
        self._last = file


def main() -> dict[str, Any]:
    """The two walks by name."""
    django.setup()
    from config.wsgi import application
    from games.play import proposals
    from notifications.clock import present
    from tests.bench.answered import Supply, by_link
    from tests.bench.posted import Request
    from tests.bench.stepping import ask, environ_of

    supply = Supply(size=1)

    def one() -> Request:
        request = supply.requests(by_link)[0]
        while proposals.make_one(present.now()):
            pass  # a worker has made what is proposed by the time somebody opens the link
        return request

    def get(request: Request) -> None:
        environ = environ_of(request) | {"REQUEST_METHOD": "GET", "CONTENT_LENGTH": "0", "wsgi.input": io.BytesIO()}
        body = application(environ, lambda *_: None)
        b"".join(body)
        body.close()

    for _ in range(WARMING):
        get(one())
        ask(application, one())
    looked, answered = [], []
    for _ in range(COUNTED):
        request = one()
        looked.append(_followed(lambda request=request: get(request)))  # type: ignore[misc]
        answered.append(_followed(lambda request=request: ask(application, request)))  # type: ignore[misc]
    return {"GET behind the link": _longest(looked), "answer by link": _longest(answered)}


def _followed(request: Callable[[], object]) -> Walk:
    walk = Walk()
    walk.follow(request)
    return walk


def _longest(walks: list[Walk]) -> dict[str, Any]:
    return max((walk.figures() for walk in walks), key=lambda figures: (figures["files"], figures["changes"]))


if __name__ == "__main__":
    print(json.dumps(main()))
