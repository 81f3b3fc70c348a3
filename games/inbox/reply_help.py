"""What a mail says of answering it by a line: the numbers of a short question's answers, or an example of each form."""

from collections.abc import Iterator
from random import Random

from django.conf import settings

from engine.core import ActionForm, Amounts, Answer, Choice, Field, Option, Question
from engine.core.answers import draw_answer
from engine.orders.answers import GATHERED
from games.inbox.grammar import QuestionReader
from games.inbox.phrases import Naming, split, written
from games.play import queries
from games.play.order_forms import say_for
from games.tables.models import Game

TRIES = 12  # to draw an example that differs from another in all its fields
FEWEST_BARE = 2  # fields of an answer that is written without its verb: "9 crowns"
LONGEST_LABEL = 3  # words; a longer one is an explanation


def naming_of(game: Game) -> Naming:
    """How a game calls things, to its reader first."""
    own = queries.current_language()
    others = tuple(language for language, _name in settings.LANGUAGES if language != own)
    return Naming(say_for(game), (own, *others))


def examples(reader: QuestionReader) -> list[str]:
    """A line for each form of the question; each is understood as what it is written for."""
    found, question = [], reader.question
    for form in question.actions:
        alone = Question(question.decision, question.title, [form], question.default)
        answer = draw_answer(alone, Random(question.decision.id))  # noqa: S311  an example, the same each time
        line = line_of(answer, reader)
        if line:
            found.append(line)
    return found


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
    other = next((one for one in drawn if all(one[field.name] != first[field.name] for field in form.fields)), None)
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
    """What to call a thing in an example: by a word of its game, by a short label, or by its value."""
    first = written(naming.names(value, thing.label)[0])
    return first if len(split(first)) <= LONGEST_LABEL else written(str(value))
