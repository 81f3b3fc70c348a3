"""The channels by name."""

from notifications.channels.base import Answer, Channel, ChannelError, NoMailbox
from notifications.channels.mail import MailChannel
from notifications.channels.webhook import WebhookChannel

CHANNELS: dict[str, Channel] = {"mail": MailChannel(), "webhook": WebhookChannel()}

__all__ = ["CHANNELS", "Answer", "Channel", "ChannelError", "NoMailbox"]
