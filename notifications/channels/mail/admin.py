"""The admin site's pages about addresses that are closed to us, and mails that came back.

The development mailbox is not here: its emails say what players hide, and hold the links by which they act.
"""

from django.contrib import admin

from notifications.admin.readonly import ReadOnly
from notifications.models import Bounce, Suppression


@admin.register(Suppression)
class SuppressionAdmin(ReadOnly):
    """Who wants no mail, without saying who."""

    list_display = ("__str__", "reason", "created_at")
    list_filter = ("created_at",)


@admin.register(Bounce)
class BounceAdmin(ReadOnly):
    """What came back, without saying from whom."""

    list_display = ("__str__", "kind", "detail", "is_final", "created_at")
    list_filter = ("kind", "created_at")
