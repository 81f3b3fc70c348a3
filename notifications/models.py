"""Recipients, conversations and notices: whom we tell things, how he wants to be told, and what he should be told."""

from datetime import time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from notifications.channels.mail.models import Bounce, StoredMail, Suppression
from notifications.channels.push.models import PushService, PushSubscription
from notifications.channels.webhook.models import ChatMessage, Endpoint, Shape
from notifications.clock import present
from notifications.clock.calendar import Quiet
from notifications.delivery.models import (
    IS_OPEN,
    OPEN_STATES,
    TO_EVERYBODY,
    Attempt,
    AttemptOutcome,
    ChannelHealth,
    Delivery,
    DeliveryState,
)
from notifications.ids import new_ref
from notifications.inbound.models import Inbound, MailboxPosition

__all__ = [  # beside what is defined here
    "IS_OPEN",
    "OPEN_STATES",
    "TO_EVERYBODY",
    "Attempt",
    "AttemptOutcome",
    "Bounce",
    "ChannelHealth",
    "ChatMessage",
    "Delivery",
    "DeliveryState",
    "Endpoint",
    "Inbound",
    "MailboxPosition",
    "PushService",
    "PushSubscription",
    "Shape",
    "StoredMail",
    "Suppression",
]


class Rhythm(models.TextChoices):
    """When mail is sent that could be sent now."""

    AT_ONCE = "at_once", _("right away")
    NEWS_DAILY = "news_daily", _("right away if it's my turn, everything else in one daily email")
    DAILY = "daily", _("everything in one daily email")


class Ways(models.TextChoices):
    """By which channels somebody is told what his webhooks or devices are told as well."""

    BOTH = "both", _("in every way I have set up")
    MAIL = "mail", _("by email only")
    WEBHOOK = "webhook", _("by my webhooks only; by email if they fail")
    PUSH = "push", _("by notifications on my devices only; by email if they fail")


class Recipient(models.Model):
    """Somebody who can be told something: a member, or a stranger who was invited. Erased people have no address."""

    address = models.EmailField(_("email address"), max_length=254, blank=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    language = models.CharField(_("language"), max_length=12, default="en")
    zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    quiet_from = models.TimeField(
        _("quiet from"), null=True, blank=True
    )  # by the wall clock of `zone`; both or neither
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    rhythm = models.CharField(_("when to write"), max_length=12, choices=Rhythm.choices, default=Rhythm.AT_ONCE)
    daily_at = models.TimeField(_("time of the daily email"), default=time(8))  # by the wall clock of `zone`
    quiet_holds_all = models.BooleanField(_("hold every email during quiet hours"), default=False)
    snoozed_until = models.DateTimeField(_("no email before"), null=True, blank=True)
    ways = models.CharField(_("by which channels"), max_length=8, choices=Ways.choices, default=Ways.BOTH)
    muted = models.JSONField(_("topics not wanted by email"), default=list, blank=True)
    weekly_at = models.DateTimeField(
        _("next weekly summary"), null=True, blank=True
    )  # null for who does not want one: see `preferences`
    feed_generation = models.PositiveIntegerField(_("generation of the feed"), default=0)  # raised: old addresses die
    created_at = models.DateTimeField(_("created"), default=present.now)
    is_kept = models.BooleanField(
        default=False, db_default=False, editable=False
    )  # was seen to belong to an account: nothing looks again whether it is a stranger's

    class Meta:
        verbose_name = _("recipient")
        verbose_name_plural = _("recipients")
        indexes = [
            # Who is meant when somebody signs in or is invited by address.
            models.Index(fields=["address"], name="recipient_by_address"),
            # Ticks: whose weekly summary is due.
            models.Index(fields=["weekly_at"], name="recipient_weekly", condition=Q(weekly_at__isnull=False)),
            # Retention: strangers, and the youngest of the others.
            models.Index(fields=["created_at"], name="recipient_not_kept", condition=Q(is_kept=False)),
        ]

    def __str__(self) -> str:
        return self.name or _("recipient %(id)s") % {"id": self.pk}

    @property
    def zone_info(self) -> ZoneInfo:
        """The recipient's time zone; UTC if its stored name is of no use."""
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError):  # ValueError: a name that is no relative path
            return ZoneInfo("UTC")

    @property
    def quiet(self) -> Quiet | None:
        """The hours of every day in which nobody should disturb the recipient, or None."""
        if self.quiet_from is None or self.quiet_until is None:
            return None
        return Quiet(self.quiet_from, self.quiet_until)


CHOSEN = ~Q(rhythm="") | ~Q(ways="") | Q(snoozed_until__isnull=False) | ~Q(muted=[])  # of a conversation


class Conversation(models.Model):
    """One recipient's side of a thread: what of it he wants by mail, and when he last looked at what it is about."""

    recipient = models.ForeignKey(Recipient, on_delete=models.CASCADE, related_name="conversations")
    thread = models.CharField(_("thread"), max_length=120)
    rhythm = models.CharField(_("when to write"), max_length=12, choices=Rhythm.choices, blank=True)  # "": as usual
    ways = models.CharField(_("by which channels"), max_length=8, choices=Ways.choices, blank=True)  # "": as usual
    snoozed_until = models.DateTimeField(_("no email before"), null=True, blank=True)
    muted = models.JSONField(_("topics not wanted by email"), default=list, blank=True)
    seen_at = models.DateTimeField(_("last looked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        constraints = [models.UniqueConstraint(fields=["recipient", "thread"], name="conversation_once")]
        indexes = [
            # The admin site: those in which somebody has chosen something, of all that were only looked at.
            models.Index(fields=["id"], name="conversation_chosen", condition=CHOSEN),
        ]

    def __str__(self) -> str:
        return self.thread


class Notice(models.Model):
    """Something one recipient should be told. `data` is small and never secret: words are made when it is sent."""

    about: Any = None  # while it is sent: what its composer found behind `subject` when asked whether it is current

    ref = models.CharField(_("reference"), max_length=32, unique=True, default=new_ref, editable=False)
    recipient = models.ForeignKey(
        Recipient, on_delete=models.CASCADE, related_name="notices", db_index=False
    )  # the ledger's index begins with it
    kind = models.CharField(_("kind"), max_length=60)
    subject = models.CharField(_("about"), max_length=120)  # an opaque key of the caller's, e.g. "decision:<ref>"
    thread = models.CharField(_("thread"), max_length=120, blank=True)  # mails of one thread are shown together
    data = models.JSONField(_("data"), default=dict, blank=True)
    dedupe_key = models.CharField(_("key"), max_length=200, unique=True)
    created_at = models.DateTimeField(_("created"), default=present.now)
    not_before = models.DateTimeField(_("not before"), null=True, blank=True)
    # Until a worker makes its deliveries, for which forms, for which endpoint, and why it is unwanted; then NULL.
    pending: "models.JSONField[Any, Any]" = models.JSONField(_("deliveries to be made"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes = [
            # Everything a person was told, newest first.
            models.Index(fields=["recipient", "-created_at"], name="notice_ledger"),
            # Everything that was told about one thing.
            models.Index(fields=["subject"], name="notice_about"),
            # The claim: what has no deliveries yet.
            models.Index(fields=["id"], name="notice_pending", condition=Q(pending__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"


class FoldedNotices(models.Model):
    """What one person was told about something that is long over, packed: its notices, deliveries and attempts in one
    row. Written and read by `notifications.ledger`."""

    recipient = models.ForeignKey(
        Recipient, on_delete=models.CASCADE, related_name="folded_notices", db_index=False
    )  # a unique index below begins with it
    thread = models.CharField(_("thread"), max_length=120)
    number = models.PositiveIntegerField(_("notices"))
    newest_at = models.DateTimeField(_("newest"))
    packed = models.BinaryField()

    class Meta:
        verbose_name = _("folded notices")
        verbose_name_plural = _("folded notices")
        constraints = (models.UniqueConstraint(fields=["recipient", "thread"], name="folded_once"),)
        indexes = [
            # Retention: the oldest.
            models.Index(fields=["newest_at"], name="folded_to_clear"),
        ]

    def __str__(self) -> str:
        return f"{self.number} of {self.thread}"
