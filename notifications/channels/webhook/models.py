"""A webhook: an address on the web, the secret that signs what is sent there, and how it has fared."""

import hashlib
import hmac
import time
from datetime import datetime
from typing import Any, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from notifications.clock import present
from notifications.database.sealed import SealedField
from notifications.ids import new_ref, new_secret

NAME_LENGTH = 60
REASON_LENGTH = 200
MESSAGE_LENGTH = 32


class Shape(models.TextChoices):
    """The form of a payload: data for programs, or a message as a chat shows it."""

    STANDARD = "standard", _("data for programs (Standard Webhooks)")
    DISCORD = "discord", _("a message for a Discord channel")
    SLACK = "slack", _("a message for a Slack channel")


class Endpoint(models.Model):
    """A webhook. Its owner's own notices go there or, where it has a thread, the public news of that thread
    and of those that are part of it."""

    ref = models.CharField(_("reference"), max_length=32, unique=True, default=new_ref, editable=False)
    recipient = models.ForeignKey(
        "notifications.Recipient", on_delete=models.CASCADE, related_name="endpoints"
    )  # owner
    thread = models.CharField(_("thread"), max_length=120, blank=True)  # "": what its owner is told
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    url = SealedField(_("address"))
    target = models.CharField(_("keyed hash of the address"), max_length=64, editable=False)
    shape = models.CharField(_("shape"), max_length=10, choices=Shape.choices, default=Shape.STANDARD)
    muted = models.JSONField(_("unwanted events"), default=list, blank=True)  # so that new ones are
    secret = SealedField(_("secret"), default=new_secret)
    # For a while after a change of the secret what is sent is signed with both: nobody can change two sides at once.
    old_secret = SealedField(_("previous secret"), blank=True, default="")
    old_secret_until = models.DateTimeField(_("previous secret valid until"), null=True, blank=True)
    is_enabled = models.BooleanField(_("enabled"), default=True)
    disabled_reason = models.CharField(_("reason"), max_length=REASON_LENGTH, blank=True)
    disabled_at = models.DateTimeField(_("switched off"), null=True, blank=True)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)  # nothing was taken since then
    refusals = models.PositiveIntegerField(_("consecutive refusals"), default=0)
    created_at = models.DateTimeField(_("created"), default=present.now)

    read_at = float("-inf")  # when it was read, by time.monotonic()

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        indexes = [
            # Who listens to a thread.
            models.Index(fields=["thread"], name="endpoint_of_thread", condition=~Q(thread="")),
            # Who else sends to the same address.
            models.Index(fields=["target"], name="endpoint_at_target"),
        ]

    def __str__(self) -> str:
        return self.name or self.host

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the hash with the address it is of."""
        self.target = target_of(self)
        fields = kwargs.get("update_fields")
        if fields is not None and {"url", "shape"} & set(fields):
            kwargs["update_fields"] = [*fields, "target"]
        super().save(*args, **kwargs)

    @classmethod
    def from_db(cls, *args: Any, **kwargs: Any) -> Self:
        """Note when."""
        endpoint = super().from_db(*args, **kwargs)
        endpoint.read_at = time.monotonic()
        return endpoint

    def secrets(self, now: datetime) -> list[str]:
        """Returns the secrets that sign at an instant: the secret, and the former one while it overlaps."""
        is_old_good = self.old_secret and self.old_secret_until is not None and now < self.old_secret_until
        return [self.secret, self.old_secret] if is_old_good else [self.secret]

    @property
    def host(self) -> str:
        """The host of the address: the rest of it is a secret of its owner."""
        return urlsplit(self.url).hostname or ""


class ChatMessage(models.Model):
    """The message in a chat that shows a thread's latest news, and is edited in place."""

    target = models.CharField(_("keyed hash of the address"), max_length=64, editable=False)  # `Endpoint.target`
    thread = models.CharField(_("thread"), max_length=120)
    message = models.CharField(_("message"), max_length=MESSAGE_LENGTH)  # the chat's own id
    told_at = models.DateTimeField(_("as of"))  # when the news came about that it shows

    class Meta:
        verbose_name = _("message in a chat")
        verbose_name_plural = _("messages in chats")
        constraints = (models.UniqueConstraint(fields=["target", "thread"], name="one_chat_message_per_thread"),)

    def __str__(self) -> str:
        return f"{self.thread}: {self.message}"


def target_of(endpoint: Endpoint) -> str:
    """A keyed hash: the same for all webhooks that share their calls and their fate, and no way back to the address.

    A chat's address is all one needs to write there, so whoever has it may share it. Behind an address for programs
    stands a server that trusts a secret: what it answers to one owner must not count for another.
    """
    whose = endpoint.recipient_id if endpoint.shape == Shape.STANDARD else ""
    text = f"{endpoint.shape} {whose} {endpoint.url}"
    return hmac.new(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
