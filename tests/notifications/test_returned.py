"""Mails that come back to a mail server of our own: each is known by the address it comes to."""

import datetime as dt
from functools import partial
from pathlib import Path

import pytest

from notifications import composers
from notifications.channels.mail import refusals, suppressions
from notifications.composers import Topic
from notifications.inbound import addresses, bounce_reports, raw, receiving
from notifications.messages import MailMessage
from notifications.models import Bounce, Delivery, Inbound, Recipient
from notifications.outbox import accepted_at
from notifications.reasons import in_words
from tests.notifications.conftest import KIND
from tests.notifications.smtp import running_smtp
from tests.notifications.test_listener import door  # noqa: F401  a fixture

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
REPORTS = Path(__file__).parent / "returned"
GONE = REPORTS / "postfix-no-such-mailbox.eml"
EXPECTED = {  # status; None for what is no failure
    "postfix-no-such-mailbox": "5.1.1",
    "postfix-mailbox-full": "5.2.2",
    "postfix-no-such-host": "5.4.4",
    "postfix-does-not-believe-us": "5.7.26",
    "postfix-expired": "4.4.1",
    "postfix-still-trying": None,
    "delivered-as-somebody-asked-to-be-told": None,
    "exchange": "5.1.10",
    "exim-in-words-alone": "",
    "an-address-in-another-alphabet": "5.1.1",
    "a-report-in-base64": "5.1.1",
    "a-vacation-program": None,
    "a-person-who-answers-there": None,
    "a-delay-that-quotes-a-failure": None,
}


@pytest.fixture(autouse=True)
def received(settings):
    settings.BOUNCE_ADDRESS = "bounce+{token}@play.example.org"


@pytest.fixture
def told(tell, anna, mail, drain):
    """Tell Anna something by mail; returns the delivery."""

    def told():
        row = tell(anna).deliveries.get()
        drain()
        return row

    return told


@pytest.fixture
def comes_back(now):
    """A report comes to the envelope sender of a mail."""

    def comes_back(delivery, report=GONE, to="", at=now):
        to = to or addresses.sender_of(delivery.message_id, delivery.notice.recipient.address)
        content = report if isinstance(report, bytes) else report.read_bytes()
        receiving.receive(content=content, to=to, envelope_sender="", now=at)
        delivery.refresh_from_db()

    return comes_back


def test_every_report_of_the_corpus_has_its_verdict():
    assert {path.stem for path in REPORTS.glob("*.eml")} == set(EXPECTED)


@pytest.mark.parametrize(("name", "status"), EXPECTED.items())
def test_a_report_is_read_for_what_it_says_of_the_mail(name, status):
    content = (REPORTS / f"{name}.eml").read_bytes()
    for failure in map(bounce_reports.parse_report, (content, content.replace(b"\n", b"\r\n"))):
        assert (failure and failure.status) == status


def test_each_mail_leaves_with_a_sender_of_its_own_and_that_is_where_it_comes_back(settings, tell, anna, drain):
    with running_smtp() as smtp:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp.port
        row = tell(anna).deliveries.get()
        drain()
    (sender, _to), (mail,) = smtp.envelopes[0], smtp.mails
    assert sender == addresses.sender_of(row.message_id, anna.address) and mail["From"].endswith(
        "<caravanserai@localhost>"
    )
    assert len(sender.split("@")[0]) <= 64 and receiving.is_known(sender) and receiving.is_known(sender.upper())


def test_a_mailbox_that_does_not_exist_is_closed_at_once_and_its_reader_was_not_told(told, comes_back, anna):
    row = told()
    assert accepted_at(row.notice.dedupe_key)
    comes_back(row)
    assert (row.state, row.reason) == ("returned", refusals.NO_MAILBOX)
    assert suppressions.why_suppressed(anna.address) == suppressions.BOUNCED
    assert accepted_at(row.notice.dedupe_key) is None and Inbound.objects.count() == 0


@pytest.mark.parametrize("name", ["postfix-mailbox-full", "postfix-no-such-host", "exim-in-words-alone"])
def test_one_that_may_work_again_is_closed_on_the_third_day_on_which_mails_come_back(told, comes_back, anna, name, now):
    for day in range(3):
        for _ in range(4):
            assert not suppressions.is_suppressed(anna.address), day
            comes_back(told(), REPORTS / f"{name}.eml", at=now + day * DAY)
            if day == 2:
                break
    assert suppressions.is_suppressed(anna.address)


def test_the_same_report_again_counts_once(told, comes_back, anna):
    row = told()
    for _ in range(5):
        comes_back(row, REPORTS / "postfix-mailbox-full.eml")
    assert Bounce.objects.count() == 1 and not suppressions.is_suppressed(anna.address)


@pytest.mark.parametrize("name", ["postfix-does-not-believe-us", "postfix-expired"])
def test_a_server_that_does_not_believe_us_closes_nobodys_address_and_the_host_reads_it(
    told, comes_back, anna, name, caplog
):
    for _ in range(4):
        row = told()
        comes_back(row, REPORTS / f"{name}.eml")
    assert row.state == "returned" and not suppressions.is_suppressed(anna.address)
    assert f"A mail came back: {in_words(refusals.NOT_TO_US)} ({EXPECTED[name]})" in caplog.text
    assert "anna" not in caplog.text


@pytest.mark.parametrize("name", [name for name, status in EXPECTED.items() if status is None])
def test_what_is_no_failure_changes_nothing(told, comes_back, name):
    row = told()
    comes_back(row, REPORTS / f"{name}.eml")
    assert row.state == "accepted" and Bounce.objects.count() == Inbound.objects.count() == 0


def test_all_that_went_out_in_one_mail_has_come_back(tell, anna, mail, words, drain, comes_back):
    composers.register(KIND, words, topic=Topic("test", "Test"))
    composers.register_merger(lambda notices, language: MailMessage("several", str(len(notices))))
    rows = [tell(anna).deliveries.get() for _ in range(3)]
    drain()
    comes_back(rows[0])
    assert set(Delivery.objects.values_list("state", flat=True)) == {"returned"}


@pytest.mark.parametrize("change", ["another mail", "another letter", "cut", "another address since", "no token"])
def test_an_address_that_we_did_not_make_is_not_there(told, comes_back, anna, change):
    row = told()
    to = addresses.sender_of(row.message_id, anna.address)
    if change == "another mail":
        other = addresses.sender_of(told().message_id, anna.address)
        to = to.split("-")[0] + "-" + other.split("-")[1]
    elif change == "another letter":
        to = to.replace("@", "a@" if to.split("@")[0][-1] != "a" else "b@")[1:]
    elif change == "cut":
        to = to.replace("@play", "@")
    elif change == "no token":
        to = "bounce@play.example.org"
    else:
        anna.address = "anna@new.example.org"
        anna.save()
    assert not receiving.is_known(to)
    comes_back(row, to=to)
    assert row.state == "accepted" and Bounce.objects.count() == 0


def test_without_the_setting_mails_leave_as_before(settings, told):
    row = told()
    to = addresses.sender_of(row.message_id, "anna@example.org")
    settings.BOUNCE_ADDRESS = ""
    assert addresses.sender_of(row.message_id, "anna@example.org") == "" and not receiving.is_known(to)


def test_what_no_mail_server_writes_is_refused(told, comes_back):
    with pytest.raises(raw.MailRefused):
        comes_back(told(), b"From: a@b.org\r\n\r\n" + b"x" * raw.LARGEST)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", ["lmtp"], indirect=True)  # as behind a Postfix
def test_a_report_comes_in_by_the_door_for_answers(door, tell, mail, drain):  # noqa: F811
    row = tell(Recipient.objects.get()).deliveries.get()
    drain()
    send = partial(door.sendmail, "", msg=GONE.read_bytes().replace(b"\n", b"\r\n"))
    assert send(to_addrs=[addresses.sender_of(row.message_id, "anna@example.org")]) == {}
    row.refresh_from_db()
    assert row.state == "returned" and suppressions.is_suppressed("anna@example.org")
