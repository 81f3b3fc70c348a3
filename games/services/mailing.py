"""What people choose about the mail they get."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.errors import TooMany
from games.models import Game, User
from games.services.telling import thread_of
from notifications import bounces, holding, wishes
from notifications.composers import topics
from notifications.models import Notice, Recipient
from notifications.outbox import tell

ALL_NEWS = "news"  # in a link, in the place of a topic: all that can be switched off
TEST_EVERY = timedelta(minutes=1)
LONGEST_SNOOZE = timedelta(days=3)


def names_of(topic: str) -> list[str]:
    """The topics a link is about that can be switched off; none for one that is needed, or unknown."""
    return [found.name for found in topics() if topic in (found.name, ALL_NEWS) and not found.is_needed]


def stop(*, user: User, topic: str, game: Game | None) -> None:
    """Switches mails of a topic off, of one game or of all."""
    wishes.mute(user.recipient, names_of(topic), thread=thread_of(game) if game else "")


def go_on(*, user: User, topic: str, game: Game | None) -> None:
    """Switches them on again, wherever they were off."""
    wishes.unmute(user.recipient, names_of(topic))
    if game is not None:
        wishes.unmute(user.recipient, names_of(topic), thread=thread_of(game))


def saw(*, user: User, game: Game, now: datetime) -> None:
    """A player looks at the table: what he sees there need not come by mail at the same moment."""
    holding.saw(user.recipient, thread_of(game), now)


def snooze(*, user: User, until: datetime | None, now: datetime) -> None:
    """Holds all mail until an instant, at most three days on; None ends it."""
    wishes.snooze(user.recipient, until and min(until, now + LONGEST_SNOOZE), now)


@transaction.atomic
def send_test(*, user: User, now: datetime) -> Notice:
    """Sends a test mail. Raises TooMany within a minute of the last one."""
    if user.recipient.notices.filter(kind="mail_test", created_at__gt=now - TEST_EVERY).exists():
        raise TooMany(_("A test mail is on its way. Please wait a minute before you send another one."))
    key = f"mail_test:{secrets.token_hex(8)}"
    return tell(recipient=user.recipient, kind="mail_test", subject=f"user:{user.ref}", dedupe_key=key, now=now)


def use_address_again(*, user: User) -> None:
    """Writes to the person's address again, which was given up: he says that it works."""
    bounces.works_again(user.recipient.address)


def renew_calendar(*, user: User) -> None:
    """Makes the address of the person's calendar void; there is a new one at once."""
    Recipient.objects.filter(pk=user.recipient_id).update(feed_generation=F("feed_generation") + 1)
