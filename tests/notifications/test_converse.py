"""What is said to a mail server for one mail, and what its answers mean for the connection."""

import contextlib
import socket
import threading
from itertools import takewhile

import pytest

from notifications.channels.base import ChannelError
from notifications.channels.mail import sending as mail_channel
from notifications.channels.mail.channel import MailChannel
from notifications.messages import MailMessage

pytestmark = pytest.mark.django_db

PLAIN, SIZE = "250 here", "250-here\r\n250-8BITMIME\r\n250 SIZE 9999"
FINE = {"ehlo": PLAIN, "mail": "250 ok", "rcpt": "250 ok", "data": "354 go on", ".": "250 taken"}


class Listener:
    """A mail server that answers each command as it is told, and keeps what it hears."""

    def __init__(self, answers):
        self.answers, self.heard = FINE | answers, []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def close(self):
        self._thread.join()
        self._socket.close()

    def _listen(self):
        connection, _address = self._socket.accept()
        with contextlib.suppress(ConnectionError), connection, connection.makefile("rb") as lines:
            connection.sendall(b"220 here\r\n")
            while line := lines.readline():
                self.heard.append(line)
                command = line[:4].decode().strip().lower()
                connection.sendall(self.answers.get(command, "250 ok").encode() + b"\r\n")
                if command == "data" and self.answers["data"].startswith("354"):
                    self.heard += takewhile(b".\r\n".__ne__, lines)
                    connection.sendall(self.answers["."].encode() + b"\r\n")


@pytest.fixture
def talk(settings, tell, anna):
    """Send one mail to a server with such answers; what it heard, and the error."""

    def talk(answers, text="Text", **headers):
        listener, refused = Listener(answers), None
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", listener.port, 5
        try:
            message = MailMessage("s", text, headers=headers)
            MailChannel().send(tell(anna).deliveries.get(channel="mail"), message)
        except ChannelError as error:
            refused = error
        mail_channel._drop_connection()
        listener.close()
        return listener.heard, refused

    return talk


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ({}, None),
        ({"ehlo": SIZE}, None),
        ({"ehlo": "502 what", "helo": "250 here"}, None),
        ({"rcpt": "251 will be passed on"}, None),
        ({"rcpt": "250 ok\r\n250 ok"}, "250"),
        ({"mail": "550 not you"}, "550"),
        ({"mail": "421 not now"}, "421"),
        ({"mail": "552 too large"}, "552"),
        ({"rcpt": "550 5.1.1 unknown"}, "550"),
        ({"rcpt": "421 not now"}, "421"),
        ({"data": "554 nothing"}, "554"),
        ({"data": "250 ok"}, "250"),
        ({".": "451 later"}, "451"),
        ({".": "421 not now"}, "421"),
    ],
    ids=str,
)
def test_a_mail_is_taken_or_the_refusal_has_the_servers_code(talk, answers, code):
    heard, refused = talk(answers)
    assert (refused and refused.code) == code
    assert refused is not None or b"Text" in b"".join(heard)


def test_a_server_that_names_its_limit_is_told_the_size(talk):
    heard, _refused = talk({"ehlo": SIZE})
    (sender,) = [line for line in heard if line.startswith(b"mail")]
    assert b"FROM:<caravanserai@localhost> size=" in sender


def test_a_server_hears_of_no_sender_for_an_answer(talk):
    heard, _refused = talk({}, **{"Auto-Submitted": "auto-replied"})
    assert b"mail FROM:<>\r\n" in heard


@pytest.mark.parametrize("text", [".", "..\n.Bcc", "a.\n b.c\n.\n.", "a\n...\n...", "From here\n.\nQUIT"])
def test_a_line_that_is_a_dot_does_not_end_the_mail(talk, text):
    heard, refused = talk({}, text)
    body = b"".join(heard).partition(b"\r\n\r\n")[2]
    expected = "".join(f".{line}\r\n" if line.startswith(".") else f"{line}\r\n" for line in text.split("\n"))
    assert (refused, body.decode()) == (None, expected)
