"""The delivery of a notice on each channel, every attempt, and the health of a channel."""

from collections.abc import Sequence

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from notifications.channels.mail import KIND as MAIL
from notifications.channels.push.models import PushSubscription
from notifications.channels.webhook.models import Endpoint


class ChannelHealth(models.Model):
    """How a whole channel fares: tries that failed in a row, how long it rests, what went out in this minute."""

    channel = models.CharField(_("channel"), max_length=12, primary_key=True)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    paused_until = models.DateTimeField(_("rests until"), null=True, blank=True)
    minute = models.DateTimeField(_("minute"), null=True, blank=True)
    sent = models.PositiveIntegerField(_("sent in it"), default=0)
    is_at_limit = models.BooleanField(_("at its limit"), default=False, db_default=False)  # until nothing waits for it

    class Meta:
        verbose_name = _("state of a channel")
        verbose_name_plural = _("states of channels")

    def __str__(self) -> str:
        return self.channel


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
        "notifications.Notice", on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )  # a unique index below begins with it
    channel = models.CharField(_("channel"), max_length=12)  # the `kind` of a `channels.base.Channel`
    endpoint = models.ForeignKey(
        Endpoint, on_delete=models.SET_NULL, null=True, blank=True, related_name="deliveries", db_index=False
    )
    # Whom it tells: the notice's; here for the claim, which joins what waits for one recipient. Empty for what the
    # webhook of a thread tells everybody, and in rows of an older version.
    recipient = models.ForeignKey(
        "notifications.Recipient", on_delete=models.CASCADE, null=True, blank=True, related_name="+", db_index=False
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
            models.UniqueConstraint(fields=["notice"], name="delivery_one_mail", condition=Q(channel=MAIL)),
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
        """Returns the part of its message id that is safe in addresses: random, so it tells no number of messages."""
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
