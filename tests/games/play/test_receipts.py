"""When an answer reached us is stored before anything is waited for; nobody is passed for what we did not manage."""

import datetime as dt

import pytest

from games.errors import Conflict, Illegal
from games.models import Decision, Extension, Game, Heartbeat, Receipt
from games.play import deadline_rule, deadlines, game_moves
from notifications.clock import present
from notifications.models import Inbound
from tests.games.conftest import answer, beat, open_rows
from tests.games.play.test_deadline_rule import DAY, GRACE, MS, is_passed, row, with_grace

__all__ = ["row", "with_grace"]

LATER = DAY + dt.timedelta(minutes=4)


class Killed(BaseException):
    """The process ended in the middle of an answer."""


def killed_while_waiting(row: Decision, at: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer reaches us, and the process that waits for the game dies."""

    def dies(*_args: object, **_facts: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(game_moves, "locked", dies)
        with pytest.raises(Killed):
            answer(row.game, row, at)


def test_an_answer_that_is_being_dealt_with_is_not_overtaken_by_its_deadline(
    row: Decision, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_while_waiting(row, now + DAY + GRACE, monkeypatch)
    assert not deadlines.expire_one(now + LATER)
    assert not is_passed(row)


def test_who_must_send_it_again_because_we_broke_is_judged_by_the_first_time_check_48(
    row: Decision, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_while_waiting(row, now + DAY, monkeypatch)
    with present.going_by(lambda: now + LATER):
        move = answer(row.game, row, now + LATER)
    assert (move.received_at, move.made_at) == (now + DAY, now + LATER)
    assert not Receipt.objects.exists()


def test_an_answer_that_we_lost_is_waited_for_only_for_a_while(
    row: Decision, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    Heartbeat.objects.update(beat_at=now + 2 * DAY)
    killed_while_waiting(row, now + DAY, monkeypatch)
    after = now + DAY + game_moves.LONGEST + MS
    with pytest.raises(Conflict):
        answer(row.game, row, after)
    assert deadlines.expire_one(after)
    assert is_passed(row) and not Receipt.objects.exists()


def test_what_was_refused_wins_no_time(row: Decision, now: dt.datetime) -> None:
    Heartbeat.objects.update(beat_at=now + 2 * DAY)
    with pytest.raises(Illegal):
        answer(row.game, row, now + DAY, {"type": "place", "token": 99, "space": "guard"})
    assert not Receipt.objects.exists()
    with pytest.raises(Conflict):
        answer(row.game, row, now + LATER)


def test_far_from_the_deadline_nothing_is_written_down(
    row: Decision, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_while_waiting(row, now + DAY - game_moves.NEAR - MS, monkeypatch)
    assert not Receipt.objects.exists()
    killed_while_waiting(row, now + DAY - game_moves.NEAR, monkeypatch)
    assert Receipt.objects.get().decision == row


def test_an_answer_that_comes_again_takes_no_receipt_but_its_own(game: Game, now: dt.datetime) -> None:
    """Sealed answers may be replaced (A6): an old form is sent again while another answer waits for the game."""
    row = open_rows(game)[0]
    first = answer(game, row, now, idempotency_key="a form")
    Decision.objects.filter(pk=row.pk).update(status=Decision.Status.OPEN, due_at=now + game_moves.NEAR)
    waiting = Receipt.objects.create(decision=row, received_at=now)
    again = answer(game, row, now, idempotency_key="a form")
    assert (again, again.is_repeated, first.is_repeated) == (first, True, False)
    assert list(Receipt.objects.all()) == [waiting]


def test_a_reply_by_mail_that_waits_is_a_receipt(row: Decision, now: dt.datetime) -> None:
    assert row.seat.user is not None
    facts = {"recipient": row.seat.user.recipient, "subject": row.subject, "line": "x", "received_at": now + DAY}
    mail = Inbound.objects.create(key="k", **facts)
    assert not deadlines.expire_one(now + LATER)
    Inbound.objects.filter(pk=mail.pk).update(state=Inbound.State.ANSWERED)
    assert deadlines.expire_one(now + LATER)
    assert is_passed(row)


def beat_all(now: dt.datetime) -> None:
    deadline_rule.beat_of_web(now)
    beat(now)


@pytest.mark.parametrize("hours", [0.1, 9, 72])
def test_when_the_web_alone_is_down_its_time_is_given_back_check_47(
    row: Decision, now: dt.datetime, hours: float
) -> None:
    down, back = now + DAY - dt.timedelta(minutes=3), now + DAY - dt.timedelta(minutes=3) + dt.timedelta(hours=hours)
    Heartbeat.objects.update(beat_at=down)
    beat_all(down)
    for minutes in range(1, 400, 10):  # the workers go on
        at = down + (back - down) * minutes / 400
        beat(at)
        assert not deadlines.expire_one(at) and not is_passed(row)
    deadline_rule.beat_of_web(back)
    assert not deadlines.expire_one(back), "not before the time is given back"
    beat(back)
    row.refresh_from_db()
    assert row.due_at is not None and row.due_at - back >= dt.timedelta(minutes=3)
    assert [one.reason for one in row.extensions.all()] == [Extension.Reason.OUTAGE]
    Heartbeat.objects.update(beat_at=row.due_at + deadline_rule.patience())
    assert deadlines.expire_one(row.due_at + deadline_rule.patience()), "then the game goes on by itself"
