"""What becomes of a line, between those who read it and the one who answers it."""

from dataclasses import dataclass

from notifications.models import Inbound


@dataclass(frozen=True)
class Said:
    """What became of a line, and what its writer is told."""

    state: Inbound.State
    words: str


class Refused(Exception):
    """The line does nothing; the text is for its writer."""
