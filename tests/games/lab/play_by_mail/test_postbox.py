"""Real SMTP conversations with the postbox."""

import smtplib
from email.message import EmailMessage

import pytest

from games.lab.play_by_mail.postbox import Postbox


@pytest.fixture
def postbox():
    with Postbox() as running:
        yield running


def mail(subject="Hello", text="One line\n"):
    message = EmailMessage()
    message["Subject"], message["Message-ID"] = subject, "<one@example.org>"
    message["From"], message["To"] = "Caravanserai <caravanserai@example.org>", "Anna <anna@example.org>"
    message.set_content(text)
    message.add_alternative(f"<p>{text}</p>", subtype="html")
    return message


def send(postbox, *messages, to="Anna@example.org"):
    with smtplib.SMTP("127.0.0.1", postbox.port, timeout=5) as server:
        for message in messages:
            server.send_message(message, to_addrs=to)


def test_a_mail_arrives_as_its_reader_sees_it(postbox):
    send(postbox, mail("¡Tu turno, Añá! 🐫", "Straße\n"))
    letter = postbox.receive(5)
    assert letter.recipient == "anna@example.org"
    assert (letter.subject, letter.message_id) == ("¡Tu turno, Añá! 🐫", "<one@example.org>")
    assert letter.text.strip() == "Straße"
    assert "<p>Straße" in letter.html


def test_mails_come_in_the_order_in_which_they_were_sent(postbox):
    send(postbox, mail("first"), mail("second"))
    send(postbox, mail("third"))
    assert [postbox.receive(5).subject for _ in range(3)] == ["first", "second", "third"]
    assert [letter.subject for letter in postbox.letters] == ["first", "second", "third"]


def test_each_recipient_gets_the_mail(postbox):
    send(postbox, mail(), to=["anna@example.org", "ben@example.org"])
    assert {postbox.receive(5).recipient, postbox.receive(5).recipient} == {"anna@example.org", "ben@example.org"}


def test_an_empty_postbox_gives_nothing(postbox):
    assert postbox.receive(0.01) is None


def test_a_mail_given_back_is_received_again(postbox):
    send(postbox, mail())
    letter = postbox.receive(5)
    postbox.requeue(letter)
    assert postbox.receive(5) is letter
    assert len(postbox.letters) == 1


def test_a_stopped_postbox_takes_nothing():
    with Postbox() as running:
        port = running.port
    with pytest.raises(OSError, match=r".*"):
        smtplib.SMTP("127.0.0.1", port, timeout=5)
