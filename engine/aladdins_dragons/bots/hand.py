"""Which of its cards a seat plays, if any: those it can, aimed in every sensible way, judged, less what they cost."""

from typing import NamedTuple

from engine.aladdins_dragons.actions import PlayCard
from engine.aladdins_dragons.board.facts import LAMP
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.aiming import aims
from engine.aladdins_dragons.cards.deck import get_card, is_artifact
from engine.aladdins_dragons.judging.case import Case
from engine.aladdins_dragons.judging.outlook import Outlook
from engine.core import Question, Seat

USE = 2.0  # an artifact can be used but once in a round
LATE_USE = 0.5  # and in the rooms there is little left to use it for
KEY_USE = 4.0  # and whoever has a key may need the use at the guard
CARD = 1.5  # a spell is spent


class Idea(NamedTuple):
    """A card, aimed, and what it brings beyond its cost."""

    gain: float
    action: PlayCard


class CardChoice:
    """The cards of one seat in one view of a magic game."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._view, self._seat = view, seat
        self._outlook = Outlook.of(view)
        self._before = self._outlook.worth(seat)
        self._is_lit = LAMP in view.magic.used[seat]

    def ideas(self, question: Question) -> list[Idea]:
        """The best aim of each card that can be played now, best first; also of those that cost more than they bring.

        The lamp alone is none of them: it comes with the first spell.
        """
        found = []
        for form in question.actions:
            if form.type.startswith("play_") and form.type != f"play_{LAMP}":
                plays = [Idea(self._gain(play), play) for play in aims(self._view, self._outlook, self._seat, form)]
                found += [max(plays, key=lambda idea: idea.gain)] if plays else []
        return sorted(found, key=lambda idea: -idea.gain)

    def best(self, question: Question) -> Idea | None:
        """The card to play now. A lamp that is not lit yet must be worth it by all its spells together."""
        found = [idea for idea in self.ideas(question) if idea.gain > 0]
        spells = sum(idea.gain for idea in found if not is_artifact(idea.action.card))
        if not self._is_lit and spells <= self._use_cost():
            found = [idea for idea in found if is_artifact(idea.action.card)]
        return found[0] if found else None

    def gain(self, play: PlayCard) -> float:
        """What a play brings beyond its cost, the lamp it needs included."""
        needs_lamp = not self._is_lit and not is_artifact(play.card)
        return self._gain(play) - (self._use_cost() if needs_lamp else 0.0)

    def _gain(self, play: PlayCard) -> float:
        case = Case(self._outlook, self._before, self._seat, self._seat, play.targets)
        return get_card(play.card).judge(case) - self._cost(play.card)

    def _cost(self, card: str) -> float:
        if card == "key":
            return USE
        return self._use_cost() if is_artifact(card) else CARD

    def _use_cost(self) -> float:
        """What else the use could do."""
        view, seat = self._view, self._seat
        if view.tallying.startswith("room-"):
            return LATE_USE
        if seat in view.admitted or "key" not in (view.magic.artifacts or []):
            return USE
        return USE if len(view.magic.used[seat]) + 1 < view.magic.allowance[seat] else KEY_USE
