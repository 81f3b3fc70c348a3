"""A real conversation with our own small mail server, by SMTP and by LMTP; and what a provider posts."""

import asyncio
import contextlib
import smtplib
import socket
import threading

import pytest
from django.core.management import CommandError, call_command

from notifications.inbound import dispatch, listener, provider, receiving
from notifications.inbound.parsing import raw
from notifications.models import Inbound, Recipient

TOKEN = "k3v9pq2mzt7a-aaaaaaaaaaaaaaaaaaaaaaaaaa"
ADDRESS = f"reply+{TOKEN}@play.example.org"
MAIL = b"From: anna@example.org\r\nMessage-ID: <1@example.org>\r\n\r\n9 crowns\r\n"


@pytest.fixture(autouse=True)
def product(settings, monkeypatch):
    """A product that knows one address, of whoever is there."""
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"

    class Product:
        def whose(self, token):
            recipient = Recipient.objects.first()
            return ("thing:1", recipient) if token == TOKEN and recipient else None

        def line_for(self, token, line):
            return line

        def handle(self, inbound, now):
            inbound.answer = inbound.line.upper()
            return Inbound.State.DONE

    monkeypatch.setattr(dispatch, "_handlers", [Product()])


@pytest.fixture
def door(request, transactional_db):
    """The server in a thread, for "smtp" or "lmtp"; returns its port."""
    Recipient.objects.create(address="anna@example.org", name="Anna")
    loop, ready, ports = asyncio.new_event_loop(), threading.Event(), []

    def opened(port):
        ports.append(port)
        ready.set()

    async def serve():
        task = asyncio.create_task(listener.serve(f"{request.param}://127.0.0.1:0", opened))
        tasks.append(task)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    tasks = []
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    yield {"smtp": smtplib.SMTP, "lmtp": smtplib.LMTP}[request.param]("127.0.0.1", ports[0])
    loop.call_soon_threadsafe(tasks[0].cancel)
    thread.join(10)


both = pytest.mark.parametrize("door", ["smtp", "lmtp"], indirect=True)


@both
def test_a_mail_to_an_address_of_ours_is_stored_once_and_others_are_refused_at_the_door(door):
    assert door.sendmail("anna@example.org", [ADDRESS], MAIL) == {}
    assert door.sendmail("anna@example.org", [ADDRESS.upper()], MAIL) == {}
    row = Inbound.objects.get()
    assert (row.line, row.state, row.subject) == ("9 crowns", "waiting", "thing:1")
    for wrong in (ADDRESS.replace("aaa", "aab"), "postmaster@play.example.org", "anna@example.org"):
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            door.sendmail("ben@example.org", [wrong], MAIL)
        assert refused.value.recipients[wrong][0] == 550
    assert Inbound.objects.count() == 1


@pytest.mark.parametrize("door", ["smtp"], indirect=True)
def test_bounces_and_what_is_too_large_are_not_stored(door):
    assert door.sendmail("", [ADDRESS], MAIL) == {}
    with pytest.raises(smtplib.SMTPException):
        door.sendmail("anna@example.org", [ADDRESS], b"From: a@b.org\r\n\r\n" + b"x\r\n" * raw.LARGEST)
    assert Inbound.objects.count() == 0


@pytest.mark.parametrize("door", ["smtp"], indirect=True)
def test_what_no_person_writes_is_refused_and_an_error_of_ours_brings_it_again(door, monkeypatch):
    parts = b"From: a@b.org\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\n\r\n" * 200
    with pytest.raises(smtplib.SMTPDataError) as refused:
        door.sendmail("anna@example.org", [ADDRESS], parts)
    assert refused.value.smtp_code == 554
    monkeypatch.setattr(receiving, "parse_mail", lambda *_: 1 / 0)
    with pytest.raises(smtplib.SMTPDataError) as later:
        door.sendmail("anna@example.org", [ADDRESS], MAIL)
    assert later.value.smtp_code == 451
    assert Inbound.objects.count() == 0


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:1", "smtp://127.0.0.1", "smtp://:25"])
def test_the_command_says_what_it_needs(url):
    with pytest.raises(CommandError, match="MAIL_LISTEN"):
        call_command("receive_mail", listen=url)


def test_a_place_where_nothing_can_listen_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"lmtp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(CommandError, match=f"^Nothing can listen at {url}: .*in use"):
            call_command("receive_mail", listen=url)


def test_without_an_address_to_write_to_there_is_nothing_to_receive(settings):
    settings.REPLY_ADDRESS = ""
    with pytest.raises(CommandError, match="REPLY_ADDRESS"):
        call_command("receive_mail", listen="smtp://127.0.0.1:0")


class Event:
    def __init__(self, content, envelope=ADDRESS):
        from anymail.inbound import AnymailInboundMessage

        self.message = AnymailInboundMessage.parse_raw_mime_bytes(content)
        self.message.envelope_recipient, self.message.envelope_sender = envelope, "anna@example.org"


@pytest.mark.django_db
def test_a_providers_event_is_heard_by_its_envelope_alone():
    Recipient.objects.create(address="anna@example.org", name="Anna")
    provider.hear(None, Event(MAIL, "somebody@play.example.org"), "Test")
    provider.hear(None, Event(f"To: {ADDRESS}\r\n".encode() + MAIL, "somebody@play.example.org"), "Test")
    assert not Inbound.objects.exists()
    provider.hear(None, Event(MAIL), "Test")
    provider.hear(None, Event(MAIL), "Test")
    assert Inbound.objects.get().line == "9 crowns"
    provider.hear(
        None, Event(MAIL.replace(b"\r\n\r\n", b"\r\n" + b"a: b\r\n" * 300 + b"\r\n").replace(b"<1@", b"<2@")), "T"
    )
    assert Inbound.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"x", 200), (b"x" * (provider.LARGEST + 1), 413), (b"\n--x" * 300, 413), (b"\\n--x" * 300, 413)],
)
def test_the_door_for_providers_is_narrow(rf, body, status):
    from django.http import HttpResponse

    door = provider.bounded(lambda request: HttpResponse("in"))
    assert door(rf.post("/mail/x/", body, content_type="message/rfc822")).status_code == status
