"""Questions and answers on the table page and behind links: showing a question, taking the answer, telling the result.

An answer leads on to an address that names its move by the idempotency key of the form; its number would tell how many
sealed moves others have made. So whoever answers waits for nothing that is only to be looked at, and who loads the page
again answers nothing again.
"""

import json
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from django.db import DatabaseError
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.core import JsonObject, Question
from engine.orders.answers import GATHERED, GATHERINGS, ORDERS, SHEET, SHEET_NOTHING
from games.errors import Conflict, Illegal, ServiceError
from games.people.models import User
from games.play import deadlines, game_moves, history, proposals, queries, replay, stored_moves
from games.play.history import LogLine
from games.play.models import Decision, Move
from games.play.proposals import ProposalItem, proposal_item
from games.play.queries import Access
from games.play.standing_orders import say_for
from games.web.answers import order_rows
from games.web.answers.confirmation import Confirmation, confirmation
from games.web.answers.posted_answer import attempt_key, decode
from games.web.answers.question_form import Posted, QuestionItem, question_item
from notifications.clock import present

logger = logging.getLogger(__name__)
DONE = "done"  # in the query of an address: the key of the move that was made
NEWS_FOR = timedelta(minutes=15)  # an address that is found later tells no more than it would without it
KEY = re.compile(r"[0-9a-f]{40}")  # what `attempt_key` makes
MEANT, ASK_ME, FORFEIT = "meant", "ask", "nothing"  # posted: what the player means by a sheet that places nothing
REST = "rest"  # posted with `ASK_ME`: of tokens that a sheet leaves in hand; else they are placed as proposed
PROPOSAL = "proposal"  # posted by the button that accepts one: which
MAY = "may"  # in the query of an address: what its player wants to do unasked
ALSO = "also"  # in the query of an address: beside which answer its player wants to give orders


@dataclass(frozen=True)
class Asked:
    """A question on the page, and the clock of its decision if one runs."""

    item: QuestionItem
    decision: Decision | None
    is_open: bool = True  # the form is shown; of what may be done unasked only if its player wants to see it
    is_predecessors: bool = False  # answered for the seat before its player came to it
    confirmation: Confirmation | None = None  # of the answer that the address names
    proposal: ProposalItem | None = None
    is_tentative: bool = False  # its player is alone with bots, and as a rule can take this answer back

    @property
    def is_quick(self) -> bool:
        """True if an answer may still be taken back, so that the second tap may give it; one tap alone never does."""
        is_whole = not any(field.is_settled for way in self.item.ways for field in way.fields)
        return self.item.is_sealed or (self.is_tentative and is_whole)

    @property
    def idea(self) -> str:
        """What is proposed for each field of the answer, as JSON, to be marked in hand and on the board; "" if nothing
        is, or its player wants no proposal in sight."""
        action = self.proposal.action if self.proposal and not self.proposal.is_folded else {}
        named = {name: str(value) for name, value in action.items() if name != "type" and isinstance(value, str | int)}
        return json.dumps(named) if named else ""

    @property
    def preset(self) -> str:
        """The amounts that are proposed, as JSON by the names of their inputs; "" if none are."""
        action = self.proposal.action if self.proposal else {}
        amounts = {name: value for name, value in action.items() if isinstance(value, dict)}
        named = {
            f"{action['type']}-{name}-{option}": amount
            for name, value in amounts.items()
            for option, amount in value.items()
        }
        return json.dumps(named) if named else ""


@dataclass(frozen=True)
class Refusal:
    """Why an answer was not taken: said at the form, with what was typed."""

    messages: list[str]
    status: int
    decision: str  # the engine's id of the decision that was answered
    typed: Posted
    lines: list[LogLine] = field(default_factory=list)  # what the earlier answer was, if there was one
    is_empty_sheet: bool = False  # what its player means by it is asked beside the form


def board_context(access: Access, view: object) -> dict[str, object]:
    """The board for a template: the picture that `boards.svg` draws, and plain text."""
    return {
        "board": queries.picture(access, view),
        "text_board": queries.describe(access, view),
    }


def asked_items(
    access: Access, view: object, *, refusal: Refusal | None = None, hints: Posted | None = None
) -> list[Asked]:
    """The questions of this seat, those that wait first.

    Arguments:
        hints: the query of the address; "may" in it names what its player wants to do unasked, "also" the question
            beside which he wants to give orders.
    """
    say = say_for(access.game)
    typed = refusal.typed if refusal else None
    wanted = {refusal.decision if refusal else "", (hints or {}).get(MAY, "")}
    tentative = access.game.rules.tentative if queries.is_alone(access.game, access.seat) else ()
    items = []
    for open_question in order_rows.open_questions(access, view, typed, is_wanted=bool((hints or {}).get(ALSO))):
        proposed = proposal_item(access, open_question, view, present.now())
        start = _start(access, view, open_question.question, proposed)
        if start and typed and typed.get(order_rows.LOOK) == order_rows.PROPOSED:
            typed = {order_rows.ROWS: "1", order_rows.LOOK: order_rows.PROPOSED, **start}
        is_wanted = (hints or {}).get(ALSO) == open_question.question.decision.id
        rows = order_rows.rows_item(access, view, open_question.question, typed, start, is_wanted=is_wanted)
        silence = deadlines.say_missed(access.game, open_question.question, say)
        item = question_item(open_question.question, say, typed=typed, hints=hints, rows=rows, silence=silence)
        is_open = not item.is_extra or item.code in wanted
        is_predecessors = queries.is_predecessors(access, open_question.question)
        named = confirmation(open_question.question, say, typed or hints or {})
        is_tentative = item.kind in tentative
        items.append(Asked(item, open_question.decision, is_open, is_predecessors, named, proposed, is_tentative))
    return sorted(items, key=lambda entry: (not entry.item.is_prompted, entry.item.is_extra))


def _start(access: Access, view: object, question: Question, proposed: ProposalItem | None) -> dict[str, str]:
    """The fields of a question with many lines as the proposal fills them in, for its player to change; else none."""
    if proposed is None:
        return {}
    form = next((form for form in question.actions if form.type == proposed.action.get("type")), None)
    is_whole = question.decision.kind in GATHERINGS or question.decision.sealed  # no line goes beside the answer
    if form is None or not (form.takes_orders and form.rows and is_whole):
        return {}
    return order_rows.fields_of(access, view, question, proposed.action)


def suggested(items: Iterable[Asked]) -> set[str]:
    """The values of options that the followed link suggests, so that the picture can mark them."""
    return {
        option.value
        for entry in items
        for way in entry.item.ways
        for field in way.fields
        for group in field.groups
        for option in group.options
        if option.is_suggested
    }


def kept_words(move: Move) -> str:
    """A sentence that orders came with an answer; nothing else says so after a placement. "" if none did."""
    answer = json.loads(move.action) if move.action else {}
    is_beside = bool(answer.get(ORDERS)) and answer["type"] not in GATHERED
    return _("Your orders are saved. Nobody else can see them.") if is_beside else ""


class AnswerRefused(Exception):
    """The answer was not taken."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.messages)
        self.refusal = refusal


def take_answer(
    access: Access,
    posted: Posted,
    *,
    source: str,
    actor: User | None,
    received_at: datetime,
    due_at: datetime | None = None,
) -> Move:
    """Reads what was posted and submits it. Raises AnswerRefused with everything the page has to say about it.

    Whoever only wants to look at what his orders would do is shown the form again, with what he has typed.

    Arguments:
        due_at: as of `play.submit`.
    """
    code = posted.get("decision", "").replace("\0", "")[:80]  # PostgreSQL takes no NUL
    if posted.get(order_rows.LOOK):
        raise AnswerRefused(Refusal([], HTTPStatus.OK, code, posted))
    try:
        return _submit(access, code, posted, source=source, actor=actor, received_at=received_at, due_at=due_at)
    except ServiceError as error:
        messages = error.messages if isinstance(error, Incomplete) else [str(error)]
        lines = _earlier_answer(access, code) if isinstance(error, Conflict) else []
        is_empty_sheet = isinstance(error, EmptySheet)
        raise AnswerRefused(Refusal(messages, error.status, code, posted, lines, is_empty_sheet)) from error


class Incomplete(Illegal):
    """The form was not filled in."""

    code = "incomplete"

    def __init__(self, messages: list[str]) -> None:
        super().__init__(" ".join(messages))
        self.messages = messages


class EmptySheet(Illegal):
    """A sheet that orders no placement: nobody sends one without saying what he means by it."""

    code = "empty_sheet"


def _submit(access: Access, code: str, posted: Posted, **facts: Any) -> Move:
    seat, game = access.seat, access.game
    assert seat is not None
    key = attempt_key(posted)
    try:
        return game_moves.submit(
            game_id=game.pk,
            seat=seat.number,
            decision=code,
            action=_action(access, code, posted),
            idempotency_key=key,
            read=game,
            **facts,
        )
    except DatabaseError:
        raise
    except Exception as error:  # whatever is wrong with the game by now
        repeated = game_moves.find_by_key(game, key)
        if repeated is None or repeated.seat != seat.number:
            raise
        if not isinstance(error, ServiceError):
            logger.exception("Game %s broke on a form that had been answered", game.ref)
        return repeated  # a double click: done already, and said so


def _action(access: Access, code: str, posted: Posted) -> JsonObject:
    """The posted action, as JSON gives it. Raises Conflict for what is no longer asked, Incomplete, and Illegal.

    Of a proposal that is accepted just that; whether it is asked still is said by who takes the answer.
    """
    if posted.get(PROPOSAL):
        return proposals.accepted(access, code, posted[PROPOSAL])
    view = queries.view_of(access) if order_rows.are_meant(access, posted) else None
    question = _open_question(access, code, view)
    say = say_for(access.game)
    decoded = decode(posted, question, say)
    decoded = order_rows.with_posted_orders(access, view, decoded, posted)
    if decoded.action is None:
        raise Incomplete(decoded.messages)
    action = _as_meant(access, decoded.action, posted.get(MEANT, ""))
    return action if posted.get(REST) == ASK_ME else proposals.completed(access, code, action)


def _as_meant(access: Access, action: JsonObject, meant: str) -> JsonObject:
    """The action; of a sheet that places nothing what its player means by it. Raises EmptySheet if he does not say."""
    is_empty = action["type"] == SHEET and access.game.rules.places_nothing(action, queries.orders_of(access))
    if not is_empty or meant == ASK_ME:
        return action
    if meant == FORFEIT:
        return {"type": SHEET_NOTHING}
    raise EmptySheet(_("This round plan doesn't place any tokens, so it wasn't sent. What would you like to do?"))


def _open_question(access: Access, code: str, view: object | None) -> Question:
    question = queries.question(access, code, view)
    if question is None:
        raise Conflict(_closed_words(access))
    return question


def _closed_words(access: Access) -> str:
    if access.game.is_over:
        return _("This game is over.")
    return _("This question has already been answered or is no longer open. Nothing was changed.")


def _earlier_answer(access: Access, code: str) -> list[LogLine]:
    rows = access.game.decisions.filter(code=code, seat=access.seat).select_related("game", "seat")
    row = rows.exclude(status=Decision.Status.OPEN).first()
    return what_became_of(row) if row else []


def what_became_of(row: Decision) -> list[LogLine]:
    """The public log lines about a closed decision; for a sealed one those of the answer that opened all of them."""
    lines = list(history.lines_of_answer(row))
    asked_together = row.game.decisions.filter(code=row.code)
    if lines or not row.is_sealed or asked_together.filter(status=Decision.Status.OPEN).exists():
        return lines
    last = stored_moves.last(row.game, decision=row.code)
    access = Access(row.game, None, speaks_to=row.seat.number)
    return history.log_lines(access, since=last.seq, until=last.seq) if last else []


def redirect_to_result(path: str, move: Move) -> HttpResponse:
    """Redirects, by GET, to the page that tells what a move did."""
    return HttpResponseRedirect(f"{path}?{DONE}={move.idempotency_key}", status=HTTPStatus.SEE_OTHER)


def own_move(access: Access, key: str, now: datetime) -> Move | None:
    """The viewer's own answer with this key, as long as it is news; None for every other key."""
    if access.number is None or not KEY.fullmatch(key):
        return None
    move = game_moves.find_by_key(access.game, key)
    if move is None or move.seat != access.number or move.kind != Move.Kind.ANSWER:
        return None
    is_news = move.made_at > now - NEWS_FOR and move.is_by_person
    return move if is_news and replay.stands(replay.standing_spans(access.game), move.seq) else None


def result_lines(access: Access, move: Move) -> list[str]:
    """The sentences about a move: what the mover alone sees of it, the first public line, of his own seat if there is
    one, how many like it follow, such as further tokens, and whether orders came with it."""
    lines = history.lines_of_move(access, move)
    first = next((place for place, line in enumerate(lines) if line.number is not None), len(lines))
    own = [line for line in lines[first:] if getattr(line.event, "seat", None) == access.number]
    texts = [line.text for line in [*lines[:first], *(own or lines[first:])[:1]]]
    more = sum(type(line.event) is type(own[0].event) for line in own[1:])
    if more:
        texts.append(ngettext("And %(count)s more.", "And %(count)s more.", more) % {"count": more})
    return texts + [kept for kept in [kept_words(move)] if kept]
