"""What a beginner is told at a table of his own: a few sentences at the first decision of each kind. Basic version."""

from engine.core import Lessons, Text
from engine.core.language import _

LESSON_SENTENCES = {
    "lesson-welcome": _(
        "Whoever owns most artifacts when the last one is sold wins. Artifacts are bought in the palace with treasure,"
        " and treasure lies in the dragons' caves. You send eight tokens a round to get both."
    ),
    "lesson-treasures": _(
        "Everybody begins with treasures worth three. You will need different kinds to bribe the guard and to buy, so"
        " one of each of three kinds is a fair start. The others choose at the same time, unseen."
    ),
    "lesson-place": _(
        "Put one of your tokens face down on a space: tap it, then the space, or choose both in the form. In a cave the"
        " strongest takes the top shelf, the next the second. In the city only the strongest gets anything. In a room"
        " the strongest who got past the guard may buy first. Only you know what your tokens are worth."
    ),
    "lesson-bribe": _(
        "The tally has come to the palace. Whoever is not strong enough for the guard pays for what is missing, or"
        " stays out: then his tokens in the rooms buy nothing this round. Pay only if there is something to buy."
    ),
    "lesson-buy": _(
        "You may buy the artifact of this room. Its price is your own tokens here: each is paid by its value in one"
        " kind of treasure, every token in another kind. Artifacts are what wins: buy whenever you can."
    ),
    "lesson-market": _(
        "You are the strongest at the market: one treasure of yours for three of the bank, in any mix. There is hardly"
        " ever a reason not to."
    ),
    "lesson-camel": _(
        "Whoever has the camel goes first and wins ties; those behind see more before they place. Give it to whom it"
        " helps you most that he has it, yourself included, or leave it where it is."
    ),
    "lesson-farewell": _(
        "That is how it goes, round after round, until the last artifact is sold. The magic version adds powers to the"
        " artifacts, and 21 spells."
    ),
}

LESSONS = Lessons(
    options={"version": "basic", "tally": "step"},
    welcome=Text("lesson-welcome"),
    steps={
        "take_treasures": Text("lesson-treasures"),
        "place": Text("lesson-place"),
        "bribe": Text("lesson-bribe"),
        "buy": Text("lesson-buy"),
        "market": Text("lesson-market"),
        "camel": Text("lesson-camel"),
    },
    enough=12,
    farewell=Text("lesson-farewell"),
)
