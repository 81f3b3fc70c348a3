"""Replies to what a moderator has decided: the line is an appeal, and another moderator looks at it."""

import json
import logging
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from engine.core import Answer, Question
from engine.orders.answers import SHEET
from games.errors import ServiceError
from games.inbox import order_lines
from games.inbox.order_lines import LineRefused, LineResult, OrderLine, ask_to_confirm
from games.moderation import reports
from games.people.letters import reading
from games.play import decision_links, game_moves, history, keywords, proposals, queries, stored_moves, table_talk
from games.play.keywords import Keyword, word
from games.play.models import SUBJECT, Decision, Move
from games.play.proposals import lines_of
from games.play.reply_grammar import by_number, naming_of, understand
from games.play.standing_orders import order_book
from games.tables.audit import ModerationEntry
from games.tables.seats import Seat
from notifications import outbox
from notifications.inbound.quoting import shortened
from notifications.models import Inbound, Recipient

logger = logging.getLogger(__name__)


def _handle_appeal(inbound: Inbound, now: datetime) -> Inbound.State:
    """Stores the appeal, which is answered by an email. A second one, or none, is left alone.

    Whose line it is need not be proved: who knows the address has the email, and an appeal harms nobody.
    """
    rows = ModerationEntry.objects.select_related("user__owner__recipient", "user__recipient", "actor__recipient")
    entry = rows.filter(pk=int(inbound.subject.removeprefix(ModerationEntry.SUBJECT))).first()
    if entry is None:
        return Inbound.State.IGNORED
    try:
        reports.appeal(entry=entry, text=inbound.line, now=now)
    except ServiceError as error:
        logger.info("An appeal was not taken: %s", error)
        return Inbound.State.IGNORED
    return Inbound.State.DONE


# Handles an answer by mail: finds its question, parses its line, acts, and writes the one mail that answers.

DAY = timedelta(days=1)
MOST_REFUSALS = 3  # a day to one person: two programs that answer each other must come to an end
MOST_ANSWERS = 20  # the same for what was asked for in so many words
State = Inbound.State


def whose(token: str) -> tuple[str, Recipient] | None:
    """The decision and the person a reply address was made for, or None. A closed account may appeal."""
    decided = reports.find_appealed(token)
    if decided is not None:
        entry, reader = decided
        return entry.subject, reader.recipient
    row = decision_links.find_reply(token) or decision_links.find_talk(token)
    if row is None or row.seat.user is None or not row.seat.user.is_active:
        return None
    return row.subject, row.seat.user.recipient


def line_for(token: str, line: str) -> str:
    """The line that is stored: what answers the table talk is said there, unless it asks for something in itself."""
    is_wish = keywords.find_command(line) or keywords.parse_table_talk(line) or order_lines.find(line)
    if not line or is_wish or decision_links.find_talk(token) is None:
        return line
    return shortened(f"{word(Keyword.SAY)} {line}")


def is_clear(token: str, line: str) -> bool:
    """Whether a line is an answer or orders that would count if its writer is who he should be."""
    row = decision_links.find_reply(token)
    if row is None or row.seat.user is None:
        return False
    row.seat.game = row.game
    access = queries.Access(row.game, row.seat)
    wish = order_lines.find(line)
    with reading(row.seat.user.recipient, row.seat.user.recipient.language):
        try:
            if wish is None:
                answer_of(line, row, _question(access, row))
            elif wish.command in order_lines.GIVING:
                order_lines.orders_in(wish.text, access, order_book(access))
        except (LineRefused, ServiceError):
            return False
    return True


def handle(inbound: Inbound, now: datetime) -> Inbound.State:
    """Do what the line says; see `notifications.inbound.receiving.InboundHandler`."""
    if inbound.subject.startswith(ModerationEntry.SUBJECT):
        return _handle_appeal(inbound, now)
    row = _decision(inbound)
    if row is None:
        return State.IGNORED
    with reading(inbound.recipient, inbound.recipient.language):
        try:
            result = _run(inbound, row, now)
        except (LineRefused, ServiceError) as error:
            result = LineResult(State.ANSWERED, str(error))
        return _answer(inbound, row, result, now)


def _decision(inbound: Inbound) -> Decision | None:
    rows = Decision.objects.select_related("game", "seat__user__recipient")
    row = rows.filter(ref=inbound.subject.removeprefix(SUBJECT)).first()
    if row is None or row.seat.user is None or row.seat.user.recipient_id != inbound.recipient_id:
        return None  # the seat has changed hands since the mail came
    row.seat.game = row.game
    return row


def _run(inbound: Inbound, row: Decision, now: datetime) -> LineResult:
    command = keywords.find_command(inbound.line)
    if command == Keyword.HELP:
        return LineResult(State.DONE, _("You can answer:"))
    if command == Keyword.STATUS:
        return LineResult(State.DONE, _("Where the game stands:"))
    if command == Keyword.RESIGN:
        return _resign(inbound, row, now)
    if command == Keyword.ORDERS:
        return LineResult(State.DONE, _("These are your orders."))
    words = keywords.parse_table_talk(inbound.line)
    if words:
        return _say(inbound, row, words, now)
    wish = order_lines.find(inbound.line)
    return _order(inbound, row, wish, now) if wish else _move(inbound, row, now)


def _resign(inbound: Inbound, row: Decision, now: datetime) -> LineResult:
    if not inbound.is_confirmed:
        return LineResult(State.HELD, _("You asked to resign. That can't be undone, so please confirm it:"))
    game_moves.resign(game_id=row.game_id, seat=row.seat.number, actor=row.seat.user, source=Move.Source.MAIL, now=now)
    return LineResult(State.DONE, _("You've resigned from this game."))


def _say(inbound: Inbound, row: Decision, words: str, now: datetime) -> LineResult:
    """Table talk: what the player says is public, so it must be his."""
    assert row.seat.user is not None
    if _is_move(words, row):
        raise LineRefused(
            _(
                "This looks like a move, so we didn't post it to the table talk, and nothing was changed. Send it as a "
                "reply to the email that asks for it."
            )
        )
    if not inbound.is_authentic:
        return ask_to_confirm()
    table_talk.say(game_id=row.game_id, user=row.seat.user, text=words, now=now)
    return LineResult(State.DONE, _("Your message was posted to the table, where everyone can read it."))


def _is_move(words: str, row: Decision) -> bool:
    """Whether words for the table give an order or an answer, which nobody else may read; "yes" and "pass" are talk."""
    access = queries.Access(row.game, row.seat)
    return order_lines.find(words) is not None or any(
        _answers(words, found, access) for found in queries.open_questions(access)
    )


def _answers(words: str, found: queries.OpenQuestion, access: queries.Access) -> bool:
    """Whether words answer a question, clearly or not, as a reply to the email that asks it might put it."""
    question, naming = found.question, naming_of(access.game)
    understood = understand(words, question, naming)
    followed = order_lines.followed(words, question, naming, lambda: order_lines.grammar_of(access))
    return (
        understood.is_ambiguous
        or understood.refusal is not None
        or any(answer is not None and len(answer) > 1 for answer in (understood.action, followed and followed[0]))
        or (found.decision is not None and by_number(words, found.decision.ref, question) is not None)
        or order_lines.is_sheet(words, question, access)
    )


def _order(inbound: Inbound, row: Decision, wish: OrderLine, now: datetime) -> LineResult:
    """Gives orders whether or not the question is open; but the line must not be an answer to it as well."""
    access = queries.Access(row.game, row.seat)
    for found in queries.open_questions(access):
        if found.question.decision.id == row.code:
            understood = understand(inbound.line, found.question, naming_of(row.game))
            if understood.action or understood.is_ambiguous:
                raise LineRefused(_many_ways())
    return order_lines.obey(inbound, access, wish, now)


def _move(inbound: Inbound, row: Decision, now: datetime) -> LineResult:
    access = queries.Access(row.game, row.seat)
    key = f"mail:{inbound.key}"
    repeated = stored_moves.with_key(row.game, key[:80])
    if repeated is None:
        question = _question(access, row)
        action = answer_of(inbound.line, row, question)
        if not inbound.is_authentic:
            return ask_to_confirm(lines_of(access, question, queries.view_of(access), action))
        repeated = game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=action,
            source=Move.Source.MAIL,
            received_at=inbound.received_at,
            actor=row.seat.user,
            idempotency_key=key[:80],
            now=now,
        )
    row.game.refresh_from_db()
    lines = [f"- {line.text}" for line in history.lines_of_move(access, repeated)]
    kept = order_lines.told(json.loads(repeated.action), access)
    if not lines and not kept:
        return LineResult(State.DONE, _("Done. We have your answer."))
    return LineResult(State.DONE, "\n".join([_("Done. This is what happened:"), *lines, *kept]))


def _question(access: queries.Access, row: Decision) -> Question:
    """The question of the address as it is now. Raises LineRefused once it is closed."""
    for found in queries.open_questions(access):
        if found.question.decision.id == row.code:
            return found.question
    if row.seat.status == Seat.Status.ABSENT:
        raise LineRefused(_("You're marked as absent in this game. Return to it first."))
    if access.game.is_over:
        raise LineRefused(_("This game is over."))
    lines = [f"- {line.text}" for line in history.lines_of_answer(row)]
    raise LineRefused(
        "\n".join([_("This question has already been answered or is no longer open. Nothing was changed."), *lines])
    )


def answer_of(line: str, row: Decision, question: Question) -> Answer:
    """The one answer the line means. Raises LineRefused."""
    if not line:
        raise LineRefused(_("We couldn't find your answer. Please write it above everything else in the email."))
    access = queries.Access(row.game, row.seat)
    meant = order_lines.meant_by_empty_sheet(line, question)
    if meant is not None:
        return meant
    planned = order_lines.planned(line, question, access)
    if planned is not None:
        return _checked(planned, access)
    understood = understand(line, question, naming_of(row.game))
    numbered = by_number(line, row.ref, question)
    if understood.is_ambiguous or (numbered and understood.action and numbered != understood.action):
        raise LineRefused(_many_ways())
    if understood.refusal is not None and not numbered:
        raise LineRefused(queries.say(row.game, understood.refusal))
    action = numbered or understood.action or order_lines.accompanied(line, question, access)
    if action is None and keywords.is_yes(line):
        action = proposals.accepted_by_word(row)
    if action is None:
        raise LineRefused(_("We didn't understand this, so nothing was changed."))
    return _checked(action, access)


def _checked(action: Answer, access: queries.Access) -> Answer:
    """The action. Raises LineRefused for a sheet that places nothing: nobody sends one by accident."""
    if action["type"] != SHEET or not access.game.rules.places_nothing(action, queries.orders_of(access)):
        return action
    lines = {"yes": word(Keyword.YES), "sheet": word(Keyword.SHEET), "ask": word(Keyword.ASK)}
    told = _(
        "This round plan doesn't place any tokens, so nothing was changed. Write “%(yes)s” to play the "
        "proposal, “%(sheet)s %(ask)s” to be asked for each token, or “%(sheet)s %(nothing)s” to forfeit the "
        "round."
    )
    raise LineRefused(told % {**lines, "nothing": word(Keyword.NOTHING)})


def _many_ways() -> str:
    return _("This could mean more than one thing, so nothing was changed. Please be more specific.")


def _answer(inbound: Inbound, row: Decision, result: LineResult, now: datetime) -> Inbound.State:
    """Write the answer, unless its writer got enough of them today. What he confirms on a page is always answered."""
    is_refusal = result.state != State.DONE and not inbound.is_confirmed
    if is_refusal and _lately(inbound, now, State.ANSWERED, State.HELD) >= MOST_REFUSALS:
        return _pause(inbound, row, result, now)
    if keywords.find_command(inbound.line) and _lately(inbound, now, *State) >= MOST_ANSWERS:
        return State.IGNORED
    inbound.answer = result.words
    _notify(inbound, row, f"heard:{inbound.ref}:{result.state}", {"asks": result.state == State.HELD}, now)
    return result.state


def _pause(inbound: Inbound, row: Decision, result: LineResult, now: datetime) -> Inbound.State:
    """Say once a day that no more answers come. What only its writer's word is missing for still waits for it."""
    is_held = result.state == State.HELD
    key = f"replies_paused:{inbound.recipient_id}:{now:%Y-%m-%d}"
    _notify(inbound, row, key, {"asks": is_held, "is_pause": True}, now)
    return State.HELD if is_held else State.IGNORED


def _notify(inbound: Inbound, row: Decision, key: str, data: dict[str, object], now: datetime) -> None:
    """Writes what came of an answer by mail: once when it waits for a confirmation, once when it is done or refused."""
    outbox.notify(
        outbox.Notification(
            recipient=inbound.recipient,
            kind="heard",
            subject=row.subject,
            dedupe_key=key,
            thread=row.game.thread,
            data={"inbound": inbound.ref, **data},
        ),
        now,
    )


def _lately(inbound: Inbound, now: datetime, *states: Inbound.State) -> int:
    rows = Inbound.objects.filter(recipient=inbound.recipient, handled_at__gt=now - DAY, state__in=states)
    return rows.exclude(answer="").count()
