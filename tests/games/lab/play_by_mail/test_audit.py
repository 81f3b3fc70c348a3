"""Each way in which a run can be wrong is a sentence of the audit."""

from collections import Counter
from email.message import EmailMessage

import msgspec
import pytest

from games.lab.play_by_mail.audit import StoredDecision, StoredDelivery, StoredGame, StoredMove, StoredSeat, audit
from games.lab.play_by_mail.person import ReceivedEmail, RunRecord

ANNA, BEN = "anna@example.org", "ben@example.org"


def email(address, number, about=""):
    message = EmailMessage()
    message["Message-ID"], message["Subject"] = f"<{number}@example.org>", f"mail {number}"
    message.set_content(f"http://localhost/act/{about}/{'a' * 26}/\n" if about else "words\n")
    return ReceivedEmail.read(address, message.as_bytes())


def decision(ref, seat, code):
    return StoredDecision(ref, seat, code, "answered", is_sealed=False, is_automatic=False)


def mail(kind, ref, address, number):
    return StoredDelivery(kind, f"decision:{ref}", address, f"<{number}@example.org>", "accepted", "")


@pytest.fixture
def facts():
    """Anna answered; Ben was passed at the deadline, and told."""
    return StoredGame(
        ref="game",
        status="finished",
        ending="complete",
        winners=["Anna"],
        seats=[StoredSeat(0, "Anna", ANNA, "", "active"), StoredSeat(1, "Ben", BEN, "", "active")],
        decisions=[decision("one", 0, "r1-a"), decision("two", 1, "r1-b")],
        moves=[
            StoredMove(1, "start", None, "", "advance"),
            StoredMove(2, "answer", 0, "r1-a", "link"),
            StoredMove(3, "answer", 1, "r1-b", "deadline"),
        ],
        mails=[mail("due", "one", ANNA, 1), mail("due", "two", BEN, 2), mail("passed", "two", BEN, 3)],
        extensions={},
    )


@pytest.fixture
def record():
    return RunRecord(
        answered=Counter({"one": 1}),
        missed={"two"},
        emails=[email(ANNA, 1, "one"), email(BEN, 2, "two"), email(BEN, 3)],
    )


def test_a_run_in_which_all_is_well_has_no_faults(facts, record):
    assert audit(facts, record) == []


def test_a_game_without_a_winner_is_a_fault(facts, record):
    facts.status, facts.winners = "running", []
    assert "the game is running" in audit(facts, record)[0]


def test_a_gap_in_the_log_is_a_fault(facts, record):
    facts.moves[2].seq = 4
    assert audit(facts, record) == ["the log has gaps"]


def test_an_acknowledged_answer_that_is_not_in_the_log_is_a_fault(facts, record):
    record.answered["one"] = 2
    assert "2 answers acknowledged, 1 in the log" in audit(facts, record)[0]


def test_an_answer_in_the_log_that_nobody_gave_is_a_fault(facts, record):
    record.answered.clear()
    assert "0 answers acknowledged, 1 in the log" in audit(facts, record)[0]


def test_a_decision_answered_twice_is_a_fault(facts, record):
    facts.moves.append(StoredMove(4, "answer", 1, "r1-b", "deadline"))
    assert "r1-b of seat 1 was answered 2 times" in audit(facts, record)


def test_a_sealed_answer_may_be_replaced(facts, record):
    facts.decisions[0].is_sealed = True
    facts.moves.append(StoredMove(4, "answer", 0, "r1-a", "link"))
    record.answered["one"] = 2
    assert audit(facts, record) == []


def test_a_person_who_was_never_asked_is_a_fault(facts, record):
    facts.mails[0] = msgspec.structs.replace(facts.mails[0], state="stale", reason="answered")
    del record.emails[0]
    assert "its player was never asked (stale answered)" in audit(facts, record)[0]


def test_two_mails_that_ask_the_same_are_a_fault(facts, record):
    facts.mails.append(mail("due", "one", ANNA, 4))
    record.emails.append(email(ANNA, 4, "one"))
    assert audit(facts, record) == ["r1-a of seat 0: 2 mails were written to ask it"]


def test_a_mail_that_came_twice_is_a_fault_unless_processes_were_killed(facts, record):
    assert record.keep(email(ANNA, 9)) is True
    assert record.keep(email(ANNA, 9)) is False
    record.emails.pop()
    assert audit(facts, record) == ["the mail <9@example.org> came twice"]
    assert audit(facts, record, repeats_allowed=True) == []


def test_a_mail_that_never_arrived_is_a_fault(facts, record):
    del record.emails[2]
    assert audit(facts, record) == [f"the passed mail to {BEN} was sent and never arrived"]


def test_a_mail_that_nobody_owed_is_a_fault(facts, record):
    record.emails.append(email(ANNA, 7))
    assert audit(facts, record) == [f"nobody owed {ANNA} the mail 'mail 7'"]


def test_a_mail_still_waiting_is_a_fault(facts, record):
    facts.mails[2].state = "waiting"
    assert audit(facts, record) == [f"the passed mail to {BEN} is waiting: "]


def test_passing_somebody_who_let_nothing_pass_is_a_fault(facts, record):
    record.missed.clear()
    assert audit(facts, record) == ["r1-b of seat 1 was passed though its player answered, or was never asked"]


def test_passing_somebody_without_telling_him_is_a_fault(facts, record):
    del facts.mails[2], record.emails[2]
    assert audit(facts, record) == ["r1-b of seat 1: no mail, or more than one, says that it was passed"]


def test_an_answer_that_came_too_late_for_no_reason_is_a_fault(facts, record):
    record.answered.clear()
    record.late.add("one")
    assert "r1-a of seat 0: its player was told it was closed, but no deadline had passed" in audit(facts, record)


def test_what_was_done_unasked_must_be_in_the_log_and_may_put_a_question_off(facts, record):
    facts.mails.append(mail("due", "one", ANNA, 9))
    record.emails.append(email(ANNA, 9, "one"))
    assert audit(facts, record) == ["r1-a of seat 0: 2 mails were written to ask it"]
    facts.moves.append(StoredMove(4, "answer", 1, "r1-declared-1", "link", "play_spy"))
    assert "0 things were done unasked, 1 are in the log" in audit(facts, record)
    record.unasked = 1
    assert audit(facts, record) == []


def test_a_mail_that_is_to_go_out_later_is_no_fault_and_one_that_should_have_gone_is(facts, record):
    late = msgspec.structs.replace(mail("orders", "one", ANNA, 8), state="waiting")
    facts.mails.append(late)
    assert audit(facts, record) == ["the orders mail to anna@example.org is waiting: "]
    facts.mails[-1] = msgspec.structs.replace(late, is_due=False)
    assert audit(facts, record) == []
