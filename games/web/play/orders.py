"""My orders: what I have given, what they would do now, and forms to change them that need no script."""

from collections.abc import Mapping
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from msgspec.structs import replace

from engine.orders.model import Entry, Order
from engine.orders.vocabulary import OrderKind
from games.errors import NotFound, ServiceError
from games.models import Move
from games.orders import standing_orders
from games.orders.order_forms import OrderBook, OrderItem, can_give, order_book
from games.play import queries
from games.play.queries import Access
from games.web.answers import order_entries as forms
from games.web.people import require_user
from notifications.clock import present

PIECES = {"answers": forms.ANSWER, "conditions": forms.CONDITION, "stops": forms.STOP}
"""The parts that can be added to an order, with the prefix of the names of their inputs."""


@login_required
@require_safe
def orders_page(request: HttpRequest, ref: str) -> HttpResponse:
    """All orders, each with what it would do now; and the form of the kind that is asked for."""
    return _page(request, _access(request, ref))


@login_required
@require_POST
def add(request: HttpRequest, ref: str) -> HttpResponse:
    """A new order, behind all others."""
    access = _access(request, ref)
    book = order_book(access)
    kind = book.kind(request.POST.get("kind", ""))
    if kind is None:
        return _page(request, access, [_("Choose what the order is for.")], 422)
    typed = forms.read_order(book, kind, request.POST.dict())
    if typed.messages:
        return _page(request, access, typed.messages, 422)
    dates = {"": typed.ends_at} if typed.ends_at else {}
    return _edit(request, access, standing_orders.added(typed.order), dates)


@login_required
@require_POST
def change(request: HttpRequest, ref: str, number: str) -> HttpResponse:
    """One order: up, down, away, with more answers or conditions, or with other settings."""
    access = _access(request, ref)
    book = order_book(access)
    order = next((item.order for item in book.items if item.order.id == number), None)
    if order is None:
        return _page(request, access, [_("This order is gone: it has answered, or ended, in the meantime.")], 409)
    wish = request.POST.get("wish", "")
    if wish in PIECES:
        return _add_piece(request, access, book, order, wish)
    if wish == "settings":
        return _settle(request, access, order)
    edit = {
        "up": standing_orders.moved(number, -1),
        "down": standing_orders.moved(number, 1),
        "remove": standing_orders.removed(number),
    }.get(wish)
    return _edit(request, access, edit) if edit else _page(request, access, [_("Choose what you want to do.")], 422)


def _settle(request: HttpRequest, access: Access, order: Order) -> HttpResponse:
    typed = forms.read_settings(order, request.POST.dict())
    if typed.messages:
        return _page(request, access, typed.messages, 422)
    dates = {order.id: typed.ends_at} if typed.ends_at else {}
    return _edit(request, access, standing_orders.replaced(order.id, typed.order), dates)


def _add_piece(request: HttpRequest, access: Access, book: OrderBook, order: Order, piece: str) -> HttpResponse:
    kind = book.kind(order.kind)
    offered = kind.answers if kind and piece == "answers" else book.facts
    entry, wrong = forms.read_entry(offered, PIECES[piece], book.say, request.POST.dict())
    if entry is None:
        return _page(request, access, wrong or [_("Choose what you want to do.")], 422)
    known: list[Entry] = getattr(order, piece)
    return _edit(request, access, standing_orders.replaced(order.id, replace(order, **{piece: [*known, entry]})))


def _edit(
    request: HttpRequest, access: Access, edit: standing_orders.Edit, dates: Mapping[str, datetime] | None = None
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
            dates=dates,
        )
    except ServiceError as error:
        return _page(request, _access(request, access.game.ref), [str(error)], error.status)
    messages.success(request, _("Your orders are kept. Nobody else sees them."))
    return redirect("orders", ref=access.game.ref)


def _page(request: HttpRequest, access: Access, wrong: list[str] | None = None, status: int = 200) -> HttpResponse:
    posted = request.POST.dict()
    context: dict[str, object] = {"access": access, "game": access.game, "wrong": wrong or [], "typed": posted}
    if not can_give(access):
        return render(request, "games/play/orders.html", context, status=status)
    book = order_book(access)
    kind = book.kind(request.GET.get("kind") or posted.get("kind", ""))
    chosen = next((item for item in book.items if item.order.id == request.GET.get("order")), None)
    context |= {
        "book": book,
        "kinds": [(one.name, book.say(one.label)) for one in book.kinds],
        "new": _new_form(book, kind, posted) if kind else None,
        "chosen": chosen,
        "piece": _piece_form(book, chosen, request.GET.get("add", "")) if chosen else None,
        "topics": _topics(book, chosen.order.kind) if chosen else [],
    }
    return render(request, "games/play/orders.html", context, status=status)


def _new_form(book: OrderBook, kind: OrderKind, posted: dict[str, str]) -> dict[str, object]:
    return {
        "name": kind.name,
        "label": book.say(kind.label),
        "is_unasked": kind.is_unasked,
        "answer": forms.entry_form(kind.answers, forms.ANSWER, book.say, posted, is_optional=False),
        "condition": forms.entry_form(book.facts, forms.CONDITION, book.say, posted, is_optional=not kind.is_unasked),
        "stop": forms.entry_form(book.facts, forms.STOP, book.say, posted, is_optional=True),
        "topics": _topics(book, kind.name),
    }


def _piece_form(book: OrderBook, item: OrderItem, piece: str) -> dict[str, object] | None:
    if piece not in PIECES:
        return None
    kind = book.kind(item.order.kind)
    offered = kind.answers if kind and piece == "answers" else book.facts
    return {"name": piece, "form": forms.entry_form(offered, PIECES[piece], book.say, {}, is_optional=False)}


def _topics(book: OrderBook, kind: str) -> list[tuple[str, str]]:
    found = book.kind(kind)
    return forms.labelled(found.topics, book.say) if found else []


def _access(request: HttpRequest, ref: str) -> Access:
    try:
        return queries.access_seat(require_user(request), ref)
    except NotFound as error:
        raise Http404(str(error)) from error
