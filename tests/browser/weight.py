"""How heavy the table's page and the front page are, and how soon they can be used on a throttled phone of the middle.

    python -m tests.browser.weight              the table's page, of a service of its own
    python -m tests.browser.weight ADDRESS      the front page of a running service, and a newcomer's way to a placement

Sizes are what travels. The seconds are worth something on a quiet machine only: its load is printed beside them. The
processor time of the browser's own thread is worth something on any; from it and the sizes is reckoned when a phone
could use the page, were nothing done side by side.
"""

import os
import sys
from pathlib import Path
from statistics import median
from time import monotonic

import django
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.capabilities import chromium_binary

PHONE = {"width": 390, "height": 844}
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
SLOWER = 4  # than this machine's processor
VISITS = 5
IS_SEEN = 'performance.getEntriesByName("first-contentful-paint").length > 0'
TIMES = """(() => {
  const visit = performance.getEntriesByType("navigation")[0]
  const [paint] = performance.getEntriesByName("first-contentful-paint")
  return {answer: visit.responseStart, seen: paint.startTime, ready: visit.domContentLoadedEventEnd}
})()"""
LARGEST = """new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
  .observe({type: "largest-contentful-paint", buffered: true}))"""


class Meter:
    """What has travelled since it was last read, in bytes."""

    def __init__(self, session: CDPSession) -> None:
        self.bytes = 0
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._note)

    def _note(self, event: dict) -> None:
        self.bytes += int(event["encodedDataLength"])

    def read(self) -> int:
        """How many, and begin anew."""
        done, self.bytes = self.bytes, 0
        return done


def throttled(browser: Browser, address: str, cookie: str) -> tuple[Page, Meter]:
    """A phone that has never been here."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2)
    context.add_init_script("localStorage.setItem('scenes-off', '1')")
    if cookie:
        context.add_cookies([{"name": "session", "value": cookie, "url": address}])
    page = context.new_page()
    session = context.new_cdp_session(page)
    meter = Meter(session)
    session.send("Network.emulateNetworkConditions", NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page, meter


def labour(browser: Browser, url: str, cookie: str) -> float:
    """Seconds of processor time that the page's own thread needs, on this machine at its full speed."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2)
    context.add_cookies([{"name": "session", "value": cookie, "url": url}])
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    before = spent()
    page.goto(url, wait_until="networkidle")
    page.wait_for_function(IS_SEEN)
    done = spent() - before
    context.close()
    return done


def measure(browser: Browser, address: str) -> None:
    """Visits to a magic table, and a token placed."""
    from tests.browser.gallery import MAGIC, People, asked, play_until
    from tests.browser.test_table import session_of

    people = People()
    table = people.table("Magic", "aladdins-dragons", options=MAGIC)
    game = play_until(table, asked(people.anna, "place", after="r1"))
    times: list[dict[str, float]] = []
    weights = []
    for _ in range(VISITS):
        page, meter = throttled(browser, address, session_of(people.anna))
        page.goto(f"{address}/table/{game.ref}/", wait_until="networkidle")
        page.wait_for_function(IS_SEEN)
        times.append(page.evaluate(TIMES))
        weights.append(meter.read())
        page.context.close()
    page, meter = throttled(browser, address, session_of(people.anna))
    page.goto(f"{address}/table/{game.ref}/", wait_until="networkidle")
    meter.read()
    place(page)
    page.wait_for_load_state("networkidle")
    print(f"first visit: {median(weights) / 1000:.0f} kB; a move: {meter.read() / 1000:.0f} kB")
    answer, seen, ready = (median(visit[name] for visit in times) / 1000 for name in ("answer", "seen", "ready"))
    print(f"answered after {answer:.2f} s, seen after {seen:.2f} s, with its scripts after {ready:.2f} s")
    work = min(labour(browser, f"{address}/table/{game.ref}/", session_of(people.anna)) for _ in range(VISITS))
    travel = 2 * NETWORK["latency"] / 1000 + median(weights) / NETWORK["downloadThroughput"]
    print(
        f"{work:.2f} s of the browser's thread; usable by reckoning after {travel + SLOWER * work:.2f} s and the answer"
    )
    print(f"load: {Path('/proc/loadavg').read_text().split()[0] if Path('/proc/loadavg').exists() else 'unknown'}")


def measure_front(browser: Browser, address: str) -> None:
    """Visits to the front page by people who have never been there, and the way of one from there to a placement."""
    times, weights = [], []
    for _ in range(VISITS):
        page, meter = throttled(browser, address, "")
        page.goto(address, wait_until="networkidle")
        times.append(page.evaluate(LARGEST) / 1000)
        weights.append(meter.read())
        page.context.close()
    print(f"front page: {median(weights) / 1000:.0f} kB, largest part seen after {median(times):.2f} s")
    page, _meter = throttled(browser, address, "")
    begun = monotonic()
    page.goto(address)
    page.locator(".hero button").click()
    page.locator("#asked .coin").first.wait_for()  # the treasures to start with, as proposed
    page.locator("#asked button.go:visible").click()
    page.locator("#asked label.choice input[type=radio]").first.wait_for(state="attached")
    place(page)
    print(f"a newcomer's first placement: 4 taps, {monotonic() - begun:.1f} s")


def place(page: Page) -> None:
    """A token, a space, and among people the button that names both; until the answer is there."""
    key = page.locator("#asked input[name=key]").first.input_value()
    page.locator("#asked label.choice").first.click()
    page.locator("figure.board [data-pick].target").first.click()
    if page.locator("#asked button.go:visible").count():
        page.locator("#asked button.go:visible").first.click()
    page.locator(f"#asked input[name=key][value='{key}']").wait_for(state="detached")


def main() -> int:
    """Measure. Returns the exit status."""
    if len(sys.argv) > 1:
        with sync_playwright() as playwright:
            measure_front(
                playwright.chromium.launch(executable_path=chromium_binary(), args=["--no-sandbox"]), sys.argv[1]
            )
        return 0
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # playwright keeps an event loop in this thread
    django.setup()
    from tests.browser.visiting import serving

    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_binary(), args=["--no-sandbox"])
        measure(browser, address)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
