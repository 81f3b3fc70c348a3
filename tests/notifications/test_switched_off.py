"""The owner of a webhook learns by mail that it was switched off."""

import pytest

from notifications.channels import ChannelError, webhook
from notifications.models import Delivery, Endpoint, Notice, StoredMail

pytestmark = pytest.mark.django_db


@pytest.fixture
def off(settings, tell, ben, hook, drain):
    """Ben's webhook has just been switched off, and all letters are in the mailbox."""
    settings.EMAIL_BACKEND = "notifications.mailbox.MailboxBackend"

    def off(recipient=ben):
        for _ in range(3):
            tell(recipient)
        hook.errors = [ChannelError(webhook.GONE[410], permanent=True, code="410", disables_endpoint=True)]

    return off


def letters():
    return StoredMail.objects.filter(subject="Your webhook was switched off")


def test_he_is_told_once_which_one_and_why(off, ben, drain):
    ben.language = "en"
    ben.save()
    off()
    drain()
    drain(Notice.objects.latest("pk").created_at)
    letter = letters().get()
    assert "ben.example.org: it is gone for good." in letter.text
    assert "s3cret" not in letter.text and ben.endpoints.get().secret not in letter.text
    assert Notice.objects.filter(kind="webhook_off").count() == 1


def test_he_is_told_by_mail_alone(off, drain):
    off()
    drain()
    assert list(Delivery.objects.filter(notice__kind="webhook_off").values_list("channel", flat=True)) == ["mail"]


@pytest.mark.parametrize("_case", ["on again", "gone"])
def test_he_is_not_told_what_is_no_longer_true(off, drain, _case):
    off()
    drain()
    if _case == "on again":
        Endpoint.objects.update(is_enabled=True, disabled_reason="")
    else:
        Endpoint.objects.all().delete()
    StoredMail.objects.all().delete()
    drain(Notice.objects.latest("pk").created_at)
    assert not letters().exists()
    assert Delivery.objects.get(notice__kind="webhook_off").state == "stale"


def test_a_webhook_that_took_nothing_through_the_whole_table_is_switched_off_as_well(tell, ben, mail, hook, drain, now):
    tell(ben)
    hook.errors = [ChannelError("it answered 500", code="500") for _ in range(10)]
    at = now
    while Delivery.objects.get(channel="webhook").state == "waiting":
        at = Delivery.objects.get(channel="webhook").attempt_after
        drain(at)
    endpoint = Endpoint.objects.get()
    assert (endpoint.is_enabled, endpoint.disabled_reason) == (False, "it took nothing for three days")
    assert Notice.objects.filter(kind="webhook_off").count() == 1


def test_mail_that_is_given_up_switches_nothing_off(tell, ben, mail, hook, drain, now):
    tell(ben)
    mail.errors = [ChannelError("busy") for _ in range(10)]
    at = now
    while Delivery.objects.get(channel="mail").state == "waiting":
        at = Delivery.objects.get(channel="mail").attempt_after
        drain(at)
    assert Endpoint.objects.get().is_enabled and not Notice.objects.filter(kind="webhook_off").exists()
