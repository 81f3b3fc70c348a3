"""How a game went, in numbers: made of the events its viewer may know."""

from collections.abc import Iterable

from engine.cave_of_wonders.board import events
from engine.core import Figures, Text
from engine.core.language import _

FIGURE_SENTENCES = {
    "figures-course": _("Points after each round"),
    "figures-round": _("Round {round}"),
    "figures-points": _("Points from"),
    "figures-number": _("numbers of tokens"),
    "figures-favourite": _("favourite kinds"),
    "figures-row": _("full rows"),
    "figures-column": _("full columns"),
    "figures-trio": _("trios"),
    "figures-carpet": _("a princess on the carpet"),
    "figures-sorcerer": _("sorcerers"),
    "figures-treasures": _("Treasures"),
    "figures-taken": _("taken"),
}
SOURCES = ("number", "favourite", "row", "column", "trio", "carpet", "sorcerer")


def figures(seen: Iterable[object], seats: int) -> list[Figures]:
    """The tables of statistics; `seen` are the events of a game, as their viewer may know them."""
    scores, taken = [0] * seats, [0] * seats
    sources = {source: [0] * seats for source in SOURCES}
    course: list[tuple[Text, list[int]]] = []
    turn = 0
    for event in seen:
        match event:
            case events.RollRevealed(number) if number != turn:
                if turn and turn % seats == 0:
                    course.append((Text("figures-round", {"round": turn // seats}), [*scores]))
                turn = number
            case events.TokenPlaced(seat, _token, _square, points, score):
                scores[seat] = score
                taken[seat] += 1
                for source, brought in points.items():
                    sources[source][seat] += brought
    if turn:
        course.append((Text("figures-round", {"round": -(-turn // seats)}), [*scores]))
    lines = [(Text(f"figures-{source}"), row) for source, row in sources.items() if any(row)]
    tables = [
        Figures(Text("figures-course"), course, is_course=True),
        Figures(Text("figures-points"), lines),
        Figures(Text("figures-treasures"), [(Text("figures-taken"), taken)]),
    ]
    return [table for table in tables if table.lines]
