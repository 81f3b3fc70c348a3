"""Taps, typed fields and seconds of ten journeys, each by thumb on a phone: from an email to a move, from the front
page to a first placement, from a new table to a guest on his seat.

    python -m tests.browser.journeys

A tap is anything that is touched, the link in the email among them; beside them are counted the fields that are typed
into, and how often what comes next was not on the screen. The seconds are those of service and browser, from the first
sight of the page to the page that says the move is stored: nobody reads or thinks. They are worth something on a quiet
machine only: its load is printed below them.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING

import django
from django.utils import timezone
from playwright.sync_api import Browser, Locator, sync_playwright

from tests.browser.weight import IS_SEEN, PHONE
from tests.capabilities import chromium_binary

if TYPE_CHECKING:
    from games.models import Game, User
    from notifications.messages import MailMessage

# Selectors
PROPOSED, OTHERWISE, WAY, BUTTON = 'a[href*="do=proposal"]', "a.button.second", "a.way", "a.button"  # in an email
PLAY_THIS, CONFIRM, AGAIN = "button[name=proposal]:visible", "form.confirm button.big", ".confirming button.big"
START, LAID = "[data-fill]", "svg .planned"  # the button that begins with the proposal, and what it lays on the board
HAND, SPACE = 'svg [data-pick-field="token"].target', "svg [data-pick].target:not([data-pick-field])"
SEND = "#asked form.answer .send button.big"
DONE = "#done"  # of the page after an answer behind a link

TAP = 80  # milliseconds that a finger stays
BASIC, MAGIC = {"version": "basic"}, {"version": "magic"}
SHEETS = {"options": BASIC | {"tally": "plan"}, "proposals": "on"}


@dataclass
class Journey:
    """What one journey took; the goal and the first version's figure are in words, "" where there is none."""

    name: str
    goal: str = ""
    before: str = ""
    taps: int = 0
    scrolls: int = 0
    fields: int = 0
    seconds: float = 0.0

    @property
    def row(self) -> str:
        """A row of the table that is printed."""
        cells = (self.taps, self.scrolls, self.fields, f"{self.seconds:.1f}", self.goal, self.before)
        return f"| {self.name} | {' | '.join(map(str, cells))} |"


def finger(place: Locator, milliseconds: int) -> None:
    """Touches the middle of a place for so long, as no `tap` of the driver's does."""
    box = place.bounding_box()
    assert box is not None
    device = place.page.context.new_cdp_session(place.page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    device.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    place.page.wait_for_timeout(milliseconds)
    device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    device.detach()


class Thumb:
    """A person's phone, and the journey that is made on it."""

    def __init__(self, browser: Browser, address: str, user: "User | None" = None) -> None:
        from tests.browser.test_table import session_of

        self.address = address
        context = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True)
        if user is not None:
            context.add_cookies([{"name": "session", "value": session_of(user), "url": address}])
        self.page = context.new_page()
        self.journey = Journey("")

    def tap(self, *places: str) -> None:
        """Touches what these selectors find, one after the other."""
        for place in places:
            finger(self._find(place), TAP)
            self.journey.taps += 1

    def type(self, field: str, text: str) -> None:
        """Writes into it."""
        self._find(field).fill(text)
        self.journey.fields += 1

    def _find(self, selector: str) -> Locator:
        """The first of them, scrolled to if its middle is not on the screen."""
        place = self.page.locator(selector).first
        box = place.bounding_box()
        if box is None or not 0 <= box["y"] + box["height"] / 2 <= PHONE["height"]:
            self.journey.scrolls += 1
            place.evaluate("place => place.scrollIntoView({behavior: 'instant', block: 'center'})")
        return place

    def see(self, path: str) -> None:
        """Opens a page without a tap. The clock begins when it is seen."""
        self.page.goto(self.address + path, wait_until="commit")
        self._begin()

    def follow(self, mail: "MailMessage", link: str) -> None:
        """Opens an email, and taps the first link with this selector. The clock begins at the page behind it."""
        self.page.set_content(mail.html)
        with self.page.expect_navigation(wait_until="commit"):
            self.tap(link)
        self._begin()

    def _begin(self) -> None:
        self.page.wait_for_function(f"() => {IS_SEEN}")
        self.begun = monotonic()

    def end(self, sign: str) -> None:
        """Stops the clock when this is on the page."""
        self.page.locator(sign).first.wait_for()
        self.journey.seconds = monotonic() - self.begun


class Journeys:
    """The people, their phones, and what was measured."""

    def __init__(self, browser: Browser, address: str) -> None:
        from games.models import User
        from tests.browser.gallery import People

        self.browser, self.address, self.people = browser, address, People()
        User.objects.update(proposals_shown="now")  # as at a table among friends
        self.anna = Thumb(browser, address)  # where she is not signed in

    @contextmanager
    def on(self, thumb: Thumb, name: str, *, game: "Game | None" = None, **told: str) -> Iterator[None]:
        """A journey on this phone, with its goal and how it was before; what it took is printed.

        Raises AssertionError if a game is given in which no answer was taken from a link.
        """
        count = game.moves.filter(source="link").count() if game else 0
        thumb.journey = Journey(name, **told)
        yield
        print(thumb.journey.row)
        assert game is None or game.moves.filter(source="link").count() == count + 1

    def asked(self, rules: str, *kinds: str, after: str = "", **plan: object) -> tuple["Game", "MailMessage"]:
        """A table of Anna's where such a question waits for her, and the email about it."""
        from tests.browser.gallery import asked, play_until
        from tests.games.conftest import propose_all
        from tests.games.letters.conftest import mail

        table = self.people.table("Thursday", rules, guests=0, **plan)
        game = play_until(table, asked(self.people.anna, *kinds, after=after))
        propose_all(timezone.now())
        return game, mail("due", self.people.anna)

    def remember(self) -> None:
        """Has the browser remembered with the next answer, which costs no time that is measured."""
        self.anna.page.locator("input[name=mine]:visible").first.check()

    def answer(self, name: str, asked: tuple["Game", "MailMessage"], *places: str, **told: str) -> None:
        """Anna answers from an email. She taps these places, first the link in the email."""
        game, mail = asked
        with self.on(self.anna, name, game=game, **told):
            self.anna.follow(mail, places[0])
            if AGAIN in places:
                self.remember()
            self.anna.tap(*places[1:])
            self.anna.end(DONE)

    def play_sheets(self) -> None:
        """A sheet as it is proposed, twice, and on to the next game; one of which a token goes where none would lie."""
        sheets = [self.asked("aladdins-dragons", "sheet", after="r1", **SHEETS) for _ in range(3)]
        self.answer("a proposal is accepted on a new device", sheets[0], PROPOSED, PLAY_THIS, AGAIN, goal="3 taps")
        self.answer("a proposal is accepted on a known device", sheets[1], PROPOSED, PLAY_THIS, goal="2 taps")
        with self.on(self.anna, "from an answer to the next game that waits"):
            self.anna.begun = monotonic()
            self.anna.tap(".following a.button")
            self.anna.end("#asked")
        changed = (OTHERWISE, START, LAID, f"{SPACE}:not(:has(.planned))", SEND)
        self.answer("a changed sheet of eight tokens", sheets[2], *changed, goal="6 taps")

    def choose(self, kind: str, words: str, options: dict[str, str]) -> None:
        """One of the answers that the email lists."""
        asked = self.asked("aladdins-dragons", kind, options=options, proposals="off")
        self.answer(f"a choice in the email: {words}", asked, WAY, CONFIRM, goal="2 taps", before="4 taps")

    def tap_boards(self) -> None:
        """A placement, and the question after it on the same page; a move in the Cave."""
        from tests.games.conftest import settle

        asked = self.asked("aladdins-dragons", "place", after="r1", options=BASIC, proposals="off")
        self.answer("a single placement, tapped on the board", asked, BUTTON, HAND, SPACE, SEND)
        with self.on(self.anna, "from the server's next question to the same page", goal="0.5 s", before="5 s"):
            settle(timezone.now())  # bots answer, and she is asked again
            self.anna.begun = monotonic()
            self.anna.end("#done form.answer")
        asked = self.asked("cave-of-wonders", "move", seat_count=4, proposals="off")
        self.answer("a move in the Cave, tapped on the board", asked, BUTTON, SPACE, SEND)

    def come_new(self) -> None:
        """Somebody without an account places a token against bots."""
        thumb = Thumb(self.browser, self.address)
        with self.on(thumb, "a newcomer from the front page to his first placement", goal="4 taps, 20 s"):
            thumb.see("/")
            thumb.tap(".hero button", HAND, SPACE, SEND)
            thumb.end(".notice.success")

    def invite(self) -> None:
        """A table is opened with all that is chosen at first, somebody invited to it, and he sits down."""
        from games.models import Invitation, Seat
        from tests.games.letters.conftest import mail

        thumb, guest = Thumb(self.browser, self.address, self.people.anna), "eva@example.org"
        with self.on(thumb, "a table is opened, and somebody invited by email"):
            thumb.see("/")
            thumb.tap("main a[href='/tables/new/']")
            thumb.type("input[name=addresses]", guest)
            thumb.tap("main button.big")
            thumb.end("h3:has-text('Invited by email')")
        thumb = Thumb(self.browser, self.address)
        with self.on(thumb, "from the email that invites to the seat, without an account"):
            thumb.follow(mail("invited", Invitation.objects.get(address=guest).recipient), BUTTON)
            thumb.type("input[name=name]", "Eva")
            thumb.tap("main button.big", AGAIN)
            thumb.end(".notice.success")
        assert Seat.objects.filter(user__email=guest).exists()

    def keep_company(self) -> None:
        """At a table: something is said, a successor is sought and comes, an hour together is agreed; and play on."""
        from games.models import Game, Seat
        from tests.browser.gallery import never, play_until
        from tests.games.letters.conftest import mail

        people, rules = self.people, "cave-of-wonders"
        game = people.table("Friday", rules, guests=1, seat_count=3)
        page, ben = f"/table/{game.ref}/", Thumb(self.browser, self.address, people.ben)
        with self.on(ben, "something is said at the table"):
            ben.see(page)
            ben.tap("a[href='#panel-talk']")
            ben.type("#say-text", "Well played!")
            ben.tap("#say button")
            ben.end("#panel-talk :text('Well played!')")
        with self.on(ben, "a successor is sought"):
            ben.see(page)
            ben.tap("a[href='#panel-more']", "#successor summary", "#successor button")
            ben.end(".notice.success")
        david = Thumb(self.browser, self.address, people.david)
        with self.on(david, "the successor takes the seat, from the public tables"):
            david.see("/tables/")
            david.tap(f"main a[href*='{game.ref}']", "a[href='#panel-players']", "form[action*='/take/'] button")
            david.end(".notice.success")
        assert Seat.objects.filter(game=game, user=people.david).exists()
        game = people.table("Saturday", rules, guests=1, seat_count=3)
        anna = Thumb(self.browser, self.address, people.anna)
        with self.on(anna, "an hour together is proposed"):
            anna.see(f"/table/{game.ref}/")
            anna.tap("a[href='#panel-more']", "#propose-hour summary")
            anna.type("#hour-at", (timezone.localtime() + timedelta(hours=5)).strftime("%Y-%m-%dT%H:%M"))
            anna.tap("#propose-hour button")
            anna.end(".notice.success")
        new = Thumb(self.browser, self.address)
        with self.on(new, "an hour together is agreed to from its email, on a new device"):
            new.follow(mail("hour", people.ben), BUTTON)
            new.tap("button[value=agree]", AGAIN)
            new.end(".notice.success")
        assert Game.objects.get(pk=game.pk).hour_state == Game.Hour.AGREED
        over = play_until(people.table("Sunday", rules, guests=1, seat_count=2), never)
        with self.on(anna, "a finished game is played on from a step"):
            anna.see(f"/table/{over.ref}/history/?step=9")
            anna.tap("#play-on button")
            anna.end("#asked")

    def paste(self) -> None:
        """The link of a table that somebody pastes into a chat, opened by a player who is signed in."""
        from games.models import Seat
        from games.tables.table_links import join_url

        game = self.people.table("Monday", "cave-of-wonders", start=False, guests=0)
        thumb = Thumb(self.browser, self.address, self.people.david)
        with self.on(thumb, "from a pasted link to a seat"):
            thumb.see(join_url(game).removeprefix(self.address))
            thumb.tap("main button.big")
            thumb.end(".notice.success")
        assert Seat.objects.filter(game=game, user=self.people.david).exists()


def make(browser: Browser, address: str) -> None:
    """Makes all journeys, one after the other, and prints what each took."""
    print("| journey | taps | scrolls | typed | seconds | goal | before |\n|---|---|---|---|---|---|---|")
    journeys = Journeys(browser, address)
    journeys.play_sheets()
    journeys.choose("buy", "a purchase", BASIC)
    journeys.choose("window", "a card, or none", MAGIC)
    journeys.tap_boards()
    journeys.come_new()
    journeys.invite()
    journeys.paste()
    journeys.keep_company()


def main() -> int:
    """Measure. Returns the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # playwright keeps an event loop in this thread
    django.setup()
    from django.test import override_settings

    from tests.browser.visiting import serving

    with serving() as address, override_settings(SITE_URL=address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_binary(), args=["--no-sandbox"])
        make(browser, address)
        browser.close()
    print(f"load: {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
