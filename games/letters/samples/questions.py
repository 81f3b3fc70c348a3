"""Samples of what somebody is asked at a running table, and of what happens there to his seat."""

from datetime import timedelta
from functools import partial

from engine.core import ActionForm, Choice
from engine.orders.model import MOST_ANSWERS, OrderFired
from games.letters.samples.game import MOST_STEPS, WRONG, Sample, SampleGame, create_moderator, create_user
from games.moderation import repair
from games.play import absences, clocks, pauses, queries, standing_orders
from games.play.models import Decision, Extension
from games.play.notify import seat_subject
from notifications.models import Notice

HOUR = timedelta(hours=1)
ASKED = ("due", "reminder", "excused", "extended", "passed")
SEATED = ("started", "paused", "resumed", "rolled_back", "absent", "taken_over", "orders")


def _asked(kind: str, made: SampleGame) -> list[Notice]:
    row = made.play()
    if kind == "passed":
        made.answer(row)
    if kind == "extended" and row.due_at is not None:
        clocks.record_extension(row, Extension.Reason.OUTAGE, row.due_at - HOUR, made.now)
    if kind in SEATED:
        _happen(kind, row, made)
    return [made.notice(kind, row.subject if kind in ASKED else seat_subject(row.seat))]


def _happen(kind: str, row: Decision, made: SampleGame) -> None:
    """Makes the event happen that the letter reports."""
    if kind in ("paused", "resumed"):
        numbers = [made.game.seats.get(user=user).number for user in made.users[:2]]
        for number in numbers:
            pauses.set_wish(game_id=made.game.pk, seat=number, is_wanted=True, now=made.now)
        if kind == "resumed":
            pauses.set_wish(game_id=made.game.pk, seat=numbers[0], is_wanted=False, now=made.now)
    elif kind == "rolled_back":
        repair.roll_back(game=made.game, step=4, by=create_moderator(), reason=WRONG, now=made.now)
    elif kind == "orders":
        _order(row, made)
    elif kind in ("absent", "taken_over"):
        absences.make_absent(row.seat, row, made.now)
    if kind == "taken_over":
        absences.hand_over(row.seat, create_user("David", made.ben.recipient.language), made.now)


def _order(row: Decision, made: SampleGame) -> None:
    """Ben answers, says in advance what he will answer to the next question of this kind, and it is asked."""
    access = queries.Access(row.game, row.seat)
    kind = next(one for one in row.game.rules.vocabulary.kinds(queries.view_of(access)) if one.name == row.kind)
    answers = [answer for form in kind.answers for answer in _filled(form)]
    made.answer(row)
    sheet = {"orders": [{"kind": row.kind, "answers": answers[:MOST_ANSWERS]}]}
    standing_orders.give(
        game_id=row.game_id, seat=row.seat.number, raw=sheet, source="web", now=made.now, actor=made.ben
    )
    for _step in range(MOST_STEPS):
        if made.game.moves.filter(events__contains=OrderFired.__name__).exists():
            return
        made.answer(made.asked())
    raise AssertionError("the order never answers")


def _filled(form: ActionForm) -> list[dict[str, object]]:
    """All answers of a form that asks for one thing at most."""
    match form.fields:
        case []:
            return [{"type": form.type}]
        case [Choice() as field]:
            return [{"type": form.type, field.name: option.value} for option in field.options]
    return []


SAMPLES: dict[str, Sample] = {kind: partial(_asked, kind) for kind in (*ASKED, *SEATED)}
