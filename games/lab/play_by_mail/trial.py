"""One game by mail, from the host's sign-up to the winner: a single loop that hands letters to their readers."""

import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass

from games.lab.play_by_mail.host import Host
from games.lab.play_by_mail.letter import ReceivedMail
from games.lab.play_by_mail.person import TrialPerson
from games.lab.play_by_mail.postbox import Postbox
from games.lab.play_by_mail.record import RunAborted, TrialRecord

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")
DOMAIN = "example.org"
PROGRESS_SECONDS = 5.0
LONGEST_NAP = 0.5
QUIET_SECONDS = 1.5  # without a letter, when the game is over: then the last ones have come


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    Arguments:
        players: how many chairs; `bots` of them are bots', the others people's.
        seed: everything the people decide is drawn from it.
        miss: how often a question is let pass on purpose, 0 to 1.
        naughty: how often something is tried that must not work, 0 to 1.
        version: of the game, where it has several; "" for the one that is offered first.
        pace: the name of the pace the host chooses.
        stall: seconds without a letter after which the game counts as stuck.
        patience: seconds people go on trying while the service is down.
        tag: makes mail addresses unlike those of other runs against the same service.
    """

    players: int = 4
    seed: int = 1
    miss: float = 0.0
    naughty: float = 0.04
    bots: int = 0
    rules: str = "aladdins-dragons"
    version: str = ""
    pace: str = "blitz"
    stall: float = 60.0
    patience: float = 0.0
    tag: str = ""


class Trial:
    """A run of a plan.

    Arguments:
        report: told, line by line, how it goes.
        after_letter: called after each letter that was dealt with; a test may pull plugs here.
    """

    def __init__(
        self,
        plan: Plan,
        url: str,
        postbox: Postbox,
        report: Callable[[str], None],
        after_letter: Callable[["Trial"], None] = lambda trial: None,
    ) -> None:
        self.plan, self.postbox, self.report = plan, postbox, report
        self.record = TrialRecord()
        self.people = [self._person(name) for name in NAMES[: plan.players - plan.bots]]
        self.game_ref = ""
        self.seconds = 0.0
        self._url, self._after_letter = url.rstrip("/"), after_letter
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._said_at = self._began = time.monotonic()

    def run(self) -> None:
        """Play until everybody was told that the game is over. Raises Broken and PageFault."""
        self._began = time.monotonic()
        self.game_ref = Host(self.plan, self._url, self.people, self._wait_for, self.report).open_and_start()
        self._play()
        self._wait_until_quiet()
        self.seconds = time.monotonic() - self._began

    def _person(self, name: str) -> TrialPerson:
        tag = "-".join(part for part in (name.lower(), str(self.plan.seed), self.plan.tag) if part)
        person = TrialPerson(
            name,
            f"{tag}@{DOMAIN}",
            seed=str(self.plan.seed),
            miss=self.plan.miss,
            naughty=self.plan.naughty,
            record=self.record,
            later=self._later,
        )
        person.browser.patience = self.plan.patience
        return person

    def _play(self) -> None:
        heard_at = time.monotonic()
        while not all(person.is_over for person in self.people):
            self._run_timers()
            letter = self.postbox.receive(self._nap())
            if letter is not None:
                heard_at = time.monotonic()
                self._hand_over(letter)
            elif time.monotonic() - heard_at > self.plan.stall:
                raise RunAborted(self._stuck())

    def _hand_over(self, letter: ReceivedMail) -> None:
        reader = next((person for person in self.people if person.address == letter.recipient), None)
        if reader is None:
            raise RunAborted(f"A mail went to {letter.recipient}, who plays no game: {letter.subject}")
        if self.record.keep(letter):
            reader.read(letter)
        self._after_letter(self)
        if time.monotonic() - self._said_at >= PROGRESS_SECONDS:
            self._said_at = time.monotonic()
            self.report(self._progress(letter))

    def _progress(self, letter: ReceivedMail) -> str:
        seconds = time.monotonic() - self._began
        counts = f"{self.record.answers} answers, {len(self.record.letters)} mails, {len(self.record.missed)} ignored"
        return f"{seconds:5.0f} s  {counts}; now: {letter.subject}"

    def _stuck(self) -> str:
        last = self.record.letters[-1].subject if self.record.letters else "none"
        waiting = [person.name for person in self.people if not person.is_over]
        return (
            f"Stuck: no mail for {self.plan.stall:g} s after {self.record.answers} answers; the last one was {last!r}; "
            f"not told of the end: {', '.join(waiting)}"
        )

    def _wait_for(self, person: TrialPerson, wanted: Callable[[ReceivedMail], bool]) -> ReceivedMail:
        """The next letter to this person that is wanted; others are kept for later. Used before the game begins."""
        aside: list[ReceivedMail] = []
        end = time.monotonic() + self.plan.stall
        while time.monotonic() < end:
            letter = self.postbox.receive(LONGEST_NAP)
            if letter is None:
                continue
            if letter.recipient == person.address and wanted(letter):
                for other in aside:
                    self.postbox.requeue(other)
                return letter
            aside.append(letter)
        raise RunAborted(
            f"{person.name} waited in vain for a mail; is {self.postbox.url} where the service sends them?"
        )

    def _wait_until_quiet(self) -> None:
        while (letter := self.postbox.receive(QUIET_SECONDS)) is not None:
            self._hand_over(letter)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._numbers), what))

    def _run_timers(self) -> None:
        while self._timers and self._timers[0][0] <= time.monotonic():
            heapq.heappop(self._timers)[2]()

    def _nap(self) -> float:
        until_next = self._timers[0][0] - time.monotonic() if self._timers else LONGEST_NAP
        return max(0.0, min(LONGEST_NAP, until_next))
