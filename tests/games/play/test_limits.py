"""Counts that guard a door hold when many come at once. With PostgreSQL these are real races."""

import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.api.access import ReadThrottle
from games.errors import LimitReached, TooMany
from games.models import User
from games.people import accounts, notification_preferences, tokens
from games.tables import webhooks
from notifications.clock import present
from tests.games.conftest import make_user, new_table

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 12
ASK, CONFIRM = reverse("account_request_login_code"), reverse("account_confirm_login_code")


@pytest.fixture(autouse=True)
def counted_anew(db: None) -> Iterator[None]:
    """Nobody has tried anything."""
    cache.clear()
    ReadThrottle.cache.clear()
    yield
    cache.clear()
    ReadThrottle.cache.clear()


def at_once(job: Callable[[int], Any]) -> list[Any]:
    """What the job gave in MANY threads that start together."""
    barrier, results = threading.Barrier(MANY), [None] * MANY

    def run(index: int) -> None:
        barrier.wait()
        try:
            results[index] = job(index)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(MANY)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_one_address_gets_three_codes_a_minute_however_many_ask_at_once() -> None:
    make_user("Anna")
    statuses = at_once(lambda _: Client().post(ASK, {"email": "anna@example.org"}).status_code)
    assert len(mail.outbox) == statuses.count(HTTPStatus.FOUND) == 3


def test_no_session_guesses_at_a_code_more_than_eight_times_however_many_guesses_come_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_user("Anna")
    client = Client()
    client.post(ASK, {"email": "anna@example.org"})
    found = re.search(r"\b[A-Z]{4}-[A-Z]{4}\b", str(mail.outbox[0].body))
    assert found
    looked_at = []
    compare = "allauth.account.forms.compare_user_code"
    monkeypatch.setattr(compare, lambda **codes: looked_at.append(codes["actual"]) or False)

    def guess(index: int) -> None:
        browser = Client()
        browser.cookies[settings.SESSION_COOKIE_NAME] = client.cookies[settings.SESSION_COOKIE_NAME].value
        browser.post(CONFIRM, {"code": f"{index:08}"})

    at_once(guess)
    assert 0 < len(looked_at) <= 8


@pytest.mark.parametrize("proxies", [0, 1], ids=["reached directly", "behind our proxy"])
def test_ten_wrong_passwords_a_minute_come_from_one_place_however_many_are_tried_at_once(
    monkeypatch: pytest.MonkeyPatch, settings: Any, proxies: int
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    for index in range(MANY):
        make_user(f"Person{index}")
    asked = []
    monkeypatch.setattr("games.models.User.check_password", lambda user, _password: asked.append(user) or False)

    def guess(index: int) -> None:
        claimed = {"X-Forwarded-For": f"203.0.113.{index}" + ", 198.51.100.7" * proxies}  # the proxy adds what it sees
        data = {"login": f"person{index}@example.org", "password": "x" * 12}
        Client().post(reverse("account_login"), data, headers=claimed)

    at_once(guess)
    assert 0 < len({user.pk for user in asked}) <= 10


def webhook(user: User) -> None:
    """One more webhook."""
    webhooks.create(
        user=user, wanted=webhooks.WebhookSettings(name="", url="https://example.org/hook"), now=present.now()
    )


def change(user: User) -> None:
    """One more wish to move the account."""
    accounts.request_address_change(user=user, new_address=f"{secrets.token_hex(4)}@example.org", now=present.now())


@pytest.mark.parametrize(
    ("act", "most"),
    [
        (lambda user: tokens.create_token(user=user, name="bot", now=present.now()), tokens.MOST_TOKENS),
        (lambda user: new_table(user, present.now()), settings.OPEN_TABLES_PER_HOST),
        (lambda user: notification_preferences.send_test_mail(user=user, now=present.now()), 1),
        (webhook, webhooks.MOST),
        (change, accounts.MOST_ADDRESS_CHANGES_A_DAY),
    ],
    ids=["tokens", "tables", "test mails", "webhooks", "changes of address"],
)
def test_nobody_gets_more_than_his_share_by_asking_for_all_at_once(act: Callable[[User], Any], most: int) -> None:
    anna = make_user("Anna")
    for _index in range(most - 1):
        act(anna)

    def one_more(_index: int) -> bool:
        try:
            act(User.objects.get(pk=anna.pk))
        except (LimitReached, TooMany):
            return False
        return True

    assert at_once(one_more).count(True) == 1


def test_a_program_reads_as_often_as_it_may_however_many_of_its_requests_come_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ReadThrottle, "rate", "5/min")
    read = ReadThrottle.cache.get
    # What one has read is old by the time he writes, unless the others wait for him.
    monkeypatch.setattr(ReadThrottle.cache, "get", lambda *key: (read(*key), time.sleep(0.01))[0])
    _row, token = tokens.create_token(user=make_user("Anna"), name="bot", now=present.now())
    headers = {"Authorization": f"Bearer {token}"}
    statuses = at_once(lambda _: Client().get(reverse("api_list_rules"), headers=headers).status_code)
    assert sorted(statuses) == [HTTPStatus.OK] * 5 + [HTTPStatus.TOO_MANY_REQUESTS] * (MANY - 5)
