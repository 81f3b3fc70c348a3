"""The admin site's view of what was told to whom: to look at, not to change; no secrets, no words of mails.

What is confidential now (see `confidential`) is not here, nor are its deliveries and their tries. Lists that leave rows
out have no pages behind their lines.
"""

from datetime import datetime

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from notifications import composers, ledger, privacy
from notifications.admin.base import ALL, Lines, ListedValuesFilter, ListWindow, ReadOnly, lately
from notifications.channels import base
from notifications.channels.base import CHANNELS
from notifications.clock import present
from notifications.models import (
    CHOSEN,
    Attempt,
    ChannelHealth,
    Conversation,
    Delivery,
    Inbound,
    Notice,
    Recipient,
)
from notifications.reasons import in_words


class ChannelFilter(admin.AllValuesFieldListFilter):
    """Offers the channels that there are, without a look at all rows."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they came
        self.lookup_choices = base.channel_kinds()  # type: ignore[assignment]  # any iterable of values


class KindFilter(admin.AllValuesFieldListFilter):
    """Offers the kinds of notices that there are, without a look at all rows."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they came
        self.lookup_choices = composers.kinds()  # type: ignore[assignment]  # any iterable of values


@admin.register(Recipient)
class RecipientAdmin(ReadOnly):
    """The admin pages of recipients."""

    list_display = ("name", "address", "language", "zone", "created_at")
    list_filter = (("language", ListedValuesFilter),)
    search_fields = ("address__exact", "user__name__begins")
    search_help_text = _("An email address, or how an account's name begins")
    ordering = ("-pk",)


@admin.register(ChannelHealth)
class ChannelHealthAdmin(ReadOnly):
    """Whether a channel rests because its other side takes nothing. How much it sends would count what is hidden."""

    list_display = ("channel", "failures", "paused_until")
    fields = list_display


@admin.register(Conversation)
class ConversationAdmin(Lines):
    """The admin pages of preferences for single threads. Read markers stay private."""

    list_display = ("thread", "recipient", "ways", "rhythm", "snoozed_until", "muted")
    list_select_related = ("recipient",)
    search_fields = ("recipient__address__exact",)
    search_help_text = _("An email address")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        """Filters threads with a preference, which have an index of their own."""
        return super().get_queryset(request).filter(CHOSEN)

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows every row."""
        return ALL


@admin.register(Notice)
class NoticeAdmin(Lines):
    """The admin pages of notices."""

    list_display = ("ref", "kind", "recipient", "subject", "thread", "data", "created_at", "not_before")
    list_filter = (("kind", KindFilter), "created_at")
    list_select_related = ("recipient",)
    search_fields = ("ref__exact", "subject__exact", "recipient__address__exact")
    recent_search_fields = ("thread__exact",)
    search_help_text = _("A reference, what it is about, or an email address; a thread among those listed")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        """Notices that others may know of."""
        return privacy.without(super().get_queryset(request))

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows recent notices."""
        return lately(Notice, "created_at")


@admin.register(Delivery)
class DeliveryAdmin(Lines):
    """The admin pages of deliveries."""

    list_display = (
        *("notice", "channel", "destination", "message_id", "state", "tries", "attempt_after", "lease_until"),
        *("accepted_at", "explanation"),
    )
    list_filter = ("state", ("channel", ChannelFilter))
    list_select_related = ("notice", "endpoint")
    search_fields = (
        *("message_id__exact", "notice__ref__exact", "notice__subject__exact"),
        "notice__recipient__address__exact",
    )
    search_help_text = _("A message ID, a notification's reference or what it is about, or an email address")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        """Deliveries of which others may know, each with the end of its channel's rest."""
        rests = ChannelHealth.objects.filter(channel=OuterRef("channel"), paused_until__gt=present.now())
        rows = super().get_queryset(request).annotate(rests_until=Subquery(rests.values("paused_until")))
        return privacy.without_outcomes(rows, "notice__")

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows recent deliveries."""
        return lately(Delivery, "notice__created_at")

    @admin.display(description=_("goes to"))
    def destination(self, delivery: Delivery) -> str:
        """Returns the part of the address that its channel shows."""
        return CHANNELS[delivery.channel].destination_of(delivery)

    @admin.display(description=_("reason"))
    def explanation(self, delivery: Delivery) -> str:
        """Why it was not sent, as its recipient's ledger says it."""
        until: datetime | None = delivery.rests_until  # type: ignore[attr-defined]  # of get_queryset
        return ledger.explanation_of(delivery, {delivery.channel: until} if until else {})


@admin.register(Attempt)
class AttemptAdmin(Lines):
    """Every try, newest first: the place to look when nothing arrives."""

    list_display = ("delivery", "started_at", "ended_at", "outcome", "code", "words")
    list_filter = ("outcome", ("delivery__channel", ChannelFilter))
    list_select_related = ("delivery",)
    search_fields = ("delivery__message_id__exact",)
    search_help_text = _("A message ID")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        """Tries at such deliveries alone."""
        return privacy.without_outcomes(super().get_queryset(request), "delivery__notice__")

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows recent attempts."""
        return lately(Attempt, "started_at")

    @admin.display(description=_("detail"))
    def words(self, attempt: Attempt) -> str:
        """Returns the result in words."""
        return in_words(attempt.detail)


@admin.register(Inbound)
class InboundAdmin(Lines):
    """Answers by mail: what became of them, but not what they say."""

    list_display = (
        *("ref", "recipient", "subject", "state", "is_authentic", "is_confirmed", "tries"),
        *("received_at", "handled_at"),
    )
    list_filter = ("state", "received_at")
    list_select_related = ("recipient",)
    search_fields = ("ref__exact", "recipient__address__exact")
    recent_search_fields = ("subject__exact",)
    search_help_text = _("A reference or an email address; what it is about among those listed")

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows recent answers."""
        return lately(Inbound, "received_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Inbound]:
        """Leaves out confidential answers: who has answered in a running game, and whether he gave orders there."""
        return privacy.without_answers(super().get_queryset(request))
