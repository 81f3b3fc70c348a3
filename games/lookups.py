"""Custom query lookups; `games.apps` registers them."""

from typing import Any

from django.db.models.lookups import In


class Among(In):
    """`code__among=rows.values("code")`: an `IN` that makes PostgreSQL evaluate the subquery first, then use the index.

    It may plan a plain `IN` as a join that starts from the whole table.
    """

    lookup_name = "among"

    def get_rhs_op(self, connection: Any, rhs: str) -> str:
        """The operator and the right-hand side in SQL."""
        if connection.vendor == "postgresql":
            return f"= ANY(ARRAY{rhs})"
        return str(super().get_rhs_op(connection, rhs))
