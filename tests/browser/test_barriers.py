"""No barriers on any page: WCAG 2.2 AA as far as a program can tell, light and dark, at 320 px."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from games import links
from games.services import talk
from tests.browser.test_table import game, mine, session_of

__all__ = ["game"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
AT_A_TABLE = ("", "?log=all", "history/", "orders/", "mail/", "care/", "verify/")
ELSEWHERE = (
    "",
    "my-games/",
    "tables/",
    "tables/new/",
    "settings/",
    "settings/mail/",
    "settings/mail/told/",
    "settings/webhooks/",
    "rules/",
    "by-mail/",
    "learn/",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_have_no_barriers(browser, live_server, game, scheme):
    for text in ("Hello", "A line that is hidden", "<b>" + "long" * 50):
        comment = talk.say(game_id=game.pk, user=game.host, text=text, now=timezone.now())
        if "hidden" in text:
            talk.hide(comment=comment, user=game.host, now=timezone.now())
    context = browser.new_context(viewport={"width": 320, "height": 844}, color_scheme=scheme)
    context.add_cookies([{"name": "session", "value": session_of(game.host), "url": live_server.url}])
    page = context.new_page()
    link = links.act_url(mine(game)).split("/", 3)[3]
    for path in (*(f"table/{game.ref}/{more}" for more in AT_A_TABLE), *ELSEWHERE, f"player/{game.host.ref}/", link):
        page.goto(f"{live_server.url}/{path}")
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        found = Axe().run(page, options=RULES)
        assert found.violations_count == 0, f"{path}: {found.generate_report()}"
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth"), path
    context.close()
