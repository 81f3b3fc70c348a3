"""Every sentence of the game by its code, in English, marked for the catalogues; `words.Words` fills in the braces."""

from engine.aladdins_dragons.cards.deck import ALL_CARDS
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
    "option-version-hint": _("Magic adds spells and artifact powers."),
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
    "bot-careless": _("Careless: plays like Greedy, with mistakes"),
    "bot-greedy": _("Greedy: takes what looks best at the moment"),
    "bot-planner": _("Planner: plans a round in outline"),
    "bot-sultan": _("Sultan: tries what a whole round may bring"),
    "bot-vizier": _("Vizier: like Sultan, and looks deeper"),
    # words of their own
    "kind": "{kind}",
    "pay-option": "{amounts}",
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
    "hint-camel-you": _("The camel's owner goes first and wins ties. You have it now."),
    "take-camel": _("You take it"),
    "ask-bribe": _("Bribe the guard with {price}?"),
    "ask-enter": _("Play a card to enter the palace?"),
    "hint-bribe": _("Guard {guard}, you {strength}."),
    "hint-bribe-too-much": _("You can't afford it: guard {guard}, you {strength}. You have {amounts}."),
    "ask-buy": _("Buy an artifact {at} for {price}?"),
    "ask-buy-card": _("Buy the {card} {at} for {price}?"),
    "ask-buy-lamp": _("Buy {card} {at} for {price}?"),
    "hint-buy": _("Nobody else can buy it this round. You have {amounts}."),
    "hint-buy-next": _("If you don't buy it, next in line: {seats}. You have {amounts}."),
    "hint-too-dear": _(
        "You can't pay: each token here costs its number of one kind, all different. You have {amounts}."
    ),
    "hint-too-dear-next": _(
        "You can't pay with {amounts}: one kind for each token, all different. Next in line: {seats}."
    ),
    "hint-sealed": _("Everyone chooses at once. You can change yours until all have."),
    "hint-chosen": _("You've chosen {amounts}. You can change that until everyone has chosen."),
    "hint-shelves": _("shelves {shelves}"),
    "hint-held": _("you have {amount}"),
    # what may be answered
    "do-take": _("Take these treasures"),
    "do-place": _("Place a token face down"),
    "do-exchange": _("Exchange one treasure for three"),
    "do-keep": _("Don't exchange"),
    "do-give-camel": _("Choose who gets the camel"),
    "do-leave-camel": _("Leave the camel where it is"),
    "do-keep-camel": _("Keep the camel"),
    "do-pass-camel": _("Give the camel to someone"),
    "do-bribe": _("Bribe the guard with {price}"),
    "do-stay-out": _("Stay out of the palace"),
    "do-buy": _("Buy the artifact for {price}"),
    "do-decline": _("Don't buy"),
    # the same on a button
    "button-place": _("Place the {token}"),
    "button-exchange": _("Exchange"),
    "button-pay": _("Pay {price}"),
    "button-give-camel": _("Choose who"),
    "button-leave-camel": _("Leave it there"),
    "button-keep-camel": _("Keep it"),
    "button-pass-camel": _("Give it away"),
    "button-stay-out": _("Stay out"),
    "button-buy": _("Buy for {fields}"),
    "button-not-now": _("Not now"),
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
    "default-keep": _("You don't exchange."),
    "default-leave": _("The camel stays where it is."),
    "default-stay-out": _("You don't bribe the guard, and stay out of the palace."),
    "default-decline": _("You don't buy."),
    # refusals
    "illegal-repeat": _("Pay for each of your tokens with a different kind of treasure: you've chosen {value} twice."),
    "illegal-seats": _("This game is for three to five players."),
    # what happened
    # the story
    "story-lead": _("After round {round} {seat} leads: {totals}."),
    "story-lead-you": _("After round {round} you lead: {totals}."),
    "story-taken": _("The greatest haul, in round {round}: {seat} takes {amounts} {at}."),
    "story-taken-you": _("The greatest haul, in round {round}: You take {amounts} {at}."),
    "story-taken-by-card": _("The greatest haul, in round {round}: {card} brings {seat} {amounts}."),
    "story-taken-by-card-you": _("The greatest haul, in round {round}: {card} brings you {amounts}."),
    "story-crowd": _("The most tokens in one space, in round {round}: {space}, {count}."),
    "story-artifacts": _("{seat}'s artifacts, as far as everyone saw them: {cards}."),
    "story-artifacts-you": _("Your artifacts, as far as everyone saw them: {cards}."),
    # endings
    "won": _("{winner} wins, with {artifacts} artifacts, as the last artifact is sold."),
    "won-winner-you": _("You win, with {artifacts} artifacts, as the last artifact is sold."),
    "won-tie": _("{winner} wins, with {artifacts} artifacts, being first among equals in sequence from the camel."),
    "won-tie-winner-you": _(
        "You win, with {artifacts} artifacts, being first among equals in sequence from the camel."
    ),
    "decided": _("{winner} wins, with {artifacts} artifacts: nobody can catch up."),
    "decided-winner-you": _("You win, with {artifacts} artifacts: nobody can catch up."),
    "stopped": _("The game is stopped after round 30; {winner} has the most artifacts, {artifacts}."),
    "stopped-winner-you": _("The game is stopped after round 30; you have the most artifacts, {artifacts}."),
    "stopped-tie": _(
        "The game is stopped after round 30; {winner}, with {artifacts} artifacts, is first among equals in sequence"
        " from the camel."
    ),
    "stopped-tie-winner-you": _(
        "The game is stopped after round 30; you, with {artifacts} artifacts, are first among equals in sequence from"
        " the camel."
    ),
    "abandoned": _("The others have resigned; {winner} ends the game and wins."),
    "abandoned-winner-you": _("The others have resigned; you end the game and win."),
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
    # THE MAGIC VERSION
    # what is asked
    "ask-window-start": _("The round begins: play a card?"),
    "ask-window-placed": _("All tokens are placed: play a card?"),
    "ask-window-caves": _("The caves are done: play a card?"),
    "ask-window-space": _("Tally {at}: play a card?"),
    "ask-respond": _("{plays}. Play a card too?"),
    "ask-reply": _("{plays}. Answer that?"),
    "ask-declare": _("You may play a card at any moment while tokens are placed"),
    "ask-tent": _("Keep which card? {to} gets the other."),
    "ask-tent-alone": _("Keep which card? The other is discarded."),
    "hint-declare": _("It is shown at once, and all others may answer it before placing goes on."),
    "hint-window": _("Everyone answers at once. If a card is shown, you're asked again."),
    "hint-passed": _("You've passed. You can change that until everyone has answered."),
    "hint-played": _("You've chosen: {plays}. You can change that until everyone has answered."),
    # what may be answered
    "do-play": _("Play {card}"),
    "do-place-face-up": _("Place a token face up"),
    "do-pass": _("Play nothing"),
    "do-keep-spell": _("Keep a card"),
    "field-card": _("Card"),
    "field-play": _("Card that was played"),
    "field-to": _("Space it goes to"),
    "card": "{card}",
    "rule": "{rule}",
    "play-of": _("{card}, played by {seat}"),
    "token-known": _("{seat}: {value} {at} (no. {number})"),
    "token-hidden": _("{seat}: face down {at} (no. {number})"),
    "token-named": _("the token no. {number} {at}"),
    # what silence does
    "default-pass": _("You play nothing."),
    "default-keep-first": _("You keep the first card."),
    # refusals
    "illegal-card": _("You can't play {card} now: you have none to use, or there's nothing it could do."),
    # what happened
    # endings
    "won-scrolls": _("{winner} wins: {artifacts} artifacts like the next, but more scrolls ({scrolls})."),
    "won-scrolls-winner-you": _("You win: {artifacts} artifacts like the next, but more scrolls ({scrolls})."),
    "stopped-scrolls": _(
        "The game is stopped after round 30; {winner} is first: {artifacts} artifacts like the next, but more scrolls"
        " ({scrolls})."
    ),
    "stopped-scrolls-winner-you": _(
        "The game is stopped after round 30; you are first: {artifacts} artifacts like the next, but more scrolls"
        " ({scrolls})."
    ),
    # the board in words
    "phase-window": _("Cards may be played"),
    "offer": _("for sale: {card}"),
    "your-artifacts": _("Your artifacts: {cards}."),
    "your-spells": _("Your spells: {cards}."),
    "tiles": _("artifacts everyone knows of: {cards}"),
    "used": _("used this round: {cards}"),
    "two-uses": _("may use two artifacts"),
    "spell-deck": _("Spell cards left to draw: {count}. Played: {cards}."),
    "not-with": _("not with: {options}"),
    "your-cards": _("Your artifacts and spells"),
    "own-spells": _("Your spells"),
    "own-artifacts": _("Your artifacts"),
    "cards-for-sale": _("Artifacts for sale"),
    "cards-played": _("Spells that have been played"),
    "tile-hidden": _("An artifact that only its owner knows"),
    "used-mark": _("used this round"),
    "sold": _("the next one comes up next round"),
    # what is going on
    "window-start": _("The round begins."),
    "window-placed": _("All tokens are placed; the tally comes next."),
    "window-caves": _("The caves are done; the city comes next."),
    "window-space": _("The tally is {at}."),
    "window-declared": _("Someone plays a card while tokens are placed."),
    "window-reply": _("What was just played may be answered."),
    "window-pass": _("Cards may be played (pass {number})."),
    "played": _("Played: {play}"),
    "pending": _("Still to take effect: {plays}."),
    "asking": _("{play}: it is for {seats} to answer."),
    "tent-choosing": _("The tent: {seat} chooses a spell card."),
    "tent-giving": _("The tent: {seat} chooses a spell card; {to} gets the other."),
    "effect-closed": _("{space}: no more tokens may come in this round."),
    "effect-face-up": _("All but {seat} place their tokens face up this round."),
    "effect-first": _("{space}: {seat} counts as the strongest."),
    "effect-last-first-reverse": _("In every space not yet tallied, but not at the guard, the weakest ranks first."),
    "effect-last-first-swap19": _("In every space not yet tallied, but not at the guard, 1 counts as 9 and 9 as 1."),
    "passed-card": _("You know that {seat} was given {card}."),
    "stack-known": _("{space}, from the bottom, as far as you know: {tiles}."),
    # THE BOX: heads of its tables on the page of the rules
    "pieces-deck": _("Treasure cards for {seats} players"),
    "pieces-card": _("Card"),
    "pieces-artifacts": _("Artifacts"),
    "pieces-spells": _("Spells"),
    "pieces-count": _("How many"),
    "pieces-rule": _("What it does in the magic version"),
    # STANDING ORDERS: what can be answered in advance, and on what it may depend
    # kinds of decision
    "order-place": _("When you place a token"),
    "order-declare": _("Unasked, while tokens are placed"),
    "order-window": _("When cards may be played"),
    "order-market": _("At the market"),
    "order-camel": _("At the caravanserai"),
    "order-tent": _("In Aladdin's tent"),
    "order-bribe": _("At the palace guard, when you are too weak"),
    "order-buy": _("When you may buy an artifact"),
    "order-ask": _("When a card asks something of you"),
    # answers that are made exact when the time comes
    "wish-place-low": _("Place your lowest token"),
    "wish-place-high": _("Place your highest token"),
    "wish-card": _("Play a card, aimed in the one way that fits"),
    "wish-counter": _("Negate a spell that has just been played"),
    "wish-exchange": _("Exchange one treasure for three of a kind"),
    "wish-bribe": _("Bribe the guard with up to"),
    "wish-buy": _("Buy for up to"),
    "wish-default": _("Do what happens at the deadline"),
    "field-limit": _("At most"),
    "field-first": _("Pay with this kind first"),
    "field-next": _("Then with this kind"),
    "field-spare": _("Spare this kind"),
    "field-is": _("How"),
    "field-value": _("Number"),
    "field-kind": _("Kind"),
    "field-plus": _("With additional strength"),
    "at-least": _("at least"),
    "at-most": _("at most"),
    "plus": _("{value} more"),
    "here": _("there"),
    "any-card": _("any card"),
    "any-spell": _("any spell"),
    "any-player": _("any other player"),
    "paying-first-none": _("no kind first"),
    "paying-first": _("{kind} first"),
    "paying-next-none": _("no kind next"),
    "paying-next": _("{kind} next"),
    "sparing-none": _("sparing no kind"),
    "sparing": _("sparing {kind}"),
    "place-start": _("at the start of the round"),
    "place-placed": _("after the last token"),
    "place-caves": _("between caves and city"),
    # what an order may depend on
    "fact-others": _("Tokens of the others"),
    "fact-tokens": _("Tokens of a player"),
    "fact-mine": _("My tokens"),
    "fact-strength": _("My strength"),
    "fact-first": _("I am first, or would be with more strength"),
    "fact-place": _("My place"),
    "fact-guard": _("The guard's strength"),
    "fact-lack": _("What I lack at the guard"),
    "fact-treasure": _("My treasure of a kind"),
    "fact-all_treasure": _("All my treasure together"),
    "fact-round": _("The round"),
    "fact-camel": _("The camel is with"),
    "fact-shown": _("A card has just been shown"),
    "fact-hits": _("A card just shown is aimed at me"),
    "fact-cave": _("Treasure in a cave"),
    "fact-before": _("This space has not been reached yet"),
    # sheets and plans
    "ask-sheet": _("Round {round} begins. Where will your tokens go?"),
    "ask-plan": _("Round {round}: your plan for the tally?"),
    "ask-plan-again": _("{plays}. Your plan for the tally?"),
    "hint-plan-key": _(
        "At the guard you are asked if you have a token there. To use a Key without one, give an order for it."
    ),
    # faster tables
    "option-placing": _("Placing"),
    "placing-turns": _("in turns"),
    "placing-waves": _("everyone at once"),
    "option-placing-hint": _(
        "At once: everyone chooses in secret, and the tokens are laid out in turn order when all have chosen."
    ),
    "option-tokens": _("Tokens at a time"),
    "option-tokens-hint": _("The printed rule is one token in turns."),
    "do-start-over": _("Take back what you have chosen"),
    "hint-wave-first": _("Highest total goes first. In a room, a 5 costs 5 treasures of one kind."),
    "hint-wave-second": _("To buy in a room, get past the guard: place a token there, too."),
    "hint-wave-third": _("Market: one treasure becomes three. Camel: you go first and win ties."),
    "hint-wave-fourth": _("A cave pays for the rooms: its highest total takes the top shelf."),
    "hint-wave-sealed": _("Unseen until all have chosen."),
    "hint-wave-chosen": _("You've chosen. You can take it back until everyone has."),
    "option-length": _("Length"),
    "length-full": _("whole game"),
    "length-short": _("short game"),
    "length-decided": _("short game, until nobody can catch up"),
    "option-length-hint": _("Short: 2 artifacts in each room, 4 rounds or so. The rulebook knows the whole game only."),
    "option-tally": _("Tally"),
    "tally-step": _("step by step"),
    "tally-plan": _("by plan"),
    "option-tally-hint": _(
        "By plan: everyone decides in advance, in secret and at once, where their tokens go and what to do in the "
        "tally. It stops only where someone must decide or plays a card. Much quicker by email than step by step, as "
        "printed."
    ),
    # refusals
    "order-kind-twice": _("Order {number} names a kind of treasure twice: pay with it first, or next, or spare it."),
    "order-token-twice": _("Orders {first} and {second} place the same token; give one of them conditions."),
    # PROPOSALS: a line is made of one or more of them
    "why": "{why}",
    # what a token is for
    "why-cave": _("Your {token} could win {amounts}."),
    "why-cave-behind": _("Your {token} keeps you in the race {at}."),
    "why-guard": _("Your {token} makes {strength} at the guard, enough for {count} of the ten."),
    "why-room": _("Your {token} could buy the artifact {at}."),
    "why-city": _("Your {token} should come first {at}."),
    "why-city-behind": _("Your {token} may come first {at} if others stay away."),
    "why-chosen": _("You have chosen all tokens of this wave."),
    # the palace
    "why-buy": _("To be bought: {sales}."),
    "why-sale": _("{at} for {price}"),
    "why-no-buy": _("Nothing is to be bought."),
    "why-key": _("Your Key opens the palace."),
    "why-strength": _("You have {strength} at the guard."),
    "why-bribe": _("You have {strength} at the guard, and a bribe of up to {limit} is worth it."),
    # rivals
    "why-weak": _("Not at the guard: {seats}."),
    "why-weak-yet": _("Not at the guard yet: {seats}."),
    "why-keys": _("With a Key: {seats}."),
    "why-rich": _("{seat} has most treasure, {total}."),
    # single decisions
    "why-start": _("Two of a kind pay for a token of 2; single treasures can't."),
    "why-exchange": _("You get {taken} for {given}."),
    "why-nothing": _("You have nothing to exchange."),
    "why-camel": _("Whoever has the camel wins ties."),
    "why-enter": _("Inside you can win more than the bribe of {price}."),
    "why-stay-out": _("Nothing inside is worth the bribe."),
    "why-artifact": _("Only artifacts win; this one costs you {price}."),
    "why-cannot-pay": _("You can't pay for it."),
    "why-decline": _("The artifact isn't worth its price."),
    "why-card": _("{card} is worth about {gain} more than it costs."),
    "why-no-card": _("You have no card that you could play in a window of this round."),
    "why-pass": _("No card of yours is worth what it costs now."),
    "why-keep": _("{card} is the more useful card."),
    "why-reply": _("It leaves you best off, as far as you can see."),
    # THE LESSON
    "lesson-about": _("Bluff with hidden tokens, get past the guard, own the most artifacts."),
    "lesson-title-cave": _("Treasure from a cave"),
    "lesson-title-room": _("An artifact in a room"),
    "lesson-title-guard": _("Past the guard"),
    "lesson-title-caves": _("The tally: the caves"),
    "lesson-title-city": _("The tally: the city"),
    "lesson-title-palace": _("The tally: the guard"),
    "lesson-title-rooms": _("The tally: the rooms"),
    "lesson-aim": _(
        "Own the most artifacts and you win. You buy them in the palace with treasure, and treasure lies in the "
        "caves. You have {amounts}. Of your eight tokens, whose strength only you see, five lie already; three "
        "are for you to place."
    ),
    "lesson-tap": _("Tap the lit {token}, then a lit space."),
    "lesson-cave": _(
        "In a cave the strongest takes the top shelf, the next the shelf below. Your tokens in one space add up; so do"
        " those of the others, who may still outbid you. Your best chance lies {at}."
    ),
    "lesson-room": _(
        "In a room the strongest may buy its artifact, one a round; if they stay out, can't pay or decline, the "
        "next may. You pay what your own tokens there show, each in a kind of its own: a 4 costs 4 crowns, say; a"
        " 4 and a 3 together cost 4 crowns and 3 pearls."
    ),
    "lesson-guard": _(
        "Only those who pass the guard may buy. His strength, 1 to 10, is still hidden: be at least as strong, or pay"
        " what you lack, in any kinds. With no token here you stay out, and your tokens in the rooms come home."
    ),
    "lesson-camel": _(
        "The camel marks where turn order begins; from there it goes clockwise. It says who places first, and who"
        " is ahead when two are equally strong. The strongest at the caravanserai says who gets it. Now: {seat}."
    ),
    "lesson-placed": _("Your {value} lies face down {at}."),
    "lesson-waste-price": _(
        "That may be wasted: your tokens {at} cost {price}, each in one kind of its own, and with the caves you see you"
        " cannot have so much this round."
    ),
    "lesson-waste-strong": _("That may be wasted: you had {total} at the guard before, and no guard is above 10."),
    "lesson-waste-no-guard": _(
        "Your tokens in the rooms will come home: you have none at the guard, and none left to place."
    ),
    "lesson-waste-no-room": _(
        "Your tokens at the guard win nothing alone: you have none in a room, so there is nothing to buy."
    ),
    "lesson-caves-rule": _("All tokens have been placed. The caves come first: the strongest takes the top shelf."),
    "lesson-cave-alone": _("{space}: nobody else came. Your {own} takes {amounts} from the top shelf."),
    "lesson-cave-first": _("{space}: you are ahead, {own} against {theirs} of {seat}. You take {amounts}."),
    "lesson-cave-next": _("{space}: {seat} is ahead, {theirs} against your {own}. You take the next shelf: {amounts}."),
    "lesson-cave-nothing": _(
        "{space}: {seat} is ahead, {theirs} against your {own}, and no shelf is left for you: nothing."
    ),
    "lesson-caves-none": _("You had no token in a cave: their treasure went to the others or back to the bank."),
    "lesson-tie-won": _(
        "{total} against {total} is a tie, which turn order decides: clockwise from the camel, you come before {seat}."
    ),
    "lesson-tie-lost": _(
        "{total} against {total} is a tie, which turn order decides: clockwise from the camel, {seat} comes before you."
    ),
    "lesson-city-rule": _(
        "In the city only the strongest in each space gets anything: at the market any three treasures for one, "
        "at the caravanserai the camel."
    ),
    "lesson-market-won": _("{space}: your {own} is the strongest. You gave {paid} and took {amounts}."),
    "lesson-market-kept": _(
        "{space}: your {own} is the strongest, but you changed nothing. One treasure for three is a gain whenever you"
        " have one to give."
    ),
    "lesson-city-lost": _("{space}: {seat} is ahead, {theirs} against your {own}. You get nothing."),
    "lesson-city-none": _("You had no token in the city."),
    "lesson-camel-taken": _(
        "{space}: your {own} is the strongest, and you took the camel. You come first in turn order now: at the "
        "guard, in every tie in the rooms, and when the next round begins."
    ),
    "lesson-camel-given": _(
        "{space}: your {own} is the strongest, and {seat} has the camel now, so turn order begins there."
    ),
    "lesson-camel-left": _("{space}: your {own} is the strongest, and you left the camel where it was."),
    "lesson-ask-market": _(
        "You are the strongest at the market: give one treasure that you don't need for a room, and take three of"
        " what you do."
    ),
    "lesson-need": _("Your {own} {at} will cost {own}, each number in one kind. You have {amounts}."),
    "lesson-ask-camel": _(
        "You are the strongest at the caravanserai: say who gets the camel. Whoever has it is ahead in every tie and"
        " places first in the next round."
    ),
    "lesson-guard-rule": _(
        "Now the guard is turned over, and all see that he is worth {strength}. Whoever has at least as much there"
        " enters."
    ),
    "lesson-guard-in": _("You have {own} there: you are in, and pay nothing."),
    "lesson-guard-bribed": _("You have {own} there and paid {paid} for what was missing: you are in."),
    "lesson-guard-poor": _("You have {own} there: {missing} is missing, more than all your treasure. You stay out."),
    "lesson-guard-out": _("You have {own} there: {missing} is missing, and you did not pay it. You stay out."),
    "lesson-guard-absent": _("You have no token at the guard, so you stay out."),
    "lesson-ask-bribe": _(
        "You lack {missing}. Pay that in any kinds if enough is left to buy in a room; else stay out, and keep it."
    ),
    "lesson-evicted": _("Your {values} from the rooms came home unseen: you buy nothing and pay nothing for them."),
    "lesson-others-in": _("In the palace: {seats}."),
    "lesson-others-none": _("Nobody is in the palace."),
    "lesson-rooms-rule": _(
        "Each room sells one artifact a round. Of those in the palace the strongest there may buy it; who can't "
        "pay, or declines, leaves it to the next."
    ),
    "lesson-ask-buy": _(
        "The artifact {at} is yours if you pay for your own tokens there. Buy: in the end only artifacts count."
    ),
    "lesson-bought": _("{space}: you paid {amounts} for your {own}, and the artifact is yours."),
    "lesson-room-lost": _("{space}: {seat} was ahead, {theirs} against your {own}, and bought. You pay nothing."),
    "lesson-room-poor": _(
        "{space}: you could have bought, but could not pay for your {own}: each token is paid in a different kind, and"
        " you had {amounts}."
    ),
    "lesson-room-declined": _(
        "{space}: you could have paid for your {own}, and did not buy. Treasure alone wins nothing at the end."
    ),
    "lesson-bribe-wasted": _("You paid the guard and bought nothing: a bribe helps only if enough is left for a room."),
    "lesson-rooms-none": _("You had no token left in a room, so there was nothing for you to buy."),
    "lesson-score": _(
        "Artifacts: {totals}. All tokens now return to hand, also those that won nothing, and the next round "
        "begins. When the last artifact is sold, whoever has most wins, and ties go by turn order."
    ),
    "lesson-after": _(
        "You have played a whole round. You may not have met the bribe at the guard yet; Aladdin's tent and the house"
        " of the Djinn are open in the magic version alone."
    ),
    "lesson-puzzle": _(
        "It is your last token, a 4, and everything lies open. You and Ben have 5 each in room 2, where the"
        " last artifact"
        " of all is for sale; the guard is a 6, and you have 7 there. Ben has the camel. Where do you put your 4, so"
        " that you get the artifact?"
    ),
    "lesson-choice": _("Put it {at}"),
    # PUZZLES: kinds, and the rule that helps with each
    "puzzle-place": _("Placing"),
    "puzzle-bribe": _("Bribe"),
    "puzzle-buy": _("Buying"),
    "puzzle-window": _("Cards"),
    "puzzle-market": _("Market"),
    "puzzle-hint-place": _("The strongest total wins a space; of equals, the one who comes first after the camel."),
    "puzzle-hint-bribe": _("The guard costs what you lack. A room is paid kind by kind, so keep what it needs."),
    "puzzle-hint-buy": _("Each of your tokens there is paid in a kind of its own. What you decline, the next may buy."),
    "puzzle-hint-window": _("A card counts only if something is still tallied after it that it changes."),
    "puzzle-hint-market": _("Rooms are paid in several kinds: many kinds are worth more than much of one."),
    # REPLIES: further names of things for answers by email; the first is the one examples use
    "words-crown": _("crowns, crown"),
    "words-pearl": _("pearls, pearl"),
    "words-gem": _("gems, gem, gemstones, gemstone"),
    "words-trophy": _("trophies, trophy"),
    "words-gold": _("gold, gold bar, gold bars"),
    "words-cave-crown": _("crowns, crown, crown cave"),
    "words-cave-pearl": _("pearls, pearl, pearl cave"),
    "words-cave-gem": _("gems, gem, gemstones, gemstone, gem cave"),
    "words-cave-trophy": _("trophies, trophy, trophy cave"),
    "words-cave-gold": _("gold, gold cave"),
    "words-tent": _("tent"),
    "words-djinn": _("djinn, house of the djinn"),
    "words-market": _("market"),
    "words-caravanserai": _("caravanserai"),
    "words-guard": _("guard"),
    "words-take_treasures": _("take"),
    "words-place": _("place, put"),
    "words-exchange": _("exchange, swap"),
    "words-keep": _("pass, keep, do not exchange"),
    "words-give_camel": _("give camel, give the camel, camel"),
    "words-leave_camel": _("pass, leave camel, leave the camel"),
    "words-bribe": _("bribe"),
    "words-stay_out": _("pass, stay out"),
    "words-buy": _("buy"),
    "words-decline": _("pass, decline, do not buy"),
    # kinds of order, and answers that are made exact when the time comes
    "words-order-place": _("placing"),
    "words-order-market": _("market"),
    "words-order-camel": _("caravanserai, camel"),
    "words-order-bribe": _("guard, palace guard"),
    "words-order-buy": _("buying"),
    "words-order-window": _("window, windows, cards"),
    "words-order-declare": _("unasked, declare"),
    "words-order-tent": _("tent"),
    "words-order-ask": _("cards that ask"),
    "words-place_low": _("lowest, place lowest, lowest token"),
    "words-place_high": _("highest, place highest, highest token"),
    "words-exchange_for": _("exchange for, swap for"),
    "words-bribe_up_to": _("bribe up to, bribe"),
    "words-buy_up_to": _("buy up to, buy"),
    "words-card": _("play, card"),
    "words-counter": _("counter, negate"),
    "words-default": _("default"),
    "words-keep_spell": _("keep spell, keep"),
    # what an order may depend on
    "words-fact-others": _("others, tokens of others"),
    "words-fact-tokens": _("tokens, tokens of"),
    "words-fact-mine": _("my tokens, mine"),
    "words-fact-strength": _("strength, my strength"),
    "words-fact-first": _("first, I am first"),
    "words-fact-place": _("my place, place"),
    "words-fact-guard": _("guard, the guard"),
    "words-fact-camel": _("camel with, camel"),
    "words-fact-lack": _("lack, I lack"),
    "words-fact-treasure": _("treasure, my treasure, I have"),
    "words-fact-all_treasure": _("all treasure, all my treasure"),
    "words-fact-cave": _("cave, treasure in"),
    "words-fact-round": _("round"),
    "words-fact-shown": _("shown"),
    "words-fact-hits": _("hits me, hit by"),
    "words-fact-before": _("before"),
    "words-any": _("any card, anything"),
    "words-any-spell": _("any spell"),
    "words-pass": _("pass"),
    "words-pass_until": _("pass until, pass until the"),
    "words-pass_round": _("pass round, pass this round"),
    "words-pass_until_shown": _("pass until shown, pass until somebody plays"),
    "words-start_over": _("start over"),
    "words-plan_nothing": _("plan nothing"),
}
"""Sentences by code: those of `Text`, of events, of endings and of the board in words."""

PLURALS = {
    "ask-place-wave": (
        "count",
        *_n("Round {round}: place {count} token", "Round {round}: place {count} tokens"),
    ),
    "hint-artifacts": ("count", *_n("{count} artifact left", "{count} artifacts left")),
    "artifacts": ("count", *_n("{count} artifact", "{count} artifacts")),
    "tokens-in-hand": ("count", *_n("{count} token in hand", "{count} tokens in hand")),
    "uses-left": ("count", _("{count} artifact use left"), _("{count} artifact uses left")),
    "spells-in-hand": ("count", _("{count} spell card"), _("{count} spell cards")),
}
"""Sentences that depend on a number: (which parameter, singular, plural)."""

LISTS = {"pair": _("{first} and {last}"), "join": _(", ")}
"""How a list of things is written: "a, b and c"."""


CARD_TITLES = {name: card.title for name, card in ALL_CARDS.items()}
CARD_SHORT = {name: card.short for name, card in ALL_CARDS.items() if card.short}
CARD_RULES = {name: card.rule for name, card in ALL_CARDS.items()} | {
    f"{name}-{value}": rule for name, card in ALL_CARDS.items() for value, rule in card.other_rules.items()
}
CARD_SENTENCES = {code: sentence for card in ALL_CARDS.values() for code, sentence in card.sentences.items()}
