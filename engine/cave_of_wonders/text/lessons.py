"""What a beginner is told at a table of his own: a few sentences at the first decision of each kind."""

from engine.core import Lessons, Text
from engine.core.language import _

LESSON_SENTENCES = {
    "lesson-welcome": _(
        "One Aladdin walks through the cave, and all of you guide him in turn. The treasure on which he lands in your"
        " turn is yours and goes to your board. Whoever has most points at the end wins."
    ),
    "lesson-move": _(
        "The die has been rolled; you choose the direction. Aladdin goes in a straight line over as many treasures as"
        " the die says, and empty spaces do not count. Tap one of the lit spaces. A token brings its number, one more"
        " of your favourite kind, and five for a full row or column of your board. Some lie face down: you see their"
        " kind, not their number."
    ),
    "lesson-carpet": _(
        "You have found a carpet: Aladdin flies on to any treasure on which no character can be seen, and you take"
        " that one too."
    ),
    "lesson-genie": _(
        "The genie stands for any treasure: put it on the square of your board where it helps you most, for instance"
        " the last one of a row. It stays there."
    ),
    "lesson-farewell": _(
        "That is all there is to do. Watch out for where Aladdin stands after your turn, for the next player goes on"
        " from there."
    ),
}

LESSONS = Lessons(
    options={},
    welcome=Text("lesson-welcome"),
    steps={"move": Text("lesson-move"), "carpet": Text("lesson-carpet"), "genie": Text("lesson-genie")},
    enough=5,
    farewell=Text("lesson-farewell"),
)
