"""The owner of a webhook learns by mail that it was switched off."""

import datetime as dt

import pytest

from notifications import composers
from notifications.channels.base import ChannelError
from notifications.channels.webhook import sending, webhooks
from notifications.models import Delivery, Endpoint, Notice, StoredMail

pytestmark = pytest.mark.django_db


@pytest.fixture
def off(settings, tell, ben, hook, drain):
    """Ben's webhook has just been switched off, and all letters are in the mailbox."""
    settings.EMAIL_BACKEND = "notifications.channels.mail.mailbox.MailboxBackend"

    def off(recipient=ben):
        for _ in range(3):
            tell(recipient)
        hook.errors = [ChannelError(sending.GONE, permanent=True, code="410", disables_endpoint=True)]

    return off


def letters():
    return StoredMail.objects.filter(subject="Your webhook ben.example.org was switched off")


def test_he_is_told_once_which_one_and_why(off, ben, drain):
    ben.language = "en"
    ben.save()
    off()
    drain()
    drain(Notice.objects.latest("pk").created_at)
    letter = letters().get()
    assert (
        "ben.example.org: the address is gone for good (410)." in letter.text
        and "the address is gone for good (410)" in letter.html
    )
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
    assert (endpoint.is_enabled, endpoint.disabled_reason) == (False, "failing_for_days")
    assert Notice.objects.filter(kind="webhook_off").count() == 1


def test_a_webhook_that_puts_us_off_for_a_day_each_time_is_switched_off_after_three(tell, ben, mail, hook, drain, now):
    tell(ben)
    day = dt.timedelta(days=1)
    hook.errors = [ChannelError("later", code="429", retry_after=day) for _ in range(10)]
    for number in range(4):
        assert Endpoint.objects.get().is_enabled
        drain(now + number * day + dt.timedelta(minutes=number))
    assert Endpoint.objects.get().disabled_reason == "failing_for_days"
    assert not Delivery.objects.filter(channel="webhook", state="waiting").exists()


def test_mail_that_is_given_up_switches_nothing_off(tell, ben, mail, hook, drain, now):
    tell(ben)
    mail.errors = [ChannelError("busy") for _ in range(10)]
    at = now
    while Delivery.objects.get(channel="mail").state == "waiting":
        at = Delivery.objects.get(channel="mail").attempt_after
        drain(at)
    assert Endpoint.objects.get().is_enabled and not Notice.objects.filter(kind="webhook_off").exists()


def next_try():
    """When what has failed is tried again, or None."""
    begun = Delivery.objects.filter(channel="webhook", tries__gt=0, attempt_after__isnull=False).first()
    return begun.attempt_after if begun else None


def test_he_is_warned_after_a_day_of_failing_and_once(tell, ben, mail, hook, drain, now):
    for _ in range(3):
        tell(ben)
    hook.errors = [ChannelError("it answered 500", code="500") for _ in range(9)]
    warned = []
    while hook.errors:
        at = next_try() or now
        drain(at)
        if Notice.objects.filter(kind="webhook_failing").exists():
            warned.append(at)
    assert Notice.objects.filter(kind="webhook_failing").count() == 1
    assert now + dt.timedelta(days=1) <= warned[0] < now + dt.timedelta(days=2)
    endpoint = Endpoint.objects.get()
    assert endpoint.is_enabled and endpoint.failing_since is not None
    drain(next_try())
    endpoint.refresh_from_db()
    assert endpoint.failing_since is None
    assert composers.why_stale(Notice.objects.get(kind="webhook_failing"), "letter", now)


def test_what_refuses_ten_in_a_row_is_switched_off_and_one_success_counts_anew(tell, ben, mail, hook, drain, now):
    refused = [ChannelError("it answered 400", code="400", permanent=True) for _ in range(19)]
    hook.errors = refused[:9]
    for _ in range(10):
        tell(ben)
    drain()
    assert Endpoint.objects.get().is_enabled and Endpoint.objects.get().refusals == 0
    hook.errors = refused[9:]
    for _ in range(10):
        tell(ben)
    drain()
    assert Endpoint.objects.get().is_enabled and hook.errors == []  # ten in a minute may be a server set up anew
    hook.errors = refused[:1]
    for _ in range(2):
        tell(ben)
    drain(now + dt.timedelta(hours=25))
    assert Endpoint.objects.get().disabled_reason == webhooks.REFUSES
    assert hook.errors == [] and len(hook.sent) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_one_that_is_set_up_anew_stays_on_and_gets_what_was_said_meanwhile(tell, ben, mail, hook, drain, now, status):
    hook.errors = [ChannelError(sending.AWAY[status], code=str(status)) for _ in range(2)]
    for _ in range(12):
        tell(ben)
    drain()
    drain(now + dt.timedelta(seconds=30))
    assert Endpoint.objects.get().is_enabled and hook.sent == []
    drain(now + dt.timedelta(hours=1))
    assert hook.errors == [] and len(hook.sent) == 12 and Endpoint.objects.get().failing_since is None


def test_one_that_says_for_a_day_that_it_is_not_there_is_switched_off(tell, ben, mail, hook, drain, now):
    tell(ben)
    hook.errors = [ChannelError(sending.AWAY[404], code="404") for _ in range(10)]
    while Endpoint.objects.get().is_enabled:
        at = next_try() or now
        assert at < now + dt.timedelta(days=2)
        drain(at)
    endpoint = Endpoint.objects.get()
    assert endpoint.disabled_reason == sending.AWAY[404] and endpoint.disabled_at >= now + dt.timedelta(days=1)
    assert Notice.objects.filter(kind="webhook_off").count() == 1


def test_all_webhooks_of_a_dead_channel_are_switched_off_by_one_call(tell, anna, mail, hook, drain):
    """A channel that is gone, given to us for a thousand games, is asked once."""
    url = "https://discord.com/api/webhooks/1/abc"
    for number in range(20):
        Endpoint.objects.create(recipient=anna, thread=f"game:{number}", url=url, shape="discord")
    for number in range(20):
        tell(anna, thread=f"game:{number}")
    hook.errors = [ChannelError(sending.GONE, permanent=True, code="410", disables_endpoint=True)]
    drain()
    assert hook.errors == [] and hook.sent == [] and not Endpoint.objects.filter(is_enabled=True).exists()
    assert Notice.objects.filter(kind="webhook_off").count() == 20


def test_behind_an_address_for_programs_one_owner_does_not_answer_for_another(tell, anna, ben, mail, hook, drain):
    """A server that knows one secret refuses all others."""
    Endpoint.objects.create(recipient=anna, url=ben.endpoints.get().url)
    tell(anna)
    hook.errors = [ChannelError(sending.GONE, permanent=True, code="410", disables_endpoint=True)]
    drain()
    tell(ben)
    drain()
    assert len(hook.sent) == 1 and ben.endpoints.get().is_enabled and not anna.endpoints.get().is_enabled
