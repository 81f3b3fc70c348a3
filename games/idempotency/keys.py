"""Making a thing once, however often the request for it arrives: the Idempotency-Key of everything that is made.

Answers and orders keep their keys with the move; for what is no move they are kept here, for some days.
"""

import hashlib
from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import KeyReused, ServiceError
from games.models import Keyed, User

LONGEST_KEY = 200


@transaction.atomic
def once(*, user: User, key: str, asked: str, make: Callable[[], str], now: datetime) -> str:
    """The reference of what `make` makes, or has made when this person sent the same request under this key before.

    What was refused is not remembered: sent again, it is tried again. Two that come at once wait for each other.

    Arguments:
        key: of the caller's choice; "" for none, and then it is made each time.
        asked: all of the request, as text.
    Raises KeyReused for another request under the same key, ServiceError for a key that is too long, and whatever
    `make` raises.
    """
    if not key:
        return make()
    check_key(key)
    facts = {"request": _digest(asked), "created_at": now}
    row, is_new = Keyed.objects.get_or_create(user=user, key=_digest(key), defaults=facts)
    if row.request != facts["request"]:
        raise KeyReused(_("This Idempotency-Key was used for another request. Use a new one."))
    if is_new:
        row.ref = make()
        row.save(update_fields=["ref"])
    return row.ref


def check_key(key: str) -> None:
    """Raises ServiceError for a key that is too long."""
    if len(key) > LONGEST_KEY:
        raise ServiceError(_("The Idempotency-Key is too long."))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
