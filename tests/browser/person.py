"""Somebody who plays in a browser: reads what the page asks, fills in its form with hand or keys, and sends it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from bs4 import BeautifulSoup
from playwright.sync_api import BrowserContext, Locator, Page, Response

from games.lab.play_by_mail.person import read_answer_form, read_form

ASKED = "#asked form.answer:visible"
REFUSED = "#asked form.answer .notice.error"
WINNER = "h2.winner"
MOST_TABS = 400  # then the field cannot be reached by keyboard
MOST_REFUSALS = 8  # then the form cannot be filled in
BUSY = ".htmx-request, .htmx-swapping"
OWN_FAULT = (
    "status of 422",
    "status of 409",
    "ERR_INTERNET_DISCONNECTED",
    "htmx:sendError",
    "htmx:afterRequest",
)  # the browser notes refusals and no network


class Mouse:
    """Taps and types into the field that is meant."""

    def choose(self, field: Locator) -> None:
        """Tick a radio."""
        field.check()

    def give(self, field: Locator, amount: str) -> None:
        """Write a number."""
        field.fill(amount)

    def pick(self, field: Locator, place: int) -> None:
        """Select an option by its place in the list."""
        field.select_option(index=place)

    def press(self, button: Locator) -> None:
        """Press a button, once the page has nothing else in hand."""
        button.page.wait_for_load_state()
        button.page.locator(BUSY).first.wait_for(state="detached")
        button.click()


class Keys:
    """Never touches the mouse: goes from field to field by Tab, chooses by arrows and space."""

    def choose(self, field: Locator) -> None:
        """Tab to the group, then along it."""
        name, value = field.get_attribute("name"), field.get_attribute("value")
        self._go(field, f"(here) => here.name === {name!r}")
        for _ in range(MOST_TABS):
            if field.evaluate("(one) => one === document.activeElement"):
                break
            field.page.keyboard.press("ArrowDown")
        field.page.keyboard.press("Space")
        assert field.is_checked(), f"no key chooses {name} {value}"

    def give(self, field: Locator, amount: str) -> None:
        """Type it."""
        self._go(field)
        field.page.keyboard.type(amount)

    def pick(self, field: Locator, place: int) -> None:
        """From the first option downwards."""
        self._go(field)
        field.page.keyboard.press("Home")
        for _ in range(place):
            field.page.keyboard.press("ArrowDown")

    def press(self, button: Locator) -> None:
        """Enter on it."""
        self._go(button)
        button.page.keyboard.press("Enter")

    def _go(self, field: Locator, is_there: str = "") -> None:
        """Tab until the focus is on the field, or on one of which `is_there` is true."""
        there = f"(one) => ({is_there or '() => false'})(document.activeElement) || one === document.activeElement"
        for _ in range(MOST_TABS):
            if field.evaluate(there):
                return
            field.page.keyboard.press("Tab")
        raise AssertionError(f"{field} cannot be reached by keyboard")


@dataclass
class Person:
    """A player in a browser of his own.

    Arguments:
        has_scripts: whether the page follows the game by itself; without, it is loaded again.
        loses_network: of so many answers one is sent while the network is gone; 0 for never.
    """

    name: str
    context: BrowserContext
    table: str
    seed: int
    hand: Mouse | Keys = field(default_factory=Mouse)
    has_scripts: bool = True
    loses_network: int = 0
    answers: int = 0
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = Random(f"{self.seed}:{self.name}")
        self.page: Page = self.context.new_page()
        self.page.add_init_script("localStorage.setItem('scenes-off', '1')")  # the newest board stands at once
        self.page.on("response", self._hear)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda said: self._note(said.text) if said.type in ("error", "warning") else None)
        self.page.goto(self.table)
        self._check()

    @property
    def is_over(self) -> bool:
        """Whether the page names a winner."""
        return self.page.locator(WINNER).count() > 0

    @property
    def winners(self) -> str:
        """How it ended, in figures: each reads who has won in his own words."""
        return " ".join(re.findall(r"\d+", self.page.locator(WINNER).inner_text()))

    def look(self) -> None:
        """Sees what is new: the page asks by itself when its tab is looked at; without scripts it is loaded again."""
        if not self.has_scripts:
            self.page.goto(self.table)
            return
        with self.page.expect_response(lambda answer: answer.url.startswith(self.table)) as got:
            self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        got.value.finished()
        self.page.locator(".htmx-request").wait_for(state="detached")

    def answer(self) -> bool:
        """Answers what is asked, if anything is; whether it was."""
        if self.page.locator(ASKED).count() == 0:
            return False
        for attempt in range(MOST_REFUSALS):
            form = self.page.locator(ASKED).first
            if self._send(form, self._fill(form, is_unsure=attempt > 0)):
                self.answers += 1
                return True
        raise AssertionError(f"{self.name} is refused again and again: {self.page.locator(REFUSED).inner_text()}")

    def _fill(self, form: Locator, *, is_unsure: bool) -> Locator:
        """The first way, which does something; who was refused tries the others. Returns the button that sends it."""
        tag = BeautifulSoup(form.evaluate("(form) => form.outerHTML"), "html.parser").form
        assert tag is not None
        for button in tag.select("button.retract"):
            button.decompose()
        if tag.select_one(".rows[data-board]"):
            return self._plan(form)
        read = read_answer_form(read_form(tag, self.table))
        wanted = replace(read, ways=read.ways if is_unsure else read.ways[:1]).fill(self.dice, careful=True)
        way = wanted.get("do", "")
        single = form.locator(f'button[name="do"][value="{way}"]:not(.go):visible')
        fields = form.locator(f'[data-way="{way}"]')
        if fields.count() == 0:
            return single.first
        if not fields.is_visible():
            self.hand.press(
                form.locator("details.way", has=self.page.locator(f'[data-way="{way}"]')).locator("summary")
            )
        for group in fields.locator("fieldset.coins").all():
            coins = group.locator("input").all()
            for coin in coins:
                self._take_back(coin)
            for coin in coins:
                self._give(coin, wanted.get(coin.get_attribute("name") or "", ""))
        for radios in fields.locator("fieldset.options:not(.coins, .last)").all():
            name = radios.locator("input").first.get_attribute("name")
            field = radios.locator(f'input[value="{wanted[name]}"]')
            self._tap_on_board(wanted[name]) if "on-board" in (
                radios.get_attribute("class") or ""
            ) else self.hand.choose(field)
        last = fields.locator("fieldset.last button").first
        if last.count() == 0:
            return fields.locator("button.go")
        name = last.get_attribute("name") or ""
        if "on-board" not in (fields.locator("fieldset.last").get_attribute("class") or ""):
            return fields.locator(f'button[name="{name}"][value="{wanted[name]}"]').first
        if form.get_attribute("data-quick") is not None:
            return self._place(wanted[name])
        self._tap_on_board(wanted[name])
        return fields.locator("button.go")

    def _take_back(self, coin: Locator) -> None:
        """Nothing of one kind is given: taps go on to as many as there are to give, and then back to none."""
        tapped = coin.locator("xpath=..").locator("button")
        while tapped.count() and coin.input_value():
            before = coin.input_value()
            self.hand.press(tapped)
            assert coin.input_value() != before

    def _give(self, coin: Locator, amount: str) -> None:
        """Gives so much of one kind, of which nothing is given yet: types it, or taps as often."""
        tapped = coin.locator("xpath=..").locator("button")
        if tapped.count() == 0:
            if amount:
                self.hand.give(coin, amount)
            return
        for count in range(int(amount or 0)):
            self.hand.press(tapped)
            assert coin.input_value() == str(count + 1)

    def _place(self, value: str) -> Locator:
        return self.page.locator(f'figure.board [data-pick="{value}"].target').first

    def _tap_on_board(self, value: str) -> None:
        self.hand.press(self._place(value))

    def _plan(self, form: Locator) -> Locator:
        """The proposal where there is one, else two tokens on the board; without scripts the lines of the form."""
        if not self.has_scripts:
            for field in form.locator(".rows fieldset.options").all():
                self.hand.choose(field.locator("input[type=radio]").first)
            self._fill_rows(form)
            return form.locator(".send button[type=submit]")
        if form.locator("button.take:visible").count():
            self.hand.press(form.locator("button.take"))
        for token in form.locator(".hand button:not(.placed):visible").all()[:2]:
            self.hand.press(token)
            self.hand.press(self.page.locator("figure.board [data-pick].target").nth(self.dice.randrange(3)))
        if form.locator("button.on:visible").count():
            self.hand.press(form.locator("button.on"))
        return form.locator(".send button[type=submit]")

    def _fill_rows(self, form: Locator) -> None:
        """Orders for what comes next, line by line: each token once, on whatever space."""
        rows, taken = form.locator(".row-group:visible").first.locator(".order-row:visible"), {""}
        place = 0
        while place < rows.count():  # the next line appears when this one is filled in
            selects = rows.nth(place).locator(".blank:not(.addition) select")
            values = selects.first.locator("option").evaluate_all("(all) => all.map((one) => one.value)")
            left = [at for at, value in enumerate(values) if value not in taken]
            if selects.count() != 2 or not left:
                return
            taken.add(values[left[-1]])
            self.hand.pick(selects.first, left[-1])
            self.hand.pick(selects.last, self.dice.randrange(1, selects.last.locator("option").count()))
            place += 1

    def _send(self, form: Locator, button: Locator) -> bool:
        """Presses the button that answers; whether the answer was taken."""
        if self.loses_network and self.dice.randrange(self.loses_network) == 0:
            self._send_without_network(form, button)
        if self.has_scripts:
            key = form.locator("input[name=key]").input_value()
            self.hand.press(button)
            self.page.wait_for_function("(key) => !document.querySelector(`input[name=key][value='${key}']`)", arg=key)
        else:
            with self.page.expect_navigation():
                self.hand.press(button)
        self._check()
        return self.page.locator(REFUSED).count() == 0

    def _send_without_network(self, form: Locator, button: Locator) -> None:
        """The page stays, says what is wrong, and keeps what was chosen."""
        chosen = "(form) => new URLSearchParams(new FormData(form)).toString()"
        before = form.evaluate(chosen)
        self.context.set_offline(True)
        self.hand.press(button)
        self.page.locator("#connection").wait_for(state="visible")
        assert form.evaluate(chosen) == before
        with self.page.expect_response(lambda answer: answer.url.startswith(self.table)):
            self.context.set_offline(False)
        self.page.locator("#connection").wait_for(state="hidden")
        assert form.evaluate(chosen) == before

    def _check(self) -> None:
        if self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            self.faults.append(f"{self.page.url} is wider than the screen")

    def _note(self, said: str) -> None:
        if not any(known in said for known in OWN_FAULT):
            self.faults.append(said)

    def _hear(self, response: Response) -> None:
        if response.status >= 500 or response.status in (403, 404):
            self.faults.append(f"{response.status} {response.url}")


def play(people: list[Person], settle: Callable[[], None], is_far_enough: Callable[[], bool], *, most: int) -> None:
    """Everybody looks and answers in turn until it is far enough; `settle` lets the service go on.

    Raises AssertionError if they had to look more than `most` times.
    """
    for _ in range(most):
        for person in people:
            settle()
            person.look()
            if not person.is_over:
                person.answer()
        if is_far_enough():
            return
    raise AssertionError("the game does not end")
