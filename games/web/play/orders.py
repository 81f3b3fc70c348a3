"""My orders: what I have given, what they would do now, and lines and forms to change them that need no script."""

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.errors import NotFound, ServiceError
from games.inbox import order_lines
from games.inbox.order_lines import LineRefused
from games.play import order_grammar, queries, standing_orders
from games.play.models import Move
from games.play.queries import Access
from games.play.standing_orders import OrderBook, can_give, order_book
from games.web.answers import order_words
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
    line = request.POST.get("line", "").strip() or order_words.line_of(request.POST.getlist("word"))
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
        "answers": order_words.phrases(kind.answers, book.say),
        "facts": order_words.phrases(book.facts, book.say),
        "words": dict(order_words.settings()),
    }


def _access(request: HttpRequest, ref: str) -> Access:
    try:
        return queries.access_seat(require_user(request), ref)
    except NotFound as error:
        raise Http404(str(error)) from error
