"""The packed log of a game that is over: one row in the place of hundreds."""

from django.db import models
from django.db.models import Q

from games.accounts.models import User
from games.tables.models import Game
from notifications.clock import present


class PackedLog(models.Model):
    """The moves of a game that is over, and what was asked there. Written and read by `games.log.packing` and
    `games.log.stored_moves` only.

    Its parts are made by `games.log.columns`. It names no account: see `PackedActor`.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="packed_log")
    format = models.PositiveSmallIntegerField(default=1)
    facts = models.BinaryField()  # of the moves, what is short: number, kind, seat, when, by which way
    texts = models.BinaryField()  # of the moves, what is long: answers, events, hashes
    questions = models.BinaryField()  # the decisions but the newest of each seat, which still stand in rows
    extensions = models.BinaryField()  # why deadlines of those decisions moved
    packed_at = models.DateTimeField(default=present.now)

    def __str__(self) -> str:
        return f"log of {self.game}"


class PackedActor(models.Model):
    """Whose account one number in a packed log stands for; nobody's any more once the account is gone."""

    # a unique index below begins with it
    log = models.ForeignKey(PackedLog, on_delete=models.CASCADE, related_name="actors", db_index=False)
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["log", "number"], name="one_actor_per_number"),)
        indexes = (
            # the copy of a person's data
            models.Index(fields=["user", "log"], name="packed_logs_of_actor", condition=Q(user__isnull=False)),
        )

    def __str__(self) -> str:
        return f"actor {self.number} of {self.log}"
