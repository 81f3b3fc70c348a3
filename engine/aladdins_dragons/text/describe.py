"""The whole board as plain text, for mails, screen readers and terminals: at most 78 columns, no drawing."""

from collections.abc import Iterator, Sequence

from engine.aladdins_dragons.board.facts import CAVES, CITY, GUARD, ROOMS
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.text.summary import magic_facts, magic_lines, phase, round_label, situation, space_line
from engine.aladdins_dragons.text.words import Words
from engine.core import ActionForm, Amounts, Field, Option, Question, Seat
from engine.core.plain_text import WIDTH, folded


def describe(view: View, language: str, names: Sequence[str]) -> str:
    """Everything the viewer may see, what is asked of him, and every legal answer in words."""
    words = Words(language, names)
    blocks = [_head(view, words), *_spaces(view, words), _players(view, words), _rest(view, words)]
    blocks += [_question(question, words) for question in view.questions]
    return "\n\n".join("\n".join(folded(block, WIDTH)) for block in blocks) + "\n"


def _head(view: View, words: Words) -> list[str]:
    lines = [f"{words.sentence('title')} - {round_label(view, words)} - {words.sentence(f'phase-{phase(view)}')}"]
    if view.outcome:
        return [*lines, words.say(view.outcome.reason)]
    lines.append(words.sentence("sequence", seats={"seats": view.sequence()}))
    asked = [decision.seat for decision in view.asked if decision.prompted]
    if asked:
        lines.append(words.sentence("waiting-for", seats={"seats": asked}))
    return [*lines, *(note.text for note in situation(view, words))]


def _spaces(view: View, words: Words) -> Iterator[list[str]]:
    """The board from its foot to its top, each row in the order of its tally (A32)."""
    for group, spaces in (("caves", CAVES), ("city", CITY), ("palace", (GUARD, *ROOMS[: view.seats]))):
        yield [words.sentence(f"group-{group}"), *(f"  {space_line(view, words, space)}" for space in spaces)]


def _players(view: View, words: Words) -> list[str]:
    return [words.sentence("players"), *(f"  {_player(view, words, seat)}" for seat in range(view.seats))]


def _player(view: View, words: Words, seat: Seat) -> str:
    marks = [
        words.sentence(code)
        for code, holds in (
            ("you", seat == view.seat),
            ("camel-here", seat == view.camel),
            ("in-palace", seat in view.admitted),
            ("resigned-mark", seat in view.resigned),
        )
        if holds
    ]
    hoard = view.hoards[seat]
    facts = [
        words.sentence("artifacts", count=view.artifact_counts[seat]),
        words.sentence("tokens-in-hand", count=view.hand_counts[seat]),
        words.sentence("hoard-hidden")
        if hoard is None
        else words.sentence("hoard", total=sum(hoard.values()), amounts={"amounts": hoard}),
    ]
    facts += magic_facts(view, words, seat)
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"{words.name(seat)}{marked}: {'; '.join(facts)}"


def _rest(view: View, words: Words) -> list[str]:
    lines = [f"{words.sentence('bank')}: {words.amounts(view.bank)}"]
    if view.hand is not None:
        hand = " ".join(str(value) for value in view.hand) or words.sentence("nothing")
        lines.append(f"{words.sentence('hand')}: {hand}")
    return [*lines, *magic_lines(view, words), words.sentence("legend")]


def _question(question: Question, words: Words) -> list[str]:
    lines = [f"{words.sentence('asked')}: {words.say(question.title)}"]
    if question.hint:
        lines.append(words.say(question.hint))
    lines.append(words.sentence("answers"))
    for form in question.actions:
        lines += _form(form, words)
    return lines


def _form(form: ActionForm, words: Words) -> Iterator[str]:
    yield f"  - {words.say(form.label)}"
    for field in form.fields:
        yield f"    {words.say(field.label)}: {_field(field, form, words)}"
    if sum(bool(field.distinct) for field in form.fields) > 1:
        yield f"    {words.sentence('different')}"


def _field(field: Field, form: ActionForm, words: Words) -> str:
    if isinstance(field, Amounts):
        options = ", ".join(
            words.sentence("up-to", option=_option(option, words), limit=option.limit) for option in field.options
        )
        return f"{_sum(field, words)} {options}"
    return f"{words.sentence('one-of')} {', '.join(_option(option, words, form) for option in field.options)}"


def _sum(field: Amounts, words: Words) -> str:
    """How much it makes together."""
    if field.same_as:
        return words.sentence("as-much-as", field={"field": field.same_as})
    if field.least is not None:
        return words.sentence("in-all-range", least=field.least, total=field.total)
    return words.sentence("in-all", total=field.total)


def _option(option: Option, words: Words, form: ActionForm | None = None) -> str:
    hints = [words.say(option.hint)] if option.hint else []
    if form is not None and option.bars:
        barred = [one for field in form.fields for one in field.options if one.value in option.bars]
        hints.append(words.sentence("not-with", options=", ".join(words.say(one.label) for one in barred)))
    return f"{words.say(option.label)} ({'; '.join(hints)})" if hints else words.say(option.label)
