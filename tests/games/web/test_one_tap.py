"""A choice in an email: the page says what will be done, and on a device that is its player's one button does it."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Decision, TrustedDevice, User
from games.privacy import retention
from notifications import confirming
from notifications.clock import present
from tests.games.conftest import fresh, open_rows
from tests.games.web.acting import act_path, seq_of
from tests.games.web.filling import choose_me, pressed, soup_of, words

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
    """What a program posts that presses its button, with no choice made."""
    return {field["name"]: field.get("value", "") for field in form.select("input[type=hidden]")}


def press(client, row, *, holds=False, query=CHOICE):
    """Opens the link and presses its button; whoever holds it has the browser remembered."""
    posted = inputs(confirm_form(client.get(act_path(row) + query)))
    return client.post(act_path(row), posted | ({"mine": "yes"} | pressed() if holds else {}))


def test_a_choice_in_an_email_opens_a_page_that_says_what_will_be_done_and_does_nothing_yet(client, placing):
    row = open_rows(placing)[0]
    before = seq_of(placing)
    page = client.get(act_path(row) + CHOICE)
    form = confirm_form(page)
    assert len(form.select("button[type=submit]")) == 1
    assert "7" in form.text and "Market" in form.text
    assert player_of(row).name in form.button.text, "it says who acts"
    assert seq_of(placing) == before
    assert soup_of(page).select_one("details#other-answers form.answer"), "the whole form stays within reach"


def test_on_a_device_nobody_knows_the_button_alone_asks_who_is_there_and_a_choice_plays(client, placing):
    row = open_rows(placing)[0]
    before = seq_of(placing)
    page = press(client, row)
    assert page.status_code == 200 and seq_of(placing) == before
    form = soup_of(page).select_one("form.who")
    assert not form.select("input[checked]")
    posted = inputs(form)
    for person, status in (("", 422), ("other", 200), ("later", 200)):
        assert client.post(act_path(row), posted | ({"person": person} if person else {})).status_code == status
    assert seq_of(placing) == before
    assert choose_me(client, page, act_path(row)).status_code == 303
    assert seq_of(placing) == before + 1 and not TrustedDevice.objects.exists()


@pytest.mark.parametrize(("kind", "length"), [("hold", 600), ("twice", 250)])
def test_a_button_that_was_held_or_pressed_twice_plays_at_once(client, placing, kind, length):
    row = open_rows(placing)[0]
    posted = inputs(confirm_form(client.get(act_path(row) + CHOICE)))
    assert client.post(act_path(row), posted | pressed(kind, length)).status_code == 303


def test_a_forged_short_or_old_proof_plays_nothing(client, placing):
    row = open_rows(placing)[0]
    before, posted = seq_of(placing), inputs(confirm_form(client.get(act_path(row) + CHOICE)))
    good = pressed()
    hurried = {"challenge": posted["challenge"], "proof": proof_of(posted["challenge"], "hold.3600000")}
    old = confirming.SIGNER.sign("page-1600000000000")
    forged = [
        pressed("hold", 599),
        pressed("twice", 249),
        hurried,  # the page is younger than the press
        {"challenge": old, "proof": proof_of(old, "hold.700")},
        good | {"challenge": posted["challenge"]},
        good | {"challenge": good["challenge"][:-1] + "x"},
        good | {"proof": good["proof"][:-1] + "g"},
        good | {"proof": "hold.9999999999.0"},
        {"challenge": "", "proof": "hold.700.0", "person": "me"},
        {"challenge": "\0é.x", "person": "me"},
    ]
    for fields in forged:
        page = client.post(act_path(row), posted | fields)
        assert page.status_code in (200, 422) and seq_of(placing) == before, fields


def proof_of(challenge, facts):
    return f"{facts}.{confirming._checksum(f'{challenge}.{facts}')}"


def test_a_device_is_called_its_own_by_each_of_its_players(client, placing):
    row = open_rows(placing)[0]
    press(client, row, holds=True)
    user = player_of(row)
    assert user.trusted_devices.count() == 1
    following = next(one for one in open_rows(fresh(placing)) if one.seat.user != user)
    assert confirm_form(client.get(act_path(following) + CHOICE)).select("[name=proof]"), "of nobody else"
    assert press(client, following, holds=True).status_code == 303
    assert TrustedDevice.objects.count() == 2, "two players may share a device"


def play_round(client, placing, user, holds):
    """Whoever is asked answers by his link until it is this player's turn again; returns his row."""
    for _ in range(4):
        row = open_rows(fresh(placing))[0]
        if player_of(row) == user:
            return row
        press(client, row, holds=holds, query=choice_of(client, row))
    raise AssertionError("his turn never came")


def choice_of(client, row):
    """The query of a link that places the first token on the first space."""
    page = soup_of(client.get(act_path(row)))
    token, space = (
        page.select(f"form.answer :is(input, button)[name=place-{name}]")[0]["value"] for name in ("token", "space")
    )
    return f"?do=place&token={token}&space={space}"


@pytest.mark.slow
def test_the_second_choice_takes_one_tap(placing):
    client = Client(headers={"user-agent": PHONE})
    row = open_rows(placing)[0]
    user = player_of(row)
    press(client, row, holds=True)
    row = play_round(Client(), placing, user, holds=True)
    page = client.get(act_path(row) + choice_of(client, row))
    assert not confirm_form(page).select("[name=proof]")
    assert press(client, row, query=choice_of(client, row)).status_code == 303


def test_who_is_signed_in_there_confirms_nothing(client, placing):
    row = open_rows(placing)[0]
    client.force_login(player_of(row))
    assert not confirm_form(client.get(act_path(row) + CHOICE)).select("[name=proof]")
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
    posted = inputs(confirm_form(client.get(act_path(row) + CHOICE))) | pressed()
    first, second = client.post(act_path(row), posted), client.post(act_path(row), posted)
    assert first["Location"] == second["Location"]
    assert placing.moves.filter(decision=row.code).count() == 1


@pytest.mark.parametrize("cookie", ["", "x", "\\", "ü" * 43, "a" * 43, "a" * 5000])
def test_a_forged_cookie_is_no_device(client, placing, cookie):
    row = open_rows(placing)[0]
    client.cookies["device"] = cookie
    assert press(client, row).status_code == 200
    assert press(client, row, holds=True).status_code == 303


# The list of one's devices


def trusting(user: User, placing) -> Client:
    """A phone that this player has called his own, and in which he is signed in since."""
    client = Client(headers={"user-agent": PHONE})
    row = next(one for one in open_rows(placing) if one.seat.user == user)
    press(client, row, holds=True)
    client.force_login(user)
    return client


def test_one_sees_ones_devices_and_a_device_forgotten_is_asked_again(placing, now):
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
