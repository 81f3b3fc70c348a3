"""A mail as the lines that a mail server takes (RFC 5322, RFC 2046).

They are Django's, byte for byte, but written at once where nothing in them is unusual: most of what a mail cost was
to take apart again what had just been put together.
"""

import hashlib
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import Compat32
from email.utils import formatdate
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import RFC5322_EMAIL_LINE_LENGTH_LIMIT as LONGEST
from django.core.mail.message import forbid_multi_line_headers

END = "\r\n"
LINE = 78  # characters that one had better have at most (RFC 5322, 2.1.1)
PEOPLE = {"from", "to", "cc", "reply-to"}


class QuickLines(Compat32):
    """Writes headers as the usual policy does, and those that need no folding without asking how to fold them."""

    def fold_binary(self, name: str, value: str) -> bytes:
        """One header as it leaves."""
        if _fits(name, value):
            return f"{name}: {value}{self.linesep}".encode("ascii")
        return super().fold_binary(name, value)


QUICK_LINES = QuickLines(linesep=END)


def _fits(name: str, value: str) -> bool:
    """Whether a header is a line as it is: neither folded nor encoded."""
    is_short = len(name) + len(value) + 2 <= LINE
    return is_short and value.isascii() and value.isprintable()


class Letter(EmailMultiAlternatives):
    """A mail that is put into lines quickly. It has a Message-ID, a text, and perhaps HTML and pictures."""

    envelope: tuple[str, str] | None = None  # what a mail server is told beside the lines: from whom, and to whom

    def message(self, **kwargs: Any) -> "EmailMessage[Any, Any]":
        """The MIME message."""
        made = super().message(**kwargs)
        made.policy = QUICK_LINES
        for number, part in enumerate(made.walk()):
            if part.is_multipart():
                of_parts = f'{part.get_content_type()}; boundary="{self._boundary(number)}"'
                part.replace_header("Content-Type", of_parts)
        return made

    @cached_property
    def lines(self) -> bytes:
        """All of it, written once. Raises ValueError for a header that would be two."""
        parts = None if self.attachments or not self.body else self._parts()
        if parts is None:
            return self.message().as_bytes(linesep=END)  # type: ignore[call-arg]  # Django adds it
        head, content = parts[0] if len(parts) == 1 else self._joined(parts)
        return head + b"".join(self._fields()) + END.encode() + content

    def _parts(self) -> list[tuple[bytes, bytes]] | None:
        """What is said of each text, and the text; None where one has lines so long that it must be encoded."""
        parts = []
        for text, kind in ((self.body, "text/plain"), *self.alternatives):
            written = str(text).replace(END, "\n").replace("\r", "\n").replace("\n", END).encode()
            if max(map(len, written.split(b"\n"))) > LONGEST:
                return None
            bits = 7 if written.isascii() else 8
            head = f'Content-Type: {kind}; charset="utf-8"{END}MIME-Version: 1.0{END}'
            parts.append((f"{head}Content-Transfer-Encoding: {bits}bit{END}".encode(), written))
        return parts

    def _joined(self, parts: list[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
        name = self._boundary(0)
        head = f'Content-Type: multipart/alternative; boundary="{name}"{END}MIME-Version: 1.0{END}'
        begin, end = f"--{name}{END}".encode(), END.encode()
        body = b"".join(begin + said + end + text + end for said, text in parts)
        return head.encode(), body + f"--{name}--{END}".encode()

    def _boundary(self, number: int) -> str:
        """One drawn by lot is looked for in all the parts. But nobody who writes into a mail knows its Message-ID."""
        name = hashlib.sha256(self.extra_headers["Message-ID"].encode()).hexdigest()[:24]  # then it fits into its line
        return f"=_{number}_{name}"

    def _fields(self) -> Iterator[bytes]:
        for name, value in self._headers():
            if _fits(name, value):
                yield f"{name}: {value}{END}".encode()
            else:
                yield QUICK_LINES.fold_binary(*forbid_multi_line_headers(name, value, settings.DEFAULT_CHARSET))

    def _headers(self) -> Iterator[tuple[str, str]]:
        """As Django has them, in its order."""
        more = self.extra_headers
        yield "Subject", str(self.subject)
        for name, people in (
            ("From", [self.from_email]),
            ("To", self.to),
            ("Cc", self.cc),
            ("Reply-To", self.reply_to),
        ):
            if people or name in more:
                yield name, more[name] if name in more else ", ".join(people)
        if "date" not in map(str.lower, more):
            yield "Date", formatdate(localtime=settings.EMAIL_USE_LOCALTIME)
        yield from ((name, value) for name, value in more.items() if name.lower() not in PEOPLE)
