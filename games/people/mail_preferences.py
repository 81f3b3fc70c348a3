"""A user's email preferences, for everything and for one table."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.errors import ServiceError, check_rate
from games.people import push_devices, webhooks
from games.people.models import User
from games.play import clocks
from games.play.notify import thread_of
from games.tables.models import Game
from games.tables.seats import Seat
from notifications import conversations, preferences
from notifications.channels.mail.bouncing import bounces
from notifications.composers import Topic
from notifications.models import Notice, Recipient, Ways
from notifications.outbox import Notification, notify

ALL_NEWS = "news"  # in a link, in the place of a topic: all that can be switched off
TEST_EVERY = timedelta(minutes=1)
LONGEST_SNOOZE = timedelta(days=3)


def topics_of(name: str, game: Game | None) -> list[Topic]:
    """The topics a link is about that can be switched off, of one game or of all; none if it is needed, or unknown."""
    return [topic for topic in preferences.optional(by_thread=game is not None) if name in (topic.name, ALL_NEWS)]


def names_of(name: str, game: Game | None) -> list[str]:
    """What they are called."""
    return [topic.name for topic in topics_of(name, game)]


def ways_of(user: User) -> list[Ways]:
    """Returns between which channels a user can choose; none where there is email alone."""
    webhook = [Ways.WEBHOOK] if webhooks.has_own(user) else []
    own = [*webhook, Ways.PUSH] if push_devices.own(user) else webhook
    return [Ways.BOTH, Ways.MAIL, *own] if own else []


def stop(*, user: User, topic: str, game: Game | None) -> None:
    """Switches mails of a topic off, of one game or of all."""
    preferences.mute(user.recipient, names_of(topic, game), thread=thread_of(game) if game else "")


def go_on(*, user: User, topic: str, game: Game | None) -> None:
    """Switches them on again, wherever they were off; what comes once a week only if it alone is meant."""
    found = topics_of(topic, None)
    names = [one.name for one in found if topic != ALL_NEWS or not one.is_weekly]
    preferences.unmute(user.recipient, names)
    if game is not None:
        preferences.unmute(user.recipient, names_of(topic, game), thread=thread_of(game))


def saw(*, user: User, game: Game, now: datetime) -> None:
    """A player looks at the table: what he sees there need not come by mail at the same moment."""
    conversations.record_view(user.recipient, thread_of(game), now)


def snooze(*, user: User, until: datetime | None, now: datetime, game: Game | None = None) -> None:
    """Holds all mail, or that of one table, until an instant, at most three days on; None ends it.

    Raises ServiceError for an instant that is over.
    """
    if until is not None and until <= now:
        raise ServiceError(_("That time has already passed."))
    thread = thread_of(game) if game else ""
    preferences.snooze(user.recipient, until and min(until, now + LONGEST_SNOOZE), now, thread=thread)


@dataclass(frozen=True)
class TablePreferences:
    """A player's notification preferences for one table.

    Arguments:
        rhythm, ways: a Rhythm and Ways, "" for what he wants in all games.
        muted: topics, beside those that are muted in all games.
        remind_before: minutes before a deadline; None for what he wants in all games, empty for never.
    """

    rhythm: str
    ways: str
    muted: Collection[str]
    remind_before: Sequence[int] | None


@transaction.atomic
def choose_for_table(*, seat: Seat, chosen: TablePreferences, now: datetime) -> None:
    """Stores them, for waiting deliveries as well. Raises ServiceError for reminders that make no sense."""
    assert seat.user is not None
    clocks.change_reminders(seat=seat, remind_before=chosen.remind_before, now=now)
    preferences.choose_for(
        seat.user.recipient,
        thread_of(seat.game),
        rhythm=chosen.rhythm,
        muted=chosen.muted,
        ways=chosen.ways,
        now=now,
    )


@transaction.atomic
def send_test(*, user: User, now: datetime) -> Notice:
    """Sends a test mail. Raises TooMany within a minute of the last one."""
    user.one_at_a_time()
    message = _("A test email is on its way. Please wait a minute before sending another.")
    check_rate(user.recipient.notices.filter(kind="mail_test"), most=1, within=TEST_EVERY, now=now, message=message)
    key = f"mail_test:{secrets.token_hex(8)}"
    return notify(
        Notification(recipient=user.recipient, kind="mail_test", subject=f"user:{user.ref}", dedupe_key=key), now
    )


def use_address_again(*, user: User) -> None:
    """Writes to the person's address again, which was given up: he says that it works."""
    bounces.reopen_address(user.recipient.address)


def renew_calendar(*, user: User) -> None:
    """Makes the address of the person's calendar void; there is a new one at once."""
    Recipient.objects.filter(pk=user.recipient_id).update(feed_generation=F("feed_generation") + 1)
