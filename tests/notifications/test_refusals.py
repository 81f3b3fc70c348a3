"""Wrong settings lose nobody's mail and close nobody's address, and the log says what is wrong and of what."""

import datetime as dt
import logging
import socket
import ssl

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.management import CommandError, call_command

from notifications.channels.base import ChannelError, NoMailbox
from notifications.channels.mail import refusals, suppressions
from notifications.channels.mail.channel import MailChannel
from notifications.delivery import health
from notifications.delivery.sending import deliver
from notifications.messages import MailMessage
from notifications.models import ChannelHealth, Delivery
from tests.notifications.smtp import Server, running_smtp
from tests.servers import free_port

pytestmark = pytest.mark.django_db
BACKEND = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture
def smtp(settings):
    with running_smtp() as server:
        settings.EMAIL_BACKEND = BACKEND
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 5
        yield server


@pytest.fixture
def refused(tell, anna):
    """Send one mail, and return why it was not taken."""

    def refused():
        with pytest.raises(ChannelError) as raised:
            MailChannel().send(tell(anna).deliveries.get(), MailMessage("s", "t"))
        return raised.value

    return refused


def certificate(folder, name):
    """A key and a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = x509.CertificateBuilder().subject_name(who).issuer_name(who).public_key(key.public_key())
    made = (
        made.serial_number(1)
        .not_valid_before(dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
    )
    signed = made.sign(key, hashes.SHA256())
    plain = serialization.NoEncryption()
    path = folder / "mail.pem"
    pem = serialization.Encoding.PEM
    path.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def with_tls(tmp_path):
    """A mail server whose certificate is for another name; it knows nobody."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate(tmp_path, "elsewhere.example.org"))
    refuse = {"authenticator": lambda *_: AuthResult(success=False, handled=False), "auth_require_tls": False}
    server = Controller(Server(), hostname="127.0.0.1", port=free_port(), tls_context=context, **refuse)
    server.start()
    yield server
    server.stop()


def settings_of(settings, **changes):
    for name, value in changes.items():
        setattr(settings, f"EMAIL_{name}", value)


def lines_of(caplog):
    """What the log has of a whole channel."""
    return [record.getMessage() for record in caplog.records if record.name == health.__name__]


def check(error, reason):
    assert str(error) == reason
    assert (error.permanent, error.is_general, error.is_address) == (False, True, False)


def test_a_certificate_that_does_not_match_keeps_the_mail(smtp, with_tls, settings, refused):
    settings_of(settings, PORT=with_tls.port, USE_TLS=True)
    check(refused(), "mail_server_certificate")


def test_a_wrong_password_keeps_the_mail_and_the_servers_words_are_in_the_log(
    smtp, with_tls, settings, refused, drain, now, caplog
):
    settings_of(settings, PORT=with_tls.port, HOST_USER="games", HOST_PASSWORD="s3cret")
    error = refused()
    check(error, "mail_server_password")
    drain()
    drain(now + dt.timedelta(minutes=1))
    assert error.code == "535" and "535 5.7.8" in error.excerpt and "535 5.7.8" in caplog.text
    assert "s3cret" not in caplog.text and "anna" not in caplog.text


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"USE_TLS": True}, "mail_server_features"),
        ({"HOST_USER": "games", "HOST_PASSWORD": "x"}, "mail_server_features"),
        ({"USE_SSL": True}, "mail_server_tls"),
        ({"HOST": "nowhere.invalid"}, "mail_server_name"),
        ({"BACKEND": "anymail.backends.postmrk.EmailBackend"}, "mail_settings"),
        ({"BACKEND": "anymail.backends.postmark.EmailBackend"}, "mail_settings"),
    ],
)
def test_settings_that_are_wrong_keep_the_mail(smtp, settings, refused, changes, reason):
    settings_of(settings, **changes)
    check(refused(), reason)
    assert smtp.mails == []


@pytest.mark.parametrize("name", ["DEFAULT_FROM_EMAIL", "BOUNCE_ADDRESS"])
def test_a_sender_that_is_no_address_keeps_the_mail(smtp, settings, refused, name):
    setattr(settings, name, "games+{token}@example.org.")
    check(refused(), "mail_settings")
    assert smtp.mails == []


def test_a_port_at_which_nobody_listens_keeps_the_mail(smtp, settings, refused):
    settings_of(settings, PORT=free_port())
    check(refused(), "mail_server_port")


def test_a_port_that_swallows_everything_keeps_the_mail(smtp, settings, refused):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings_of(settings, PORT=silent.getsockname()[1], TIMEOUT=0.1)
        check(refused(), "mail_server_hung_up")


@pytest.mark.parametrize(
    "answer",
    [
        "554 5.7.1 <anna@example.org>: Relay access denied",
        "550 relay not permitted",
        "550 5.7.54 Unable to relay recipient in non-accepted domain",
        "530 5.7.0 Authentication required",
        "530 Authentication required",
        "550 5.1.8 <games@example.org>: Sender address rejected: Domain not found",
        "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked",
    ],
)
def test_a_server_that_does_not_know_us_closes_nobodys_address(smtp, refused, drain, answer, now, caplog):
    smtp.rcpt = answer
    check(refused(), "no_relay")
    drain()
    drain(now + dt.timedelta(minutes=1))
    (line,) = lines_of(caplog)
    assert answer[:3] in line and "@" not in line


@pytest.mark.parametrize("answer", ["550 5.1.1 unknown", "550 no such user here", "552 5.2.2 full", "553 5.1.3 bad"])
def test_what_is_about_the_reader_is_not_about_us(smtp, refused, answer):
    smtp.rcpt = answer
    error = refused()
    assert (error.permanent, error.is_general, error.is_address) == (True, False, True)
    assert isinstance(error, NoMailbox) == ("5.1." in answer)


@pytest.mark.parametrize(
    ("answer", "is_permanent"),
    [
        ("550 5.4.5 Daily user sending limit exceeded", False),
        ("554 5.3.0 system not accepting", False),
        ("552 5.3.4 Message size exceeds limit", True),
        ("554 5.7.1 spam", True),
        ("554 5.6.0 no such charset", True),
    ],
)
def test_a_limit_of_ours_keeps_the_mail_and_its_own_faults_do_not(smtp, refused, answer, is_permanent):
    smtp.data = [answer]
    error = refused()
    assert (error.permanent, error.is_general) == (is_permanent, not is_permanent) and not error.is_address


@pytest.mark.parametrize("answer", ["552 5.3.4 Message size exceeds limit", "552 too large"])
def test_a_server_that_does_not_want_to_hear_so_large_a_mail_says_nothing_of_us(smtp, refused, answer):
    smtp.sender = answer
    error = refused()
    assert (error.permanent, error.is_general, error.is_address) == (True, False, False)


def test_a_mailbox_that_does_not_exist_is_given_up_at_its_first_refusal(smtp, tell, anna, drain):
    tell(anna)
    smtp.rcpt = "550 5.1.1 <anna@example.org>: Recipient address rejected: User unknown"
    drain()
    assert suppressions.why_suppressed(anna.address) == suppressions.BOUNCED
    assert Delivery.objects.get().reason == refusals.NO_MAILBOX


def test_all_players_are_told_when_the_host_has_mended_the_password(smtp, with_tls, settings, tell, anna, drain, now):
    port = settings.EMAIL_PORT
    settings_of(settings, PORT=with_tls.port, USE_TLS=True)
    for _ in range(6):
        tell(anna)
    drain(now)
    drain(now + dt.timedelta(days=1))
    assert set(Delivery.objects.values_list("state", flat=True)) == {"waiting"}
    settings_of(settings, PORT=port, USE_TLS=False)
    drain(now + dt.timedelta(days=2))
    assert len(smtp.mails) == 6 and ChannelHealth.objects.get().failures == 0


def test_a_server_that_hangs_up_once_is_no_outage(smtp, settings, tell, anna, drain, now, caplog):
    for _ in range(3):
        tell(anna)
    settings_of(settings, PORT=free_port())
    deliver(now, 1)
    settings_of(settings, PORT=smtp.port)
    drain(now + dt.timedelta(minutes=1))
    assert len(smtp.mails) == 3 and lines_of(caplog) == []


def test_an_outage_has_one_line_in_the_log_when_it_begins_and_one_when_it_ends(
    smtp, settings, tell, anna, drain, now, caplog
):
    for _ in range(6):
        tell(anna)
    settings_of(settings, PORT=free_port())
    for minute in range(5):
        drain(now + dt.timedelta(minutes=minute))
    settings_of(settings, PORT=smtp.port)
    for minute in range(5, 8):
        drain(now + dt.timedelta(minutes=minute))
    assert len(smtp.mails) == 6
    begin, end = lines_of(caplog)
    assert "no mail server is listening" in begin and end == "Channel mail: messages are taken again"


def test_a_limit_that_is_used_up_has_one_line_in_the_log_when_it_begins_and_one_when_it_ends(
    smtp, settings, tell, anna, drain, now, caplog
):
    settings.MAIL_PER_MINUTE = 2
    for _ in range(7):
        tell(anna)
    for minute in range(4):
        for second in range(0, 60, 10):
            drain(now + dt.timedelta(minutes=minute, seconds=second))
    assert len(smtp.mails) == 7
    begin, end = lines_of(caplog)
    assert "its limit of 2 a minute is used up" in begin and "nothing waits for its limit" in end
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_mail_that_was_refused_for_good_is_in_the_log(smtp, tell, anna, drain, caplog):
    tell(anna)
    smtp.data = ["554 5.7.1 spam"]
    with caplog.at_level(logging.WARNING):
        drain()
    assert "was refused: the email was refused (554)" in caplog.text


def test_a_host_tries_out_whether_mail_goes_out(smtp, settings, capsys):
    settings.EMAIL_URL = "smtp://127.0.0.1"
    call_command("try_mail", "host@example.org")
    said = capsys.readouterr().out
    assert smtp.mails[0]["To"] == "host@example.org" and "SPF" in smtp.mails[0].get_content()
    assert f"127.0.0.1, port {smtp.port}, with no TLS" in said and "It was accepted." in said
    assert Delivery.objects.count() == 0


def test_a_host_who_tries_it_out_is_told_why_it_does_not(smtp, with_tls, settings):
    settings_of(settings, URL="smtp+tls://127.0.0.1", PORT=with_tls.port, USE_TLS=True)
    with pytest.raises(CommandError, match="It was not accepted: our mail server's certificate"):
        call_command("try_mail", "host@example.org")
    settings_of(settings, PORT=smtp.port, USE_TLS=False)
    smtp.rcpt = "554 5.7.1 Relay access denied"
    with pytest.raises(CommandError, match=r"refuses our emails: .* \(554\)\.$"):
        call_command("try_mail", "host@example.org")
