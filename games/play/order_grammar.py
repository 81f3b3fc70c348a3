"""From words to standing orders, by the same rule as answers: what does not mean exactly one thing means nothing.

    orders  = order *(("," | ";" | "then") order)
    order   = [kind [place]] what [place] *fact *setting   ; commas may stand in it if it means nothing without the rest
    what    = answer *("or" answer) | "ask me"
    fact    = "if" fact | "ask me if" fact            ; the second is a reason to stop
    setting = "always" | "even so" | "unless a card is shown" | "this round" | "until I am back" | "until" date

Kinds, answers, places and facts are what the game offers for orders, by the names that `phrases` knows for them. A
setting is read only where the words mean nothing with it. "ask me" at a place is an order for each kind of decision
that may be asked there.
"""

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from itertools import chain, islice, product
from random import Random
from typing import TypeAlias, TypeVar

import msgspec
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.core import ActionForm, Amounts, Choice, Decision, IllegalAction, JsonObject, Question, Text
from engine.core.answers import check_answer, draw_answer
from engine.orders import answers as order_actions
from engine.orders.model import Entry, Order, OrderKind
from engine.orders.running import is_legal
from engine.registry import AnyRules
from games.play import queries
from games.play.keywords import Keyword, Naming, Words, ends, parted, split, spoken, word, written
from games.play.proposals import DEFAULT
from games.play.queries import Access
from games.play.reply_grammar import (
    LONGEST_LABEL,
    MOST_READINGS,
    FormReader,
    begun,
    trimmed,
    unsaid_fields,
    ways_to_write,
)
from games.play.standing_orders import OrderBook
from notifications.clock import present

SEPARATOR = re.compile(r"[,;]")
DATE = (4, 2, 2)  # digits of year, month and day
MOST_ORDER_WORDS = 240  # with eight answers, and as many conditions
MOST_PARTS = 40  # between commas: more are read one by one only
MOST_SETTINGS = 4  # behind one another
FEWEST_FIELDS = 2  # of an answer that may be written without its verb

Setting: TypeAlias = JsonObject
SETTINGS: Mapping[Keyword, Setting] = {
    Keyword.STAYS: {"stays": True},
    Keyword.EVEN_SO: {"even_so": True},
    Keyword.ANY_PLAY: {"any_play": True},
    Keyword.ROUND: {"until": "round"},
    Keyword.RETURN: {"until": "return"},
}
"""The settings at the end of an order; a date beside."""

T = TypeVar("T")  # what a part of an order means
Passing: TypeAlias = Callable[[str, Entry], Order | None]


@dataclass(frozen=True)
class Meant:
    """The orders that one part of a line means, or why it means none.

    Arguments:
        said: that part.
        orders: what it means; if it is ambiguous, what it could mean.
        ends_on: the date in it, such as "2026-12-24".
        unclear: what was not understood: all of it, or a condition.
    """

    said: str
    orders: list[Order] = field(default_factory=list)
    ends_on: str = ""
    unclear: str = ""
    is_ambiguous: bool = False

    @property
    def is_clear(self) -> bool:
        """True if it means something, and one thing only."""
        return not self.unclear and not self.is_ambiguous


@dataclass(frozen=True)
class _Body:
    """The answers an order gives, with their kind and place; none means that it asks."""

    kind: str
    topic: str
    answers: tuple[Entry, ...]


class OrderGrammar:
    """The orders that one seat can give at this moment.

    Arguments:
        kinds: as the game offers them, with the answers that go on passing among the others.
        facts: what an order may depend on.
        passing: the order which an answer makes that goes on passing, by kind and answer; None for all others.
    """

    def __init__(self, kinds: list[OrderKind], facts: list[ActionForm], passing: Passing, naming: Naming) -> None:
        self.kinds = kinds
        self.facts = facts
        self.passing = passing
        self.naming = naming

    def read(self, line: str) -> list[Meant]:
        """Each order of a line, without the command that begins it."""
        groups: list[list[Words]] = [[]]
        for text in SEPARATOR.split(line):
            first, *others = parted(split(text), Keyword.THEN)
            groups[-1].append(first)
            groups += [[part] for part in others]
        return [reading for group in groups for reading in self._read_parts([part for part in group if part])]

    def _read_parts(self, parts: list[Words]) -> list[Meant]:
        """Each part as an order; or, unless each is one, as few orders as they make together."""
        alone = [self.read_one(part) for part in parts]
        if all(reading.is_clear for reading in alone) or len(parts) > MOST_PARTS:
            return alone
        joined, at = list[Meant](), 0
        while at < len(parts):
            ends = range(len(parts), at, -1)
            tried = ((end, self.read_one(tuple(chain.from_iterable(parts[at:end])))) for end in ends)
            end, reading = next(((end, candidate) for end, candidate in tried if candidate.is_clear), (0, None))
            if reading is None:
                return alone
            joined.append(reading)
            at = end
        return joined

    def read_fact(self, text: str) -> list[Entry]:
        """Every fact that the text, the whole of it, can mean."""
        return self._facts_of(trimmed(split(text)))

    def read_one(self, words: Words) -> Meant:
        """Returns the meaning of these words."""
        said = " ".join(words)
        if len(words) > MOST_ORDER_WORDS:
            return Meant(said, unclear=said)
        body, *parts = parted(trimmed(words), Keyword.IF)
        is_stop = False
        conditions: list[Entry] = []
        stops: list[Entry] = []
        bodies, settings = list[_Body](), list[Setting]()
        if parts:
            rest, is_stop = _without_stop(body)
            bodies, settings = self._settled(trimmed(rest), self._bodies)
        if not bodies:  # "market: ask me if ..." asks on a condition, and does nothing else
            bodies, settings = self._settled(trimmed(body), self._bodies)
            is_stop = False
        for number, part in enumerate(parts, start=1):
            fact, is_next_stop = _without_stop(part) if number < len(parts) else (part, False)
            facts, more = self._settled(trimmed(fact), self._facts_of)
            if len(facts) != 1:
                return Meant(said, unclear=" ".join(fact) or said, is_ambiguous=len(facts) > 1)
            (stops if is_stop else conditions).append(facts[0])
            settings, is_stop = [*settings, *more], is_next_stop
        if sum("until" in setting for setting in settings) > 1:
            return Meant(said, unclear=said, is_ambiguous=True)
        said_of_all = dict(ChainMap(*settings))
        ends_on = said_of_all.pop("ends_on", "")
        orders = [self._order(candidate, conditions, stops, said_of_all) for candidate in bodies]
        is_asking = all(not candidate.answers for candidate in bodies)
        return Meant(said, orders, ends_on, "" if orders else said, len(orders) > 1 and not is_asking)

    def _order(self, body: _Body, conditions: list[Entry], stops: list[Entry], settings: Setting) -> Order:
        answers = list(body.answers)
        order = self.passing(body.kind, answers[0]) if len(answers) == 1 else None
        order = order or Order(kind=body.kind, answers=answers)
        conditions = [*order.conditions, *conditions]
        return msgspec.structs.replace(order, topic=body.topic, conditions=conditions, stops=stops, **settings)

    def _settled(self, words: Words, read: Callable[[Words], list[T]]) -> tuple[list[T], list[Setting]]:
        """Takes settings off the end of the words, one by one, until the rest means something; returns both."""
        settings, entries = list[Setting](), read(words)
        while not entries and len(settings) < MOST_SETTINGS and (taken := _setting(words)) is not None:
            words, settings = trimmed(taken[0]), [*settings, taken[1]]
            entries = read(words)
        return entries, settings

    def _facts_of(self, words: Words) -> list[Entry]:
        facts: list[Entry] = []
        for reader in self._facts:
            for fact in islice(reader.read(words, is_bare=False), MOST_READINGS):
                facts += [fact] if fact not in facts else []
        return facts

    def _bodies(self, words: Words) -> list[_Body]:
        bodies: list[_Body] = []
        for kind in self.kinds:
            for rest, topic, is_named in self._placed(kind, words):
                for answers in self._answers_of(kind, rest, is_named=is_named):
                    body = _Body(kind.name, topic, answers)
                    bodies += [body] if body not in bodies else []
        return bodies

    def _placed(self, kind: OrderKind, words: Words) -> Iterator[tuple[Words, str, bool]]:
        """Yields, for every reading: the remaining words, the place, and whether they say what is answered."""
        names = self._names[kind.name]
        begun = [trimmed(words[len(name) :]) for name in names if _begins(words, name)]
        for rest, is_named in [(words, False), *((rest, True) for rest in begun)]:
            yield rest, "", is_named
            topics = self._topics[kind.name]
            if is_named:
                yield from ((trimmed(rest[len(name) :]), topic, True) for name, topic in topics if _begins(rest, name))
            placed = [(before, topic) for name, topic in topics for before in _before(rest, name)]
            yield from ((before, topic, True) for before, topic in placed)
            for end, topic in [(rest, ""), *placed]:
                yield from ((before, topic, True) for name in names for before in _before(end, name))

    def _answers_of(self, kind: OrderKind, words: Words, *, is_named: bool) -> Iterator[tuple[Entry, ...]]:
        """Every list of answers the words can mean; an empty one for "ask me", where the place says of what."""
        if words in spoken(Keyword.ASK):
            if is_named and not kind.is_unasked:
                yield ()
            return
        ways = [self._ways(kind, trimmed(part)) for part in parted(words, Keyword.OR)]
        yield from islice(product(*ways), MOST_READINGS)

    def _ways(self, kind: OrderKind, words: Words) -> list[Entry]:
        answers: list[Entry] = []
        for reader in self._answers[kind.name]:
            is_bare = reader.fewest_fields >= FEWEST_FIELDS
            for answer in islice(reader.read(words, is_bare=is_bare), MOST_READINGS):
                answers += [answer] if answer not in answers else []
        question = Question(Decision("", 0, ""), kind.label, kind.answers, kind.label)
        return [answer for answer in answers if is_legal(question, answer)] or answers

    @cached_property
    def _answers(self) -> dict[str, list[FormReader]]:
        return {kind.name: [FormReader(form, self.naming) for form in kind.answers] for kind in self.kinds}

    @cached_property
    def _facts(self) -> list[FormReader]:
        return [FormReader(form, self.naming, fact_name(form)) for form in self.facts]

    @cached_property
    def _names(self) -> dict[str, list[Words]]:
        named = {kind.name: self.naming.of(f"order-{kind.name}", kind.label) for kind in self.kinds}
        return {kind: [*filter(None, map(begun, names)), split(kind)] for kind, names in named.items()}

    @cached_property
    def _topics(self) -> dict[str, list[tuple[Words, str]]]:
        return {
            kind.name: [
                (name, str(option.value))
                for option in kind.topics
                for said in self.naming.of(option.value, option.label)
                for name in dict.fromkeys((said, begun(said)))
                if name
            ]
            for kind in self.kinds
        }


def grammar_for(rules: AnyRules, view: object, naming: Naming) -> OrderGrammar:
    """Returns the orders that this view allows."""
    vocabulary = rules.vocabulary
    kinds = vocabulary.kinds(view)
    lasting = order_actions.long_pass_forms(vocabulary.ahead(view, "")) if vocabulary.quiet else []
    kinds = [
        msgspec.structs.replace(kind, answers=[*kind.answers, *lasting]) if kind.name in vocabulary.quiet else kind
        for kind in kinds
    ]

    def passing(kind: str, answer: Entry) -> Order | None:
        if answer["type"] not in order_actions.TYPES:
            return None
        order = order_actions.long_pass_order(vocabulary, kind, order_actions.parse_common(answer))
        return msgspec.structs.replace(order, id="")

    return OrderGrammar(kinds, vocabulary.facts(view), passing, naming)


def fact_name(form: ActionForm) -> str:
    """Returns the key of a game's words for a fact: an answer may be called the same."""
    return f"fact-{form.type}"


def _begins(words: Words, name: Words) -> bool:
    return words[: len(name)] == name


def _before(words: Words, name: Words) -> list[Words]:
    """Returns the words before a name at the end of the words, if it stands there behind something."""
    return [trimmed(words[: -len(name)])] if len(name) < len(words) and words[-len(name) :] == name else []


def _without_stop(words: Words) -> tuple[Words, bool]:
    """Returns the words before an "if", and whether that "if" is a reason to stop."""
    before = ends(trimmed(words), Keyword.STOP)
    return (words, False) if before is None else (before, True)


def _setting(words: Words) -> tuple[Words, Setting] | None:
    """The setting that stands last, and what stands before it."""
    for keyword, setting in SETTINGS.items():
        before = ends(words, keyword)
        if before is not None:
            return before, setting
    date, before = words[-len(DATE) :], ends(words[: -len(DATE)], Keyword.UNTIL)
    is_date = tuple(len(part) for part in date) == DATE and all(part.isascii() and part.isdigit() for part in date)
    return (before, {"until": "date", "ends_on": "-".join(date)}) if is_date and before is not None else None


# Help in mails: the orders that are given, and lines by which more can be given.

KINDS_SHOWN = 2  # in an example of a sheet


def listed(book: OrderBook) -> list[tuple[str, str]]:
    """Each order as it is called and reads, and what it would do now."""
    return [(f"{item.tag}. {item.line}", item.forecast) for item in book.items]


def examples(grammar: OrderGrammar) -> list[str]:
    """A line for each kind of decision, and one with a place where one has to be asked; each is understood."""
    lines = [line for kind in grammar.kinds for line in _of_kind(kind, grammar)]
    return [f"{word(Keyword.ORDER)} {line}" for line in lines]


def _of_kind(kind: OrderKind, grammar: OrderGrammar) -> Iterator[str]:
    for form in sorted(kind.answers, key=_is_long):
        line = next(_lines(kind, form, _some_answer(form), grammar), "")
        if line:
            yield f"{line} {facts(grammar)[0]}" if kind.is_unasked else line
            return


def in_one_line(orders: Iterable[Order], grammar: OrderGrammar) -> str:
    """Writes the first answer of each order as a reply may; "" if one of them cannot be written so.

    An order to do what happens anyway goes without saying.
    """
    forms = {(kind.name, form.type): (kind, form) for kind in grammar.kinds for form in kind.answers}
    lines = []
    for order in orders:
        answer = order.answers[0] if order.answers else {"type": DEFAULT}
        if answer["type"] == DEFAULT:
            continue
        if (order.kind, answer["type"]) not in forms:
            return ""
        kind, form = forms[order.kind, answer["type"]]
        lines.append(next(_lines(kind, form, {**unsaid_fields(form), **answer}, grammar), ""))
    return ", ".join(dict.fromkeys(lines)) if all(lines) else ""


def sheet_example(grammar: OrderGrammar, *, is_plan: bool) -> str:
    """A line that answers the question for a round, or for a plan: an order of each of the first kinds.

    A plan is for what comes behind the first kind, by which a round begins.
    """
    kinds = [kind for kind in grammar.kinds if not kind.is_unasked][is_plan:]
    return ", ".join(line for kind in kinds[:KINDS_SHOWN] for line in _of_kind(kind, grammar))


def _is_long(form: ActionForm) -> bool:
    return any(isinstance(field, Amounts) for field in form.fields)


def _some_answer(form: ActionForm) -> Entry:
    """An answer with small numbers, the same each time."""
    answer: Entry = {"type": form.type}
    for form_field in form.fields:
        if isinstance(form_field, Choice):
            third = form_field.options[min(2, len(form_field.options) - 1)].value
            answer[form_field.name] = third if form_field.unsaid is None else form_field.unsaid
    try:
        check_answer(alone(form), answer)
    except IllegalAction:
        return draw_answer(alone(form), Random(form.type))  # noqa: S311  an example
    return answer


def _lines(kind: OrderKind, form: ActionForm, answer: Entry, grammar: OrderGrammar) -> Iterator[str]:
    """Ways to order one answer, as short as they can be."""
    for line in ways_to_write(form, answer, grammar.naming):
        for start in ("", f"{_short_name(kind, grammar.naming)} "):
            readings = grammar.read(start + line)
            orders = readings[0].orders if len(readings) == 1 else []
            if [(order.kind, order.answers) for order in orders] == [(kind.name, [answer])]:
                yield start + line


def alone(form: ActionForm) -> Question:
    """The form as the only way to answer a question of no game."""
    return Question(Decision("", 0, ""), Text(""), [form], Text(""))


def _short_name(kind: OrderKind, naming: Naming) -> str:
    names = [written(name) for name in naming.names(f"order-{kind.name}", kind.label)]
    return next((name for name in names if len(split(name)) <= LONGEST_LABEL), names[0])


def facts(grammar: OrderGrammar) -> list[str]:
    """A condition of each sort; each is understood."""
    return [f"{word(Keyword.IF)} {line}" for form in grammar.facts if (line := _fact(form, grammar))]


def _fact(form: ActionForm, grammar: OrderGrammar) -> str:
    answer = _some_answer(form)
    lines = ways_to_write(form, answer, grammar.naming, fact_name(form))
    return next((line for line in lines if grammar.read_fact(line) == [answer]), "")


def settings() -> list[str]:
    """Lists the settings that may stand at the end of an order."""
    kept = [
        word(keyword) for keyword in (Keyword.STAYS, Keyword.EVEN_SO, Keyword.ANY_PLAY, Keyword.ROUND, Keyword.RETURN)
    ]
    return [*kept, f"{word(Keyword.UNTIL)} {_some_day()}"]


def _some_day() -> str:
    return (timezone.localtime(present.now()) + timedelta(days=7)).date().isoformat()


def changes(book: OrderBook) -> list[str]:
    """Lines that change what is given."""
    if not book.items:
        return []
    tag = book.items[-1].tag
    return [
        f"{word(Keyword.CANCEL)} {tag}",
        f"{word(Keyword.CANCEL)} {word(Keyword.ALL)}",
        f"{word(Keyword.MOVE)} {tag} {word(Keyword.FIRST)}",
    ]


def waiting(access: Access, new: Iterable[Order]) -> list[str]:
    """Warns that an open question waits for an answer of its own, if an order could be taken for one."""
    kinds = {order.kind for order in new}
    questions = [question for question in queries.open_questions(access) if question.decision is not None]
    if not any(item.question.decision.kind in kinds for item in questions):
        return []
    return [_("Orders answer questions from now on. You still need to answer the one that's open now.")]
