"""A process may die between any two steps of what changes a game: the step has been done, or it has not; never half.

Then whoever wanted it wants it again (a player clicks once more, a worker finds it due), and it has been done once.
"""

import contextlib
import datetime as dt
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from games.errors import ServiceError
from games.lobby import lifecycle
from games.models import Extension, Game, Heartbeat, Move, SealedProposal
from games.play import (
    absences,
    automatic_answers,
    deadline_rule,
    deadlines,
    decision_links,
    game_moves,
    locking,
    pauses,
    proposals,
    queries,
)
from notifications.inbound import receiving
from notifications.inbound import receiving as dispatch
from notifications.models import Inbound, Notice
from tests.crashes import deaths, undone
from tests.games.conftest import answer, beat, deliveries, fresh, new_table, open_rows, running, some_answer, to_placing
from tests.games.play.test_deadlines import told

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.both]
DAY = dt.timedelta(days=1)
MINUTE = dt.timedelta(minutes=1)
Work = Callable[[], object]


@pytest.fixture
def strict(anna, ben, carla, now):
    """The first placement is asked, and its player has been told."""
    game = to_placing(running(anna, [ben, carla], now, is_first_miss_excused=False, absent_after=1), now)
    told(placement(game), now)
    return game


def placement(game):
    (row,) = open_rows(game)
    return row


def facts(game: Game) -> Any:
    """Everything that is stored about a game but for what is drawn anew each time."""
    game = fresh(game)
    kinds = Notice.objects.values_list("kind", "recipient")
    return (
        [
            getattr(game, name)
            for name in ("seq", "state", "status", "chain", "paused_by", "advance_at", "public_events")
        ],
        list(game.moves.order_by("seq").values_list("seq", "kind", "seat", "decision", "action", "source")),
        sorted(game.decisions.values_list("code", "seat__number", "status", "due_at", "left", "is_automatic"), key=str),
        list(game.seats.order_by("number").values_list("number", "status", "misses", "is_excused", "wants_pause")),
        sorted(Counter(kinds).items()),
        deliveries().count(),
        sorted(Extension.objects.values_list("decision__code", "reason", "new_due_at"), key=str),
        list(Inbound.objects.values_list("state", flat=True)),
    )


def check(game: Game, work: Work, again: Work | None = None) -> None:
    """Dies at each step of `work`; `again` is how the next process, or the same person, goes on."""
    again = again or work

    def goes_on() -> None:
        with contextlib.suppress(ServiceError):  # it has been done, and is refused
            again()

    before = facts(game)
    with undone():
        work()
        after = facts(game)
        goes_on()
        settled = facts(game)
    assert before != after
    for where in deaths(work):
        assert facts(game) in (before, after), where
        goes_on()
        assert facts(game) == settled, where


def test_a_game_begins_or_does_not(anna, ben, carla, now):
    game = new_table(anna, now)
    for guest in (ben, carla):
        lifecycle.join(game_id=game.pk, user=guest, now=now)
    check(game, lambda: lifecycle.start(game_id=game.pk, host=anna, now=now))


def test_an_answer_is_a_move_and_asks_the_next_one_or_is_not_there(strict, now):
    row = placement(strict)
    action = some_answer(strict, row)
    check(strict, lambda: answer(strict, row, now, action, idempotency_key="click"))


def test_a_phase_is_complete_or_not(game, now):
    for row in open_rows(game):
        answer(game, row, now)
    check(game, lambda: game_moves.advance_one(now))


def test_a_bot_answers_once(anna, ben, now):
    game = running(anna, [ben], now, bots=("random",))
    check(game, lambda: automatic_answers.answer_one(now))


def test_a_worker_that_dies_while_it_answers_for_bots_is_followed_by_another(anna, ben, now):
    game = running(anna, [ben], now, bots=("random",))

    def after_a_moment() -> None:
        later = now + locking.HOLD
        while automatic_answers.BotTurns().answer_one(later):
            pass

    check(game, lambda: automatic_answers.BotTurns().answer_one(now), after_a_moment)


def test_a_worker_that_dies_while_it_proposes_is_followed_by_another(proposing, now):
    row = open_rows(proposing)[0]
    proposing.decisions.exclude(pk=row.pk).update(wants_proposal=False)
    for where in deaths(lambda: proposals.make_one(now)):
        proposals.make_one(now + locking.HOLD)
        assert not proposing.decisions.filter(wants_proposal=True).exists(), where
        assert SealedProposal.objects.filter(decision=row).count() == 1, where


def test_whoever_is_passed_is_told_so_and_is_absent_or_not(strict, now):
    check(strict, lambda: deadlines.expire_one(now + DAY))


def test_a_first_miss_is_excused_once(anna, ben, carla, now):
    game = to_placing(running(anna, [ben, carla], now), now)
    told(placement(game), now)
    check(game, lambda: deadlines.expire_one(now + DAY))


def test_a_deadline_of_somebody_who_was_not_told_moves_once(placing, now):
    check(placing, lambda: deadlines.expire_one(now + DAY))


def test_a_reminder_is_written_once(strict, now):
    row = placement(strict)
    check(strict, lambda: deadlines.remind_one(row.remind_at))


@pytest.mark.parametrize("_case", ["pause", "go on"])
def test_a_vote_pauses_a_game_or_lets_it_go_on(strict, anna, ben, now, _case):
    seats = {seat.user: seat.number for seat in strict.seats.all()}

    def wish(user, is_wanted):
        return pauses.set_wish(game_id=strict.pk, seat=seats[user], is_wanted=is_wanted, now=now + MINUTE)

    wish(anna, True)
    if _case == "go on":
        wish(ben, True)
    check(strict, lambda: wish(ben, _case == "pause"))


def test_an_outage_is_given_back_once(strict, now):
    Heartbeat.objects.update_or_create(name=deadline_rule.HEART, defaults={"beat_at": now})
    check(strict, lambda: beat(now + 20 * dt.timedelta(hours=1)))


def test_a_seat_is_given_up_once(strict, ben, now):
    seat = strict.seats.get(user=ben)
    check(
        strict,
        lambda: game_moves.resign(game_id=strict.pk, seat=seat.number, actor=ben, source=Move.Source.WEB, now=now),
    )


def test_an_absent_player_comes_back_once(strict, now):
    seat = placement(strict).seat
    assert deadlines.expire_one(now + DAY)
    check(strict, lambda: absences.come_back(seat_id=seat.pk, now=now + DAY))


@pytest.mark.parametrize("_case", ["proved", "not proved"])
def test_an_answer_by_mail_is_one_move_and_one_answer(strict, now, settings, _case):
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    settings.MAIL_AUTHSERV_ID = "mx.play.example.org"
    row = placement(strict)
    token = queries.open_questions(queries.Access(strict, row.seat))[0].question.actions[0].fields[0].options[0].value
    proof = "mx.play.example.org; dmarc=pass header.from=example.org" if _case == "proved" else "nobody; none"
    mail = f"Authentication-Results: {proof}\nFrom: {row.seat.user.email}\nMessage-ID: <1@x.org>\n\n{token} market\n"
    receiving.receive(content=mail.encode(), to=decision_links.reply_address(row), envelope_sender="x@x.org", now=now)

    def handled():
        while dispatch.handle_one(now):
            pass

    check(strict, handled)
    handled()
    assert strict.moves.filter(source=Move.Source.MAIL).count() == (1 if _case == "proved" else 0)
    assert Inbound.objects.get().state == (Inbound.State.DONE if _case == "proved" else Inbound.State.HELD)
