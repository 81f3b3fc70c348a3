"""The admin site's view of what was told to whom: to look at, not to change; no secrets, no words of mails.

What is confidential now (see `confidential`) is not here, nor are its deliveries and their tries. Lists that leave rows
out have no pages behind their lines.
"""

from datetime import datetime

from django.conf import settings
from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from notifications import composers, ledger, privacy
from notifications.admin.base import ALL, Lines, ListedValuesFilter, ListWindow, ReadOnly, lately, moment, titled
from notifications.channels import base
from notifications.channels.base import CHANNELS
from notifications.clock import present
from notifications.models import (
    CHOSEN,
    Attempt,
    ChannelHealth,
    ChatMessage,
    Conversation,
    Delivery,
    FoldedNotices,
    Inbound,
    MailboxPosition,
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


def _language(code: str) -> object:
    return dict(settings.LANGUAGES).get(code, code)


def _channel(name: str) -> object:
    return CHANNELS[name].label


BY_CHANNEL = titled(_("channel"), ChannelFilter, _channel)


@admin.register(Recipient)
class RecipientAdmin(ReadOnly):
    """The admin pages of recipients."""

    list_display = ("name", "address", "spoken", "zone", "created_at")
    list_filter = (("language", titled(_("language"), ListedValuesFilter, _language)),)
    search_fields = ("address__exact", "user__name__begins")
    search_help_text = _("An email address, or how an account's name begins")
    ordering = ("-pk",)

    @admin.display(description=_("language"))
    def spoken(self, recipient: Recipient) -> object:
        """Returns what the language is called."""
        return _language(recipient.language)


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

    list_display = ("kind_name", "recipient", "created_at", "subject", "thread", "ref")
    list_filter = (("kind", titled(_("what"), KindFilter, composers.name_of)), "created_at")
    list_select_related = ("recipient",)
    search_fields = ("ref__exact", "subject__exact", "recipient__address__exact")
    recent_search_fields = ("thread__exact",)
    search_help_text = _("A reference, what it is about, or an email address; a thread among those listed")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        """Notices that others may know of."""
        return privacy.without(super().get_queryset(request), request.user)

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows recent notices."""
        return lately(Notice, "created_at")

    @admin.display(description=_("what"))
    def kind_name(self, notice: Notice) -> str:
        """Returns what its kind is called."""
        return composers.name_of(notice.kind)


@admin.register(Delivery)
class DeliveryAdmin(Lines):
    """The admin pages of deliveries: what was to be told to whom, what became of it, and why."""

    heading = _("Messages")
    list_display = ("what", "recipient", "way", "fate", "explanation", "at", "attempts")
    list_filter = ("state", ("channel", BY_CHANNEL))
    list_select_related = ("notice__recipient", "endpoint")
    search_fields = (
        *("message_id__exact", "notice__ref__exact", "notice__subject__exact"),
        "notice__recipient__address__exact",
    )
    search_help_text = _("A message ID, a notification's reference or what it is about, or an email address")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        """Deliveries of which others may know, each with the end of its channel's rest."""
        rests = ChannelHealth.objects.filter(channel=OuterRef("channel"), paused_until__gt=present.now())
        rows = super().get_queryset(request).annotate(rests_until=Subquery(rests.values("paused_until")))
        return privacy.without_outcomes(rows, request.user, "notice__")

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows recent deliveries."""
        return lately(Delivery, "notice__created_at")

    @admin.display(description=_("what"))
    def what(self, delivery: Delivery) -> str:
        """Returns what its kind is called."""
        return composers.name_of(delivery.notice.kind)

    @admin.display(description=_("to"))
    def recipient(self, delivery: Delivery) -> str:
        """Returns who was to be told."""
        return delivery.notice.recipient.name

    @admin.display(description=_("by"))
    def way(self, delivery: Delivery) -> str:
        """Returns the channel, and the part of an address that it shows."""
        where = CHANNELS[delivery.channel].destination_of(delivery)
        return f"{CHANNELS[delivery.channel].label} {where}".rstrip(" -")

    @admin.display(description=_("status"))
    def fate(self, delivery: Delivery) -> str:
        """Returns what became of it."""
        return delivery.get_state_display()

    @admin.display(description=_("reason"))
    def explanation(self, delivery: Delivery) -> str:
        """Why it was not sent, as its recipient's ledger says it."""
        until: datetime | None = delivery.rests_until  # type: ignore[attr-defined]  # of get_queryset
        return ledger.explanation_of(delivery, {delivery.channel: until} if until else {})

    @admin.display(description=_("when"))
    def at(self, delivery: Delivery) -> object:
        """When it was accepted, or will be tried next."""
        return moment(delivery.accepted_at or delivery.attempt_after or delivery.notice.created_at)

    @admin.display(description=_("tries"))
    def attempts(self, delivery: Delivery) -> object:
        """How often it was tried; behind it each try, found by the message ID."""
        page = f"{reverse('admin:notifications_attempt_changelist')}?{urlencode({'q': delivery.message_id})}"
        words = ngettext("%(n)d try", "%(n)d tries", delivery.tries) % {"n": delivery.tries}
        return format_html('<a href="{}">{}</a>', page, words) if delivery.message_id and delivery.tries else "-"


@admin.register(Attempt)
class AttemptAdmin(Lines):
    """Every try, newest first: the place to look when nothing arrives."""

    list_display = ("what", "recipient", "outcome", "code", "words", "started_at", "took")
    list_filter = ("outcome", ("delivery__channel", BY_CHANNEL))
    list_select_related = ("delivery__notice__recipient",)
    search_fields = ("delivery__message_id__exact",)
    search_help_text = _("A message ID")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        """Tries at such deliveries alone."""
        return privacy.without_outcomes(super().get_queryset(request), request.user, "delivery__notice__")

    def window(self, request: HttpRequest) -> ListWindow:
        """Shows recent attempts."""
        return lately(Attempt, "started_at")

    @admin.display(description=_("what"))
    def what(self, attempt: Attempt) -> str:
        """Returns what its kind is called, and the channel."""
        return f"{composers.name_of(attempt.delivery.notice.kind)}, {CHANNELS[attempt.delivery.channel].label}"

    @admin.display(description=_("to"))
    def recipient(self, attempt: Attempt) -> str:
        """Returns who was to be told."""
        return attempt.delivery.notice.recipient.name

    @admin.display(description=_("detail"))
    def words(self, attempt: Attempt) -> str:
        """Returns the result in words."""
        return in_words(attempt.detail)

    @admin.display(description=_("seconds"))
    def took(self, attempt: Attempt) -> str:
        """Returns how long it took."""
        return f"{(attempt.ended_at - attempt.started_at).total_seconds():.1f}" if attempt.ended_at else "-"


@admin.register(FoldedNotices)
class FoldedNoticesAdmin(Lines):
    """How much was told about what is long over; what it was, the ledger of its person says."""

    list_display = ("recipient", "thread", "number", "newest_at")
    search_fields = ("thread",)


@admin.register(MailboxPosition)
class MailboxPositionAdmin(Lines):
    """Mailboxes that are read for answers, and how far."""

    list_display = ("name", "looked_at", "last_uid", "validity")
    search_fields = ("name",)


@admin.register(ChatMessage)
class ChatMessageAdmin(Lines):
    """Messages in chats that show the latest news of a thread."""

    list_display = ("thread", "message", "told_at")
    search_fields = ("thread__exact",)


@admin.register(Inbound)
class InboundAdmin(Lines):
    """Answers by mail: what became of them, but not what they say."""

    list_display = (
        *("recipient", "subject", "state", "is_authentic", "is_confirmed", "received_at", "handled_at"),
        *("tries", "ref"),
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
