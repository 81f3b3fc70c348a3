"""Sessions in the database, useless to a reader of it: keys are stored as keyed hashes, data are encrypted.

The query that loads a session is compiled once, as every request begins with it.
"""

from datetime import datetime

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from games.people.models import Session
from notifications.clock import present
from notifications.database.compiled_query import compiled
from notifications.database.sealed import seal, unseal


def hashed(key: str) -> str:
    """Returns the primary key of the session in a cookie (HMAC-SHA256 under SECRET_KEY)."""
    return salted_hmac("games.session", key, algorithm="sha256").hexdigest()


class SessionStore(db.SessionStore):
    """The session store that SESSION_ENGINE names. `session_key` is the value of the cookie; it is not stored."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Returns our model."""
        return Session

    def create_model_instance(self, data: dict[str, object]) -> Session:
        """Makes the row for these data, with the user it belongs to."""
        row = super().create_model_instance(data)
        return Session(
            session_key=hashed(row.session_key),
            session_data=row.session_data,
            expire_date=row.expire_date,
            user_id=int(str(data[SESSION_KEY])) if SESSION_KEY in data else None,
        )

    def encode(self, session_dict: dict[str, object]) -> str:
        """Encrypts the data for the database."""
        return seal(self.serializer().dumps(session_dict).decode("latin-1"))

    def decode(self, session_data: bytes | str) -> dict[str, object]:
        """Returns the stored data; {} and a log line if it was not sealed with our keys."""
        sealed = session_data if isinstance(session_data, str) else session_data.decode("latin-1")
        try:
            found: dict[str, object] = self.serializer().loads(unseal(sealed).encode("latin-1"))
        except ValueError:  # as Django's: a session that holds nothing
            return {}
        return found

    def exists(self, session_key: str) -> bool:
        """Returns whether there is a session with this key."""
        return super().exists(hashed(session_key))

    def load(self) -> dict[str, object]:
        """Loads the data; {} for an unknown key, which is replaced by a new one."""
        row = next(iter(_lasting(hashed(self.session_key or ""), present.now())), None)
        if row is None:
            self.flush()
            return {}
        return self.decode(row.session_data)

    def delete(self, session_key: str | None = None) -> None:
        """Deletes the session with this key, or this session."""
        key = session_key or self.session_key
        if key is not None:
            Session.objects.filter(pk=hashed(key)).delete()


@compiled()
def _lasting(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)
