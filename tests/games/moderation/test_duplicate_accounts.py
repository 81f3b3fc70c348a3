"""Hints that two accounts are one person's: hashed, forgotten, shown to moderators, and never acted on."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.models import SignIn, User
from games.moderation import people
from games.people import sessions, sign_in, staff
from tests.games.conftest import make_user, running
from tests.games.web.filling import pressed

HERE, THERE, FIREFOX = "192.0.2.7", "198.51.100.9", "Mozilla/5.0 Firefox/140"


def signs(user: User, now: dt.datetime) -> dict[str, list[str]]:
    return {hint.user.name: hint.signs for hint in people.find_hints(user, now)}


def test_who_signs_in_from_one_place_looks_alike_and_nobody_else(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    sessions.record_sign_in(user=anna, address=HERE, browser=FIREFOX, now=now)
    sessions.record_sign_in(user=ben, address=HERE, browser=FIREFOX, now=now)
    sessions.record_sign_in(user=carla, address=HERE, browser="Opera", now=now)
    sessions.record_sign_in(user=make_user("Doris"), address=THERE, browser=FIREFOX, now=now)
    assert signs(anna, now) == {
        "Ben": ["the same kind of browser there", "the same network"],
        "Carla": ["the same network"],
    }


def test_nothing_can_be_read_from_what_is_kept_and_it_is_forgotten(anna: User, ben: User, now: dt.datetime) -> None:
    for user in (anna, ben):
        sessions.record_sign_in(user=user, address=HERE, browser=FIREFOX, now=now)
        sessions.record_sign_in(user=user, address=HERE, browser=FIREFOX, now=now)
    kept = list(SignIn.objects.values_list("mark", flat=True))
    assert len(kept) == 4
    assert all(len(mark) == 64 and HERE not in mark for mark in kept)
    later = now + sessions.SIGN_INS_KEPT
    assert signs(anna, later) == {}
    sessions.record_sign_in(user=make_user("Doris"), address="", browser=FIREFOX, now=later)
    assert not SignIn.objects.exists()


def test_endings_of_one_mailbox_are_seen(now: dt.datetime, db: None) -> None:
    one, two = (User.objects.create_user(f"anna{end}@example.org", name=f"Anna{end}") for end in ("", "+two"))
    User.objects.create_user("annabel@example.org")
    User.objects.create_user("anna@example.com")
    assert signs(one, now) == {"Anna+two": ["the same mailbox with another ending"]}
    assert signs(two, now) == {"Anna": ["the same mailbox with another ending"]}


def test_to_play_together_is_a_sign_only_beside_another(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    for _game in range(people.FEW_GAMES):
        running(anna, [ben, carla], now, rules_name="cave-of-wonders", options={})
    assert signs(anna, now) == {}
    for user in (anna, ben):
        sessions.record_sign_in(user=user, address=HERE, browser="", now=now)
    assert signs(anna, now)["Ben"][-1] == "3 of 3 games together"


@pytest.mark.parametrize("agent", ["Firefox", ""])
def test_signing_in_is_noted_and_a_moderator_sees_it(
    anna: User, ben: User, client: Client, now: dt.datetime, agent: str
) -> None:
    for user in (anna, ben):
        token = sign_in.sign_in_link(user).partition("sesame=")[2]
        Client(headers={"user-agent": agent}).post(reverse("sign_in_link"), {"sesame": token, **pressed()})
    client.force_login(staff.make_moderator("eva@example.org"))
    page = client.get(reverse("admin:games_user_moderate", args=[anna.pk])).content.decode()
    assert "the same network" in page
    assert reverse("admin:games_user_moderate", args=[ben.pk]) in page
