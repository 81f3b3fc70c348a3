"""A host looks after his table in a real browser: a vote to pause, more time, a reminder, a new player, the end of an
open table. The pictures stay in var/pictures/hosts, to be looked at."""

import pytest
from django.utils import timezone

from games.models import Game, ModerationEntry
from games.play import absences, pauses
from tests.browser.pictures import LOOKS, PICTURES, take
from tests.browser.test_table import session_of
from tests.games.conftest import fresh, make_user, new_table, open_rows, running

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def keep(phone, name: str) -> None:
    """A picture of the page that is open, on a phone."""
    folder = PICTURES / "hosts"
    folder.mkdir(parents=True, exist_ok=True)
    assert take(phone.page, LOOKS[0], folder, name) == ""


def act(phone, name: str, **fields: str) -> None:
    """One form of the page that looks after a table."""
    form = phone.page.locator("form", has=phone.page.locator(f"input[name=act][value={name}]"))
    for field, value in ({"reason": "Fair at work"} | fields).items():
        place = form.locator(f"[name={name}-{field}]")
        place.select_option(label=value) if field == "seat" else place.fill(value)
    form.get_by_role("button").click()
    phone.page.locator(".messages .success").wait_for()


@pytest.mark.parametrize("phone", [False], indirect=True, ids=["without-scripts"])
def test_a_host_keeps_his_table_going_and_closes_another_that_has_not_begun(phone):
    now, page = timezone.now(), phone.page
    anna, ben, carla, dora = map(make_user, ("Anna", "Ben", "Carla", "Dora"))
    game = running(anna, [ben, carla], now, rules_name="cave-of-wonders", options={})
    unstarted = new_table(anna, now)
    phone.sign_in(session_of(anna))

    phone.open(f"/table/{game.ref}/")
    page.locator(".tabs").get_by_text("More").click()
    page.locator("#pause summary").click()
    page.get_by_role("button", name="I want a pause").click()
    page.locator(".messages .success").wait_for()
    keep(phone, "one-wants-a-pause")
    assert not fresh(game).paused_at
    pauses.set_wish(game_id=game.pk, seat=game.seats.get(user=carla).number, is_wanted=True, now=now)
    phone.open(f"/table/{game.ref}/")
    page.get_by_text("The game has been paused since").wait_for()
    page.locator(".tabs").get_by_text("More").click()
    page.get_by_role("button", name="I want to play on").click()
    page.locator(".messages .success").wait_for()
    assert not fresh(game).paused_at

    asked = open_rows(game)[0]  # whoever the draw has begin; when nobody is waited for, nobody can be reminded
    away = next(player for player in (ben, carla) if player != asked.seat.user)
    absences.make_absent(game.seats.get(user=away), asked, now)
    page.locator(".tabs").get_by_text("More").click()
    page.get_by_role("link", name="Host tools").click()
    keep(phone, "care")
    act(phone, "nudge")
    act(phone, "extend", hours="5")
    act(phone, "replace", seat=away.name, address=dora.email)
    assert game.invitations.get(address=dora.email).seat == game.seats.get(user=away)
    keep(phone, "care-done")
    done = ModerationEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(done) == ["nudge", "extend", "offer"]

    phone.open(f"/table/{unstarted.ref}/")
    page.get_by_text("Close this table").click()
    page.get_by_role("button", name="Close the table").click()
    page.locator(".messages .success").wait_for()
    keep(phone, "closed")
    assert fresh(unstarted).status == Game.Status.CLOSED
