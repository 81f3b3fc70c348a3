"""What a mail says of standing orders: those that are given, and lines by which more can be given."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from random import Random

from django.utils import timezone
from django.utils.translation import gettext as _

from engine.core import ActionForm, Amounts, Choice, Decision, IllegalAction, Question, Text
from engine.core.answers import check_answer, draw_answer
from engine.orders.model import Entry, Order, OrderKind
from games.inbox.grammar import unsaid_fields
from games.inbox.keywords import Keyword, word
from games.inbox.order_grammar import OrderGrammar, fact_name
from games.inbox.phrases import Naming, split, written
from games.inbox.reply_help import LONGEST_LABEL, ways_to_write
from games.play import queries
from games.play.order_forms import OrderBook
from games.play.proposal_forms import DEFAULT
from games.play.queries import Access
from notifications.clock import present

KINDS_SHOWN = 2  # in an example of a sheet


def listed(book: OrderBook) -> list[tuple[str, str]]:
    """Each order as it is called and reads, and what it would do now."""
    return [(f"{item.tag}. {item.line}", item.forecast) for item in book.items]


def examples(grammar: OrderGrammar) -> list[str]:
    """A line for each kind of decision, and one with a place where one has to be asked; each is understood."""
    found = [line for kind in grammar.kinds for line in _of_kind(kind, grammar)]
    return [f"{word(Keyword.ORDER)} {line}" for line in found]


def _of_kind(kind: OrderKind, grammar: OrderGrammar) -> Iterator[str]:
    for form in sorted(kind.answers, key=_is_long):
        line = next(_lines(kind, form, _some_answer(form), grammar), "")
        if line:
            yield f"{line} {facts(grammar)[0]}" if kind.is_unasked else line
            return


def in_one_line(orders: Iterable[Order], grammar: OrderGrammar) -> str:
    """What each order answers first, as one may write it in a reply; "" if one of them cannot be written so.

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
    for field in form.fields:
        if isinstance(field, Choice):
            third = field.options[min(2, len(field.options) - 1)].value
            answer[field.name] = third if field.unsaid is None else field.unsaid
    try:
        check_answer(alone(form), answer)
    except IllegalAction:
        return draw_answer(alone(form), Random(form.type))  # noqa: S311  an example
    return answer


def _lines(kind: OrderKind, form: ActionForm, answer: Entry, grammar: OrderGrammar) -> Iterator[str]:
    """Ways to order one answer, as short as they can be."""
    for line in ways_to_write(form, answer, grammar.naming):
        for start in ("", f"{_short_name(kind, grammar.naming)} "):
            meant = grammar.read(start + line)
            orders = meant[0].orders if len(meant) == 1 else []
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
    """What may stand at the end of an order."""
    kept = [word(one) for one in (Keyword.STAYS, Keyword.EVEN_SO, Keyword.ANY_PLAY, Keyword.ROUND, Keyword.RETURN)]
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
    """That what is asked already waits for an answer of its own, if an order could be thought to be one."""
    kinds = {order.kind for order in new}
    asked = [one for one in queries.open_questions(access) if one.decision is not None]
    if not any(one.question.decision.kind in kinds for one in asked):
        return []
    return [_("Orders answer questions from now on. You still need to answer the one that's open now.")]
