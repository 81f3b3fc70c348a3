"""Every sentence of the game by its code, in English, marked for the catalogues; `words.Words` fills in the braces."""

from engine.core.language import _, _n

KIND_NAMES = {
    "crown": _("Crowns"),
    "pearl": _("Pearls"),
    "gem": _("Gemstones"),
    "trophy": _("Trophies"),
    "gold": _("Gold bars"),
}

KIND_COUNTS = {
    "crown": _n("{count} crown", "{count} crowns"),
    "pearl": _n("{count} pearl", "{count} pearls"),
    "gem": _n("{count} gemstone", "{count} gemstones"),
    "trophy": _n("{count} trophy", "{count} trophies"),
    "gold": _n("{count} gold bar", "{count} gold bars"),
}

SPACE_NAMES = {
    "cave-crown": _("Crown cave"),
    "cave-pearl": _("Pearl cave"),
    "cave-gem": _("Gemstone cave"),
    "cave-trophy": _("Trophy cave"),
    "cave-gold": _("Gold cave"),
    "tent": _("Aladdin's tent"),
    "djinn": _("House of the Djinn"),
    "market": _("Market"),
    "caravanserai": _("Caravanserai"),
    "guard": _("Palace guard"),
    "room-1": _("Room 1"),
    "room-2": _("Room 2"),
    "room-3": _("Room 3"),
    "room-4": _("Room 4"),
    "room-5": _("Room 5"),
}

SPACE_SHORT = {
    "cave-crown": _("Crowns"),
    "cave-pearl": _("Pearls"),
    "cave-gem": _("Gemstones"),
    "cave-trophy": _("Trophies"),
    "cave-gold": _("Gold"),
    "tent": _("Tent"),
    "djinn": _("Djinn"),
    "guard": _("Guard"),
}
"""Shorter names where there are any."""

SPACE_PLACES = {
    "cave-crown": _("in the crown cave"),
    "cave-pearl": _("in the pearl cave"),
    "cave-gem": _("in the gemstone cave"),
    "cave-trophy": _("in the trophy cave"),
    "cave-gold": _("in the gold cave"),
    "tent": _("in Aladdin's tent"),
    "djinn": _("in the house of the Djinn"),
    "market": _("at the market"),
    "caravanserai": _("at the caravanserai"),
    "guard": _("at the palace guard"),
    "room-1": _("in room 1"),
    "room-2": _("in room 2"),
    "room-3": _("in room 3"),
    "room-4": _("in room 4"),
    "room-5": _("in room 5"),
}
"""Where something happens, with its preposition."""

FIELD_NAMES = {
    "amounts": _("Treasure"),
    "card": _("Card"),
    "give": _("What you give"),
    "pay": _("What you pay"),
    "play": _("Card that was played"),
    "seat": _("Player"),
    "space": _("Space"),
    "take": _("What you take"),
    "to": _("Where it goes"),
    "token": _("Token"),
    "type": _("Kind of answer"),
}

SENTENCES = {
    # the table and its options
    "title": _("Aladdin's Dragons"),
    "option-version": _("Version"),
    "version-magic": _("Magic"),
    "version-basic": _("Basic"),
    "option-version-hint": _("Magic has six artifacts with powers, 21 spells, and windows in which cards are played."),
    "option-last-first": _("And the last will be the first"),
    "last-first-reverse": _("The weakest counts as the strongest"),
    "last-first-swap19": _("A 1 counts as 9, a 9 as 1"),
    "option-last-first-hint": _("What this spell does is not in the rulebook. Magic version only."),
    "option-open-hoards": _("Open hoards"),
    "option-open-hoards-hint": _("Everyone can see everyone's treasure. It can be worked out from the log anyway."),
    "option-safety-stop": _("Safety stop"),
    "option-safety-stop-hint": _("The game ends after round 30 at the latest, with the usual ranking."),
    "yes": _("Yes"),
    "no": _("No"),
    "bot-random": _("Random: answers anything allowed"),
    "bot-greedy": _("Greedy: takes what looks best at the moment"),
    "bot-sultan": _("Sultan: tries what a whole round may bring"),
    # words of their own
    "kind": "{kind}",
    "seat": "{seat}",
    "space": "{space}",
    "token": "{value}",
    "group-caves": _("Dragon caves"),
    "group-city": _("City"),
    "group-palace": _("Caliph's palace"),
    # what is asked
    "ask-take": _("Choose {total} treasures to start with"),
    "ask-place": _("Round {round}: place a token"),
    "ask-market": _("Exchange one treasure for three at the market?"),
    "ask-camel": _("You won the caravanserai. Who gets the camel?"),
    "hint-camel": _("The camel's owner goes first and wins ties. Now: {seat}."),
    "hint-own-camel": _("yourself: you take it"),
    "ask-bribe": _("Bribe the guard with {price} to enter the palace?"),
    "ask-enter": _("You have no token at the guard. Play a card to enter the palace?"),
    "hint-bribe": _("The guard has strength {guard}, your tokens there {strength}. You have {amounts}."),
    "hint-bribe-too-much": _("You can't afford it: guard {guard}, your tokens {strength}. You have {amounts}."),
    "ask-buy-card": _("Buy the {card} {at} for {price}?"),
    "ask-buy-lamp": _("Buy {card} {at} for {price}?"),
    "hint-buy": _("You have {amounts}. Nobody else can buy it this round."),
    "hint-buy-next": _("You have {amounts}. If you don't buy it, next in line: {seats}."),
    "hint-too-dear": _(
        "You can't pay: each token here costs its number of one kind, all different. You have {amounts}."
    ),
    "hint-too-dear-next": _(
        "You can't pay with {amounts}: one kind for each token, all different. Next in line: {seats}."
    ),
    "hint-sealed": _("Everyone chooses at the same time. You can change your choice until all have chosen."),
    "hint-chosen": _("You've chosen {amounts}. You can change that until everyone has chosen."),
    "hint-shelves": _("shelves {shelves}"),
    "hint-held": _("you have {amount}"),
    # what may be answered
    "do-take": _("Take these treasures"),
    "do-place": _("Place a token face down"),
    "do-exchange": _("Exchange one treasure for three"),
    "do-keep": _("Do not exchange"),
    "do-give-camel": _("Choose who gets the camel"),
    "do-leave-camel": _("Leave the camel where it is"),
    "do-keep-camel": _("Keep the camel"),
    "do-pass-camel": _("Give the camel to someone"),
    "do-bribe": _("Bribe the guard with {price}"),
    "do-stay-out": _("Stay out of the palace"),
    "do-buy": _("Buy the artifact for {price}"),
    "do-decline": _("Do not buy"),
    "field-amounts": _("Treasure"),
    "field-token": _("Token"),
    "field-space": _("Space"),
    "field-give": _("You give"),
    "field-take": _("You take"),
    "field-seat": _("Player"),
    "field-pay": _("You pay"),
    "field-pay-token": _("Pay your {value} with"),
    "field-pay-for": _("Payment for your {value}"),
    # what silence does
    "default-take": _("You start with one crown, one pearl and one gemstone."),
    "default-forfeit": _("One of your tokens stays in your hand this round."),
    "default-keep": _("You do not exchange."),
    "default-leave": _("The camel stays where it is."),
    "default-stay-out": _("You do not bribe the guard and stay out of the palace."),
    "default-decline": _("You do not buy."),
    # refusals
    "illegal-repeat": _("Pay for each of your tokens with a different kind of treasure: you've chosen {value} twice."),
    "illegal-seats": _("This game is for three to five players."),
    # what happened
    "game-began": _("The game begins. {camel} has the camel and goes first."),
    "taken-start": _("{seat} starts with {amounts}."),
    "taken": _("{seat} takes {amounts} {at}."),
    "paid": _("{seat} pays {amounts} {at}."),
    "deck-shuffled": _("All treasure cards have been used; they are shuffled again."),
    "round-began": _("Round {round} begins."),
    "caves-filled": _("The caves are filled: {caves}."),
    "caves-short": _("The caves are filled: {caves}. The bank lacked {missing}."),
    "guard-posted": _("A new guard takes up position, face down."),
    "placed-hidden": _("{seat} places a token {at}."),
    "placed": _("{seat} places the {value} {at}."),
    "forfeited": _("{seat} runs out of time; one token stays in hand this round."),
    "placing-ended": _("Everyone has placed; the tally begins."),
    "revealed": _("{space}, turned over: {tokens}."),
    "ranked": _("{space}: {totals}."),
    "ranked-ties": _("{space}: {totals}. The tie goes by player sequence from the camel: {ties}."),
    "returned": _("{space}: nobody claims a value of {amount}; it goes back to the bank."),
    "market-declined": _("{seat} does not exchange at the market."),
    "camel-taken": _("{seat} takes the camel and is first in player sequence from now on."),
    "camel-given": _("{seat} gives the camel to {to}, who is first in player sequence from now on."),
    "camel-left": _("{seat} leaves the camel where it is."),
    "guard-revealed": _("The palace guard has strength {strength}."),
    "entered": _("{seat} is strong enough and enters the palace."),
    "entered-bribed": _("{seat} has bribed the guard and enters the palace."),
    "stayed-out": _("{seat} does not bribe the guard and stays out."),
    "bought": _("{seat} buys the artifact {at}."),
    "declined": _("{seat} does not buy {at}."),
    "unsold": _("{space}: the artifact stays for the next round."),
    "round-ended": _("Round {round} is over; all tokens go back to their owners."),
    "resigned": _("{seat} has resigned."),
    "game-ended": _("The game is over. Artifacts: {totals}."),
    # the story
    "story-lead": _("After round {round} {seat} leads: {totals}."),
    "story-taken": _("The greatest haul, in round {round}: {seat} takes {amounts} {at}."),
    "story-taken-by-card": _("The greatest haul, in round {round}: {card} brings {seat} {amounts}."),
    "story-crowd": _("The most tokens in one space, in round {round}: {space}, {count}."),
    "story-artifacts": _("{seat}'s artifacts, as far as everyone saw them: {cards}."),
    # endings
    "won": _("{winner} wins, with {artifacts} artifacts, as the last artifact is sold."),
    "won-tie": _("{winner} wins, with {artifacts} artifacts, being first among equals in sequence from the camel."),
    "stopped": _("The game is stopped after round 30; {winner} has the most artifacts, {artifacts}."),
    "stopped-tie": _(
        "The game is stopped after round 30; {winner}, with {artifacts} artifacts, is first among equals in sequence"
        " from the camel."
    ),
    "abandoned": _("The others have resigned; {winner} ends the game and wins."),
    # the board in words
    "round": _("Round {round}"),
    "before-first": _("Before the first round"),
    "phase-treasures": _("Starting treasures"),
    "phase-placing": _("Placing tokens"),
    "phase-tally": _("Tally"),
    "phase-between": _("Planning"),
    "phase-over": _("The game is over"),
    "sequence": _("Player sequence from the camel: {seats}."),
    "bank": _("Bank"),
    "hand": _("Your hand"),
    "players": _("Players"),
    "nothing": _("nothing"),
    "nobody": _("no tokens"),
    "hoard": _("treasure {total} ({amounts})"),
    "hoard-hidden": _("treasure hidden"),
    "closed": _("closed"),
    "empty-cave": _("no treasure"),
    "shelves": _("shelves {shelves}"),
    "tallying": _("being tallied"),
    "tallied": _("tallied"),
    "guard-hidden": _("guard face down"),
    "guard-strength": _("guard {strength}"),
    "camel-here": _("has the camel"),
    "in-palace": _("in the palace"),
    "resigned-mark": _("resigned"),
    "you": _("you"),
    "waiting-for": _("To answer now: {seats}."),
    "asked": _("Your turn"),
    "answers": _("You may answer:"),
    "one-of": _("one of"),
    "in-all": _("{total} in all, of"),
    "in-all-range": _("{least} to {total} in all, of"),
    "as-much-as": _("as many in all as for “{field}”, of"),
    "up-to": _("{option} (up to {limit})"),
    "different": _("Each with a different kind."),
    "board-alt": _("The board of Aladdin's Dragons, {round}"),
    "legend": _("Tokens: the number is the strength, ? lies face down, * lies face down but you know it."),
}
"""Sentences by code: those of `Text`, of events, of endings and of the board in words."""

PLURALS = {
    "ask-buy": (
        "count",
        *_n("Buy the last artifact {at} for {price}?", "Buy an artifact {at} for {price}? {count} are left there."),
    ),
    "hint-wave": (
        "count",
        *_n(
            "You choose {count} more token; unseen until all have chosen.",
            "You choose {count} more tokens; unseen until all have chosen.",
        ),
    ),
    "hint-artifacts": ("count", *_n("{count} artifact left", "{count} artifacts left")),
    "evicted": (
        "count",
        *_n("{seat} takes {count} token back from the rooms.", "{seat} takes {count} tokens back from the rooms."),
    ),
    "evicted-own": (
        "count",
        *_n(
            "{seat} takes {count} token back from the rooms: {values}.",
            "{seat} takes {count} tokens back from the rooms: {values}.",
        ),
    ),
    "artifacts": ("count", *_n("{count} artifact", "{count} artifacts")),
    "tokens-in-hand": ("count", *_n("{count} token in hand", "{count} tokens in hand")),
}
"""Sentences that depend on a number: (which parameter, singular, plural)."""

LISTS = {"pair": _("{first} and {last}"), "join": _(", ")}
"""How a list of things is written: "a, b and c"."""
