"""A state that looks like a view: what the viewer cannot see is drawn at random."""

from collections import Counter
from random import Random

from msgspec import UNSET
from msgspec.structs import replace

from engine.aladdins_dragons import model, waves
from engine.aladdins_dragons.actions import PlayCard, to_action
from engine.aladdins_dragons.cards.deck import LAMP, SPELLS
from engine.aladdins_dragons.cards.windows import play_forms, to_plays
from engine.aladdins_dragons.facts import DECKS, KINDS, PIECES, TREASURE_PER_KIND
from engine.aladdins_dragons.model import (
    EVERYBODY,
    BuriedSpell,
    Effect,
    Frame,
    Magic,
    PassedSpell,
    Ranking,
    SeenToken,
    StartingTreasures,
    State,
    Token,
    View,
)
from engine.aladdins_dragons.setup import artifacts_in_stacks
from engine.core import Seat
from engine.core.answers import draw_from
from engine.core.rng import Rng

# The magic version


def tiles(view: View, random: Random) -> tuple[dict[str, list[str]], list[list[str]], list[list[str]]]:
    """Stacks by room, artifacts by seat, and of these the types that only their owner knows he has."""
    magic = view.magic
    pool = Counter(artifacts_in_stacks(view.seats, "magic")) + Counter({LAMP: view.seats})
    tiles = [list(public) for public in magic.tiles]
    if view.seat is not None and magic.artifacts is not None:
        tiles[view.seat] = list(magic.artifacts)
    for owned in [*tiles, *([tile for tile in stack if tile] for stack in magic.stacks.values())]:
        pool.subtract(owned)
    unseen = list(pool.elements())
    random.shuffle(unseen)
    for seat, owned in enumerate(tiles):
        owned += [unseen.pop() for _ in range(view.artifact_counts[seat] - len(owned))]
    stacks = {room: [tile or unseen.pop() for tile in stack] for room, stack in magic.stacks.items()}
    unknown = [
        sorted((Counter(owned) - Counter(public)).elements()) for owned, public in zip(tiles, magic.tiles, strict=True)
    ]
    return stacks, tiles, unknown


def magic_of(view: View, unknown: list[list[str]], random: Random) -> Magic:
    """Spell cards nobody has shown are dealt to deck, hands and discards; what the viewer knows stays."""
    magic = view.magic
    spells, buried, deck = _deal_spells(view, random)
    return Magic(
        last_first=magic.last_first,
        spell_deck=deck,
        spells=spells,
        used=[list(used) for used in magic.used],
        allowance=list(magic.allowance),
        unknown=unknown,
        offers=list(magic.offers),
        known={room: _knowers(view, room) for room in magic.stacks},
        arrivals=dict(magic.arrivals),
        passed=[PassedSpell(passed.card, passed.giver, passed.owner) for passed in magic.passed],
        played=list(magic.played),
        buried=buried,
        effects=[Effect(effect.name, effect.seat, effect.space) for effect in magic.effects],
        declared=magic.declared,
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


def determinise(view: View, random: Random) -> State:
    """Unseen tokens, artifacts, treasure cards, guard, hidden hoards and sealed answers are dealt at random."""
    view = waves.as_it_is(view)
    hidden = [_unseen_tokens(view, seat, random) for seat in range(view.seats)]
    stacks, artifacts, magic = _pieces(view, random)
    deck = _deck(view, random)
    state = State(
        rules_version=view.rules_version,
        version=view.version,
        open_hoards=view.open_hoards,
        has_safety_stop=view.has_safety_stop,
        rng=Rng(random.randbytes(32).hex()),
        round=view.round,
        camel=view.camel,
        agenda=[_frame(frame, view, magic, random) for frame in view.agenda],
        spaces=_spaces(view, hidden),
        hands=_hands(view, hidden),
        turns=list(view.turns),
        forfeits=list(view.forfeits),
        caves={kind: list(shelves) for kind, shelves in view.caves.items()},
        bank=dict(view.bank),
        hoards=_hoards(view, random),
        stacks=stacks,
        artifacts=artifacts,
        deck=deck,
        discards=list(view.discards),
        guard=_guard(view, random),
        is_guard_shown=view.is_guard_shown,
        admitted=list(view.admitted),
        tallying=view.tallying,
        tallied=list(view.tallied),
        rankings={space: Ranking(list(r.seats), list(r.totals)) for space, r in view.rankings.items()},
        resigned=list(view.resigned),
        outcome=view.outcome,
        optional_magic=UNSET if magic is None else magic,
        optional_plans=view.optional_plans,
        optional_tempo=view.optional_tempo,
        ends_decided=view.ends_decided,
        branch=view.branch,
    )
    seal(state, view.seat, random)
    return state


Pieces = tuple[dict[str, list[str]], list[list[str]], Magic | None]


def _pieces(view: View, random: Random) -> Pieces:
    """Stacks, artifacts of the seats, and what only the magic version has."""
    if not view.has_magic:
        return *_deal_artifacts(view, random), None
    stacks, artifacts, unknown = tiles(view, random)
    return stacks, artifacts, magic_of(view, unknown, random)


def _deck(view: View, random: Random) -> list[str]:
    """The treasure cards not yet used, in any order."""
    unused = [card.id for card in DECKS[view.seats] if card.id not in view.discards]
    random.shuffle(unused)
    return unused


def _hands(view: View, hidden: list[list[int]]) -> list[list[int]]:
    hands = [sorted(values) for values in hidden]
    if view.seat is not None and view.hand is not None:
        hands[view.seat] = list(view.hand)
    return hands


def _guard(view: View, random: Random) -> int:
    if view.guard is not None:
        return view.guard
    return random.choice(PIECES.guards) if view.round else 0


def _unseen_tokens(view: View, seat: Seat, random: Random) -> list[int]:
    """The seat's tokens of which the viewer does not know where they are, shuffled."""
    values = [token.value for row in view.spaces.values() for token in row if token.seat == seat and not token.source]
    unseen = [value for value in PIECES.tokens if value not in values]
    random.shuffle(unseen)
    return unseen


def _spaces(view: View, hidden: list[list[int]]) -> dict[str, list[Token]]:
    """Face-down tokens take from the front of `hidden`; what stays there is in hand."""
    return {space: [_token(view, token, hidden) for token in row] for space, row in view.spaces.items()}


def _token(view: View, token: SeenToken, hidden: list[list[int]]) -> Token:
    value = hidden[token.seat].pop() if token.value is None else token.value
    if not view.has_magic:
        return Token(token.seat, value, token.face_up)
    return Token(token.seat, value, token.face_up, token.number, token.source or UNSET)


def _deal_artifacts(view: View, random: Random) -> tuple[dict[str, list[str]], list[list[str]]]:
    """Deals every artifact anew: nobody has seen any of them (A7, A47)."""
    pool = [artifact for artifact, count in PIECES.artifacts.items() for _ in range(count)]
    random.shuffle(pool)
    stacks = {room: [pool.pop() for _ in range(count)] for room, count in view.offers.items()}
    return stacks, [[pool.pop() for _ in range(count)] for count in view.artifact_counts]


def _hoards(view: View, random: Random) -> list[dict[str, int]]:
    """Splits, unit by unit, among the others what is neither in the bank nor in a cave nor in a hoard in view."""
    hoards = [dict.fromkeys(KINDS, 0) if hoard is None else dict(hoard) for hoard in view.hoards]
    hidden = [seat for seat, hoard in enumerate(view.hoards) if hoard is None]
    for kind in KINDS if hidden else ():
        shown = sum(hoard[kind] for hoard in hoards)
        for _ in range(TREASURE_PER_KIND - view.bank[kind] - sum(view.caves[kind]) - shown):
            hoards[random.choice(hidden)][kind] += 1
    return hoards


def _frame(frame: Frame, view: View, magic: Magic | None, random: Random) -> Frame:
    match frame:
        case StartingTreasures() | model.Wave():
            return _sealed(frame, view.seat, random)
        case model.Window() if frame.answers:
            return window(frame, view.seat, random)
        case model.Tent() if magic is not None:
            return tent(frame, magic)
        case model.Bribes() | model.Purchase():
            return replace(frame, waiting=list(frame.waiting))
        case model.Ask():
            return replace(
                frame,
                play=replace(frame.play),
                waiting=list(frame.waiting),
                turns=list(frame.turns),
                left=[list(names) for names in frame.left],
            )
    return replace(frame)


def _sealed(frame: StartingTreasures | model.Wave, viewer: Seat | None, random: Random) -> Frame:
    """Leaves out what others have chosen in a wave: how much of it there is nobody sees."""
    if isinstance(frame, model.Wave):
        return waves.redacted(frame, viewer)
    return _chosen(frame, viewer, random)


def _chosen(frame: StartingTreasures, viewer: Seat | None, random: Random) -> StartingTreasures:
    """Each other seat has answered or not; at least one seat has not, or the frame would be done."""
    chosen = list(frame.chosen)
    others = [seat for seat in range(len(chosen)) if seat != viewer]
    open_seats = random.randint(1 if viewer is None or chosen[viewer] is not None else 0, len(others))
    for seat in random.sample(others, len(others) - open_seats):
        chosen[seat] = _some_treasures(random)
    return StartingTreasures(chosen)


def _some_treasures(random: Random) -> dict[str, int]:
    picks = [random.choice(KINDS) for _ in range(PIECES.starting_treasures)]
    return {kind: picks.count(kind) for kind in KINDS if kind in picks}
