"""Response windows: who is asked, the passes, and the order in which what was played takes effect (A75-A82, A91).

A seat declares one card at a time; whatever is shown brings another pass, so it can go on. The lamp may be joined with
the first spell (A84). Who is asked follows from public facts alone: how many spells and uses a seat has, and which
tiles it is known to hold.
"""

from collections import Counter

from engine.aladdins_dragons.actions import Action, KeepSpell, Pass, PlayCard, Reply
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.deck import ARTIFACTS, LAMP, SPELLS, get_card, is_artifact
from engine.aladdins_dragons.effects import unused_types
from engine.aladdins_dragons.model import Ask, Boundary, Play, Resolve, State, Tent, Window
from engine.core import ActionForm, Seat

REPLY, ENTRY, PURCHASE = "reply", "entry", "purchase"
"""Kinds of window beside the ordinary one; the last two are a seat's own decision."""


def is_waiting(window: Window) -> bool:
    """True while somebody has yet to answer this pass."""
    return any(answer is None for answer in window.answers)


def go_on(board: Board, frame: Window | Resolve | Ask) -> None:
    """Goes on with a frame that nobody has to answer. It has been taken off the agenda."""
    match frame:
        case Window():
            step(board, frame)
        case Resolve():
            resolve(board, frame)
        case Ask():
            pass  # everybody has answered


def answer(board: Board, frame: Window | Tent | Ask, seat: Seat, action: Action) -> None:
    """Lets the frame take the answer, which has been checked."""
    match frame, action:
        case Window(), Pass():
            frame.answers[frame.entitled.index(seat)] = []
        case Window(), PlayCard():
            frame.answers[frame.entitled.index(seat)] = to_plays(board.state, seat, action)
        case Tent(_, cards, to), KeepSpell(kept):
            board.state.agenda.pop()
            board.keep_spell(seat, kept, next(card for card in cards if card != kept), to)
        case Ask(card), Reply():
            frame.waiting.remove(seat)
            frame.turns[seat] += 1
            get_card(card).answer(board, frame, seat, action)
        case _:
            raise AssertionError((frame, action))


def step(board: Board, window: Window) -> None:
    """Shows what the pass brought and begins the next, or closes the window. It has been taken off the agenda."""
    shown = [play for answer in window.answers for play in answer or []]
    for play in shown:
        board.declare(play)
        window.plays.append(play)
        get_card(play.card).declared(board, play)
    if shown or window.number == 0:
        _begin_pass(board.state, window)
        board.state.agenda.append(window)
        if _opens_plans(board.state, window, shown):
            board.state.agenda.append(Boundary("shown"))  # before the tally everybody may plan anew
    else:
        _close(board, window)


def _opens_plans(state: State, window: Window, shown: list[Play]) -> bool:
    """After the last token a play opens the plans again; one that touches nobody opens none."""
    if not shown or window.where != "placed" or not state.is_planned:
        return False
    others = [(play, seat) for play in shown for seat in range(state.seats) if seat != play.seat]
    return any(any(get_card(play.card).touches(state, play, seat)) for play, seat in others)


def _begin_pass(state: State, window: Window) -> None:
    window.number += 1
    window.entitled = [seat for seat in state.sequence() if could_act(state, seat, window)]
    window.answers = [None] * len(window.entitled)


def _close(board: Board, window: Window) -> None:
    """Negation first, what was declared last before what it may have answered (A79); then by player sequence (A75)."""
    for play in reversed(window.plays):
        if not play.is_struck:
            get_card(play.card).first(board, play, window.plays)
    sequence = board.state.sequence()
    plays = sorted(window.plays, key=lambda play: sequence.index(play.seat))
    if plays:
        board.state.agenda.append(Resolve(plays))


def resolve(board: Board, frame: Resolve) -> None:
    """The next play takes effect; it may put questions on top of what is left."""
    play, *rest = frame.plays
    if rest:
        board.state.agenda.append(Resolve(rest))
    card = get_card(play.card)
    if play.is_struck:
        card.struck(board, play)
    else:
        card.resolve(board, play)


def declare(board: Board, seat: Seat, action: PlayCard, where: str, kind: str = "window") -> None:
    """A declaration outside a window is shown at once, and opens one (A92)."""
    magic = board.state.magic
    magic.declared += 1
    plays = to_plays(board.state, seat, action)
    window = Window(where, kind)
    board.state.agenda.append(window)
    for play in plays:
        board.declare(play)
        window.plays.append(play)
        get_card(play.card).declared(board, play)


def to_plays(state: State, seat: Seat, action: PlayCard) -> list[Play]:
    """The plays of an answer: before the first spell of the round the lamp is lit with it (A84)."""
    play = Play(seat, action.card, dict(action.targets))
    if is_artifact(action.card) or is_lit(state, seat):
        return [play]
    return [Play(seat, LAMP), play]


# Known to everybody


def is_lit(state: State, seat: Seat) -> bool:
    """The seat has invoked its lamp this round."""
    return LAMP in state.magic.used[seat]


def has_use(state: State, seat: Seat) -> bool:
    """The seat may still use an artifact this round (A57, A82)."""
    return len(state.magic.used[seat]) < state.magic.allowance[seat]


def known_tiles(state: State, seat: Seat) -> Counter[str]:
    """The tiles everybody knows the seat has."""
    return Counter(state.artifacts[seat]) - Counter(state.magic.unknown[seat])


def could_have(state: State, seat: Seat) -> list[str]:
    """The artifact types the seat may have an unused tile of, as far as everybody can see."""
    if state.magic.unknown[seat]:
        return list(ARTIFACTS)
    return unused_types(state, seat)


def could_act(state: State, seat: Seat, window: Window) -> bool:
    """Is the seat asked in the next pass of this window? Public facts only."""
    if state.magic.spells[seat] and is_lit(state, seat) and _could_cast(state, seat, window):
        return True
    if not (state.artifacts[seat] or state.magic.unknown[seat]) or not has_use(state, seat):
        return False
    for name in could_have(state, seat):  # written out: everybody is looked at for each answer of anybody
        card = ARTIFACTS[name]
        if window.kind in card.moments and card.fits(state, seat, window):
            return True
    return False


def _could_cast(state: State, seat: Seat, window: Window) -> bool:
    """Any spell in a window; where only answers count, one that borrows an answer an opponent has used (S13)."""
    if window.kind != REPLY:
        return True
    lent = {name for other, used in enumerate(state.magic.used) if other != seat for name in used}
    return any(ARTIFACTS[name].is_answer and ARTIFACTS[name].fits(state, seat, window) for name in lent)


# Known to the seat itself


def play_forms(state: State, seat: Seat, window: Window) -> list[ActionForm]:
    """Every way in which the seat can declare a card now: the one source of what is legal."""
    forms: list[ActionForm] = []
    unused = unused_tiles(state, seat)
    for name in unused:
        forms += ARTIFACTS[name].forms(state, seat, window)
    can_light = LAMP in unused and window.kind in ARTIFACTS[LAMP].moments | {ENTRY, PURCHASE}  # A84
    if is_lit(state, seat) or can_light:
        for name in state.magic.spells[seat]:
            forms += SPELLS[name].forms(state, seat, window)
    return forms


def unused_tiles(state: State, seat: Seat) -> list[str]:
    """The types of which the seat has a tile it may still use this round."""
    if not has_use(state, seat):
        return []
    left = unused_types(state, seat)
    return [name for name in ARTIFACTS if name in left]
