"""Mail: what a real server hears, and what its answers mean."""

import re
import socket
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import parseaddr

import pytest

from notifications.channels.base import ChannelError
from notifications.channels.mail import letter
from notifications.channels.mail import sending as mail_channel
from notifications.channels.mail.channel import MailChannel
from notifications.messages import MailMessage, Picture, WebhookMessage
from notifications.models import Delivery
from tests.notifications.smtp import running_smtp
from tests.notifications.wellformed import read_strictly

pytestmark = pytest.mark.django_db


@pytest.fixture
def smtp(settings):
    with running_smtp() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 5
        yield server
        mail_channel._drop_connection()


@pytest.fixture
def send(tell, anna, now):
    """Send one mail by the channel itself."""

    def send(message=None, **notice):
        delivery = tell(notice.pop("recipient", anna), **notice).deliveries.get(channel="mail")
        MailChannel().send(delivery, message or MailMessage("Your turn", "Text", "<p>HTML</p>"))
        return delivery

    return send


def test_a_mail_arrives_with_both_alternatives_and_its_own_id(smtp, send):
    delivery = send()
    (mail,) = smtp.mails
    assert mail["Message-ID"] == delivery.message_id
    assert mail["Subject"] == "Your turn" and mail["To"] == "Anna <anna@example.org>"
    assert mail.get_body(("plain",)).get_content().strip() == "Text"
    assert "HTML</p>" in mail.get_body(("html",)).get_content()
    assert smtp.envelopes[0][1] == ["anna@example.org"]


SENDER = "Karawanserei für lange Spiele am Abend und am Wochenende"


def name_in(content, field):
    """The name in an address, decoded by RFC 2047: Python 3.11's newer parser puts spaces between encoded words."""
    return str(make_header(decode_header(parseaddr(message_from_bytes(content)[field])[0])))


NAMES = [
    "Anna",
    "Benjamín Müller-Großkreutz von der Heide auf der Wiese am Waldrand",
    "日本" * 40,
    'A "B" \\ <x@y.org>',
    "",
]
SUBJECTS = [
    "Your turn",
    "Ü" * 150,
    "é b " * 45,
    "Runde 1: Setze eine Figur (bis Fr 15:38) für Jörg",
    "word " * 39,
    "x" * 190,
]


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("name", NAMES)
def test_no_name_and_no_subject_make_a_head_that_mail_servers_doubt(smtp, send, anna, settings, name, subject):
    settings.DEFAULT_FROM_EMAIL = f"{SENDER} <games@example.org>"
    anna.name = name
    anna.save()
    html = '<html><head><meta charset="utf-8"></head><body><p>é</p></body></html>'
    send(MailMessage(subject, "é", html, unsubscribe_url="https://play.example.org/mails/" + "u" * 120))
    mail = read_strictly(smtp.contents[0], subject)
    (reader,), (sender,) = mail["To"].addresses, mail["From"].addresses
    assert (reader.addr_spec, sender.addr_spec) == ("anna@example.org", "games@example.org")
    assert [name_in(smtp.contents[0], field) for field in ("To", "From")] == [name, SENDER]
    assert mail["List-Unsubscribe"] == "<https://play.example.org/mails/" + "u" * 120 + ">"


def test_programs_can_tell_that_nobody_wrote_it(smtp, send):
    send()
    (mail,) = smtp.mails
    assert mail["Auto-Submitted"] == "auto-generated" and mail["X-Auto-Response-Suppress"] == "All"
    assert mail["List-Unsubscribe"] is None and mail["References"] is None and mail["List-Id"] is None


def test_mails_of_one_thread_share_a_root_and_a_list(smtp, send, settings):
    settings.MAIL_DOMAIN = "play.example.org"
    send(thread="table:1")
    send(thread="table:1")
    send(thread="table:2")
    roots = [mail["References"] for mail in smtp.mails]
    assert roots[0] == roots[1] != roots[2] and roots[0].endswith("@play.example.org>")
    assert [mail["In-Reply-To"] for mail in smtp.mails] == roots
    lists = [mail["List-Id"] for mail in smtp.mails]
    assert lists[0] == lists[1] != lists[2] and re.fullmatch(r"<thread-[0-9a-f]{24}\.play\.example\.org>", lists[0])


def test_a_composer_names_its_own_list_and_headers(smtp, send):
    send(MailMessage("s", "t", list_id="t1.example.org", headers={"Reply-To": "t1@example.org", "X-Table": "1"}))
    (mail,) = smtp.mails
    assert mail["List-Id"] == "<t1.example.org>" and mail["X-Table"] == "1" and mail["Reply-To"] == "t1@example.org"


def test_one_click_unsubscription_is_offered_where_there_is_one(smtp, send):
    send(MailMessage("s", "t", unsubscribe_url="https://example.org/never/abc", has_one_click=True))
    (mail,) = smtp.mails
    assert mail["List-Unsubscribe"] == "<https://example.org/never/abc>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_page_to_choose_on_is_named_without_promising_that_one_click_is_enough(smtp, send):
    send(MailMessage("s", "t", unsubscribe_url="https://example.org/mails/abc"))
    (mail,) = smtp.mails
    assert mail["List-Unsubscribe"] == "<https://example.org/mails/abc>"
    assert mail["List-Unsubscribe-Post"] is None


def test_a_picture_travels_inside_the_mail_and_is_shown_by_its_html(smtp, send):
    picture = Picture(b"\x89PNG not really")
    send(MailMessage("s", "t", f'<p><img src="cid:{picture.cid}" alt="a board"></p>', pictures=(picture,)))
    (mail,) = smtp.mails
    assert mail.get_content_type() == "multipart/related"
    alternatives, image = mail.iter_parts()
    assert [part.get_content_type() for part in alternatives.iter_parts()] == ["text/plain", "text/html"]
    assert image["Content-ID"] == f"<{picture.cid}>" and image.get_content_disposition() == "inline"
    assert image.get_content() == picture.content
    assert f"cid:{picture.cid}" in mail.get_body(("html",)).get_content()


def test_styles_are_written_into_the_tags(smtp, send):
    html = (
        '<html><head><meta charset="utf-8"><style>p { color: red }</style>'
        '<style data-css-inline="keep">@media (prefers-color-scheme: dark) { p { color: pink } }</style></head>'
    )
    send(MailMessage("s", "t", html + "<body><p>x</p></body></html>"))
    sent = smtp.mails[0].get_body(("html",)).get_content()
    assert re.search(r'<p style="color: red;?">', sent)
    assert 0 < sent.find('<meta charset="utf-8">') < sent.find("prefers-color-scheme")


@pytest.mark.parametrize(
    ("_case", "name", "subject"),
    [
        ("line breaks that would begin a header", "Eva\r\nBcc: david@example.org", "Hi\r\nBcc: david@example.org"),
        ("line separators of Unicode", "Eva\u2028x", "Hi\u2029x\x85y"),
        ("emoji", "Eva 🐫", "Your turn 🐪"),
        ("something that looks encoded", "=?utf-8?q?Eva?=", "=?utf-8?q?Hi?="),
        ("quotes, comma, angle brackets", 'Eva "the <best>", again', '"Hi", <b>'),
        ("right to left", "חוה", "\u202eshalom"),
        ("very long", "E" * 120, "word " * 2000),
        ("a script", "<script>", "<script>alert(1)</script>"),
        ("nothing", "", ""),
    ],
)
def test_names_and_subjects_of_any_kind_stay_in_their_header(smtp, send, anna, _case, name, subject):
    anna.name = name
    anna.save()
    send(MailMessage(subject, "Text"))
    (mail,) = smtp.mails
    assert smtp.envelopes[0][1] == ["anna@example.org"]
    assert mail["Bcc"] is None and len(mail["To"].addresses) == 1
    assert mail["To"].addresses[0].addr_spec == "anna@example.org"
    assert name_in(smtp.contents[0], "To") == letter.one_line(name, 100)
    assert mail["Subject"] == letter.one_line(subject, 200)


@pytest.mark.parametrize("text", ["a  b", "a\tb", " a\r\n b ", "a\u2066b", "\x85a \x00 b"])
def test_what_stands_in_a_line_has_single_blanks_and_no_signs_that_cannot_be_seen(text):
    assert letter.one_line(text, 10) == "a b"


def test_a_header_of_a_composer_cannot_begin_another(smtp, send):
    send(MailMessage("s", "t", list_id="t\r\nBcc: x@example.org", headers={"X-Table": "1\nBcc: x@example.org"}))
    assert smtp.mails[0]["Bcc"] is None


def test_an_answer_comes_from_nobody_so_that_no_program_answers_it(smtp, send, anna):
    anna.name = "Añá, Ben"
    anna.save()
    send(MailMessage("s", "t", headers={"Auto-Submitted": "auto-replied"}))
    send(MailMessage("s", "t"))
    assert [sender for sender, _to in smtp.envelopes] == ["<>", "caravanserai@localhost"]
    assert smtp.envelopes[0][1] == ["anna@example.org"] and smtp.mails[0]["Auto-Submitted"] == "auto-replied"
    assert smtp.mails[0]["From"] == smtp.mails[1]["From"] and smtp.connections == 1


def test_an_answer_that_is_refused_is_refused_like_any_other(smtp, send):
    smtp.rcpt = "550 no such mailbox"
    with pytest.raises(ChannelError) as refused:
        send(MailMessage("s", "t", headers={"Auto-Submitted": "auto-replied"}))
    assert refused.value.permanent and refused.value.is_address


def test_two_mails_go_over_one_connection(smtp, send):
    send()
    send()
    assert len(smtp.mails) == 2 and smtp.connections == 1


def test_a_connection_the_server_closed_is_opened_again_before_anything_is_sent(smtp, send):
    send()
    mail_channel._kept.backend.connection.sock.shutdown(socket.SHUT_RDWR)
    send()
    assert len(smtp.mails) == 2 and smtp.connections == 2


@pytest.mark.parametrize(
    ("_case", "answers", "permanent", "code"),
    [
        ("the mailbox is full", {"rcpt": "452 4.2.2 full"}, False, "452"),
        ("greylisted", {"rcpt": "451 4.7.1 later"}, False, "451"),
        ("no such mailbox", {"rcpt": "550 5.1.1 unknown"}, True, "550"),
        ("the mail is put off", {"data": ["451 later"]}, False, "451"),
        ("the mail is refused", {"data": ["554 spam"]}, True, "554"),
        ("we are refused, for now", {"sender": "451 no"}, False, "451"),
        ("we are refused: our settings are wrong, the mail is not", {"sender": "550 not you"}, False, "550"),
    ],
)
def test_what_a_server_answers_decides_whether_it_is_asked_again(smtp, send, _case, answers, permanent, code):
    for name, value in answers.items():
        setattr(smtp, name, value)
    with pytest.raises(ChannelError) as raised:
        send()
    assert (raised.value.permanent, raised.value.code) == (permanent, code)
    assert "anna" not in str(raised.value) and smtp.mails == []


def test_after_a_refusal_the_next_mail_goes_out(smtp, send):
    smtp.data = ["451 later"]
    with pytest.raises(ChannelError):
        send()
    send()
    assert len(smtp.mails) == 1


def test_a_server_that_hangs_up_after_taking_the_mail_gets_it_again_under_the_same_id(smtp, tell, anna, drain, now):
    import datetime as dt

    tell(anna)
    smtp.drop = True
    drain()
    assert Delivery.objects.get().state == "waiting"
    smtp.drop = False
    drain(now + dt.timedelta(days=1))
    assert Delivery.objects.get().state == "accepted"
    assert [mail["Message-ID"] for mail in smtp.mails] == [Delivery.objects.get().message_id] * 2


def test_a_server_that_is_down_is_asked_again(settings, send):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", unused.getsockname()[1]
        with pytest.raises(ChannelError) as raised:
            send()
    assert raised.value.permanent is False


@pytest.mark.parametrize(
    "address", ["anna@", "anna@exam ple.org", "anna@example.org\r\nRCPT TO:<ben@example.org>", "añá@example.org"]
)
def test_an_address_nobody_can_write_to_is_refused_for_good(smtp, send, anna, address):
    anna.address = address
    anna.save()
    with pytest.raises(ChannelError) as raised:
        send()
    assert raised.value.permanent is True


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("anna@bücher.example", "anna@xn--bcher-kva.example"),
        ('"anna b"@example.org', '"anna b"@example.org'),
        ("anna@EXAMPLE.org", "anna@EXAMPLE.org"),
    ],
)
def test_an_address_of_an_unusual_kind_is_written_to_as_mail_servers_have_it(smtp, send, anna, address, written):
    anna.name, anna.address = "Begoña, Anna", address
    anna.save()
    send()
    assert smtp.envelopes[0][1] == [written]
    (to,) = smtp.mails[0]["To"].addresses
    assert (to.display_name, to.addr_spec) == ("Begoña, Anna", written)


def test_a_webhooks_message_is_no_mail(send, now):
    with pytest.raises(TypeError):
        send(WebhookMessage("x", now, {}))


def test_a_mail_with_a_picture_has_parts_that_its_text_cannot_imitate(smtp, send):
    send(MailMessage("s", "--=_0_\n--===============", "<p>HTML</p>", (Picture(b"png"),)))
    parts = [part.get_content_type() for part in smtp.mails[0].walk()]
    assert parts == ["multipart/related", "multipart/alternative", "text/plain", "text/html", "image/png"]
    assert "--===============" in smtp.mails[0].get_body(("plain",)).get_content()


def test_half_a_character_is_refused_for_good(smtp, send):
    with pytest.raises(ChannelError) as raised:
        send(MailMessage("s", "\ud83d"))
    assert raised.value.permanent is True and smtp.mails == []


def test_a_line_longer_than_a_mail_may_have_arrives_whole(smtp, send):
    send(MailMessage("s", "ñ" * 1500))
    assert smtp.mails[0].get_content().strip() == "ñ" * 1500
