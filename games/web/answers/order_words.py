"""The form of a new order: what is chosen in it makes the line that could be written instead."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.core import ActionForm, Choice
from games.play.keywords import Keyword, word
from games.play.standing_orders import Say


@dataclass(frozen=True)
class Phrase:
    """An answer or a fact: how it begins, and its blanks, each a label and the words that may stand there."""

    beginning: str
    blanks: list[tuple[str, list[str]]]


def phrases(forms: Iterable[ActionForm], say: Say) -> list[Phrase]:
    """The answers or the facts of a game as they are written in a line."""
    return [Phrase(say(form.label), list(_blanks(form, say))) for form in forms]


def _blanks(form: ActionForm, say: Say) -> Iterable[tuple[str, list[str]]]:
    for field in form.fields:
        labels = [say(option.label) for option in field.options]
        if isinstance(field, Choice):
            yield say(field.label), labels
        else:
            most = [range(1, (option.limit or field.total) + 1) for option in field.options]
            for label, counts in zip(labels, most, strict=True):
                yield label, [f"{count} {label}" for count in counts]


def line_of(words: Iterable[str]) -> str:
    """The line that the chosen words make; each answer begins with "or", the first one needlessly."""
    line = " ".join(chosen.strip() for chosen in words if chosen.strip())
    return line.replace(f": {word(Keyword.OR)} ", ": ", 1)


def settings() -> list[tuple[str, str]]:
    """The words that stand in the form beside those of the game, by the names by which its template knows them."""
    named = (Keyword.IF, Keyword.STOP, Keyword.OR, Keyword.ASK, Keyword.UNTIL, Keyword.ROUND, Keyword.RETURN)
    return [
        (keyword.name.lower(), word(keyword)) for keyword in (*named, Keyword.STAYS, Keyword.EVEN_SO, Keyword.ANY_PLAY)
    ]
