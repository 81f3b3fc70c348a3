"""Lessons: what a rule set says to a beginner at a table of his own: a course in steps, and a puzzle at its end."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from engine.core.questions import Answer, Text

V = TypeVar("V")  # a view
E_contra = TypeVar("E_contra", contravariant=True)  # an event, as the beginner was shown it


class LessonPage(msgspec.Struct, frozen=True):
    """Holds what is said at one step.

    Arguments:
        told: what has become of the beginner's own answers, made from the events he was shown.
        text: what is worth knowing now, and what to do.
        lit: values of options that are shown on the board as worth a tap, or as what is being told.
    """

    title: Text
    told: list[Text]
    text: list[Text]
    lit: list[str] = []


class OpenSteps(NamedTuple):
    """Where a beginner is: what he has not read yet begins at step `first`; the game waits at step `last`."""

    first: int
    last: int


class PuzzleAnswer(msgspec.Struct, frozen=True):
    """Holds what came of a choice when it was played by the rules."""

    is_right: bool
    told: list[Text]


class FirstGame(NamedTuple):
    """The table at which somebody plays a game for the first time, against bots: one that he can finish.

    Arguments:
        options: of the table; what is left out has its default.
        minutes: of a person's time, as measured: docs/opponents.md.
    """

    seats: int
    options: Mapping[str, str]
    minutes: int


class PuzzleKind(NamedTuple):
    """A kind of decision that makes puzzles: what it is called, and the rule that helps to solve one."""

    title: Text
    hint: Text


class Lesson(Protocol[V, E_contra]):
    """A course at a real table against bots, always with the same deal.

    Arguments:
        about: what the game is, for whoever has not begun.
        options: of the table; what is left out has its default.
        seed: 64 hexadecimal digits, the table's server seed.
        opening: answers that are given for the beginner, by kind of decision.
        lead: his first answers after those, given for him too: a first reward is not to take long.
        steps: how many there are; the puzzle is the last one, and the table may be played on.
        after: what has not been seen, once all steps have been.
        ask: the question of the puzzle.
    """

    about: Text
    options: Mapping[str, str]
    seed: str
    opening: Mapping[str, Answer]
    lead: Sequence[Answer]
    steps: int
    after: Text
    ask: Text

    def span(self, view: V, answered: Sequence[str]) -> OpenSteps:
        """Where the beginner is who sees this and has answered decisions of these kinds, in their order."""

    def page(self, step: int, view: V, seen: Sequence[E_contra]) -> LessonPage:
        """Returns what is said at a step within the span, but not at the last step of the course."""

    def is_held(self, view: V) -> bool:
        """True at a phase boundary that the beginner crosses himself, once he has read what happened."""

    def puzzle(self) -> tuple[V, list[tuple[str, Text]]]:
        """The position of the puzzle, as seat 0 sees it, and the choices: value and label."""

    def solve(self, choice: str) -> PuzzleAnswer:
        """Plays a choice by the rules. Raises KeyError for one that `puzzle` does not offer."""
