"""The host: signs up, opens a table, invites the others by email, and starts when everybody has joined."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from django.urls import reverse

from games.lab.play_by_mail.browser import Page, PageForm
from games.lab.play_by_mail.received_email import INVITATION, ReceivedEmail
from games.lab.play_by_mail.record import RunFailed

if TYPE_CHECKING:
    from games.lab.play_by_mail.mail_game import Plan
    from games.lab.play_by_mail.mail_player import MailPlayer

EXCERPT = 400  # characters of a page in an error
ABSENT_AFTER = 2  # misses in a row: so that a run with misses has absent people in it
WaitFor = Callable[["MailPlayer", Callable[[ReceivedEmail], bool]], ReceivedEmail]


class Host:
    """Does what happens before the first question, through the pages and emails that people use for it."""

    def __init__(
        self, plan: "Plan", url: str, people: Sequence["MailPlayer"], wait_for: WaitFor, report: Callable[[str], None]
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
        if plan.version:
            wishes["option-version"] = plan.version
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

    def _join(self, guest: "MailPlayer") -> None:
        email = self._wait_for(guest, lambda email: bool(email.links_to(INVITATION)))
        guest.record.keep(email)  # unlike the code, it is a notice of the game
        page = guest.browser.get(email.links_to(INVITATION)[0].url)
        form = _form(page, "answer")
        words = f"{guest.name} says {guest.dice.randrange(10**6)}"
        page = guest.browser.submit(form, answer="join", name=guest.name, entropy=words)
        if page.form_with("answer"):
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
