"""Idempotency keys: a request that is sent again under the same key creates nothing twice.

The keys of answers and orders are stored with the move. All others are stored here, for some days."""

import hashlib
from collections.abc import Callable
from datetime import datetime

from django.db import models, transaction
from django.utils.translation import gettext as _

from games.errors import KeyReused, ServiceError
from games.people.models import User
from notifications.clock import present


class Keyed(models.Model):
    """An idempotency key, and the reference of what was created under it. See `games.people.idempotency`."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="keyed")
    key = models.CharField(max_length=64)  # digest of the key
    request = models.CharField(max_length=64)  # digest of what was asked under it
    ref = models.CharField(max_length=32, blank=True, default="")  # of what was created; that of a webhook is long
    created_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "key"], name="one_thing_per_key"),)
        indexes = (
            # retention: keys that are old enough to delete
            models.Index(fields=["created_at"], name="keys_to_forget"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.ref}"


# Idempotency keys: a request that is sent again under the same key creates nothing twice.

LONGEST_KEY = 200


@transaction.atomic
def make_once(*, user: User, key: str, asked: str, make: Callable[[], str], now: datetime) -> str:
    """Returns the reference of what `make` creates, or created when this user sent the same request under this key.

    A refused request is not stored: sent again, it is tried again. Of two concurrent requests one waits for the other.

    Arguments:
        key: chosen by the client; "" for none: `make` is called each time.
        asked: the whole request, as text.
    Raises KeyReused for another request under the same key, ServiceError for a key that is too long, and whatever
    `make` raises.
    """
    if not key:
        return make()
    check_key(key)
    facts = {"request": _digest(asked), "created_at": now}
    row, is_new = Keyed.objects.get_or_create(user=user, key=_digest(key), defaults=facts)
    if row.request != facts["request"]:
        raise KeyReused(_("This Idempotency-Key was already used for a different request. Use a new one."))
    if is_new:
        row.ref = make()
        row.save(update_fields=["ref"])
    return row.ref


def check_key(key: str) -> None:
    """Raises ServiceError for a key that is too long."""
    if len(key) > LONGEST_KEY:
        raise ServiceError(_("The Idempotency-Key is too long."), code="key-too-long", field="Idempotency-Key")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
