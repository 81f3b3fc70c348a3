"""A card played unasked, and a window answered, by hand on a phone; and no barriers on these pages."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from games.lobby import lifecycle
from games.models import Decision, Game
from games.tables.settings import TablePlan
from tests.browser.test_table import session_of
from tests.games.conftest import answer, fresh, make_user, open_rows, settle
from tests.games.magic import PASS, deal_all_spells

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(transactional_db, monkeypatch) -> Game:
    """Anna and Ben and a bot, with seven spells each; the window at the start of the round is open."""
    deal_all_spells(monkeypatch)
    plan = TablePlan(title="Thursday", rules_name="aladdins-dragons", seat_count=3, bots=("greedy",))
    anna, ben, now = make_user("Anna"), make_user("Ben"), timezone.now()
    game = lifecycle.open_table(host=anna, plan=plan, now=now)
    lifecycle.join(game_id=game.pk, user=ben, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    for row in waiting(game):
        answer(game, row, now)
    settle(now)
    return fresh(game)


def waiting(game: Game) -> list[Decision]:
    return [row for row in open_rows(game) if not row.is_automatic]


def test_anna_passes_in_a_window_and_then_plays_a_card_unasked(phone, game):
    page = phone.page
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    assert not phone.is_wider_than_the_screen()
    page.get_by_role("button", name="Play nothing").click()
    page.get_by_text("Change my answer").wait_for()
    while rows := [row for row in open_rows(game) if row.kind == "window"]:  # the bot may play a card, and all go on
        settle(timezone.now())
        for row in [row for row in rows if not row.is_automatic]:
            answer(game, row, timezone.now(), PASS)
    settle(timezone.now())
    assert any(row.kind == "place" for row in open_rows(game))
    phone.open(f"/table/{game.ref}/")
    page.locator("#asked details.aside > summary").click()
    form = page.locator("[id='answer-r1-declared-1']")
    form.locator("summary", has_text="Play Aladdin's Lamp").click()
    form.locator("[data-way=play_lamp] button.go").click()
    page.get_by_role("status").get_by_text("You play Aladdin's Lamp.").first.wait_for()
    assert not phone.is_wider_than_the_screen()
    assert fresh(game).moves.filter(decision="r1-declared-1").count() == 1
    assert [complaint for complaint in phone.complaints if "422" not in complaint] == []


def test_the_pages_of_the_magic_version_have_no_barriers(browser, live_server, game):
    """WCAG 2.2 AA as far as a program can tell, light and dark."""
    for scheme in ("light", "dark"):
        # What moves is at its end at once: no colour is on its way when it is looked at.
        page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme, reduced_motion="reduce")
        page.context.add_cookies([{"name": "session", "value": session_of(game.host), "url": live_server.url}])
        for part in ("", "#panel-players", "#panel-more"):
            page.goto(f"{live_server.url}/table/{game.ref}/{part}")
            page.evaluate("for (const one of document.querySelectorAll('.panel details')) one.open = true")
            found = Axe().run(
                page, options={"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
            )
            assert found.violations_count == 0, found.generate_report()
        page.close()
