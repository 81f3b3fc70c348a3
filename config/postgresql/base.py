"""Django's PostgreSQL, whose server may plan a statement once, and which is not asked before each request how it is.

Django binds parameters on our side, so that each statement is a new one to the server, which parses and plans it anew:
for most of ours that takes longer than answering. `DatabaseWrapper.planned_cursor` is for those that are asked again
and again (`notifications/prepared.py`, `notifications/written.py`); all else is as Django has it.
"""

import re
import select
import time
from datetime import UTC, datetime
from functools import lru_cache
from itertools import count
from types import SimpleNamespace
from typing import Any, Self

import msgspec
import psycopg
from django.db.backends.postgresql import base, operations
from psycopg import OperationalError, RawCursor, adapters, errors
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format, TransactionStatus

from config.database_limits import SESSION, LimitedConnection, is_limited
from config.planning import PLANNED, Planning

TRUSTED = 5.0  # seconds after its last answer in which a connection that says nothing is taken to be well
PLACES = re.compile("%[s%]")
STATEMENTS = 1000  # whose places are kept; there are some hundred
INSTANTS = 100  # whose text is kept


class Untyped(Dumper):
    """Sends a value as text, whose type the server finds out from what it stands beside.

    psycopg would give each its own, by its size for a number and none for None, and each mixture of types would be a
    statement of its own.
    """

    def dump(self, obj: Any) -> bytes:
        """As the server reads it."""
        return str(obj).encode()


class UntypedInstant(Untyped):
    """The same of instants."""

    def dump(self, obj: datetime) -> bytes:
        """As the server reads it."""
        return _of_utc(obj) if obj.tzinfo is UTC else super().dump(obj)


class JsonLoader(Loader):
    """Of what statements make as they are carried out together; what is stored is read by its field."""

    def load(self, data: Buffer) -> Any:
        """As msgspec has it, which is faster than Python."""
        return msgspec.json.decode(data)


class PlannedCursor(RawCursor[Any]):
    """Its statements are parsed and planned once for each connection (psycopg: `prepare_threshold`), unless that is
    switched off by this option being None.

    A value may be None, a text, a number, a truth value, an instant, or something that psycopg knows the type of (of a
    list of numbers it does not). A connection keeps it (`config/planning.py`): so it finds out once how values are
    read, and reads instants by what psycopg has in C, where Django has its own in Python. The places of values are
    numbered once in each statement: psycopg looks for them anew in each that is long or has many.
    """

    def __init__(self, connection: Any) -> None:
        super().__init__(connection)
        of_instants = adapters.get_loader(adapters.types["timestamptz"].oid, Format.TEXT)
        assert of_instants is not None
        self.adapters.register_loader("timestamptz", of_instants)
        self.adapters.register_loader("json", JsonLoader)
        self.adapters.register_dumper(int, Untyped)
        self.adapters.register_dumper(bool, Untyped)
        self.adapters.register_dumper(datetime, UntypedInstant)

    def close(self) -> None:
        """Nothing: it is used again."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> Self:
        """As psycopg's, whatever was changed in the tables since the statement was planned."""
        statement = query if params is None else _numbered(query)
        try:
            return super().execute(statement, params, **how)
        except errors.FeatureNotSupported as error:  # "cached plan must not change result type": somebody has migrated
            if self.connection.info.transaction_status != TransactionStatus.IDLE:
                # The transaction is lost, and with its end psycopg forgets all plans: it need only be tried again.
                raise OperationalError(str(error)) from error
            super().execute("DEALLOCATE ALL", prepare=False)
            return super().execute(statement, params, **how)


@lru_cache(INSTANTS)
def _of_utc(instant: datetime) -> bytes:
    """Python takes a while to write one, and most are the moment of a move, which is in all its rows."""
    return str(instant).encode()


@lru_cache(STATEMENTS)
def _numbered(query: str) -> bytes:
    """The statement as PostgreSQL reads it."""
    numbers = count(1)
    return PLACES.sub(lambda place: "%" if place[0] == "%%" else f"${next(numbers)}", query).encode()


class DatabaseOperations(operations.DatabaseOperations):
    """With the words of what a planned cursor has asked, for whoever logs or counts statements."""

    def last_executed_query(self, cursor: Any, sql: Any, params: Any) -> Any:
        """The statement with its values in it."""
        if isinstance(cursor, PlannedCursor):
            return self.compose_sql(sql, params)
        return super().last_executed_query(cursor, sql, params)


class DatabaseWrapper(Planning, base.DatabaseWrapper):
    """What ENGINE names."""

    Database: Any = SimpleNamespace(**vars(psycopg) | {"connect": LimitedConnection.connect})
    ops_class = DatabaseOperations
    _answered_at = 0.0

    def get_new_connection(self, conn_params: Any) -> Any:
        """As Django's; where waits are limited the server is told its own limits, unless a pooler is between."""
        self._answered_at = time.monotonic()
        if is_limited() and "options" in conn_params:
            limits = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
            conn_params = conn_params | {"options": f"{conn_params['options']} {limits}"}
        return super().get_new_connection(conn_params)

    def create_cursor(self, name: str | None = None) -> Any:
        """As Django's; PLANNED is one of ours."""
        return PlannedCursor(self.connection) if name == PLANNED else super().create_cursor(name)

    def is_usable(self) -> bool:
        """Whether the database still listens: it is asked only after some silence, or if there was an error.

        When it ends a connection it says so, or its side is closed; either can be seen here without a round trip.
        """
        now = time.monotonic()
        is_trusted = not self.errors_occurred and now - self._answered_at < TRUSTED and self._is_quiet()
        if is_trusted or super().is_usable():
            self._answered_at = now
            return True
        return False

    def _is_quiet(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN)
        return not waiting.poll(0)
