"""What somebody without a session can cause, and what he cannot keep an owner from."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.models import AnonymousRequest, User
from games.people import limits, sign_in
from tests.games.web.filling import pressed, words
from tests.games.web.test_account import code_in, is_signed_in, link_in

ASK = reverse("account_request_login_code")
CONFIRM = reverse("account_confirm_login_code")
RESET = reverse("account_reset_password")
SIGN_IN = reverse("account_login")
SIGN_UP = reverse("account_signup")
PASSWORD = "sand and saffron"
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
pytestmark = pytest.mark.slow


def at(network: str) -> Client:
    return Client(REMOTE_ADDR=network)


def ask_everywhere(address: str, network: str) -> None:
    """Thirteen requests of a stranger: three codes, five new passwords, five guesses."""
    for _ in range(3):
        at(network).post(ASK, {"email": address})
    for _ in range(5):
        at(network).post(RESET, {"email": address})
    for _ in range(5):
        at(network).post(SIGN_IN, {"login": address, "password": "a guess"})


@pytest.fixture(autouse=True)
def stopped_clock(now: datetime) -> Iterator[None]:
    with time_machine.travel(now, tick=False):
        yield


@pytest.fixture
def owner(anna: User) -> User:
    anna.set_password(PASSWORD)
    anna.save()
    sign_in.confirm_address(anna)
    return anna


@pytest.fixture
def known(owner: User) -> Client:
    """A browser in which the owner has signed in before, at the network of the strangers."""
    client = at("192.0.2.7")
    client.post(SIGN_IN, {"login": owner.email, "password": PASSWORD})
    assert is_signed_in(client)
    client.post(reverse("account_logout"))
    return client


def by_password(client: Client, owner: User) -> bool:
    client.post(SIGN_IN, {"login": owner.email, "password": PASSWORD})
    return is_signed_in(client)


def by_code(client: Client, owner: User) -> bool:
    before = len(mail.outbox)
    client.post(ASK, {"email": owner.email})
    for letter in mail.outbox[before:]:
        client.post(CONFIRM, {"code": code_in(letter)})
    return is_signed_in(client)


def by_reset(client: Client, owner: User) -> bool:
    before = len(mail.outbox)
    client.post(RESET, {"email": owner.email})
    return len(mail.outbox) == before + 1


@pytest.mark.parametrize("door", [by_password, by_code, by_reset])
def test_a_hundred_requests_of_strangers_keep_the_owner_out_of_no_door(
    owner: User, known: Client, door: object
) -> None:
    for number in range(4):
        ask_everywhere(owner.email, f"198.51.100.{number}")
        ask_everywhere(owner.email, "192.0.2.7")
    assert door(known, owner)


@pytest.mark.parametrize("door", [by_password, by_code, by_reset])
def test_nor_does_a_browser_that_is_new_if_it_is_elsewhere(owner: User, door: object) -> None:
    ask_everywhere(owner.email, "192.0.2.7")
    assert door(at("203.0.113.9"), owner)


def test_when_no_further_letter_goes_out_the_latest_stays_good_until_one_does(
    owner: User, now: datetime, settings: object
) -> None:
    with time_machine.travel(now, tick=False) as clock:
        for number in range(30):
            at(f"198.51.100.{number}").post(ASK, {"email": owner.email})
            clock.shift(SECOND)
        assert len(mail.outbox) == 10
        clock.shift(10 * HOUR)
        refused = at("203.0.113.9").post(ASK, {"email": owner.email})
        assert "the latest email you have still works" in words(refused)
        for letter, is_good in ((mail.outbox[0], False), (mail.outbox[-1], True)):
            visitor = at("203.0.113.9")
            path, query = link_in(letter, settings).split("?")
            visitor.post(path, {"sesame": re.search("sesame=([^&]+)", query)[1], **pressed()})
            assert is_signed_in(visitor) is is_good


def test_a_code_stays_good_in_its_browser_though_a_further_one_is_refused(owner: User) -> None:
    visitor = at("192.0.2.7")
    visitor.post(ASK, {"email": owner.email})
    for _ in range(2):
        at("192.0.2.7").post(ASK, {"email": owner.email})
    for door in (ASK, RESET, SIGN_UP):
        refused = at("192.0.2.7").post(door, {"email": owner.email, "name": "N"})
        assert "Too many attempts." in words(refused) and len(mail.outbox) == 3
    visitor.post(CONFIRM, {"code": code_in(mail.outbox[0])})
    assert is_signed_in(visitor)


def test_a_letter_with_which_its_reader_signs_in_is_counted_no_more(owner: User, now: datetime) -> None:
    with time_machine.travel(now, tick=False) as clock:
        for _ in range(12):
            clock.shift(2 * SECOND)
            assert by_code(at("192.0.2.7"), owner)
    assert not AnonymousRequest.objects.exists()


def test_one_network_causes_few_letters_to_one_address_and_a_hundred_a_day_in_all(owner: User, now: datetime) -> None:
    with time_machine.travel(now, tick=False) as clock:
        for number in range(120):
            known = (owner.email, f"anna+{number}@example.net") if number % 5 == 0 else ()
            for address in (f"stranger{number}@example.org", *known):
                at("192.0.2.7").post((ASK, RESET)[number % 2], {"email": address})
            clock.shift(timedelta(minutes=10))
    to = [letter.to[0] for letter in mail.outbox]
    assert to.count(owner.email) <= 7
    assert 80 < len(to) <= 100
    assert sum(address.startswith("anna+") for address in to) == 1  # one mailbox


@pytest.mark.parametrize("network", ["{n}.0.2.7", "2001:db8:{n}::1"])
def test_many_networks_together_cause_ten_letters_a_day_to_one_address(owner: User, network: str) -> None:
    for number in range(20, 60):
        at(network.format(n=number)).post(RESET, {"email": owner.email})
    assert len(mail.outbox) == 10


@pytest.mark.parametrize(("other", "count"), [("2001:db8:0:ff::1", 3), ("2001:db8:0:100::1", 4)])
def test_an_ipv6_address_counts_as_its_56(owner: User, other: str, count: int) -> None:
    for _ in range(3):
        at("2001:db8::1").post(ASK, {"email": owner.email})
    at(other).post(ASK, {"email": owner.email})
    assert len(mail.outbox) == count


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2ff::7", "2001:db8:1:200::/56"),
        ("fe80::1%eth0", "fe80::/56"),
        ("unix:", ""),
    ],
)
def test_a_network_is_what_one_subscriber_has(address: str, network: str) -> None:
    assert limits.network_of(address) == network


@pytest.mark.parametrize("doors", [(ASK, RESET), (RESET, ASK), (SIGN_UP, ASK), (ASK, SIGN_UP)])
def test_an_address_without_an_account_gets_one_letter_a_day_and_every_door_says_the_same(
    owner: User, now: datetime, doors: tuple[str, str]
) -> None:
    with time_machine.travel(now, tick=False) as clock:
        answers = {}
        for address in ("nobody@example.org", owner.email):
            visitor = at("192.0.2.7")
            said = [visitor.post(door, {"email": address, "name": "N"}, follow=True) for door in doors]
            answers[address] = [words(page).replace(address, "") for page in said]
            clock.shift(2 * SECOND)
        assert answers["nobody@example.org"] == answers[owner.email]
        assert [letter.to[0] for letter in mail.outbox].count("nobody@example.org") == 1
        clock.shift(timedelta(days=1))
        at("192.0.2.7").post(ASK, {"email": "nobody@example.org"})
        assert [letter.to[0] for letter in mail.outbox].count("nobody@example.org") == 2


def test_with_that_one_letter_an_account_is_made(db: None, settings: object) -> None:
    at("192.0.2.7").post(ASK, {"email": "eva@example.org"})
    (letter,) = mail.outbox
    path = re.search(r"^(http\S+/sign-up/\S+)$", letter.body, re.MULTILINE)[1].removeprefix(settings.SITE_URL)
    visitor = at("203.0.113.9")
    form = visitor.get(path, follow=True)
    assert 'value="eva@example.org"' in form.content.decode()
    visitor.post(SIGN_UP, {"email": "eva@example.org", "name": "Eva"})
    assert is_signed_in(visitor) and len(mail.outbox) == 1
    assert at("203.0.113.9").get(path.replace("sign-up/", "sign-up/x")).status_code == 410


def test_that_letter_is_good_too_for_an_account_that_was_begun_meanwhile(db: None, settings: object) -> None:
    visitor = at("192.0.2.7")
    visitor.post(ASK, {"email": "eva@example.org"})
    visitor.post(SIGN_UP, {"email": "eva@example.org", "name": "Eva"})
    (letter,) = mail.outbox
    path = re.search(r"^(http\S+/sign-up/\S+)$", letter.body, re.MULTILINE)[1].removeprefix(settings.SITE_URL)
    page = visitor.get(path, follow=True)
    visitor.post(reverse("sign_in_link"), {"sesame": page.context["sesame"], **pressed()})
    assert is_signed_in(visitor)


def test_a_password_is_guessed_at_from_many_networks_only_so_often(owner: User) -> None:
    said = [
        words(at(f"198.51.100.{number}").post(SIGN_IN, {"login": owner.email, "password": "a guess"}))
        for number in range(60)
    ]
    assert sum("Too many attempts" not in page for page in said) == 50


def test_who_knows_the_password_is_not_counted(owner: User) -> None:
    for _ in range(8):
        assert by_password(at("192.0.2.7"), owner)
    assert not AnonymousRequest.objects.exists()
