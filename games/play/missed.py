"""What is played for whoever has missed a deadline, as the table says, and the words that say so beforehand."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.utils.translation import gettext as _
from msgspec import to_builtins

from engine.core import Answer, JsonObject, Question, Text
from engine.orders.answers import SHEET
from games.play import locking, proposals, queries
from games.play.models import Decision
from games.tables.models import Game

logger = logging.getLogger(__name__)
FORFEITED = Text("orders.default-sheet-nothing")
PROPOSED = Text("proposal")  # no sentence of the rules


@dataclass(frozen=True)
class StandIn:
    """An answer in place of a player.

    Arguments:
        action: as JSON gives it; None for the rules' default.
        told: what the notice about it says: of a sealed answer nothing else can be told.
    """

    action: Answer | None
    told: JsonObject


def stand_in(row: Decision, now: datetime) -> StandIn:
    """The answer to a decision whose player has missed its deadline; `game` and `seat` of it are set.

    Where the rules find nothing to propose they do what they do by default.
    """
    if row.game.missed == Game.Missed.PROPOSAL:
        proposed = proposals.load_or_make(row, now)
        if proposed is not None:
            return StandIn(proposals.playable_answer(proposed), {"is_proposal": True})
    if row.game.missed == Game.Missed.DEFAULT and row.kind == SHEET:
        return StandIn(_forfeit(row), {"silence": to_builtins(FORFEITED)})
    return StandIn(None, _silence(row))


def in_words(game: Game, question: Question, say: Callable[[Text], str]) -> str:
    """What happens to a question that nobody answers in time."""
    text = silence_of(game, question)
    return _("The proposal is played for you.") if text == PROPOSED else say(text)


def silence_of(game: Game, question: Question) -> Text:
    """The same as a code: that of the rules, or one of the two that belong to a table."""
    if game.missed == Game.Missed.PROPOSAL:
        return PROPOSED
    is_round = game.missed == Game.Missed.DEFAULT and question.decision.kind == SHEET
    return FORFEITED if is_round else question.default


def _forfeit(row: Decision) -> Answer | None:
    """The sheet that leaves its whole round to the defaults."""
    rules = row.game.rules
    try:
        state = row.game.look_at_state()
        action = rules.forfeit(state, rules.open(state, row.code, row.seat.number).decision)
        return msgspec.json.decode(rules.dump_action(action), type=dict[str, object])
    except locking.NOT_ENGINE_FAILURES:
        raise
    except Exception:  # a state the rules cannot read: to answer in it puts the game into quarantine
        logger.exception("Decision %s cannot be left to the defaults", row.ref)
        return None


def _silence(row: Decision) -> JsonObject:
    """What the rules say they do for whoever is silent."""
    try:
        asked = queries.open_questions(queries.Access(row.game, row.seat))
    except locking.NOT_ENGINE_FAILURES:
        raise
    except Exception:  # as above
        logger.exception("What decision %s would come to by silence cannot be said", row.ref)
        return {}
    default = next((one.question.default for one in asked if one.question.decision.id == row.code), None)
    return {"silence": to_builtins(default)} if default else {}
