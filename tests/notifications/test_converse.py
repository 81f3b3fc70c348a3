"""What is said to a mail server for one mail: word for word what `smtplib` says, which takes longer over it."""

import contextlib
import smtplib
import socket
import threading
from functools import partial
from itertools import takewhile

import pytest

from notifications.channels.envelope import converse

SENDER, TO = "mail@example.org", "anna@example.org"
CONTENT = b"Subject: s\r\n\r\nText\r\n"
PLAIN, SIZE = "250 here", "250-here\r\n250-8BITMIME\r\n250 SIZE 9999"
FINE = {"ehlo": PLAIN, "mail": "250 ok", "rcpt": "250 ok", "data": "354 go on", ".": "250 taken"}


def by_smtplib(server, sender, to, content):
    server.sendmail(sender, [to], content)


class Listener:
    """A mail server that answers each command as it is told, and keeps what it hears."""

    def __init__(self, answers):
        self.answers, self.heard = answers, []
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


def told(speak, answers, sender, content):
    """What the server heard, without what comes after a refusal, and what was raised."""
    listener, refused = Listener(FINE | answers), None
    server = smtplib.SMTP("127.0.0.1", listener.port, local_hostname="here", timeout=5)
    try:
        speak(server, sender, TO, content)
    except smtplib.SMTPException as error:
        refused = (type(error), error.args)
    server.close()
    listener.close()
    return [line for line in listener.heard if line != b"rset\r\n"], refused


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"ehlo": SIZE},
        {"ehlo": "502 what", "helo": "250 here"},
        {"mail": "550 not you"},
        {"mail": "421 not now"},
        {"rcpt": "251 will be passed on"},
        {"rcpt": "550 5.1.1 unknown"},
        {"rcpt": "421 not now"},
        {"data": "554 nothing"},
        {"data": "250 ok"},
        {"rcpt": "250 ok\r\n250 ok"},
        {".": "451 later"},
        {".": "421 not now"},
    ],
    ids=str,
)
@pytest.mark.parametrize("sender", [SENDER, ""])
def test_a_mail_server_is_told_what_smtplib_tells_it(answers, sender):
    ours, theirs = (told(speak, answers, sender, CONTENT) for speak in (converse, by_smtplib))
    assert ours == theirs
    assert (ours[1] is None) == (set(answers.values()) <= {SIZE, "502 what", "250 here", "251 will be passed on"})
    assert ours[1] is not None or ours[0][-1] == b"Text\r\n"


@pytest.mark.parametrize(
    "text",
    [b"Text", b"Text\r\n", b"Text\r\n\r\n", b".\r\n", b"..\r\n.Bcc\r\n", b"a.\r\n b.c\r\n.\r\n.", b"a\r\n...\r\n..."],
)
def test_a_line_that_is_a_dot_does_not_end_the_mail(text):
    speak = partial(told, answers={}, sender=SENDER, content=b"Subject: s\r\n\r\n" + text)
    assert speak(converse) == speak(by_smtplib)
