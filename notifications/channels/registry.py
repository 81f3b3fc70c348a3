"""The channels, by the kind that `Delivery.channel` holds. The application loads them when it starts."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from notifications import channels
from notifications.channels.base import Channel

CHANNELS: dict[str, Channel] = {}


def load() -> None:
    """Enter the channel of each folder beside this module, the `CHANNEL` of its module `channel`, and start it."""
    for folder in _folders():
        channel: Channel = import_module(f"{folder}.channel").CHANNEL
        CHANNELS[channel.kind] = channel
        channel.start()


def load_modules(name: str) -> list[ModuleType]:
    """Import the module of this name of each channel that has one, and return them."""
    modules = (f"{folder}.{name}" for folder in _folders())
    return [import_module(module) for module in modules if find_spec(module)]


def _folders() -> Iterator[str]:
    """The packages in which the channels are, sorted by name."""
    return (f"{channels.__name__}.{one.name}" for one in pkgutil.iter_modules(channels.__path__) if one.ispkg)


def kinds() -> list[str]:
    """Return the kinds of all channels."""
    return list(CHANNELS)


def serial_kinds() -> tuple[str, ...]:
    """Return the kinds of the channels on which each target gets one delivery after the other."""
    return tuple(kind for kind, channel in CHANNELS.items() if channel.is_serial)


def kinds_batched_by_recipient() -> tuple[str, ...]:
    """Return the kinds of the channels on which what waits for one person goes out in one message."""
    return tuple(kind for kind, channel in CHANNELS.items() if channel.is_batched_by_recipient)
