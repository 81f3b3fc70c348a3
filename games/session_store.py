"""Django's sessions in the database, read by a statement that is made once: it is the first of every request."""

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet

from notifications.clock import present
from notifications.prepared import prepared


class SessionStore(db.SessionStore):
    """What SESSION_ENGINE names."""

    def _get_session_from_db(self) -> Session | None:
        found = next(iter(_lasting(self.session_key or "", present.now())), None)
        if found is None:
            self._session_key = None  # whoever brings a key that is not known gets a new one
        return found


@prepared
def _lasting(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)
