"""The app that shows staff the codes of the second factor."""

import secrets
from binascii import unhexlify
from typing import Any

from django_otp.plugins.otp_totp.models import TOTPDevice

from notifications.database.sealed import seal, unseal

KEY_BYTES = 20


class SealedTOTPDevice(TOTPDevice):  # type: ignore[misc]  # django-otp ships no types
    """django-otp's device, with its key sealed under SEALING_KEYS in the column that has it in clear otherwise."""

    class Meta:
        proxy = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Seals the key of a new one."""
        if self._state.adding:
            self.key: str = seal(self.key)
        super().save(*args, **kwargs)

    @property
    def bin_key(self) -> bytes:
        """The key. If none of SEALING_KEYS opens it, one that nobody knows: no code is right, instead of any being."""
        opened = unseal(self.key)
        return unhexlify(opened) if opened else secrets.token_bytes(KEY_BYTES)
