"""When a card is worth playing: one small function for each, in a table by its name.

Each compares the outlook of the round with the card and without it. Cards that are not in the table are never played.
"""

from collections.abc import Callable, Mapping

from engine.aladdins_dragons.board.model import Play
from engine.aladdins_dragons.bots.judgement import palace, tokens, treasure
from engine.aladdins_dragons.bots.judgement.case import Case

Judgement = Callable[[Case], float]

TABLE: Mapping[str, Judgement] = {
    "carpet": tokens.carpet,
    "double": tokens.double,
    "key": palace.key,
    "second_chance": tokens.second_chance,
    "teleport": tokens.teleport,
    "eye_for_an_eye": tokens.eye_for_an_eye,
    "lunar_eclipse": tokens.lunar_eclipse,
    "solar_eclipse": tokens.solar_eclipse,
    "last_first": tokens.last_first,
    "taboo": tokens.taboo,
    "spy": tokens.spy,
    "smuggler": tokens.smuggler,
    "city_tax": tokens.city_tax,
    "sultans_tax": tokens.sultans_tax,
    "charity": treasure.charity,
    "trade": treasure.trade,
    "donation": treasure.donation,
    "sacrifice": treasure.sacrifice,
    "dragon_leaves": treasure.dragon_leaves,
    "dragons_return": treasure.dragons_return,
    "mages_apprentice": palace.mages_apprentice,
    "mirage": palace.mirage,
    "abracadabra": palace.abracadabra,
}
"""By card what playing it brings."""

ANSWERING = {"counterspell", "parasite"}
"""They are judged by the card they answer or borrow."""


def judge(case: Case) -> float:
    """What the card brings the viewer, before what it costs."""
    match case.card:
        case "counterspell":
            return -judge(case.turned_against(_plays(case)[case.number("play")]))
        case "parasite":
            return judge(case.borrowed())
    judgement = TABLE.get(case.card)
    return judgement(case) if judgement else 0.0


def _plays(case: Case) -> list[Play]:
    frame = case.outlook.view.agenda[-1]
    return list(getattr(frame, "plays", []))
