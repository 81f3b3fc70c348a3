"""How many requests web processes have answered. They count in memory, and write down with their heartbeat.

Of a process that is killed the last quarter of a minute is lost."""

import threading
from collections import Counter

from django.db import models, transaction
from django.db.models import F


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


BOUNDS = {"within_100_ms": 0.1, "within_1_s": 1.0, "within_5_s": 5.0}  # seconds, by the field that counts to there
NO_AREA = "none"  # static files, and addresses that lead nowhere
Answered = tuple[str, int]  # the area and the status
_counted: dict[Answered, Counter[str]] = {}  # what is not written down, by field
_lock = threading.Lock()


def count_request(area: str, status: int, seconds: float) -> None:
    """Counts an answered request.

    Arguments:
        area: the first part of its address, "" for what leads nowhere.
        seconds: until the answer was begun.
    """
    answer = Counter({"count": 1, "seconds": seconds})
    answer.update(field for field, bound in BOUNDS.items() if seconds <= bound)
    _add_counts({(area or NO_AREA, status): answer})


def store_request_counts() -> None:
    """Adds what was counted to the database. After an error all is kept for the next time."""
    with _lock:
        counted = dict(_counted)
        _counted.clear()
    if not counted:
        return
    try:
        with transaction.atomic():
            for (area, status), added in sorted(counted.items()):  # all processes in one order: none waits crosswise
                row, _is_new = RequestCount.objects.get_or_create(area=area, status=status)
                more = {field: F(field) + number for field, number in added.items()}
                RequestCount.objects.filter(pk=row.pk).update(**more)
    except Exception:
        _add_counts(counted)
        raise


def _add_counts(counted: dict[Answered, Counter[str]]) -> None:
    with _lock:
        for answered, numbers in counted.items():
            _counted.setdefault(answered, Counter()).update(numbers)
