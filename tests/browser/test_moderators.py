"""A moderator's evenings in a real browser: the second factor, the queue, everything that can be done with a game and a
person. The pictures stay in var/pictures/moderators, to be looked at."""

import datetime as dt
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp

from games.models import Game, ModerationEntry, SealedTOTPDevice, Seat, User
from games.moderation import reports
from games.people import sessions, staff
from tests.browser.pictures import LOOKS, PICTURES, take
from tests.games.conftest import answer, fresh, make_user, open_rows, running, settle, some_answer

WITHOUT_SCRIPTS = pytest.mark.parametrize("phone", [False], indirect=True, ids=["without-scripts"])
LATER = "2099-12-24T18:00"
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
    phone.open("/admin/")
    page.get_by_role("heading", name="Second factor").wait_for()
    page.get_by_label("Code").fill(f"{totp(SealedTOTPDevice.objects.get().bin_key):06}")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Write down these codes").wait_for()
    page.get_by_role("link", name="I've written them down").click()
    assert page.url.endswith("/admin/")


def act(phone, path: str, name: str, **fields: str | bool) -> None:
    """Unfolds what is done, fills in the form and sends it."""
    page = phone.page
    phone.open(path)
    form = page.locator("form", has=page.locator(f"input[name=act][value={name}]"))
    unfolded = page.locator("details.act", has=form)
    if not unfolded.evaluate("(one) => one.open"):  # one that is alone on its page stands open
        unfolded.locator("summary").click()
    for field, value in ({"reason": "It is asked for"} | fields).items():
        place = form.locator(f"[name={name}-{field}]")
        if value is True:
            place.check()
        elif place.evaluate("(one) => one.tagName") == "SELECT":
            place.select_option(label=value)
        else:
            place.fill(value)
    form.get_by_role("button").first.click()
    page.locator(".messagelist .success").wait_for()


def path_of(page) -> str:
    """Of the page that is open."""
    return urlsplit(page.url).path


def keep(phone, name: str) -> None:
    """Pictures of the page that is open, on a phone by night and on a desk by day."""
    folder = PICTURES / "moderators"
    folder.mkdir(parents=True, exist_ok=True)
    wrong = [take(phone.page, look, folder, name) for look in (LOOKS[1], LOOKS[2])]
    assert [one for one in wrong if one] == []


@pytest.fixture
def eva(phone, settings, game) -> User:
    """A moderator, signed in; the second factor is another test's."""
    settings.STAFF_SECOND_FACTOR = False
    user = staff.make_moderator("eva@example.org")
    phone.sign_in(signed_in(user))
    return user


def done() -> list[str]:
    """What stands in the book, oldest first."""
    return list(ModerationEntry.objects.order_by("pk").values_list("action", flat=True))


@pytest.mark.slow
@WITHOUT_SCRIPTS
def test_a_moderator_gets_games_going_from_the_queue(phone, game, eva):
    now, dora, page = timezone.now(), make_user("Dora"), phone.page
    ben = User.objects.get(name="Ben")
    broken = running(game.host, [ben, dora], now, rules_name="cave-of-wonders", options={})
    Game.objects.filter(pk=broken.pk).update(quarantined_at=now, title="Broken")
    game.decisions.filter(status="open").update(due_at=now - dt.timedelta(hours=1))

    phone.open("/admin/")
    keep(phone, "desk")
    page.get_by_role("link", name="Broken").click()
    act(phone, path_of(page), "release")
    act(phone, path_of(page), "cancel", sure=True)
    assert fresh(broken).status == Game.Status.CLOSED

    phone.open("/admin/")
    page.get_by_role("link", name="Thursday").click()
    table = path_of(page)
    act(phone, table, "nudge")
    act(phone, table, "extend", hours="5")
    act(phone, table, "pause", until=LATER)
    page.locator(".truth", has_text="24 Dec 2099").wait_for()
    keep(phone, "paused")
    act(phone, table, "resume")
    act(phone, table, "mail_again", seat="Ben")
    act(phone, table, "to_bot", seat="Ben", bot="greedy")
    assert game.seats.get(user=ben).status == Seat.Status.ABSENT
    act(phone, table, "give_back", seat="Ben")
    act(phone, table, "replace", seat="Ben", address=dora.email)
    assert game.seats.get(user=dora).is_person
    waited = open_rows(game)[0].code
    act(phone, table.replace("moderate", "forecast"), "force", sure=True)
    assert path_of(page) == table
    assert game.decisions.get(code=waited).status != "open"
    keep(phone, "game")
    of_seats = ["mail_again", "to_bot", "give_back", "replace"]
    assert done() == ["release", "cancel", "nudge", "extend", "pause", "resume", *of_seats, "force"]


@pytest.mark.slow
@WITHOUT_SCRIPTS
def test_a_moderator_deals_with_a_report_and_with_whom_it_is_about(phone, game, eva):
    now, dora, page = timezone.now(), make_user("Dora"), phone.page
    ben, carla = (User.objects.get(name=name) for name in ("Ben", "Carla"))
    reports.file_report(
        game=game, by=ben, seat=game.seats.get(user=carla).number, text="<b>Carla</b> is slow.", now=now
    )
    for user in (carla, dora):
        sessions.record_sign_in(user=user, address="192.0.2.7", browser="Firefox", now=now)

    phone.open("/admin/")
    page.get_by_role("link", name="Resolve").click()
    page.locator("dd", has_text="Carla").wait_for()
    keep(phone, "report")
    page.get_by_label("Outcome").select_option("acted")
    page.get_by_label("Your answer to the player").fill("I wrote to her")
    page.get_by_role("button", name="Resolve").click()
    page.get_by_text("Done: Resolve").wait_for()

    person = f"/admin/games/user/{carla.pk}/moderate/"
    phone.open(person)
    page.get_by_text("Dora: the same kind of browser there, the same network").wait_for()
    act(phone, person, "warn")
    act(phone, person, "mute", until=LATER)
    act(phone, person, "unmute")
    act(phone, person, "suspend", until=LATER)
    keep(phone, "person")
    act(phone, person, "lift")
    assert User.objects.get(pk=carla.pk).is_active
    assert done() == ["settle", "warn", "mute", "unmute", "suspend", "lift"]

    phone.open(f"/admin/games/moderationentry/{ModerationEntry.objects.earliest('pk').pk}/change/")
    page.locator("#content").get_by_text("I wrote to her").wait_for()
    keep(phone, "entry")
    assert page.locator("#content form").locator("input:not([type=hidden]), select, textarea").count() == 0


@WITHOUT_SCRIPTS
def test_a_moderator_takes_a_game_back_and_the_players_see_it(phone, game, settings):
    settings.STAFF_SECOND_FACTOR = True
    eva = staff.make_moderator("eva@example.org")
    eva.user_permissions.add(Permission.objects.get(codename="look_at_hands"))
    page = phone.page
    phone.sign_in(signed_in(eva))

    show_second_factor(phone)

    phone.open(f"/admin/games/game/{game.pk}/moderate/")
    page.get_by_role("link", name="Answer by default: preview").click()
    page.get_by_role("heading", name="What everyone would see").wait_for()
    phone.open(f"/admin/games/game/{game.pk}/hand/")
    page.get_by_label("Why").fill("Ben says that he sees too much")
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("heading", name="sees").first.wait_for()

    phone.open(f"/admin/games/game/{game.pk}/moderate/")
    page.get_by_role("link", name="Roll back, or copy to a sandbox").click()
    page.get_by_role("link", name="3", exact=True).click()
    page.get_by_role("heading", name="What everyone has learned since").wait_for()
    form = page.locator("form", has=page.locator("input[value=roll_back]"))
    form.get_by_label("Why").fill("Carla moved for Ben")
    form.get_by_role("button").first.click()
    page.get_by_text("Done: Roll back to this step.").wait_for()
    assert fresh(game).branch == 1
    assert set(ModerationEntry.objects.values_list("action", flat=True)) == {"look", "roll_back"}

    page.get_by_role("link", name="Roll back, or copy to a sandbox").click()
    page.get_by_role("link", name="2", exact=True).click()
    page.get_by_text("Copy to a sandbox").first.click()
    form = page.locator("form", has=page.locator("input[value=sandbox]"))
    form.get_by_label("Why").fill("To see what Ben could have done")
    form.get_by_role("button").first.click()
    page.get_by_role("heading", name="Sandbox: Thursday").wait_for()

    phone.sign_in(signed_in(game.host))
    phone.open(f"/table/{game.ref}/?log=all")
    page.get_by_text("A moderator has rolled the game back to step 3").first.wait_for(state="attached")
    assert page.get_by_text("(taken back)").count() > 0
    assert not phone.is_wider_than_the_screen()
