"""Finds from which key on rows are newer than an instant, without an index on their time.

Keys are given in the order in which rows are added, which is nearly that of their times, so a few dozen looks at single
rows find the place, however many rows there are. An index would cost every move something.
"""

from datetime import datetime

from django.db.models import Max, Min, Model, QuerySet

ABREAST = 5  # rows that are looked at at once: one that was added late, with an older time, misleads nobody


def first_key_since(rows: QuerySet[Model], at: str, instant: datetime) -> int:
    """Returns the key from which on rows are no older; one behind the last if all are.

    Arguments:
        rows: all rows of a model.
        at: the field with their time, also of a row that they belong to, such as "notice__created_at".
    """
    ends = rows.order_by().aggregate(low=Min("pk"), high=Max("pk"))
    if ends["low"] is None:
        return 0
    low, high = ends["low"], ends["high"] + 1
    while low < high:
        middle = (low + high) // 2
        times = rows.filter(pk__gte=middle).order_by("pk").values_list(at, flat=True)[:ABREAST]
        if max(times) < instant:
            low = middle + 1
        else:
            high = middle
    return int(low)
