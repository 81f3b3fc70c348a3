"""What people should be told, and what became of it: notice, delivery (one channel), attempt (one try)."""

from collections.abc import Sequence
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from notifications.channels.mail.models import Bounce, StoredMail, Suppression
from notifications.channels.push.models import PushService, PushSubscription
from notifications.channels.webhook.endpoints import Endpoint, Shape
from notifications.clock import present
from notifications.clock.calendar import Quiet
from notifications.ids import new_ref
from notifications.inbound.models import Inbound

__all__ = [  # beside what is defined here
    "Bounce",
    "Endpoint",
    "Inbound",
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

    class Meta:
        verbose_name = _("recipient")
        verbose_name_plural = _("recipients")
        indexes = [
            # Who is meant when somebody signs in or is invited by address.
            models.Index(fields=["address"], name="recipient_by_address"),
            # Ticks: whose weekly summary is due.
            models.Index(fields=["weekly_at"], name="recipient_weekly", condition=Q(weekly_at__isnull=False)),
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


class ChannelHealth(models.Model):
    """How a whole channel fares: tries that failed in a row, how long it rests, what went out in this minute."""

    channel = models.CharField(_("channel"), max_length=12, primary_key=True)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    paused_until = models.DateTimeField(_("rests until"), null=True, blank=True)
    minute = models.DateTimeField(_("minute"), null=True, blank=True)
    sent = models.PositiveIntegerField(_("sent in it"), default=0)

    class Meta:
        verbose_name = _("state of a channel")
        verbose_name_plural = _("states of channels")

    def __str__(self) -> str:
        return self.channel


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

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes = [
            # Everything a person was told, newest first.
            models.Index(fields=["recipient", "-created_at"], name="notice_ledger"),
            # Everything that was told about one thing.
            models.Index(fields=["subject"], name="notice_about"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"


class DeliveryState(models.TextChoices):
    """Where a delivery stands. The first two are open, and JOINED; all others are final."""

    WAITING = "waiting", _("waiting")
    SENDING = "sending", _("being sent")
    ACCEPTED = "accepted", _("accepted")
    FAILED = "failed", _("refused")
    STALE = "stale", _("no longer needed")
    SUPPRESSED = "suppressed", _("not wanted")
    QUARANTINED = "quarantined", _("given up")
    DECLINED = "declined", _("switched off")
    JOINED = "joined", _("part of another email")  # open: it is settled with the delivery it goes out with
    RETURNED = "returned", _("bounced")


OPEN_STATES = (DeliveryState.WAITING, DeliveryState.SENDING)
TO_EVERYBODY = Q(target__isnull=False, recipient=None)  # to the webhook of a thread: it tells nobody in particular
IS_OPEN = Q(attempt_after__isnull=False)  # the same for indexes: settling a delivery empties attempt_after


class Delivery(models.Model):
    """One notice on one channel. `message_id` stays the same over all tries, so that a repeat can be recognised."""

    State = DeliveryState
    shared_endpoints: Sequence[
        Endpoint
    ] = ()  # while it is sent: webhooks of the same address for which it goes out as well
    addressee: PushSubscription | None = None  # while it is sent: the device behind `target`, if it goes to one

    notice = models.ForeignKey(
        Notice, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )  # a unique index below begins with it
    channel = models.CharField(_("channel"), max_length=12)  # the `kind` of a `channels.base.Channel`
    endpoint = models.ForeignKey(
        Endpoint, on_delete=models.SET_NULL, null=True, blank=True, related_name="deliveries", db_index=False
    )
    # Whom it tells: the notice's; here for the claim, which joins what waits for one recipient. Empty for what the
    # webhook of a thread tells everybody, and in rows of an older version.
    recipient = models.ForeignKey(
        Recipient, on_delete=models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    leader = models.ForeignKey(  # the delivery whose mail carries this one as well
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="followers", db_index=False
    )
    target = models.CharField(  # noqa: DJ001  the endpoint's or device's; NULL for mail, so that no two mails have the same
        _("keyed hash of the address"), max_length=64, null=True, blank=True
    )
    message_id = models.CharField(_("message id"), max_length=200, unique=True)
    body = models.TextField(_("what was sent"), blank=True)  # of a webhook, from its first try on: a repeat is the same
    is_by_hand = models.BooleanField(_("resent manually"), default=False)
    provider_id = models.CharField(_("id at the mail provider"), max_length=200, blank=True)
    state = models.CharField(_("state"), max_length=12, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    # When it may be claimed: its time, then the end of its lease or its next try; empty when nothing is left to do.
    attempt_after = models.DateTimeField(_("next attempt after"), null=True, blank=True)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    lease_owner = models.CharField(_("lease owner"), max_length=32, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        indexes = [
            # The claim: the oldest delivery that is due. These conditions are on attempt_after and not on the state,
            # because SQLite uses a partial index only if the query says the same without parameters.
            models.Index(fields=["attempt_after", "id"], name="delivery_due", condition=IS_OPEN),
            # The claim again: which is the oldest to each address?
            models.Index(fields=["target", "tries"], name="delivery_open", condition=IS_OPEN),
            # The claim a third time: who is sending webhooks?
            models.Index(fields=["lease_until"], name="delivery_leased", condition=Q(lease_until__isnull=False)),
            # The claim once more: what else waits for the same recipient?
            models.Index(fields=["recipient", "channel"], name="delivery_of_recipient", condition=IS_OPEN),
            # What was sent to one webhook, newest first.
            models.Index(fields=["endpoint", "-id"], name="delivery_to_endpoint", condition=Q(endpoint__isnull=False)),
            # What went out in another mail.
            models.Index(fields=["leader"], name="delivery_of_leader", condition=Q(leader__isnull=False)),
            # Somebody has to look at these.
            models.Index(fields=["id"], name="delivery_quarantined", condition=Q(state="quarantined")),
            # A provider tells what became of a mail.
            models.Index(fields=["provider_id"], name="delivery_at_provider", condition=~Q(provider_id="")),
        ]
        constraints = [
            models.UniqueConstraint(fields=["notice"], name="delivery_one_mail", condition=Q(channel="mail")),
            models.UniqueConstraint(fields=["notice", "endpoint"], name="delivery_once_per_endpoint"),
            # One delivery after the other to each address, whatever two claimers believe at the same moment.
            models.UniqueConstraint(
                fields=["target"], name="delivery_one_begun", condition=Q(attempt_after__isnull=False, tries__gt=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.message_id}"

    @property
    def name(self) -> str:
        """What of its message id is safe in addresses: random, so that it tells nothing of how many there are."""
        return self.message_id.strip("<>").partition("@")[0]


class AttemptOutcome(models.TextChoices):
    """How one try ended; empty while it runs, and for ever when the process died in it."""

    ACCEPTED = "accepted", _("accepted")
    RETRY = "retry", _("to be repeated")
    REFUSED = "refused", _("refused")
    DROPPED = "dropped", _("not sent")
    ERROR = "error", _("our error")


class Attempt(models.Model):
    """One try at a delivery, without secrets: `code` is the other side's, `detail` a reason of ours or what it said."""

    DETAIL_LENGTH = 1000

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="attempts")
    started_at = models.DateTimeField(_("started"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=12, choices=AttemptOutcome.choices, blank=True)
    code = models.CharField(_("code"), max_length=20, blank=True)
    detail = models.CharField(_("detail"), max_length=DETAIL_LENGTH, blank=True)
    excerpt = models.CharField(_("beginning of the answer"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")

    def __str__(self) -> str:
        return f"{self.delivery_id} {self.started_at:%Y-%m-%d %H:%M:%S} {self.outcome}"

    @property
    def milliseconds(self) -> int | None:
        """How long it took, or None while it runs."""
        return None if self.ended_at is None else round((self.ended_at - self.started_at).total_seconds() * 1000)
