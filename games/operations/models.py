"""How the web fares: written down by its processes, for the metrics."""

from django.db import models


class RequestCount(models.Model):
    """How many requests were answered in one area with one status, and how long they took, since the service began."""

    area = models.CharField(max_length=60)  # the first part of the address: api, act, table
    status = models.PositiveSmallIntegerField()
    count = models.BigIntegerField(default=0)
    seconds = models.FloatField(default=0.0)
    within_100_ms = models.BigIntegerField(default=0)  # of them; each of the next has those before in it
    within_1_s = models.BigIntegerField(default=0)
    within_5_s = models.BigIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["area", "status"], name="one_count_per_area_and_status"),)

    def __str__(self) -> str:
        return f"{self.area} {self.status}: {self.count}"
