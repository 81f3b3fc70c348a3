"""A letter whose time has gone is not sent."""

import datetime as dt

import pytest

from games.lobby import invitations, lifecycle
from games.models import Decision, Game, User
from games.people import letters
from games.play import absences, asking_letters, game_letters, game_moves, notify
from notifications.delivery.policy import Facts, Verdict, decide
from notifications.models import DeliveryState
from tests.games.conftest import answer, deliveries, fresh, open_rows, running, seat_of
from tests.games.letters.conftest import asked_again, end_soon, hook, let_pass, newest, stale


def test_an_answered_question_is_asked_no_more(turn: Decision, ben: User, now: dt.datetime) -> None:
    for kind in ("reminder", "excused"):
        asked_again(kind, turn, now)
    assert [stale(kind, ben) for kind in ("due", "reminder", "excused")] == ["", "", ""]
    answer(fresh(turn.game), turn, now)
    assert {stale(kind, ben) for kind in ("due", "reminder", "excused")} == {asking_letters.ANSWERED}


def test_a_reminder_that_would_come_after_its_deadline_is_not_sent(turn: Decision, ben: User, now: dt.datetime) -> None:
    """Quiet hours or a mail server have held it; the moment that counts is the one at which it would go."""
    asked_again("reminder", turn, now)
    due = Decision.objects.get(pk=turn.pk).due_at
    assert due is not None
    notice = newest("reminder", ben)
    delivery = deliveries().get(notice=notice, channel="mail")
    facts = Facts.of([delivery])
    assert decide(delivery, due - dt.timedelta(seconds=1), facts).verdict is Verdict.SEND
    dropped = decide(delivery, due, facts)
    assert (dropped.state, dropped.reason) == (DeliveryState.STALE, asking_letters.DEADLINE_PASSED)
    Decision.objects.filter(pk=turn.pk).update(due_at=None)
    assert decide(delivery, due, facts).verdict is Verdict.SEND, "while the game is paused no deadline passes"


def test_a_sealed_question_is_asked_no_more_once_this_seat_has_answered(
    game: Game, ben: User, carla: User, now: dt.datetime
) -> None:
    row = next(row for row in open_rows(game) if row.seat.user == ben)
    answer(game, row, now)
    assert stale("due", ben) == asking_letters.ANSWERED
    assert stale("due", carla) == ""


def test_an_absent_player_is_asked_nothing(turn: Decision, ben: User, now: dt.datetime) -> None:
    absences.make_absent(seat_of(turn.game, ben), turn, now)
    assert stale("due", ben) == asking_letters.SEAT_NOT_AWAITED


@pytest.mark.slow
def test_a_question_of_a_seat_that_changed_hands_goes_to_nobody_else(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    game = running(anna, [ben, carla], now, absent_seats="takeover")
    row = next(row for row in open_rows(game) if row.seat.user == ben)
    absences.make_absent(seat_of(game, ben), row, now)
    absences.take_over(seat_id=row.seat.pk, user=david, now=now)
    assert stale("due", ben) == game_letters.SEAT_CHANGED_HANDS
    assert stale("started", ben) == game_letters.SEAT_CHANGED_HANDS
    assert stale("absent", ben) != ""
    assert stale("taken_over", ben) == ""


def test_whoever_sits_on_the_seat_again_has_not_lost_it(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = running(anna, [ben, carla], now)
    notify.taken_over(seat_of(game, ben), ben.recipient, now)
    assert stale("taken_over", ben) != ""


def test_the_end_of_a_game_that_goes_on_is_not_told(game: Game, ben: User, carla: User, now: dt.datetime) -> None:
    end_soon(game, carla, now)
    assert stale("game_over", ben) == ""
    Game.objects.filter(pk=game.pk).update(status=Game.Status.RUNNING)  # as after a moderator took moves back
    assert stale("game_over", ben) != ""


def test_who_is_back_is_not_told_that_he_was_away(turn: Decision, ben: User, now: dt.datetime) -> None:
    seat = seat_of(turn.game, ben)
    absences.make_absent(seat, turn, now)
    assert stale("absent", ben) == ""
    absences.come_back(seat_id=seat.pk, now=now)
    assert stale("absent", ben) != ""


def test_who_resigned_is_not_told_that_he_is_away(turn: Decision, ben: User, now: dt.datetime) -> None:
    seat = seat_of(turn.game, ben)
    absences.make_absent(seat, turn, now)
    game_moves.resign(game_id=turn.game_id, seat=seat.number, actor=ben, source="web", now=now)
    assert stale("absent", ben) != ""


def test_an_invitation_is_sent_only_while_it_can_be_followed(table: Game, anna: User, now: dt.datetime) -> None:
    invitation = invitations.invite(game_id=table.pk, host=anna, address="eva@example.net", now=now)
    assert stale("invited", invitation.recipient) == ""
    invitations.withdraw(ref=invitation.ref, game_id=table.pk, host=anna)
    assert stale("invited", invitation.recipient) != ""


def test_an_invitation_to_a_closed_table_is_not_sent(table: Game, anna: User, now: dt.datetime) -> None:
    invitation = invitations.invite(game_id=table.pk, host=anna, address="eva@example.net", now=now)
    lifecycle.close(game_id=table.pk, host=anna, now=now)
    assert stale("invited", invitation.recipient) != ""


def test_a_passed_move_is_not_told_after_the_end_which_another_email_tells(
    turn: Decision, ben: User, carla: User, now: dt.datetime
) -> None:
    let_pass(turn, now)
    assert stale("passed", ben) == ""
    end_soon(turn.game, carla, now)
    assert stale("passed", ben) == asking_letters.TOLD_LATER


def test_the_start_of_a_game_that_is_over_is_not_told(game: Game, ben: User, now: dt.datetime) -> None:
    assert stale("started", ben) == ""
    end_soon(game, ben, now)
    assert stale("started", ben) != ""
    assert stale("game_over", ben) == ""
    assert stale("due", ben) == asking_letters.ANSWERED


def test_a_letter_about_something_that_is_gone_is_not_sent(turn: Decision, ben: User) -> None:
    notice = newest("due", ben)
    notice.subject = "decision:nosuchthing"
    notice.save()
    assert stale("due", ben) == letters.SUBJECT_GONE
    assert hook("due", ben) is None


def test_odd_subject_keys_are_about_nothing(game: Game, ben: User, now: dt.datetime) -> None:
    notify.started(game, [seat_of(game, ben)], now)
    notice = newest("started", ben)
    for key in ("", "seat", "seat:", f"seat:{game.ref}", f"seat:{game.ref}:x", f"seat:{game.ref}:9"):
        notice.subject = key
        notice.save()
        assert stale("started", ben) == letters.SUBJECT_GONE
