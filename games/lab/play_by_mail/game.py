"""The host: signs up, opens a table, invites the others by email, and starts when everybody has joined."""

import heapq
import itertools
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.urls import reverse

from games.lab.play_by_mail.person import (
    INVITATION,
    Browser,
    MailPlayer,
    Page,
    PageForm,
    ReceivedEmail,
    RunFailed,
    RunRecord,
)
from games.lab.play_by_mail.service import SmtpServer
from notifications.confirming import CHALLENGE, CHOICE, ME

EXCERPT = 400  # characters of a page in an error
ABSENT_AFTER = 2  # misses in a row: so that a run with misses has absent people in it
WaitFor = Callable[[MailPlayer, Callable[[ReceivedEmail], bool]], ReceivedEmail]


class Host:
    """Does what happens before the first question, through the pages and emails that people use for it."""

    def __init__(
        self, plan: "Plan", url: str, people: Sequence[MailPlayer], wait_for: WaitFor, report: Callable[[str], None]
    ) -> None:
        self._plan, self._url, self._report = plan, url, report
        self._host, *self._guests = people
        self._wait_for = wait_for

    def open_and_start(self) -> str:
        """Does everything up to the start; returns the game's reference. Raises RunFailed if a page is wrong."""
        self._sign_up()
        table = self._open_table()
        if self._guests:
            self._invite(table)
        for guest in self._guests:
            self._join(guest)
        self._start(table)
        return table.url.rstrip("/").rsplit("/", 1)[-1]

    def _sign_up(self) -> None:
        page = self._host.browser.get(self._url + reverse("account_signup"))
        form = _form(page, "email")
        page = self._host.browser.submit(form, email=self._host.address, name=self._host.name)
        code_form = _form(page, "code")
        email = self._wait_for(self._host, lambda email: bool(email.code))
        page = self._host.browser.submit(code_form, code=email.code)
        if not page.soup.find("form", action=re.compile("logout")) and page.form_with("code"):
            raise RunFailed(f"The code {email.subject!r} did not sign {self._host.name} in: {page.words[:EXCERPT]}")
        self._report(f"{self._host.name} has signed up with the code from a mail")

    def _open_table(self) -> Page:
        plan = self._plan
        page = self._host.browser.get(self._url + reverse("new_table") + f"?game={plan.rules}")
        form = _form(page, "pace")
        wishes = {
            "title": f"Trial {plan.seed}",
            "seats": str(plan.players),
            "bots": str(plan.bots),
            "pace": plan.pace,
            "absent_after": str(ABSENT_AFTER),
        }
        wishes |= {f"option-{name}": choice for name, choice in plan.options}
        table = self._host.browser.submit(form, **wishes)
        if not re.search(r"/table/[^/]+/$", table.url):
            raise RunFailed(f"The table could not be opened: {_errors(table)}")
        self._report(f"{self._host.name} has opened a table for {plan.players}: {table.url}")
        return table

    def _invite(self, table: Page) -> None:
        form = _form(table, "addresses")
        page = self._host.browser.submit(form, addresses="\n".join(guest.address for guest in self._guests))
        missing = [guest.address for guest in self._guests if guest.address not in page.words]
        if missing:
            raise RunFailed(f"{', '.join(missing)} could not be invited: {_errors(page)}")

    def _join(self, guest: MailPlayer) -> None:
        email = self._wait_for(guest, lambda email: bool(email.links_to(INVITATION)))
        guest.record.keep(email)  # unlike the code, it is a notice of the game
        page = guest.browser.get(email.links_to(INVITATION)[0].url)
        form = _form(page, CHALLENGE)
        words = f"{guest.name} says {guest.dice.randrange(10**6)}"
        chosen = {CHOICE: ME, "answer": "join"}  # as on the page that asks who is there, which scripts are spared
        page = guest.browser.submit(form, name=guest.name, entropy=words, **chosen)
        if page.form_with(CHALLENGE):
            raise RunFailed(f"{guest.name} could not sit down: {_errors(page)}")
        self._report(f"{guest.name} has followed the invitation and sits down")

    def _start(self, table: Page) -> None:
        page = self._host.browser.get(table.url)
        form = page.form_to("/start/")
        if form is None:
            raise RunFailed(f"The host's table has no button to start: {page.words[:EXCERPT]}")
        started = self._host.browser.submit(form)
        if started.form_to("/start/"):
            raise RunFailed(f"The game did not start: {_errors(started)}")
        self._report(f"{self._host.name} has started the game")


def _form(page: Page, name: str) -> PageForm:
    form = page.form_with(name)
    if form is None:
        raise RunFailed(f"{page.url} ({page.status}) has no form with a field {name!r}: {page.words[:EXCERPT]}")
    return form


def _errors(page: Page) -> str:
    said = [" ".join(item.get_text(" ").split()) for item in page.soup.select(".field-error, .notice, .messages li")]
    return f"{page.status}: {'; '.join(said) or page.words[:EXCERPT]}"


# One game by mail, from the host's sign-up to the winner: a single loop that hands emails to their readers.

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")
DOMAIN = "example.org"
PROGRESS_SECONDS = 5.0
LONGEST_NAP = 0.5
QUIET_SECONDS = 1.5  # without an email, when the game is over: then the last ones have come


@dataclass(frozen=True)
class Plan:
    """The game to be played: rules, seats, options.

    Arguments:
        players: how many chairs; `bots` of them are bots', the others people's.
        seed: everything the people decide is drawn from it.
        miss: how often a question is let pass on purpose, 0 to 1.
        naughty: how often something is tried that must not work, 0 to 1.
        options: of the rules, as pairs of name and choice; what is offered first for the others.
        pace: the name of the pace the host chooses.
        stall: seconds without an email after which the game counts as stuck.
        patience: seconds people go on trying while the service is down.
        tag: makes mail addresses unlike those of other runs against the same service.
    """

    players: int = 4
    seed: int = 1
    miss: float = 0.0
    naughty: float = 0.04
    bots: int = 0
    rules: str = "aladdins-dragons"
    options: tuple[tuple[str, str], ...] = ()
    pace: str = "blitz"
    stall: float = 60.0
    patience: float = 0.0
    language: str = "en"
    tag: str = ""


class MailGame:
    """A run of a plan.

    Arguments:
        report: told, line by line, how it goes.
        after_email: called after each email that was dealt with; a test may pull plugs here.
    """

    def __init__(
        self,
        plan: Plan,
        url: str,
        smtp_server: SmtpServer,
        report: Callable[[str], None],
        after_email: Callable[["MailGame"], None] = lambda mail_game: None,
    ) -> None:
        self.plan, self.smtp_server, self.report = plan, smtp_server, report
        self.record = RunRecord()
        self.people = [self._person(name) for name in NAMES[: plan.players - plan.bots]]
        self.game_ref = ""
        self.seconds = 0.0
        self._url, self._after_email = url.rstrip("/"), after_email
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._said_at = self._began = time.monotonic()

    def run(self) -> None:
        """Play until everybody was told that the game is over. Raises RunFailed and PageFault."""
        self._began = time.monotonic()
        self.game_ref = Host(self.plan, self._url, self.people, self._wait_for, self.report).open_and_start()
        self._play()
        self._wait_until_quiet()
        self.seconds = time.monotonic() - self._began

    def _person(self, name: str) -> MailPlayer:
        tag = "-".join(part for part in (name.lower(), str(self.plan.seed), self.plan.tag) if part)
        person = MailPlayer(
            name,
            f"{tag}@{DOMAIN}",
            seed=str(self.plan.seed),
            miss=self.plan.miss,
            naughty=self.plan.naughty,
            record=self.record,
            later=self._later,
        )
        person.browser = Browser(language=self.plan.language, patience=self.plan.patience)
        return person

    def _play(self) -> None:
        heard_at = time.monotonic()
        while not all(person.is_over for person in self.people):
            self._run_timers()
            email = self.smtp_server.receive(self._nap())
            if email is not None:
                heard_at = time.monotonic()
                self._hand_over(email)
            elif time.monotonic() - heard_at > self.plan.stall:
                raise RunFailed(self._stuck())

    def _hand_over(self, email: ReceivedEmail) -> None:
        reader = next((person for person in self.people if person.address == email.recipient), None)
        if reader is None:
            raise RunFailed(f"A mail went to {email.recipient}, who plays no game: {email.subject}")
        if self.record.keep(email):
            reader.read(email)
        self._after_email(self)
        if time.monotonic() - self._said_at >= PROGRESS_SECONDS:
            self._said_at = time.monotonic()
            self.report(self._progress(email))

    def _progress(self, email: ReceivedEmail) -> str:
        seconds = time.monotonic() - self._began
        counts = f"{self.record.answers} answers, {len(self.record.emails)} mails, {len(self.record.missed)} ignored"
        return f"{seconds:5.0f} s  {counts}; now: {email.subject}"

    def _stuck(self) -> str:
        last = self.record.emails[-1].subject if self.record.emails else "none"
        waiting = [person.name for person in self.people if not person.is_over]
        return (
            f"Stuck: no mail for {self.plan.stall:g} s after {self.record.answers} answers; the last one was {last!r}; "
            f"not told of the end: {', '.join(waiting)}"
        )

    def _wait_for(self, person: MailPlayer, wanted: Callable[[ReceivedEmail], bool]) -> ReceivedEmail:
        """The next email to this person that is wanted; others are kept for later. Used before the game begins."""
        aside: list[ReceivedEmail] = []
        end = time.monotonic() + self.plan.stall
        while time.monotonic() < end:
            email = self.smtp_server.receive(LONGEST_NAP)
            if email is None:
                continue
            if email.recipient == person.address and wanted(email):
                for other in aside:
                    self.smtp_server.requeue(other)
                return email
            aside.append(email)
        raise RunFailed(
            f"{person.name} waited in vain for a mail; does the service send them to {self.smtp_server.url}?"
        )

    def _wait_until_quiet(self) -> None:
        while (email := self.smtp_server.receive(QUIET_SECONDS)) is not None:
            self._hand_over(email)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._numbers), what))

    def _run_timers(self) -> None:
        while self._timers and self._timers[0][0] <= time.monotonic():
            heapq.heappop(self._timers)[2]()

    def _nap(self) -> float:
        until_next = self._timers[0][0] - time.monotonic() if self._timers else LONGEST_NAP
        return max(0.0, min(LONGEST_NAP, until_next))
