"""Replies from a mailbox, read by IMAP from a real Dovecot."""

import logging
import re
import ssl
import threading

import pytest
from imapclient import IMAPClient

from config import checks
from notifications.channels.mail.letter import letter
from notifications.clock import present
from notifications.inbound import mailbox, receiving
from notifications.messages import MailMessage
from notifications.models import Delivery, Inbound, MailboxPosition
from tests.notifications.test_listener import ADDRESS, TOKEN, product
from tests.servers import running_dovecot
from tests.waiting import until

__all__ = ["product"]
pytestmark = [pytest.mark.dovecot, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
OTHER = "From: ben@example.org\nTo: games@example.org\nMessage-ID: <n@example.org>\n\nHello\n"


def reply(number: int = 1, to: str = ADDRESS, line: str = "9 crowns") -> str:
    sender = "anna@example.org"
    return f"Return-Path: <{sender}>\nFrom: {sender}\nTo: {to}\nMessage-ID: <{number}@example.org>\n\n{line}\n"


@pytest.fixture(scope="module")
def server():
    with running_dovecot() as dovecot:
        yield dovecot


@pytest.fixture
def place(server, monkeypatch, settings, anna):
    """The mailbox, empty."""
    monkeypatch.setenv("SSL_CERT_FILE", str(server.authority))
    settings.REPLY_MAILBOX = server.url
    place = mailbox.parse(server.url)
    with connected(place) as client:
        for _flags, _delimiter, name in client.list_folders():
            client.select_folder(name)
            if uids := client.search():
                client.delete_messages(uids)
                client.expunge()
    return place


def connected(place):
    client = IMAPClient(place.host, place.port, ssl_context=ssl.create_default_context())
    client.login(place.user, place.password)
    return client


def look(place):
    with connected(place) as client:
        return mailbox.take_new(client, place, present.now())


def bring(place, *mails):
    with connected(place) as client:
        for mail in mails:
            client.append("INBOX", mail.replace("\n", "\r\n").encode())


def flags(place):
    with connected(place) as client:
        client.select_folder("INBOX", readonly=True)
        return [facts[b"FLAGS"] for _uid, facts in sorted(client.fetch(client.search(), ["FLAGS"]).items())]


def test_it_begins_with_what_comes_from_now_on_and_takes_each_mail_once(place):
    bring(place, reply(1), OTHER)
    assert look(place) == 0 and not Inbound.objects.exists()  # an old mailbox is not swallowed
    bring(place, OTHER, reply(2), reply(2), reply(3, line="3 pearls"))
    assert look(place) == 3 and look(place) == 0
    assert [(row.line, row.subject) for row in Inbound.objects.order_by("pk")] == [
        ("9 crowns", "thing:1"),
        ("3 pearls", "thing:1"),
    ]
    assert all(b"\\Seen" not in one for one in flags(place)) and len(flags(place)) == 6


def test_after_a_crash_it_goes_on_with_the_mail_that_was_not_counted(place, monkeypatch):
    look(place)
    bring(place, reply(1), reply(2, line="3 pearls"))
    receive = receiving.receive

    def die(**facts):
        receive(**facts)
        raise OSError

    monkeypatch.setattr(receiving, "receive", die)
    with pytest.raises(OSError):
        look(place)  # stored, and not counted as read
    monkeypatch.setattr(receiving, "receive", receive)
    assert look(place) == 2
    assert [row.line for row in Inbound.objects.order_by("pk")] == ["9 crowns", "3 pearls"]


def test_a_mail_over_which_we_stumble_holds_up_no_other_and_is_read_again(place, monkeypatch, caplog):
    look(place)
    bring(place, reply(1), reply(2, line="3 pearls"))
    receive = receiving.receive

    def stumble(content, **facts):
        return receive(content=content, **facts) if b"pearls" in content else 1 / 0

    monkeypatch.setattr(receiving, "receive", stumble)
    look(place)
    assert [row.line for row in Inbound.objects.all()] == ["3 pearls"] and "could not be stored" in caplog.text
    monkeypatch.setattr(receiving, "receive", receive)
    look(place)
    assert sorted(row.line for row in Inbound.objects.all()) == ["3 pearls", "9 crowns"]
    assert look(place) == 0


def test_a_server_that_numbers_its_mails_anew_loses_and_doubles_nothing(place):
    look(place)
    bring(place, reply(1))
    look(place)
    MailboxPosition.objects.update(validity=1, last_uid=10_000)
    bring(place, reply(2, line="3 pearls"))
    look(place)
    assert [row.line for row in Inbound.objects.order_by("pk")] == ["9 crowns", "3 pearls"]


@pytest.mark.parametrize("after", ["seen", "delete", "Done"])
def test_what_was_read_is_put_where_the_host_wants_it_and_foreign_mail_stays(place, settings, after):
    settings.REPLY_MAILBOX_AFTER = after
    with connected(place) as client:
        if after == "Done" and not client.folder_exists("Done"):
            client.create_folder("Done")
    look(place)
    bring(place, OTHER, reply(1))
    look(place)
    left = flags(place)
    assert b"\\Seen" not in left[0]
    assert (len(left) == 2 and b"\\Seen" in left[1]) if after == "seen" else len(left) == 1
    if after == "Done":
        with connected(place) as client:
            assert client.select_folder("Done")[b"EXISTS"] == 1


def test_what_is_too_large_or_no_person_writes_is_left_alone_and_holds_up_nothing(place):
    look(place)
    parts = f"To: {ADDRESS}\nContent-Type: multipart/mixed; boundary=x\n\n" + "--x\n\n" * 200
    bring(place, parts, f"To: {ADDRESS}\n\n" + "x" * 70 + "\n" * 600_001, reply(3))
    assert look(place) == 1 and Inbound.objects.get().line == "9 crowns"


def test_a_mailbox_with_one_address_knows_by_the_mail_it_answers(place, settings, anna, tell):
    settings.REPLY_ADDRESS, settings.MAIL_DOMAIN = "games@example.org", "play.example.org"
    tell(anna)
    message = MailMessage("Your move", "…", headers={"Reply-To": f"games+{TOKEN}@example.org"})
    asked = letter(Delivery.objects.get(), message)
    assert asked.extra_headers["Reply-To"] == "games@example.org"
    references = f"{asked.extra_headers['References']} {asked.extra_headers['Message-ID']}"
    look(place)
    bring(place, OTHER, reply(1, to="games@example.org").replace("To:", f"References: {references}\nTo:", 1))
    assert look(place) == 1 and Inbound.objects.get().subject == "thing:1"


def test_a_reply_is_heard_while_the_reader_waits(place):
    stopping = threading.Event()
    reader = threading.Thread(target=mailbox.read, args=(place, stopping))
    reader.start()
    try:
        until(MailboxPosition.objects.exists, "the mailbox is looked at")
        bring(place, reply(1))
        until(Inbound.objects.exists, "the reply is heard")
    finally:
        stopping.set()
        reader.join()


def test_a_wrong_password_is_in_no_log_and_stops_nobody(place, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    wrong = mailbox.parse(f"imaps://anna:not%20this%20one@localhost:{place.port}/INBOX")
    stopping = threading.Event()
    monkeypatch.setattr(stopping, "wait", lambda _seconds: stopping.set())
    mailbox.read(wrong, stopping)
    assert re.search("could not be read: LoginError", caplog.text)
    assert "not this one" not in caplog.text and "not this one" not in repr(wrong)


def test_a_server_that_proves_nothing_gets_no_password(place, caplog, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE")
    stopping = threading.Event()
    monkeypatch.setattr(stopping, "wait", lambda _seconds: stopping.set())
    mailbox.read(place, stopping)
    assert "could not be read: SSLCertVerificationError" in caplog.text


@pytest.mark.parametrize(
    "url", ["imap://a:secret@b/INBOX", "imaps://b/INBOX", "imaps://a@b", "imaps://a:secret@b:x/", "secret"]
)
def test_an_address_that_is_none_is_refused_without_being_shown(settings, url):
    settings.REPLY_MAILBOX, settings.REPLY_ADDRESS, settings.MAIL_LISTEN = url, "games@example.org", ""
    (fault,) = [fault for fault in checks.check_answers() if fault.id == "config.E023"]
    assert "secret" not in fault.msg
    with pytest.raises(ValueError, match="REPLY_MAILBOX") as refused:
        mailbox.parse(url)
    assert "secret" not in str(refused.value)
