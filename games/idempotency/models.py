"""What was created under an Idempotency-Key, so that the same request creates it once."""

from django.db import models

from games.people.models import User
from notifications.clock import present


class Keyed(models.Model):
    """An idempotency key, and the reference of what was created under it. See `games.idempotency.keys`."""

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
