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
        "All of you move the same Aladdin in turn. The treasure he lands on in your turn is yours. The game ends when"
        " someone has 50 points; whoever has most wins."
    ),
    "lesson-move": _(
        "The die shows {roll}: choose a direction. He goes that many treasures straight on, fewer only at a wall; empty"
        " spaces don't count. Tap a lit space."
    ),
    "lesson-move-on": _("The die shows {roll}. Tap a lit space."),
    "lesson-most": _("The best you can see here is worth {most}."),
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
        "You took a genie. Tap the lit square of your own board below the cave, or another one. It brings no points"
        " itself, but fills that square for rows, columns and trios, and stays there."
    ),
    "lesson-went": _("You rolled {roll} and went from {origin} to {to}."),
    "lesson-flew": _("The carpet took you from {origin} to {to}."),
    "lesson-again": _("The monkey let you roll once more: a {roll}, from {origin} to {to}."),
    "lesson-turned": _("Turned over, it was {token}: {parts}. You have {score}."),
    "lesson-took": _("You took {token}: {parts}. You have {score}."),
    "lesson-took-genie": _("You took a genie and put it on {square}: {parts}. You have {score}."),
    "lesson-part-number": _("A treasure brings its number in points."),
    "lesson-part-row": _("It completed a row, which brings 5 once."),
    "lesson-part-column": _("It completed a column, which brings 5 once."),
    "lesson-part-trio": _("It is the third on its square, which brings 3."),
    "lesson-part-sorcerer": _("The sorcerer costs 3 in place of his number: look out for him."),
    "lesson-part-carpet": _("A princess brings 2 more where a carpet of her kind lies on your board."),
    "lesson-better": _("That was not the most to be had: on {space} you would have had {gain}."),
    "lesson-other-took": _("{seat} took {token} from {space}: {parts}, now {score}."),
    "lesson-other-genie": _("{seat} took a genie from {space}: {parts}, now {score}."),
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
    "lesson-after": _(
        "You have played a few turns. Not every character may have turned up yet; what each of them does stands below"
        " the board and in the rules."
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
