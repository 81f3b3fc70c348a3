"""Rows and programs hold the code of a reason; its words are made for whoever reads them."""

import datetime as dt
import importlib

import pytest
from django.apps import apps
from django.utils import translation

from notifications import reasons
from notifications.channels.webhook.models import Endpoint
from notifications.delivery.policy import QUIET
from notifications.models import Attempt, Bounce, Delivery, Notice, Recipient, Suppression

migration = importlib.import_module("notifications.migrations.0009_reasons")


def test_a_reason_is_read_in_the_language_of_its_reader():
    assert (QUIET, reasons.in_words(QUIET)) == ("quiet_hours", "these are your quiet hours")
    with translation.override("es"):
        assert reasons.in_words(QUIET) not in ("quiet_hours", "these are your quiet hours")


def test_what_another_server_said_is_shown_as_it_came_and_has_no_code():
    said = "550 5.7.1 go away"
    assert (reasons.in_words(said), reasons.in_english(said), reasons.code_of(said)) == (said, said, "")
    assert reasons.in_words("") == "" and reasons.code_of("") == ""


def test_a_code_stands_for_one_thing():
    assert reasons.declare(QUIET, "these are your quiet hours") == QUIET
    with pytest.raises(ValueError, match="quiet_hours"):
        reasons.declare(QUIET, "it is night")


@pytest.mark.parametrize("code", [*reasons.declared()])
def test_a_code_is_a_word_for_programs_that_fits_its_column(code):
    assert code.replace("_", "a").isalpha() and code == code.lower() and len(code) <= 40


@pytest.fixture
def former(db):
    """Rows as they were: more than one statement converts."""
    recipient = Recipient.objects.create(address="anna@example.org")
    said = [*migration.CODES, "550 go away", "", "ValueError"]
    for number, words in enumerate(said):
        notice = Notice.objects.create(recipient=recipient, kind="ask", subject="x", dedupe_key=str(number))
        delivery = Delivery.objects.create(notice=notice, channel="mail", message_id=str(number), reason=words)
        Attempt.objects.create(delivery=delivery, started_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC), detail=words)
    Endpoint.objects.create(recipient=recipient, url="https://a.example.org", disabled_reason="you switched it off")
    Suppression.objects.create(address_hash="a", reason="its owner asked for no more mail")
    for event, detail in {
        "1": "there is no such mailbox",
        "2": "there is no such mailbox (5.1.1)",
        "3": "full",
    }.items():
        Bounce.objects.create(address_hash="a", kind="bounced", event=event, detail=detail)
    return said


def stored():
    return (
        [*Delivery.objects.order_by("pk").values_list("reason", flat=True)],
        [*Attempt.objects.order_by("pk").values_list("detail", flat=True)],
        Endpoint.objects.get().disabled_reason,
        Suppression.objects.get().reason,
        [*Bounce.objects.order_by("pk").values_list("detail", flat=True)],
    )


def test_reasons_that_were_stored_as_sentences_become_codes_and_back(former, monkeypatch):
    monkeypatch.setattr(migration, "STEP", 40)
    before = stored()
    forwards, backwards = migration.Migration.operations[0].code, migration.Migration.operations[0].reverse_code
    forwards(apps, None)
    codes = [migration.CODES.get(words, words) for words in former]
    wanted = (codes, codes, "by_owner", "unsubscribed", ["no_mailbox", "no_mailbox (5.1.1)", "full"])
    assert stored() == wanted
    forwards(apps, None)
    assert stored() == wanted, "a second time changes nothing"
    backwards(apps, None)
    assert stored() == before


def test_every_reason_that_was_stored_has_a_code_that_is_known():
    assert set(migration.CODES.values()) <= set(reasons.declared())
    assert len(set(migration.CODES.values())) == len(migration.CODES)
