"""What a recipient wants to be told by mail, and when. A change also counts for what is already waiting."""

from collections.abc import Iterable
from datetime import datetime, time
from typing import Any

from django.db import transaction

from notifications.composers import Topic, topics
from notifications.delivery.policy import recheck_held
from notifications.models import Conversation, Recipient, Rhythm, Ways


@transaction.atomic
def choose(
    recipient: Recipient,
    *,
    rhythm: str,
    daily_at: time,
    quiet_holds_all: bool,
    muted: Iterable[str],
    ways: str,
    now: datetime,
) -> None:
    """Store what holds for every thread.

    Arguments:
        rhythm: a Rhythm.
        daily_at: when the daily mail goes out, by the recipient's wall clock.
        quiet_holds_all: whether quiet hours hold what is needed as well.
        muted: names of topics; those that are needed cannot be switched off and are left out.
        ways: a Ways.
    """
    recipient.rhythm, recipient.daily_at, recipient.quiet_holds_all = Rhythm(rhythm), daily_at, quiet_holds_all
    recipient.muted, recipient.ways = allowed(muted), Ways(ways)
    recipient.save(update_fields=["rhythm", "daily_at", "quiet_holds_all", "muted", "ways"])
    recheck_held(recipient, now)


@transaction.atomic
def choose_for(
    recipient: Recipient, thread: str, *, rhythm: str, muted: Iterable[str], ways: str, now: datetime
) -> None:
    """Store what holds for one thread; `rhythm` "" and `ways` "" are the recipient's usual ones."""
    fields: dict[str, Any] = {
        "rhythm": Rhythm(rhythm) if rhythm else "",
        "muted": allowed(muted, by_thread=True),
        "ways": Ways(ways) if ways else "",
    }
    Conversation.objects.update_or_create(recipient=recipient, thread=thread, defaults=fields)
    recheck_held(recipient, now)


@transaction.atomic
def mute(recipient: Recipient, names: Iterable[str], *, thread: str = "") -> None:
    """Switch topics off, everywhere or in one thread."""
    side = _side(recipient, thread)
    side.muted = allowed([*side.muted, *names], by_thread=bool(thread))
    side.save(update_fields=["muted"])


@transaction.atomic
def unmute(recipient: Recipient, names: Iterable[str], *, thread: str = "") -> None:
    """Switch topics on again, everywhere or in one thread."""
    side = _side(recipient, thread)
    side.muted = [name for name in side.muted if name not in set(names)]
    side.save(update_fields=["muted"])


@transaction.atomic
def snooze(recipient: Recipient, until: datetime | None, now: datetime, *, thread: str = "") -> None:
    """Hold all mail, what is needed as well, everywhere or of one thread, until an instant; None ends it."""
    side = _side(recipient, thread) if thread else recipient
    side.snoozed_until = until
    side.save(update_fields=["snoozed_until"])
    recheck_held(recipient, now)


def optional(*, by_thread: bool = False) -> list[Topic]:
    """The topics that can be switched off, everywhere or in one thread."""
    return [topic for topic in topics() if not topic.is_needed and (topic.is_by_thread or not by_thread)]


def allowed(names: Iterable[str], *, by_thread: bool = False) -> list[str]:
    """Those of the names that can be switched off, everywhere or in one thread, in the topics' order."""
    wanted = set(names)
    return [topic.name for topic in optional(by_thread=by_thread) if topic.name in wanted]


def _side(recipient: Recipient, thread: str) -> Recipient | Conversation:
    if not thread:
        return Recipient.objects.select_for_update().get(pk=recipient.pk)
    return Conversation.objects.get_or_create(recipient=recipient, thread=thread)[0]
