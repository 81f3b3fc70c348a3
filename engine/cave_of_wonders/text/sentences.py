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
"""What points are for."""

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
    "bot-greedy": _("Greedy: takes what looks best at the moment"),
    "bot-sultan": _("Sultan: thinks of what the next player can do, too"),
    # words of their own
    "square": "{square}",
    "kind-plural": "{kinds}",
    "landing": _("{space}, {direction}: {token}"),
    "target": "{space}: {token}",
    # what is asked
    "ask-move": _("You have rolled a {roll}: where does Aladdin go?"),
    "ask-carpet": _("The carpet: where does Aladdin fly?"),
    "ask-genie": _("The genie: on which square of your board?"),
    "hint-carpet": _("To any treasure without a visible character; you take it too."),
    "hint-genie": _(
        "It brings no points itself, but fills the square for a row, a column or a trio. It stays where you put it."
    ),
    "hint-gain": _("{gain} at once"),
    "hint-empty": _("empty"),
    # what may be answered
    "do-move": _("Move Aladdin"),
    "do-fly": _("Fly on the carpet"),
    "do-genie": _("Place the genie"),
    "field-to": _("To"),
    "field-square": _("Square"),
    # what silence does
    "default-move": _("Aladdin goes to {to}, which promises you most."),
    "default-fly": _("Aladdin flies to {to}, which promises you most."),
    "default-genie": _("The genie goes to {square}."),
    # refusals
    "no-such-space": _("There is no space {space} in the cave."),
    "no-such-square": _("There is no square {square} on a board."),
    "no-treasure": _("There is no treasure on {space}."),
    "no-landing": _("Aladdin can't reach {space} with a {roll}. He can reach {spaces}."),
    "visible-character": _("The carpet can't fly to {space}: a character can be seen there."),
    "illegal-seats": _("This game is for two to four players."),
    # what happened
    "game-began": _("The cave is filled. {start} goes first. Favourite treasures: {favourites}."),
    "rolled": _("{seat} rolls a {roll}."),
    "rolled-again": _("{seat} may move again and rolls a {roll}."),
    "moved": _("{seat} moves Aladdin from {origin} to {to}."),
    "flew": _("{seat} flies with Aladdin from {origin} to {to}."),
    "moved-unasked": _("{seat} moves Aladdin from {origin} to {to}, the only way there is."),
    "flew-unasked": _("{seat} flies with Aladdin from {origin} to {to}, the only treasure the carpet may go to."),
    "turned-over": _("{space} is turned over: {token}."),
    "genie-taken": _("{seat} has found a genie."),
    "placed": _("{seat} takes {token}: {parts}. {seat} has {score}."),
    "genie-placed": _("{seat} puts the genie on {square}: {parts}. {seat} has {score}."),
    "carpet-lapsed": _("There is nowhere for the carpet to fly; {seat} ends the turn."),
    "last-round-fifty": _("{seat} has reached 50 points. The round is played to its end."),
    "last-round-full": _("{seat} has filled a whole board. The round is played to its end."),
    "stuck": _("{seat} cannot move: there is no treasure in any direction from {space}."),
    "resigned": _("{seat} has resigned."),
    "game-ended": _("The game is over. Points: {totals}."),
    "standing-points": _("Points: {totals}."),
    # the story
    "story-lead": _("After turn {turn} {seat} leads: {totals}."),
    "story-best": _("The best move, in turn {turn}: {seat} takes {token} for {points}."),
    # endings
    "fifty-won": _("{by} has reached 50 points. {winners} wins with {points}."),
    "fifty-tie": _("{by} has reached 50 points. {winners} share the victory with {points}."),
    "full-won": _("{by} has filled a whole board. {winners} wins with {points}."),
    "full-tie": _("{by} has filled a whole board. {winners} share the victory with {points}."),
    "stuck-won": _("Aladdin cannot move any more. {winners} wins with {points}."),
    "stuck-tie": _("Aladdin cannot move any more. {winners} share the victory with {points}."),
    "round-won": _("The last round is over. {winners} wins with {points}."),
    "round-tie": _("The last round is over. {winners} share the victory with {points}."),
    "abandoned": _("The others have resigned; {winner} ends the game and wins."),
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
    "if-silent": _("If you do not answer in time: {default}"),
    "board-alt": _("The cave and the player boards of Aladdin and the Cave of Wonders, turn {turn}"),
    "roll-label": _("Roll {roll}"),
    "characters": _("What the characters do"),
}
"""Sentences by code: those of `Text`, of events, of endings and of the board in words."""

PIECE_SENTENCES = {
    "pieces-tokens": _("Tokens"),
    "pieces-treasure": _("Treasure"),
    "pieces-characters": _("Characters"),
    "pieces-name": _("Name"),
    "pieces-count": _("How many"),
    "pieces-rule": _("What it does"),
}

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
"""What a character does, in a sentence (C24 to C40)."""

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
