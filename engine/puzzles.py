"""Puzzles: positions in which one of several answers is clearly best, found in games, packed, asked and judged.

A position is searched from its solver's own view: what is hidden from that seat is dealt anew for each playout, so the
best answer is the one to choose with what the solver can know. What is stored is such a deal, never that of the game.
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import msgspec

from engine.core import Answer, Choice, Decision, Question, Seat, Text
from engine.core.answers import every_answer
from engine.core.lessons import PuzzleKind
from engine.orders.answers import TYPES
from engine.orders.sentences import ANSWER, answer_texts
from engine.records.model import Record
from engine.registry import RULES
from engine.reviews.playouts import GREEDY, Playouts, course_of, decision_of
from engine.rules import AnyRules

FEWEST, MOST = 4, 24  # answers of a position that makes a puzzle
GRADES = 5


class Puzzle(msgspec.Struct, frozen=True, array_like=True):
    """A position with its question, its answers and the best of them.

    Arguments:
        ref: short, for addresses; made of the position.
        state: a position that looks to the solver like the one of the game; all that nobody has seen is dealt anew.
        answers: every legal one, in the order of the rules.
        solution: which of them is best.
        chances: by answer the solver's chance to win, in thousandths, as far as the search tells.
        lead: by how much the best is ahead of the second at least, 19 times of 20, in thousandths.
        misses: by bot how often of a hundred times it answers otherwise.
    """

    ref: str
    rules: str
    version: int
    seats: int
    seat: Seat
    kind: str
    state: bytes
    answers: list[Answer]
    solution: int
    chances: list[int]
    lead: int
    misses: dict[str, int]

    @property
    def difficulty(self) -> float:
        """The share of bots that miss it, from 0 to 1."""
        return sum(self.misses.values()) / (100 * len(self.misses))


class OpenPuzzle:
    """A puzzle with the rules it is asked by. Raises KeyError if these rules are not installed any more."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.rules: AnyRules = RULES[puzzle.rules, puzzle.version]

    @property
    def kind(self) -> PuzzleKind:
        """Its kind, with the hint."""
        return self.rules.puzzles[self.puzzle.kind]

    @cached_property
    def view(self) -> Any:
        """The position as the solver sees it."""
        return self.rules.view(self._state(), self.puzzle.seat)

    @cached_property
    def question(self) -> Question:
        """Returns what is asked."""
        state = self._state()
        decision = _decision(self.rules, state, self.puzzle.kind, self.puzzle.seat)
        return _own_question(self.rules, state, decision)

    def choices(self) -> list[tuple[str, Text]]:
        """The answers in their order: value and label.

        Where only one thing is chosen, the value is that of its option, which the board knows; else it is a number.
        """
        form = self.question.actions[0]
        open_fields = [field for field in form.fields if len(field.options) > 1]
        if len(self.question.actions) == 1 and len(open_fields) == 1 and isinstance(open_fields[0], Choice):
            labels = {option.value: option.label for option in open_fields[0].options}
            values = [answer[open_fields[0].name] for answer in self.puzzle.answers]
            return [(str(value), labels[value]) for value in values]
        said = [answer_texts(self.question, answer) for answer in self.puzzle.answers]
        if len(self.question.actions) == 1 and form.fields:  # what is done goes without saying
            said = [parts[1:] for parts in said]
        return [(str(number), Text(ANSWER, {"said": parts})) for number, parts in enumerate(said)]

    def number_of(self, value: str) -> int:
        """The number of the answer with that value. Raises KeyError for one that is not offered."""
        return {offered: number for number, (offered, _label) in enumerate(self.choices())}[value]

    def play_out(self) -> list[Any]:
        """Plays the best answer, and on to where the rules can judge the position; all others answer as the bot greedy
        does. Returns the events as the solver is shown them."""
        rules, seat = self.rules, self.puzzle.seat
        state, random = self._state(), Random(self.puzzle.ref)
        events = rules.play(state, seat, rules.parse(self.puzzle.answers[self.puzzle.solution]))
        bot = rules.bots[GREEDY]
        while rules.outcome(state) is None and rules.chances(state) is None:
            decision = next((decision for decision in rules.decisions(state) if decision.prompted), None)
            if decision is None:
                events += rules.cross(state)
                continue
            question = rules.question(state, decision.id, decision.seat)
            events += rules.play(state, decision.seat, bot.choose(rules.view(state, decision.seat), question, random))
        shown = [rules.redact(event, seat) for event in events]
        return [event for event in shown if event is not None]

    def _state(self) -> Any:
        return self.rules.load(self.puzzle.state)


def _decision(rules: AnyRules, state: object, kind: str, seat: Seat) -> Decision:
    decision = decision_of(rules, state, kind, seat)
    assert decision is not None, (rules.name, kind, seat)
    return decision


def _own_question(rules: AnyRules, state: Any, decision: Decision) -> Question:
    """The question without what orders add to it."""
    question = rules.question(state, decision.id, decision.seat)
    forms = [msgspec.structs.replace(form, takes_orders=False) for form in question.actions if form.type not in TYPES]
    return msgspec.structs.replace(question, actions=forms)


# A file of puzzles: an index, and each puzzle compressed by itself with a dictionary of what they share.

DICTIONARY = 32_000  # bytes: as far back as zlib looks


class PackedPuzzle(msgspec.Struct, frozen=True, array_like=True):
    """A puzzle as it is stored, and what lists tell of it; nothing of that gives the solution away."""

    ref: str
    rules: str
    version: int
    kind: str
    grade: int
    data: bytes = b""


class PuzzleFile(msgspec.Struct, frozen=True, array_like=True):
    """Puzzles as they are shipped."""

    shared: bytes
    puzzles: list[PackedPuzzle]

    def read(self, packed: PackedPuzzle) -> Puzzle:
        """Reads one of them whole."""
        data = zlib.decompressobj(zdict=self.shared).decompress(packed.data)
        return msgspec.msgpack.decode(data, type=Puzzle)

    def open(self, packed: PackedPuzzle) -> OpenPuzzle:
        """Opens one of them, to be asked. Raises KeyError if its rules are not installed any more."""
        return OpenPuzzle(self.read(packed))


def pack(puzzles: Iterable[Puzzle]) -> bytes:
    """A file of these puzzles, graded."""
    puzzles = sorted(puzzles, key=lambda puzzle: (puzzle.rules, puzzle.ref))
    shared = _shared(puzzles)
    grades = graded(puzzles)
    packed = []
    for puzzle in puzzles:
        squeezed = zlib.compressobj(9, zdict=shared)
        data = squeezed.compress(msgspec.msgpack.encode(puzzle)) + squeezed.flush()
        packed.append(PackedPuzzle(puzzle.ref, puzzle.rules, puzzle.version, puzzle.kind, grades[puzzle.ref], data))
    return msgspec.msgpack.encode(PuzzleFile(shared, packed))


def unpack(data: bytes) -> PuzzleFile:
    """The puzzles of a file. Raises msgspec.ValidationError for something else."""
    return msgspec.msgpack.decode(data, type=PuzzleFile)


def _shared(puzzles: Sequence[Puzzle]) -> bytes:
    """Some puzzles of all rules, as the dictionary by which all of them are compressed."""
    names = sorted({puzzle.rules for puzzle in puzzles})
    samples = [
        msgspec.msgpack.encode(puzzle)
        for name in names
        for puzzle in [puzzle for puzzle in puzzles if puzzle.rules == name][:: max(1, len(puzzles) // 8)]
    ]
    return b"".join(samples)[-DICTIONARY:]


def graded(puzzles: Sequence[Puzzle]) -> dict[str, int]:
    """By puzzle its grade: its fifth among those of its rules, by how many bots miss it."""
    grades: dict[str, int] = {}
    for name in {puzzle.rules for puzzle in puzzles}:
        ranked = sorted(
            (puzzle for puzzle in puzzles if puzzle.rules == name),
            key=lambda puzzle: (puzzle.difficulty, -puzzle.lead, puzzle.ref),
        )
        grades |= {puzzle.ref: 1 + GRADES * place // len(ranked) for place, puzzle in enumerate(ranked)}
    return grades


# Finding them: positions of games, looked at more and more closely as long as they promise something.

GLANCES = (24, 48, 96, 192, 192)  # deals in which answers are tried at first, by the game's own short cut
LOOKS = (2, 4)  # deals, where a game has none
PROMISE = 0.02  # how far ahead of each other answer the best must look then
BATCH, MOST_DEALS = 12, 144  # of the closer look
LEAD = 0.02  # how far the best must be ahead of each other answer, with its interval
CLEAR = 30  # thousandths it must be ahead in what is told, or nobody is persuaded
SURE = 2.24  # standard errors: a bound that is looked at a dozen times still holds 19 times of 20
MOST_CHECKED = 480  # deals of the second search, which looks further ahead
LEAST_SPREAD = 0.002  # a few deals that happen to agree prove little
TRIES = 6  # of each bot, for how often it misses the solution
MOST_MISSED = 1 / 3  # the middle bot must miss at least so often
QUICK = "quick"  # the plain answers that playouts are made of: a bot that does not think


class AskedPosition(NamedTuple):
    """A place in a game where somebody is asked, as he sees it."""

    view: Any
    question: Question
    decision: Decision


class SearchCounts:
    """Counts how a search went.

    Arguments:
        games, positions: how many were looked at, and how many of them had enough answers.
        promising, close: how many were worth a closer look, and how many of these were clear.
    """

    def __init__(self) -> None:
        self.games = self.positions = self.promising = self.close = 0


class PuzzleSearch:
    """Finds puzzles in positions of games.

    Arguments:
        seed: of the deals, and of the games that bots play for it; the same finds the same.
    """

    def __init__(self, rules: AnyRules, seed: int) -> None:
        self.rules, self.counts = rules, SearchCounts()
        self._random = Random(seed)

    def find(self, positions: Iterable[AskedPosition]) -> Iterator[Puzzle]:
        """Yields the puzzles among positions of one game, one at most of each kind and seat."""
        found: set[tuple[str, Seat]] = set()
        self.counts.games += 1
        for position in positions:
            self.counts.positions += 1
            key = (position.decision.kind, position.decision.seat)
            if key not in found and (puzzle := self.puzzle_at(position)) is not None:
                found.add(key)
                yield puzzle

    def played(self) -> Iterator[AskedPosition]:
        """Plays a game of bots to its end and yields the positions that ask something worth a look."""
        rules, random = self.rules, self._random
        seats = random.choice(list(rules.seat_counts))
        options = {option.name: random.choice(option.values)[0] for option in rules.options if not option.is_fine_point}
        options = {name: value for name, value in options.items() if name in rules.puzzle_options}
        state, _events = rules.new(seats, options, random.randbytes(32).hex())
        while rules.outcome(state) is None:
            decision = next((decision for decision in rules.decisions(state) if decision.prompted), None)
            if decision is None:
                rules.cross(state)
                continue
            position = self._asked(state, decision)
            if self._is_worth_a_look(position):
                yield position
            action = rules.bots[GREEDY].choose(position.view, position.question, random)
            rules.play(state, decision.seat, action)

    def recorded(self, record: Record) -> Iterator[AskedPosition]:
        """Yields such positions of a game that is over, in random order. None of a game played by options that a puzzle
        does not tell its solver."""
        rules = self.rules
        for option in rules.options:
            usual = (option.default, option.suggested)
            if option.name not in rules.puzzle_options and record.options.get(option.name, option.default) not in usual:
                return
        turns = [turn for turn in course_of(rules, record) if turn.asked in rules.puzzles]
        for turn in self._random.sample(turns, len(turns)):
            assert turn.seat is not None
            state = rules.load(turn.before)
            position = self._asked(state, rules.open(state, turn.decision, turn.seat).decision)
            if self._is_worth_a_look(position):
                yield position

    def _asked(self, state: Any, decision: Decision) -> AskedPosition:
        question = _own_question(self.rules, state, decision)
        return AskedPosition(self.rules.view(state, decision.seat), question, decision)

    def _is_worth_a_look(self, position: AskedPosition) -> bool:
        """Whether it is of a kind that makes puzzles, and has neither too few answers nor too many."""
        answers = islice(every_answer(position.question), MOST + 1)  # no more are counted
        return position.decision.kind in self.rules.puzzles and FEWEST <= sum(1 for _answer in answers) <= MOST

    def puzzle_at(self, position: AskedPosition) -> Puzzle | None:
        """The puzzle of a position; None unless one answer is clearly best there and the middle bot may miss it."""
        rules, random = self.rules, self._random
        answers = list(every_answer(position.question))
        actions = [rules.parse(answer) for answer in answers]
        middle: int = actions.index(self._answer(GREEDY, position))
        trial = _Trial(rules, position, actions, random)
        everything = range(len(actions))
        if not self._promises(trial, middle):
            return None
        self.counts.promising += 1
        best = self._settle(trial, middle)
        if best is None:
            return None
        self.counts.close += 1
        chances, lead = trial.chances(), min(trial.lead(best, other).low for other in everything if other != best)
        if chances[best] - max(chance for number, chance in enumerate(chances) if number != best) < CLEAR:
            return None
        misses = self.misses(position, answers, best)
        if misses[GREEDY] < 100 * MOST_MISSED:
            return None
        return self._puzzle(position, trial.typical(best), answers, best, chances, lead, misses)

    def misses(self, position: AskedPosition, answers: Sequence[Answer], solution: int) -> dict[str, int]:
        """By bot how often of a hundred times it answers otherwise."""
        right = self.rules.parse(answers[solution])
        misses = {name: self._misses(name, position, right) for name in (QUICK, *self.rules.bots)}
        return misses | {"random": round(100 * (len(answers) - 1) / len(answers))}

    def _promises(self, trial: "_Trial", middle: int) -> bool:
        """Whether something else than what the middle bot answers looks clearly best at a first glance."""
        everything = range(trial.count)
        near: Sequence[int] = everything
        trial.is_fast = trial.glance(near, GLANCES[0])
        if not trial.is_fast:
            return self._promises_slowly(trial, middle)
        for deals in GLANCES[1:]:
            best = trial.best(near)
            leads = {other: trial.lead(best, other) for other in everything if other != best}
            if best == middle or any(lead.mean < PROMISE or lead.high < LEAD for lead in leads.values()):
                return False
            near = [best, *(other for other, lead in leads.items() if lead.low < PROMISE)]
            if len(near) == 1:
                trial.forget()
                return True
            trial.glance(near, deals)
        return False

    def _promises_slowly(self, trial: "_Trial", middle: int) -> bool:
        everything = range(trial.count)
        for deals in LOOKS:
            trial.look(range(trial.count), deals, min(1, self.rules.foresight))
            best = trial.best(everything)
            if best == middle or any(trial.lead(best, other).mean < PROMISE for other in everything if other != best):
                return False
        trial.forget()
        return True

    def _settle(self, trial: "_Trial", middle: int) -> int | None:
        """The answer that is clearly best; None once it shows that there is none."""
        everything, enough = range(trial.count), LEAD / 2 if trial.is_fast else LEAD
        near: Sequence[int] = everything
        for number in range(1, MOST_DEALS // BATCH + 1):
            trial.look(near, BATCH, self.rules.foresight)
            best = trial.best(near)
            leads = {other: trial.lead(best, other) for other in everything if other != best}
            if all(lead.low >= enough for lead in leads.values()):
                return best if best != middle else None
            if any(lead.high < LEAD for lead in leads.values()) or (best == middle and number > 1):
                return None
            if number > 2 and any(lead.mean < LEAD for lead in leads.values()):
                return None
            near = [best, *(other for other, lead in leads.items() if lead.low < enough)]
        return None

    def _answer(self, name: str, position: AskedPosition) -> Any:
        rules, random = self.rules, self._random
        if name == QUICK:
            state = rules.determinise(position.view, random)
            action = rules.quick(state, _decision(rules, state, position.decision.kind, position.decision.seat), random)
            return rules.sample(position.question, random) if action is None else action
        return rules.bots[name].choose(position.view, position.question, random)

    def _misses(self, name: str, position: AskedPosition, solution: Any) -> int:
        missed: list[bool] = [self._answer(name, position) != solution for _ in range(TRIES)]
        return round(100 * sum(missed) / TRIES)

    def _puzzle(
        self,
        position: AskedPosition,
        state: bytes,
        answers: list[Answer],
        solution: int,
        chances: list[int],
        lead: float,
        misses: Mapping[str, int],
    ) -> Puzzle:
        rules = self.rules
        return Puzzle(
            ref=hashlib.sha256(state).hexdigest()[:10],
            rules=rules.name,
            version=rules.version,
            seats=position.view.seats,
            seat=position.decision.seat,
            kind=position.decision.kind,
            state=state,
            answers=answers,
            solution=solution,
            chances=chances,
            lead=round(1000 * lead),
            misses=dict(misses),
        )


class Lead(NamedTuple):
    """By how much an answer is ahead of another one, and the bounds between which that lies."""

    mean: float
    low: float
    high: float


class _Trial:
    """Answers to one question, tried in the same deals."""

    def __init__(self, rules: AnyRules, position: AskedPosition, actions: Sequence[Any], random: Random) -> None:
        self._rules, self._position, self._actions, self._random = rules, position, actions, random
        self.count = len(actions)
        self.is_fast = False  # the game has a short cut
        self.forget()

    def forget(self) -> None:
        """Begins anew: by what was chosen, it is not judged as well."""
        self._values: list[dict[int, float]] = [{} for _ in self._actions]
        self._glanced = 0
        self._deals: list[bytes] = []

    def glance(self, numbers: Sequence[int], deals: int) -> bool:
        """Tries answers in some more deals by the game's own short cut. Returns whether it has one."""
        position, actions = self._position, [self._actions[number] for number in numbers]
        rows = self._rules.try_answers(position.view, position.question, actions, deals, self._random)
        if rows is None:
            return False
        for number, row in zip(numbers, rows, strict=True):
            self._values[number] |= dict(enumerate(row, self._glanced))
        self._glanced += deals
        return True

    def look(self, numbers: Iterable[int], deals: int, foresight: int) -> None:
        """Tries answers in some more deals, playing on over so many positions that the rules can judge."""
        rules, seat, kind = self._rules, self._position.decision.seat, self._position.decision.kind
        playouts = Playouts(rules, self._position.view.seats, foresight)
        numbers = list(numbers)
        for _ in range(deals):
            dealt, dice = rules.dump(rules.determinise(self._position.view, self._random)), self._random.random()
            for number in numbers:
                state = rules.load(dealt)
                state = playouts.answer(state, _decision(rules, state, kind, seat), self._actions[number])
                self._values[number][len(self._deals)] = playouts.play_on(state, Random(dice))[seat]
            self._deals.append(dealt)

    @property
    def deals(self) -> int:
        """How many deals were played on."""
        return len(self._deals)

    def mean(self, number: int) -> float:
        """The mean chance after an answer."""
        values = self._values[number]
        return sum(values.values()) / len(values)

    def best(self, numbers: Iterable[int]) -> int:
        """The answer with the best mean."""
        return max(numbers, key=self.mean)

    def chances(self) -> list[int]:
        """The mean chance by answer, in thousandths."""
        return [round(1000 * self.mean(number)) for number in range(self.count)]

    def lead(self, number: int, other: int) -> Lead:
        """By how much an answer is ahead of another in the deals in which both were tried."""
        values, others = self._values[number], self._values[other]
        differences = [values[deal] - others[deal] for deal in values.keys() & others.keys()]
        count = len(differences)
        mean = sum(differences) / count
        squares = sum((difference - mean) ** 2 for difference in differences) + LEAST_SPREAD
        reach = SURE * sqrt(squares / max(1, count - 1) / count)
        return Lead(mean, mean - reach, mean + reach)

    def typical(self, best: int) -> bytes:
        """The deal in which the best answer is ahead of the second by what comes nearest to its mean lead."""
        second = max((number for number in range(self.count) if number != best), key=self.mean)
        lead = self.lead(best, second).mean
        values, others = self._values[best], self._values[second]
        both = values.keys() & others.keys()
        ahead = [deal for deal in both if all(values[deal] >= row.get(deal, 0) for row in self._values)]
        return self._deals[min(sorted(ahead or both), key=lambda deal: abs(values[deal] - others[deal] - lead))]


# Looking at puzzles again: with a search that plays on further, and with the bots of today.


def _position_of(puzzle: Puzzle) -> tuple[AnyRules, AskedPosition]:
    opened = OpenPuzzle(puzzle)
    state = opened.rules.load(puzzle.state)
    decision = _decision(opened.rules, state, puzzle.kind, puzzle.seat)
    return opened.rules, AskedPosition(opened.view, opened.question, decision)


def check(puzzle: Puzzle, seed: int) -> Lead:
    """By how much the solution is ahead of the next best answer in a search with other dice that plays on twice as far,
    until that is clear or enough deals were played. Raises KeyError if the rules are gone."""
    rules, position = _position_of(puzzle)
    trial = _Trial(rules, position, [rules.parse(answer) for answer in puzzle.answers], Random(seed))
    best, others = puzzle.solution, [number for number in range(trial.count) if number != puzzle.solution]
    near: Sequence[int] = others
    while True:
        trial.look([best, *near], BATCH, 2 * rules.foresight)
        leads = [trial.lead(best, other) for other in others]
        near = [other for other, lead in zip(others, leads, strict=True) if lead.low <= 0]
        least = min(leads, key=lambda lead: lead.low)
        if not near or any(lead.high < 0 for lead in leads) or trial.deals >= MOST_CHECKED:
            return least


def regraded(puzzle: Puzzle) -> Puzzle:
    """The puzzle with how often the bots of today miss it. Raises KeyError if the rules are gone."""
    rules, position = _position_of(puzzle)
    search = PuzzleSearch(rules, int(puzzle.ref, 16))
    return msgspec.structs.replace(puzzle, misses=search.misses(position, puzzle.answers, puzzle.solution))
