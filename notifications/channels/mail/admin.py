"""The admin site's pages about addresses that are closed to us, and mails that came back.

The development mailbox is not here: its emails say what players hide, and hold the links by which they act.
"""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from notifications.admin.base import ReadOnly
from notifications.models import Bounce, Suppression
from notifications.reasons import in_words


@admin.register(Suppression)
class SuppressionAdmin(ReadOnly):
    """The admin pages of suppressed addresses, which show no address."""

    list_display = ("__str__", "why", "created_at")
    list_filter = ("created_at",)

    @admin.display(description=_("reason"))
    def why(self, row: Suppression) -> str:
        """Why nothing is sent there, in words."""
        return in_words(row.reason)


@admin.register(Bounce)
class BounceAdmin(ReadOnly):
    """The admin pages of bounces, which show no address."""

    list_display = ("__str__", "kind", "words", "is_final", "created_at")
    list_filter = ("kind", "created_at")

    @admin.display(description=_("detail"))
    def words(self, row: Bounce) -> str:
        """Why it came back, in words, with the status that was reported."""
        reason, space, status = row.detail.partition(" (")
        return in_words(reason) + space + status
