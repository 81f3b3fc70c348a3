"""The reasons of proposals, each a short sentence; a line is made of one or more of them."""

from engine.core.language import _

PROPOSAL_SENTENCES = {
    "why": "{why}",
    # what a token is for
    "why-cave": _("The {token} may take {amounts}."),
    "why-cave-behind": _("The {token} keeps you in the contest {at}."),
    "why-guard": _("The {token} makes {strength} at the guard: enough for {count} of the ten."),
    "why-room": _("The {token} is to buy the artifact {at}."),
    "why-city": _("The {token} is to be first {at}."),
    "why-city-behind": _("The {token} may be first {at} if others stay away."),
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
    "why-enter": _("The palace is worth {gain} more to you than the {price} of the bribe."),
    "why-stay-out": _("Inside you can buy nothing that is worth what it costs to enter."),
    "why-artifact": _("Only artifacts win; this one costs you {price}."),
    "why-cannot-pay": _("You cannot pay for it."),
    "why-decline": _("The artifact is not worth its price to you."),
    "why-card": _("{card} is worth about {gain} more than it costs."),
    "why-no-card": _("You have no card that you could play in a window of this round."),
    "why-pass": _("No card of yours is worth what it costs now."),
    "why-keep": _("{card} is the more useful card."),
    "why-reply": _("It leaves you best off, as far as you can see."),
}
"""Sentences by code."""
