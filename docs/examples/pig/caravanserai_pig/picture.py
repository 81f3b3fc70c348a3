"""The board as data for board.svg: a lane for each player, as long as the way to the goal."""

from collections.abc import Sequence

from caravanserai_pig.model import View
from caravanserai_pig.words import Words
from engine.core import Picture

WIDTH, LANE, LENGTH = 390, 64, 340


def picture(view: View, language: str, names: Sequence[str]) -> Picture:
    """Lanes with their players, points and places."""
    words = Words(language, names)
    lanes = [
        {
            "name": words.name(seat),
            "score": score,
            "y": 56 + LANE * seat,
            "x": round(LENGTH * min(score, view.goal) / view.goal),
            "is_active": view.outcome is None and seat == view.active,
        }
        for seat, score in enumerate(view.scores)
    ]
    totals = [[seat, score] for seat, score in enumerate(view.scores)]
    return {
        "width": WIDTH,
        "height": 48 + LANE * view.seats,
        "length": LENGTH,
        "title": words.sentence("title"),
        "summary": words.sentence("standing", totals={"totals": totals}),
        "goal": words.sentence("goal", goal=view.goal),
        "lanes": lanes,
    }
