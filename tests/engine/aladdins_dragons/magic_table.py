"""Positions of the magic version in one call, and cards played in one word."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.aladdins_dragons.actions import Pass, PlayCard
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.events import Event
from engine.aladdins_dragons.model import Placing, State, Window
from tests.engine.aladdins_dragons.rules import MagicRules
from tests.engine.aladdins_dragons.table import play, table, tally

MAGIC_RULES = MagicRules()
PASS = Pass()


def magic_table(seats: int = 3, *, tiles: Sequence[str] = (), spells: Sequence[str] = (), **position: Any) -> State:
    """A `table` of the magic version.

    Arguments:
        tiles: artifacts by seat, "lamp key"; without it everybody has his lamp.
        spells: cards in hand by seat, "charity lunar_eclipse"; they leave the deck.
        position: as of `table`.
    """
    state = table(seats, rules=MAGIC_RULES, **position)
    for seat, names in enumerate(tiles):
        state.artifacts[seat] = names.split()
    for seat, names in enumerate(spells):
        state.magic.spells[seat] = names.split()
        state.magic.spell_deck = [card for card in state.magic.spell_deck if card not in names.split()]
    Board(state).turn_up_offers()
    return state


def declare(card: str, **targets: Any) -> PlayCard:
    """The action that plays a card."""
    return PlayCard(card, targets)


def declare_now(state: State, seat: int, action: PlayCard) -> tuple[State, list[Event]]:
    """A seat declares a card unasked while tokens are placed (A92)."""
    (decision,) = (d for d in MAGIC_RULES.decisions(state) if d.seat == seat and d.kind == "declare")
    return MAGIC_RULES.apply(state, decision.id, seat, action)


def at_window(state: State, where: str) -> State:
    """Placing is complete and everybody answers as silence does until the window there is open; it must open."""
    state, _ = tally(state) if isinstance(state.agenda[-1], Placing) else (state, [])
    return silence(state, lambda now: isinstance(now.agenda[-1], Window) and now.agenda[-1].where == where)[0]


def silence(state: State, is_enough: Callable[[State], bool]) -> tuple[State, list[Event]]:
    """Everybody answers as silence does until it is enough, at the latest at the end of the round."""
    happened = list[Event]()
    while not is_enough(state):
        decision = next(decision for decision in MAGIC_RULES.decisions(state) if decision.prompted)
        answer = MAGIC_RULES.default(state, decision)
        state, more = MAGIC_RULES.apply(state, decision.id, decision.seat, answer)
        happened += more
    return state, happened


def end_of_round(state: State) -> tuple[State, list[Event]]:
    """Everybody answers as silence does to the end of the round."""
    return silence(state, MAGIC_RULES.is_advance_pending)


def one_pass(state: State) -> tuple[State, list[Event]]:
    """Everybody who has not answered this pass of the window passes."""
    waiting = [decision.seat for decision in MAGIC_RULES.decisions(state) if decision.prompted]
    return play(state, *((seat, PASS) for seat in waiting))


def all_pass(state: State) -> tuple[State, list[Event]]:
    """Everybody passes until this window has closed and its plays have taken effect."""
    window, events = state.agenda[-1], list[Event]()
    assert isinstance(window, Window), window
    while isinstance(state.agenda[-1], Window) and state.agenda[-1].where == window.where:
        state, more = one_pass(state)
        events += more
    return state, events


def asked_seats(state: State) -> list[int]:
    """Who is asked, as everybody may know."""
    return [decision.seat for decision in MAGIC_RULES.view(state, None).asked if decision.kind == "window"]


def playable(state: State, seat: int) -> list[str]:
    """The types of answer a seat has to the window or declaration open to it, "pass" last."""
    types = [
        form.type
        for question in MAGIC_RULES.view(state, seat).questions
        if question.decision.kind in ("window", "declare")
        for form in question.actions
    ]
    return sorted(types, key=lambda name: name == "pass")
