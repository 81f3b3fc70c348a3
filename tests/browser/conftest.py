"""A real browser on a phone, and the service it looks at."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, sync_playwright

from tests.capabilities import chromium_binary

PATIENCE = 120_000  # milliseconds: several browsers on a busy machine take their time
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's chromium."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # playwright keeps an event loop in this thread
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium_binary(), args=["--no-sandbox"])
        yield started
        started.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Phone:
    """A page on a phone that remembers what the browser complained about."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.complaints: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def see_no_scenes(self) -> None:
        """What happened does not play itself here: the newest board stands at once."""
        self.page.add_init_script("localStorage.setItem('scenes-off', '1')")

    def sign_in(self, cookie: str) -> None:
        """Carries a session that was made elsewhere."""
        self.page.context.add_cookies([{"name": "session", "value": cookie, "url": self.address}])

    def open(self, path: str) -> None:
        """Opens a path of the service."""
        self.page.goto(self.address + path)

    def is_wider_than_the_screen(self) -> bool:
        """Whether one has to scroll sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))

    def give(self, kind: str, amount: int) -> None:
        """Gives so much of a kind of treasure: a tap on its coin each, or a number without scripts."""
        coin = self.page.locator(f'#asked .coin[data-value="{kind}"]')
        if coin.locator("button").count() == 0:
            coin.locator("input").fill(str(amount))
            return
        for _ in range(amount):
            coin.locator("button").click()

    def place(self, token: str, space: str) -> None:
        """Places a token: on the board, and by the button that names it; without scripts by the form."""
        self.page.get_by_role("radio", name=token, exact=True).check()
        on_board = self.space(space).and_(self.page.locator(".target"))
        if on_board.count() == 0:
            self.page.locator(f'#asked .last button[value="{space}"]').click()
            return
        on_board.click()
        go = self.page.get_by_role("button", name=f"Place the {token}")
        if go.count():
            go.click()

    def space(self, name: str) -> Locator:
        """A place on the board."""
        return self.page.locator(f'figure.board [data-pick="{name}"]')


@pytest.fixture(params=[False, True], ids=["without-scripts", "with-scripts"])
def has_scripts(request) -> bool:
    """Whether the phone does JavaScript."""
    return bool(request.param)


@pytest.fixture
def phone(has_scripts: bool, browser: Browser, live_server) -> Iterator[Phone]:
    """A phone, once without JavaScript and once with it."""
    context = browser.new_context(viewport=PHONE, java_script_enabled=has_scripts)
    context.set_default_timeout(PATIENCE)
    phone = Phone(context, live_server.url)
    phone.see_no_scenes()
    yield phone
    context.close()
