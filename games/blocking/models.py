"""Who has blocked whom."""

from django.db import models

from games.accounts.models import User
from games.ids import random_ref
from notifications.clock import present


class Block(models.Model):
    """Somebody has blocked an account. Changed by `games.blocking.blocks` only; the blocked person is never told.

    Who blocks is a recipient: people who were invited by email can block before they have an account.
    """

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    # the constraint's index begins with it
    recipient = models.ForeignKey(
        "notifications.Recipient", on_delete=models.CASCADE, related_name="blocks", db_index=False
    )
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")
    name = models.CharField(max_length=40)  # as the recipient knew it when he blocked: later names are not his to see
    created_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["recipient", "blocked"], name="one_block_per_pair"),)

    def __str__(self) -> str:
        return f"{self.recipient} -> {self.name}"
