"""The one letter of our own: to the owner of a webhook that was switched off, by mail."""

from datetime import datetime

from django.utils.translation import gettext as _

from notifications.composers import MailMessage, register
from notifications.models import Channel, Endpoint, Notice
from notifications.telling import tell

KIND = "webhook_off"


class SwitchedOff:
    """Says which webhook was switched off and why, as long as it is off."""

    is_security = False

    def is_current(self, notice: Notice) -> str:
        """Stale once the webhook is on again, or gone."""
        is_off = Endpoint.objects.filter(recipient=notice.recipient, is_enabled=False).exists()
        return "" if is_off else "the webhook is on again, or gone"

    def compose(self, notice: Notice, language: str, channel: str) -> MailMessage:
        """Only the host of its address stands in the mail: the rest is a secret."""
        endpoint = Endpoint.objects.get(recipient=notice.recipient)
        text = _(
            "We have stopped sending to your webhook at %(host)s: %(reason)s.\n\n"
            "Mail goes on as before. To use the webhook again, save its address once more in your settings."
        )
        words = {"host": endpoint.host, "reason": _(endpoint.disabled_reason)}
        return MailMessage(_("Your webhook was switched off"), text % words)


def tell_owner(endpoint: Endpoint, *, dedupe_key: str, now: datetime) -> None:
    """Owe the owner of an endpoint that was just switched off a letter about it."""
    subject = f"endpoint:{endpoint.pk}"
    tell(recipient=endpoint.recipient, kind=KIND, subject=subject, dedupe_key=dedupe_key, now=now)


def register_composer() -> None:
    """Enter the composer, at start-up."""
    register(KIND, SwitchedOff(), channels=(Channel.MAIL,))
