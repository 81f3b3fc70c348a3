"""What all admin pages of the service have in common."""

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone

from notifications.admin.readonly import Lines, ReadOnly, ReadOnlyInline

__all__ = ["Lines", "ReadOnly", "ReadOnlyInline", "joined", "local"]


def joined(words: Iterable[object]) -> str:
    """Several things in one cell."""
    return ", ".join(map(str, words)) or "-"


def local(moment: datetime | None) -> str:
    """An instant in the zone of who looks, short and in order: "2026-11-22 18:30"."""
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M") if moment else "-"
