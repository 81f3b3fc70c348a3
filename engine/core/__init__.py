"""What all games share: the protocol of a rule set, questions and answers, randomness, catalogues.

Nothing here knows any game. Nothing in `engine` knows Django, a clock, the network or a global random number
generator. The words are those of docs/glossary.md.
"""

from engine.core.proposals import Proposal
from engine.core.questions import (
    ActionForm,
    Amounts,
    Answer,
    Choice,
    Decision,
    Field,
    IllegalAction,
    JsonObject,
    Option,
    Param,
    Question,
    Row,
    Seat,
    StaleDecision,
    Text,
)
from engine.core.rules import Bot, Days, Ending, Figures, Outcome, Picture, Rules, TableOption

__all__ = [
    "ActionForm",
    "Amounts",
    "Answer",
    "Bot",
    "Choice",
    "Days",
    "Decision",
    "Ending",
    "Field",
    "Figures",
    "IllegalAction",
    "JsonObject",
    "Option",
    "Outcome",
    "Param",
    "Picture",
    "Proposal",
    "Question",
    "Row",
    "Rules",
    "Seat",
    "StaleDecision",
    "TableOption",
    "Text",
]
