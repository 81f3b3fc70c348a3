"""The admin site shows what was told, changes nothing, and gives no secret away."""

from html import unescape

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import RequestFactory
from django.urls import reverse

from notifications import conversations, outbox, privacy
from notifications.admin.base import Lines
from notifications.channels.base import CHANNELS
from notifications.channels.mail import bounces, suppressions
from notifications.channels.push import devices
from notifications.clock import present
from notifications.delivery import health
from notifications.models import (
    Attempt,
    ChatMessage,
    Conversation,
    Delivery,
    Endpoint,
    FoldedNotices,
    Inbound,
    MailboxPosition,
    Notice,
    StoredMail,
)
from notifications.reasons import in_words
from tests.notifications.browsers import Browser

pytestmark = pytest.mark.django_db
ALL = apps.get_app_config("notifications").get_models()
MODELS = [model for model in ALL if model is not StoredMail]  # the mailbox is no page of the admin site


@pytest.fixture
def told(tell, ben, mail, hook, drain, settings, now):
    settings.MAILBOX_ENABLED = False
    tell(ben)
    drain()
    suppressions.suppress(ben.address, "asked")
    StoredMail.objects.create(to="ben@example.org", subject="s", text="the words of a mail", html="<p>words</p>")
    conversations.record_view(ben, "thing", now)
    Conversation.objects.update(snoozed_until=now)
    bounces.record_refusal("ben@example.org", "<1@example.org>", "no such mailbox", now, is_final=False)
    health.record_failure("mail", now, 0, "down")
    Browser().subscribe(ben)
    devices.record_service_failure("push.example.org", now)
    FoldedNotices.objects.create(recipient=ben, thread="game:1", number=1, newest_at=now, packed=b"")
    MailboxPosition.objects.create(name="anna@example.org/INBOX", validity=1, last_uid=1, looked_at=now)
    ChatMessage.objects.create(target="t", thread="game:1", message="1", told_at=now)
    Inbound.objects.create(recipient=ben, subject="thing", line="pass", key="1" * 64, received_at=now)
    assert outbox.accepted_at("key-0")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_page_opens_and_holds_no_secret(told, admin_client, model):
    name = model._meta.model_name
    pages = [reverse(f"admin:notifications_{name}_changelist")]
    assert model.objects.exists()
    if not isinstance(admin.site.get_model_admin(model), Lines):
        pages += [reverse(f"admin:notifications_{name}_change", args=[row.pk]) for row in model.objects.all()]
    for page in pages:
        response = admin_client.get(page)
        assert response.status_code == 200
        text = response.content.decode()
        assert Endpoint.objects.get().secret not in text and "s3cret" not in text
        assert "the words of a mail" not in text


def test_who_has_only_looked_at_something_is_in_no_list(ben, admin_client, now):
    conversations.record_view(ben, "a thing he looked at", now)
    page = reverse("admin:notifications_conversation_changelist")
    assert "a thing he looked at" not in admin_client.get(page).content.decode()
    Conversation.objects.update(muted=["talk"])
    assert "a thing he looked at" in admin_client.get(page).content.decode()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_nothing_can_be_added_changed_or_deleted(told, admin_user, model):
    page = admin.site.get_model_admin(model)
    request = RequestFactory().get("/")
    request.user = admin_user
    row = model.objects.first()
    assert page.has_view_permission(request, row)
    assert not page.has_add_permission(request)
    assert not page.has_change_permission(request, row)
    assert not page.has_delete_permission(request, row)


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        ("endpoint", "secret__startswith=whsec_A"),
        ("endpoint", "url__contains=s3cret"),
        ("recipient", "endpoint__secret__startswith=w"),
        ("notice", "deliveries__state=stale"),
        ("notice", "recipient__user__password__startswith=a"),
        ("delivery", "endpoint__url__contains=s3cret"),
        ("delivery", "lease_owner__startswith=a"),
        ("attempt", "delivery__endpoint__url__contains=s3cret"),
        ("suppression", "address_hash__startswith=a"),
    ],
)
def test_the_address_bar_asks_nothing_that_is_not_on_the_page(told, admin_client, model, lookup):
    assert admin_client.get(f"{reverse(f'admin:notifications_{model}_changelist')}?{lookup}").status_code == 400


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        ("recipient", "language__exact=es"),
        ("endpoint", "is_enabled__exact=1"),
        ("notice", "kind=test"),
        ("notice", "created_at__year=2026"),
        ("delivery", "state__exact=accepted"),
        ("attempt", "delivery__channel__exact=mail"),
    ],
)
def test_the_filters_that_are_offered_work(told, admin_client, model, lookup):
    response = admin_client.get(f"{reverse(f'admin:notifications_{model}_changelist')}?{lookup}")
    assert response.status_code == 200
    assert response.context["cl"].result_count >= 1


@pytest.mark.parametrize("model", [Notice, Delivery, Attempt], ids=lambda model: model.__name__)
def test_what_is_confidential_is_nowhere_until_it_no_longer_is(
    told, tell, anna, drain, admin_client, monkeypatch, model
):
    def shown():
        name = f"admin:notifications_{model._meta.model_name}_changelist"
        return admin_client.get(reverse(name)).context["cl"].result_count

    tell(anna, subject="thing:2", dedupe_key="a secret thing")
    drain()
    before = shown()
    monkeypatch.setattr(privacy, "_subjects", {})
    privacy.register("test", lambda subject: Notice.objects.filter(subject="thing:2").filter(subject=subject))
    assert shown() == before - 1


@pytest.mark.parametrize(("model", "is_shown"), [(Notice, True), (Delivery, False), (Attempt, False)])
def test_what_became_of_a_notice_can_be_confidential_while_the_notice_is_not(
    told, tell, anna, drain, admin_client, monkeypatch, model, is_shown
):
    tell(anna, subject="thing:2", thread="a thread of its own", dedupe_key="a thing")
    drain()
    page = reverse(f"admin:notifications_{model._meta.model_name}_changelist")
    before = admin_client.get(page).context["cl"].result_count
    found = Notice.objects.filter(subject="thing:2")
    monkeypatch.setattr(privacy, "_outcomes", {"test": lambda thread: found.filter(thread=thread)})
    assert admin_client.get(page).context["cl"].result_count == before - (not is_shown)


@pytest.mark.parametrize("model", [Conversation, Notice, Delivery, Attempt, Inbound], ids=lambda model: model.__name__)
def test_lists_that_leave_rows_out_say_nowhere_what_the_database_counts(told, admin_client, model):
    """A row id in an address, or a page that is there for one id and not for the next, counts the rows left out."""
    name = f"admin:notifications_{model._meta.model_name}"
    (key,) = model.objects.values_list("pk", flat=True)[:1]
    said = admin_client.get(reverse(f"{name}_changelist")).content.decode()
    assert "/change/" not in said and 'name="_selected_action"' not in said
    assert admin_client.get(reverse(f"{name}_change", args=[key])).status_code == 302
    assert admin_client.get(reverse(f"{name}_history", args=[key])).status_code == 302


def test_how_much_goes_out_on_a_channel_is_not_said(told, admin_client):
    """So much in a minute: it counts mails that nobody else may know of."""
    pages = [reverse("admin:notifications_channelhealth_changelist")]
    pages += [reverse("admin:notifications_channelhealth_change", args=["mail"])]
    for page in pages:
        said = admin_client.get(page).content.decode()
        assert "field-sent" not in said and "field-minute" not in said


def test_the_mailbox_is_not_on_the_admin_site():
    assert not admin.site.is_registered(StoredMail)


def test_searching_works_everywhere(told, admin_client):
    for model in MODELS:
        page = reverse(f"admin:notifications_{model._meta.model_name}_changelist")
        assert admin_client.get(page, {"q": "ben@example.org"}).status_code == 200


def test_the_list_of_deliveries_says_where_each_goes_and_why_it_waits_as_the_ledger_does(
    tell, ben, hook, admin_client, now
):
    tell(ben)
    for _failure in range(health.FAILURES):
        health.record_failure("mail", present.now(), _failure, "down")
    page = admin_client.get(reverse("admin:notifications_delivery_changelist")).content.decode()
    assert in_words(CHANNELS["mail"].resting) in unescape(page)
    assert ben.endpoints.get().host in page
