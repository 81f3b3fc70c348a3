"""Every kind of page: no barriers (WCAG 2.2 AA as far as a program can tell, in both themes), nothing wider than its
screen, of 320 px or more. `python -m tests.browser.pictures` takes pictures of them, to be looked at."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.gallery import ROOMS
from tests.browser.pictures import IS_WIDE, LOOKS, NARROW, SPREAD
from tests.browser.visiting import visitors

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
VIOLATIONS = {"resultTypes": ["violations"]}  # what is in order is not worked out in detail: half of axe's time
RULES = VIOLATIONS | {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
COLOURS = VIOLATIONS | {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
}  # dark changes these


@pytest.mark.parametrize("room", ROOMS)
def test_every_page_is_without_barriers_and_fits_its_screen(browser, live_server, room):
    wrong = []
    with visitors(browser, live_server.url) as visit:
        for shown in ROOMS[room]():
            page = visit(shown)
            for look in (LOOKS[2], LOOKS[0], NARROW):
                look.at(page)
                if look is NARROW:
                    page.evaluate(SPREAD)
                if page.evaluate(IS_WIDE):
                    wrong.append(f"{shown.name} is wider than {look.width} px")
            for scheme, rules in (("light", RULES), ("dark", COLOURS)):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no colour is on its way
                found = Axe().run(page, options=rules)
                wrong += [f"{shown.name} {scheme}: {found.generate_report()}"] if found.violations_count else []
    assert wrong == []
