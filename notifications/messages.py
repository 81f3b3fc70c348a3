"""Messages in each form: an email, a webhook's payload, the few words of a push notification."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from django.conf import settings


class Form(StrEnum):
    """The form of a message. A channel carries one form, and a kind of notice has words for one or both."""

    LETTER = "letter"  # for its recipient alone: a MailMessage
    ANNOUNCEMENT = "announcement"  # public facts, which anybody may read: a WebhookMessage


ALL_FORMS = tuple(Form)


@dataclass(frozen=True)
class Picture:
    """A picture that travels inside a mail; its HTML shows it with `src="cid:..."` of this `cid`.

    Arguments:
        subtype: of its media type: "png" or "gif".
    """

    content: bytes = field(repr=False)
    subtype: str = "png"

    def in_page(self) -> str:
        """Returns the same as an address for pages that show mails (RFC 2397)."""
        return f"data:image/{self.subtype};base64,{base64.b64encode(self.content).decode()}"

    @property
    def cid(self) -> str:
        """The Content-ID (RFC 2392) without brackets: the same for the same picture, so that a repeat is the same."""
        return f"{hashlib.sha256(self.content).hexdigest()[:24]}@{settings.MAIL_DOMAIN}"


@dataclass(frozen=True)
class MailMessage:
    """The words of a mail. Without `html` it is plain text; `headers` adds to or replaces the usual ones."""

    subject: str
    text: str
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    list_id: str = ""  # what mail readers filter by; the notice's thread if empty
    unsubscribe_url: str = ""  # absolute; a page to choose on
    has_one_click: bool = False  # whether that address also accepts the one-click POST of RFC 8058
    thread: str | None = None  # None: the notice's; "" for a mail of several threads
    headers: Mapping[str, str] = field(default_factory=dict)


UNTIL = "\ue000"  # in the text of a webhook: where a chat shows `until`, each in its own way


@dataclass(frozen=True)
class WebhookMessage:
    """The payload of a webhook: public facts only, since a channel behind it may be read by many."""

    type: str  # dotted, e.g. "decision.opened"
    timestamp: datetime  # aware; when the thing happened, not when it is sent
    data: dict[str, object]
    # The same in words, for a chat:
    title: str = ""
    text: str = ""
    url: str = ""
    until: datetime | None = None  # aware; it stands in the text where UNTIL is
    mentions: tuple[str, ...] = ()  # ids of those in Discord who are asked, and gave theirs for it


@dataclass(frozen=True)
class PushMessage:
    """A few words on a screen that may be locked, for others to see: no secrets.

    Arguments:
        url: what a tap opens.
        until: aware; until when an answer is waited for.
        time_left: a sentence with UNTIL where the device fills in the time that is left when it shows it.
        asks: what waits for an answer, by the reference under which `games.web` lists it; the device takes the message
            away once it does not.
        waiting: what the icon's badge counts, as far as this message knows; None for as it is.
    """

    title: str
    text: str
    url: str
    until: datetime | None = None
    time_left: str = ""
    asks: str = ""
    waiting: int | None = None


Message: TypeAlias = MailMessage | WebhookMessage | PushMessage
