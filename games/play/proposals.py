"""Work in the background of a worker: a processor does it when nothing that people wait for wants one."""

import logging
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TypeVar

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from engine.core import Answer, IllegalAction, Question, Text
from engine.orders.answers import ORDERS
from engine.orders.model import Order
from games.errors import Conflict
from games.people.models import User
from games.play import locking, queries
from games.play.models import Decision, SealedProposal
from games.play.queries import Access, OpenQuestion
from games.play.standing_orders import OrderBook, in_words, say_for
from games.tables.models import by_known_rules
from notifications.database.compiled_query import compiled

T = TypeVar("T")
NICE = 10  # as of the process that makes a review


def in_background(work: Callable[[], T]) -> T:
    """Returns what the work returns, done by a thread that steps back. It must not ask the database, nor hold a lock
    that others wait for."""
    with ThreadPoolExecutor(1, initializer=_step_back) as thread:
        return thread.submit(work).result()


def _step_back() -> None:
    """Lowers the priority of this thread alone, which only Linux does: elsewhere it would be that of the process."""
    if sys.platform == "linux":
        os.nice(NICE)


# Sealed proposals: the answer that the rules propose to a question, made from its seat's own view alone.

logger = logging.getLogger(__name__)


def make_one(now: datetime) -> bool:
    """Proposes an answer to the question that has waited longest for one. Returns whether there was one.

    No row is locked meanwhile: its player may answer. It is held: other workers propose answers to other questions.
    """
    row = next(iter(_wanting(now)), None)
    if row is None:
        return False
    if locking.take_hold(Q(pk=row.pk), now):
        row.seat.game = row.game
        if _stored(row) is None:
            _store(row, in_background(lambda: _propose(row, None, None)), now)
    return True


@compiled("game", "seat")
def _wanting(now: datetime) -> QuerySet[Decision]:
    rows = Decision.objects.filter(
        by_known_rules("game__"),
        status=Decision.Status.OPEN,
        wants_proposal=True,
        opened_at__lte=now,
        game__quarantined_at__isnull=True,
    )
    return rows.filter(locking.is_free(now)).order_by("opened_at", "pk")[:1]


def load(row: Decision) -> SealedProposal | None:
    """The proposal for a decision as it is asked now; None if there is none, or none yet."""
    proposal = _stored(row)
    return proposal if proposal is not None and proposal.answer else None


def load_or_make(
    row: Decision, now: datetime, view: object = None, question: Question | None = None
) -> SealedProposal | None:
    """The proposal for an open decision, made now if no worker has; None if the rules find none.

    Arguments:
        view, question: of its seat, if the caller has them.
    """
    proposal = _stored(row)
    if proposal is None:
        _store(row, _propose(row, view, question), now)
        proposal = _stored(row)
    return proposal if proposal is not None and proposal.answer else None


def accepted(access: Access, code: str, mark: str) -> Answer:
    """The answer that a player accepts, as JSON gives it.

    Arguments:
        code: the engine's id of the decision.
        mark: of the proposal that he was shown.
    Raises Conflict if the question has changed since: then another one is proposed, or none.
    """
    assert access.seat is not None
    for proposal in _for(access.game.pk, access.seat.pk, code):
        proposal.decision.game, proposal.decision.seat = access.game, access.seat
        if proposal.answer and proposal.is_for(proposal.decision) and proposal.mark == mark:
            return playable_answer(proposal)
    raise Conflict(_changed())


def completed(access: Access, code: str, action: Answer) -> Answer:
    """A sheet with the pieces that it leaves in hand placed as proposed, where its player sees what is proposed; else
    the action as it is, so too if both together are against the rules."""
    seat = access.seat
    assert seat is not None
    if seat.user is None or not seat.is_proposed_to or shown_to(seat.user, access) == NEVER:
        return action
    for proposal in _for(access.game.pk, seat.pk, code):
        proposal.decision.game, proposal.decision.seat = access.game, seat
        if not (proposal.answer and proposal.is_for(proposal.decision)):
            continue
        rules = access.game.rules
        whole = rules.completed(action, answer_of(proposal))
        with suppress(IllegalAction):
            rules.check(access.game.look_at_state(), code, seat.number, rules.parse(whole))
            return whole
    return action


def accepted_by_word(row: Decision) -> Answer:
    """The answer that a player accepts who says yes and not to which proposal, as JSON gives it.

    Raises Conflict if nothing is proposed, or another one was before.
    """
    proposal = load(row)
    if proposal is None:
        raise Conflict(_("There's no proposal for you here. Nothing was changed."))
    if not proposal.is_first:
        raise Conflict(_changed())
    return playable_answer(proposal)


def _changed() -> str:
    return _(
        "The question has changed since this proposal was made, so nothing was played. Look at the question "
        "again: the new proposal is next to it."
    )


@compiled("decision")
def _for(game: int, seat: int, code: str) -> QuerySet[SealedProposal]:
    return SealedProposal.objects.filter(decision__game_id=game, decision__seat_id=seat, decision__code=code)


def answer_of(proposal: SealedProposal) -> Answer:
    """The proposed answer, as JSON gives it."""
    return msgspec.json.decode(proposal.answer, type=dict[str, object])


def playable_answer(proposal: SealedProposal) -> Answer:
    """The proposed answer as it is played: orders that its player gave for longer than a round stay behind those of a
    proposed sheet, which would else replace them. Without them if they contradict it."""
    answer, row = answer_of(proposal), proposal.decision
    proposed = answer.get(ORDERS)
    if not isinstance(proposed, list):
        return answer
    rules, seat = row.game.rules, row.seat.number
    try:
        state = row.game.look_at_state()
        lasting = [order for order in rules.orders(state, seat).orders if order.until != "round"]
        whole = {**answer, ORDERS: [*proposed, *msgspec.to_builtins(lasting)]}
        rules.check(state, row.code, seat, rules.parse(whole))
    except IllegalAction:
        return answer
    except locking.NOT_ENGINE_FAILURES:
        raise
    except Exception:  # a state the rules cannot read: to answer in it puts the game into quarantine
        logger.exception("The orders of decision %s cannot be read", row.ref)
        return answer
    return whole


def reason_of(proposal: SealedProposal) -> Text:
    """Why it is proposed, in one line."""
    return msgspec.json.decode(proposal.reason, type=Text)


def _stored(row: Decision) -> SealedProposal | None:
    proposal = next(iter(_of(row.pk)), None)
    if proposal is not None:
        proposal.decision = row
    return proposal if proposal is not None and proposal.is_for(row) else None


@compiled()
def _of(decision: int) -> QuerySet[SealedProposal]:
    return SealedProposal.objects.filter(decision_id=decision)


def _propose(row: Decision, view: object, question: Question | None) -> tuple[str, str]:
    """Answer and reason as JSON, both empty if the rules find none: the question goes on without a proposal."""
    game, seat = row.game, row.seat.number
    rules = game.rules
    try:
        state = game.look_at_state()
        view = rules.view(state, seat) if view is None else view
        if question is None:
            question = next(candidate for candidate in rules.questions(view) if candidate.decision.id == row.code)
        proposal = rules.propose(view, question)
        if not proposal.answer:  # to do nothing is best
            return "", ""
        rules.check(state, row.code, seat, rules.parse(proposal.answer))
    except locking.NOT_ENGINE_FAILURES:
        raise
    except Exception:  # nobody is to be kept from answering by that
        logger.exception("No answer could be proposed to decision %s", row.ref)
        return "", ""
    return msgspec.json.encode(proposal.answer).decode(), msgspec.json.encode(proposal.reason).decode()


def _store(row: Decision, texts: tuple[str, str], now: datetime) -> None:
    """Stores a proposal in the place of one for the question as it was asked before; one for this question stays."""
    answer, reason = texts
    facts = {"opened_at": row.opened_at, "link_generation": row.seat.link_generation, "branch": row.game.branch}
    with transaction.atomic():
        gone, _rows = SealedProposal.objects.filter(decision=row).exclude(**facts).delete()
        new = SealedProposal(decision=row, answer=answer, reason=reason, is_first=not gone, made_at=now, **facts)
        SealedProposal.objects.bulk_create([new], ignore_conflicts=True)
        Decision.objects.filter(pk=row.pk, opened_at=row.opened_at).update(wants_proposal=False, held_until=None)


# What is proposed to a seat as its player reads it: in words, with the one line that says why. For nobody else.

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


def proposal_item(access: Access, item: OpenQuestion, view: object, now: datetime) -> ProposalItem | None:
    """Returns the proposal for an open question of this seat, made now if no worker has made it yet.

    None if nothing is, or its player wants to see none.
    """
    row, seat = item.decision, access.seat
    if row is None or seat is None or seat.user is None or not _is_proposed_to(access, row):
        return None
    shown = shown_to(seat.user, access)
    proposal = None if shown == NEVER else load_or_make(row, now, view, item.question)
    return None if proposal is None else _item(access, item.question, view, proposal, is_folded=shown == FOLDED)


def stored_proposal(access: Access, item: OpenQuestion) -> ProposalItem | None:
    """Returns the stored proposal for an open question of this seat, or None."""
    row = item.decision
    proposal = load(row) if row is not None and _is_proposed_to(access, row) else None
    return None if proposal is None else _item(access, item.question, queries.view_of(access), proposal)


def _is_proposed_to(access: Access, row: Decision) -> bool:
    return access.seat is not None and access.seat.is_proposed_to and row.is_open


def _item(
    access: Access, question: Question, view: object, proposal: SealedProposal, *, is_folded: bool = False
) -> ProposalItem:
    action, reason = answer_of(proposal), say_for(access.game)(reason_of(proposal))
    return ProposalItem(proposal.mark, action, lines_of(access, question, view, action), reason, is_folded)


def shown_to(user: User, access: Access) -> str:
    """Whether this person sees proposals at this table at once, when he asks for them, or never: against bots alone and
    where it counts, they are a hint that one asks for."""
    is_hint = access.game.is_for_ratings or queries.is_alone(access.game, access.seat)
    return user.proposals_shown or (FOLDED if is_hint else NOW)


def lines_of(access: Access, question: Question, view: object, action: Answer) -> list[str]:
    """An answer in words; of a plan its name, and then its orders: those of one sort in one line."""
    rules, say = access.game.rules, say_for(access.game)
    answer = {name: value for name, value in action.items() if name != ORDERS}
    orders = msgspec.convert(action.get(ORDERS) or [], list[Order])
    book = OrderBook([], rules.vocabulary.kinds(view), [], say) if orders else None
    words = in_words(question.actions, answer, say, is_read=True)
    return [words.partition(": ")[0], *_in_short(book, orders)] if book else [words]


def lines_of_played(access: Access, row: Decision) -> list[str]:
    """Returns a proposal that was played for a seat, in words: why, and the orders that came with it."""
    proposal = load(row)
    if proposal is None:
        return []
    rules, say = access.game.rules, say_for(access.game)
    orders = msgspec.convert(answer_of(proposal).get(ORDERS) or [], list[Order])
    book = OrderBook([], rules.vocabulary.kinds(queries.view_of(access)), [], say) if orders else None
    return [say(reason_of(proposal)), *(_in_short(book, orders) if book else ())]


def _in_short(book: OrderBook, orders: Iterable[Order]) -> Iterable[str]:
    """Yields the first answer of each order, without its conditions: "Place a token: 9, Gold cave; 8, Palace guard".

    An order to do what happens anyway goes without saying.
    """
    answering = [order for order in orders if order.answers and order.answers[0]["type"] != DEFAULT]
    for (kind, _type), alike in groupby(answering, key=lambda order: (order.kind, order.answers[0]["type"])):
        order_kind = book.kind(kind)
        forms = order_kind.answers if order_kind else []
        said = list(dict.fromkeys(in_words(forms, order.answers[0], book.say, is_read=True) for order in alike))
        label = said[0].partition(": ")[0]
        rest = "; ".join(line.removeprefix(f"{label}: ") for line in said[1:])
        yield f"{said[0]}; {rest}" if rest else said[0]
