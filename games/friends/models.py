"""Who has asked whom to be friends, and what became of it."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.accounts.models import User
from games.ids import random_ref
from notifications.clock import present


class Friendship(models.Model):
    """One person has asked another. Changed by `games.friends.friends` only."""

    class Status(models.TextChoices):
        ASKED = "asked", _("asked")
        FRIENDS = "friends", _("friends")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    asker = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friendships_asked")
    asked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friendships_received")
    status = models.CharField(max_length=10, choices=Status, default=Status.ASKED)
    created_at = models.DateTimeField(default=present.now)  # when it was asked, the last time
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["asker", "asked"], name="one_friendship_per_pair"),
            models.CheckConstraint(condition=~Q(asker=F("asked")), name="nobody_befriends_himself"),
        )
        indexes = (
            # how many people somebody has asked today
            models.Index(fields=["asker", "created_at"], name="friends_asked_of_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.asker} -> {self.asked}: {self.status}"
