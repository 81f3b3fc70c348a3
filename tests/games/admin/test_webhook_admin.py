"""Webhooks on the admin site: how they fare and what can be done, without the address, the secret or what was sent."""

import datetime as dt
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import ModerationEntry, User
from games.people import staff
from games.tables import webhooks
from notifications import privacy
from notifications.channels.base import CHANNELS, Answer, ChannelError
from notifications.delivery import sending
from notifications.models import Attempt, Delivery, Endpoint, Notice
from tests.games.conftest import deliveries

URL = "https://hooks.example.org/s3cret-path"


@pytest.fixture
def moderator(db: None) -> Client:
    client = Client()
    client.force_login(staff.make_moderator("eva@example.org"))
    return client


@pytest.fixture
def row(anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    """Anna's webhook, which refused a first test, took a second one and fails with a third."""
    answers: list[Any] = [
        ChannelError("rejected", permanent=True, code="418"),
        Answer("204"),
        ChannelError("unavailable", code="503"),
    ]

    def send(self: Any, delivery: Delivery, message: Any) -> Any:
        delivery.body = "what was sent"
        answer = answers.pop(0) if answers else Answer("200")
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(type(CHANNELS["webhook"]), "send", send)
    made = webhooks.create(user=anna, wanted=webhooks.WebhookSettings(URL, "ours"), now=now)
    for minutes in range(3):
        at = now + dt.timedelta(minutes=minutes)
        webhooks.ping(endpoint=made, now=at)
        drain(at)
    return made


def drain(at: dt.datetime) -> None:
    while sending.deliver(at, 1):
        pass


def page_of(row: Endpoint) -> str:
    return reverse("admin:notifications_endpoint_moderate", args=[row.pk])


def act(client: Client, row: Endpoint, name: str, **fields: object) -> str:
    sent = {"act": name, **{f"{name}-{key}": value for key, value in fields.items()}}
    return client.post(page_of(row), sent, follow=True).content.decode()


def pages(row: Endpoint) -> list[str]:
    detail = reverse("admin:notifications_endpoint_change", args=[row.pk])
    return [reverse("admin:notifications_endpoint_changelist"), detail, page_of(row)]


@pytest.mark.slow
def test_it_says_how_it_fares_and_what_was_answered_and_no_secret(row: Endpoint, moderator: Client) -> None:
    shown = [unescape(moderator.get(page).content.decode()) for page in pages(row)]
    for text in shown:
        assert "not accepting messages" in text and "hooks.example.org" in text
        assert "s3cret" not in text and row.secret not in text and "what was sent" not in text
    for text in shown[1:]:
        assert "418 it refused the message" in text and "503 it can't accept messages right now" in text


def test_a_message_goes_out_again_under_the_same_id_and_the_book_says_why(
    row: Endpoint, moderator: Client, anna: User, now: dt.datetime
) -> None:
    first = deliveries().filter(endpoint=row).earliest("pk")
    assert "Done: Resend a message." in act(moderator, row, "resend", message_id=first.message_id, reason="He asked")
    deliveries().exclude(pk=first.pk).update(attempt_after=None, state="failed")
    drain(now + dt.timedelta(days=365))
    first.refresh_from_db()
    assert first.state == "accepted" and Attempt.objects.filter(delivery=first).count() == 2
    entry = ModerationEntry.objects.get()
    assert (entry.action, entry.user, entry.reason) == ("resend", anna, "He asked")
    assert "He asked" in moderator.get(page_of(row)).content.decode()


def test_what_is_still_on_its_way_or_nobody_knows_is_not_sent_again(row: Endpoint, moderator: Client) -> None:
    waiting = deliveries().filter(endpoint=row).latest("pk")
    for message in (waiting.message_id, "msg_none", ""):
        act(moderator, row, "resend", message_id=message, reason="x")
    assert not ModerationEntry.objects.exists()


@pytest.mark.slow
def test_it_is_switched_off_and_on_and_its_owner_is_told(row: Endpoint, moderator: Client, anna: User) -> None:
    assert "Done: Turn off." in act(moderator, row, "hook_off", reason="It is abused")
    row.refresh_from_db()
    assert not row.is_enabled and row.disabled_reason == "by_moderator"
    assert Notice.objects.filter(kind="webhook_off", recipient=anna.recipient).count() == 1
    assert "no longer possible" in act(moderator, row, "hook_off", reason="Once more")
    assert "Done: Turn on." in act(moderator, row, "hook_on", reason="It was not")
    row.refresh_from_db()
    assert row.is_enabled
    assert list(ModerationEntry.objects.values_list("action", flat=True)) == ["hook_off", "hook_on"]


def test_without_a_reason_or_the_right_nothing_is_done(row: Endpoint, moderator: Client, ben: User) -> None:
    act(moderator, row, "hook_off", reason=" ")
    ben.is_staff = True
    ben.save()
    stranger = Client()
    stranger.force_login(ben)
    assert stranger.post(page_of(row), {"act": "hook_off", "hook_off-reason": "x"}).status_code == 403
    row.refresh_from_db()
    assert row.is_enabled and not ModerationEntry.objects.exists()


def test_what_is_confidential_now_is_not_here(
    row: Endpoint, moderator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = deliveries().filter(endpoint=row).earliest("pk")
    assert first.message_id in moderator.get(page_of(row)).content.decode()
    monkeypatch.setattr(privacy, "_subjects", {})
    privacy.register("test", lambda subject: Notice.objects.filter(subject=subject))
    text = "".join(moderator.get(page).content.decode() for page in pages(row)[1:])
    assert first.message_id not in text and "418" not in text
    act(moderator, row, "resend", message_id=first.message_id, reason="x")
    assert not ModerationEntry.objects.exists()
