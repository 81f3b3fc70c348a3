"""When a failed delivery is tried again: tables, and nothing else. Pure."""

from datetime import timedelta

WEBHOOK = (
    # The table of Standard Webhooks 1.0.0: ten tries over 75 h 35 m.
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
MAIL = (
    # Quick at first, since a mail server that greylists wants to be asked again; two days in all, as mail servers do.
    timedelta(seconds=15),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=3),
    timedelta(hours=6),
    timedelta(hours=12),
    timedelta(hours=24),
)
TABLES = {"mail": MAIL, "webhook": WEBHOOK}
JITTER = 0.2  # at most this share is added, so that what failed together does not come back together
LONGEST_RETRY_AFTER = timedelta(hours=24)  # nobody may put us off for longer
POISON_TRIES = 5  # errors of our own are not cured by days of waiting


def tries_allowed(channel: str) -> int:
    """How often a delivery is tried on a channel before it is given up."""
    return len(TABLES[channel]) + 1


def delay_after(channel: str, tries: int, *, draw: float, retry_after: timedelta | None = None) -> timedelta | None:
    """Return how long to wait after try number `tries` (from 1), or None when there is no further one.

    `draw` is a random number from 0 up to 1. `retry_after` is what the other side asked for: never tried sooner.
    """
    if tries >= tries_allowed(channel):
        return None
    delay = TABLES[channel][tries - 1] * (1 + JITTER * draw)
    return max(delay, min(retry_after or timedelta(0), LONGEST_RETRY_AFTER))
