"""Planned absences."""

from django.db import models

from games.accounts.models import User
from games.ids import random_ref
from notifications.clock import present
from notifications.clock.calendar import Span


class Vacation(models.Model):
    """Days on which nobody waits for a person: his clocks stand still at every table that allows it."""

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="vacations")
    first_day = models.DateField()  # both days included, in the zone he had when he planned it
    last_day = models.DateField()  # the days that count against his budget
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()  # earlier than the last day if he came back earlier
    created_at = models.DateTimeField(default=present.now)

    class Meta:
        indexes = (
            # whose clocks stand still now, or will
            models.Index(fields=["user", "ends_at"], name="vacation_of_a_person"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.first_day} - {self.last_day}"

    @property
    def span(self) -> Span:
        """The time in which the clocks stand still."""
        return Span(self.begins_at, self.ends_at)

    @property
    def days(self) -> int:
        """How many days it takes from the budget."""
        return (self.last_day - self.first_day).days + 1
