"""My orders: what I have given, what they would do now, and lines and forms to change them that need no script."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine.core import ActionForm, Choice
from games.errors import NotFound, ServiceError
from games.inbox import order_lines
from games.inbox.order_lines import LineRefused
from games.play import order_grammar, queries, standing_orders
from games.play.keywords import Keyword, word
from games.play.models import Move
from games.play.queries import Access
from games.play.standing_orders import OrderBook, Say, can_give, order_book
from games.web.reader import require_user
from notifications.clock import present

LONGEST_LINE = 4000


@login_required
@require_safe
def orders_page(request: HttpRequest, ref: str) -> HttpResponse:
    """Shows a seat's orders, each with what it would do now; and the form of the kind that is asked for."""
    return _page(request, _access(request, ref))


@login_required
@require_POST
def add(request: HttpRequest, ref: str) -> HttpResponse:
    """New orders, behind all others: a line, or the form whose choices make one."""
    line = request.POST.get("line", "").strip() or line_of(request.POST.getlist("word"))
    return _give(request, _access(request, ref), line[:LONGEST_LINE])


@login_required
@require_POST
def change(request: HttpRequest, ref: str, number: str) -> HttpResponse:
    """One order: up, down, away, or in other words."""
    access, wish = _access(request, ref), request.POST.get("wish", "")
    if wish == "change":
        return _give(request, access, request.POST.get("line", "")[:LONGEST_LINE], number)
    edit = {
        "up": standing_orders.moved(number, -1),
        "down": standing_orders.moved(number, 1),
        "remove": standing_orders.removed(number),
    }.get(wish)
    return _edit(request, access, edit) if edit else _page(request, access, [_("Choose what you want to do.")], 422)


def _give(request: HttpRequest, access: Access, line: str, number: str = "") -> HttpResponse:
    """Gives the orders of a line: new ones, or one in the place of the order with that number."""
    try:
        new, ends_at = order_lines.orders_in(line, access, order_book(access))
        edit = order_lines.changed(number, new) if number else standing_orders.added(*new)
    except LineRefused as refused:
        return _page(request, access, str(refused).splitlines(), 422, line=line, number=number)
    return _edit(request, access, edit, ends_at, line=line, number=number)


def _edit(
    request: HttpRequest,
    access: Access,
    edit: standing_orders.Edit,
    ends_at: datetime | None = None,
    line: str = "",
    number: str = "",
) -> HttpResponse:
    assert access.seat is not None
    try:
        standing_orders.edit(
            game_id=access.game.pk,
            seat=access.seat.number,
            change=edit,
            source=Move.Source.WEB,
            now=present.now(),
            actor=require_user(request),
            dates={number: ends_at} if ends_at else {},
        )
    except ServiceError as error:
        again = _access(request, access.game.ref)
        return _page(request, again, [str(error)], error.status, line=line, number=number)
    messages.success(request, _("Your orders are saved. Nobody else can see them."))
    return redirect("orders", ref=access.game.ref)


def _page(
    request: HttpRequest,
    access: Access,
    wrong: list[str] | None = None,
    status: int = 200,
    line: str = "",
    number: str = "",
) -> HttpResponse:
    """The page.

    Arguments:
        line: what was written and refused, for the order with that number, or for a new one.
    """
    context: dict[str, object] = {"access": access, "game": access.game, "wrong": wrong or []}
    if can_give(access):
        book, grammar = order_book(access), order_lines.grammar_of(access)
        context |= {
            "book": book,
            "line": line,
            "number": number,
            "kinds": [(kind.name, book.say(kind.label)) for kind in book.kinds],
            "new": _form(book, request.GET.get("kind", "")),
            "examples": [*order_grammar.examples(grammar), *order_grammar.facts(grammar), *order_grammar.settings()],
        }
    return render(request, "games/play/orders.html", context, status=status, using="pages")


def _form(book: OrderBook, name: str) -> dict[str, object] | None:
    kind = book.kind(name)
    if kind is None:
        return None
    return {
        "label": book.say(kind.label),
        "is_unasked": kind.is_unasked,
        "topics": [book.say(option.label) for option in kind.topics],
        "answers": phrases(kind.answers, book.say),
        "facts": phrases(book.facts, book.say),
        "words": dict(keywords_by_name()),
    }


def _access(request: HttpRequest, ref: str) -> Access:
    try:
        return queries.access_seat(require_user(request), ref)
    except NotFound as error:
        raise Http404(str(error)) from error


# The form of a new order: what is chosen in it makes the line that could be written instead


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


def keywords_by_name() -> list[tuple[str, str]]:
    """The words that stand in the form beside those of the game, by the names by which its template knows them."""
    named = (Keyword.IF, Keyword.STOP, Keyword.OR, Keyword.ASK, Keyword.UNTIL, Keyword.ROUND, Keyword.RETURN)
    return [
        (keyword.name.lower(), word(keyword)) for keyword in (*named, Keyword.STAYS, Keyword.EVEN_SO, Keyword.ANY_PLAY)
    ]
