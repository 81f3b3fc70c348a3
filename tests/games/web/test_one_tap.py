"""A choice in an email: the page says what will be done, and on a device that is its player's one button does it."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Decision, TrustedDevice, User
from games.privacy import retention
from notifications.clock import present
from tests.games.conftest import fresh, open_rows
from tests.games.web.acting import act_path, seq_of
from tests.games.web.filling import soup_of, words

CHOICE = "?do=place&token=7&space=market"
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


def player_of(row: Decision) -> User:
    """Whom the row asks."""
    assert row.seat.user is not None
    return row.seat.user


def confirm_form(response):
    """The form with the one button; None if the page asks for more."""
    return soup_of(response).select_one("form.confirm")


def inputs(form):
    """What pressing its button posts, the tick left as it is."""
    return {field["name"]: field.get("value", "") for field in form.select("input[type=hidden]")}


def press(client, row, *, ticks=False, query=CHOICE):
    """Opens the link and presses its button."""
    posted = inputs(confirm_form(client.get(act_path(row) + query)))
    return client.post(act_path(row), posted | ({"mine": "yes"} if ticks else {}))


def test_a_choice_in_an_email_opens_a_page_that_says_what_will_be_done_and_does_nothing_yet(client, placing):
    row = open_rows(placing)[0]
    before = seq_of(placing)
    page = client.get(act_path(row) + CHOICE)
    form = confirm_form(page)
    assert len(form.select("button")) == 1
    assert "7" in form.button.text and "Market" in form.button.text
    assert seq_of(placing) == before
    assert soup_of(page).select_one("details#other-answers form.answer"), "the whole form stays within reach"


def test_on_a_device_nobody_knows_the_button_alone_changes_nothing_and_the_tick_does(client, placing):
    row = open_rows(placing)[0]
    before = seq_of(placing)
    refused = press(client, row)
    assert refused.status_code == 422
    assert "Tick “This device is mine”" in words(refused)
    assert "7" in confirm_form(refused).button.text, "the choice is still there"
    assert seq_of(placing) == before
    assert press(client, row, ticks=True).status_code == 303
    assert seq_of(placing) == before + 1


def test_a_device_is_called_its_own_by_each_of_its_players(client, placing):
    row = open_rows(placing)[0]
    press(client, row, ticks=True)
    user = player_of(row)
    assert user.trusted_devices.count() == 1
    following = next(one for one in open_rows(fresh(placing)) if one.seat.user != user)
    assert confirm_form(client.get(act_path(following) + CHOICE)).select("input[type=checkbox]"), "of nobody else"
    assert press(client, following, ticks=True).status_code == 303
    assert TrustedDevice.objects.count() == 2, "two players may share a device"


def play_round(client, placing, user, ticks):
    """Whoever is asked answers by his link until it is this player's turn again; returns his row."""
    for _ in range(4):
        row = open_rows(fresh(placing))[0]
        if player_of(row) == user:
            return row
        press(client, row, ticks=ticks, query=choice_of(client, row))
    raise AssertionError("his turn never came")


def choice_of(client, row):
    """The query of a link that places the first token on the first space."""
    page = soup_of(client.get(act_path(row)))
    token, space = (page.select(f"form.answer input[name=place-{name}]")[0]["value"] for name in ("token", "space"))
    return f"?do=place&token={token}&space={space}"


@pytest.mark.slow
def test_the_second_choice_takes_one_tap(placing):
    client = Client(headers={"user-agent": PHONE})
    row = open_rows(placing)[0]
    user = player_of(row)
    press(client, row, ticks=True)
    row = play_round(Client(), placing, user, ticks=True)
    page = client.get(act_path(row) + choice_of(client, row))
    assert not confirm_form(page).select("input[type=checkbox]")
    assert press(client, row, query=choice_of(client, row)).status_code == 303


def test_who_is_signed_in_there_needs_no_tick(client, placing):
    row = open_rows(placing)[0]
    client.force_login(player_of(row))
    assert not confirm_form(client.get(act_path(row) + CHOICE)).select("input[type=checkbox]")
    assert press(client, row).status_code == 303
    assert not TrustedDevice.objects.exists()


@pytest.mark.parametrize(
    "query",
    [
        "?do=place&token=7",
        "?do=place&token=77&space=market",
        "?do=place&token=7&space=moon",
        "?do=nothing&token=7&space=market",
        "?token=7&space=market",
        "?do=place&token=%00&space=market",
    ],
)
def test_a_choice_that_is_incomplete_or_not_possible_shows_the_whole_form(client, placing, query):
    page = client.get(act_path(open_rows(placing)[0]) + query)
    assert page.status_code == 200
    assert confirm_form(page) is None
    assert soup_of(page).select_one("form.answer")


def test_a_sheet_is_written_and_never_confirmed(client, game):
    row = next(row for row in open_rows(game) if row.kind in ("sheet", "take_treasures"))
    assert confirm_form(client.get(act_path(row) + "?do=sheet&windows=quiet&tally=later")) is None


def test_a_double_tap_answers_once(client, placing):
    row = open_rows(placing)[0]
    posted = inputs(confirm_form(client.get(act_path(row) + CHOICE))) | {"mine": "yes"}
    first, second = client.post(act_path(row), posted), client.post(act_path(row), posted)
    assert first["Location"] == second["Location"]
    assert placing.moves.filter(decision=row.code).count() == 1


@pytest.mark.parametrize("cookie", ["", "x", "\\", "ü" * 43, "a" * 43, "a" * 5000])
def test_a_forged_cookie_is_no_device(client, placing, cookie):
    row = open_rows(placing)[0]
    client.cookies["device"] = cookie
    assert press(client, row).status_code == 422
    assert press(client, row, ticks=True).status_code == 303


# The list of one's devices


def trusting(user: User, placing) -> Client:
    """A phone that this player has called his own, and in which he is signed in since."""
    client = Client(headers={"user-agent": PHONE})
    row = next(one for one in open_rows(placing) if one.seat.user == user)
    press(client, row, ticks=True)
    client.force_login(user)
    return client


def test_one_sees_ones_devices_and_a_device_forgotten_needs_the_tick_again(placing, now):
    row = open_rows(placing)[0]
    user = player_of(row)
    client = trusting(user, placing)
    page = client.get(reverse("signed_in"))
    assert "Chrome on Android" in words(page)
    (button,) = soup_of(page).select("button[name=forget]")
    assert client.post(reverse("signed_in"), {"forget": "\0no"}).status_code == 404
    assert client.post(reverse("signed_in"), {"forget": button["value"]}).status_code == 302
    assert not user.trusted_devices.exists()


def test_nobody_forgets_the_device_of_another(placing, ben):
    row = open_rows(placing)[0]
    other = ben if player_of(row) != ben else next(s.user for s in placing.seats.all() if s.user not in (None, ben))
    trusting(player_of(row), placing)
    client = Client()
    client.force_login(other)
    ref = player_of(row).trusted_devices.get().ref
    assert client.post(reverse("signed_in"), {"forget": ref}).status_code == 404
    assert player_of(row).trusted_devices.exists()


def test_a_device_that_is_not_used_for_a_year_is_forgotten(placing, now):
    user = player_of(open_rows(placing)[0])
    with present.going_by(lambda: now):
        trusting(user, placing)
    rule = next(rule for rule in retention.EXPIRIES if rule.name == "trusted_devices")
    assert rule.apply(now + dt.timedelta(days=365)) == 0
    assert rule.apply(now + dt.timedelta(days=367)) == 1
