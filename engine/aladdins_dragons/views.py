"""The view of a state and the redaction of an event for one seat, field by field; nothing is shown by default."""

from msgspec import UNSET
from msgspec.structs import replace

from engine.aladdins_dragons import events, model, waves
from engine.aladdins_dragons.cards.windows import known_tiles
from engine.aladdins_dragons.events import Event
from engine.aladdins_dragons.model import (
    EVERYBODY,
    BuriedSpell,
    Effect,
    Frame,
    MagicView,
    PassedSpell,
    Ranking,
    SeenToken,
    State,
    Token,
    View,
)
from engine.aladdins_dragons.questions import decisions, question
from engine.core import Decision, JsonObject, Seat


def magic_view(state: State, seat: Seat | None) -> MagicView:
    """Returns what the seat may see (None: a spectator), field by field."""
    magic = state.magic
    return MagicView(
        last_first=magic.last_first,
        spell_deck_count=len(magic.spell_deck),
        spells=None if seat is None else list(magic.spells[seat]),
        spell_counts=[len(cards) for cards in magic.spells],
        passed=[
            PassedSpell(passed.card, passed.giver, passed.owner)
            for passed in magic.passed
            if seat in (passed.giver, passed.owner)
        ],
        played=list(magic.played),
        buried=[BuriedSpell(buried.card, buried.seat) for buried in magic.buried if buried.seat == seat],
        buried_count=len(magic.buried),
        used=[list(used) for used in magic.used],
        allowance=list(magic.allowance),
        artifacts=None if seat is None else sorted(state.artifacts[seat]),
        tiles=[sorted(known_tiles(state, owner).elements()) for owner in range(state.seats)],
        offers={room: state.stacks[room][-1] for room in magic.offers},
        stacks={room: _stack(state, room, seat) for room in state.stacks},
        effects=[Effect(effect.name, effect.seat, effect.space) for effect in magic.effects],
        arrivals=dict(magic.arrivals),
        declared=magic.declared,
    )


def _stack(state: State, room: str, seat: Seat | None) -> list[str | None]:
    """The tiles of a room, bottom first, where the viewer knows them."""
    return [
        tile if EVERYBODY in knowers or seat in knowers else None
        for tile, knowers in zip(state.stacks[room], state.magic.known[room], strict=True)
    ]


def window(frame: model.Window, seat: Seat | None) -> model.Window:
    """Shows a viewer his own of the sealed answers (A76)."""
    answers = [answer if owner == seat else None for owner, answer in zip(frame.entitled, frame.answers, strict=True)]
    return replace(frame, entitled=list(frame.entitled), answers=answers, plays=list(frame.plays))


def view(state: State, seat: Seat | None, *, is_still: bool = False) -> View:
    """Returns what the seat may see (None: a spectator); `is_still` where nobody is asked anything."""
    shown_state, open_decisions = waves.as_seen(state, seat), [] if is_still else list(decisions(state))
    return View(
        rules_version=state.rules_version,
        version=state.version,
        open_hoards=state.open_hoards,
        has_safety_stop=state.has_safety_stop,
        seat=seat,
        round=state.round,
        camel=state.camel,
        agenda=[_frame(frame, seat) for frame in state.agenda],
        hand=None if seat is None else list(shown_state.hands[seat]),
        hand_counts=[len(hand) for hand in state.hands],
        turns=list(state.turns),
        forfeits=list(state.forfeits),
        spaces={space: [_token(token, seat) for token in tokens] for space, tokens in shown_state.spaces.items()},
        caves={kind: list(shelves) for kind, shelves in state.caves.items()},
        bank=dict(state.bank),
        hoards=[
            dict(hoard) if state.open_hoards or owner == seat else None for owner, hoard in enumerate(state.hoards)
        ],
        offers={room: len(stack) for room, stack in state.stacks.items()},
        artifact_counts=[len(owned) for owned in state.artifacts],
        deck_count=len(state.deck),
        discards=list(state.discards),
        guard=state.guard if state.is_guard_shown else None,
        is_guard_shown=state.is_guard_shown,
        admitted=list(state.admitted),
        tallying=state.tallying,
        tallied=list(state.tallied),
        rankings={space: Ranking(list(r.seats), list(r.totals)) for space, r in state.rankings.items()},
        resigned=list(state.resigned),
        asked=[decision if decision.seat == seat else _public(decision) for decision in open_decisions],
        questions=[question(state, decision) for decision in open_decisions if decision.seat == seat],
        outcome=state.outcome,
        optional_magic=magic_view(state, seat) if state.has_magic else UNSET,
        optional_plans=state.optional_plans,
        optional_tempo=state.optional_tempo,
        ends_decided=state.ends_decided,
        branch=state.branch,
    )


def still(state: State, seat: Seat | None) -> View:
    """Returns what the seat sees between two events of a step: the board as it is, while nobody is asked anything."""
    return view(replace(state, agenda=[_doing(state)]), seat, is_still=True)


def _doing(state: State) -> Frame:
    """Returns what the step is at: what lies on the agenda in its middle may be begun, or not yet."""
    if state.tallying:
        return model.Tally(state.tallying)
    is_placing = state.round > 0 and any(isinstance(frame, model.Boundary) for frame in state.agenda)
    return model.Placing(state.camel) if is_placing else model.RoundEnd()


def _frame(frame: Frame, seat: Seat | None) -> Frame:
    match frame:
        case model.StartingTreasures(chosen):
            return model.StartingTreasures([own if owner == seat else None for owner, own in enumerate(chosen)])
        case model.Bribes(waiting):
            return model.Bribes(list(waiting))
        case model.Purchase(room, waiting):
            return model.Purchase(room, list(waiting))
        case model.Wave() | model.Window():
            return waves.redacted(frame, seat) if isinstance(frame, model.Wave) else window(frame, seat)
        case model.Tent(owner) if owner != seat:
            return replace(frame, cards=[])
        case _:
            return replace(frame)


def _token(token: Token, seat: Seat | None) -> SeenToken:
    is_visible = token.face_up or token.seat == seat
    return SeenToken(
        token.seat,
        token.value if is_visible else None,
        token.face_up,
        token.number if isinstance(token.number, int) else 0,
        token.source if isinstance(token.source, str) else "",
    )


def _public(decision: Decision) -> Decision:
    """A sealed decision of another looks the same whether or not it has been answered (A6)."""
    return replace(decision, prompted=True) if decision.sealed else decision


def redact(event: Event, seat: Seat | None) -> Event:
    """The event as that viewer may see it. Plays are open; only values, types and cards drawn are hidden."""
    hidden: JsonObject = {}
    match event:
        case (
            events.TokenPlaced(owner, face_up=False)
            | events.TokenRemoved(owner, face_up=False)
            | events.TokenMoved(owner, face_up=False)
        ) if owner != seat:
            hidden = {"value": None}
        case events.TokensEvicted(owner) if owner != seat:
            hidden = {"values": None}
        case events.GuardPosted():
            hidden = {"strength": None}
        case events.ArtifactBought():
            hidden = {"artifact": None}
        case events.ArtifactTaken(owner) if owner != seat:
            hidden = {"artifact": None}
        case events.SpellsDrawn(owner) if owner != seat:
            hidden = {"cards": None}
        case events.SpellKept(owner, _, to) if owner != seat:
            hidden = {"kept": None, "given": event.given if seat is not None and seat == to else None}
        case events.StackRevealed(owner) if owner != seat:
            hidden = {"tiles": None}
    return replace(event, **hidden)


# Which events of a step a replay shows one after the other: a tally is one step of the rules, many for its players.

TURNING = (events.GuardRevealed, events.SpaceRevealed, events.TokenRevealed, events.SpaceRanked)
"""The tokens of a space are turned over and compared."""

ROUND = (events.RoundEnded, events.RoundBegan, events.DeckShuffled, events.CavesFilled, events.GuardPosted)
"""A round ends and the next one is laid out."""

PLAYING = (events.CardPlayed, events.TokenPlaced, events.PlacementForfeited, events.SpellsDrawn)


def opens_scene(event: Event, before: Event) -> bool:
    """True if the board is shown as it was before this event.

    What one seat places together is laid at once. Space after space: the tokens are turned over and compared; what they
    bring is given; at the guard and in the rooms everybody who pays is shown by himself.
    """
    match event:
        case events.TokenPlaced(seat):
            return not (isinstance(before, events.TokenPlaced) and before.seat == seat)
        case events.GuardRevealed() | events.SpaceRevealed() | events.SpaceRanked():
            return not isinstance(before, TURNING)
        case events.TreasureTaken() | events.TreasureReturned():
            return isinstance(before, TURNING)
        case events.TreasurePaid():
            return not isinstance(before, events.PurchaseDeclined)
        case _ if isinstance(event, ROUND):
            return not isinstance(before, ROUND)
    return isinstance(event, PLAYING) or (isinstance(before, TURNING) and not isinstance(event, TURNING))


def begins_tally(event: Event) -> bool:
    """True for the end of placing."""
    return isinstance(event, events.PlacingEnded)
