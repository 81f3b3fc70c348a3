"""The sentences of the magic version by code, in English, and those of the cards."""

from engine.aladdins_dragons.board import magic_events as events
from engine.aladdins_dragons.board.magic_events import MagicEvent
from engine.aladdins_dragons.cards.deck import ALL_CARDS
from engine.core import JsonObject, Text
from engine.core.language import _

MAGIC_SENTENCES = {
    # what is asked
    "ask-window-start": _("The round begins: do you play a card?"),
    "ask-window-placed": _("All tokens are placed, the tally comes next: do you play a card?"),
    "ask-window-caves": _("The caves are done, the city comes next: do you play a card?"),
    "ask-window-space": _("The tally is {at}: do you play a card?"),
    "ask-respond": _("Played so far: {plays}. Do you play a card too?"),
    "ask-reply": _("{plays}: do you answer that?"),
    "ask-declare": _("You may play a card at any moment while tokens are placed"),
    "ask-tent": _("The tent: which card do you keep? {to} gets the other."),
    "ask-tent-alone": _("The tent: which card do you keep? The other is discarded unseen."),
    "hint-declare": _("It is shown at once, and all others may answer it before placing goes on."),
    "hint-window": _("All answer at the same time; cards are shown together. If any is shown, you are asked again."),
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
    "offers": _("For sale in the palace: {offers}."),
    "card-played": _("{seat} plays {card}."),
    "card-played-at": _("{seat} plays {card} {at}."),
    "card-played-on": _("{seat} plays {card} against {on}."),
    "card-struck": _("{card}, played by {seat}, is negated by {by}."),
    "card-fizzled": _("{card}, played by {seat}, has no effect."),
    "token-added": _("{seat} adds strength {value} {at}: {card}."),
    "token-removed": _("{seat} takes back the {value} {at}."),
    "token-removed-hidden": _("{seat} takes back a face-down token {at}."),
    "token-removed-card": _("{seat} loses strength {value} {at}: {card}."),
    "token-moved": _("The {value} of {seat} that was {at} is now {to}."),
    "token-moved-hidden": _("A face-down token of {seat} that was {at} is now {to}."),
    "token-revealed": _("The token that {seat} has brought {at} is turned over: {value}."),
    "allowance-raised": _("{seat} may use two artifacts this round."),
    "spells-drawn": _("{seat} draws spell cards."),
    "spells-drawn-own": _("{seat} draws spell cards: {cards}."),
    "spell-kept": _("{seat} keeps one spell card."),
    "spell-kept-own": _("{seat} keeps {kept}."),
    "spell-given": _("{seat} keeps one spell card and gives the other to {to}."),
    "spell-given-seen": _("{seat} keeps one spell card and gives {given} to {to}."),
    "spell-given-own": _("{seat} keeps {kept} and gives {given} to {to}."),
    "spell-discarded": _("{seat} keeps {kept} and discards {given}."),
    "unlocked": _("{seat} enters the palace with a key."),
    "bought-seen": _("{seat} buys {card} {at}."),
    "offer-chosen": _("{seat} turns up another artifact {at}: {card}."),
    "offer-swapped": _("{seat} takes an artifact {at} and leaves another there. Taken: {card}, left: {given}."),
    "taken-unseen": _("{seat} takes a face-down artifact {at}."),
    "taken-unseen-own": _("{seat} takes a face-down artifact {at}: {card}."),
    "card-played-aimed": _("{seat} plays {card}: {aims}."),
    "cave-opened": _("{space} now has treasure: {shelves}."),
    "searched": _("{seat} looks through the artifacts {at}."),
    "searched-own": _("{seat} looks through the artifacts {at}: {cards}."),
    "treasure-given": _("{seat} pays {to}: {amounts}."),
    # endings
    "won-scrolls": _("{winner} wins: {artifacts} artifacts like the next, but more scrolls ({scrolls})."),
    "stopped-scrolls": _(
        "The game is stopped after round 30; {winner} is first: {artifacts} artifacts like the next, but more scrolls"
        " ({scrolls})."
    ),
    # the board in words
    "phase-window": _("Cards may be played"),
    "offer": _("for sale: {card}"),
    "taken-by-card": _("{seat} takes {amounts}: {card}."),
    "paid-for-card": _("{seat} pays {amounts}: {card}."),
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
}
"""Sentences by code."""

MAGIC_PLURALS: dict[str, tuple[str, str, str]] = {
    "uses-left": ("count", _("{count} artifact use left"), _("{count} artifact uses left")),
    "spells-in-hand": ("count", _("{count} spell card"), _("{count} spell cards")),
}

CARD_TITLES = {name: card.title for name, card in ALL_CARDS.items()}
CARD_SHORT = {name: card.short for name, card in ALL_CARDS.items() if card.short}
CARD_RULES = {name: card.rule for name, card in ALL_CARDS.items()} | {
    f"{name}-{value}": rule for name, card in ALL_CARDS.items() for value, rule in card.other_rules.items()
}
CARD_SENTENCES = {code: sentence for card in ALL_CARDS.values() for code, sentence in card.sentences.items()}


def _seat(seat: int) -> dict[str, int]:
    return {"seat": seat}


def magic_event_text(event: MagicEvent) -> Text | None:
    """The event as a sentence; None if nobody needs to read it."""
    match event:
        case events.OffersRevealed(offers):
            return Text("offers", {"offers": {"offers": offers}}) if offers else None
        case events.CardPlayed():
            return _played(event)
        case (
            events.TokenAdded() | events.TokenRemoved() | events.TokenMoved() | events.TokenRevealed()
        ):  # fmt: skip
            return _token_text(event)
        case events.SpellKept() | events.SpellsDrawn():
            return _spell_text(event)
        case events.EffectBegan():
            return None  # the card that was played says it
    return _other_text(event)


def _played(event: events.CardPlayed) -> Text:
    params = {"seat": _seat(event.seat), "card": {"card": event.card}}
    aims = {name: aim for name, aim in event.targets.items() if name != "play"}  # what it negates is said in the end
    if set(aims) == {"space"}:
        return Text("card-played-at", {**params, "at": {"at": aims["space"]}})
    if set(aims) == {"seat"}:
        return Text("card-played-on", {**params, "on": _seat(int(str(aims["seat"])))})
    return Text("card-played-aimed", {**params, "aims": {"aims": aims}}) if aims else Text("card-played", params)


_TokenEvent = events.TokenAdded | events.TokenRemoved | events.TokenMoved | events.TokenRevealed


def _token_text(event: _TokenEvent) -> Text:
    params = {"seat": _seat(event.seat), "at": {"at": event.space}, "value": event.value}
    match event:
        case events.TokenAdded(_, _, _, source):
            return Text("token-added", {**params, "card": {"card": source}})
        case events.TokenRemoved(_, _, _, _, source) if source:
            return Text("token-removed-card", {**params, "card": {"card": source}})
        case events.TokenRemoved(_, _, value):
            return Text("token-removed-hidden" if value is None else "token-removed", params)
        case events.TokenMoved(_, _, to, value):
            return Text("token-moved-hidden" if value is None else "token-moved", {**params, "to": {"at": to}})
    return Text("token-revealed", params)


def _spell_text(event: events.SpellKept | events.SpellsDrawn) -> Text:
    seat = _seat(event.seat)
    match event:
        case events.SpellsDrawn(_, _, cards):
            return (
                Text("spells-drawn-own", {"seat": seat, "cards": {"cards": cards}})
                if cards
                else Text("spells-drawn", {"seat": seat})
            )
        case events.SpellKept(_, kept, to, given):
            params = {"seat": seat, **({"kept": {"card": kept}} if kept else {})}
            params |= {"given": {"card": given}} if given else {}
            if to is not None:
                suffix = "-own" if kept else "-seen" if given else ""
                return Text(f"spell-given{suffix}", {**params, "to": _seat(to)})
            if kept is None:
                return Text("spell-kept", params)
            return Text("spell-discarded" if given else "spell-kept-own", params)


def _other_text(event: MagicEvent) -> Text:
    match event:
        case events.CardStruck(seat, card, by):
            return Text("card-struck", {"seat": _seat(seat), "card": {"card": card}, "by": _seat(by)})
        case events.CardFizzled(seat, card):
            return Text("card-fizzled", {"seat": _seat(seat), "card": {"card": card}})
        case events.AllowanceRaised(seat):
            return Text("allowance-raised", {"seat": _seat(seat)})
        case events.PalaceUnlocked(seat):
            return Text("unlocked", {"seat": _seat(seat)})
    return _treasure_text(event)


def _treasure_text(event: MagicEvent) -> Text:
    match event:
        case events.TreasureGiven(seat, to, amounts):
            return Text("treasure-given", {"seat": _seat(seat), "to": _seat(to), "amounts": {"amounts": amounts}})
        case events.CaveOpened(space, shelves):
            return Text("cave-opened", {"space": {"space": space}, "shelves": {"numbers": shelves}})
        case (
            events.ArtifactSold(seat, room) | events.OfferChosenRevealed(seat, room)
            | events.OfferSwapped(seat, room) | events.ArtifactTaken(seat, room) | events.StackRevealed(seat, room)
        ):  # fmt: skip
            code, params = _stack_text(event)
            return Text(code, {"seat": _seat(seat), "at": {"at": room}, **params})
    raise AssertionError(event)


def _stack_text(event: MagicEvent) -> tuple[str, JsonObject]:
    """What happens to the artifacts of a room: the sentence, and what it says beside who and where."""
    match event:
        case events.ArtifactSold(_, _, artifact):
            return "bought-seen", {"card": {"card": artifact}}
        case events.OfferChosenRevealed(_, _, artifact):
            return "offer-chosen", {"card": {"card": artifact}}
        case events.OfferSwapped(_, _, artifact, given):
            return "offer-swapped", {"card": {"card": artifact}, "given": {"card": given}}
        case events.ArtifactTaken(_, _, taken):
            return ("taken-unseen-own", {"card": {"card": taken}}) if taken else ("taken-unseen", {})
        case events.StackRevealed(_, _, tiles):
            return ("searched-own", {"cards": {"cards": tiles}}) if tiles else ("searched", {})
    raise AssertionError(event)
