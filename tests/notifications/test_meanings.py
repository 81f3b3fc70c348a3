"""What mail servers say when they take no mail means the same while we send, in reports, and to mail providers."""

import re
import smtplib
from pathlib import Path
from typing import Any

import pytest
from anymail.signals import AnymailTrackingEvent, tracking

from notifications.channels.base import ChannelError, NoMailbox
from notifications.channels.mail import refusals, suppressions
from notifications.channels.mail.refusals import RULES, Meaning, classify
from notifications.inbound import addresses, bounce_reports, receiving
from notifications.models import Bounce
from tests.notifications.smtp import running_smtp

pytestmark = pytest.mark.django_db
DOCS = Path(__file__).parent.parent.parent / "docs" / "self-hosting-mail.md"
FOLLOWS = {
    Meaning.GONE: "closed at once, if the first code says so and nothing contradicts it; else counted",
    Meaning.MAILBOX: "counted",
    Meaning.MAIL: "nothing",
    Meaning.SENDER: "nothing",
    Meaning.LIMIT: "nothing",
}
SAID = [  # the status of a report, what a mail server said, and what that means
    ("5.1.1", "550 5.1.1 <ben@example.net>: Recipient address rejected: User unknown in local table", "GONE"),
    ("5.1.1", "550 <ben@example.net>... no mail here", "GONE"),
    ("5.1.1", "", "GONE"),
    ("5.0.0", "550 5.1.1 User unknown", "GONE"),
    ("5.1.2", "550 Host unknown", "GONE"),
    ("5.1.6", "551 Ben is not our customer", "GONE"),
    ("5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found", "GONE"),
    ("5.0.0", "550 unknown user", "UNSURE"),
    ("5.0.0", "smtp; 550 <ben@example.net>: User unknown", "UNSURE"),
    ("", "550 No such user", "UNSURE"),
    ("5.0.0", "550 That didn't work", "UNSURE"),
    ("", "", "UNSURE"),
    ("5.2.1", "550 5.2.1 User unknown", "UNSURE"),
    ("5.7.1", "550 5.7.1 <ben@example.net>: User unknown", "UNSURE"),
    ("5.4.4", "Host or domain name not found", "UNSURE"),
    ("4.1.1", "450 4.1.1 User unknown in virtual table", "UNSURE"),
    ("5.1.1", "450 4.2.0 User unknown", "UNSURE"),
    ("4.4.7", "450 5.1.1 User unknown", "UNSURE"),
    ("5.1.1", "552 5.2.2 Over quota", "MAILBOX"),
    ("5.1.1", "550 5.1.1 Mailbox full", "MAILBOX"),
    ("5.1.1", "550 5.1.1 The mailbox is out of storage space", "MAILBOX"),
    ("5.0.0", "550 Quota exceeded, mailbox is full", "MAILBOX"),
    ("5.2.2", "", "MAILBOX"),
    ("5.1.1", "550 5.1.1 This account is disabled", "MAILBOX"),
    ("5.4.1", "550 5.4.1 Recipient address rejected: Access denied", "MAILBOX"),
    ("5.1.1", "550 5.7.1 Your IP address is on a blacklist", "SENDER"),
    ("5.1.1", "550 5.1.1 Blocked using list.example.net, user unknown", "SENDER"),
    ("5.1.1", "553 http://www.spamhaus.org/query/bl?ip=192.0.2.7", "SENDER"),
    ("5.1.3", "550 5.7.1 Client host rejected", "SENDER"),
    ("5.1.1", "550 5.7.26 This mail is unauthenticated", "SENDER"),
    ("5.7.1", "550 5.7.1 Not today", "SENDER"),
    ("5.1.8", "553 5.1.8 Domain of sender address games.example.org does not exist", "SENDER"),
    ("5.1.1", "550 5.1.1 192.0.2.7 has sent to too many recipients this hour", "LIMIT"),
    ("5.4.1", "Connection timed out", "LIMIT"),
    ("5.3.0", "554 5.3.0 Something broke", "LIMIT"),
    ("4.4.7", "", "LIMIT"),
    ("5.1.1", "554 5.1.1 This looks like spam", "MAIL"),
    ("5.2.3", "552 5.2.3 Message size exceeds a limit", "MAIL"),
    ("5.3.4", "552 5.3.4 Too large for us", "MAIL"),
    ("5.0.0", "550 5.0.0 from 5.1.1.7", "UNSURE"),
    ("5.0.0", "550 5.0.0 <user-unknown-5.1.1@example.net> no", "UNSURE"),
]
CLOSED, COUNTED, APART = "closed", "counted", "apart"
EFFECTS = {Meaning.GONE: CLOSED, Meaning.MAILBOX: COUNTED, Meaning.UNSURE: COUNTED}
DOORS = [(status, said) for status, said, _meaning in SAID if re.match("5..", said)]


def effect_on(address: str) -> str:
    """What has become of an address to which one mail failed."""
    if suppressions.is_suppressed(address):
        return CLOSED
    return COUNTED if Bounce.objects.filter(kind=Bounce.Kind.BOUNCED).exists() else APART


def report(status: str, said: str, words: str = "It came back.") -> bytes:
    """One by RFC 3464, with lines as mail servers end them."""
    diagnostic = f"Diagnostic-Code: smtp; {said}\n" if said else ""
    text = (
        "From: Mail Delivery <MAILER-DAEMON@mx.example.net>\nTo: bounce@play.example.org\nSubject: Undelivered\n"
        'MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        f"--b\nContent-Type: text/plain\n\n{words}\n\n--b\nContent-Type: message/delivery-status\n\n"
        "Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; anna@example.org\nAction: failed\n"
        f"Status: {status}\n{diagnostic}\n--b--\n"
    )
    return text.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(("status", "said", "meaning"), SAID)
def test_what_a_mail_server_says_has_one_meaning(status: str, said: str, meaning: str) -> None:
    assert classify(status, said) == Meaning[meaning]
    assert classify(status, said.upper()) == Meaning[meaning]


@pytest.mark.parametrize(("status", "said", "meaning"), SAID)
def test_a_report_is_read_with_its_diagnostic_code(
    settings: Any, tell: Any, anna: Any, mail: Any, drain: Any, now: Any, status: str, said: str, meaning: str
) -> None:
    settings.BOUNCE_ADDRESS = "bounce+{token}@play.example.org"
    row = tell(anna).deliveries.get()
    drain()
    to = addresses.sender_of(row.message_id, anna.address)
    folded = said.replace(" ", "\n    ", 1) if said else ""
    receiving.receive(content=report(status or "5.0.0", folded), to=to, envelope_sender="", now=now)
    row.refresh_from_db()
    assert row.state == "returned" and effect_on(anna.address) == EFFECTS.get(Meaning[meaning], APART)


@pytest.mark.parametrize(("status", "said"), DOORS)
def test_the_same_words_mean_the_same_to_a_provider(status: str, said: str) -> None:
    event = AnymailTrackingEvent(
        event_type="bounced", event_id="1", message_id="m", recipient="anna@example.org", mta_response=said
    )
    tracking.send(sender=None, event=event, esp_name="Postmark")
    assert effect_on("anna@example.org") == EFFECTS.get(classify("", said), APART)


@pytest.mark.parametrize(("status", "said"), DOORS)
def test_the_same_words_mean_the_same_while_a_mail_is_handed_over(
    settings: Any, tell: Any, anna: Any, drain: Any, status: str, said: str
) -> None:
    tell(anna)
    with running_smtp() as smtp:
        smtp.rcpt = said
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp.port
        drain()
    assert effect_on(anna.address) == EFFECTS.get(classify("", said), APART)


def test_whoever_looks_an_address_up_when_it_has_the_whole_mail_is_understood() -> None:
    gone, full, other = (
        refusals.of_server(smtplib.SMTPDataError(code, said))
        for code, said in ((550, b"5.1.1 User unknown"), (552, b"5.2.2 Mailbox full"), (550, b"No"))
    )
    assert isinstance(gone, NoMailbox)
    assert (full.permanent, full.is_address) == (True, True)
    assert (other.permanent, other.is_address, other.is_general) == (True, False, False)


def test_what_people_alone_are_told_counts_but_closes_nothing_at_once() -> None:
    failure = bounce_reports.parse_report(report("5.0.0", "", "The server said: 550 5.1.1 User unknown"))
    assert failure is not None
    error = refusals.of_report(*failure)
    assert error.is_address and not isinstance(error, NoMailbox)


PROSE = {
    "Sorry, I couldn't deliver to <anna@example.org>:\n550 5.1.1 User unknown\n": COUNTED,
    "Sorry, no mailbox here by that name.\n\n--- Below is a copy\n\nReceived: from spam.example.org\n": COUNTED,
    "Your message to anna@example.org was refused:\nMailbox full\n": COUNTED,
    "The other side said: 554 Your IP address is on a blacklist\n": APART,
    "Your message is delayed. 450 mailbox full. You need not send it again.\n": None,
    "Thank you for your message, which we have put into a queue.\n": None,
}


@pytest.mark.parametrize(("words", "effect"), PROSE.items())
@pytest.mark.parametrize("sender", ["MAILER-DAEMON@mx.example.net", "Mail Delivery System <noreply@example.net>"])
def test_reports_for_people_alone_are_recognised(words: str, effect: str | None, sender: str) -> None:
    failure = bounce_reports.parse_report(f"From: {sender}\nSubject: failure notice\n\n{words}".encode())
    if effect is None or failure is None:
        assert failure is None and effect is None
        return
    error = refusals.of_report(*failure)
    assert (error.is_address, isinstance(error, NoMailbox)) == (effect == COUNTED, False)


@pytest.mark.parametrize(
    "head",
    [
        "From: Anna <anna@example.org>",
        "From: postmaster@example.org\nAuto-Submitted: auto-replied",
        'From: MAILER-DAEMON@example.org\nMIME-Version: 1.0\nContent-Type: multipart/report; boundary="b"\n\n--b\n'
        "Content-Type: text/plain\n\nUser unknown\n\n--b\nContent-Type: message/feedback-report\n\nVersion: 1",
    ],
)
def test_a_person_a_vacation_program_and_a_complaint_report_no_failure(head: str) -> None:
    assert bounce_reports.parse_report(f"{head}\n\n550 5.1.1 User unknown, the mailbox is full.\n".encode()) is None


def test_an_answer_of_a_mail_server_without_end_is_read_in_part() -> None:
    assert classify("", "550 " + "x" * 10**6 + " user unknown") == Meaning.UNSURE
    assert isinstance(refusals.of_report("5.1.1", "y@" * 10**5), ChannelError)


def test_the_docs_say_of_each_meaning_what_follows_for_the_address() -> None:
    rows = [line.strip("| ").split(" | ") for line in DOCS.read_text().splitlines() if line.startswith("| ")]
    assert {rule.meaning: FOLLOWS[rule.meaning] for rule in RULES} == {
        meaning: row[-1] for row in rows for meaning in FOLLOWS if row[0] == meaning.value
    }
