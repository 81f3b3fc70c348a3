"""A real conversation with our own small mail server, by SMTP and by LMTP; and what a provider posts."""

import asyncio
import base64
import contextlib
import hmac
import json
import smtplib
import socket
import threading

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse

import config.listener
from notifications.clock import present
from notifications.inbound import listener, provider, raw, receiving
from notifications.inbound.parsing import parse_mail
from notifications.models import Inbound, Recipient
from tests.waiting import until

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

        def is_clear(self, token, line):
            return line == "9 crowns"

        def handle(self, inbound, now):
            inbound.answer = inbound.line.upper()
            return Inbound.State.DONE

    monkeypatch.setattr(receiving, "_handlers", [Product()])


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
def test_a_host_tries_out_whether_replies_come_in(door, settings, capsys):
    settings.EMAIL_BACKEND, settings.EMAIL_URL = "django.core.mail.backends.smtp.EmailBackend", "smtp://127.0.0.1"
    settings.EMAIL_HOST, settings.EMAIL_PORT = door.sock.getpeername()
    call_command("try_mail")
    said = capsys.readouterr().out
    assert "It came in after 0 seconds." in said and "Its sender is not proved" in said
    assert Inbound.objects.count() == 0
    settings.MAIL_LISTEN = "lmtp://127.0.0.1:8024"
    with pytest.raises(CommandError, match=r"Nothing came within 1 seconds\. Is the listener running at lmtp"):
        call_command("try_mail", ADDRESS, wait=1)


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


PROOF = b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n"


@pytest.mark.parametrize("door", ["smtp"], indirect=True)
@pytest.mark.parametrize(
    "field", ["List-Unsubscribe: <https://x.example>", "List-Id: <a.b>", "Precedence: list", "Precedence: bulk"]
)
def test_a_proved_answer_with_a_lists_head_waits_for_a_tap_and_other_mail_of_a_list_is_left_alone(
    door, field, settings
):
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    listed = MAIL.replace(b"\r\n\r\n", f"\r\n{field}\r\n\r\n".encode(), 1)
    for left_alone in (
        listed,
        PROOF + listed.replace(b"9 crowns", b"Hello"),
        PROOF + listed.replace(b"anna@", b"ben@"),
    ):
        door.sendmail("anna@example.org", [ADDRESS], left_alone)
    assert not Inbound.objects.exists()
    door.sendmail("anna@example.org", [ADDRESS], PROOF + listed)
    assert [(row.line, row.is_authentic) for row in Inbound.objects.all()] == [("9 crowns", False)]


@pytest.mark.parametrize("door", ["lmtp"], indirect=True)
def test_an_answer_below_a_quotation_waits_for_a_tap_as_a_program_may_have_lost_a_mark(door, settings):
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    for number, (text, is_sure) in enumerate({"9 crowns\r\n> 8": True, "> 8 pearls\r\n\r\n9 crowns": False}.items()):
        content = PROOF + MAIL.replace(b"9 crowns", text.encode()).replace(b"<1@", f"<{number}@".encode())
        door.sendmail("anna@example.org", [ADDRESS], content)
        assert Inbound.objects.latest("pk").is_authentic is is_sure


@pytest.fixture
def short_conversations(monkeypatch):
    monkeypatch.setattr(listener, "LONGEST", 0.5)


@both
def test_a_conversation_ends_however_busy_it_is(short_conversations, door):
    def is_over():
        try:
            return door.noop()[0] != 250
        except smtplib.SMTPServerDisconnected:
            return True

    until(is_over, "the server hangs up")


def listen(settings, url, **more):
    """What the listener says when it ends by itself; programs that follow their games it does not serve."""
    settings.EVENTS_LISTEN, settings.MAIL_LISTEN, settings.REPLY_MAILBOX = "", url, more.get("mailbox", "")
    asyncio.run(config.listener.listen(lambda *_: []))


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "smtp://127.0.0.1", "smtp://:25"])
def test_the_listener_says_what_it_needs(settings, url):
    with pytest.raises(ValueError, match="MAIL_LISTEN"):
        listen(settings, url)


def test_a_place_where_nothing_can_listen_is_named(settings):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"127.0.0.1', {port}.*in use"):
            listen(settings, f"lmtp://127.0.0.1:{port}")


@pytest.mark.parametrize("url", ["", "smtp://127.0.0.1:0"])
def test_without_an_address_to_write_to_there_is_nothing_to_receive(settings, url):
    settings.REPLY_ADDRESS = ""
    with pytest.raises(ImproperlyConfigured, match="nobody would come"):
        listen(settings, url)


def test_the_former_command_says_what_takes_its_place():
    with pytest.raises(CommandError, match=r"python -m config\.listener"):
        call_command("receive_mail")


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


PHOTO = b"\xff\xd8" + bytes(range(256)) * 40_000  # ten megabytes


def posted(rf, fields, kind="mailgun"):
    """A form of a provider that goes to django-anymail's own view."""
    from anymail.webhooks import mailgun, sendgrid

    views = {"mailgun": mailgun.MailgunInboundWebhookView, "sendgrid": sendgrid.SendGridInboundWebhookView}
    keys = {"webhook_signing_key": "key"} if kind == "mailgun" else {}
    view = provider.bounded(views[kind].as_view(**keys))
    return view(rf.post("/anymail/x/inbound/", fields, HTTP_AUTHORIZATION="Basic bmFtZTpwYXNz"))


def signed(**fields):
    """What Mailgun signs, and more."""
    stamp = str(int(present.now().timestamp()))
    signature = hmac.new(b"key", f"{stamp}token".encode(), "sha256").hexdigest()
    return {"timestamp": stamp, "token": "token", "signature": signature, "recipient": ADDRESS, **fields}


@pytest.fixture
def anymail(settings, db):
    settings.ANYMAIL = {"WEBHOOK_SECRET": "name:pass"}
    return Recipient.objects.create(address="anna@example.org", name="Anna")


def large(boundary="b"):
    """A mail with a photo of ten megabytes."""
    coded = base64.encodebytes(PHOTO).replace(b"\n", b"\r\n")
    head = b"From: anna@example.org\r\nMessage-ID: <2@example.org>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    own = b"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n9 crowns \xc3\xa9\r\n"
    photo = b"--b\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return (head + own + photo + coded + b"--b--\r\n").decode()


@pytest.mark.parametrize("kind", ["mailgun", "sendgrid"])
def test_a_whole_mail_of_many_megabytes_in_a_form_is_heard(rf, anymail, kind):
    fields = signed(**{"body-mime": large()})
    if kind == "sendgrid":
        fields = {"email": large(), "envelope": json.dumps({"to": [ADDRESS], "from": "anna@example.org"})}
    assert posted(rf, fields, kind).status_code == 200
    assert Inbound.objects.get().line == "9 crowns é"


def test_photos_beside_the_words_in_a_form_are_not_read(rf, anymail, monkeypatch):
    seen = []
    monkeypatch.setattr(
        receiving, "parse_mail", lambda content, sender: seen.append(content) or parse_mail(content, sender)
    )
    head = json.dumps([["From", "anna@example.org"], ["Message-Id", "<3@example.org>"]])
    fields = signed(**{"message-headers": head, "body-plain": "9 crowns\r\n", "sender": "anna@example.org"})
    file = SimpleUploadedFile("a.jpg", PHOTO, "image/jpeg")
    assert posted(rf, {"attachment-1": file, **fields}).status_code == 200
    assert Inbound.objects.get().line == "9 crowns" and len(seen[0]) < 2_000


def test_what_is_refused_is_told_to_the_provider_and_logged(rf, anymail, caplog):
    door = provider.bounded(lambda request: 1 / 0)
    request = rf.post("/mail/x/", b"x", content_type="application/json", CONTENT_LENGTH=str(provider.LARGEST + 1))
    assert door(request).status_code == 413
    assert f"refused: {provider.LARGEST + 1} bytes" in caplog.text
    request = rf.post("/mail/x/", b"x", content_type="application/json")
    del request.META["CONTENT_LENGTH"]
    assert door(request).status_code == 411
    many = signed(**{"body-mime": "a: b\r\n" * 300 + "\r\n9 crowns"})
    assert posted(rf, many).status_code == 413
    assert "refused: the head of the mail has too many fields" in caplog.text
    provider.hear(None, Event(MAIL.replace(b"\r\n\r\n", b"\r\n" + b"a: b\r\n" * 300 + b"\r\n")), "Postmark")
    assert "A mail that Postmark handed over was refused: the head of the mail has too many fields" in caplog.text
    assert not Inbound.objects.exists()


def test_a_large_request_that_is_no_form_reaches_its_view_whole(rf):
    body = json.dumps({"a": "x" * 10_000_000}).encode()
    door = provider.bounded(lambda request: HttpResponse(str(len(request.body)), status=200))
    assert door(rf.post("/mail/x/", body, content_type="application/json")).content == str(len(body)).encode()
    form = b"events=" + b"x" * 10_000_000
    door = provider.bounded(lambda request: HttpResponse(str(len(request.POST["events"]))))
    kind = "application/x-www-form-urlencoded"
    assert door(rf.post("/mail/x/", form, content_type=kind)).content == b"10000000"


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"x", 200), (b"x" * (provider.LARGEST + 1), 413), (b"\n--x" * 300, 413), (b"\\n--x" * 300, 413)],
)
def test_the_door_for_providers_is_narrow(rf, body, status):
    door = provider.bounded(lambda request: HttpResponse("in"))
    assert door(rf.post("/mail/x/", body, content_type="message/rfc822")).status_code == status
