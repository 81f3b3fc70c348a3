"""The notifications about what hosts do."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.lobby.models import HostOffer
from games.play.notify import thread_of
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.outbox import Notification, notify, notify_all

CORRECTED_WITHIN = timedelta(minutes=5)  # a change of a table that is followed by another is not told


def settings_changed(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """The host has changed the table's settings before its game: do you agree?

    It waits a little: who changes something often looks at it and changes it once more.
    """
    data: dict[str, object] = {"version": game.settings_version}
    _tell_players("settings_changed", game, seats, str(game.settings_version), data, now, now + CORRECTED_WITHIN)


def host_offered(offer: HostOffer, now: datetime) -> None:
    """The host asks you to take over his role; once a day at a table, however often he offers it."""
    notify(
        Notification(
            recipient=offer.user.recipient,
            kind="host_offered",
            subject=f"host_offer:{offer.ref}",
            dedupe_key=f"host_offered:{offer.game.ref}:{offer.user_id}:{now:%Y-%m-%d}",
            thread=thread_of(offer.game),
            folded_by="thread",
        ),
        now,
    )


def host_changed(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """The table has another host."""
    people = [seat for seat in seats if not seat.is_bot]
    _tell_players("host_changed", game, people, f"{game.host_id}:{now.isoformat()}", {"host": game.host_id}, now)


def _tell_players(
    kind: str,
    game: Game,
    seats: Iterable[Seat],
    occasion: str,
    data: dict[str, object],
    now: datetime,
    not_before: datetime | None = None,
) -> None:
    """Tells all who sit there, by person: before the game seats move up when somebody leaves."""
    notifications = [
        Notification(
            recipient=seat.user.recipient,
            kind=kind,
            subject=f"player:{game.ref}:{seat.user.ref}",
            dedupe_key=f"{kind}:{game.ref}:{occasion}:{seat.user_id}",
            thread=thread_of(game),
            data=data,
            not_before=not_before,
            folded_by="thread",
        )
        for seat in seats
        if seat.user is not None
    ]
    notify_all(notifications, now)
