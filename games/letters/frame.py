"""What stands around the words of every email: the context of its layout, and how its reader stops such emails."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation

from games import links
from games.page_urls import page_url
from games.people.models import User
from games.tables.models import Game
from notifications.channels.mail.suppressions import never_write_url
from notifications.composers import topic_of
from notifications.database.compiled_query import compiled
from notifications.models import Notice, Recipient

BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")


@dataclass(frozen=True)
class Exit:
    """The link at the foot of an email to stop such emails.

    Arguments:
        url: where one chooses what is written.
        is_stranger: the reader has no account, and what he stops is everything.
        has_one_click: the mail program itself may offer it without asking back (RFC 8058).
    """

    url: str
    is_stranger: bool
    has_one_click: bool


def frame(subject: str, preview: str) -> dict[str, object]:
    """Returns the template context that the layout of every email uses."""
    return {
        "subject": subject,
        "preview": preview,
        "language": translation.get_language(),
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "settings_url": page_url("settings"),
    }


def exit_of(notice: Notice, game: Game | None) -> Exit:
    """Returns how the reader of a notice stops such emails: a member by topic and game, a stranger all."""
    user = user_of(notice.recipient)
    topic = topic_of(notice.kind) or (topic_of("due") if user else None)  # what answers a move is stopped with moves
    if user is None or topic is None:
        return Exit(never_write_url(notice.recipient.address), is_stranger=True, has_one_click=True)
    url = links.mails_url(user, topic.name, game if topic.is_by_thread else None)
    return Exit(url, is_stranger=False, has_one_click=not topic.is_needed)


def user_of(recipient: Recipient) -> User | None:
    """Returns the user of a recipient, or None."""
    return next(iter(_users(recipient.pk)), None)


@compiled()
def _users(recipient: int) -> QuerySet[User]:
    return User.objects.filter(recipient_id=recipient)


@contextmanager
def reading(recipient: Recipient, language: str) -> Iterator[None]:
    """Activates the reader's language and time zone; UTC for a zone that this machine does not know."""
    with translation.override(language), timezone.override(recipient.zone_info):
        yield


def render(template: str, context: Mapping[str, object]) -> str:
    """Renders one part of a letter, without consecutive blank lines."""
    return BLANK_LINES.sub("\n\n", render_to_string(template, dict(context))).strip() + "\n"
