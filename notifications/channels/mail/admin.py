"""The admin site's pages about addresses that are closed to us, mails that came back and the development mailbox."""

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from notifications.admin.readonly import ReadOnly
from notifications.models import Bounce, StoredMail, Suppression


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


@admin.register(StoredMail)
class StoredMailAdmin(ReadOnly):
    """Mails of the development mailbox. Where people really play it is closed, and so is this list."""

    list_display = ("to", "subject", "sent_at")
    fields = ("to", "subject", "sent_at", "text", "html", "headers")
    search_fields = ("to",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[StoredMail]:
        """Everybody may read them there, or nobody anywhere."""
        rows = super().get_queryset(request)
        return rows if settings.MAILBOX_ENABLED else rows.none()
