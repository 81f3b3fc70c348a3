"""The admin site's lists of devices and of push services in trouble.

When a device was last used is not shown: it would tell staff who plays as well who has just been asked in secret.
"""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from notifications.admin.base import Lines, ListedValuesFilter, ReadOnly
from notifications.channels.push.models import PushService, PushSubscription


@admin.register(PushSubscription)
class PushSubscriptionAdmin(Lines):
    """The admin pages of devices that show notifications, without their addresses."""

    list_display = ("recipient", "name", "host", "created_at")
    list_filter = (("host", ListedValuesFilter),)
    list_select_related = ("recipient",)
    search_fields = ("recipient__address__exact", "recipient__user__name__begins")
    search_help_text = _("An email address, or how an account's name begins")


@admin.register(PushService)
class PushServiceAdmin(ReadOnly):
    """Push services that took nothing lately."""

    list_display = ("host", "failed_at", "rests_until")
    fields = ("host", "failed_at", "rests_until")
    ordering = ("host",)
