"""The notifications about what hosts do."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.models import Game, HostOffer, Seat
from games.play.notify import thread_of
from notifications.outbox import Notification, notify, notify_all

CORRECTED_WITHIN = timedelta(minutes=5)  # a change of a table that is followed by another is not told


def settings_changed(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """The host has changed the table's settings before its game: do you agree?

    It waits a little: who changes something often looks at it and changes it once more.
    """
    notifications = [
        Notification(
            recipient=seat.user.recipient,
            kind="settings_changed",
            subject=f"player:{game.ref}:{seat.user.ref}",
            dedupe_key=f"settings_changed:{game.ref}:{game.settings_version}:{seat.user_id}",
            thread=thread_of(game),
            data={"version": game.settings_version},
            not_before=now + CORRECTED_WITHIN,
        )
        for seat in seats
        if seat.user is not None
    ]
    notify_all(notifications, now)


def host_offered(offer: HostOffer, now: datetime) -> None:
    """The host asks you to take over his role; once a day at a table, however often he offers it."""
    notify(
        Notification(
            recipient=offer.user.recipient,
            kind="host_offered",
            subject=f"host_offer:{offer.ref}",
            dedupe_key=f"host_offered:{offer.game.ref}:{offer.user_id}:{now:%Y-%m-%d}",
            thread=thread_of(offer.game),
        ),
        now,
    )


def host_changed(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """The table has another host."""
    notifications = [
        Notification(
            recipient=seat.user.recipient,
            kind="host_changed",
            subject=f"player:{game.ref}:{seat.user.ref}",
            dedupe_key=f"host_changed:{game.ref}:{game.host_id}:{now.isoformat()}:{seat.user_id}",
            thread=thread_of(game),
            data={"host": game.host_id},
        )
        for seat in seats
        if seat.user is not None and not seat.is_bot
    ]
    notify_all(notifications, now)
