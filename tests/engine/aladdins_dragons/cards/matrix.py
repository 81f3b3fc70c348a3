"""What a spell and an artifact have to do with each other, found out by playing: the other side of the table's cells.

Anna casts. The tile is hers or Ben's. Each scene is played to the end of the round in four worlds,
with and without the spell, with and without the artifact. If the two have nothing to do with each other, what happens
in the worlds adds up: with both = with the spell + with the artifact - with neither.
"""

from collections import Counter
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import msgspec

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.deck import ARTIFACTS
from engine.aladdins_dragons.model import EVERYBODY, Placing, State, Token
from tests.engine.aladdins_dragons.cards import spells
from tests.engine.aladdins_dragons.cards.scenes import ASKED, ENTRY, PLACING, PURCHASE, ROW, Intent, Scene, Told, live
from tests.engine.aladdins_dragons.magic_table import magic_table
from tests.engine.aladdins_dragons.table import A, B, C

CASTER, ANOTHER = "caster", "another"
"""Where the tile is."""

YES_NO = (True, False)
MOST_TOKENS = 5


@cache
def scenes() -> dict[str, Scene]:
    """By spell, from `MATRIX` in the test file of each."""
    names = sorted(found.name for found in iter_modules(spells.__path__))
    found: dict[str, Scene] = {}
    for name in names:
        found |= getattr(import_module(f"{spells.__name__}.{name}"), "MATRIX", {})
    return found


ROWS = {
    "cave-pearl": "C1", "cave-gold": "H1 R5 C9", "tent": "A2 B2 C4", "market": ROW, "caravanserai": "C1",
    "guard": "A5 B5 C5", "room-1": "A9 B1",
}  # fmt: skip


def position(spell: str, artifact: str, place: str) -> State:
    """The scene of a spell before its cards: nobody has anything but what belongs to the cell."""
    scene, holder = scenes()[spell], holder_of(place)
    tiles = [["lamp"], [], ["carpet"]]
    if spell == "mages_apprentice":
        tiles[A].append("scroll")
    if not (holder == A and artifact == "lamp"):
        tiles[holder].append(artifact)
    state = magic_table(
        camel=holder, guard=5, caves={"gold": [4, 2], "pearl": [4, 2]}, spells=[spell],
        tiles=[" ".join(names) for names in tiles], hoards=[{"gem": 9, "gold": 9, "crown": 3}, {"gem": 6, "gold": 4}],
    )  # fmt: skip
    for space, row in {**ROWS, **scene.rows}.items():
        for text in row.replace("H", "AB"[holder]).replace("R", "BA"[holder]).split():
            Board(state).arrive(Token("ABC".index(text[0]), int(text[1:])), space)
    state.hands = [[], [], []]
    state.magic.allowance = [3, 1, 1]
    if artifact == "key":
        _bar_from_palace(state, spell, holder)
    if spell == "parasite":  # Carla has used what is copied where the cell is about something else
        lent = "double" if artifact == "carpet" else "carpet"
        state.artifacts[C], state.magic.used[C] = [lent, "lamp"], [lent, "lamp"]
        state.magic.spells[C] = ["charity"]
    if spell == "spy":
        state.hands[B], state.spaces["tent"][1:2] = [2], []
        state.agenda[-1] = Placing(B)
    return state


def _bar_from_palace(state: State, spell: str, holder: int) -> None:
    """Only the key lets its owner in; Anna is in without it where she must be to cast the spell."""
    state.guard = 10
    if spell in ("abracadabra", "sultans_tax"):
        state.spaces["guard"][0].value = 10
    state.spaces["room-1"] = [token for token in state.spaces["room-1"] if token.seat != holder or holder == A]


def cast(spell: str, artifact: str) -> Intent:
    """What Anna means to do."""
    scene, form = scenes()[spell], f"play_{spell}"
    if spell == "parasite":
        form += "__double" if artifact == "carpet" else "__carpet"
    return Intent(A, scene.where, form, scene.wishes)


def use(spell: str, artifact: str, place: str) -> list[Intent]:
    """What whoever has the artifact means to do with it, whether the spell is cast or not.

    Nothing with a counterspell, which is of use against the spell alone, or with the lamp under which it is cast; these
    have words of their own.
    """
    holder, space = holder_of(place), scenes()[spell].use.get(artifact, "market")
    if (spell, artifact, place) == (
        "parasite",
        "counterspell",
        ANOTHER,
    ):  # used on something else
        return [Intent(C, space, "play_charity"), Intent(holder, space, "play_counterspell")]
    if artifact not in ("carpet", "double", "key", "lamp") or (artifact, place) == ("lamp", CASTER):
        return []
    where = ENTRY if artifact == "key" else "placed" if spell == "spy" and artifact == "double" else space
    return [Intent(holder, where, f"play_{artifact}", {"token": [f"{space}:{number}" for number in (1, 2, 3, 4)]})]


def holder_of(place: str) -> int:
    """Who has the tile."""
    return B if place == ANOTHER else A


def replies(spell: str) -> list[Intent]:
    """What Ben and Carla mean to answer the spell, as often as it asks."""
    reply = scenes()[spell].reply
    return [Intent(seat, ASKED, *reply) for seat in (B, C) for _ in range(MOST_TOKENS)] if reply else []


@cache
def world(spell: str, artifact: str, place: str, *, is_cast: bool, is_used: bool) -> Told:
    """One of the four."""
    intents = [*(use(spell, artifact, place) if is_used else []), *replies(spell)]
    mine = [cast(spell, artifact)] if is_cast else []
    if spell == "spy":
        return live(position(spell, artifact, place), *mine, Intent(B, PLACING, "place", {"space": ["tent"]}), *intents)
    return live(position(spell, artifact, place), *intents, *mine)


def relations(spell: str, artifact: str, place: str) -> set[str]:
    """Every word that holds between the two with the tile in that place; what no word says is there as an event."""
    found = {
        "needs": needs(spell, artifact, place),
        "strikes": strikes(spell, artifact, place),
        "copies": copies(spell, artifact, place),
        "gives": gives(spell, artifact, place),
        "stays": stays(spell, artifact, place),
    }
    return {word for word, holds in found.items() if holds} | effects(spell, artifact, place)


def needs(spell: str, artifact: str, place: str) -> bool:
    """Anna has every other tile but not this one, and cannot cast it."""
    if place != CASTER:
        return False
    state = position(spell, artifact, place)
    state.artifacts[A] = [tile for tile in ARTIFACTS if tile != artifact]
    return not live(state, cast(spell, artifact)).done


def strikes(spell: str, artifact: str, place: str) -> bool:
    """Declared once the spell is shown, it leaves nothing of what the spell does."""
    mine = cast(spell, artifact)
    where = {PURCHASE: "room-1", PLACING: "declared-1"}.get(mine.where, mine.where)
    answer = Intent(holder_of(place), where, f"play_{artifact}")
    told = live(position(spell, artifact, place), mine, answer)
    return any(isinstance(event, magic.CardStruck) and event.card == spell for event in told.events)


def copies(spell: str, artifact: str, place: str) -> bool:
    """Anna is offered the artifact's power once it has been used, and not before."""
    form = f"play_{spell}__{artifact}"
    used, unused = (world(spell, artifact, place, is_cast=False, is_used=is_used) for is_used in YES_NO)
    return form in used.offered.get(A, set()) - unused.offered.get(A, set())


def gives(spell: str, artifact: str, place: str) -> bool:
    """Anna may name the tile, beside the lamp the spell needs, as what she gives for the spell."""
    if place != CASTER:
        return False
    told = world(spell, artifact, place, is_cast=True, is_used=False)
    return artifact in told.named.get((spell, "give"), set())


def stays(spell: str, artifact: str, place: str) -> bool:
    """The spell may move the number token of who has the artifact, but not what the artifact has put beside it."""
    told = world(spell, artifact, place, is_cast=True, is_used=True)
    named = told.named.get((spell, "token"), set()) if (spell, "to") in told.named else set()
    is_there = any(isinstance(event, magic.TokenAdded) and event.space == "market" for event in told.events)
    return is_there and "market:1" in named and "market:4" not in named


def effects(spell: str, artifact: str, place: str) -> set[str]:
    """How the worlds fail to add up."""
    both, artifact_only, spell_only, neither = four_worlds(spell, artifact, place)
    with_spell, without = (was_used(told, artifact) for told in (both, artifact_only))
    if with_spell != without:
        return {"opens"} if with_spell else {"bars"}
    extra = counted(both)
    extra.subtract(counted(spell_only))
    extra.subtract(counted(artifact_only))
    extra.update(counted(neither))
    return {word_of(event) for event, count in extra.items() if count}


def four_worlds(spell: str, artifact: str, place: str) -> list[Told]:
    """With both, with the artifact, with the spell, with neither."""
    return [world(spell, artifact, place, is_cast=is_cast, is_used=is_used) for is_used in YES_NO for is_cast in YES_NO]


def was_used(told: Told, artifact: str) -> bool:
    """True if whoever has the artifact could do what he meant to."""
    return any(intent.form == f"play_{artifact}" for intent in told.done)


def counted(told: Told) -> Counter[str]:
    """What happened, but for the sums in the spaces: tokens always add up there."""
    return Counter(dumped(event) for event in told.events if not isinstance(event, events.SpaceRanked))


def dumped(event: object) -> str:
    """An event as text that can be counted."""
    return msgspec.json.encode(event).decode()


def word_of(text: str) -> str:
    """What it is called that this event is not as it would be."""
    event = msgspec.json.decode(text)
    match event["type"], event:
        case "TokenRemoved", _:
            word = "removes"
        case "CardPlayed", {"card": "eye_for_an_eye"}:  # it names what it removes
            word = "removes"
        case "TreasurePaid", {"space": "city_tax" | "sultans_tax"}:
            word = "taxes"
        case "TreasurePaid", {"space": "room-1"}:
            word = "prices"
        case "CardPlayed", {"card": "abracadabra"}:  # its targets are the payment
            word = "prices"
        case "MarketDeclined", _:
            word = "ranks"
        case _:
            word = text
    return word


def reach(spell: str, artifact: str) -> str:
    """What the spell can do with a tile of a room: find it face down in the first, take it face up from the second."""
    state = position(spell, "scroll", CASTER)
    others = [name for name in ARTIFACTS if name not in (artifact, "scroll")]
    state.stacks["room-1"], state.stacks["room-2"] = [others[0], artifact, "scroll"], ["scroll", artifact]
    state.magic.known["room-1"], state.magic.known["room-2"] = [[], [], [EVERYBODY]], [[], [EVERYBODY]]
    told = live(state, cast(spell, ""))
    assert told.done == [cast(spell, "")], "cast"
    found = {value for (_, field), values in told.named.items() for value in values if field == "card"}
    taken = {event.artifact for event in told.events if isinstance(event, magic.OfferSwapped)}
    return "finds" if artifact in found else "takes" if artifact in taken else "-"
