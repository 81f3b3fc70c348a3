"""A deadline that was moved is told with its reason, as long as it is the deadline (PEERS 2.9, 2.10)."""

import datetime as dt

from games.models import Decision, Extension, Outage, User
from games.play import deadline_rule, deadlines, decision_links
from tests.games.letters.conftest import hook, let_pass, mail, newest, stale

HOUR = dt.timedelta(hours=1)


def after_an_outage(turn: Decision, now: dt.datetime) -> Decision:
    assert turn.due_at is not None
    Outage.objects.create(began_at=turn.due_at - HOUR, ended_at=turn.due_at + 2 * HOUR)
    while deadline_rule.give_back_one(turn.due_at + 2 * HOUR):
        pass
    turn.refresh_from_db()
    return turn


def test_after_an_outage_the_new_deadline_and_the_reason_are_told(turn: Decision, ben: User, now: dt.datetime) -> None:
    row = after_an_outage(turn, now)
    letter = mail("extended", ben)
    assert letter.subject == "Thursday: your deadline was moved"
    assert "The reason: the service gave more time." in letter.text
    assert decision_links.act_url(row) in letter.text and decision_links.act_url(row) in letter.html
    assert newest("extended", ben).data == {"due_at": row.due_at.isoformat()}


def test_once_the_deadline_moves_again_or_is_met_the_letter_is_stale(
    turn: Decision, ben: User, now: dt.datetime
) -> None:
    row = after_an_outage(turn, now)
    Decision.objects.filter(pk=row.pk).update(due_at=row.due_at + HOUR)
    assert stale("extended", ben) == "deadline_moved"
    let_pass(row, now)
    assert stale("extended", ben) == "answered"


def test_of_a_sealed_question_no_webhook_tells_who_has_not_answered(
    turn: Decision, ben: User, now: dt.datetime
) -> None:
    row = after_an_outage(turn, now)
    assert hook("extended", ben) is not None
    Decision.objects.filter(pk=row.pk).update(is_sealed=True)
    assert hook("extended", ben) is None


def test_who_could_not_be_told_is_given_more_time_and_told_so(turn: Decision, ben: User, now: dt.datetime) -> None:
    assert turn.due_at is not None
    late = turn.due_at + dt.timedelta(days=1)
    while deadlines.expire_one(late):
        pass
    assert Extension.objects.filter(decision=turn, reason=Extension.Reason.OUTAGE).exists()
    assert mail("extended", ben).subject == "Thursday: your deadline was moved"
