"""The sentences about orders by code, in English, and how they are filled in the reader's language.

The catalogues in locale/ have the other languages; `_` only marks a sentence. What belongs to a game, such as questions
and answers, is said by the game.
"""

from collections.abc import Callable, Mapping
from textwrap import fill
from typing import TypeAlias

from engine.core import Answer, JsonObject, Question, Text
from engine.core.games import Branched
from engine.core.language import _, catalogue, locale_of
from engine.orders.model import Entry, OrderDropped, OrderEvent, OrderFired

LOCALE = locale_of("engine.orders")
DOMAIN = "orders"
PREFIX = "orders."
ANSWER = "orders.answer"  # one of several parts, as `answer_texts` gives them
Say: TypeAlias = Callable[[Text], str]


SENTENCES = {
    # what happened
    "orders.fired": _("Your order has answered “{title}”: {answer}."),
    "orders.recap-fired": _("Answered by your orders: {count}."),
    "orders.told": _("“{title}”: your order says that you decide this yourself."),
    "orders.stopped": _("“{title}”: your order stops here and asks you."),
    "orders.suspended": _("“{title}”: your order waits for you, because a card that touches it has been shown."),
    "orders.unknown": _("“{title}”: your order depends on something you can't see, so you decide."),
    "orders.dropped-unfit": _("Your order for “{label}” was dropped: its answer isn't possible any more. You decide."),
    "orders.dropped-round": _("Your order for “{label}” has ended with the round."),
    "orders.dropped-date": _("Your order for “{label}” has ended on its date."),
    "orders.dropped-return": _("Your order for “{label}” has ended because you are back."),
    # a roll-back, or a copy
    "orders.branched": _(
        "A moderator has rolled the game back to step {step}. What nobody had seen by then is dealt again; "
        "all orders have ended."
    ),
    "orders.taken-back": _("The last move has been taken back."),
    "orders.copied": _("A copy of another table after its step {step}. Everything hidden has been dealt again."),
    # passing for longer, and plans
    "orders.do-pass-until-shown": _("Pass until someone plays a card"),
    "orders.do-pass-until": _("Pass until a space is reached, whatever is played"),
    "orders.do-pass-round": _("Pass for the rest of this round"),
    "orders.field-until": _("Until"),
    "orders.hint-sheet": _(
        "Everyone plans at once, in secret. We'll play your plan in time, and ask about anything you leave open."
    ),
    "orders.hint-sheet-given": _("Your round plan is saved. You can still change it until everyone has sent theirs."),
    "orders.do-sheet": _("Send my plan"),
    "orders.field-tally": _("Before the tally"),
    "orders.tally-later": _("ask me for my plan"),
    "orders.tally-same": _("this is my plan; ask me only if a card hits it"),
    "orders.default-sheet": _("Your round plan stays empty: you'll be asked about each of your tokens."),
    "orders.default-sheet-nothing": _(
        "This round is played without you: none of your tokens is placed, you pass, and you buy nothing."
    ),
    "orders.hint-plan": _(
        "Everyone plans at once, in secret. We'll play your orders in time; choose what happens where none answers. "
        "Your own decisions always stay yours."
    ),
    "orders.hint-plan-given": _("Your plan is saved. You can still change it until everyone has sent theirs."),
    "orders.do-plan": _("Send my plan for the tally"),
    "orders.do-plan-nothing": _("Decide nothing: pass, buy nothing, and do what the deadline would do"),
    "orders.field-windows": _("When cards may be played, ask me"),
    "orders.windows-quiet": _("when one touches me"),
    "orders.windows-never": _("never"),
    "orders.windows-ask": _("always"),
    "orders.default-plan": _("We won't ask you again in this tally: you pass and buy nothing."),
    # the lines of a form
    "orders.ask": _("ask me"),
    "orders.field-where": _("Where"),
    "orders.field-answer": _("What"),
    "orders.field-else": _("Otherwise"),
    "orders.field-then": _("Then"),
    "orders.if-shown": _("If someone has played a card that affects them"),
    "orders.go-on": _("go on all the same"),
    # refusals
    "orders.malformed": _("These orders can't be read: {detail}"),
    "orders.too-many": _("You can give at most {most} orders."),
    "orders.too-large": _("Your orders are too long together: they may have {most} bytes as JSON."),
    "orders.changed": _("Your orders have changed since this page was opened. Please look at them again."),
    "orders.at": _("Order {number}: {reason}"),
    "orders.no-kind": _("There is no decision of the kind “{kind}”."),
    "orders.no-topic": _("There is no place “{topic}” for this decision."),
    "orders.too-long": _("An order has at most {answers} answers and {conditions} conditions."),
    "orders.needs-condition": _("Nobody asks you for this: say when it should happen, and what."),
    "orders.loop": _("You can order this only once; it can't happen again and again."),
    "orders.contradiction": _("These conditions contradict each other, so it would never answer."),
    "orders.never-reached": _("Order {number} would never be reached: an earlier order always answers first."),
    "orders.no-choice": _("{blank}: “{value}” can't be chosen here."),
    "orders.half-a-row": _("{blank}: please choose here too, or leave the whole line empty."),
    "orders.over": _("The game is over."),
    "orders.not-planned": _(
        "This is neither a sheet nor a plan. Say that your orders are ready, or that nothing should be asked."
    ),
}


def say(said: Text | OrderEvent | Branched, language: str, say_inner: Say) -> str:
    """A refusal or an event about orders.

    Arguments:
        say_inner: words for what belongs to the game.
    """
    text = said if isinstance(said, Text) else event_text(said, say_inner)
    if text.code == ANSWER:
        return in_one(text.params["said"], say_inner)
    pattern = catalogue(LOCALE, DOMAIN, language).gettext(SENTENCES[text.code])
    return pattern.format_map({name: _fill(value, say_inner) for name, value in text.params.items()})


def event_text(event: OrderEvent | Branched, say_inner: Say) -> Text:
    """The sentence of an event."""
    if isinstance(event, Branched):
        rolled_back = "orders.branched" if event.seat is None else "orders.taken-back"
        return Text(rolled_back if event.branch else "orders.copied", {"step": event.step})
    if isinstance(event, OrderFired):
        params: JsonObject = {"title": say_entry(event.title, say_inner), "answer": in_one(event.answer, say_inner)}
        return Text(f"{PREFIX}fired", params)
    if isinstance(event, OrderDropped):
        return Text(f"{PREFIX}dropped-{event.why}", {"label": say_entry(event.label, say_inner)})
    return Text(f"{PREFIX}{event.why}", {"title": say_entry(event.title, say_inner)})


def question_text(question: Question, say_inner: Say) -> str:
    """A question with every way to answer, as plain text for a board of 78 columns."""
    lines = [say_inner(question.title), *([say_inner(question.hint)] if question.hint else [])]
    for form in question.actions:
        options = [say_inner(option.label) for field in form.fields for option in field.options]
        lines.append(f"- {say_inner(form.label)}" + (f": {' / '.join(options)}" if options else ""))
        lines += [say_inner(form.hint)] if form.hint else []
    return "\n".join(fill(line, 78) for line in lines)


def say_entry(entry: Entry, say_inner: Say) -> str:
    """A sentence in plain data, in words; "" for none."""
    return say_inner(Text(entry["code"], entry["params"])) if entry["code"] else ""


def in_one(answer: list[Entry], say_inner: Say) -> str:
    """An answer of several parts in one line: "Place a token: 9, Crown cave"."""
    first, *rest = [_part(entry, say_inner) for entry in answer]
    return f"{first}: {', '.join(rest)}" if rest else first


def _part(entry: Entry, say_inner: Say) -> str:
    words = say_entry(entry, say_inner)
    return f"{words} ×{entry['amount']}" if "amount" in entry else words


def _fill(value: object, say_inner: Say) -> str:
    if isinstance(value, Mapping) and "text" in value:
        return say_entry({"params": {}, **value["text"]}, say_inner)
    return str(value)


def as_entry(text: Text) -> Entry:
    """A sentence in plain data, as events carry it."""
    return {"code": text.code, "params": text.params}


def answer_texts(question: Question, action: Answer) -> list[Entry]:
    """An answer in the game's words: what is done, and then what was chosen in each field."""
    form = next(form for form in question.actions if form.type == action["type"])
    texts = [as_entry(form.label)]
    for field in form.fields:
        value = action.get(field.name)
        for option in field.options:
            if isinstance(value, Mapping):
                amount = value.get(option.value, 0)
                texts += [{**as_entry(option.label), "amount": amount}] if amount else []
            elif option.value == value:
                texts.append(as_entry(option.label))
    return texts
