"""The admin site's view of what was told to whom: to look at, not to change; no secrets, no words of mails.

What is confidential now (see `confidential`) is not here, nor are its deliveries and their tries.
"""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from notifications import confidential
from notifications.models import (
    Attempt,
    Bounce,
    ChannelHealth,
    Conversation,
    Delivery,
    Inbound,
    Notice,
    Recipient,
    StoredMail,
    Suppression,
)
from notifications.readonly import ReadOnly, ReadOnlyInline


class AttemptInline(ReadOnlyInline):
    """The tries of a delivery."""

    model = Attempt
    fields = ("started_at", "ended_at", "outcome", "code", "detail")


class DeliveryInline(ReadOnlyInline):
    """The channels of a notice."""

    model = Delivery
    fields = ("channel", "state", "tries", "attempt_after", "accepted_at", "reason")
    show_change_link = True


@admin.register(Recipient)
class RecipientAdmin(ReadOnly):
    """Whom we tell things."""

    list_display = ("name", "address", "language", "zone", "created_at")
    list_filter = ("language",)
    search_fields = ("=address", "name")


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


@admin.register(ChannelHealth)
class ChannelHealthAdmin(ReadOnly):
    """Whether a channel rests because its other side takes nothing."""

    list_display = ("channel", "failures", "paused_until", "minute", "sent")


@admin.register(Conversation)
class ConversationAdmin(ReadOnly):
    """What people want of single threads. That they looked, and when, is their own affair."""

    list_display = ("thread", "recipient", "ways", "rhythm", "snoozed_until", "muted")
    list_select_related = ("recipient",)
    fields = ("thread", "recipient", "ways", "rhythm", "snoozed_until", "muted")
    search_fields = ("=thread",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        """Those in which somebody has chosen something."""
        return super().get_queryset(request).exclude(ways="", rhythm="", snoozed_until=None, muted=[])


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    """What was to be told, and by which channels."""

    list_display = ("kind", "recipient", "subject", "created_at", "not_before")
    list_filter = ("kind", "created_at")
    list_select_related = ("recipient",)
    search_fields = ("=ref", "=subject", "=thread", "=recipient__address")
    date_hierarchy = "created_at"
    fields = ("ref", "recipient", "kind", "subject", "thread", "data", "created_at", "not_before")
    inlines = (DeliveryInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        """Notices that others may know of."""
        return confidential.without(super().get_queryset(request))


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    """What became of it on one channel, with every try."""

    list_display = ("notice", "channel", "state", "tries", "attempt_after", "accepted_at", "reason")
    list_filter = ("state", "channel")
    list_select_related = ("notice",)
    search_fields = ("=message_id", "=notice__ref", "=notice__subject", "=notice__recipient__address")
    fields = (
        "notice",
        "channel",
        "webhook",
        "message_id",
        "state",
        "tries",
        "attempt_after",
        "lease_until",
        "accepted_at",
        "reason",
    )
    inlines = (AttemptInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        """Deliveries of notices that others may know of."""
        return confidential.without(super().get_queryset(request), "notice__subject")

    @admin.display(description=_("webhook"))
    def webhook(self, delivery: Delivery) -> str:
        """The host it goes to."""
        return delivery.endpoint.host if delivery.endpoint else ""


@admin.register(Attempt)
class AttemptAdmin(ReadOnly):
    """Every try, newest first: the place to look when nothing arrives."""

    list_display = ("delivery", "started_at", "ended_at", "outcome", "code", "detail")
    list_filter = ("outcome", "delivery__channel")
    list_select_related = ("delivery",)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        """Tries at such deliveries alone."""
        return confidential.without(super().get_queryset(request), "delivery__notice__subject")


@admin.register(Inbound)
class InboundAdmin(ReadOnly):
    """Answers by mail: what became of them, but not what they say."""

    list_display = ("recipient", "subject", "state", "is_authentic", "received_at", "handled_at")
    list_filter = ("state", "received_at")
    list_select_related = ("recipient",)
    search_fields = ("=ref", "=subject", "=recipient__address")
    fields = (
        "ref",
        "recipient",
        "subject",
        "state",
        "is_authentic",
        "is_confirmed",
        "tries",
        "received_at",
        "handled_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Inbound]:
        """Those that others may know of: of a sealed question nobody may know who has answered."""
        return confidential.without(super().get_queryset(request))


@admin.register(StoredMail)
class StoredMailAdmin(ReadOnly):
    """Mails of the development mailbox; where people really play, without their words."""

    list_display = ("to", "subject", "sent_at")
    search_fields = ("to",)

    def get_fields(self, request: HttpRequest, obj: StoredMail | None = None) -> Any:
        """The words only where the mailbox is open to everybody anyway."""
        return ("to", "subject", "sent_at", *(("text", "html", "headers") if settings.MAILBOX_ENABLED else ()))
