"""A player who takes what looks best at the moment, from what it can see."""

from random import Random

from engine.cave_of_wonders.actions import Action, Fly, MoveAladdin, PlaceGenie
from engine.cave_of_wonders.board.facts import Token, square_of
from engine.cave_of_wonders.board.model import Flying, PlacingGenie, View
from engine.cave_of_wonders.gains import best_square, gain_on, gains_on, seen_at
from engine.cave_of_wonders.questions import open_landings, open_targets
from engine.cave_of_wonders.views.determinise import unseen_tokens
from engine.core import Question, Seat, Text

ANOTHER_TOKEN = 3.0  # what the token that a monkey or a carpet brings is worth on average


class GreedyBot:
    """Takes the token that brings most points at once; what lies face down counts as the mean of what it may be."""

    name = "greedy"
    title = Text("bot-greedy")

    def choose(self, view: View, question: Question, random: Random) -> Action:
        """The answer that brings most; among equals the first one."""
        seat = question.decision.seat
        if isinstance(view.frame, PlacingGenie):
            assert view.held is not None
            return PlaceGenie(best_square(view, seat, gains_on(view, seat, view.held)))
        is_flying = isinstance(view.frame, Flying)
        expected = Expected(view, seat)
        spaces = open_targets(view) if is_flying else list(open_landings(view))
        best = max(spaces, key=expected.at)
        return Fly(best) if is_flying else MoveAladdin(best)


class Expected:
    """What tokens can be expected to bring to a seat."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._view, self._seat = view, seat
        self._means = {
            kind: sum(self.of(token) for token in pool) / len(pool) if pool else 0.0
            for kind, pool in unseen_tokens(view).items()
        }

    def at(self, space: str) -> float:
        """Of the token on a space."""
        seen = seen_at(self._view, space)
        return self.of(seen.token()) if seen.face_up else self._means[seen.kind]

    def of(self, token: Token) -> float:
        """Of a token that is known."""
        if token.character == "genie":
            return max(gains_on(self._view, self._seat, token).values())
        gain = gain_on(self._view, self._seat, token, square_of(token))
        return gain + (ANOTHER_TOKEN if token.character in ("monkey", "carpet") else 0.0)
