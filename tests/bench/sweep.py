"""A tick that finds 1,000 overdue questions among 1,000,000, and one that finds nothing: on PostgreSQL.

What is done there: `sweeping.py`.
"""

from tests.bench import growth


def run() -> None:
    """Prints the part."""
    growth.measure("sweeping")
