"""Django's PostgreSQL backend with connections that do not wait for ever; ENGINE names this package.

How long a connection waits is a matter of its class (`config/database/limits.py`), for which neither Django nor psycopg
has a setting: Django calls `connect` of its driver's module. So this names another module, as Django documents for
backends (https://docs.djangoproject.com/en/5.2/ref/databases/#subclassing-the-built-in-database-backends).
"""

from types import SimpleNamespace
from typing import Any

import psycopg
from django.db.backends.postgresql import base

from config.database.limits import LimitedConnection


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with `LimitedConnection` as the class of its connections."""

    Database: Any = SimpleNamespace(**vars(psycopg) | {"connect": LimitedConnection.connect})
