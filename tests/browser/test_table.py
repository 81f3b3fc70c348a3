"""A few moves by hand on a phone: from the table and from the link in a mail, without JavaScript and with it."""

import pytest
from django.test import Client
from django.utils import timezone

from games.lobby import lifecycle
from games.models import Decision, Game, User
from games.play import decision_links
from games.tables.settings import TablePlan
from tests.games.conftest import fresh, make_user, open_rows, settle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(transactional_db) -> Game:
    """Anna against two bots; her starting treasures are asked."""
    plan = TablePlan(
        title="Thursday", rules_name="aladdins-dragons", seat_count=3, bots=("greedy", "random"), is_listed=True
    )
    anna, now = make_user("Anna"), timezone.now()
    game = lifecycle.open_table(host=anna, plan=plan, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    settle(timezone.now())
    return fresh(game)


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["session"].value


def mine(game: Game) -> Decision:
    return next(row for row in open_rows(game) if not row.is_automatic)


def test_anna_plays_on_the_table(phone, game):
    page = phone.page
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    page.get_by_role("button", name="Take these treasures").click()
    assert fresh(game).moves.filter(seat=mine(game).seat.number).count() == 0  # an untouched form answers nothing
    page.get_by_role("spinbutton", name="Crowns").fill("2")
    page.get_by_role("spinbutton", name="Gold bars").fill("1")
    page.get_by_role("button", name="Take these treasures").click()
    page.get_by_text("The game continues by itself").wait_for()
    settle(timezone.now())
    for token, space in (("9", "Market"), ("1", "Palace guard")):
        phone.open(f"/table/{game.ref}/")
        page.get_by_role("radio", name=token, exact=True).check()
        page.get_by_role("radio", name=space).check()
        with page.expect_request(lambda request: request.method == "POST") as sent:
            page.get_by_role("button", name="Place a token face down").click()
        assert "row." not in sent.value.post_data  # lines for orders are not even there until they are wanted
        page.get_by_role("status").get_by_text(f"You place the {token}").wait_for()
        assert not phone.is_wider_than_the_screen()
        settle(timezone.now())
    assert [complaint for complaint in phone.complaints if "422" not in complaint] == []


def test_anna_plays_from_the_link_in_a_mail(phone, game):
    page = phone.page
    link = decision_links.act_url(mine(game)).split("/", 3)[3]
    phone.open(f"/{link}")
    assert not phone.is_wider_than_the_screen()
    page.get_by_role("spinbutton", name="Pearls").fill("3")
    page.get_by_role("button", name="Take these treasures").click()
    page.get_by_role("heading", name="Done").wait_for()
    phone.open(f"/{link}")
    page.get_by_text("Anna starts with 3 pearls.").wait_for()
    assert phone.page.context.cookies() == []
    assert phone.complaints == []
