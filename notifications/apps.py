"""The application: telling people."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    """Notices, deliveries and channels. Knows nothing of what it tells people about."""

    name = "notifications"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        """Load the channels, and listen to what mail providers take in for us."""
        from notifications.channels import base
        from notifications.inbound import provider

        base.load_channels()
        provider.connect()
