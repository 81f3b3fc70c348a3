"""The registry of composers: who puts a kind of notice into words. The product registers its own at start-up."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings

from notifications.models import Channel, Notice


@dataclass(frozen=True)
class Picture:
    """A PNG that travels inside a mail; its HTML shows it with `src="cid:..."` of this `cid`."""

    png: bytes = field(repr=False)

    @property
    def cid(self) -> str:
        """The Content-ID (RFC 2392) without brackets: the same for the same picture, so that a repeat is the same."""
        return f"{hashlib.sha256(self.png).hexdigest()[:24]}@{settings.MAIL_DOMAIN}"


@dataclass(frozen=True)
class MailMessage:
    """The words of a mail. Without `html` it is plain text; `headers` adds to or replaces the usual ones."""

    subject: str
    text: str
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    list_id: str = ""  # what mail readers filter by; the notice's thread if empty
    unsubscribe_url: str = ""  # absolute; accepts the one-click POST of RFC 8058
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WebhookMessage:
    """The payload of a webhook: public facts only, since a channel behind it may be read by many."""

    type: str  # dotted, e.g. "decision.opened"
    timestamp: datetime  # aware; when the thing happened, not when it is sent
    data: dict[str, Any]


class Composer(Protocol):
    """Puts one kind of notice into words, at the moment it is sent."""

    is_security: bool
    """Sent even to those who asked never to be written to again: sign-in codes and the like."""

    def is_current(self, notice: Notice) -> str:
        """Return the reason why this notice is stale, or "" if it should still be sent."""

    def compose(self, notice: Notice, language: str, channel: str) -> MailMessage | WebhookMessage | None:
        """Return the message for a channel ("mail" or "webhook"), or None if there is none for it."""


class UnknownKind(LookupError):
    """No composer is registered for the kind: a newer version of the service wrote the notice."""


_composers: dict[str, Composer] = {}
_channels: dict[str, frozenset[str]] = {}


def register(kind: str, composer: Composer, *, channels: tuple[str, ...] = tuple(Channel.values)) -> None:
    """Enter the composer of a kind, and the channels it has words for; a second registration replaces the first."""
    _composers[kind] = composer
    _channels[kind] = frozenset(channels)


def composer_for(kind: str) -> Composer:
    """Return the composer of a kind. Raises UnknownKind."""
    try:
        return _composers[kind]
    except KeyError:
        raise UnknownKind(kind) from None


def supports(kind: str, channel: str) -> bool:
    """Whether notices of a kind go out on a channel. An unknown kind goes by mail alone."""
    return channel in _channels.get(kind, frozenset({Channel.MAIL}))
