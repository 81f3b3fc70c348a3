"""From words to standing orders, by the same rule as answers: what does not mean exactly one thing means nothing.

    orders  = order *(("," | ";" | "then") order)
    order   = [kind] what [place] *fact *setting
    what    = answer *("or" answer) | "ask me"
    fact    = "if" fact | "ask me if" fact            ; the second is a reason to stop
    setting = "always" | "even so" | "this round" | "until I am back" | "until" date

Kinds, answers, places and facts are what the game offers for orders, by the names that `phrases` knows for them. A
setting is read only where the words mean nothing with it. "ask me" at a place is an order for each kind of decision
that may be asked there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import TypeAlias, TypeVar

import msgspec

from engine.core import ActionForm
from engine.orders import actions as order_actions
from engine.orders.model import Entry, Order, Until
from engine.orders.vocabulary import OrderKind
from engine.registry import AnyRules
from games.inbox.grammar import MOST_READINGS, MOST_WORDS, SMALL, FormReader
from games.inbox.keywords import Keyword, ends, parted, spoken
from games.inbox.phrases import Naming, Words, split

SEPARATOR = re.compile(r"[,;]")
DATE = (4, 2, 2)  # digits of year, month and day
FEWEST_FIELDS = 2  # of an answer that may be written without its verb

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


@dataclass(frozen=True)
class _Settings:
    """What stands at the end of an order."""

    stays: bool = False
    even_so: bool = False
    until: tuple[Until, ...] = ()
    ends_on: str = ""


@dataclass(frozen=True)
class _Body:
    """What an order does: of which kind, where, and the answers; none means that it asks."""

    kind: str
    topic: str
    answers: tuple[Entry, ...]


class OrderGrammar:
    """What one seat can order at this moment.

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
        parts = [part for text in SEPARATOR.split(line) for part in parted(split(text), Keyword.THEN)]
        return [self.read_one(part) for part in parts if part]

    def read_fact(self, text: str) -> list[Entry]:
        """Every fact that the text, the whole of it, can mean."""
        return self._facts_of(_trimmed(split(text)))

    def read_one(self, words: Words) -> Meant:
        """What these words order."""
        said = " ".join(words)
        if len(words) > 2 * MOST_WORDS:
            return Meant(said, unclear=said)
        body, *parts = parted(_trimmed(words), Keyword.IF)
        is_stop = False
        conditions: list[Entry] = []
        stops: list[Entry] = []
        if parts:
            body, is_stop = _without_stop(body)
        bodies, settings = self._settled(_trimmed(body), self._bodies)
        for number, part in enumerate(parts, start=1):
            fact, is_next_stop = _without_stop(part) if number < len(parts) else (part, False)
            found, more = self._settled(_trimmed(fact), self._facts_of)
            if len(found) != 1:
                return Meant(said, unclear=" ".join(fact) or said, is_ambiguous=len(found) > 1)
            (stops if is_stop else conditions).append(found[0])
            settings, is_stop = _both(settings, more), is_next_stop
        if len(settings.until) > 1:
            return Meant(said, unclear=said, is_ambiguous=True)
        orders = [self._order(one, conditions, stops, settings) for one in bodies]
        is_asking = all(not one.answers for one in bodies)
        return Meant(said, orders, settings.ends_on, "" if orders else said, len(orders) > 1 and not is_asking)

    def _order(self, body: _Body, conditions: list[Entry], stops: list[Entry], settings: _Settings) -> Order:
        answers = list(body.answers)
        order = self.passing(body.kind, answers[0]) if len(answers) == 1 else None
        order = order or Order(kind=body.kind, answers=answers)
        return msgspec.structs.replace(
            order,
            topic=body.topic,
            conditions=[*order.conditions, *conditions],
            stops=stops,
            stays=order.stays or settings.stays,
            even_so=order.even_so or settings.even_so,
            until=next(iter(settings.until), order.until),
        )

    def _settled(self, words: Words, read: Callable[[Words], list[T]]) -> tuple[list[T], _Settings]:
        """What the words mean, with the settings at their end taken off, one by one, until they mean something."""
        settings = _Settings()
        while True:
            found = read(words)
            taken = None if found else _setting(words)
            if taken is None:
                return found, settings
            words, settings = _trimmed(taken[0]), _both(settings, taken[1])

    def _facts_of(self, words: Words) -> list[Entry]:
        found: list[Entry] = []
        for reader in self._facts:
            for fact in islice(reader.read(words, is_bare=False), MOST_READINGS):
                found += [fact] if fact not in found else []
        return found

    def _bodies(self, words: Words) -> list[_Body]:
        found: list[_Body] = []
        for kind in self.kinds:
            for rest, topic, is_named in self._placed(kind, words):
                for answers in self._answers_of(kind, rest, is_named=is_named):
                    body = _Body(kind.name, topic, answers)
                    found += [body] if body not in found else []
        return found

    def _placed(self, kind: OrderKind, words: Words) -> Iterator[tuple[Words, str, bool]]:
        """What is left of the words, the place, and whether they say what is answered, for every way to read them."""
        names = self._names[kind.name]
        begun = [_trimmed(words[len(name) :]) for name in names if words[: len(name)] == name]
        for rest, is_named in [(words, False), *((rest, True) for rest in begun)]:
            yield rest, "", is_named
            placed = [(before, topic) for name, topic in self._topics[kind.name] for before in _before(rest, name)]
            yield from ((before, topic, True) for before, topic in placed)
            for end, topic in [(rest, ""), *placed]:
                yield from ((before, topic, True) for name in names for before in _before(end, name))

    def _answers_of(self, kind: OrderKind, words: Words, *, is_named: bool) -> Iterator[tuple[Entry, ...]]:
        """Every list of answers the words can mean; an empty one for "ask me", where the place says of what."""
        if words in spoken(Keyword.ASK):
            if is_named and not kind.is_unasked:
                yield ()
            return
        ways = [self._ways(kind, _trimmed(part)) for part in parted(words, Keyword.OR)]
        yield from islice(product(*ways), MOST_READINGS)

    def _ways(self, kind: OrderKind, words: Words) -> list[Entry]:
        found: list[Entry] = []
        for reader in self._answers[kind.name]:
            is_bare = reader.fewest_fields >= FEWEST_FIELDS
            for answer in islice(reader.read(words, is_bare=is_bare), MOST_READINGS):
                found += [answer] if answer not in found else []
        return found

    @cached_property
    def _answers(self) -> dict[str, list[FormReader]]:
        return {kind.name: [FormReader(form, self.naming) for form in kind.answers] for kind in self.kinds}

    @cached_property
    def _facts(self) -> list[FormReader]:
        return [FormReader(form, self.naming, fact_name(form)) for form in self.facts]

    @cached_property
    def _names(self) -> dict[str, list[Words]]:
        return {kind.name: [*self.naming.of(f"order-{kind.name}", kind.label), split(kind.name)] for kind in self.kinds}

    @cached_property
    def _topics(self) -> dict[str, list[tuple[Words, str]]]:
        return {
            kind.name: [
                (name, str(option.value))
                for option in kind.topics
                for name in self.naming.of(option.value, option.label)
            ]
            for kind in self.kinds
        }


def grammar_for(rules: AnyRules, view: object, naming: Naming) -> OrderGrammar:
    """What can be ordered from this view."""
    vocabulary = rules.vocabulary
    kinds = rules.order_kinds(view)
    lasting = order_actions.long_pass_forms(vocabulary.ahead(view, "")) if vocabulary.quiet else []
    kinds = [
        msgspec.structs.replace(kind, answers=[*kind.answers, *lasting]) if kind.name in vocabulary.quiet else kind
        for kind in kinds
    ]

    def passing(kind: str, answer: Entry) -> Order | None:
        if answer["type"] not in order_actions.TYPES:
            return None
        order = order_actions.long_pass_order(vocabulary, kind, order_actions.parse(answer))
        return msgspec.structs.replace(order, id="")

    return OrderGrammar(kinds, rules.order_facts(view), passing, naming)


def fact_name(form: ActionForm) -> str:
    """What a game's words for a fact are kept under: an answer may be called the same."""
    return f"fact-{form.type}"


def _before(words: Words, name: Words) -> list[Words]:
    """What stands before a name at the end of the words, if it stands there behind something."""
    return [_trimmed(words[: -len(name)])] if len(name) < len(words) and words[-len(name) :] == name else []


def _trimmed(words: Words) -> Words:
    """Without the small words at both ends."""
    while words and words[0] in SMALL:
        words = words[1:]
    while words and words[-1] in SMALL:
        words = words[:-1]
    return words


def _without_stop(words: Words) -> tuple[Words, bool]:
    """What stands before an "if", and whether that "if" is a reason to stop."""
    before = ends(_trimmed(words), Keyword.STOP)
    return (words, False) if before is None else (before, True)


def _setting(words: Words) -> tuple[Words, _Settings] | None:
    """The setting that stands last, and what stands before it."""
    for keyword, settings in (
        (Keyword.STAYS, _Settings(stays=True)),
        (Keyword.EVEN_SO, _Settings(even_so=True)),
        (Keyword.ROUND, _Settings(until=("round",))),
        (Keyword.RETURN, _Settings(until=("return",))),
    ):
        before = ends(words, keyword)
        if before is not None:
            return before, settings
    date, before = words[-len(DATE) :], ends(words[: -len(DATE)], Keyword.UNTIL)
    is_date = tuple(len(part) for part in date) == DATE and all(part.isascii() and part.isdigit() for part in date)
    return (before, _Settings(until=("date",), ends_on="-".join(date))) if is_date and before is not None else None


def _both(one: _Settings, other: _Settings) -> _Settings:
    return _Settings(
        stays=one.stays or other.stays,
        even_so=one.even_so or other.even_so,
        until=(*one.until, *other.until),
        ends_on=one.ends_on or other.ends_on,
    )
