"""Three tables, as every service of this kind has them at least."""

from django.db import models


class Table(models.Model):
    """A game: its state as text."""

    seq = models.IntegerField(default=0)
    state = models.TextField()


class Line(models.Model):
    """A move in its log."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    seq = models.IntegerField()
    text = models.TextField()


class Owed(models.Model):
    """What somebody is to be told."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    text = models.TextField()
