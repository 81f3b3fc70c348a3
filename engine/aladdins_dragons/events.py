"""The events, each of one verb, with their sentences. A field that not everybody may know is None when redacted."""

from typing import TypeAlias, get_args

from engine.aladdins_dragons.actions import Amounts, Targets
from engine.aladdins_dragons.facts import SPACES
from engine.core import Ending, Param, Seat
from engine.core.games import GameEvent, event_sentences
from engine.core.language import _, _n


class _Event(GameEvent, frozen=True):
    """Common to all events."""

    shapes = {
        "aims": "aims",
        "amounts": "amounts",
        "at": "at",
        "by": "seat",
        "camel": "seat",
        "card": "card",
        "cards": "cards",
        "caves": "caves",
        "given": "card",
        "kept": "card",
        "missing": "amounts",
        "offers": "offers",
        "seat": "seat",
        "shelves": "numbers",
        "space": "space",
        "ties": "groups",
        "to": "seat",
        "tokens": "tokens",
        "values": "numbers",
    }
    fields = {
        "at": ("room", "space", "source"),
        "card": ("artifact", "source", "space"),
        "cards": ("tiles",),
        "space": ("room",),
    }


class GameBegan(
    _Event,
    frozen=True,
    says={
        "game-began": _("The game begins. {camel} has the camel and goes first."),
        "game-began-camel-you": _("The game begins. You have the camel and go first."),
    },
):
    """The board is laid out and a seat drawn for the camel (A3, A7)."""

    seats: int
    camel: Seat


class TreasureTaken(
    _Event,
    frozen=True,
    says={
        "taken": _("{seat} takes {amounts} {at}."),
        "taken-you": _("You take {amounts} {at}."),
        "taken-start": _("{seat} starts with {amounts}."),
        "taken-start-you": _("You start with {amounts}."),
        "taken-by-card": _("{seat} takes {amounts}: {card}."),
        "taken-by-card-you": _("You take {amounts}: {card}."),
    },
):
    """A seat gains treasure from the bank. `source` is "start", a space or a card."""

    seat: Seat
    amounts: dict[str, int]
    source: str

    @property
    def code(self) -> str:
        if self.source == "start":
            return "taken-start"
        return "taken" if self.source in SPACES else "taken-by-card"


class TreasurePaid(
    _Event,
    frozen=True,
    says={
        "paid": _("{seat} pays {amounts} {at}."),
        "paid-you": _("You pay {amounts} {at}."),
        "paid-for-card": _("{seat} pays {amounts}: {card}."),
        "paid-for-card-you": _("You pay {amounts}: {card}."),
    },
):
    """A seat pays treasure to the bank (A45). `space` is where, or the card it is for."""

    seat: Seat
    amounts: dict[str, int]
    space: str

    @property
    def code(self) -> str:
        return "paid" if self.space in SPACES else "paid-for-card"


class DeckShuffled(
    _Event, frozen=True, says={"deck-shuffled": _("All treasure cards have been used; they are shuffled again.")}
):
    """The treasure cards have been used and are shuffled again (A18)."""


class RoundBegan(_Event, frozen=True, says={"round-began": _("Round {round} begins.")}):
    """A new round."""

    round: int


class CavesFilled(
    _Event,
    frozen=True,
    says={
        "caves-filled": _("The caves are filled: {caves}."),
        "caves-short": _("The caves are filled: {caves}. The bank lacked {missing}."),
    },
):
    """A treasure card fills the caves: values of the shelves by kind, and what the bank lacked (A43)."""

    card: str
    caves: dict[str, list[int]]
    missing: dict[str, int]

    @property
    def code(self) -> str:
        return "caves-short" if self.missing else "caves-filled"


class GuardPosted(_Event, frozen=True, says={"guard-posted": _("A new guard takes up position, face down.")}):
    """A guard of unknown strength stands at the palace (A13). `strength` is known to nobody."""

    strength: int | None


class TokenPlaced(
    _Event,
    frozen=True,
    says={
        "placed": _("{seat} places the {value} {at}."),
        "placed-you": _("You place the {value} {at}."),
        "placed-hidden": _("{seat} places a token {at}."),
        "placed-hidden-you": _("You place a token {at}."),
    },
):
    """A token is placed; `value` is known to its owner, and to all if it lies face up (A29)."""

    seat: Seat
    space: str
    value: int | None
    face_up: bool

    @property
    def code(self) -> str:
        return "placed-hidden" if self.value is None else "placed"


class PlacementForfeited(
    _Event,
    frozen=True,
    says={
        "forfeited": _("{seat} runs out of time. One token stays in hand."),
        "forfeited-you": _("You ran out of time. One token stays in hand."),
    },
):
    """A placement was passed by the deadline; which token stays in hand is not said (A21)."""

    seat: Seat


class PlacingEnded(_Event, frozen=True, says={"placing-ended": _("Everyone has placed; the tally begins.")}):
    """No seat has a token left to place."""


class SpaceRevealed(_Event, frozen=True, says={"revealed": _("{space}, turned over: {tokens}.")}):
    """The tokens of a space are turned over: (seat, value) in the order of the row."""

    space: str
    tokens: list[tuple[Seat, int]]


class SpaceRanked(
    _Event,
    frozen=True,
    says={
        "ranked": _("{space}: {totals}."),
        "ranked-ties": _("{space}: {totals}. The tie goes by turn order from the camel: {ties}."),
    },
):
    """The strengths in a space, strongest first (A34); `ties` lists the groups that player sequence decided (A35)."""

    space: str
    ranking: list[Seat]
    totals: list[int]
    ties: list[list[Seat]]

    @property
    def code(self) -> str:
        return "ranked-ties" if self.ties else "ranked"

    def param(self, name: str) -> Param:
        if name == "totals":
            return {name: [list(pair) for pair in zip(self.ranking, self.totals, strict=True)]}
        return super().param(name)


class TreasureReturned(_Event, frozen=True, says={"returned": _("{space}: nobody claims the {amount}.")}):
    """Treasure that nobody claimed in a cave goes back to the bank (A51)."""

    space: str
    amount: int


class MarketDeclined(
    _Event,
    frozen=True,
    says={
        "market-declined": _("{seat} does not exchange at the market."),
        "market-declined-you": _("You do not exchange at the market."),
    },
):
    """No exchange at the market."""

    seat: Seat


class CamelGiven(
    _Event,
    frozen=True,
    says={
        "camel-given": _("{seat} gives the camel to {to}. {to} now goes first."),
        "camel-given-you": _("You give the camel to {to}. {to} now goes first."),
        "camel-given-to-you": _("{seat} gives you the camel. You now go first."),
        "camel-taken": _("{seat} takes the camel and now goes first."),
        "camel-taken-you": _("You take the camel and now go first."),
    },
):
    """The camel changes hands (A59)."""

    seat: Seat
    to: Seat

    @property
    def code(self) -> str:
        return "camel-taken" if self.seat == self.to else "camel-given"


class CamelLeft(
    _Event,
    frozen=True,
    says={
        "camel-left": _("{seat} leaves the camel where it is."),
        "camel-left-you": _("You leave the camel where it is."),
    },
):
    """The camel stays with its holder."""

    seat: Seat


class GuardRevealed(_Event, frozen=True, says={"guard-revealed": _("The palace guard has strength {strength}.")}):
    """The guard is turned over."""

    strength: int


class PalaceEntered(
    _Event,
    frozen=True,
    says={
        "entered": _("{seat} is strong enough and enters the palace."),
        "entered-you": _("You are strong enough and enter the palace."),
        "entered-bribed": _("{seat} has bribed the guard and enters the palace."),
        "entered-bribed-you": _("You have bribed the guard and enter the palace."),
    },
):
    """A seat enters the palace, by its strength or (`bribed`) by what it paid (A61, A62)."""

    seat: Seat
    bribed: bool

    @property
    def code(self) -> str:
        return "entered-bribed" if self.bribed else "entered"


class BribeDeclined(
    _Event,
    frozen=True,
    says={
        "stayed-out": _("{seat} does not bribe the guard and stays out."),
        "stayed-out-you": _("You do not bribe the guard and stay out."),
    },
):
    """A seat with tokens at the guard stays out (A63)."""

    seat: Seat


class TokensEvicted(
    _Event,
    frozen=True,
    says={
        "evicted": (
            "count",
            *_n("{seat} takes {count} token back from the rooms.", "{seat} takes {count} tokens back from the rooms."),
        ),
        "evicted-you": (
            "count",
            *_n("You take {count} token back from the rooms.", "You take {count} tokens back from the rooms."),
        ),
        "evicted-own": (
            "count",
            *_n(
                "{seat} takes {count} token back from the rooms: {values}.",
                "{seat} takes {count} tokens back from the rooms: {values}.",
            ),
        ),
        "evicted-own-you": (
            "count",
            *_n(
                "You take {count} token back from the rooms: {values}.",
                "You take {count} tokens back from the rooms: {values}.",
            ),
        ),
    },
):
    """A seat that stayed out takes its tokens back from the rooms; `values` are known to it alone (A68)."""

    seat: Seat
    count: int
    values: list[int] | None

    @property
    def code(self) -> str:
        return "evicted" if self.values is None else "evicted-own"


class ArtifactBought(
    _Event,
    frozen=True,
    says={"bought": _("{seat} buys the artifact {at}."), "bought-you": _("You buy the artifact {at}.")},
):
    """A seat gets the artifact of a room. `artifact` is its type, which nobody sees in the basic version (A47)."""

    seat: Seat
    room: str
    artifact: str | None


class PurchaseDeclined(
    _Event, frozen=True, says={"declined": _("{seat} does not buy {at}."), "declined-you": _("You do not buy {at}.")}
):
    """A seat does not buy (A70)."""

    seat: Seat
    room: str


class RoomUnsold(_Event, frozen=True, says={"unsold": _("{space}: the artifact stays for the next round.")}):
    """Nobody bought; the artifact waits for the next round (A73)."""

    room: str


class RoundEnded(_Event, frozen=True, says={"round-ended": _("Round {round} is over. All tokens go back.")}):
    """The tokens go back to their owners."""

    round: int


class SeatResigned(
    _Event, frozen=True, says={"resigned": _("{seat} has resigned."), "resigned-you": _("You have resigned.")}
):
    """A seat has resigned."""

    seat: Seat


class GameEnded(_Event, frozen=True, says={"game-ended": _("The game is over. Artifacts: {totals}.")}):
    """The game is over. `scores` are artifacts by seat."""

    ending: Ending
    winners: list[Seat]
    ranking: list[Seat]
    scores: list[int]

    def param(self, name: str) -> Param:
        return {name: [[seat, self.scores[seat]] for seat in self.ranking]}


# The magic version


class OffersRevealed(_Event, frozen=True, says={"offers": _("For sale in the palace: {offers}.")}):
    """The vizier turns up the artifact for sale in these rooms (A16)."""

    offers: dict[str, str]

    @property
    def code(self) -> str:
        return "offers" if self.offers else ""


class CardPlayed(
    _Event,
    frozen=True,
    says={
        "card-played": _("{seat} plays {card}."),
        "card-played-you": _("You play {card}."),
        "card-played-at": _("{seat} plays {card} {at}."),
        "card-played-at-you": _("You play {card} {at}."),
        "card-played-on": _("{seat} plays {card} against {on}."),
        "card-played-on-you": _("You play {card} against {on}."),
        "card-played-on-on-you": _("{seat} plays {card} against you."),
        "card-played-aimed": _("{seat} plays {card}: {aims}."),
        "card-played-aimed-you": _("You play {card}: {aims}."),
    },
):
    """A seat declares an artifact or a spell (A77, A82)."""

    seat: Seat
    card: str
    targets: Targets

    @property
    def aims(self) -> Targets:
        """Its targets, without the play that it negates, which is said in the end."""
        return {name: aim for name, aim in self.targets.items() if name != "play"}

    @property
    def code(self) -> str:
        names = set(self.aims)
        if names in ({"space"}, {"seat"}):
            return "card-played-at" if "space" in names else "card-played-on"
        return "card-played-aimed" if names else "card-played"

    def param(self, name: str) -> Param:
        match name:
            case "at":
                return {"at": self.aims["space"]}
            case "on":
                return {"seat": int(str(self.aims["seat"]))}
        return super().param(name)


class CardStruck(
    _Event,
    frozen=True,
    says={
        "card-struck": _("{card}, played by {seat}, is negated by {by}."),
        "card-struck-you": _("{by} negates your {card}."),
        "card-struck-by-you": _("You negate {card}, played by {seat}."),
    },
):
    """A declared spell is negated and will do nothing (A81)."""

    seat: Seat
    card: str
    by: Seat


class CardFizzled(
    _Event,
    frozen=True,
    says={
        "card-fizzled": _("{card}, played by {seat}, has no effect."),
        "card-fizzled-you": _("Your {card} has no effect."),
    },
):
    """A card takes effect, but nothing of what it was meant for is possible any more (A78)."""

    seat: Seat
    card: str


class TokenAdded(
    _Event,
    frozen=True,
    says={
        "token-added": _("{seat} adds strength {value} {at}: {card}."),
        "token-added-you": _("You add strength {value} {at}: {card}."),
    },
):
    """A carpet or a double comes into a space. `source` says which."""

    seat: Seat
    space: str
    value: int
    source: str


class TokenRemoved(
    _Event,
    frozen=True,
    says={
        "token-removed": _("{seat} takes back the {value} {at}."),
        "token-removed-you": _("You take back the {value} {at}."),
        "token-removed-hidden": _("{seat} takes back a face-down token {at}."),
        "token-removed-hidden-you": _("You take back a face-down token {at}."),
        "token-removed-card": _("{seat} loses strength {value} {at}: {card}."),
        "token-removed-card-you": _("You lose strength {value} {at}: {card}."),
    },
):
    """A token goes back to its owner; `value` is known to all if it lay face up."""

    seat: Seat
    space: str
    value: int | None
    face_up: bool
    source: str

    @property
    def code(self) -> str:
        if self.source:
            return "token-removed-card"
        return "token-removed-hidden" if self.value is None else "token-removed"


class TokenMoved(
    _Event,
    frozen=True,
    says={
        "token-moved": _("The {value} of {seat} {at} is now {to}."),
        "token-moved-you": _("Your {value} {at} is now {to}."),
        "token-moved-hidden": _("{seat}'s hidden token {at} is now {to}."),
        "token-moved-hidden-you": _("Your hidden token {at} is now {to}."),
    },
):
    """A token goes to another space as it lies; `value` is known to all if it lies face up (S1)."""

    seat: Seat
    space: str
    to: str
    value: int | None
    face_up: bool

    @property
    def code(self) -> str:
        return "token-moved-hidden" if self.value is None else "token-moved"

    def param(self, name: str) -> Param:
        return {"at": self.to} if name == "to" else super().param(name)


class TokenRevealed(
    _Event,
    frozen=True,
    says={
        "token-revealed": _("{seat}'s new token {at} is a {value}."),
        "token-revealed-you": _("Your new token {at} is a {value}."),
    },
):
    """A token that has come into the space being tallied is turned over (A37)."""

    seat: Seat
    space: str
    value: int


class TreasureGiven(
    _Event,
    frozen=True,
    says={
        "treasure-given": _("{seat} pays {to}: {amounts}."),
        "treasure-given-you": _("You pay {to}: {amounts}."),
        "treasure-given-to-you": _("{seat} pays you: {amounts}."),
    },
):
    """Treasure goes from one seat to another (S20)."""

    seat: Seat
    to: Seat
    amounts: Amounts


class EffectBegan(_Event, frozen=True):
    """A card changes something for the rest of the round."""

    name: str
    seat: Seat
    space: str


class AllowanceRaised(
    _Event,
    frozen=True,
    says={
        "allowance-raised": _("{seat} may use two artifacts this round."),
        "allowance-raised-you": _("You may use two artifacts this round."),
    },
):
    """The strongest seat at the Djinn may use two artifacts this round (A57)."""

    seat: Seat


class SpellsDrawn(
    _Event,
    frozen=True,
    says={
        "spells-drawn": _("{seat} draws spell cards."),
        "spells-drawn-you": _("You draw spell cards."),
        "spells-drawn-own": _("{seat} draws spell cards: {cards}."),
        "spells-drawn-own-you": _("You draw spell cards: {cards}."),
    },
):
    """Cards drawn at the tent; `cards` are known to the seat alone (A53)."""

    seat: Seat
    count: int
    cards: list[str] | None

    @property
    def code(self) -> str:
        return "spells-drawn-own" if self.cards else "spells-drawn"


class SpellKept(
    _Event,
    frozen=True,
    says={
        "spell-kept": _("{seat} keeps one spell card."),
        "spell-kept-you": _("You keep one spell card."),
        "spell-kept-own": _("{seat} keeps {kept}."),
        "spell-kept-own-you": _("You keep {kept}."),
        "spell-given": _("{seat} keeps one spell card. {to} gets the other."),
        "spell-given-you": _("You keep one spell card. {to} gets the other."),
        "spell-given-to-you": _("{seat} keeps one spell card. You get the other."),
        "spell-given-seen": _("{seat} keeps one spell card. {to} gets {given}."),
        "spell-given-seen-to-you": _("{seat} keeps one spell card. You get {given}."),
        "spell-given-own": _("{seat} keeps {kept}. {to} gets {given}."),
        "spell-given-own-you": _("You keep {kept}. {to} gets {given}."),
        "spell-discarded": _("{seat} keeps {kept} and discards {given}."),
        "spell-discarded-you": _("You keep {kept} and discard {given}."),
    },
):
    """One card stays, the other goes to `to` or away unseen. `kept` and `given` as far as the viewer knows (A54)."""

    seat: Seat
    kept: str | None
    to: Seat | None
    given: str | None

    @property
    def code(self) -> str:
        if self.to is not None:
            return "spell-given-own" if self.kept else "spell-given-seen" if self.given else "spell-given"
        if self.kept is None:
            return "spell-kept"
        return "spell-discarded" if self.given else "spell-kept-own"


class PalaceUnlocked(
    _Event,
    frozen=True,
    says={"unlocked": _("{seat} enters the palace with a key."), "unlocked-you": _("You enter the palace with a key.")},
):
    """A seat enters the palace without strength or bribe (A64)."""

    seat: Seat


class OfferChosenRevealed(
    _Event,
    frozen=True,
    says={
        "offer-chosen": _("{seat} turns up another artifact {at}: {card}."),
        "offer-chosen-you": _("You turn up another artifact {at}: {card}."),
    },
):
    """Out of a stack an artifact comes face up on top; the one that lay there, if any, goes to the bottom (S12)."""

    seat: Seat
    room: str
    artifact: str
    former: str


class OfferSwapped(
    _Event,
    frozen=True,
    says={
        "offer-swapped": _("{seat} swaps an artifact {at}. Taken: {card}. Left: {given}."),
        "offer-swapped-you": _("You swap an artifact {at}. Taken: {card}. Left: {given}."),
    },
):
    """A seat takes the artifact that lies face up in a room and leaves one of its own there (S11)."""

    seat: Seat
    room: str
    artifact: str
    given: str


class ArtifactTaken(
    _Event,
    frozen=True,
    says={
        "taken-unseen": _("{seat} takes a face-down artifact {at}."),
        "taken-unseen-you": _("You take a face-down artifact {at}."),
        "taken-unseen-own": _("{seat} takes a face-down artifact {at}: {card}."),
        "taken-unseen-own-you": _("You take a face-down artifact {at}: {card}."),
    },
):
    """A seat gets an artifact out of a stack; which, it alone knows. What lies face up stays (S2, A47)."""

    seat: Seat
    room: str
    artifact: str | None

    @property
    def code(self) -> str:
        return "taken-unseen-own" if self.artifact else "taken-unseen"


class CaveOpened(_Event, frozen=True, says={"cave-opened": _("{space} now has treasure: {shelves}.")}):
    """A cave without treasure gets some; `shelves` top first (S7)."""

    space: str
    shelves: list[int]


class ArtifactSold(
    _Event,
    frozen=True,
    says={"bought-seen": _("{seat} buys {card} {at}."), "bought-seen-you": _("You buy {card} {at}.")},
):
    """A seat gets the artifact that lay face up in a room (A47)."""

    seat: Seat
    room: str
    artifact: str


class StackRevealed(
    _Event,
    frozen=True,
    says={
        "searched": _("{seat} looks through the artifacts {at}."),
        "searched-you": _("You look through the artifacts {at}."),
        "searched-own": _("{seat} looks through the artifacts {at}: {cards}."),
        "searched-own-you": _("You look through the artifacts {at}: {cards}."),
    },
):
    """A seat looks through the tiles of a room. `tiles`, bottom first, are turned over for it alone."""

    seat: Seat
    room: str
    tiles: list[str] | None

    @property
    def code(self) -> str:
        return "searched-own" if self.tiles else "searched"


MagicEvent: TypeAlias = (
    OffersRevealed | CardPlayed | CardStruck | CardFizzled | TokenAdded | TokenRemoved | TokenMoved | TokenRevealed
    | EffectBegan | AllowanceRaised | SpellsDrawn | SpellKept | PalaceUnlocked | ArtifactSold | StackRevealed
    | CaveOpened | OfferChosenRevealed | OfferSwapped | ArtifactTaken | TreasureGiven
)  # fmt: skip

Event: TypeAlias = (
    GameBegan | TreasureTaken | TreasurePaid | DeckShuffled | RoundBegan | CavesFilled | GuardPosted | TokenPlaced
    | PlacementForfeited | PlacingEnded | SpaceRevealed | SpaceRanked | TreasureReturned | MarketDeclined | CamelGiven
    | CamelLeft | GuardRevealed | PalaceEntered | BribeDeclined | TokensEvicted | ArtifactBought | PurchaseDeclined
    | RoomUnsold | RoundEnded | SeatResigned | GameEnded | MagicEvent
)  # fmt: skip

PLAIN_EVENTS = (
    TreasureTaken, TreasurePaid, TokenPlaced, PlacementForfeited, TreasureReturned, MarketDeclined, CamelGiven,
    CamelLeft, PalaceEntered, BribeDeclined, TokensEvicted, PurchaseDeclined, RoomUnsold, ArtifactSold,
)  # fmt: skip
"""The events that follow from what everybody saw and from what was chosen: nothing is turned over, drawn or shown."""

EVENT_SENTENCES, EVENT_PLURALS = event_sentences(get_args(Event))
