"""A moderator's evening in a real browser: the second factor, a game taken back, a forecast, a look, a copy."""

import datetime as dt

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.models import Game, ModerationEntry
from games.services import staff
from tests.games.conftest import answer, fresh, make_user, open_rows, running, settle, some_answer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(transactional_db) -> Game:
    """Anna, Ben and Carla in the Cave of Wonders, some turns old."""
    now = timezone.now() - dt.timedelta(hours=1)
    people = [make_user(name) for name in ("Anna", "Ben", "Carla")]
    game = running(people[0], people[1:], now, rules_name="cave-of-wonders", options={})
    for dice in range(5):
        settle(now)
        answer(game, open_rows(game)[0], now, some_answer(fresh(game), open_rows(game)[0], dice))
    settle(now)
    return fresh(game)


def signed_in(user) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["session"].value


def show_second_factor(phone):
    page = phone.page
    phone.open("/admin/queue/")
    page.get_by_role("heading", name="Second factor").wait_for()
    page.get_by_label("Code").fill(f"{totp(TOTPDevice.objects.get().bin_key):06}")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="Write these codes down").wait_for()
    page.get_by_role("link", name="I have written them down").click()
    assert page.url.endswith("/admin/queue/")


@pytest.mark.parametrize("phone", [False], indirect=True, ids=["without-scripts"])
def test_a_moderator_takes_a_game_back_and_the_players_see_it(phone, game, settings):
    settings.STAFF_SECOND_FACTOR = True
    eva = staff.make_moderator("eva@example.org")
    eva.user_permissions.add(Permission.objects.get(codename="look_at_hands"))
    page = phone.page
    phone.sign_in(signed_in(eva))

    show_second_factor(phone)

    phone.open(f"/admin/games/game/{game.pk}/moderate/")
    page.get_by_role("link", name="Answer by default: see what it does").click()
    page.get_by_role("heading", name="What everybody would read").wait_for()
    phone.open(f"/admin/games/game/{game.pk}/hand/")
    page.get_by_label("Why").fill("Ben says that he sees too much")
    page.get_by_role("button", name="Look").click()
    page.get_by_role("heading", name="sees").first.wait_for()

    phone.open(f"/admin/games/game/{game.pk}/moderate/")
    page.get_by_role("link", name="Take back, or copy to a sandbox").click()
    page.get_by_role("link", name="3", exact=True).click()
    page.get_by_role("heading", name="What everybody has learned since").wait_for()
    page.get_by_text("Take the game back to this step").first.click()
    form = page.locator("form", has=page.locator("input[value=roll_back]"))
    form.get_by_label("Why").fill("Carla moved for Ben")
    form.get_by_label("Yes, I am sure").check()
    form.get_by_role("button").click()
    page.get_by_text("Done: Take the game back to this step.").wait_for()
    assert fresh(game).branch == 1
    assert set(ModerationEntry.objects.values_list("action", flat=True)) == {"look", "roll_back"}

    page.get_by_role("link", name="Take back, or copy to a sandbox").click()
    page.get_by_role("link", name="2", exact=True).click()
    page.get_by_text("Copy it to a sandbox").first.click()
    form = page.locator("form", has=page.locator("input[value=sandbox]"))
    form.get_by_label("Why").fill("To see what Ben could have done")
    form.get_by_role("button").click()
    page.get_by_role("heading", name="Sandbox: Thursday").wait_for()

    phone.sign_in(signed_in(game.host))
    phone.open(f"/table/{game.ref}/?log=all")
    page.get_by_text("A moderator has taken the game back to step 3").first.wait_for()
    assert page.get_by_text("(taken back)").count() > 0
    assert not phone.is_wider_than_the_screen()
