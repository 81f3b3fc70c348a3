"""Lookups of our own for queries; `games.apps` registers them."""

from typing import Any

from django.db.models.lookups import In


class Among(In):
    """`code__among=rows.values("code")`: an `IN` of which PostgreSQL finds the few values first, and then by an index
    what has them. Of `IN` it may make a join that begins with all there is, and asks once more for each row of it."""

    lookup_name = "among"

    def get_rhs_op(self, connection: Any, rhs: str) -> str:
        """What stands behind the field: the operator and the values."""
        if connection.vendor == "postgresql":
            return f"= ANY(ARRAY{rhs})"
        return str(super().get_rhs_op(connection, rhs))
