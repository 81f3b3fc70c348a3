"""What is asked, for every game: one decision among those that are open."""

from collections.abc import Iterable

from engine.core import Decision, Seat, StaleDecision


def find_among(decisions: Iterable[Decision], decision: str, seat: Seat) -> Decision:
    """The one with that id and seat; those behind it are not looked at. Raises StaleDecision if there is none."""
    for candidate in decisions:
        if candidate.id == decision and candidate.seat == seat:
            return candidate
    raise StaleDecision("stale")
