"""Orders in the reader's language; what a game has to say to them is said by the game."""

from collections.abc import Callable, Mapping
from textwrap import fill
from typing import Any, TypeAlias

from engine.core import Question, Text
from engine.core.branches import Branched
from engine.core.language import catalogue, locale_of
from engine.orders.model import Entry, OrderDropped, OrderEvent, OrderFired
from engine.orders.text import SENTENCES

LOCALE = locale_of(__package__)
DOMAIN = "orders"
PREFIX = "orders."
Say: TypeAlias = Callable[[Text], str]


def say(said: Text | OrderEvent | Branched, language: str, say_inner: Say) -> str:
    """A refusal or an event about orders.

    Arguments:
        say_inner: words for what belongs to the game.
    """
    text = said if isinstance(said, Text) else event_text(said, say_inner)
    pattern = catalogue(LOCALE, DOMAIN, language).gettext(SENTENCES[text.code])
    return pattern.format_map({name: _fill(value, say_inner) for name, value in text.params.items()})


def event_text(event: OrderEvent | Branched, say_inner: Say) -> Text:
    """The sentence of an event."""
    if isinstance(event, Branched):
        return Text("orders.branched" if event.branch else "orders.copied", {"step": event.step})
    if isinstance(event, OrderFired):
        params: Mapping[str, Any] = {"title": said(event.title, say_inner), "answer": in_one(event.answer, say_inner)}
        return Text(f"{PREFIX}fired", dict(params))
    if isinstance(event, OrderDropped):
        return Text(f"{PREFIX}dropped-{event.why}", {"label": said(event.label, say_inner)})
    return Text(f"{PREFIX}{event.why}", {"title": said(event.title, say_inner)})


def question_text(question: Question, say_inner: Say) -> str:
    """A question with every way to answer, as plain text for a board of 78 columns."""
    lines = [say_inner(question.title), *([say_inner(question.hint)] if question.hint else [])]
    for form in question.actions:
        options = [say_inner(option.label) for field in form.fields for option in field.options]
        lines.append(f"- {say_inner(form.label)}" + (f": {' / '.join(options)}" if options else ""))
        lines += [say_inner(form.hint)] if form.hint else []
    return "\n".join(fill(line, 78) for line in lines)


def said(entry: Entry, say_inner: Say) -> str:
    """A sentence in plain data, in words; "" for none."""
    return say_inner(Text(entry["code"], entry["params"])) if entry["code"] else ""


def in_one(answer: list[Entry], say_inner: Say) -> str:
    """An answer of several parts in one line: "Place a token: 9, Crown cave"."""
    first, *rest = [_part(entry, say_inner) for entry in answer]
    return f"{first}: {', '.join(rest)}" if rest else first


def _part(entry: Entry, say_inner: Say) -> str:
    words = said(entry, say_inner)
    return f"{entry['amount']} {words}" if "amount" in entry else words


def _fill(value: Any, say_inner: Say) -> str:
    if isinstance(value, Mapping) and "text" in value:
        return said({"params": {}, **value["text"]}, say_inner)
    return str(value)
