"""What every mail of ours must be, as it goes over the line."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage

LONGEST_LINE, LONGEST_ENCODED_LINE = 998, 76  # bytes (RFC 5322, 2.1.1; RFC 2047, 2)
EVERY = ("Date", "From", "To", "Subject", "Message-ID", "MIME-Version")
BEFORE_CHARSET = 1024 - len('<meta charset="utf-8">')  # bytes (HTML, 4.2.5.4)


def read_strictly(content: bytes, subject: str) -> EmailMessage:
    """The mail, of which nothing is missing, twice, broken or cut, and that says what it was to say."""
    lines = content.split(b"\r\n")
    assert not any(b"\n" in line or len(line) > LONGEST_LINE for line in lines)
    head = lines[: lines.index(b"")]
    assert [line for line in head if not line.strip() or re.fullmatch(rb"[!-9;-~]+:\s*", line)] == []
    assert [line for line in head if b"=?" in line and len(line) > LONGEST_ENCODED_LINE] == []
    mail = message_from_bytes(content, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    assert [part.defects for part in mail.walk() if part.defects] == []
    assert [name for name in mail if mail[name].defects or len(mail.get_all(name, [])) > 1] == []
    assert [name for name in EVERY if not mail[name]] == []
    assert " ".join(mail["Subject"].split()) == " ".join(subject.split())
    html = mail.get_body(("html",))
    if html is not None:
        page = html.get_content()
        assert 0 <= page.encode().find(b'<meta charset="utf-8">') <= BEFORE_CHARSET
        assert {*re.findall(r'src="cid:([^"]+)"', page)} == {
            part["Content-ID"][1:-1] for part in mail.walk() if part["Content-ID"]
        }
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert len(ids) == len({*ids})
    return mail
