"""Three tables, as every service of this kind has them at least."""

from django.db import models


class Table(models.Model):
    """A game: its state as text."""

    seq = models.IntegerField(default=0)
    state = models.TextField()

    def __str__(self) -> str:
        return f"table {self.pk}"


class Line(models.Model):
    """A move in its log."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    seq = models.IntegerField()
    text = models.TextField()

    def __str__(self) -> str:
        return f"line {self.seq}"


class Owed(models.Model):
    """What somebody is to be told."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    text = models.TextField()

    def __str__(self) -> str:
        return f"owed {self.pk}"
