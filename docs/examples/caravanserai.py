"""A small client of Caravanserai's API: plain data in, plain data out. Needs only requests.

    from caravanserai import Caravanserai

    with Caravanserai("http://localhost:8000", token="crv_...") as server:
        for game in server.waiting():
            print(game["ref"], server.decisions(game["ref"]))

It waits when the service asks it to (429, 503), sends an answer again under the same key when no reply came or a proxy
lost it or had nobody to give it to (502, 503, 504), and reads lists to their end. Where the service has moved to (301,
308) it goes along, and stays; a file keeps how far it has heard. Copy this file to where you need it.
"""

import json
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urljoin

import requests

Data = dict[str, Any]
TRIES = 6
MOVES = 3  # of the service, one after the other
TIMEOUT = 30  # seconds, for one answer
SILENCE = 60  # seconds without a word, after which a stream is dead
NO_USE = (401, 403, 422)  # what a stream is refused with for good
PATIENCE = 90.0  # seconds; who is told to wait longer, until tomorrow even, is refused at once


class Refused(Exception):
    """The service says no. `status` and `code` are for programs, the text is for people; `problem` has all of it."""

    def __init__(self, problem: Data) -> None:
        super().__init__(problem.get("detail", ""))
        self.problem = problem
        self.status: int = problem.get("status", 0)
        self.code: str = problem.get("code", "")


class Caravanserai:
    """Talks to one service for one person.

    Arguments:
        site: the address people use, such as "https://play.example".
        token: made on the page of your settings.
        place: a file that keeps the id of your last event, so that a program that is started again misses nothing.
    """

    def __init__(self, site: str, token: str, place: str | Path | None = None) -> None:
        self._base = f"{site.rstrip('/')}/api/v1/"
        self._place = Path(place) if place else None
        self._http = requests.Session()
        self._http.headers.update({"Authorization": f"Bearer {token}", "Accept": "application/json"})
        self.last_id = self._place.read_text() if self._place and self._place.exists() else ""  # of `events`

    def __enter__(self) -> "Caravanserai":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    # Reading

    def me(self) -> Data:
        """Who you are."""
        found: Data = self._ask("GET", "me/")
        return found

    def rules(self) -> list[Data]:
        """What can be played."""
        return list(self._all("rules/"))

    def games(self, **wish: Any) -> Iterator[Data]:
        """Your games, the most urgent first: `is_waiting=True`, `status="running"`."""
        yield from self._all("games/", wish)

    def waiting(self) -> Iterator[Data]:
        """Your games that wait for you."""
        yield from self.games(is_waiting=True)

    def tables(self, **wish: Any) -> Iterator[Data]:
        """Listed tables with a free seat."""
        yield from self._all("tables/", wish)

    def game(self, ref: str) -> Data:
        """A game as your seat sees it."""
        found: Data = self._ask("GET", f"games/{ref}/")
        return found

    def log(self, ref: str, after: int = 0) -> list[Data]:
        """What has happened behind a public number."""
        lines: list[Data] = []
        while True:
            found = self._ask("GET", f"games/{ref}/log/", params={"after": after})
            lines, after = [*lines, *found["items"]], found["last"]
            if found["is_complete"]:
                return lines

    def decisions(self, ref: str) -> list[Data]:
        """What is open to you in a game, with every way to answer."""
        return list(self._all(f"games/{ref}/decisions/"))

    def events(self, last_id: str = "") -> Iterator[Data]:
        """What happens in all your games, as it happens: {"event", "data"}, without end. Comes back by itself where it
        was, as long as it takes, and asks for the address again when nobody answers there; raises Refused if your token
        is no longer good, or the id is none of yours.

        Arguments:
            last_id: `self.last_id` of another time, to hear what came after it. Without it and without a file of
                another time, first how each game stands.
        """
        self.last_id = last_id or self.last_id
        url, pause = self.me()["events_url"], 0.0
        while True:
            time.sleep(pause)
            pause = min(PATIENCE, max(2.0, pause * 2))
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": self.last_id} if self.last_id else {})}
            try:
                url = url or self.me()["events_url"]
                with self._http.get(
                    url, headers=headers, stream=True, timeout=SILENCE, allow_redirects=False
                ) as response:
                    if response.ok and response.headers.get("Content-Type", "").startswith("text/event-stream"):
                        for event in self._told(response):
                            pause = 2.0
                            yield event
                        continue
                    self._read(response)
            except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError):
                pass  # tried again
            except Refused as error:
                if error.status in NO_USE:
                    raise
            url = ""  # it may be somewhere else since

    def _told(self, response: requests.Response) -> Iterator[Data]:
        """The events of one connection (the HTML standard, section 9.2)."""
        told: dict[str, str] = {}
        for line in response.iter_lines(chunk_size=1):
            name, _colon, value = line.decode().partition(": ")
            if line:
                told[name] = value
                continue
            if "data" in told:
                yield {"event": told["event"], "data": json.loads(told["data"])}
                self._keep(told.get("id", self.last_id))
            told = {}

    def _keep(self, last_id: str) -> None:
        """Keeps how far it has heard: what is not done when the program is killed is told again."""
        if self._place and last_id != self.last_id:
            draft = self._place.with_name(f"{self._place.name}.new")
            draft.write_text(last_id)
            draft.replace(self._place)  # at once: a program that is killed here leaves no half of an id
        self.last_id = last_id

    # Changing

    def answer(self, ref: str, code: str, action: Data) -> Data:
        """Answers a decision; acts once, however often it had to be sent. Raises Refused."""
        found: Data = self._ask(
            "POST", f"games/{ref}/decisions/{code}/", {"action": action}, headers={"Idempotency-Key": str(uuid.uuid4())}
        )
        return found

    def come_back(self, ref: str) -> Data:
        """Says in a game that no longer waits for you that you are there again."""
        found: Data = self._ask("POST", f"games/{ref}/back/")
        return found

    def open_table(self, rules: str, seat_count: int, **wishes: Any) -> Data:
        """Opens a table with you on its first seat; one, however often it had to be sent."""
        key = {"Idempotency-Key": str(uuid.uuid4())}
        found: Data = self._ask("POST", "games/", {"rules": rules, "seat_count": seat_count, **wishes}, headers=key)
        return found

    def join(self, ref: str, **wishes: Any) -> Data:
        """Sits down at a listed table, or with `link=...` at any."""
        found: Data = self._ask("POST", f"games/{ref}/join/", wishes)
        return found

    def start(self, ref: str) -> Data:
        """Begins the game of your table."""
        found: Data = self._ask("POST", f"games/{ref}/start/")
        return found

    def invitations(self) -> list[Data]:
        """What you are invited to."""
        return list(self._all("me/invitations/"))

    def accept(self, ref: str) -> Data:
        """Sits down where you are invited."""
        found: Data = self._ask("POST", f"me/invitations/{ref}/accept/")
        return found

    def call(self, method: str, path: str, body: Data | None = None) -> Any:
        """Anything else: a path behind /api/v1/. Raises Refused."""
        return self._ask(method, path, body)

    def _all(self, path: str, wish: Data | None = None) -> Iterator[Data]:
        params = {key: str(value).lower() if isinstance(value, bool) else value for key, value in (wish or {}).items()}
        while True:
            part = self._ask("GET", path, params=params)
            yield from part["items"]
            if part["next"] is None:
                return
            params = params | {"cursor": part["next"]}

    def _ask(self, method: str, path: str, body: Data | None = None, **options: Any) -> Any:
        """The answer's data. Waits and tries again where that can help; raises Refused, or requests' errors."""
        for nth in range(TRIES):
            is_last = nth == TRIES - 1
            # Nobody knows whether what got no reply has acted. With a key, or reading, sending it again does no harm.
            is_harmless = not is_last and (method == "GET" or "headers" in options)
            try:
                response = self._request(method, path, body, options)
            except (requests.ConnectionError, requests.Timeout):
                if not is_harmless:
                    raise
                time.sleep(min(PATIENCE, 2.0**nth))
                continue
            if response.status_code in (429, 503) and "Retry-After" in response.headers and not is_last:
                wait = float(response.headers["Retry-After"])
                if wait <= PATIENCE:
                    time.sleep(wait)
                    continue
            if response.status_code in (502, 503, 504) and is_harmless:
                time.sleep(min(PATIENCE, 2.0**nth))
                continue
            return self._read(response)
        raise AssertionError("unreachable")

    def _request(self, method: str, path: str, body: Data | None, options: Data) -> requests.Response:
        """Asks where the service is. Where it has moved for good it asks there, in the same way, and from then on."""
        for _move in range(MOVES):
            response = self._http.request(
                method, self._base + path, json=body, timeout=TIMEOUT, allow_redirects=False, **options
            )
            goal = urljoin(response.url, response.headers.get("Location", ""))
            base, behind, _rest = goal.partition("/api/v1/")
            is_safe = goal.startswith("https:") or self._base.startswith("http:")  # your token goes nowhere unsealed
            if response.status_code not in (301, 308) or not behind or not is_safe:
                break
            self._base = base + behind
        return response

    @staticmethod
    def _read(response: requests.Response) -> Any:
        is_done = response.status_code < 300
        if is_done and not response.content:
            return None
        try:
            data = response.json()
        except ValueError:  # said by something on the way, such as a proxy whose service is gone
            detail = response.text[:200] or f"{response.status_code} {response.reason}"
            data = {"detail": detail, "code": "no-json"}
        else:
            if is_done:
                return data
        raise Refused({"status": response.status_code, **(data if isinstance(data, dict) else {})})
