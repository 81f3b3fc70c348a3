"""Who may see what: the view of a state and the redaction of an event, field by field; nothing is shown by default."""

from msgspec import UNSET
from msgspec.structs import replace

from engine.aladdins_dragons import waves
from engine.aladdins_dragons.board import events, model
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.magic_events import MagicBase
from engine.aladdins_dragons.board.model import Frame, Ranking, State, Token
from engine.aladdins_dragons.board.view_model import SeenToken, View
from engine.aladdins_dragons.questions import decisions, question
from engine.aladdins_dragons.views import magic_view
from engine.core import Decision, Seat


def view(state: State, seat: Seat | None, *, is_still: bool = False) -> View:
    """What the seat may see (None: a spectator); `is_still` where nobody is asked anything."""
    seen, asked = waves.as_seen(state, seat), [] if is_still else decisions(state)
    return View(
        rules_version=state.rules_version,
        version=state.version,
        open_hoards=state.open_hoards,
        has_safety_stop=state.has_safety_stop,
        seat=seat,
        round=state.round,
        camel=state.camel,
        agenda=[_frame(frame, seat) for frame in state.agenda],
        hand=None if seat is None else list(seen.hands[seat]),
        hand_counts=[len(hand) for hand in state.hands],
        turns=list(state.turns),
        forfeits=list(state.forfeits),
        spaces={space: [_token(token, seat) for token in tokens] for space, tokens in seen.spaces.items()},
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
        asked=[decision if decision.seat == seat else _public(decision) for decision in asked],
        questions=[question(state, decision) for decision in asked if decision.seat == seat],
        outcome=state.outcome,
        optional_magic=magic_view.magic_view(state, seat) if state.has_magic else UNSET,
        optional_plans=state.optional_plans,
        optional_tempo=state.optional_tempo,
        branch=state.branch,
    )


def still(state: State, seat: Seat | None) -> View:
    """What the seat sees between two events of a step: the board as it is, while nobody is asked anything."""
    return view(replace(state, agenda=[_doing(state)]), seat, is_still=True)


def _doing(state: State) -> Frame:
    """What the step is at: what lies on the agenda in its middle may be begun, or not yet."""
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
            return waves.redacted(frame, seat) if isinstance(frame, model.Wave) else magic_view.window(frame, seat)
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
    """The event as that viewer may see it. Everything here happens openly; only values and types are hidden."""
    match event:
        case events.TokenPlaced(owner, _, _, face_up) if not face_up and owner != seat:
            return replace(event, value=None)
        case events.TokensEvicted(owner) if owner != seat:
            return replace(event, values=None)
        case events.GuardPosted():
            return events.GuardPosted(None)
        case events.ArtifactBought():
            return replace(event, artifact=None)
    return magic_view.redact(event, seat) if isinstance(event, MagicBase) else event
