"""The sentences of standing orders: what can be answered in advance, and on what it may depend."""

from engine.core.language import _

ORDER_SENTENCES = {
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
    "ask-plan": _("Round {round}: all tokens are placed. Your plan for the tally?"),
    "ask-plan-again": _("Round {round}: a card was played before the tally: {plays}. Your plan for the tally?"),
    "hint-plan-key": _(
        "At the guard you are asked if you have a token there. To use a Key without one, give an order for it."
    ),
    # faster tables
    "option-placing": _("Placing"),
    "placing-turns": _("in turns"),
    "placing-waves": _("everyone at once"),
    "option-placing-hint": _(
        "At once: everyone chooses in secret, and the tokens are laid out in player sequence when all have chosen."
    ),
    "option-tokens": _("Tokens at a time"),
    "option-tokens-hint": _("The printed rule is one token in turns."),
    "do-start-over": _("Take back what you have chosen"),
    "hint-wave-chosen": _("You've chosen. You can take it back until everyone has."),
    "option-tally": _("Tally"),
    "tally-step": _("step by step"),
    "tally-plan": _("by plan"),
    "option-tally-hint": _(
        "By plan: everyone decides in advance, in secret and at the same time, what to do in the tally; it "
        "stops only where someone must decide or plays a card. At the start of a round everyone plans their "
        "tokens in the same way. By email a game then takes weeks; step by step, as printed, it takes most "
        "of a year."
    ),
    # refusals
    "order-kind-twice": _("Order {number} names a kind of treasure twice: pay with it first, or next, or spare it."),
    "order-token-twice": _("Orders {first} and {second} place the same token; give one of them conditions."),
}
"""Sentences by code."""
