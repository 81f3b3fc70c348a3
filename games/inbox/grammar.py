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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, permutations
from typing import TypeAlias

from engine.core import ActionForm, Answer, Choice, Field, IllegalAction, JsonObject, Question, Text
from engine.core.answers import check_answer
from games.inbox.phrases import Naming, Words, spellings, split

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
    """What a line means: an action, or why it means none. `refusal` is the rules' own word on what they forbid."""

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
        found: list[Answer] = []
        for form in self._forms:
            for answer in islice(form.read(words), MOST_READINGS):
                if answer not in found:
                    found.append(answer)
        if len(found) != 1:
            return Understood(is_ambiguous=bool(found))
        try:
            check_answer(self.question, found[0])
        except IllegalAction as error:
            return Understood(refusal=error.text)
        return Understood(found[0])


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
    """What options are called that may stand without the name of their field though that may be left out."""
    said = [(option, language) for option in field.options for language in naming.languages]
    labels = [(naming.say(option.label, language), option.value) for option, language in said]
    return [(words, value) for label, value in labels for words in spellings(label)]


def _chosen(words: Words, at: int, names: Names) -> Iterator[tuple[str | int, int]]:
    for name, value in names:
        if _stands(words, at, name):
            yield value, at + len(name)


def _unsaid(field: Field) -> list[str | int]:
    """What is meant where nothing is said of the field, if that is possible."""
    return [field.unsaid] if isinstance(field, Choice) and field.unsaid is not None else []


def unsaid_fields(form: ActionForm) -> JsonObject:
    """What is meant where nothing is said of the fields of a form."""
    return {field.name: field.unsaid for field in form.fields if isinstance(field, Choice)}


def _names(field: Field, naming: Naming) -> list[Words]:
    """What a field may be called before its value: its label, its name, and the end of a name such as "pay_5"."""
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
