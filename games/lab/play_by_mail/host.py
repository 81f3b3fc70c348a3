"""The evening's host: signs up, opens a table, invites the others by mail, and starts when everybody sits."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from django.urls import reverse

from games.lab.play_by_mail.browser import Page, PageForm
from games.lab.play_by_mail.letter import INVITATION, ReceivedMail
from games.lab.play_by_mail.record import RunAborted

if TYPE_CHECKING:
    from games.lab.play_by_mail.person import TrialPerson
    from games.lab.play_by_mail.trial import Plan

EXCERPT = 400  # characters of a page in an error
ABSENT_AFTER = 2  # misses in a row: so that a run with misses has absent people in it
WaitFor = Callable[["TrialPerson", Callable[[ReceivedMail], bool]], ReceivedMail]


class Host:
    """What happens before the first question, by the pages and the mails that people use for it."""

    def __init__(
        self, plan: "Plan", url: str, people: Sequence["TrialPerson"], wait_for: WaitFor, report: Callable[[str], None]
    ) -> None:
        self._plan, self._url, self._report = plan, url, report
        self._host, *self._guests = people
        self._wait_for = wait_for

    def open_and_start(self) -> str:
        """Everything up to the start; returns the game's reference. Raises Broken if a page is not as it should be."""
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
        letter = self._wait_for(self._host, lambda letter: bool(letter.code))
        page = self._host.browser.submit(code_form, code=letter.code)
        if not page.soup.find("form", action=re.compile("logout")) and page.form_with("code"):
            raise RunAborted(f"The code {letter.subject!r} did not sign {self._host.name} in: {page.words[:EXCERPT]}")
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
        if plan.version:
            wishes["option-version"] = plan.version
        table = self._host.browser.submit(form, **wishes)
        if not re.search(r"/table/[^/]+/$", table.url):
            raise RunAborted(f"The table could not be opened: {_errors(table)}")
        self._report(f"{self._host.name} has opened a table for {plan.players}: {table.url}")
        return table

    def _invite(self, table: Page) -> None:
        form = _form(table, "addresses")
        page = self._host.browser.submit(form, addresses="\n".join(guest.address for guest in self._guests))
        missing = [guest.address for guest in self._guests if guest.address not in page.words]
        if missing:
            raise RunAborted(f"{', '.join(missing)} could not be invited: {_errors(page)}")

    def _join(self, guest: "TrialPerson") -> None:
        letter = self._wait_for(guest, lambda letter: bool(letter.links_to(INVITATION)))
        guest.record.keep(letter)  # unlike the code, it is a notice of the game
        page = guest.browser.get(letter.links_to(INVITATION)[0].url)
        form = _form(page, "answer")
        words = f"{guest.name} says {guest.dice.randrange(10**6)}"
        page = guest.browser.submit(form, answer="join", name=guest.name, entropy=words)
        if page.form_with("answer"):
            raise RunAborted(f"{guest.name} could not sit down: {_errors(page)}")
        self._report(f"{guest.name} has followed the invitation and sits down")

    def _start(self, table: Page) -> None:
        page = self._host.browser.get(table.url)
        form = page.form_to("/start/")
        if form is None:
            raise RunAborted(f"The host's table has no button to start: {page.words[:EXCERPT]}")
        started = self._host.browser.submit(form)
        if started.form_to("/start/"):
            raise RunAborted(f"The game did not start: {_errors(started)}")
        self._report(f"{self._host.name} has started the game")


def _form(page: Page, name: str) -> PageForm:
    form = page.form_with(name)
    if form is None:
        raise RunAborted(f"{page.url} ({page.status}) has no form with a field {name!r}: {page.words[:EXCERPT]}")
    return form


def _errors(page: Page) -> str:
    said = [" ".join(item.get_text(" ").split()) for item in page.soup.select(".field-error, .notice, .messages li")]
    return f"{page.status}: {'; '.join(said) or page.words[:EXCERPT]}"
