"""Games, logs and questions as plain data, in the form that `serializers` describes.

`games.play.queries` and the rules' `view` and `redact` decide what a viewer may see.
"""

from collections.abc import Iterator

from msgspec import to_builtins

from engine.core import ActionForm, Amounts, Choice, Field, JsonObject, Option, Text
from engine.registry import AnyRules
from games import links, page_urls
from games.play import absences, deadlines, history, queries, stored_moves
from games.play.history import LogLine
from games.play.models import Decision, Move
from games.play.order_forms import Say, say_for
from games.play.proposal_forms import stored_proposal
from games.play.queries import Access, OpenQuestion
from games.tables.models import Game
from games.tables.settings import SETTINGS
from games.tournaments import queries as tournaments
from notifications.clock import present

Data = JsonObject
PIECE = 100  # moves read at once
FACTS = (
    "ref",
    "title",
    "rules_version",
    "options",
    "status",
    "pace",
    "seat_count",
    "settings_version",
    "is_lesson",
    *(setting.name for setting in SETTINGS),
)
TIMES = ("created_at", "expires_at", "started_at", "finished_at", "paused_at", "paused_by", "pause_ends_at")


def rules_data(rules: AnyRules) -> Data:
    """Returns a rule set with its options."""

    def say(text: Text) -> str:
        return rules.say(text, queries.current_language(), [])

    return {
        "name": rules.name,
        "version": rules.version,
        "schema_url": page_urls.rules_schema_url(rules.name, rules.version),
        "title": say(rules.title),
        "seat_counts": list(rules.seat_counts),
        "bots": list(rules.bots),
        "options": [
            {
                "name": option.name,
                "label": say(option.label),
                "hint": say(option.hint) if option.hint else None,
                "default": option.default,
                "suggested": option.suggested,
                "values": [{"value": value, "label": say(label)} for value, label in option.values],
            }
            for option in rules.options
        ],
    }


def game_data(access: Access) -> Data:
    """Returns a game as this viewer may see it."""
    game = access.game
    view = queries.view_of(access) if game.started_at else None
    waited, due_at = queries.waiting(game, access.seat)
    bank = access.seat.bank if access.seat and access.seat.is_person else None
    return {
        **{name: getattr(game, name) for name in (*FACTS, *TIMES)},
        "rules": game.rules_name,
        "host": game.host.get_short_name(),
        "club": game.club.ref if game.club else None,
        "tournament": _tournament(game),
        "join_url": _join_url(access),
        "seat": access.seat.number if access.seat else None,
        "seats": _seats(game),
        "extensions": _extensions(game),
        "waits_for": [seat.number for seat in waited],
        "due_at": due_at,
        "is_asleep": queries.is_asleep(game),
        "bank_seconds": None if bank is None else int(bank.total_seconds()),
        "steward_hours": access.seat.steward_hours if access.seat else None,
        "events": game.public_events,
        "view": to_builtins(view),
        "board": queries.describe(access, view) if view else "",
        "outcome": _outcome(game),
        "fairness": _fairness(game),
    }


def _tournament(game: Game) -> Data | None:
    """Returns where in which tournament a game is played, as everybody may know it."""
    table = tournaments.table_of(game) if game.is_listed else None  # those of tournaments are
    if table is None:
        return None
    tournament = table.round.tournament
    facts = {"ref": tournament.ref, "title": tournament.display_title}
    return {**facts, "round": table.round.number, "table": table.number}


def _join_url(access: Access) -> str | None:
    """Returns the join link for viewers who may send it, while a seat is free or offered."""
    game = access.game
    may_send = access.seat is not None or access.is_host
    if game.status == Game.Status.OPEN:
        return links.join_url(game) if may_send or game.is_listed else None
    is_offered = access.seat is not None and any(map(absences.is_offered, game.seated()))
    return links.join_url(game) if is_offered else None


def _seats(game: Game) -> list[Data]:
    away = queries.on_vacation(game, present.now())
    facts = ("number", "display_name", "bot", "owner_name", "status", "wants_pause", "wants_end", "has_agreed")
    rows = game.seated()
    return [{**{name: getattr(seat, name) for name in facts}, "away_until": away.get(seat.number)} for seat in rows]


def _extensions(game: Game) -> list[Data]:
    """Returns why deadlines moved, as everybody may know it."""
    rows = queries.extensions(game) if game.status == Game.Status.RUNNING else []
    return [{"code": row.public_code, "reason": row.get_reason_display(), "due_at": row.new_due_at} for row in rows]


def _outcome(game: Game) -> Data | None:
    result = queries.result(game)
    if result is None or game.outcome is None:
        return None
    return {
        "ending": game.outcome["ending"],
        "code": game.outcome["reason"]["code"],
        "reason": result.reason,
        "winners": [seat.number for seat in result.winners],
        "places": [{"place": place, "seat": seat.number, "score": score} for place, seat, score in result.places],
    }


def _fairness(game: Game) -> Data:
    """Returns the proof of fairness. Seed and chain only after the end: the chain changes with every sealed answer."""
    is_shown = game.status == Game.Status.FINISHED
    seats = game.seated()
    return {
        "commitment": game.commitment,
        "server_seed": game.server_seed if is_shown else None,
        "entropies": [seat.entropy for seat in seats] if is_shown else None,
        "chain": game.chain if is_shown else None,
    }


def log_data(access: Access, *, after: int, limit: int) -> Data:
    """Returns the log behind public number `after` up to its next `limit` public lines, and whether that is all.

    The viewer's private lines come along uncounted: they have no number to go on behind, and however many there are,
    the next piece begins behind this one.
    """
    return _piece(log_behind(access, after), after, limit)


def public_log_data(access: Access, *, after: int, limit: int) -> Data:
    """Like `log_data`, without the viewer's private lines."""
    found = log_behind(access, after)
    return _piece((line for line in found if line.number is not None and line.number > after), after, limit)


def _piece(found: Iterator[LogLine], after: int, limit: int) -> Data:
    """Lines up to the one that fills the limit; those without an own number, as a steward's has none, are uncounted."""
    lines: list[Data] = []
    last, counted = after, 0
    for line in found:
        lines.append(line_data(line))
        if line.number is not None and not line.is_stewards:
            last, counted = line.number, counted + 1
        if counted == limit:
            break
    return {"lines": lines, "last": last, "is_complete": next(found, None) is None}


def log_behind(access: Access, after: int) -> Iterator[LogLine]:
    """Yields all lines behind the one with public number `after`, and the viewer's private ones among them, reading
    some moves at a time. A steward's line, which has the first number of its move, comes with what is behind it."""
    game, is_behind = access.game, not after
    first = stored_moves.begin_behind(game, after - 1) if after else 1
    for seq in range(first, game.seq + 1, PIECE):
        made = stored_moves.between(game, seq, seq + PIECE - 1)
        for line in history.events_of(access, made, has_stewards=True):
            number = None if line.is_stewards else line.number
            if is_behind or (number is not None and number > after):
                is_behind = True
                yield line
            elif number is not None:
                is_behind = number == after


def move_data(access: Access, move: Move) -> list[Data]:
    """Returns the log lines of one move, as this viewer may know them."""
    return [line_data(line) for line in history.events_of(access, [move])]


def line_data(line: LogLine) -> Data:
    """Returns a line of the log as data."""
    facts = {name: getattr(line, name) for name in ("number", "at", "text", "is_taken_back")}
    return {**facts, "event": to_builtins(line.event)}


def questions_data(access: Access, *, is_new: bool = False) -> list[Data]:
    """Returns the open questions of the viewer's seat, in the order of the rules.

    Arguments:
        is_new: it has just been asked: nothing is proposed yet.
    """
    return [_question(access, asked, is_new=is_new) for asked in queries.open_questions(access)]


def _question(access: Access, asked: OpenQuestion, *, is_new: bool) -> Data:
    question, row, say = asked.question, asked.decision, say_for(access.game)
    proposed = None if is_new else stored_proposal(access, asked)
    return {
        "code": question.decision.id,
        "kind": question.decision.kind,
        "title": say(question.title),
        "hint": _words(say, question.hint),
        "is_sealed": question.decision.sealed,
        "is_waiting": row is not None,
        "opened_at": row.opened_at if row else None,
        "allowed_until": row.allowed_until if row else None,
        "due_at": row.due_at if row else None,
        "steward_at": row.steward_at if row else None,
        "default": deadlines.say_missed(access.game, question, say),
        "default_code": deadlines.silence_of(access.game, question).code,
        "proposal": proposed,
        "actions": [action_data(say, form) for form in question.actions],
    }


def action_data(say: Say, form: ActionForm) -> Data:
    """Returns a form as data."""
    return {
        "type": form.type,
        "label": say(form.label),
        "hint": _words(say, form.hint),
        "fields": [_field(say, field) for field in form.fields],
        "takes_orders": form.takes_orders,
    }


def _field(say: Say, field: Field) -> Data:
    return {
        "name": field.name,
        "kind": "choice" if isinstance(field, Choice) else "amounts",
        "label": say(field.label),
        "total": field.total if isinstance(field, Amounts) else None,
        "least": field.fewest if isinstance(field, Amounts) else None,
        "same_as": (field.same_as or None) if isinstance(field, Amounts) else None,
        "distinct": field.distinct or None,
        "options": [option_data(say, option) for option in field.options],
    }


def option_data(say: Say, option: Option) -> Data:
    """Returns an option as data."""
    return {
        "value": option.value,
        "label": say(option.label),
        "hint": _words(say, option.hint),
        "limit": option.limit,
        "group": _words(say, option.group),
        "bars": option.bars,
    }


def _words(say: Say, text: Text | None) -> str | None:
    return say(text) if text else None


def closed_data(decision: Decision) -> list[Data]:
    """Returns the public facts of a closed decision."""
    return [{"number": line.number, "at": line.at, "text": line.text} for line in history.lines_of_answer(decision)]
