"""What mail providers report: said twice, late or out of order, it counts once and for the right address."""

import datetime as dt
from functools import partial
from types import SimpleNamespace

import pytest
from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused
from anymail.signals import AnymailTrackingEvent, tracking

from notifications.channels.base import ChannelError
from notifications.channels.mail import sending as mail_channel
from notifications.channels.mail import suppressions
from notifications.channels.mail.channel import MailChannel
from notifications.clock import present
from notifications.messages import MailMessage
from notifications.models import Bounce, Delivery
from notifications.outbox import accepted_at

pytestmark = pytest.mark.django_db
ADDRESS = "anna@example.org"


def report(event_type, **given):
    usual = {"event_id": "1", "message_id": "provider-1", "recipient": ADDRESS, "reject_reason": None}
    event = AnymailTrackingEvent(event_type=event_type, **(usual | given))
    tracking.send(sender=None, event=event, esp_name="Postmark")


def test_a_hard_bounce_closes_the_address_and_marks_the_mail(tell, anna, mail, drain):
    tell(anna)
    drain()
    Delivery.objects.update(provider_id="provider-1")
    report("bounced", mta_response="smtp;550 5.1.1 no such user")
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.reason) == ("returned", "smtp;550 5.1.1 no such user")
    assert suppressions.why_suppressed(ADDRESS) == suppressions.BOUNCED


def test_who_got_back_what_was_sent_was_not_told(tell, anna, mail, drain):
    notice = tell(anna)
    drain()
    assert accepted_at(notice.dedupe_key) is not None
    Delivery.objects.update(provider_id="provider-1")
    report("bounced", mta_response="452 4.2.2 mailbox full")
    assert accepted_at(notice.dedupe_key) is None


def test_a_soft_bounce_is_forgiven_and_one_that_is_reported_thrice_counts_once(db):
    for _ in range(3):
        report("bounced", mta_response="452 4.2.2 mailbox full")
    assert Bounce.objects.count() == 1 and not suppressions.is_suppressed(ADDRESS)


@pytest.mark.parametrize("event_id", ["given", None])
def test_soft_bounces_on_three_days_close_the_address(db, event_id, now):
    for number in range(3):
        assert not suppressions.is_suppressed(ADDRESS)
        with present.going_by(partial(now.__add__, dt.timedelta(days=number))):
            report("bounced", event_id=event_id and str(number), message_id=f"m{number}")
    assert suppressions.is_suppressed(ADDRESS)


def test_what_the_provider_calls_invalid_is_closed_unless_the_mail_server_says_otherwise(db):
    report("bounced", reject_reason="invalid", mta_response="552 5.2.2 Over quota")
    report("bounced", event_id="2", reject_reason="invalid", mta_response="550 blocked using a list")
    assert not suppressions.is_suppressed(ADDRESS)
    report("bounced", event_id="3", reject_reason="invalid")
    assert suppressions.is_suppressed(ADDRESS)


def test_a_complaint_closes_it_at_once(db):
    report("complained")
    assert suppressions.why_suppressed(ADDRESS) == suppressions.COMPLAINED


@pytest.mark.parametrize("event_type", ["delivered", "opened", "clicked", "deferred", "queued", "autoresponded"])
def test_what_is_no_failure_closes_nothing(db, event_type):
    for number in range(5):
        report(event_type, event_id=str(number))
    assert not suppressions.is_suppressed(ADDRESS)


def test_what_the_provider_refuses_on_its_own_account_says_nothing_of_the_address(db):
    for number in range(5):
        report("rejected", event_id=str(number), reject_reason="blocked")
    assert not suppressions.is_suppressed(ADDRESS)


@pytest.mark.parametrize("reason", ["blocked", "spam"])
def test_a_server_that_takes_us_for_spam_closes_nobodys_address_and_the_host_reads_it(
    tell, anna, mail, drain, reason, caplog
):
    tell(anna)
    drain()
    Delivery.objects.update(provider_id="provider-1")
    for number in range(5):
        report("bounced", event_id=str(number), reject_reason=reason, mta_response="550 5.7.1 blocked")
    assert not suppressions.is_suppressed(ADDRESS) and not Bounce.objects.filter(kind="bounced").exists()
    assert Delivery.objects.get().state == "returned"
    assert f"A mail came back: {reason} (Postmark)" in caplog.text and "anna" not in caplog.text


def test_a_report_about_nobody_is_no_error(db):
    report("bounced", recipient=None)


def test_there_is_no_address_for_reports_without_a_secret(client):
    assert client.post("/anymail/postmark/tracking/", {}).status_code == 404


@pytest.mark.parametrize(
    ("error", "is_permanent", "is_general", "is_address"),
    [
        (AnymailRecipientsRefused("no"), True, False, True),
        (AnymailAPIError("no", response=SimpleNamespace(status_code=401)), False, True, False),
        (AnymailAPIError("no", response=SimpleNamespace(status_code=503)), False, True, False),
    ],
)
def test_a_providers_refusal_is_understood(tell, anna, monkeypatch, now, error, is_permanent, is_general, is_address):
    def refuse(mail):
        raise error

    monkeypatch.setattr(mail_channel, "_hand_over", refuse)
    delivery = tell(anna).deliveries.get()
    with pytest.raises(ChannelError) as raised:
        MailChannel().send(delivery, MailMessage("s", "t"))
    found = raised.value
    assert (found.permanent, found.is_general, found.is_address) == (is_permanent, is_general, is_address)


def test_the_providers_name_for_a_mail_is_kept(tell, anna, monkeypatch, now, drain):
    def take(mail):
        mail.anymail_status = SimpleNamespace(message_id="provider-7")

    monkeypatch.setattr(mail_channel, "_hand_over", take)
    tell(anna)
    drain(now + dt.timedelta(0))
    assert Delivery.objects.get().provider_id == "provider-7"
