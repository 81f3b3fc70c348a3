"""What is proposed to a seat as its player reads it: in words, with the one line that says why. For nobody else."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

import msgspec

from engine.core import Answer, Question
from engine.orders.answers import ORDERS
from engine.orders.model import Order
from games.people.models import User
from games.play import proposals, queries
from games.play.models import Decision, SealedProposal
from games.play.order_forms import OrderBook, in_words, say_for
from games.play.queries import Access, OpenQuestion

DEFAULT = "default"  # an order to do what happens at the deadline
NOW, FOLDED, NEVER = User.ProposalsShown.NOW, User.ProposalsShown.FOLDED, User.ProposalsShown.NEVER


@dataclass(frozen=True)
class ProposalItem:
    """A proposal in words.

    Arguments:
        mark: what is sent to accept it.
        action: the answer as JSON gives it.
        lines: the answer, and below it the orders that come with it.
        reason: why, in one line.
        is_folded: its player sees it when he asks for it.
    """

    mark: str
    action: Answer
    lines: list[str]
    reason: str
    is_folded: bool = False


def proposal_item(access: Access, asked: OpenQuestion, view: object, now: datetime) -> ProposalItem | None:
    """What is proposed to this seat for an open question, made now if no worker has made it yet.

    None if nothing is, or its player wants to see none.
    """
    row, seat = asked.decision, access.seat
    if row is None or seat is None or seat.user is None or not _is_proposed_to(access, row):
        return None
    shown = shown_to(seat.user, access)
    found = None if shown == NEVER else proposals.load_or_make(row, now, view, asked.question)
    return None if found is None else _item(access, asked.question, view, found, is_folded=shown == FOLDED)


def stored_proposal(access: Access, asked: OpenQuestion) -> ProposalItem | None:
    """What is proposed to this seat for an open question; None if nothing is, or nothing yet."""
    row = asked.decision
    found = proposals.load(row) if row is not None and _is_proposed_to(access, row) else None
    return None if found is None else _item(access, asked.question, queries.view_of(access), found)


def _is_proposed_to(access: Access, row: Decision) -> bool:
    return access.seat is not None and access.seat.is_proposed_to and row.is_open


def _item(
    access: Access, question: Question, view: object, found: SealedProposal, *, is_folded: bool = False
) -> ProposalItem:
    action, reason = proposals.answer_of(found), say_for(access.game)(proposals.reason_of(found))
    return ProposalItem(found.mark, action, lines_of(access, question, view, action), reason, is_folded)


def shown_to(user: User, access: Access) -> str:
    """Whether this person sees proposals at this table at once, when he asks for them, or never."""
    return user.proposals_shown or (FOLDED if access.game.is_for_ratings else NOW)


def lines_of(access: Access, question: Question, view: object, action: Answer) -> list[str]:
    """An answer in words, and then the orders that come with it: those of one sort in one line."""
    rules, say = access.game.rules, say_for(access.game)
    answer = {name: value for name, value in action.items() if name != ORDERS}
    orders = msgspec.convert(action.get(ORDERS) or [], list[Order])
    book = OrderBook([], rules.vocabulary.kinds(view), [], say) if orders else None
    return [in_words(question.actions, answer, say), *(_in_short(book, orders) if book else ())]


def lines_of_played(access: Access, row: Decision) -> list[str]:
    """What was proposed to a seat and played for it, in words: why, and the orders that came with it."""
    found = proposals.load(row)
    if found is None:
        return []
    rules, say = access.game.rules, say_for(access.game)
    orders = msgspec.convert(proposals.answer_of(found).get(ORDERS) or [], list[Order])
    book = OrderBook([], rules.vocabulary.kinds(queries.view_of(access)), [], say) if orders else None
    return [say(proposals.reason_of(found)), *(_in_short(book, orders) if book else ())]


def _in_short(book: OrderBook, orders: Iterable[Order]) -> Iterable[str]:
    """What each order answers first, without its conditions: "Place a token: 9, Gold cave; 8, Palace guard".

    An order to do what happens anyway goes without saying.
    """
    given = [order for order in orders if order.answers and order.answers[0]["type"] != DEFAULT]
    for (kind, _type), alike in groupby(given, key=lambda order: (order.kind, order.answers[0]["type"])):
        known = book.kind(kind)
        forms = known.answers if known else []
        said = list(dict.fromkeys(in_words(forms, order.answers[0], book.say) for order in alike))
        label = said[0].partition(": ")[0]
        rest = "; ".join(line.removeprefix(f"{label}: ") for line in said[1:])
        yield f"{said[0]}; {rest}" if rest else said[0]
