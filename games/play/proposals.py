"""Sealed proposals: the answer that the rules propose to a question, made from its seat's own view alone.

A worker makes one for each question; where a letter or a page is quicker it is made there. It is stored, so that what a
player accepts is what he was shown, and it is shown to nobody but him, staff included. No move waits for one.
"""

import logging
from datetime import datetime

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from engine.core import Answer, IllegalAction, Question, Text
from engine.orders.answers import ORDERS
from games.errors import Conflict
from games.play import locking
from games.play.background import in_background
from games.play.models import Decision, SealedProposal
from games.play.queries import Access
from games.tables.models import by_known_rules
from notifications.database.compiled_query import compiled

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
    found = _stored(row)
    return found if found is not None and found.answer else None


def load_or_make(
    row: Decision, now: datetime, view: object = None, question: Question | None = None
) -> SealedProposal | None:
    """The proposal for an open decision, made now if no worker has; None if the rules find none.

    Arguments:
        view, question: of its seat, if the caller has them.
    """
    found = _stored(row)
    if found is None:
        _store(row, _propose(row, view, question), now)
        found = _stored(row)
    return found if found is not None and found.answer else None


def accepted(access: Access, code: str, mark: str) -> Answer:
    """The answer that a player accepts, as JSON gives it.

    Arguments:
        code: the engine's id of the decision.
        mark: of the proposal that he was shown.
    Raises Conflict if the question has changed since: then another one is proposed, or none.
    """
    assert access.seat is not None
    for found in _for(access.game.pk, access.seat.pk, code):
        found.decision.game, found.decision.seat = access.game, access.seat
        if found.answer and found.is_for(found.decision) and found.mark == mark:
            return playable_answer(found)
    raise Conflict(_changed())


def accepted_by_word(row: Decision) -> Answer:
    """The answer that a player accepts who says yes and not to which proposal, as JSON gives it.

    Raises Conflict if nothing is proposed, or another one was before.
    """
    found = load(row)
    if found is None:
        raise Conflict(_("There's no proposal for you here. Nothing was changed."))
    if not found.is_first:
        raise Conflict(_changed())
    return playable_answer(found)


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
    found = next(iter(_of(row.pk)), None)
    if found is not None:
        found.decision = row
    return found if found is not None and found.is_for(row) else None


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
            question = next(one for one in rules.questions(view) if one.decision.id == row.code)
        found = rules.propose(view, question)
        if not found.answer:  # to do nothing is best
            return "", ""
        rules.check(state, row.code, seat, rules.parse(found.answer))
    except locking.NOT_ENGINE_FAILURES:
        raise
    except Exception:  # nobody is to be kept from answering by that
        logger.exception("No answer could be proposed to decision %s", row.ref)
        return "", ""
    return msgspec.json.encode(found.answer).decode(), msgspec.json.encode(found.reason).decode()


def _store(row: Decision, made: tuple[str, str], now: datetime) -> None:
    """Stores a proposal in the place of one for the question as it was asked before; one for this question stays."""
    answer, reason = made
    facts = {"opened_at": row.opened_at, "link_generation": row.seat.link_generation, "branch": row.game.branch}
    with transaction.atomic():
        gone, _rows = SealedProposal.objects.filter(decision=row).exclude(**facts).delete()
        new = SealedProposal(decision=row, answer=answer, reason=reason, is_first=not gone, made_at=now, **facts)
        SealedProposal.objects.bulk_create([new], ignore_conflicts=True)
        Decision.objects.filter(pk=row.pk, opened_at=row.opened_at).update(wants_proposal=False, held_until=None)
