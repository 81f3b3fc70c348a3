"""How strong people have shown themselves to be, by rule set."""

from django.db import models

from games.accounts.models import User


class Rating(models.Model):
    """What the public finished games of a person say about his strength. Made by `games.archive.ratings` only.

    It can be made again from the games at any time. Shown to others only if he wants that: `User.is_ranked`.
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
