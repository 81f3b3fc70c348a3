"""Django's sessions in the database, read by a statement that is made once: it is the first of every request."""

import zlib
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.core import signing
from django.db.models import QuerySet

from notifications.clock import present
from notifications.prepared import prepared

UNREADABLE = (signing.BadSignature, TypeError, ValueError, zlib.error)
KEPT = 1000  # sessions whose data are known; each holds some hundred bytes


class SessionStore(db.SessionStore):
    """What SESSION_ENGINE names."""

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """As Django's; of data that were seen before it is known that they are ours."""
        try:
            found: dict[str, Any] = self.serializer().loads(_opened(session_data, self.key_salt))
        except UNREADABLE:  # Django says so, and has a session that holds nothing
            return super().decode(session_data)
        return found

    def _get_session_from_db(self) -> Session | None:
        found = next(iter(_lasting(self.session_key or "", present.now())), None)
        if found is None:
            self._session_key = None  # whoever brings a key that is not known gets a new one
        return found


class _AsItIs:
    """In the place of a serializer."""

    def loads(self, data: bytes) -> bytes:
        return data


@lru_cache(KEPT)
def _opened(data: bytes | str, salt: str) -> bytes:
    """What was signed."""
    found: bytes = signing.loads(data, salt=salt, serializer=_AsItIs)  # type: ignore[arg-type]  # it need not dump
    return found


@prepared
def _lasting(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)
