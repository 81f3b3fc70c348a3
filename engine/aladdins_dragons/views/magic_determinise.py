"""What the viewer cannot see of the magic version, drawn at random."""

from collections import Counter
from random import Random

from msgspec.structs import replace

from engine.aladdins_dragons.actions import PlayCard, to_action
from engine.aladdins_dragons.board import model
from engine.aladdins_dragons.board.magic_model import EVERYBODY, BuriedSpell, Effect, Magic, PassedSpell
from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.board.setup import artifacts_in_stacks
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards.deck import LAMP, SPELLS
from engine.aladdins_dragons.cards.windows import play_forms, to_plays
from engine.core import Seat
from engine.core.answers import draw_from


def tiles(view: View, random: Random) -> tuple[dict[str, list[str]], list[list[str]], list[list[str]]]:
    """Stacks by room, artifacts by seat, and of these the types that only their owner knows he has."""
    magic = view.magic
    pool = Counter(artifacts_in_stacks(view.seats, "magic")) + Counter({LAMP: view.seats})
    held = [list(known) for known in magic.tiles]
    if view.seat is not None and magic.artifacts is not None:
        held[view.seat] = list(magic.artifacts)
    for owned in [*held, *([tile for tile in stack if tile] for stack in magic.stacks.values())]:
        pool.subtract(owned)
    unseen = list(pool.elements())
    random.shuffle(unseen)
    for seat, owned in enumerate(held):
        owned += [unseen.pop() for _ in range(view.artifact_counts[seat] - len(owned))]
    stacks = {room: [tile or unseen.pop() for tile in stack] for room, stack in magic.stacks.items()}
    unknown = [
        sorted((Counter(owned) - Counter(known)).elements()) for owned, known in zip(held, magic.tiles, strict=True)
    ]
    return stacks, held, unknown


def magic_of(view: View, unknown: list[list[str]], random: Random) -> Magic:
    """Spell cards nobody has shown are dealt to deck, hands and discards; what the viewer knows stays."""
    seen = view.magic
    spells, buried, deck = _deal_spells(view, random)
    return Magic(
        last_first=seen.last_first,
        spell_deck=deck,
        spells=spells,
        used=[list(used) for used in seen.used],
        allowance=list(seen.allowance),
        unknown=unknown,
        offers=list(seen.offers),
        known={room: _knowers(view, room) for room in seen.stacks},
        arrivals=dict(seen.arrivals),
        passed=[PassedSpell(passed.card, passed.giver, passed.owner) for passed in seen.passed],
        played=list(seen.played),
        buried=buried,
        effects=[Effect(effect.name, effect.seat, effect.space) for effect in seen.effects],
        declared=seen.declared,
    )


def _knowers(view: View, room: str) -> list[list[Seat]]:
    """A tile in view is known to the viewer, or to everybody if he is a spectator."""
    viewer = EVERYBODY if view.seat is None else view.seat
    return [[viewer] if tile else [] for tile in view.magic.stacks[room]]


def _deal_spells(view: View, random: Random) -> tuple[list[list[str]], list[BuriedSpell], list[str]]:
    magic = view.magic
    hands: list[list[str]] = [[] for _ in range(view.seats)]
    if view.seat is not None:
        hands[view.seat] = list(magic.spells or [])
    for passed in magic.passed:
        if passed.owner != view.seat:
            hands[passed.owner].append(passed.card)
    drawn = _drawn(view)
    gone = {
        *magic.played,
        *(buried.card for buried in magic.buried),
        *(card for hand in hands for card in hand),
        *drawn,
    }
    unseen = [card for card in SPELLS if card not in gone]
    random.shuffle(unseen)
    for seat, hand in enumerate(hands):
        hand += [unseen.pop() for _ in range(magic.spell_counts[seat] - len(hand))]
    others = [seat for seat in range(view.seats) if seat != view.seat]
    hidden = [BuriedSpell(unseen.pop(), random.choice(others)) for _ in range(magic.buried_count - len(magic.buried))]
    return hands, [*(replace(own) for own in magic.buried), *hidden], unseen


def _drawn(view: View) -> list[str]:
    """The cards the viewer has just drawn at the tent."""
    frame = view.agenda[-1] if view.agenda else None
    return frame.cards if isinstance(frame, model.Tent) else []


def tent(frame: model.Tent, magic: Magic) -> model.Tent:
    """The cards somebody else has drawn come from the top of the deck that was dealt."""
    return frame if frame.cards else replace(frame, cards=[magic.spell_deck.pop() for _ in range(2)])


def window(frame: model.Window, viewer: Seat | None, random: Random) -> model.Window:
    """Others have passed or not answered yet; at least one seat has not, or the pass would be complete.

    Who has passed may have played something instead: see `seal`.
    """
    answers = list(frame.answers)
    others = [place for place, seat in enumerate(frame.entitled) if seat != viewer]
    has_answered = all(answer is not None for place, answer in enumerate(answers) if place not in others)
    open_seats = random.randint(1 if has_answered else 0, len(others)) if others else 0
    for place in random.sample(others, len(others) - open_seats):
        answers[place] = []
    return replace(frame, entitled=list(frame.entitled), answers=answers, plays=[replace(p) for p in frame.plays])


PLAYED = 0.25  # how often somebody who has answered has played something, if he can


def seal(state: State, viewer: Seat | None, random: Random) -> None:
    """Some of the others who have answered have played what they hold in this world, face down as yet (A76)."""
    frame = state.agenda[-1] if state.agenda else None
    if not isinstance(frame, model.Window):
        return
    for place, seat in enumerate(frame.entitled):
        if seat != viewer and frame.answers[place] == [] and random.random() < PLAYED:
            forms = play_forms(state, seat, frame)
            action = to_action(draw_from(forms, random)) if forms else None
            if isinstance(action, PlayCard):
                frame.answers[place] = to_plays(state, seat, action)
