"""Table talk, private notes, read markers, and snapshots of games."""

from django.db import models
from django.utils.translation import gettext

from games.accounts.models import User
from games.ids import random_ref
from games.tables.models import Game
from notifications.clock import present

LONGEST_COMMENT = 1000
LONGEST_NOTE = 4000


class Comment(models.Model):
    """A line of table talk. Everybody who may see the table reads it, unless it was hidden."""

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="comments")
    name = models.CharField(max_length=40, blank=True)  # the author's at this table, when it was written
    text = models.CharField(max_length=LONGEST_COMMENT)
    created_at = models.DateTimeField(default=present.now)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    is_folded = False  # for its reader, who has blocked its author: set by `games.talk.table_talk.fold`

    class Meta:
        ordering = ("pk",)
        indexes = (
            # how much one person has written lately
            models.Index(fields=["author", "created_at"], name="comments_of_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.speaker} ({self.game})"

    @property
    def speaker(self) -> str:
        """Returns the author's name as everybody sees it."""
        return self.name or gettext("Former player")

    @property
    def is_hidden(self) -> bool:
        """True if its text is hidden from everybody."""
        return self.hidden_at is not None


class Note(models.Model):
    """A player's private note about a game. It belongs to the person, not to the seat."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=LONGEST_NOTE, blank=True, default="")
    changed_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "user"], name="one_note_per_person"),)

    def __str__(self) -> str:
        return f"{self.user} ({self.game})"


class Look(models.Model):
    """A read marker: how far a user has read a game. Later events are shown as new."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="looks")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="looks")
    since = models.PositiveIntegerField(default=0)  # public events he had seen when this visit began
    until = models.PositiveIntegerField(default=0)  # and has been shown by now
    looked_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "user"], name="one_look_per_person"),)

    def __str__(self) -> str:
        return f"{self.user} ({self.game})"


class Snapshot(models.Model):
    """The state after a move: history is replayed from here, not from the beginning. Can be made again at any time."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="snapshots")
    seq = models.PositiveIntegerField()
    state = models.TextField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "seq"], name="one_snapshot_per_move"),)

    def __str__(self) -> str:
        return f"{self.game} after move {self.seq}"
