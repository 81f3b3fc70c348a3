"""A mail as its reader sees it: text, HTML, and the links in both."""

import re
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property

from bs4 import BeautifulSoup
from bs4.filter import SoupStrainer

LINK = re.compile(r"https?://[^\s<>\"'()]+")
ACT, BACK, INVITATION = "act", "back", "invitation"
DOOR = re.compile(rf"/({ACT}|{BACK}|{INVITATION})/([^/?#]+)/")  # the doors a link may lead to, and what it is about
HASH_LINE = re.compile(r"^\s*([0-9a-f]{64})\s*$", re.MULTILINE)
CODE_LINE = re.compile(r"^\s*([A-Z0-9][A-Z0-9-]{3,11})\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Link:
    """A link that opens a door of the service: which one, what it is about, and the address without its query."""

    door: str
    about: str
    url: str


@dataclass(frozen=True)
class ReceivedEmail:
    """One mail that arrived for one person."""

    recipient: str
    message: EmailMessage = field(repr=False)

    @classmethod
    def read(cls, recipient: str, content: bytes) -> "ReceivedEmail":
        """The email in these bytes (RFC 5322). Malformed emails are read as far as possible."""
        return cls(recipient.lower(), message_from_bytes(content, policy=policy.default))

    @cached_property
    def message_id(self) -> str:
        """The Message-ID, with its angle brackets."""
        return str(self.message.get("Message-ID", "")).strip()

    @cached_property
    def subject(self) -> str:
        """The subject line, decoded."""
        return str(self.message.get("Subject", "")).strip()

    @cached_property
    def text(self) -> str:
        """The plain text."""
        return self._part("plain")

    @cached_property
    def html(self) -> str:
        """The HTML source."""
        return self._part("html")

    @cached_property
    def doors(self) -> list[Link]:
        """The links of the text that open a door, each once, in reading order."""
        return _doors(LINK.findall(self.text))

    @cached_property
    def html_doors(self) -> list[Link]:
        """The links of the HTML part that open a door."""
        anchors = BeautifulSoup(self.html, "html.parser", parse_only=SoupStrainer("a")).select("a[href]")
        return _doors([str(anchor["href"]) for anchor in anchors])

    @cached_property
    def hashes(self) -> set[str]:
        """What looks like a SHA-256 or a seed and stands on a line of its own."""
        return set(HASH_LINE.findall(self.text))

    @cached_property
    def code(self) -> str:
        """The sign-in code that stands on a line of its own, or ""."""
        found = CODE_LINE.search(self.text)
        return found.group(1) if found else ""

    def links_to(self, door: str) -> list[Link]:
        """The text's links to one door."""
        return [link for link in self.doors if link.door == door]

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return str(part.get_content()) if part is not None else ""


def _doors(urls: list[str]) -> list[Link]:
    found = {}
    for url in urls:
        plain = url.split("?", 1)[0].split("#", 1)[0].rstrip(".,;")
        match = DOOR.search(plain)
        if match:
            found[plain] = Link(match.group(1), match.group(2), plain)
    return list(found.values())
