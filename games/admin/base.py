"""What all admin pages of the service have in common."""

from collections.abc import Iterable

from notifications.readonly import ReadOnly, ReadOnlyInline

__all__ = ["ReadOnly", "ReadOnlyInline", "joined"]


def joined(words: Iterable[object]) -> str:
    """Several things in one cell."""
    return ", ".join(map(str, words)) or "-"
