"""The sentences of the lesson."""

from engine.core.language import _

LESSON_SENTENCES = {
    "lesson-about": _(
        "Guide Aladdin through a cave of sixty treasures, take the best, and leave the next player little."
    ),
    "lesson-title-move": _("Your move"),
    "lesson-title-brought": _("What it brought"),
    "lesson-title-others": _("The others move, too"),
    "lesson-aim": _(
        "There is one Aladdin, and all of you move him in turn. The treasure on which he lands in your turn goes to"
        " your board. Whoever has most points at the end wins; it ends when someone has 50."
    ),
    "lesson-move": _(
        "The die shows {roll}. Choose a direction: he goes straight over so many treasures, or up to the wall; empty"
        " spaces do not count. Tap a lit space."
    ),
    "lesson-most": _("Of what lies open there, nothing brings more than {most} now."),
    "lesson-favourite": _("Your favourite kind: {kinds}. Each of them brings one point more."),
    "lesson-plan": _(
        "A full row or column of your board brings 5, three on one square 3. So look for kinds and numbers that you"
        " lack; some treasures lie face down and show their kind alone."
    ),
    "lesson-characters": _(
        "Some treasures carry a character: a monkey lets you roll once more, a carpet lets you fly on, a princess may"
        " bring more than her number, a sorcerer costs points. Below the board it says what each of them does."
    ),
    "lesson-carpet": _(
        "You have found a carpet: Aladdin flies on to any treasure on which no character can be seen, and you take that"
        " one too."
    ),
    "lesson-genie": _(
        "The genie stands for any treasure: put it on the square of your board where it helps you most, for instance"
        " the last one of a row. It stays there."
    ),
    "lesson-went": _("You rolled {roll} and went from {origin} to {to}."),
    "lesson-flew": _("The carpet took you from {origin} to {to}."),
    "lesson-again": _("The monkey let you roll once more: a {roll}, from {origin} to {to}."),
    "lesson-turned": _("It lay face down; turned over, it was {token}."),
    "lesson-took": _("You took {token}: {parts}. You have {score}."),
    "lesson-part-favourite": _("It is of your favourite kind, and that counts extra."),
    "lesson-part-row": _("It completed a row, which brings 5 once."),
    "lesson-part-column": _("It completed a column, which brings 5 once."),
    "lesson-part-trio": _("It is the third on its square, which brings 3."),
    "lesson-part-sorcerer": _("The sorcerer costs 3 in place of his number: look out for him."),
    "lesson-part-carpet": _("A princess brings 2 more where a carpet of her kind lies on your board."),
    "lesson-better": _("That was not the most to be had: on {space} you would have had {gain}."),
    "lesson-other-took": _("{seat} took {token} from {space}: {parts}, now {score}."),
    "lesson-stands": _(
        "Aladdin stays where he is, on {space}: the next player goes on from there. What you leave within his reach is"
        " part of your move."
    ),
    "lesson-from-there": _(
        "Now Aladdin stands on {space}, and you go on from there. Before you choose, look at what the others"
        " could reach"
        " from where you end."
    ),
    "lesson-score": _(
        "Points: {totals}. The game goes on until someone has 50, or Aladdin cannot move. Whoever has most then wins."
    ),
    "lesson-puzzle": _(
        "The die shows 2, everything lies open, and your favourite kind is rubies. On which space does Aladdin"
        " bring you"
        " the most points?"
    ),
    "lesson-less": _("Another direction brings more."),
    "lesson-choice": _("{space}: {token}"),
}
"""Sentences by code."""
