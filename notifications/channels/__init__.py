"""The channels by name."""

from notifications.channels.base import Channel, ChannelError

CHANNELS: dict[str, Channel] = {}

__all__ = ["CHANNELS", "Channel", "ChannelError"]
