"""Stored sessions and second-factor devices."""

import secrets
from binascii import unhexlify
from collections.abc import Iterable
from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.accounts.models import User
from games.ids import random_ref
from notifications.database.sealed import seal, unseal

KEY_BYTES = 20


class Session(AbstractBaseSession):
    """A session as `games.accounts.sign_in.session_store` keeps it: its key hashed, its data sealed.

    allauth's `usersessions` and Django's own table store the key as the cookie has it, and offer no way to change that.
    """

    session_key = models.CharField(max_length=64, primary_key=True)  # longer than Django's: a keyed hash
    # Null until sign-in is complete. No constraint: the end of a request may outlive the account.
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sessions", db_constraint=False)

    class Meta(AbstractBaseSession.Meta):
        abstract = False

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        """Returns the store that SESSION_ENGINE names."""
        store: type[SessionStore] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class AnonymousRequest(models.Model):
    """A letter or a check of a password that somebody without a session has asked for. See `limits`."""

    class Kind(models.TextChoices):
        LETTER = "letter", _("email")
        PASSWORD = "password", _("password")

    kind = models.CharField(max_length=10, choices=Kind)
    address = models.CharField(max_length=64)  # a keyed hash
    source = models.CharField(max_length=64)  # a keyed hash of the network; of the account, where the browser is known
    is_known = models.BooleanField()  # whether the account's owner has signed in in this browser before
    is_sent = models.BooleanField(default=True)  # False for one letter too many to an address without an account
    link = models.CharField(max_length=64, blank=True, default="")  # a keyed hash of the sign-in link in the letter
    good_until = models.DateTimeField(null=True, blank=True)  # how long the link works, if longer than others do
    at = models.DateTimeField()

    class Meta:
        indexes = (
            models.Index(fields=["address", "at"], name="anonymous_by_address"),
            models.Index(fields=["source", "at"], name="anonymous_by_source"),
            models.Index(fields=["link"], name="anonymous_by_link", condition=~models.Q(link="")),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M}"


class SealedTOTPDevice(TOTPDevice):  # type: ignore[misc]  # django-otp ships no types
    """django-otp's device for authenticator apps, with its key encrypted under SEALING_KEYS."""

    class Meta:
        proxy = True

    def save(
        self,
        *,
        force_insert: bool | tuple[type[models.Model], ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Stores the device; seals the key of a new one first."""
        if self._state.adding:
            self.key: str = seal(self.key)
        super().save(force_insert=force_insert, force_update=force_update, using=using, update_fields=update_fields)

    @property
    def bin_key(self) -> bytes:
        """The key; a random one if none of SEALING_KEYS opens it, so that no code is accepted."""
        opened = unseal(self.key)
        return unhexlify(opened) if opened else secrets.token_bytes(KEY_BYTES)


class TrustedDevice(models.Model):
    """A browser that a player trusts: links from emails act there with one tap.

    Its cookie holds a secret, of which only a keyed hash is stored; several people may trust the same browser.
    """

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="trusted_devices")
    digest = models.CharField(max_length=64)
    browser = models.CharField(max_length=40, blank=True, default="")
    system = models.CharField(max_length=40, blank=True, default="")
    trusted_at = models.DateTimeField()
    used_on = models.DateField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "digest"], name="one_trust_per_device"),)

    def __str__(self) -> str:
        return f"{self.browser} on {self.system}" if self.browser and self.system else self.browser or self.system
