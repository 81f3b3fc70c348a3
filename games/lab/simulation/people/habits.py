"""Who plays: the habits of three populations, where people live, and the bots that stand for how they think."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from random import Random

ZONES = (
    "Pacific/Auckland", "Asia/Tokyo", "Asia/Kolkata", "Africa/Nairobi", "Europe/Madrid", "Europe/London",
    "America/Sao_Paulo", "America/New_York", "America/Denver", "America/Los_Angeles",
)  # fmt: skip
"""Where people live: spread over the world."""


@dataclass(frozen=True)
class Habits:
    """How people play; the values here are those of ordinary people. Shares are between 0 and 1.

    Arguments:
        answer_hours: median time from a mail to looking at the game, in waking hours; lognormal.
        spread: sigma of that distribution.
        wakes, sleeps: by the wall clock of each person's zone; outside nobody acts.
        whim: share of answers that are drawn at random instead of chosen with care.
        forgets: share of mails that are never acted on; the next one may be.
        away_share: share of people who go away once in a game without a word, for `away_days` days.
        twice: share of answers that are sent a second time (a double click).
        stale: share of visits that begin with a page of an earlier question.
        sheets: share of the round sheets that are filled in; the others stay empty.
        ordered: share of the filled sheets that order every token; the others order half of them.
        rest: share of single placements at which the rest of the round is ordered as well.
        plans: share of plans that are complete: bribe, Key, purchases, Market, camel, Tent, what cards ask.
        ahead: share of filled sheets that are the plan for the tally as well.
        asks: share of plans that say "ask me" at one window.
        even_so: share of sheets and plans that hold whatever others play.
        comfort: share of passes by which one passes for longer than once.
        stays: share of visits that go on while the page, within seconds, shows the next question.
        accepts: share of proposals that are taken as they are, with one tap.
        edits: share of proposals that are changed a little; the others are not looked at.
        steward, steward_hours: share of people who want a steward where nobody must have one, and after how many of
            their waking hours he shall act.
        taken_back: share of games that a moderator takes back to an earlier step, once.
    """

    answer_hours: float = 5.0
    spread: float = 1.0
    wakes: time = time(7, 30)
    sleeps: time = time(23, 30)
    whim: float = 0.1
    forgets: float = 0.02
    away_share: float = 0.1
    away_days: float = 5.0
    twice: float = 0.03
    stale: float = 0.03
    sheets: float = 0.9
    ordered: float = 0.95
    rest: float = 0.8
    plans: float = 0.9
    ahead: float = 0.9
    asks: float = 0.08
    even_so: float = 0.3
    comfort: float = 0.7
    stays: float = 0.8
    accepts: float = 0.5
    edits: float = 0.2
    steward: float = 0.0
    steward_hours: float = 8.0
    taken_back: float = 0.0


ORDINARY = Habits()
KEEN = Habits(
    sheets=0.98,
    ordered=0.99,
    rest=0.95,
    plans=0.98,
    ahead=0.98,
    asks=0.02,
    even_so=0.6,
    comfort=0.9,
    accepts=0.2,
    edits=0.6,
)
"""People who like the form: one sheet in fifty is not filled in, one plan in fifty is not complete."""
CASUAL = Habits(
    sheets=0.45,
    ordered=0.5,
    rest=0.4,
    plans=0.45,
    ahead=0.45,
    asks=0.16,
    even_so=0.15,
    comfort=0.35,
    accepts=0.7,
    edits=0.1,
)
"""People who do not: every habit of diligence at half, all of them together."""
NAIVE = Habits(sheets=0.0, rest=0.0, plans=0.0, ahead=0.0, asks=0.0, comfort=0.0)
"""Ordinary people who are asked everything."""

POPULATIONS: Mapping[str, Habits] = {"keen": KEEN, "ordinary": ORDINARY, "casual": CASUAL}

GREEDY, SULTAN, MIXED = "greedy", "sultan", "mixed"
MINDS = (GREEDY, SULTAN, MIXED)
"""How people think: as this bot does, or each person as one of the two, drawn from the seed."""


def mind_of(minds: str, dice: Random) -> str:
    """The bot that stands for one person at a table of such minds."""
    return dice.choice((GREEDY, SULTAN)) if minds == MIXED else minds
