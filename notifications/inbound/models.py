"""Answers by mail."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from notifications.ids import new_ref


class MailboxPosition(models.Model):
    """How far a mailbox of the host has been read by IMAP."""

    name = models.CharField(_("mailbox"), max_length=200, unique=True)  # user@host/folder
    validity = models.BigIntegerField(_("UIDVALIDITY"))  # RFC 9051, 2.3.1.1: with another one all numbers are new
    last_uid = models.BigIntegerField(_("last message"))  # the newest that was looked at
    looked_at = models.DateTimeField(_("looked at"))

    class Meta:
        verbose_name = _("mailbox")
        verbose_name_plural = _("mailboxes")

    def __str__(self) -> str:
        return self.name


class Inbound(models.Model):
    """A mail that answers one of ours: the one line of it that counts, and what became of it."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        HELD = "held", _("waiting for its sender's confirmation")
        DONE = "done", _("done")
        ANSWERED = "answered", _("answered, nothing changed")
        IGNORED = "ignored", _("ignored")
        FAILED = "failed", _("our error")

    LINE_LENGTH = 200

    ref = models.CharField(_("reference"), max_length=32, unique=True, default=new_ref, editable=False)
    recipient = models.ForeignKey(
        "notifications.Recipient", on_delete=models.CASCADE, related_name="answers", db_index=False
    )  # whom the address is for
    subject = models.CharField(_("about"), max_length=120)
    line = models.CharField(_("line"), max_length=LINE_LENGTH, blank=True)
    is_authentic = models.BooleanField(_("proved"), default=False)  # from the recipient's own address
    is_confirmed = models.BooleanField(_("confirmed"), default=False)  # by a link that only the recipient has
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.WAITING)
    key = models.CharField(_("key"), max_length=64, unique=True)  # a hash of the Message-ID: the same mail comes once
    message_id = models.CharField(_("message id"), max_length=250, blank=True)  # to be answered in its conversation
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    answer = models.TextField(_("answer"), blank=True)  # what its writer is told, in his language
    received_at = models.DateTimeField(_("received"))
    handled_at = models.DateTimeField(_("handled"), null=True, blank=True)

    class Meta:
        verbose_name = _("answer by email")
        verbose_name_plural = _("answers by email")
        indexes = [
            # Workers: what waits.
            models.Index(fields=["id"], name="inbound_waiting", condition=Q(state="waiting")),
            # How many answers somebody got lately.
            models.Index(fields=["recipient", "handled_at"], name="inbound_of"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.received_at:%Y-%m-%d %H:%M:%S}"
