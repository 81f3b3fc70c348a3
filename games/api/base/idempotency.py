"""Idempotency-Key for requests that create something."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.api.base.resource import person
from games.errors import Conflict
from games.idempotency import keys
from notifications.clock import present

M = TypeVar("M", bound=Model)


def make_once(request: Request, rows: "QuerySet[M]", make: Callable[[], M]) -> M:
    """Calls `make`, or finds what it made for the same request with the same key.

    Arguments:
        rows: where to find it again, by its `ref`.
    Raises Conflict if it was deleted since, and what `make_once` of `games.idempotency.keys` raises.
    """
    made: list[M] = []

    def ref() -> str:
        made.append(make())
        found: Any = made[0]
        return str(found.ref)

    asked = json.dumps([request.method, request.path, request.data], sort_keys=True)
    key = request.headers.get("Idempotency-Key", "")
    kept = keys.make_once(user=person(request), key=key, asked=asked, make=ref, now=present.now())
    row = made[0] if made else rows.filter(ref=kept).first()
    if row is None:
        raise Conflict(_("The result of this Idempotency-Key no longer exists."))
    return row
