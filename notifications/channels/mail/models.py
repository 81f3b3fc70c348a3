"""Addresses that are closed to us and mails that came back, by keyed hashes; the mails of the development mailbox."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from notifications.clock import present


class Suppression(models.Model):
    """An address that is not written to: it asked so, or mail to it came back. A keyed hash, not to be turned back."""

    address_hash = models.CharField(_("keyed hash"), max_length=64, unique=True)
    reason = models.CharField(_("reason"), max_length=200)
    created_at = models.DateTimeField(_("created"), default=present.now)

    class Meta:
        verbose_name = _("suppressed address")
        verbose_name_plural = _("suppressed addresses")

    def __str__(self) -> str:
        return self.address_hash[:12]


class Bounce(models.Model):
    """A mail that came back or was complained about, as the mail server or the mail provider told us."""

    class Kind(models.TextChoices):
        """Bounced or complained about."""

        BOUNCED = "bounced", _("it bounced")
        MISTRUSTED = "mistrusted", _("its server rejects our emails")  # says nothing of the address
        OURS = "ours", _("it bounced, like everyone's")
        COMPLAINED = "complained", _("it was marked as spam")

    address_hash = models.CharField(_("keyed hash"), max_length=64)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices)
    event = models.CharField(_("event"), max_length=200, unique=True)  # who reports one twice is heard once
    detail = models.CharField(_("detail"), max_length=200, blank=True)
    is_final = models.BooleanField(_("permanent"), default=False)
    created_at = models.DateTimeField(_("created"), default=present.now)

    class Meta:
        verbose_name = _("bounced email")
        verbose_name_plural = _("bounced emails")
        indexes = [
            # How often mail to one address came back lately.
            models.Index(fields=["address_hash", "created_at"], name="bounce_of_address"),
        ]

    def __str__(self) -> str:
        return f"{self.address_hash[:12]} {self.kind}"


class StoredMail(models.Model):
    """A mail kept by the development mailbox instead of being sent."""

    to = models.CharField(_("to"), max_length=320)
    subject = models.CharField(_("subject"), max_length=500)
    text = models.TextField(_("text"), blank=True)
    html = models.TextField("HTML", blank=True)
    headers = models.JSONField(_("headers"), default=dict)
    sent_at = models.DateTimeField(_("was sent"), default=present.now)

    class Meta:
        verbose_name = _("stored email")
        verbose_name_plural = _("stored emails")
        indexes = [
            # The mailbox page, newest first.
            models.Index(fields=["-sent_at", "-id"], name="stored_mail_newest"),
        ]

    def __str__(self) -> str:
        return self.subject
