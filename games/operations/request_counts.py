"""How many requests were answered, how, and in what time: each web process counts in memory, and adds what it has
counted to the database with its heartbeat. So every process can tell the numbers of all.

Of a process that is killed the last quarter of a minute is not counted.
"""

import threading
from collections import Counter

from django.db import transaction
from django.db.models import F

from games.operations.models import RequestCount

BOUNDS = {"within_100_ms": 0.1, "within_1_s": 1.0, "within_5_s": 5.0}  # seconds, by the field that counts to there
NO_AREA = "none"  # static files, and addresses that lead nowhere

Answered = tuple[str, int]  # the area and the status
_counted: dict[Answered, Counter[str]] = {}  # what is not written down, by field
_lock = threading.Lock()


def count(area: str, status: int, seconds: float) -> None:
    """A request was answered.

    Arguments:
        area: the first part of its address, "" for what leads nowhere.
        seconds: until the answer was begun.
    """
    answer = Counter({"count": 1, "seconds": seconds})
    answer.update(field for field, bound in BOUNDS.items() if seconds <= bound)
    _add({(area or NO_AREA, status): answer})


def write_down() -> None:
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
        _add(counted)
        raise


def _add(counted: dict[Answered, Counter[str]]) -> None:
    with _lock:
        for answered, numbers in counted.items():
            _counted.setdefault(answered, Counter()).update(numbers)
