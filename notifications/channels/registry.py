"""The channels by name."""

from notifications.channels.base import Channel
from notifications.channels.mail.sending import MailChannel
from notifications.channels.webhook.sending import WebhookChannel

CHANNELS: dict[str, Channel] = {"mail": MailChannel(), "webhook": WebhookChannel()}
