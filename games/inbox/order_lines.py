"""Results of a line of a reply: done, refused, or to be confirmed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import msgspec
from django.utils.translation import gettext as _
from msgspec.structs import replace

from engine.core import ActionForm, Answer, JsonObject, Question
from engine.orders import answers as order_actions
from engine.orders.lines import spread
from engine.orders.model import Order
from games.play import order_grammar, queries, standing_orders, stored_moves
from games.play.keywords import Keyword, Naming, parted, split, spoken
from games.play.models import Move
from games.play.order_grammar import SEPARATOR, Meant, OrderGrammar, grammar_for
from games.play.queries import Access
from games.play.reply_grammar import MOST_READINGS, SMALL, FormReader, naming_of, understand, unsaid_fields
from games.play.standing_orders import Edit, OrderBook, can_give, end_of_day, order_book, sentence
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.models import Inbound


@dataclass(frozen=True)
class LineResult:
    """The result of a line, and the words for its writer."""

    state: Inbound.State
    words: str


class LineRefused(Exception):
    """The line does nothing; the text is for its writer."""


def ask_to_confirm(meant: Iterable[str] = ()) -> LineResult:
    """Return the result of a line that waits until its writer confirms that it is his.

    Arguments:
        meant: what the line would do, unless it says so itself.
    """
    told = [f"- {meaning}" for meaning in meant]
    words = _("We can't be sure this answer is from you. If it is, please confirm it:")
    return LineResult(Inbound.State.HELD, "\n".join([*([_("This is what it means:"), *told] if told else []), words]))


# Lines about standing orders: "order 9 crowns", "change 2 to 5 guard", "cancel 2", "move 3 first".

State = Inbound.State
EVERY = "*"
GIVING = (Keyword.ORDER, Keyword.CHANGE)


@dataclass(frozen=True)
class OrderLine:
    """The order, change or removal that a line asks for.

    Arguments:
        command: one of `commands.ABOUT_ORDERS`.
        tags: the orders it is about; `EVERY` for all of them.
        text: the orders to give.
        is_first: where to move to.
    """

    command: Keyword
    tags: tuple[str, ...] = ()
    text: str = ""
    is_first: bool = False


def find(line: str) -> OrderLine | None:
    """Reads a line about standing orders; None if it is about something else."""
    command, rest = _cut(line)
    if command in spoken(Keyword.ORDER):
        return OrderLine(Keyword.ORDER, text=rest)
    if command in spoken(Keyword.CANCEL):
        tags = (EVERY,) if split(rest) in spoken(Keyword.ALL) else _tags(rest)
        return OrderLine(Keyword.CANCEL, tags) if tags else None
    number, rest = _cut(rest)
    tags = _tags(" ".join(number))
    if tags and command in spoken(Keyword.CHANGE):
        return OrderLine(Keyword.CHANGE, tags, rest)
    is_first = split(rest) in spoken(Keyword.FIRST)
    if tags and command in spoken(Keyword.MOVE) and (is_first or split(rest) in spoken(Keyword.LAST)):
        return OrderLine(Keyword.MOVE, tags, is_first=is_first)
    return None


def _cut(line: str) -> tuple[tuple[str, ...], str]:
    """The first word as `split` has it, and the rest as it was written."""
    first, _space, rest = line.strip().partition(" ")
    return split(first), rest


def _tags(text: str) -> tuple[str, ...]:
    """Returns the names of orders, if the text holds nothing else."""
    words = [word for word in split(text) if word not in SMALL]
    if not all((word.isascii() and word.isdigit()) or (word,) in spoken(Keyword.PASSING) for word in words):
        return ()
    return tuple(dict.fromkeys(word if word.isdigit() else order_actions.PASSING_ORDER for word in words))


def obey(inbound: Inbound, access: Access, wish: OrderLine, now: datetime) -> LineResult:
    """Do what the line wants. Raises Refused and ServiceError."""
    assert access.seat is not None
    if not can_give(access):
        raise LineRefused(_why_not(access))
    book = order_book(access)
    key = f"mail:{inbound.key}"[:80]
    if stored_moves.with_key(access.game, key) is not None:
        return LineResult(State.DONE, _kept())
    new, ends_at = orders_in(wish.text, access, book) if wish.command in GIVING else ([], None)
    ids = [_id(tag, book) for tag in wish.tags if tag != EVERY]
    edit = _edit(wish, new, ids)
    if not inbound.is_authentic:
        return ask_to_confirm(sentence(book, order, ends_at) for order in new)
    standing_orders.edit(
        game_id=access.game.pk,
        seat=access.seat.number,
        change=edit,
        source=Move.Source.MAIL,
        now=now,
        actor=access.seat.user,
        dates=dict.fromkeys(["", *ids], ends_at) if ends_at else {},
        idempotency_key=key,
    )
    lines = [f"- {sentence(book, order, ends_at)}" for order in new]
    return LineResult(State.DONE, "\n".join([_kept(), *lines, *order_grammar.waiting(access, new)]))


def _kept() -> str:
    return _("Your orders are saved. Nobody else can see them.")


def _why_not(access: Access) -> str:
    if access.seat and access.seat.status == Seat.Status.ABSENT and access.game.status == Game.Status.RUNNING:
        return _("You're marked as absent in this game. Return to it first.")
    return _("Only players in a running game can give orders.")


def orders_in(text: str, access: Access, book: OrderBook) -> tuple[list[Order], datetime | None]:
    """The orders that a text gives, and when they end if they say a date. Raises LineRefused unless all are clear."""
    found = grammar_of(access).read(text)
    for meant in found:
        _check(meant, book)
    if not found:
        raise LineRefused(_("Please also say what the order should do. Nothing was changed."))
    return [order for meant in found for order in meant.orders], _end({meant.ends_on for meant in found} - {""})


def _end(days: set[str]) -> datetime | None:
    """When new orders end. Raises LineRefused for a day that does not exist, and for several in one line."""
    if len(days) > 1:
        raise LineRefused(_("Send orders that end on different dates in separate emails. Nothing was changed."))
    ends_at = end_of_day(next(iter(days))) if days else None
    if days and ends_at is None:
        raise LineRefused(_("Write the date as year, month and day, such as 2026-12-24."))
    return ends_at


def meant_by_empty_sheet(line: str, question: Question) -> Answer | None:
    """The answer of a line that says what a sheet without orders means: "sheet ask me", "sheet nothing"."""
    form = next((form for form in question.actions if form.type == order_actions.SHEET), None)
    command, rest = _cut(line)
    if form is None or command not in spoken(Keyword.SHEET):
        return None
    if split(rest) in spoken(Keyword.ASK):
        return {"type": form.type, **unsaid_fields(form)}
    return {"type": order_actions.SHEET_NOTHING} if split(rest) in spoken(Keyword.NOTHING) else None


def _gathering(question: Question) -> ActionForm | None:
    """The form of a question for a sheet or a plan, else None."""
    return next((form for form in question.actions if form.takes_orders and form.type in order_actions.GATHERED), None)


def is_sheet(line: str, question: Question, access: Access) -> bool:
    """Whether a line has an order in it, where a sheet or a plan is asked."""
    found = grammar_of(access).read(line) if _gathering(question) else []
    return any(one.is_clear and all(map(_is_said_out, one.orders)) for one in found)


def planned(line: str, question: Question, access: Access) -> dict[str, object] | None:
    """The answer of a line such as "sheet 9 crowns, windows ask" to a question that takes orders, else None.

    Without "sheet" or "plan" it must have an order. Its orders come behind those given already. Raises LineRefused.
    """
    form = _gathering(question)
    command, rest = _cut(line)
    if command not in (*spoken(Keyword.PLAN), *spoken(Keyword.SHEET)):
        rest = line if is_sheet(line, question, access) else ""
    if form is None or not rest:
        return None
    book, reader = order_book(access), FormReader(form, naming_of(access.game))
    parts = [(part, _distinct(reader.read(split(part)))) for part in SEPARATOR.split(rest) if split(part)]
    chosen: JsonObject = {}
    for answer in (answers[0] for _part, answers in parts if len(answers) == 1):
        chosen |= {name: value for name, value in answer.items() if value != unsaid_fields(form).get(name)}
    new = brought(", ".join(part for part, answers in parts if len(answers) != 1), access, book)
    return {"type": form.type, **unsaid_fields(form), **chosen, order_actions.ORDERS: _with_new(book, new)}


def accompanied(line: str, question: Question, access: Access) -> dict[str, object] | None:
    """The answer of a line such as "9 crowns, 5 guard", whose first part alone answers the question, else None.

    What follows are orders, behind those that are given already. Raises Refused.
    """
    found = followed(line, question, naming_of(access.game), lambda: grammar_of(access))
    if found is None:
        return None
    answer, meant = found
    book = order_book(access)
    return {**answer, order_actions.ORDERS: _with_new(book, _brought(meant, book))}


def followed(
    line: str, question: Question, naming: Naming, grammar: Callable[[], OrderGrammar]
) -> tuple[Answer, list[Meant]] | None:
    """The answer that the first part of a line gives, and what the others mean; None if the first is no such answer.

    A bare word such as "no" orders nothing here: whoever writes "9 crowns, no, 8 pearls" has changed his mind.
    """
    taking = [form.type for form in question.actions if form.takes_orders and form.type not in order_actions.GATHERED]
    first, *rest = [part for text in SEPARATOR.split(line) for part in parted(split(text), Keyword.THEN)]
    if not taking or not any(rest):
        return None
    answer = understand(" ".join(first), question, naming).action
    if answer is None or answer["type"] not in taking:
        return None
    orders = grammar()
    meant = [orders.read_one(part) for part in rest if part]
    return answer, [
        meaning if all(map(_is_said_out, meaning.orders)) else Meant(meaning.said, unclear=meaning.said)
        for meaning in meant
    ]


def _is_said_out(order: Order) -> bool:
    return bool(order.topic) or any(len(answer) > 1 for answer in order.answers)


def brought(text: str, access: Access, book: OrderBook) -> list[Order]:
    """The orders of a text that comes with an answer. Raises LineRefused."""
    return _brought(grammar_of(access).read(text), book)


def _brought(found: Iterable[Meant], book: OrderBook) -> list[Order]:
    """Orders that come with an answer: for this round, unless they say for how long. Raises Refused."""
    new = list[Order]()
    for meant in found:
        _check(meant, book)
        if meant.ends_on:
            raise LineRefused(
                _("Send orders that end on a date on their own, starting with “order”. Nothing was changed.")
            )
        new += [replace(order, until=order.until or ("" if order.stays else "round")) for order in meant.orders]
    return spread(book.kinds, new)


def _with_new(book: OrderBook, new: Iterable[Order]) -> list[JsonObject]:
    orders: list[JsonObject] = msgspec.to_builtins(
        order_actions.passing_last([*(item.order for item in book.items), *new])
    )
    return orders


def told(action: JsonObject, access: Access) -> list[str]:
    """The new orders that came with an answer, in words."""
    new = [order for order in msgspec.convert(action.get(order_actions.ORDERS, []), list[Order]) if not order.id]
    book = order_book(access) if new and can_give(access) else None
    return [_kept(), *(f"- {sentence(book, order)}" for order in new)] if book else []


def _distinct(answers: Iterable[Answer]) -> list[Answer]:
    found: list[Answer] = []
    for answer in islice(answers, MOST_READINGS):
        found += [answer] if answer not in found else []
    return found


def _check(meant: Meant, book: OrderBook) -> None:
    words = {"words": meant.unclear or meant.said}
    if meant.is_ambiguous:
        lines = [f"- {sentence(book, order)}" for order in meant.orders]
        raise LineRefused(
            "\n".join([_("“%(words)s” could mean more than one thing, so nothing was changed.") % words, *lines])
        )
    if meant.unclear:
        raise LineRefused(_("We didn't understand “%(words)s”, so nothing was changed.") % words)


def grammar_of(access: Access) -> OrderGrammar:
    """Returns the orders that this seat can give, and how they are written."""
    return grammar_for(access.game.rules, queries.view_of(access), naming_of(access.game))


def _edit(wish: OrderLine, new: Sequence[Order], ids: Sequence[str]) -> Edit:
    if wish.command == Keyword.ORDER:
        return standing_orders.added(*new)
    if wish.command == Keyword.MOVE:
        return standing_orders.moved_to_end(ids[0], is_first=wish.is_first)
    if wish.command == Keyword.CHANGE:
        return changed(ids[0], new)
    return standing_orders.removed(*ids) if ids else standing_orders.cleared


def changed(number: str, new: Sequence[Order]) -> Edit:
    """Puts the one new order in the place of another. Raises LineRefused if there are several."""
    if len(new) != 1:
        raise LineRefused(_("You can only replace one order with one other. Nothing was changed."))
    return standing_orders.replaced(number, new[0])


def _id(tag: str, book: OrderBook) -> str:
    """The id of the order that is called so. Raises Refused if there is none."""
    for item in book.items:
        if tag in (item.order.tag, item.order.id):
            return item.order.id
    raise LineRefused(_("There's no order %(number)s. Nothing was changed.") % {"number": tag})
