"""Ratings of players by game, and records that were uploaded for import."""

import msgspec
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language, gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from engine.core import Text
from engine.records import checking
from games.ids import random_ref
from games.people.models import User
from games.tables.models import Game
from notifications.clock import present

# A refusal of a record is a code with its facts in the row, made into a sentence for whoever reads it.

IMPORT_LIMIT = Text("import.limit")
IMPORT_UNCHECKED = Text("import.unchecked")
IMPORT_NO_TITLE = Text("import.title")
IMPORT_REFUSALS = {  # beside those of the verifier
    IMPORT_LIMIT.code: gettext_noop("You've reached the limit of imported games."),
    IMPORT_UNCHECKED.code: gettext_noop("This record couldn't be checked here."),
    IMPORT_NO_TITLE.code: gettext_noop("The table in this record has no name."),
}


def dump_refusal(why: Text) -> str:
    """Returns a refusal as a row holds it."""
    return msgspec.json.encode(why).decode()


def say_stored_refusal(row: str) -> str:
    """Returns a stored refusal as a sentence in the active language; one that a newer version wrote as it stands."""
    why = _load_refusal(row)
    return say_refusal(why) if why else row


def refusal_code(row: str) -> str:
    """Returns the code of a stored refusal; "" for none, and for one of a newer version."""
    why = _load_refusal(row)
    return why.code if why else ""


def say_refusal(why: Text) -> str:
    """Returns a refusal as a sentence in the active language."""
    if why.code in IMPORT_REFUSALS:
        return gettext(IMPORT_REFUSALS[why.code])
    return checking.say(why, (get_language() or "en").split("-", 1)[0])


def _load_refusal(row: str) -> Text | None:
    try:
        why = msgspec.json.decode(row, type=Text)
    except msgspec.DecodeError:
        return None
    return why if why.code in IMPORT_REFUSALS or why.code in checking.SENTENCES else None


IS_OPEN = Q(state__in=("waiting", "running"))


class Rating(models.Model):
    """The rating of a player by his public finished games. Computed by `games.archive.ratings` only.

    It can be recomputed from the games at any time. Shown to others only if he wants that: `User.is_ranked`.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="ratings")
    rules_name = models.CharField(max_length=40)
    mu = models.FloatField()  # how strong, as far as it is known
    sigma = models.FloatField()  # how uncertain that is
    points = models.IntegerField()  # both in one number, for people: see `ratings.points_of`
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    rated_at = models.DateTimeField()  # when his last game that counts was over

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "rules_name"], name="one_rating_per_person"),)
        indexes = (
            # the ranking of a game
            models.Index(fields=["rules_name", "-points"], name="rating_by_points"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.points} ({self.rules_name})"


class RatingChange(models.Model):
    """A player's rating after one of his public games. Computed with `Rating`, by `games.archive.ratings`."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="rating_changes", db_index=False)
    rules_name = models.CharField(max_length=40)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="rating_changes")
    points = models.IntegerField()
    rated_at = models.DateTimeField()  # when the game was over

    class Meta:
        # it also finds the curve of a player, who has some hundreds
        constraints = (models.UniqueConstraint(fields=["user", "game"], name="one_rating_change_per_game"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.points} ({self.game})"


class Import(models.Model):
    """A record that is being imported. Created and closed by `games.archive.records` only."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("being checked")
        DONE = "done", _("imported")
        REFUSED = "refused", _("refused")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="imports")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    data = models.BinaryField(default=b"")  # the record as it came; empty when all is said about it
    moves = models.PositiveIntegerField(default=0)  # how many it has, when that is known
    checked = models.PositiveIntegerField(default=0)  # how many of them fit
    tries = models.PositiveSmallIntegerField(default=0)  # how often a worker has begun to check it
    leased_until = models.DateTimeField(null=True, blank=True)  # then its worker is taken for dead
    refusal = models.TextField(blank=True, default="")  # see `refusals`
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="imports")
    is_new = models.BooleanField(default=False)  # False if the same person had imported the same record before
    created_at = models.DateTimeField(default=present.now)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user"], name="one_import_at_a_time", condition=IS_OPEN),)
        indexes = (
            # ticks: the next record to check
            models.Index(fields=["created_at"], name="import_to_check", condition=IS_OPEN),
            # what is old enough to be forgotten
            models.Index(fields=["settled_at"], name="imports_to_forget", condition=Q(settled_at__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.ref}: {self.state}"

    @property
    def refusal_in_words(self) -> str:
        """Why it was refused, in the active language; "" if it was not."""
        return say_stored_refusal(self.refusal)

    @property
    def refusal_code(self) -> str:
        """The same for programs."""
        return refusal_code(self.refusal)

    @property
    def is_open(self) -> bool:
        """True until all is said about it."""
        return self.state in (self.State.WAITING, self.State.RUNNING)


# The review of a game, and its place in the queue of those that are to be made.


class GameReview(models.Model):
    """The review of a finished game: its positions played on. Created and filled in by `games.archive` only.

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
