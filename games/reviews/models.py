"""The review of a game, and its place in the queue of those that are to be made."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.accounts.models import User
from games.tables.models import Game
from notifications.clock import present

IS_OPEN = Q(state__in=("waiting", "running"))


class GameReview(models.Model):
    """What playing a finished game's positions on has shown. Created and filled in by `games.reviews` only.

    It is opened to nobody before the end of its game: the data holds what was hidden.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("being made")
        DONE = "done", _("made")
        FAILED = "failed", _("could not be made")

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="review")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    is_asked = models.BooleanField(default=False)  # somebody has asked for it: those of ended games come first
    asked_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="reviews_asked"
    )  # for some days, so that one person's are counted
    chain = models.CharField(max_length=64, blank=True, default="")  # hash of the game's last move when it was made
    data = models.BinaryField(default=b"")  # an `engine.reviews.model.Review` as JSON, packed by zlib
    seconds = models.FloatField(default=0.0)  # of processor time that it took
    tries = models.PositiveSmallIntegerField(default=0)  # how often a worker has begun to make it
    leased_until = models.DateTimeField(null=True, blank=True)  # then its worker is taken for dead
    requested_at = models.DateTimeField(default=present.now)
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            # ticks: the next review to make
            models.Index(fields=["is_asked", "requested_at"], name="review_to_make", condition=IS_OPEN),
        )

    def __str__(self) -> str:
        return f"review of {self.game}: {self.state}"
