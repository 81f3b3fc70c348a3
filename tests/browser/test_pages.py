"""Every kind of page: no barriers (WCAG 2.2 AA as far as a program can tell, in both themes), nothing wider than its
screen, of 320 px or more. `python -m tests.browser.pictures` takes pictures of them, to be looked at."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.gallery import ROOMS
from tests.browser.pictures import IS_WIDE, LOOKS, NARROW, SPREAD
from tests.browser.visiting import visitors

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
VIOLATIONS = {"resultTypes": ["violations"]}  # what is in order is not worked out in detail: half of axe's time
OF_COLOURS = ["color-contrast", "link-in-text-block"]
RULES = VIOLATIONS | {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"],
    "rules": {rule: {"enabled": False} for rule in OF_COLOURS},
}
COLOURS = VIOLATIONS | {"runOnly": {"type": "rule", "values": OF_COLOURS}}
# Colours follow from an element's tag, class and attributes, and from those of what it stands in: each such kind is
# looked at on the first of a reader's pages that has it. What stands in a new kind is new as well.
UNSEEN = """() => {
  const seen = new Set(JSON.parse(localStorage.getItem("kinds-seen") || "[]"))
  const here = new Set()
  const look = (element, above, isInNew) => {
    let kind = above
    const words = ["class", "style"].map((name) => element.getAttribute(name))
    for (const letter of [element.tagName, ...words, ...element.getAttributeNames()].join(" ")) {
      kind = (Math.imul(kind, 31) + letter.codePointAt(0)) | 0
    }
    here.add(kind)
    const isNew = !seen.has(kind)
    if (isNew && !isInNew) element.setAttribute("data-new", "")
    for (const child of element.children) look(child, kind, isNew)
  }
  look(document.body, 7, false)
  localStorage.setItem("kinds-seen", JSON.stringify([...seen, ...here]))
  return document.querySelectorAll("[data-new]").length
}"""
IN_PAGE = Axe("0")  # no script of its own: the page has it from the first look


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
            found = [Axe().run(page, options=RULES)]
            for scheme in ("light", "dark") if page.evaluate(UNSEEN) else ():
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no colour is on its way
                found.append(IN_PAGE.run(page, context="[data-new]", options=COLOURS))
            wrong += [f"{shown.name}: {one.generate_report()}" for one in found if one.violations_count]
    assert wrong == []
