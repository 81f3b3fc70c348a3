"""The whole board as plain text."""

from collections.abc import Sequence

from engine.aladdins_dragons.model import View


def describe(view: View, language: str, names: Sequence[str]) -> str:
    """The whole board as plain text, complete enough to play from."""
    return ""
