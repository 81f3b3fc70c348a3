"""A turn in the Cave of Wonders by hand on a phone, from the link of one landing in a mail."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.utils import timezone

from games.lobby import lifecycle
from games.models import Decision, Game
from games.play import decision_links, queries
from games.tables.settings import TablePlan
from tests.games.conftest import fresh, make_user, open_rows, settle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(transactional_db) -> Game:
    """Anna against three bots; a move is asked of her."""
    plan = TablePlan(title="Thursday", rules_name="cave-of-wonders", seat_count=4, bots=("greedy", "random", "sultan"))
    anna, now = make_user("Anna"), timezone.now()
    game = lifecycle.open_table(host=anna, plan=plan, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    settle(timezone.now())
    return fresh(game)


def asked(game: Game) -> Decision:
    return next(row for row in open_rows(game) if not row.is_automatic)


def test_anna_moves_aladdin_from_the_link_of_a_landing(phone, game, has_scripts):
    row = asked(game)
    (found,) = queries.open_questions(queries.Access(game, row.seat))
    (field,) = found.question.actions[0].fields
    landing = field.options[-1].value
    page = phone.page
    link = decision_links.act_url(row).split("/", 3)[3]
    phone.open(f"/{link}?do=move&to={landing}")
    assert not phone.is_wider_than_the_screen()
    assert page.locator("#other-answers [open]").count() == 0, "the other landings are folded away"
    assert page.locator("figure.board .map svg").first.bounding_box()["width"] > 250
    assert page.locator("[data-suggested]").get_attribute("data-suggested") == landing
    form = page.locator("form.confirm")
    button = form.get_by_role("button")
    assert landing in form.text_content() and "Yes, I'm" in button.text_content()
    if has_scripts:
        button.click(delay=700)  # milliseconds: it is held
    else:
        button.click()
        page.get_by_label("Yes, I'm").check()
        page.get_by_role("button", name="Continue").click()
    page.locator("#done h2").first.wait_for()
    page.get_by_text(f"to {landing}.").first.wait_for()
    assert fresh(game).moves.filter(source="link").count() == 1
    assert phone.complaints == []


@pytest.mark.parametrize("has_scripts", [True])
def test_the_button_says_what_the_chosen_landing_brings_at_once(phone, game):
    row = asked(game)
    (found,) = queries.open_questions(queries.Access(game, row.seat))
    (field,) = found.question.actions[0].fields
    told = {option.value: queries.say(game, option.hint) for option in field.options if option.hint}
    assert told
    client = Client()
    client.force_login(row.seat.user)
    phone.sign_in(client.cookies["session"].value)
    phone.open(f"/table/{game.ref}/")
    for landing, hint in told.items():
        phone.space(landing).click()
        phone.page.get_by_role("button", name=f"Go {hint}", exact=True).wait_for()


def test_its_pages_have_no_barriers(browser, live_server, game):
    """WCAG 2.2 AA as far as a program can tell, light and dark."""
    for scheme in ("light", "dark"):
        page = browser.new_page(viewport={"width": 320, "height": 844}, color_scheme=scheme, reduced_motion="reduce")
        for path in (decision_links.act_url(asked(game)).split("/", 3)[3], "rules/", "rules/cave-of-wonders/"):
            page.goto(f"{live_server.url}/{path}")
            found = Axe().run(
                page, options={"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
            )
            assert found.violations_count == 0, found.generate_report()
            assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth"), path
        page.close()
