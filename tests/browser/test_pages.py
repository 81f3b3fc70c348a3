"""Every kind of page: no barriers (WCAG 2.2 AA as far as a program can tell, in both themes), nothing wider than
a screen of 320 px. Its pictures stay in var/pictures, to be looked at."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.gallery import ROOMS
from tests.browser.pictures import IS_WIDE, LOOKS, NARROW, SPREAD, take
from tests.browser.visiting import visitors

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PICTURES = Path(__file__).resolve().parents[2] / "var" / "pictures"
VIOLATIONS = {"resultTypes": ["violations"]}  # what is in order is not worked out in detail: half of axe's time
RULES = VIOLATIONS | {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
AT_EVERY_RUN = (LOOKS[0], LOOKS[3])  # a phone by day, a desk by night; `python -m tests.browser.pictures` takes all
COLOURS = VIOLATIONS | {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
}  # dark changes these


@pytest.mark.parametrize("room", ROOMS)
def test_every_page_is_without_barriers_and_leaves_its_pictures(browser, live_server, room):
    folder = PICTURES / room
    folder.mkdir(parents=True, exist_ok=True)
    wrong = []
    with visitors(browser, live_server.url) as visit:
        for shown in ROOMS[room]():
            page = visit(shown)
            wrong += [take(page, look, folder, shown.name) for look in AT_EVERY_RUN]
            page.evaluate(SPREAD)
            NARROW.at(page)
            if page.evaluate(IS_WIDE):
                wrong.append(f"{shown.name} is wider than {NARROW.width} px")
            for scheme, rules in (("light", RULES), ("dark", COLOURS)):
                page.emulate_media(color_scheme=scheme)
                found = Axe().run(page, options=rules)
                wrong += [f"{shown.name} {scheme}: {found.generate_report()}"] if found.violations_count else []
    assert [one for one in wrong if one] == []
