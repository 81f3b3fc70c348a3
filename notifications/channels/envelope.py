"""What a mail server is told of one mail (RFC 5321): from whom it is, to whom it goes, and its lines.

As `smtplib` tells it, which takes both addresses apart by the grammar of RFC 5322 first and looks at each character for
the beginning of a line: five times as much as all else that it does.
"""

import re
import smtplib
from email.utils import parseaddr
from functools import lru_cache

from django.core.mail.message import sanitize_address

ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
PLAIN = re.compile(rf"{ATOM}(\.{ATOM})*@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
TAKEN, PASSED_ON, GO_ON = 250, 251, 354  # 4.2.3
END = b"\r\n"


def bare(address: str) -> str:
    """An address as an envelope has it: in ASCII and without a name. Raises ValueError for what is none."""
    return address if PLAIN.fullmatch(address) else _taken_apart(address)


@lru_cache(maxsize=8)
def _taken_apart(address: str) -> str:
    """Of nearly all only our own, which has a name, must be."""
    return parseaddr(sanitize_address(address, "utf-8"))[1]


def converse(server: smtplib.SMTP, sender: str, to: str, content: bytes) -> None:
    """Hands one mail over (3.3). Raises what `sendmail` raises; then the connection must not be used again.

    Arguments:
        sender: bare, as the other one; "" for a mail that must not be answered.
        content: lines that end with CRLF, of which the first is a header.
    """
    server.ehlo_or_helo_if_needed()
    size = f" size={len(content)}" if server.has_extn("size") else ""
    code, said = server.docmd("mail", f"FROM:<{sender}>{size}")
    if code != TAKEN:
        raise smtplib.SMTPSenderRefused(code, said, sender)
    code, said = server.docmd("rcpt", f"TO:<{to}>")
    if code not in (TAKEN, PASSED_ON):
        raise smtplib.SMTPRecipientsRefused({to: (code, said)})
    code, said = server.docmd("data")
    if code != GO_ON:
        raise smtplib.SMTPDataError(code, said)
    server.send(_dotted(content))
    code, said = server.getreply()
    if code != TAKEN:
        raise smtplib.SMTPDataError(code, said)


def _dotted(content: bytes) -> bytes:
    """With its end, which is a dot on a line of its own: in front of any other there is a second one (4.5.2)."""
    end = b"." + END if content.endswith(END) else END + b"." + END
    return content.replace(END + b".", END + b"..") + end
