"""Reduces an email, line by line, to its heads and texts: a stranger chose every byte, and attachments are not read.

Python's parser takes seconds for headers of a megabyte, for ten thousand parts, for addresses by the thousand. So what
goes on to it is bounded, and a mail of 25 MB takes no more memory than a short one.
"""

import io
import re
from email import message_from_bytes
from email.message import Message

LARGEST = 25 * 1024 * 1024  # bytes of a mail
MOST_LINES = 600_000  # of it; Base64 needs 450,000 at 60 characters a line
LARGEST_HEAD = 64 * 1024
MOST_FIELDS = 200
LARGEST_FIELD = 4 * 1024
MOST_PARTS = 100
MOST_DEPTH = 20  # of parts within parts; what lies deeper is not read
LARGEST_TEXT, LARGEST_HTML = 64 * 1024, 192 * 1024  # bytes of a text that are kept: what is read is at its beginning
LARGEST_TEXTS = 256 * 1024  # of all of them together
WORDS = ("text/plain", "text/html")
# Python makes a mail of each paragraph of a report; a mail of nothing but empty lines would take seconds.
REPORT, AS_TEXT = re.compile(rb"(?i)message/(?:global-)?delivery-status"), b"text/x-delivery-status"
REPORTS = ("message/delivery-status", "message/global-delivery-status", AS_TEXT.decode())
FIELD = re.compile(rb"([!-9;-~]{1,80})[ \t]*(:.*)", re.DOTALL)


class MailRefused(ValueError):
    """The mail is not taken; the text says why to whoever sent it."""


class MailTooLarge(MailRefused):
    """The mail has more bytes or lines than are taken."""


def reduced(content: bytes) -> bytes:
    """The mail with its heads and texts alone, reports in it as text. Raises MailRefused for what no person writes."""
    reducer = Reducer()
    for line in io.BytesIO(content):
        reducer.feed(line)
    return reducer.close()


class Reducer:
    """Keeps of a mail what is read; takes it in lines, or in pieces of lines, and remembers no other.

    Arguments:
        is_form: it is a form that a mail provider posts: its fields are kept but for its files, and mails in it are
            reduced as well.
    """

    MAILS = ("email", "body-mime")  # the fields in which providers post a whole mail

    def __init__(self, *, is_form: bool = False) -> None:
        self._is_form = is_form
        self._kept: list[bytes] = []
        self._boundaries: list[bytes] = []
        self._head: list[bytes] | None = []
        self._is_text = False  # whether the lines of this body are kept
        self._is_begun = False  # whether the next piece goes on with a line
        self._mail: Reducer | None = None
        self._most = LARGEST_HTML
        self._size = self._lines = self._parts = self._text = self._texts = self._heads = 0

    def feed(self, piece: bytes) -> None:
        """Take a line, or a piece of one without its end. Raises MailRefused."""
        self._size += len(piece)
        self._lines += 1
        if self._size > LARGEST and not self._is_form:
            raise MailTooLarge(f"the mail is larger than {LARGEST // 2**20} MB")
        if self._lines > MOST_LINES:
            raise MailTooLarge("the mail has too many lines")
        is_begun, self._is_begun = self._is_begun, not piece.endswith(b"\n")
        if self._head is None and not self._is_text and self._mail is None and (is_begun or piece[:2] != b"--"):
            return  # nearly all lines of a large mail
        if self._head is not None and not self._boundaries and b"\n" in piece[:-1]:
            piece = piece[:-1].replace(b"\n", b" ") + piece[-1:]  # our mail server saw one field in it
        if b"\r" in piece:
            piece = piece[:-2] + b"\n" if piece.endswith(b"\r\n") else piece
            # A return alone ends a line for Python's parser, and for no mail server.
            piece = piece.replace(b"\r", b" " if self._head is not None else b"\n")
        if is_begun:
            self._go_on(piece)
        elif not self._is_boundary(piece):
            self._begin(piece)

    def close(self) -> bytes:
        """The reduced mail."""
        if self._head is not None:
            self._end_head()
        self._end_mail()
        return b"".join(self._kept)

    def _begin(self, line: bytes) -> None:
        if self._head is None:
            self._go_on(line)
        elif not line.strip():
            if self._head or self._kept:  # an empty line above the whole head ends nothing
                self._end_head()
        elif line[:1] in b" \t":
            self._count_head(line)
            if self._head and self._head[-1]:
                self._head[-1] += line
        elif field := FIELD.fullmatch(line):
            self._count_head(line)
            self._head.append(field.group(1) + field.group(2))
            if len(self._head) > MOST_FIELDS:
                raise MailRefused("the head of the mail has too many fields")
        elif self._boundaries:  # a part without a head, and without the empty line that says so
            self._end_head()
            self._go_on(line)
        else:  # no field, nor what is folded below it
            self._count_head(line)
            self._head.append(b"")

    def _go_on(self, piece: bytes) -> None:
        if self._head is not None:
            self._count_head(piece)
            if self._head and self._head[-1]:
                self._head[-1] += piece
        elif self._mail:
            self._mail.feed(piece)
        elif self._is_text and self._text < self._most and self._texts < LARGEST_TEXTS:
            self._text += len(piece)
            self._texts += len(piece)
            self._kept.append(piece)

    def _count_head(self, line: bytes) -> None:
        self._heads += len(line)
        if self._heads > LARGEST_HEAD:
            raise MailRefused("the head of the mail is too large")

    def _end_head(self) -> None:
        fields = self._head or []
        head = b"".join(field for field in fields if len(field) <= LARGEST_FIELD)
        if any(len(field) > LARGEST_FIELD and field[:8].lower() == b"content-" for field in fields):
            head = b"Content-Disposition: attachment\n" + head  # no program writes such a head
        if head and not head.endswith(b"\n"):
            head += b"\n"
        part = message_from_bytes(head)
        kind, boundary = part.get_content_type(), _boundary(part)
        self._head, self._text = None, 0
        self._most = LARGEST_HTML if kind == "text/html" or self._is_form else LARGEST_TEXT
        self._is_text = False
        if boundary and len(self._boundaries) < MOST_DEPTH:
            self._boundaries.append(boundary)
        elif self._is_form and str(part.get_param("name", "", "content-disposition")) in self.MAILS:
            self._mail = Reducer()
        elif self._is_form:
            self._is_text = not part.get_filename()
        else:
            self._is_text = kind in REPORTS or (kind in WORDS and not is_file(part))
        self._kept += [REPORT.sub(AS_TEXT, head) if kind in REPORTS else head, b"\n"]

    def _is_boundary(self, line: bytes) -> bool:
        """Whether a line begins or ends a part; an outer one ends all that are within."""
        if line[:2] != b"--" or not self._boundaries:
            return False
        marker = line.rstrip()[2:]
        for depth in reversed(range(len(self._boundaries))):
            boundary = self._boundaries[depth]
            if marker not in (boundary, boundary + b"--"):
                continue
            if self._head is not None:
                self._end_head()
            self._end_mail()
            is_end = marker != boundary
            del self._boundaries[depth + (not is_end) :]
            self._parts += not is_end
            if self._parts > MOST_PARTS:
                raise MailRefused("the mail has too many parts")
            self._is_text, self._head = False, None if is_end else []
            is_on_line = self._kept[-1].endswith(b"\n")
            self._kept.append((b"--" if is_on_line else b"\n--") + marker + b"\n")
            return True
        return False

    def _end_mail(self) -> None:
        if self._mail:
            self._kept.append(self._mail.close())
            self._mail = None


def _boundary(part: Message) -> bytes:
    if part.get_content_maintype() != "multipart":
        return b""
    try:
        return (part.get_boundary() or "").encode(errors="surrogateescape")
    except (LookupError, ValueError):  # in a charset that encodes nothing
        return b""


def is_file(part: Message) -> bool:
    """Whether a part is a file: it has a name, or is not to be shown (RFC 2183), or no program writes such a head."""
    if any(len(part.get_all(name, [])) > 1 for name in ("Content-Disposition", "Content-Type")):
        return True  # programs differ in which of them they believe
    if str(part.get("Content-Disposition", "")).split(";")[0].strip().lower() not in ("", "inline"):
        return True
    try:
        return bool(part.get_filename())
    except (LookupError, ValueError):  # a name in a charset that decodes nothing
        return True
