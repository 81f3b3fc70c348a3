"""The channels, by the kind that `Delivery.channel` holds. The application loads them when it starts."""

from importlib import import_module

from notifications.channels.base import Channel

FOLDERS = ("mail", "webhook")  # in the order in which people see them
CHANNELS: dict[str, Channel] = {}


def load() -> None:
    """Enter the channel of each folder: the `CHANNEL` of its module `channel`."""
    for folder in FOLDERS:
        channel: Channel = import_module(f"notifications.channels.{folder}.channel").CHANNEL
        CHANNELS[channel.kind] = channel


def kinds() -> list[str]:
    """Return the kinds of all channels."""
    return list(CHANNELS)


def serial_kinds() -> tuple[str, ...]:
    """Return the kinds of the channels on which each target gets one delivery after the other."""
    return tuple(kind for kind, channel in CHANNELS.items() if channel.is_serial)


def kinds_batched_by_recipient() -> tuple[str, ...]:
    """Return the kinds of the channels on which what waits for one person goes out in one message."""
    return tuple(kind for kind, channel in CHANNELS.items() if channel.is_batched_by_recipient)


def choices() -> list[tuple[str, str]]:
    """Return the kinds with their labels, as a model's field takes them."""
    return [(kind, str(channel.label)) for kind, channel in CHANNELS.items()]
