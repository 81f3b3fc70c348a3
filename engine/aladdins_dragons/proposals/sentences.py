"""The reasons of proposals, each a short sentence; a line is made of one or more of them."""

from engine.core.language import _

PROPOSAL_SENTENCES = {
    "why": "{why}",
    # where the strongest token goes
    "why-strong-cave": _("The {token} may take {amounts}."),
    "why-strong-guard": _("The {token} is for the guard."),
    "why-strong-room": _("The {token} is for the artifact {at}."),
    "why-strong-city": _("The {token} is to be first {at}."),
    # what is bought
    "why-buy": _("Artifact {at} for up to {price}."),
    "why-no-buy": _("Nothing is to be bought."),
    "why-key": _("Your Key opens the palace."),
    # single decisions
    "why-start": _("Two of a kind pay for a token of 2, which single treasures cannot."),
    "why-place": _("The {token} goes {at}; your strong tokens wait until you see more."),
    "why-chosen": _("You have chosen all tokens of this wave."),
    "why-last-place": _("The {token} goes {at}."),
    "why-exchange": _("Three for one, of what you have least of."),
    "why-nothing": _("It costs nothing."),
    "why-camel": _("Whoever has the camel wins ties."),
    "why-enter": _("Inside you can buy more than it costs."),
    "why-stay-out": _("Inside you could buy nothing that is worth the price."),
    "why-artifact": _("Only artifacts win."),
    "why-decline": _("The artifact is not worth its price now."),
    "why-card": _("{card} looks worth its price now."),
    "why-pass": _("No card of yours looks worth its price now."),
    "why-keep": _("{card} is the better card to have."),
    "why-reply": _("It costs you least."),
}
"""Sentences by code."""
