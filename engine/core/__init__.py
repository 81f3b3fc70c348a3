"""The parts that games share: questions and answers, a game as a whole in data, randomness, catalogues.

Nothing here knows any game. Nothing in `engine` knows Django, a clock, the network or a global random number
generator. The words are those of docs/glossary.md.
"""

from engine.core.games import Days, Ending, Figures, Outcome, Picture, Proposal, TableOption
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

__all__ = [
    "ActionForm",
    "Amounts",
    "Answer",
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
    "Seat",
    "StaleDecision",
    "TableOption",
    "Text",
]
