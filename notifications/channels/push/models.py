"""A browser that shows notifications for its owner, and the push services that are in trouble."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from notifications.clock import present
from notifications.database.sealed import SealedField
from notifications.ids import new_ref

NAME_LENGTH = 60
HOST_LENGTH = 253  # RFC 1035, 2.3.4


class PushSubscription(models.Model):
    """A push subscription (RFC 8030): one browser on one device, and the keys that messages to it are encrypted for."""

    is_service_failing = False  # as loaded while something is sent there
    was_slow = False  # whether its push service has just taken its time

    ref = models.CharField(_("reference"), max_length=32, unique=True, default=new_ref, editable=False)
    recipient = models.ForeignKey(
        "notifications.Recipient", on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    url = SealedField(_("address"))  # whoever has it, and our key, can send there
    target = models.CharField(_("keyed hash of the address"), max_length=64, unique=True, editable=False)
    host = models.CharField(_("push service"), max_length=HOST_LENGTH)
    public_key = SealedField(_("public key of the browser"))
    auth_secret = SealedField(_("authentication secret"))
    # An opaque key of the caller's, by which it ends all that belongs to one sign-in.
    group = models.CharField(_("belongs to"), max_length=64, blank=True)
    muted = models.JSONField(_("topics not wanted here"), default=list, blank=True)  # so that new ones are
    refusals = models.PositiveSmallIntegerField(_("consecutive refusals"), default=0)
    used_at = models.DateTimeField(_("last used"), default=present.now)  # by the day: see `devices.USED_EVERY`
    created_at = models.DateTimeField(_("created"), default=present.now)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return self.name or self.host


class PushService(models.Model):
    """A push service in trouble: it has a row from its first failure until it takes something again."""

    host = models.CharField(_("host"), max_length=HOST_LENGTH, primary_key=True)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    failed_at = models.DateTimeField(_("last failure"))
    rests_until = models.DateTimeField(_("rests until"), null=True, blank=True)

    class Meta:
        verbose_name = _("push service in trouble")
        verbose_name_plural = _("push services in trouble")

    def __str__(self) -> str:
        return self.host
