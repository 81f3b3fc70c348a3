"""Shared parts of the admin pages."""

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone

from notifications.admin.readonly import Lines, ReadOnly, ReadOnlyInline

__all__ = ["Lines", "ReadOnly", "ReadOnlyInline", "joined", "local"]


def joined(words: Iterable[object]) -> str:
    """Joins values for one cell; "-" for none."""
    return ", ".join(map(str, words)) or "-"


def local(moment: datetime | None) -> str:
    """Formats a time in the viewer's zone: "2026-11-22 18:30"."""
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M") if moment else "-"
