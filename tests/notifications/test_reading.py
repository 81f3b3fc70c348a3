"""What strangers send is read within bounds, and believed only on our own mail server's word."""

import contextlib
import resource
import smtplib
import textwrap
import tracemalloc
from time import process_time

import pytest

from notifications.inbound import quoting, raw
from notifications.inbound.parsing import parse_mail
from tests.notifications.by_smtp import connection, hear

OURS = "Authentication-Results: mx.play.example.org; dmarc=pass header.from=example.org"


@pytest.fixture(autouse=True)
def mail_settings(settings):
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    settings.MAIL_AUTHSERV_ID = "mx.play.example.org"


def heard(*fields, text="9 crowns"):
    """A mail of Anna's as it comes in."""
    return hear("\n".join(["From: Anna <Anna@example.org>", *filter(None, fields), "", text]).encode())


@pytest.mark.parametrize(
    "results",
    [
        "", "Authentication-Results: mx.play.example.org; dmarc=fail header.from=example.org",
        "Authentication-Results: mx.elsewhere.example; dmarc=pass header.from=example.org",
        "Authentication-Results: mx.play.example.org; dmarc=pass header.from=evil.example",
        "Authentication-Results: mx.play.example.org; dmarc=pass", f"{OURS} header.from=evil.example",
        "Authentication-Results: mx.play.example.org; dmarc=pass; dkim=pass header.d=example.org",
        "Authentication-Results: mx.play.example.org; spf=pass smtp.mailfrom=evil.example",
        "Authentication-Results: mx.play.example.org; dkim=pass header.d=ample.org",
        "Authentication-Results: mx.play.example.org; dkim=pass header.d=sub.example.org",
        "Authentication-Results: mx.play.example.org; none",
        "Authentication-Results: mx.play.example.org dmarc=pass",
        "Authentication-Results: mx.play.example.org; dkim=pass header.d=example.org; dmarc=fail",
        "Authentication-Results: mx.play.example.org; dmarc=fail\n" + OURS,
        "X-Authentication-Results: mx.play.example.org; dmarc=pass",
        "Authentication-Results: mx.play.example.org; ((\n" + OURS,
        "Authentication-Results: (mx.play.example.org) evil.example; dmarc=pass header.from=example.org",
        f"X {OURS}", f"Subject: hello\r{OURS}", f"Subject: hello\r\r\n\r{OURS}", f"\xa0{OURS}", f"x\xe9{OURS}",
    ],
)  # fmt: skip
def test_what_our_own_mail_server_did_not_prove_proves_nothing(results):
    assert not heard(results).is_authentic


@pytest.mark.parametrize(
    "results",
    [
        OURS, OURS.replace("mx.play", "MX.Play"), f"{OURS} (p=none)",
        "Authentication-Results: mx.play.example.org 1; dkim=pass (ok) header.d=example.org header.s=k",
        "Authentication-Results: mx.play.example.org;\n spf=pass smtp.mailfrom=anna@example.org",
        f"{OURS}\nAuthentication-Results: mx.play.example.org; dmarc=fail",
    ],
)  # fmt: skip
def test_what_it_proved_counts(results):
    assert heard(results).is_authentic


@pytest.mark.parametrize(
    ("head", "others"),
    [
        (
            b"Authentication-Results: mail.example.org; dmarc=pass\r\nAuthentication-Results: b\r\n",
            "mail.example.org, b",
        ),
        (b"", "nobody"),
        (b"Authentication-Results: a" + b"x" * 900 + b"\xff\x1b[31m; none\r\n", "a" + "x" * 59),
    ],
)
def test_a_server_of_another_name_than_the_setting_is_named_in_the_log(caplog, head, others):
    assert not parse_mail(head + b"From: anna@example.org\r\n\r\npass\r\n").is_authentic
    (line,) = (record.getMessage() for record in caplog.records if "MAIL_AUTHSERV_ID" in record.getMessage())
    assert line.endswith(f"of mx.play.example.org (MAIL_AUTHSERV_ID), but of: {others}")


def test_without_a_mail_server_of_ours_nothing_is_proved(settings):
    settings.MAIL_AUTHSERV_ID = ""
    assert not heard(OURS).is_authentic
    assert not heard("Authentication-Results: ; dmarc=pass header.from=example.org").is_authentic


@pytest.mark.parametrize("second", ["From: ben@example.org", "From: a@example.org, b@example.org"])
def test_a_mail_of_two_senders_is_nobodys(second):
    assert heard(OURS, second).sender == "" and not heard(OURS, second).is_authentic


def sent(*fields):
    """A mail that our server proved to be of the domain, with these fields in place of From: Anna."""
    return hear("\n".join([*fields, OURS, "", "9 crowns"]).encode())


@pytest.mark.parametrize(
    "written",
    [
        "Friends: anna@example.org;", "Friends: anna@example.org", ":anna@example.org;", '"": anna@example.org;',
        "Friends:;, anna@example.org", "anna@example.org, Friends:;", "Friends: Anna <anna@example.org>;",
        "=?utf-8?q?anna?=@example.org", "ben@elsewhere.org <anna@example.org>", "<anna@example.org> <ben@x.org>",
        "a:b; anna@example.org", "a:b:c; <anna@example.org>", "", "<>", "(anna@example.org)", "anna", "<anna>", "Anna",
        "anna@", "@example.org", "ben@b.org, Anna <anna@example.org>", "ben@b.org; Anna <anna@example.org>",
        "Ben <ben@b.org> Anna <anna@example.org>", '"Ben <ben@b.org> <anna@example.org>', "ben@b.org anna@example.org",
    ],
)  # fmt: skip
def test_a_sender_written_as_a_group_or_not_as_one_address_is_no_proof(written):
    assert sent(f"From: {written}").sender == ""
    assert not sent(f"From: {written}").is_authentic


@pytest.mark.parametrize(
    "written",
    [
        "anna@example.org", "<Anna@Example.ORG>", "Anna <anna@example.org>", "anna@example.org (Anna)",
        '"Friends: all;" <anna@example.org>', "Anna B. <anna@example.org>", "Añña <anna@example.org>",
        "=?utf-8?q?Friends=3A?= <anna@example.org>", "Anna\n <anna@example.org>", "anna@example.org <anna@example.org>",
        "ANNA@example.org <anna@example.org>", "'anna@example.org' <anna@example.org>",
        "Anna [ACME] <anna@example.org>",
        '"anna@example.org" <anna@example.org>', "Anna, ACME <anna@example.org>", "Anna [ACME], Dr. <anna@example.org>",
        "[ACME] <anna@example.org>", "Anna (ACME) <anna@example.org>", "Anna B <anna@example.org> ",
    ],
)  # fmt: skip
def test_one_address_is_a_sender_however_the_name_is_written(written):
    assert sent(f"From: {written}").sender == "anna@example.org"
    assert sent(f"From: {written}").is_authentic


@pytest.mark.parametrize("by", ["ben@example.org", "", "Friends: anna@example.org;", "anna@example.org, ben@b.org"])
def test_a_mail_that_another_sent_for_its_writer_is_not_proved(by):
    assert sent("From: anna@example.org", f"Sender: {by}").sender == "anna@example.org"
    assert not sent("From: anna@example.org", f"Sender: {by}").is_authentic
    assert not sent("From: anna@example.org", "Sender: anna@example.org", f"Sender: {by}").is_authentic


def test_a_sender_field_that_says_the_same_changes_nothing():
    assert sent("From: anna@example.org", "Sender: Anna <ANNA@example.org>").is_authentic


def test_a_mail_is_known_by_its_message_id_and_without_one_by_all_of_it():
    assert heard("Message-ID: <1@a>").key == heard("Message-ID: <1@a>", text="other").key
    assert heard("Message-ID: <1@a>").key != heard("Message-ID: <2@a>").key
    assert heard(text="a").key == heard(text="a").key != heard(text="b").key


def test_a_mail_that_claims_to_come_from_ourselves_is_an_echo():
    mine = b"From: reply+aaaaaaaaaaaaaaaaaaaaaaaaaa@play.example.org\n\n9 crowns"
    assert parse_mail(mine).automatic == "sender"


LARGE = raw.LARGEST_TEXTS
HEAD = b"From: a@example.org\nMessage-ID: <1@b>\n"
HTML = b"Content-Type: text/html\n\n"


def filled(unit, before=b"", after=b""):
    """A mail of nearly the largest size, of one thing again and again."""
    head = HEAD + before
    return head + unit * ((LARGE - len(head) - len(after)) // len(unit)) + after


HOSTILE = {
    "parts": filled(b"--x\n\n", b"Content-Type: multipart/mixed; boundary=x\n\n"),
    "references": filled(b"<a@b> ", b"References: ", b"\n\nhi"),
    "folded references": filled(b"<a@b>\n ", b"References: ", b"\n\nhi"),
    "senders": filled(b"a@example.org, ", b"Sender: ", b"\n\nhi"),
    "comments in the sender": b"From: " + b"((" * 2000 + b"\n\nhi",
    "quotes in the sender": b"From: " + b'"<\\' * 1300 + b"\n\nhi",
    "head without end": b"a: b\n" * (LARGE // 5),
    "encoded subject": HEAD + b"Subject: " + b"=?utf-8?q?a?= " * 280 + b"\n\nhi",
    "parameters": HEAD + b"Content-Type: text/plain; " + b"a*0*=b; " * 480 + b"\n\nhi",
    "comments in the results": HEAD + b"Authentication-Results: mx.play.example.org " + b"(" * 3900 + b"\n\nhi",
    "many results": HEAD + b"Authentication-Results: mx.play.example.org; " + b"a=b c.d=e " * 380 + b"\n\nhi",
    "nested parts": HEAD
    + b"".join(b"Content-Type: multipart/mixed; boundary=x%d\n\n--x%d\n" % (n, n) for n in range(99)),
    "nested mails": filled(b"Content-Type: message/rfc822\n\n"),
    **{
        f"html {unit!r}": filled(unit, HTML)
        for unit in (
            b"<",
            b"<a ",
            b"<!",
            b"<!--",
            b"<![",
            b"</a",
            b"&#1",
            b"<style>",
            b"<script>",
            b"<b>",
            b"<?",
            b"<p>",
        )
    },
    "attributes": filled(b"a='", HTML + b"<a "),
    "introductions": filled(b"a b:\n", b"\n"),
    "rules": filled(b"- - a\n", b"\n"),
    "one line": filled(b"ab ab ab ", b"\n"),
    "heads": filled(b"Abcdefghijk lmnop: ", b"\n"),
    "base64": filled(b"QUFB\n", b"Content-Transfer-Encoding: base64\n\n"),
    "quoted-printable": filled(b"=41=", b"Content-Transfer-Encoding: quoted-printable\n\n"),
    "uuencode": filled(b"M", b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n"),
    **{
        name: filled(b"a-b9.", b"Content-Type: text/plain; charset=%s\n\n" % name.encode())
        for name in ("punycode", "idna", "utf-7", "zlib", "rot13", "unicode-escape", "nonsense", "utf-16", "undefined")
    },
    "flowed": filled(b"a \n", b"Content-Type: text/plain; format=flowed\n\n"),
    "empty lines": filled(b"\n", b"\n"),
    "returns": filled(b"\r", b"\n"),
    "too large": b"a" * (raw.LARGEST + 1),
    "nothing": b"",
    "zeros": b"\0" * LARGE,
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_whatever_is_sent_is_read_or_refused(content):
    """No other error comes of it. What it costs is measured by `python -m tests.notifications.test_reading`."""
    with contextlib.suppress(raw.MailRefused):
        assert len(parse_mail(content, "x").line) <= 200


PHOTO = b"--b\nContent-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n" + (b"QUJD" * 19 + b"\n") * 100_000
BESIDE = b"Content-Type: multipart/mixed; boundary=b\n\n"
WORDS = b"--b\nContent-Type: text/plain\n\n9 crowns\nOn 3/4/26 12:00, Caravanserai wrote:\n> 8 pearls\n"
NAMED = b'--b\nContent-Type: text/plain; name="a.txt"\n\n' + b"8 pearls\n" * 100_000


@pytest.mark.parametrize(
    "parts", [(WORDS, PHOTO), (PHOTO, WORDS), (WORDS, PHOTO, PHOTO), (NAMED, WORDS)],
    ids=["words first", "photo first", "two photos", "a long text first"],
)  # fmt: skip
def test_a_large_mail_is_read_and_what_is_attached_is_never_kept(parts):
    content = HEAD + BESIDE + b"".join(parts) + b"--b--\n"
    assert hear(content).line == "9 crowns"
    assert len(content) > 800_000 and connection()[1].sizes[-1] < 2_000


def test_a_text_of_megabytes_is_read_from_its_beginning():
    assert hear(HEAD + b"\n9 crowns\n\n" + b"> and so on\n" * 100_000).line == "9 crowns"
    html = HEAD + HTML + b"<p>9 crowns</p><img src='data:image/png;base64," + b"QUJD" * 300_000 + b"'>8 pearls"
    assert hear(html).line == "9 crowns"


def test_an_empty_line_above_the_head_ends_nothing():
    assert hear(b"\n\n" + HEAD + b"\n9 crowns").line == "9 crowns"


def test_lines_of_any_length_are_read():
    assert hear(HEAD + HTML + b"<p>9 crowns</p>" + b"<i>x</i> " * 20_000).line == "9 crowns"
    assert hear(HEAD + b"\n." + b"x" * 70_000 + b"\n.\n9 crowns").line.startswith(".xxx")


def test_a_field_that_only_we_would_see_proves_nothing():
    """A line feed alone ends no line for a mail server, which therefore took out no forged field behind it."""
    smtp, recorder = connection()
    smtp.docmd("MAIL", "FROM:<anna@example.org>")
    smtp.rcpt("a@play.example.org")
    forged = f"From: anna@example.org\r\nSubject: x\n{OURS}\r\n\r\n9 crowns\r\n"
    assert smtp.data(forged.encode())[0] == 250
    heard = recorder.mails.pop()
    assert (heard.sender, heard.line, heard.is_authentic) == ("anna@example.org", "9 crowns", False)


def test_a_mail_over_the_limit_is_refused_in_words():
    smtp, recorder = connection()
    heard_before = len(recorder.sizes)
    with pytest.raises(smtplib.SMTPResponseException, match=r"552, .*larger than|message size"):
        smtp.sendmail("anna@example.org", ["a@play.example.org"], HEAD + b"\n" + b"x" * 998 * 1000 * 27)
    smtp.rset()
    smtp.docmd("MAIL", "FROM:<anna@example.org>")
    smtp.rcpt("a@play.example.org")
    code, words = smtp.data(HEAD.replace(b"\n", b"\r\n") + b"\r\n" + (b"x" * 998 + b"\r\n") * 27_000)
    assert (code, words) == (552, b"5.3.4 Not taken: the mail is larger than 25 MB")
    assert len(recorder.sizes) == heard_before and hear(HEAD + b"\n9 crowns").line == "9 crowns"


def measure():
    """Print what each hostile mail costs: seconds of CPU, megabytes."""
    from django.conf import settings

    settings.configure(
        REPLY_ADDRESS="r+{token}@x.org",
        MAIL_AUTHSERV_ID="mx.play.example.org",
        DEFAULT_FROM_EMAIL="c@x.org",
        BOUNCE_ADDRESS="",
    )
    for name, content in HOSTILE.items():
        start = process_time()
        tracemalloc.start()
        test_whatever_is_sent_is_read_or_refused(content)
        _now, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"{name:28} {process_time() - start:7.3f} s {peak / 1e6:6.1f} MB")
    print(f"whole process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    measure()


WORDS_OF_A_LINE = "order 9 crowns if guard at most 8, 5 market if others market at most 1 ask me if round at least 3"


@pytest.mark.parametrize("width", [64, 72, 76, 78])
def test_a_line_that_a_mail_program_has_broken_is_read_whole(width):
    broken = "\n".join(textwrap.wrap(WORDS_OF_A_LINE, width))
    assert quoting.own_line(f"{broken}\n\nThanks\n> 8 gold").text == WORDS_OF_A_LINE
    assert quoting.own_line(f"{broken}\n> 8 gold").text == WORDS_OF_A_LINE


def test_a_short_line_ends_where_it_ends():
    assert quoting.own_line("9 crowns\nThanks, Anna").text == "9 crowns"


def test_what_is_too_long_to_be_read_whole_does_not_look_as_if_it_were():
    line = quoting.own_line("order " + "9 crowns, " * 30).text
    assert len(line) == quoting.LONGEST_LINE and line.endswith(quoting.CUT)
