"""From a line to an answer: every way to read it is tried, and unless all of them mean the same it means nothing.

    line   = [verb] field ...                 for one of the forms of the question
    field  = [name of the field] option       of a Choice
           | ([number] option) ...            of Amounts
    name   = "pay 5", or "5" alone where the field's name is "pay_5"

A field may be left out if its game says what it is then. Such a field is read only by
its name or by its option's label.

Verb, options and names are what `phrases` calls them. Small words such as "on", "and", "con" may stand between. Nothing
is guessed: each word of the line must have its place.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, permutations, product
from math import prod
from random import Random
from typing import TypeAlias

from django.conf import settings

from engine.core import ActionForm, Amounts, Answer, Choice, Field, IllegalAction, JsonObject, Option, Question, Text
from engine.core.answers import check_answer, draw_answer, goes_together
from engine.orders.answers import GATHERED
from games.people import speech
from games.play.keywords import Naming, Words, spellings, split, written
from games.play.standing_orders import say_for
from games.tables.models import Game

Value: TypeAlias = str | int | dict[str | int, int]
MOST_WORDS = 24
MOST_READINGS = 200
MOST_FREE_FIELDS = 4  # choices that may stand in any order
SMALL = frozenset(
    [
        "and",
        "on",
        "in",
        "at",
        "to",
        "into",
        "with",
        "for",
        "the",
        "y",
        "e",
        "en",
        "a",
        "al",
        "el",
        "la",
        "los",
        "las",
        "con",
        "por",
        "de",
        "del",
        "sobre",
        "und",
        "auf",
        "im",
        "ins",
        "an",
        "am",
        "bei",
        "beim",
        "zu",
        "zum",
        "zur",
        "mit",
        "gegen",
        "fur",
        "fuer",
        "nach",
        "von",
        "vom",
        "aus",
        "der",
        "die",
        "das",
        "den",
        "dem",
        "des",
    ]
)  # between phrases; each language's, whoever writes


@dataclass(frozen=True)
class Understood:
    """The meaning of a line: an action, or why there is none. `refusal` is the rules' own word on what they forbid."""

    action: Answer | None = None
    refusal: Text | None = None
    is_ambiguous: bool = False


def understand(line: str, question: Question, naming: Naming) -> Understood:
    """Read a line as an answer to a question."""
    return QuestionReader(question, naming).understand(line)


class QuestionReader:
    """Reads lines as answers to a question, whose names are looked up once."""

    def __init__(self, question: Question, naming: Naming) -> None:
        self.question = question
        self.naming = naming
        self._forms = [FormReader(form, naming) for form in question.actions]

    def understand(self, line: str) -> Understood:
        """Read a line."""
        words = split(line)
        if not words or len(words) > MOST_WORDS:
            return Understood()
        answers: list[Answer] = []
        for form in self._forms:
            for answer in islice(form.read(words), MOST_READINGS):
                if answer not in answers:
                    answers.append(answer)
        if len(answers) != 1:
            return Understood(is_ambiguous=bool(answers))
        try:
            check_answer(self.question, answers[0])
        except IllegalAction as error:
            return Understood(refusal=error.text)
        return Understood(answers[0])


class FormReader:
    """One form with the names of all that can be said in it. `known_as` is what its game keeps further words under."""

    def __init__(self, form: ActionForm, naming: Naming, known_as: str = "") -> None:
        self.form = form
        names = [*naming.of(known_as or form.type, form.label), split(form.type)]
        self.verbs = [*names, *filter(None, map(begun, names))]
        self.options = {field.name: _options(field, naming) for field in form.fields}
        self.labels = {field.name: _labels(field, naming) for field in form.fields if _unsaid(field)}
        self.names = {field.name: _names(field, naming) for field in form.fields}

    @property
    def fewest_fields(self) -> int:
        """How many fields have to be said."""
        return sum(not _unsaid(field) for field in self.form.fields)

    def read(self, words: Words, *, is_bare: bool = True) -> Iterator[Answer]:
        """Every answer the words can mean in this form.

        Arguments:
            is_bare: the verb may be left out, if there are fields.
        """
        starts = {len(verb) for verb in self.verbs if words[: len(verb)] == verb}
        starts |= {0} if is_bare and self.form.fields else set()
        for start in starts:
            for order in self._orders():
                for values in self._fields(words, start, order):
                    yield {"type": self.form.type, **{f.name: values[f.name] for f in self.form.fields}}

    def _orders(self) -> Iterator[tuple[Field, ...]]:
        """Choices may stand in any order; amounts, whose end only the next field shows, in their own."""
        fields = tuple(self.form.fields)
        if len(fields) <= MOST_FREE_FIELDS and all(isinstance(field, Choice) for field in fields):
            return iter(permutations(fields))
        return iter([fields])

    def _fields(self, words: Words, at: int, fields: tuple[Field, ...]) -> Iterator[Answer]:
        if not fields:
            if at == len(words):
                yield {}
            return
        for value, end in self._field(words, at, fields[0]):
            for rest in self._fields(words, end, fields[1:]):
                yield {fields[0].name: value, **rest}
        for unsaid in _unsaid(fields[0]):
            for rest in self._fields(words, at, fields[1:]):
                yield {fields[0].name: unsaid, **rest}

    def _field(self, words: Words, at: int, field: Field) -> Iterator[tuple[Value, int]]:
        for start in _past_small(words, at):
            named = {start + len(name) for name in self.names[field.name] if _stands(words, start, name)}
            for begin in {start} | {end for after in named for end in _past_small(words, after)}:
                if isinstance(field, Choice):
                    is_free = begin == start and field.name in self.labels
                    yield from _chosen(words, begin, (self.labels if is_free else self.options)[field.name])
                else:
                    yield from self._amounts(words, begin, field, {})

    def _amounts(
        self, words: Words, at: int, field: Field, so_far: Mapping[str | int, int]
    ) -> Iterator[tuple[dict[str | int, int], int]]:
        """One or more of "2 pearls" or "pearl", each option once."""
        for start in _past_small(words, at):
            for count, begin in _counted(words, start):
                for value, end in _chosen(words, begin, self.options[field.name]):
                    if value not in so_far:
                        amounts = {**so_far, value: count}
                        yield amounts, end
                        yield from self._amounts(words, end, field, amounts)


Names = list[tuple[Words, str | int]]


def _options(field: Field, naming: Naming) -> Names:
    return [(name, option.value) for option in field.options for name in naming.of(option.value, option.label)]


def _labels(field: Field, naming: Naming) -> Names:
    """Returns the names of options that may stand without the name of their field though it may be left out."""
    said = [(option, language) for option in field.options for language in naming.languages]
    labels = [(naming.say(option.label, language), option.value) for option, language in said]
    return [(words, value) for label, value in labels for words in spellings(label)]


def _chosen(words: Words, at: int, names: Names) -> Iterator[tuple[str | int, int]]:
    for name, value in names:
        if _stands(words, at, name):
            yield value, at + len(name)


def _unsaid(field: Field) -> list[str | int]:
    """Returns the values meant where nothing is said of the field, if that is possible."""
    return [field.unsaid] if isinstance(field, Choice) and field.unsaid is not None else []


def unsaid_fields(form: ActionForm) -> JsonObject:
    """Returns the values meant where nothing is said of the fields of a form."""
    return {field.name: field.unsaid for field in form.fields if isinstance(field, Choice)}


def _names(field: Field, naming: Naming) -> list[Words]:
    """Returns the names of a field before its value: its label, its name, and the end of a name such as "pay_5"."""
    own = split(field.name)
    last = [own[-1:]] if len(own) > 1 else []
    labels = [naming.say(field.label, language) for language in naming.languages]
    return [*(words for label in labels for words in spellings(label)), own, *last]


def begun(words: Words) -> Words:
    """Without the small words at the beginning."""
    while words and words[0] in SMALL:
        words = words[1:]
    return words


def trimmed(words: Words) -> Words:
    """Without the small words at both ends."""
    words = begun(words)
    while words and words[-1] in SMALL:
        words = words[:-1]
    return words


def _stands(words: Words, at: int, name: Words) -> bool:
    return words[at : at + len(name)] == name


def _past_small(words: Words, at: int) -> Iterator[int]:
    """This place, and those after the small words that stand here."""
    yield at
    while at < len(words) and words[at] in SMALL:
        at += 1
        yield at


def _counted(words: Words, at: int) -> Iterator[tuple[int, int]]:
    yield 1, at
    if at < len(words) and words[at].isascii() and words[at].isdigit() and len(words[at]) <= 2:
        yield int(words[at]), at + 1


# The answers a mail lists by number, such as "3k": by the letter we know that the list is still the same.

MOST_WAYS = 12  # answers that are listed each by itself
LETTERS = "abcdefghjkmnpqrstuvwxyz"  # no i, l, o, which look like digits
NUMBER = re.compile(r"#?\s?(\d{1,2})\s?([a-z])[.!]?", re.IGNORECASE)


def is_short(question: Question) -> bool:
    """Whether the question has so few answers that each is listed. Amounts count as many."""
    return sum(_count(form) for form in question.actions) <= MOST_WAYS


def _count(form: ActionForm) -> int:
    return prod(len(blank.options) if isinstance(blank, Choice) else MOST_WAYS + 1 for blank in form.fields)


def combinations(form: ActionForm) -> Iterator[dict[str, Option]]:
    """The options that can be chosen together in the choices of a form, by the name of the field."""
    choices = [blank for blank in form.fields if not isinstance(blank, Amounts)]
    for options in product(*(blank.options for blank in choices)):
        chosen = {blank.name: option for blank, option in zip(choices, options, strict=True)}
        if goes_together(form, {name: option.value for name, option in chosen.items()}):
            yield chosen


def listed(question: Question) -> Iterator[tuple[ActionForm, dict[str, Option]]]:
    """Yields the answers of a short question, in the order of its forms."""
    for form in question.actions:
        for chosen in islice(combinations(form), MOST_WAYS):
            yield form, chosen


def code(decision: str, number: int, form: ActionForm, chosen: dict[str, Option]) -> str:
    """The number of an answer with its letter. `decision` names the question in a way no other has."""
    return f"{number}{_letter(decision, answer(form, chosen))}"


def answer(form: ActionForm, chosen: dict[str, Option]) -> Answer:
    """The answer of a form and what was chosen in its fields."""
    return {"type": form.type, **{name: option.value for name, option in chosen.items()}}


def _letter(decision: str, chosen: Answer) -> str:
    digest = hashlib.sha256(json.dumps([decision, sorted(chosen.items())]).encode()).digest()
    return LETTERS[int.from_bytes(digest[:4], "big") % len(LETTERS)]


def by_number(line: str, decision: str, question: Question) -> Answer | None:
    """The answer a line names by number, if that is what stands there now."""
    match = NUMBER.fullmatch(line.strip())
    if match is None or not is_short(question):
        return None
    number, letter = int(match.group(1)), match.group(2).lower()
    for place, (form, chosen) in enumerate(listed(question), start=1):
        action = answer(form, chosen)
        if place == number and _letter(decision, action) == letter:
            return action
    return None


# Help in mails: the numbers of a short question's answers, or an example of each form.

TRIES = 12  # to draw an example that differs from another in all its fields
FEWEST_BARE = 2  # fields of an answer that is written without its verb: "9 crowns"
LONGEST_LABEL = 3  # words; a longer one is an explanation


def naming_of(game: Game) -> Naming:
    """How a game calls things, to its reader first."""
    own = speech.current_language()
    others = tuple(language for language, _name in settings.LANGUAGES if language != own)
    return Naming(say_for(game), (own, *others))


def examples(reader: QuestionReader) -> list[str]:
    """A line for each form of the question; each is understood as what it is written for."""
    lines, question = [], reader.question
    for form in question.actions:
        alone = Question(question.decision, question.title, [form], question.default)
        answer = draw_answer(alone, Random(question.decision.id))  # noqa: S311  an example, the same each time
        line = line_of(answer, reader)
        if line:
            lines.append(line)
    return lines


def example_with_next(reader: QuestionReader) -> str:
    """A line that answers the question and gives an order for what comes next; "" if no answer takes orders."""
    question = reader.question
    form = next((form for form in question.actions if form.takes_orders and form.type not in GATHERED), None)
    if form is None:
        return ""
    alone = Question(question.decision, question.title, [form], question.default)
    dice = Random(question.decision.id)  # noqa: S311  an example, the same each time
    drawn = [draw_answer(alone, dice) for _ in range(TRIES)]
    first = drawn[0]
    other = next(
        (candidate for candidate in drawn if all(candidate[field.name] != first[field.name] for field in form.fields)),
        None,
    )
    lines = [line_of(answer, reader) for answer in (first, other) if answer]
    return ", ".join(lines) if len(lines) > 1 and all(lines) else ""


def line_of(answer: Answer, reader: QuestionReader) -> str:
    """A line that is understood as exactly this answer to the question; "" if there is none."""
    form = next(form for form in reader.question.actions if form.type == answer["type"])
    lines = ways_to_write(form, answer, reader.naming)
    return next((line for line in lines if reader.understand(line).action == answer), "")


def ways_to_write(form: ActionForm, answer: Answer, naming: Naming, known_as: str = "") -> Iterator[str]:
    """Ways to write an answer or a fact, the short ones first; the calling code tells which are understood."""
    said = [field for field in form.fields if not (isinstance(field, Choice) and answer[field.name] == field.unsaid)]
    bare = " ".join(_field(field, answer, naming) for field in said)  # a field that may be left out needs its name
    named = " ".join(f"{split(field.name)[-1]} {_field(field, answer, naming)}" for field in said)
    verb = _called(known_as or form.type, form, naming)
    kind = " ".join(split(form.type))
    if len(said) >= FEWEST_BARE and not known_as:
        yield bare
    for fields in (bare, named):
        yield from (f"{start} {fields}".strip() for start in (verb, kind))


def _field(field: Field, answer: Answer, naming: Naming) -> str:
    options = {option.value: option for option in field.options}
    if isinstance(field, Amounts):
        amounts = answer[field.name]
        return " ".join(f"{amounts[value]} {_called(value, options[value], naming)}" for value in amounts)
    return _called(answer[field.name], options[answer[field.name]], naming)


def _called(value: str | int, thing: Option | ActionForm, naming: Naming) -> str:
    """Returns the name of a thing in an example: a word of its game, a short label, or its value."""
    first = written(naming.names(value, thing.label)[0])
    return first if len(split(first)) <= LONGEST_LABEL else written(str(value))
