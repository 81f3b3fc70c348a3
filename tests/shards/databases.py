"""Two PostgreSQL servers, and the accounts of the first one on the second: by logical replication of whole tables."""

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.servers import running_postgres

ACCOUNTS = (
    "notifications_recipient", "notifications_suppression", "games_user", "games_session", "games_apitoken",
    "games_trusteddevice", "games_vacation", "account_emailaddress",
)  # fmt: skip
"""What a shard must know of people to let them in, to play with them, and to write to them."""

APART = 1_000_000_000  # from where on the second server counts, should it ever write a row into one of these tables


@contextlib.contextmanager
def two_servers() -> Iterator[tuple[str, str]]:
    """Gives the addresses of two empty databases; the first one can be followed."""
    with running_postgres("wal_level=logical") as home, running_postgres() as other:
        yield home, other


def share_accounts(home: str, other: str) -> None:
    """Lets the second database follow the account tables of the first one. Both have their tables already."""
    tables = sql.SQL(", ").join(map(sql.Identifier, ACCOUNTS))
    address = urlsplit(home)
    source = f"host={address.hostname} port={address.port} user={address.username} dbname={address.path[1:]}"
    with psycopg.connect(home, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE PUBLICATION accounts FOR TABLE {}").format(tables))
    with psycopg.connect(other, autocommit=True) as connection:
        for table in ACCOUNTS:
            sequence = connection.execute(
                "SELECT a.attname, pg_get_serial_sequence(%s, a.attname) FROM pg_attribute a"
                " WHERE a.attrelid = %s::regclass AND a.attidentity <> ''",
                [table, table],
            ).fetchone()
            if sequence is not None:
                connection.execute("SELECT setval(%s, %s)", [sequence[1], APART])
        command = "CREATE SUBSCRIPTION accounts CONNECTION {} PUBLICATION accounts"
        connection.execute(sql.SQL(command).format(sql.Literal(source)))


def stop_sharing(other: str) -> None:
    """Ends the subscription, so that the first server can be stopped."""
    with psycopg.connect(other, autocommit=True) as connection:
        connection.execute("DROP SUBSCRIPTION IF EXISTS accounts")


def look(database: str, query: str) -> list[tuple[Any, ...]]:
    """Returns the rows of a query."""
    with psycopg.connect(database) as connection:
        return connection.execute(query.encode()).fetchall()
