"""What one seat may see of the magic version, and of its events."""

from msgspec.structs import replace

from engine.aladdins_dragons.board import magic_events as events
from engine.aladdins_dragons.board import model
from engine.aladdins_dragons.board.magic_events import MagicEvent
from engine.aladdins_dragons.board.magic_model import EVERYBODY, BuriedSpell, Effect, MagicView, PassedSpell
from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.cards.windows import known_tiles
from engine.core import Seat


def magic_view(state: State, seat: Seat | None) -> MagicView:
    """What the seat may see (None: a spectator), field by field."""
    magic = state.magic
    return MagicView(
        last_first=magic.last_first,
        spell_deck_count=len(magic.spell_deck),
        spells=None if seat is None else list(magic.spells[seat]),
        spell_counts=[len(cards) for cards in magic.spells],
        passed=[_passed(passed) for passed in magic.passed if seat in (passed.giver, passed.owner)],
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


def _passed(passed: PassedSpell) -> PassedSpell:
    return PassedSpell(passed.card, passed.giver, passed.owner)


def _stack(state: State, room: str, seat: Seat | None) -> list[str | None]:
    """The tiles of a room, bottom first, where the viewer knows them."""
    return [
        tile if EVERYBODY in knowers or seat in knowers else None
        for tile, knowers in zip(state.stacks[room], state.magic.known[room], strict=True)
    ]


def window(frame: model.Window, seat: Seat | None) -> model.Window:
    """Of the sealed answers a viewer sees his own (A76)."""
    answers = [answer if owner == seat else None for owner, answer in zip(frame.entitled, frame.answers, strict=True)]
    return replace(frame, entitled=list(frame.entitled), answers=answers, plays=list(frame.plays))


def redact(event: MagicEvent, seat: Seat | None) -> MagicEvent:
    """The event as that viewer may see it: plays are open, cards drawn and face-down values are not."""
    match event:
        case (
            events.TokenRemoved(owner, face_up=False) | events.TokenMoved(owner, face_up=False)
        ) if owner != seat:  # fmt: skip
            return replace(event, value=None)
        case events.SpellsDrawn(owner) if owner != seat:
            return replace(event, cards=None)
        case events.SpellKept(owner, _, to) if owner != seat:
            return replace(event, kept=None, given=event.given if seat is not None and seat == to else None)
        case events.ArtifactTaken(owner) if owner != seat:
            return replace(event, artifact=None)
        case events.StackRevealed(owner) if owner != seat:
            return replace(event, tiles=None)
    return event
