"""Codes to sentences."""

from collections.abc import Sequence

from engine.aladdins_dragons.events import Event
from engine.core import Text


def say(text: Text | Event, language: str, names: Sequence[str]) -> str:
    """A sentence or an event in words."""
    return text.code if isinstance(text, Text) else type(text).__name__
