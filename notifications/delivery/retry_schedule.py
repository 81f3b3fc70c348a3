"""When a failed delivery is tried again."""

from datetime import timedelta

from notifications.channels.registry import CHANNELS

JITTER = 0.2  # at most this share is added, so that what failed together does not come back together
LONGEST_RETRY_AFTER = timedelta(hours=24)  # nobody may put us off for longer
POISON_TRIES = 5  # errors of our own are not cured by days of waiting


def tries_allowed(channel: str) -> int:
    """How often a delivery is tried on a channel before it is given up."""
    return len(CHANNELS[channel].retry_delays) + 1


def delay_after(channel: str, tries: int, *, draw: float, retry_after: timedelta | None = None) -> timedelta | None:
    """Return how long to wait after try number `tries` (from 1), or None when there is no further one.

    `draw` is a random number from 0 up to 1. `retry_after` is what the other side asked for: never tried sooner.
    """
    if tries >= tries_allowed(channel):
        return None
    delay = CHANNELS[channel].retry_delays[tries - 1] * (1 + JITTER * draw)
    return max(delay, min(retry_after or timedelta(0), LONGEST_RETRY_AFTER))
