"""Real SMTP conversations with the smtp_server."""

import smtplib
from email.message import EmailMessage

import pytest

from games.lab.play_by_mail.service import SmtpServer


@pytest.fixture
def smtp_server():
    with SmtpServer() as running:
        yield running


def mail(subject="Hello", text="One line\n"):
    message = EmailMessage()
    message["Subject"], message["Message-ID"] = subject, "<one@example.org>"
    message["From"], message["To"] = "Caravanserai <caravanserai@example.org>", "Anna <anna@example.org>"
    message.set_content(text)
    message.add_alternative(f"<p>{text}</p>", subtype="html")
    return message


def send(smtp_server, *messages, to="Anna@example.org"):
    with smtplib.SMTP("127.0.0.1", smtp_server.port, timeout=5) as server:
        for message in messages:
            server.send_message(message, to_addrs=to)


def test_a_mail_arrives_as_its_reader_sees_it(smtp_server):
    send(smtp_server, mail("¡Tu turno, Añá! 🐫", "Straße\n"))
    email = smtp_server.receive(5)
    assert email.recipient == "anna@example.org"
    assert (email.subject, email.message_id) == ("¡Tu turno, Añá! 🐫", "<one@example.org>")
    assert email.text.strip() == "Straße"
    assert "<p>Straße" in email.html


def test_mails_come_in_the_order_in_which_they_were_sent(smtp_server):
    send(smtp_server, mail("first"), mail("second"))
    send(smtp_server, mail("third"))
    assert [smtp_server.receive(5).subject for _ in range(3)] == ["first", "second", "third"]
    assert [email.subject for email in smtp_server.emails] == ["first", "second", "third"]


def test_each_recipient_gets_the_mail(smtp_server):
    send(smtp_server, mail(), to=["anna@example.org", "ben@example.org"])
    assert {smtp_server.receive(5).recipient, smtp_server.receive(5).recipient} == {
        "anna@example.org",
        "ben@example.org",
    }


def test_an_empty_postbox_gives_nothing(smtp_server):
    assert smtp_server.receive(0.01) is None


def test_a_mail_given_back_is_received_again(smtp_server):
    send(smtp_server, mail())
    email = smtp_server.receive(5)
    smtp_server.requeue(email)
    assert smtp_server.receive(5) is email
    assert len(smtp_server.emails) == 1


def test_a_stopped_postbox_takes_nothing():
    with SmtpServer() as running:
        port = running.port
    with pytest.raises(OSError, match=r".*"):
        smtplib.SMTP("127.0.0.1", port, timeout=5)
