"""A review in words, in the active language: turning points, decisions beside better ones, luck, one line for each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core import Seat, Text
from engine.orders.sentences import in_one, say_entry
from engine.reviews.model import Entry, Graded, Review, Turned
from games.play import history, queries, stored_moves
from games.play.queries import Access
from games.tables.models import Game

SURE = 2  # standard errors beyond which a difference is told as one
SLIGHT, LARGE, HUGE = 10, 50, 100  # thousandths of a chance that a mistake costs
TOLD_LOSS, TOLD_LUCK = 20, 50  # thousandths from which on something may be a turning point
MOST_TURNS = 6


class Grade(StrEnum):
    """How good a decision was, beside the best other one that was found."""

    GOOD = "good"
    SLIGHT = "slight"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


GRADES = {
    Grade.GOOD: gettext_lazy("nothing better found"),
    Grade.SLIGHT: gettext_lazy("a little better was possible"),
    Grade.MISTAKE: gettext_lazy("mistake"),
    Grade.BLUNDER: gettext_lazy("big mistake"),
}


@dataclass(frozen=True)
class Judged:
    """A decision as it is told.

    Arguments:
        step: of the game's history.
        loss: in per cent, rounded; 0 unless the difference is sure.
        spread: how unsure that is: twice the standard error, in per cent.
        is_ours: it was what the service proposes there; looking deeper may have found better.
    """

    seq: int
    step: int
    seat: Seat
    question: str
    answer: str
    best: str
    grade: Grade
    loss: float
    spread: float
    is_ours: bool = False

    @property
    def before(self) -> int:
        """The step at which it was to be made."""
        return max(1, self.step - 1)

    @property
    def grade_text(self) -> str:
        """The grade in words; of a proposal of ours that it was one."""
        if self.is_ours and self.grade != Grade.GOOD:
            return _("our own idea; looking deeper found better")
        return str(GRADES[self.grade])


@dataclass(frozen=True)
class TurningPoint:
    """A decision or event that changed the chances most: one sentence, and where to look at it."""

    seq: int
    step: int
    text: str
    size: int  # thousandths
    is_luck: bool

    @property
    def before(self) -> int:
        """The step before it."""
        return max(1, self.step - 1)


@dataclass(frozen=True)
class Summary:
    """The review's figures for one seat; all but the counts in per cent.

    Arguments:
        luck, spread: what chance gave or took, and twice its standard error.
        looked_at: decisions that were graded.
        better: of how many something better was found.
        cost: what those have cost together.
    """

    seat: Seat
    name: str
    luck: float
    spread: float
    looked_at: int
    better: int
    cost: float

    @property
    def luck_text(self) -> str:
        """The luck with its sign, whole."""
        return signed(self.luck)


@dataclass(frozen=True)
class ReviewInWords:
    """A review in words for one reader."""

    review: Review
    turning_points: list[TurningPoint] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)
    decisions: list[Judged] = field(default_factory=list)


class ReviewSentences:
    """Puts the review of one game into words."""

    def __init__(self, access: Access, review: Review) -> None:
        self._game, self._review = access.game, review
        self._names = access.game.spoken_names()
        rows = stored_moves.values(self._game, "seq", "first_public")
        self._steps = steps_of(rows, self._game.public_events)

    def told(self) -> ReviewInWords:
        """Returns the whole review in words."""
        decisions = [self.judged(decision) for decision in self._review.decisions]
        summaries = [self.summary(seat, decisions) for seat in range(self._review.seats)]
        return ReviewInWords(self._review, self.turning_points(decisions), summaries, decisions)

    def judged(self, graded: Graded) -> Judged:
        """A decision."""
        grade = grade_of(graded)
        is_better = grade != Grade.GOOD
        answer, best = self._both(graded) if is_better else (self._answer(graded.answer), "")
        return Judged(
            seq=graded.seq,
            step=self._steps.get(graded.seq, 1),
            seat=graded.seat,
            question=say_entry(graded.title, self._say),
            answer=answer,
            best=best,
            grade=grade,
            loss=graded.loss / 10 if is_better else 0.0,
            spread=SURE * graded.error / 10,
            is_ours=graded.proposed,
        )

    def summary(self, seat: Seat, decisions: Sequence[Judged]) -> Summary:
        """Returns the review's figures for one seat."""
        own = [decision for decision in decisions if decision.seat == seat]
        return Summary(
            seat=seat,
            name=self._names[seat],
            luck=sum(turned.changes[seat] for turned in self._review.luck) / 10,
            spread=SURE * sqrt(sum(turned.errors[seat] ** 2 for turned in self._review.luck)) / 10,
            looked_at=len(own),
            better=sum(decision.grade != Grade.GOOD for decision in own),
            cost=sum(decision.loss for decision in own),
        )

    def turning_points(self, decisions: Sequence[Judged]) -> list[TurningPoint]:
        """Returns the decisions and lucky events that cost or gave most, in the order of the game."""
        points = [self._mistake(decision) for decision in decisions if decision.loss * 10 >= TOLD_LOSS]
        lucky = [(turned, seat) for turned in self._review.luck if (seat := _most_changed(turned)) is not None]
        biggest = sorted(lucky, key=lambda pair: -abs(pair[0].changes[pair[1]]))[:MOST_TURNS]
        points += [self._luck(turned, seat) for turned, seat in biggest]
        points.sort(key=lambda point: -point.size)
        return sorted(points[:MOST_TURNS], key=lambda point: point.seq)

    def own_sentence(self, seat: Seat) -> str:
        """Returns the sentence of the review that a player most wants to read."""
        own = [self.judged(decision) for decision in self._review.decisions if decision.seat == seat]
        worst = max(own, key=lambda decision: decision.loss, default=None)
        if worst is None:
            return _("The review shows where this game turned.")
        if not worst.loss:
            return _("The review found no answer that would have been better than yours.")
        facts = {"question": worst.question, "answer": worst.answer, "best": worst.best, "loss": per_cent(worst.loss)}
        if worst.is_ours:
            return (
                _("Our own idea: %(question)s – %(answer)s. Looking deeper found better: %(best)s (%(loss)s %%).")
                % facts
            )
        return _("What cost you most: %(question)s – %(answer)s (%(loss)s %%). Better: %(best)s.") % facts

    def _mistake(self, decision: Judged) -> TurningPoint:
        facts = {
            "question": decision.question,
            "name": self._names[decision.seat],
            "answer": decision.answer,
            "loss": per_cent(decision.loss),
            "best": decision.best,
        }
        if decision.is_ours:
            text = _(
                "%(question)s – %(name)s: %(answer)s, our own idea. Looking deeper found better: %(best)s "
                "(%(loss)s %%)."
            )
        else:
            text = _("%(question)s – %(name)s: %(answer)s. That cost %(loss)s %%; better: %(best)s.")
        text %= facts
        return TurningPoint(decision.seq, decision.step, text, round(decision.loss * 10), is_luck=False)

    def _luck(self, turned: Turned, seat: Seat) -> TurningPoint:
        change = turned.changes[seat]
        facts = {"event": self._event(turned.seq), "name": self._names[seat], "change": per_cent(abs(change) / 10)}
        if change > 0:
            text = _("%(event)s Good luck for %(name)s: %(change)s %% more.") % facts
        else:
            text = _("%(event)s Bad luck for %(name)s: %(change)s %% less.") % facts
        return TurningPoint(turned.seq, self._steps.get(turned.seq, 1), text, abs(change), is_luck=True)

    def _event(self, seq: int) -> str:
        """Returns the revealed event as everybody read it: the one with a reveal, or the last one."""
        move = stored_moves.last(self._game, seq=seq)
        if move is None:
            return ""
        lines = [line for line in history.events_of(Access(self._game, None), [move]) if line.text]
        reveals = [line.text for line in lines if "Reveal" in type(line.event).__name__]
        return next(iter([*reveals, *(line.text for line in lines[-1:])]), "")

    def _answer(self, answer: list[Entry]) -> str:
        return in_one(answer, self._say) if answer else ""

    def _both(self, graded: Graded) -> tuple[str, str]:
        """Returns the answer given and the better one, without their common part: "9, Palace guard", "5, Market"."""
        if graded.answer[0] == graded.best[0] and min(len(graded.answer), len(graded.best)) > 1:
            return self._parts(graded.answer[1:]), self._parts(graded.best[1:])
        return self._answer(graded.answer), self._answer(graded.best)

    def _parts(self, parts: list[Entry]) -> str:
        return ", ".join(in_one([part], self._say) for part in parts)

    def _say(self, text: Text) -> str:
        return queries.say(self._game, text)


def grade_of(graded: Graded) -> Grade:
    """How good a decision was; what is within the uncertainty is good."""
    if graded.loss < SLIGHT or graded.loss <= SURE * graded.error:
        return Grade.GOOD
    return Grade.BLUNDER if graded.loss >= HUGE else Grade.MISTAKE if graded.loss >= LARGE else Grade.SLIGHT


def steps_of(moves: Iterable[tuple[int, int]], public_events: int) -> dict[int, int]:
    """By number of move the step of the game's history to which it belongs.

    Arguments:
        moves: number and first public event of each, in order.
    """
    steps: dict[int, int] = {}
    step, last = 0, None
    for seq, first in moves:
        if first != last and first <= public_events:
            step, last = step + 1, first
        steps[seq] = step
    return steps


def per_cent(value: float) -> str:
    """A number of per cent for a sentence in the active language: whole, and with one more digit below ten."""
    return floatformat(value, 0 if abs(value) >= 10 else -1)


def signed(value: float) -> str:
    """A whole number with its sign: "+7", "−7", "0"."""
    whole = round(value)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "0"


def _most_changed(turned: Turned) -> Seat | None:
    """Returns the seat whose chance a chance event changed most; None if the change is small or unsure."""
    seat = max(range(len(turned.changes)), key=lambda number: abs(turned.changes[number]))
    change, error = abs(turned.changes[seat]), turned.errors[seat]
    return seat if change >= TOLD_LUCK and change > SURE * error else None


def turns_of(access: Access, review: Review) -> list[TurningPoint]:
    """Puts the turning points of a game into words, in order: of each step the one that counts most."""
    by_step: dict[int, TurningPoint] = {}
    for point in ReviewSentences(access, review).told().turning_points:
        if point.step not in by_step or by_step[point.step].size < point.size:
            by_step[point.step] = point
    return list(by_step.values())


def count_turns(review: Review) -> int:
    """Counts the turning points that a review tells of at least."""
    mistakes = sum(graded.loss >= TOLD_LOSS and grade_of(graded) != Grade.GOOD for graded in review.decisions)
    return min(MOST_TURNS, mistakes + sum(_most_changed(turned) is not None for turned in review.luck))


def own_sentence(game: Game, review: Review, seat: Seat) -> str:
    """The sentence of a review for the player of a seat."""
    return ReviewSentences(Access(game, None), review).own_sentence(seat)
