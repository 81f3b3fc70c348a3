"""Every sentence of the game by its code, in English; the catalogues in locale/ have the other languages.

`_` and `_n` only mark a sentence for the catalogues. Names in braces are filled by `engine.cave_of_wonders.text.words`.
"""

from engine.core.language import _, _n

KIND_NAMES = {"emerald": _("emerald"), "ruby": _("ruby"), "sapphire": _("sapphire"), "topaz": _("topaz")}
KIND_PLURALS = {"emerald": _("Emeralds"), "ruby": _("Rubies"), "sapphire": _("Sapphires"), "topaz": _("Topazes")}

KIND_COUNTS = {
    "emerald": _n("{count} emerald", "{count} emeralds"),
    "ruby": _n("{count} ruby", "{count} rubies"),
    "sapphire": _n("{count} sapphire", "{count} sapphires"),
    "topaz": _n("{count} topaz", "{count} topazes"),
}

TOKEN_NAMES = {
    "": _("{kind} {number}"),
    "carpet": _("{kind} {number} with the carpet"),
    "monkey": _("{kind} {number} with the monkey"),
    "princess": _("{kind} {number} with the princess"),
    "sorcerer": _("{kind} {number} with the sorcerer"),
    "genie": _("genie"),
    "hidden": _("{kind}, face down"),
}
"""A token by who is on it; "hidden" lies face down."""

DIRECTION_NAMES = {
    "right": _("right"),
    "down-right": _("down to the right"),
    "down-left": _("down to the left"),
    "left": _("left"),
    "up-left": _("up to the left"),
    "up-right": _("up to the right"),
}

PART_NAMES = {
    "number": _("number"),
    "sorcerer": _("sorcerer"),
    "favourite": _("favourite"),
    "carpet": _("princess on the carpet"),
    "row": _("row"),
    "column": _("column"),
    "trio": _("trio"),
}
"""Names of the parts of a score."""

FIELD_NAMES = {"to": _("Space"), "square": _("Square"), "type": _("Kind of answer")}

SENTENCES = {
    # the table and its options
    "title": _("Aladdin and the Cave of Wonders"),
    "option-equal-turns": _("Equal turns"),
    "option-equal-turns-hint": _(
        "The round in which someone reaches 50 points is played to its end. Otherwise going first is an advantage."
    ),
    "option-full-distance": _("Full distance"),
    "option-full-distance-hint": _("If some direction allows the full number of the die, shorter moves are not legal."),
    "yes": _("Yes"),
    "no": _("No"),
    "bot-random": _("Random: answers anything allowed"),
    "bot-careless": _("Careless: plays like Greedy, with mistakes"),
    "bot-greedy": _("Greedy: takes what looks best at the moment"),
    "bot-planner": _("Planner: thinks of the next player now and then"),
    "bot-sultan": _("Sultan: thinks of what the next player can do, too"),
    "bot-vizier": _("Vizier: like Sultan, and looks deeper"),
    # words of their own
    "square": "{square}",
    "kind-plural": "{kinds}",
    "landing": _("{space}, {direction}: {token}"),
    "target": "{space}: {token}",
    # what is asked
    "ask-move": _("You rolled {roll}. Where to?"),
    "ask-carpet": _("The carpet: where does Aladdin fly?"),
    "ask-genie": _("The genie: on which square of your board?"),
    "hint-carpet": _("To any treasure without a visible character; you take it too."),
    "hint-genie": _("It brings no points itself, but fills the square for a row, a column or a trio."),
    "hint-gain": _("{gain} at once"),
    "hint-empty": _("empty"),
    # what may be answered
    "do-move": _("Move Aladdin"),
    "do-fly": _("Fly on the carpet"),
    "do-genie": _("Place the genie"),
    "button-go": _("Go"),
    "field-to": _("To"),
    "field-square": _("Square"),
    # what silence does
    "default-move": _("Aladdin goes to {to}, your best bet."),
    "default-fly": _("Aladdin flies to {to}, your best bet."),
    "default-genie": _("The genie goes to {square}."),
    # refusals
    "no-such-space": _("There is no space {space} in the cave."),
    "no-such-square": _("There is no square {square} on a board."),
    "no-treasure": _("There is no treasure on {space}."),
    "no-landing": _("Aladdin can't reach {space} with a {roll}. He can reach {spaces}."),
    "visible-character": _("The carpet can't fly to {space}: a character can be seen there."),
    "illegal-seats": _("This game is for two to four players."),
    # what happened
    "standing-points": _("Points: {totals}."),
    # the story
    "story-lead": _("After turn {turn} {seat} leads: {totals}."),
    "story-lead-you": _("After turn {turn} you lead: {totals}."),
    "story-best": _("The best move, in turn {turn}: {seat} takes {token} for {points}."),
    "story-best-you": _("The best move, in turn {turn}: You take {token} for {points}."),
    # endings
    "fifty-won": _("{by} has reached 50 points. {winners} wins with {points}."),
    "fifty-won-winners-you": _("{by} has reached 50 points. You win with {points}."),
    "fifty-won-by-you-winners-you": _("You have reached 50 points. You win with {points}."),
    "fifty-won-by-you": _("You have reached 50 points. {winners} wins with {points}."),
    "fifty-tie": _("{by} has reached 50 points. {winners} share the victory with {points}."),
    "fifty-tie-by-you": _("You have reached 50 points. {winners} share the victory with {points}."),
    "full-won": _("{by} has filled a whole board. {winners} wins with {points}."),
    "full-won-winners-you": _("{by} has filled a whole board. You win with {points}."),
    "full-won-by-you-winners-you": _("You have filled a whole board. You win with {points}."),
    "full-won-by-you": _("You have filled a whole board. {winners} wins with {points}."),
    "full-tie": _("{by} has filled a whole board. {winners} share the victory with {points}."),
    "full-tie-by-you": _("You have filled a whole board. {winners} share the victory with {points}."),
    "stuck-won": _("Aladdin can't move any more. {winners} wins with {points}."),
    "stuck-won-winners-you": _("Aladdin can't move any more. You win with {points}."),
    "stuck-tie": _("Aladdin can't move any more. {winners} share the victory with {points}."),
    "round-won": _("The last round is over. {winners} wins with {points}."),
    "round-won-winners-you": _("The last round is over. You win with {points}."),
    "round-tie": _("The last round is over. {winners} share the victory with {points}."),
    "abandoned": _("The others have resigned; {winner} ends the game and wins."),
    "abandoned-winner-you": _("The others have resigned; you end the game and win."),
    # the board in words
    "turn": _("Turn {turn}"),
    "rolled-now": _("{seat} has rolled a {roll}."),
    "carpet-now": _("{seat} chooses where the carpet flies."),
    "genie-now": _("{seat} chooses a square for the genie."),
    "between": _("The turn is over."),
    "over": _("The game is over"),
    "last-round": _("This is the last round."),
    "rules-equal": _("Equal turns: the last round is played to its end."),
    "rules-full": _("Full distance: shorter moves only where no direction allows the full number."),
    "cave": _("The cave, row by row from the left"),
    "cave-legend": _(
        "E emerald, R ruby, S sapphire, T topaz, with their numbers; E? lies face down; - is empty; * is Aladdin."
    ),
    "mark-legend": _(
        "c carpet, m monkey, p princess, s sorcerer, G genie; on a board x is a treasure without character."
    ),
    "left-in-cave": _("Face down in the cave: {kinds}. Nobody knows their numbers."),
    "lines-title": _("From {space}, nearest first"),
    "line": "{direction}: {tokens}",
    "wall": _("no treasure"),
    "player": _("{name}: {score}, favourite {kind}"),
    "player-marked": _("{name} ({marks}): {score}, favourite {kind}"),
    "you": _("you"),
    "to-play": _("to play"),
    "went-first": _("went first"),
    "resigned-mark": _("resigned"),
    "row-done": _("row complete"),
    "columns-done": _("columns complete: {numbers}"),
    "nothing": _("nothing"),
    "no-points": _("no points"),
    "asked": _("Your turn"),
    "answers": _("You may answer:"),
    "if-silent": _("If you don't answer in time: {default}"),
    "board-alt": _("The cave and the player boards of Aladdin and the Cave of Wonders, turn {turn}"),
    "roll-label": _("Roll {roll}"),
    "characters": _("What the characters do"),
    # THE BOX: heads of its tables on the page of the rules
    "pieces-tokens": _("Tokens"),
    "pieces-treasure": _("Treasure"),
    "pieces-characters": _("Characters"),
    "pieces-name": _("Name"),
    "pieces-count": _("How many"),
    "pieces-rule": _("What it does"),
    # STANDING ORDERS: what can be answered in advance, and on what it may depend
    # kinds of decision
    "order-move": _("When you move Aladdin"),
    "order-carpet": _("When you fly on the carpet"),
    "order-genie": _("When you place a genie"),
    # answers that are made exact when the time comes
    "wish-kind": _("Take the best treasure of a kind"),
    "wish-character": _("Take a treasure with this character"),
    "wish-best": _("Take what is sure to bring most"),
    "wish-square": _("Put it where it brings most at once"),
    "field-kind": _("Kind"),
    "field-character": _("Character"),
    "field-seat": _("Player"),
    "field-is": _("How"),
    "field-value": _("Number"),
    "at-least": _("at least"),
    "at-most": _("at most"),
    "number": "{value}",
    "space": "{space}",
    "seat": "{seat}",
    "hidden-character": _("nobody to be seen"),
    "character-carpet": _("the carpet"),
    "character-monkey": _("the monkey"),
    "character-princess": _("the princess"),
    "character-sorcerer": _("the sorcerer"),
    # what an order may depend on
    "fact-points": _("My points"),
    "fact-lead": _("My points above the best of the others"),
    "fact-behind": _("The best of the others above me"),
    "fact-points_of": _("Points of a player"),
    "fact-roll": _("The number I rolled"),
    "fact-gain": _("The best choice surely brings"),
    "fact-left": _("Treasures left in the cave"),
    "fact-reach": _("Among my choices is"),
    "fact-filled": _("On my board is filled"),
    # PROPOSALS
    "why-most": _("Nothing else is sure to bring more than {gain}."),
    "why-again": _("It brings {gain}, and another token after it."),
    "why-next": _("It brings {gain}, and is best with the next turn in view."),
    "why-hidden": _("It lies face down and brings about {gain} on average."),
    "why-genie": _("There the genie brings {gain} at once."),
    "why-later": _("There the genie helps most to complete a row or a column."),
    # THE LESSON
    "lesson-about": _("Roll, walk, grab. First to 50 points wins."),
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
    # PUZZLES: kinds, and the rule that helps with each
    "puzzle-move": _("Cave path"),
    "puzzle-carpet": _("Carpet"),
    "puzzle-genie": _("Genie"),
    "puzzle-hint-move": _(
        "Where Aladdin lands, the next player goes on. Full rows and columns, and trios, bring a bonus."
    ),
    "puzzle-hint-carpet": _("The carpet flies to any token without an open character, and Aladdin stays there."),
    "puzzle-hint-genie": _(
        "A genie fits any square and brings nothing itself: look for a row, column or trio it fills."
    ),
    # REPLIES: further names of things for answers by email; the first is the one examples use
    "words-move": _("move, go"),
    "words-fly": _("fly"),
    "words-place_genie": _("genie, place the genie"),
    # kinds of order, and answers that are made exact when the time comes
    "words-order-move": _("moving"),
    "words-order-carpet": _("carpet, flying"),
    "words-order-genie": _("genie"),
    "words-take_best": _("best, take best, take the best"),
    "words-take_kind": _("best of, take"),
    "words-take_character": _("take with, with"),
    "words-best_square": _("best square"),
    # what an order may depend on
    "words-fact-points": _("points, my points"),
    "words-fact-lead": _("lead, my lead"),
    "words-fact-behind": _("behind, I am behind by"),
    "words-fact-points_of": _("points of"),
    "words-fact-roll": _("roll, my roll"),
    "words-fact-gain": _("gain"),
    "words-fact-left": _("left, left in the cave"),
    "words-fact-reach": _("reach, I reach"),
    "words-fact-filled": _("filled"),
}
"""Sentences by code: those of `Text`, of events, of endings and of the board in words."""


CHARACTER_NAMES = {
    "carpet": _("Carpet"),
    "monkey": _("Monkey"),
    "princess": _("Princess"),
    "sorcerer": _("Sorcerer"),
    "genie": _("Genie"),
}

CHARACTER_RULES = {
    "carpet": _("Aladdin flies on: to any token that lies face down or shows no character, and you take it too."),
    "monkey": _("You roll and move again, and take that token too."),
    "princess": _("One of your favourite kind brings 2 points more; so does a carpet of her kind on your board."),
    "sorcerer": _("He costs 3 points in place of his number; 2 if he is of your favourite kind."),
    "genie": _(
        "You put it on any square of your board. It brings no points itself, but fills that square for rows, columns"
        " and trios."
    ),
}
"""The rule of each character, in a sentence (C24 to C40)."""

KIND_LETTERS = {"emerald": _("E"), "ruby": _("R"), "sapphire": _("S"), "topaz": _("T")}
"""Kinds in the board in words; those of other languages may differ."""

CHARACTER_LETTERS = {
    "carpet": _("c"),
    "monkey": _("m"),
    "princess": _("p"),
    "sorcerer": _("s"),
    "genie": _("G"),
}

PLURALS = {
    "points": ("count", *_n("{count} point", "{count} points")),
    "hint-move": (
        "roll",
        *_n(
            "In a straight line over {roll} treasure, or up to the wall. Empty spaces are jumped.",
            "In a straight line over {roll} treasures, or up to the wall. Empty spaces are jumped.",
        ),
    ),
    "hint-stack": ("count", *_n("{count} treasure there", "{count} treasures there")),
}
"""Sentences that depend on a number: (which parameter, singular, plural)."""

LISTS = {"pair": _("{first} and {last}"), "join": _(", ")}
"""How a list of things is written: "a, b and c"."""
