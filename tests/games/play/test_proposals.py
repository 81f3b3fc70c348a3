"""Proposals: one sealed answer for each question, made by a worker, shown to its player, accepted as it was shown."""

import datetime as dt
import json
from copy import copy

import msgspec
import pytest

from engine.core import Proposal, Text
from games.errors import Conflict
from games.models import Decision, Game, SealedProposal, User
from games.moderation import repair
from games.play import absences, proposals, queries
from games.play.standing_orders import give
from tests.games.conftest import answer, fresh, new_table, open_rows, propose_all, row_of, seat_of, settle


def accept(row: Decision, mark: str) -> object:
    """What its player would play who accepts this proposal."""
    return proposals.accepted(queries.Access(fresh(row.game), row.seat), row.code, mark)


def test_a_worker_proposes_one_answer_to_each_question_of_a_person(proposing: Game, now: dt.datetime) -> None:
    propose_all(now)
    made = SealedProposal.objects.filter(decision__in=open_rows(proposing))
    assert made.count() == 3
    assert all(json.loads(one.answer)["type"] == "sheet" for one in made)
    assert not proposals.make_one(now)
    propose_all(now)
    assert SealedProposal.objects.filter(decision__in=open_rows(proposing)).count() == 3


def test_who_accepts_a_proposal_plays_what_he_was_shown(proposing: Game, ben: User, now: dt.datetime) -> None:
    propose_all(now)
    row = row_of(proposing, ben)
    shown = proposals.load(row)
    assert shown is not None
    move = answer(proposing, row, now, accept(row, shown.mark))
    rules = proposing.rules
    assert move.action == rules.dump_action(rules.parse(json.loads(shown.answer))).decode()


LASTING = {"kind": "camel", "answers": [{"type": "leave_camel"}], "stays": True}
"""An order that its player has given for longer than a round."""


def test_orders_given_for_longer_than_a_round_stay_when_a_sheet_is_accepted(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    seat = seat_of(proposing, ben).number
    give(game_id=proposing.pk, seat=seat, raw={"orders": [LASTING]}, source="web", now=now, actor=ben)
    propose_all(now)
    row = row_of(proposing, ben)
    shown = proposals.load(row)
    assert shown is not None
    answer(proposing, row, now, accept(row, shown.mark))
    game = fresh(proposing)
    orders = game.rules.orders(game.load_state(), seat).orders
    assert (orders[-1].kind, orders[-1].stays, orders[-1].until) == ("camel", True, "")
    assert len(orders) == len(json.loads(shown.answer)["orders"]) + 1


def test_a_sheet_is_accepted_without_lasting_orders_that_contradict_it(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    seat = seat_of(proposing, ben).number
    nine = {"kind": "place", "answers": [{"type": "place", "token": 9, "space": "guard"}]}
    give(game_id=proposing.pk, seat=seat, raw={"orders": [nine]}, source="web", now=now, actor=ben)
    propose_all(now)
    row = row_of(proposing, ben)
    shown = proposals.load(row)
    assert shown is not None
    assert accept(row, shown.mark) == json.loads(shown.answer)


def test_a_state_that_cannot_be_read_is_left_to_the_move_that_is_made_in_it(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    propose_all(now)
    row = row_of(proposing, ben)
    shown = proposals.load(row)
    assert shown is not None
    Game.objects.filter(pk=proposing.pk).update(state="{}")
    assert accept(row, shown.mark) == json.loads(shown.answer)


def test_no_proposal_is_made_in_the_request_that_answers(proposing: Game, ben: User, now: dt.datetime) -> None:
    before = SealedProposal.objects.count()
    row = row_of(proposing, ben)
    answer(proposing, row, now)
    assert SealedProposal.objects.count() == before


def test_there_is_none_where_the_table_has_none_nor_for_bots(game: Game, anna: User, now: dt.datetime) -> None:
    assert not proposals.make_one(now)
    assert not any(row.wants_proposal for row in open_rows(game))


def test_two_who_make_it_at_once_store_it_once(
    proposing: Game, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, other = row_of(proposing, ben), row_of(proposing, ben)
    first = proposals.load_or_make(row, now)
    with monkeypatch.context() as patch:
        patch.setattr(proposals, "_of", lambda key: [])
        proposals.load_or_make(other, now)
    assert first is not None
    again = proposals.load(row)
    assert again is not None
    assert again.mark == first.mark


def test_rules_that_fail_to_propose_leave_the_question_without(
    proposing: Game, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(view: object, question: object) -> Proposal:
        raise ZeroDivisionError

    monkeypatch.setattr(type(proposing.rules), "propose", lambda self, view, question: fail(view, question))
    propose_all(now)
    row = row_of(proposing, ben)
    assert proposals.load(row) is None
    assert "No answer could be proposed" in caplog.text
    answer(proposing, row, now)


def test_an_illegal_proposal_is_none(
    proposing: Game, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Proposal({"type": "plan_nothing"}, Text("x"))
    monkeypatch.setattr(type(proposing.rules), "propose", lambda self, view, question: made)
    propose_all(now)
    assert proposals.load(row_of(proposing, ben)) is None


def test_a_proposal_for_another_position_is_refused_after_a_roll_back(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    propose_all(now)
    shown = proposals.load(row_of(proposing, ben))
    assert shown is not None
    for row in open_rows(proposing):
        answer(proposing, row, now, {"type": "sheet", "windows": "quiet", "tally": "later"})
    settle(now)
    moderator = User.objects.create_superuser("eva@example.org", name="Eva")
    repair.roll_back(game=fresh(proposing), step=1, by=moderator, reason="why", now=now)
    row = Decision.objects.select_related("game", "seat").get(pk=shown.decision_id)
    row.seat.game = row.game
    with pytest.raises(Conflict, match="Look at the question again"):
        accept(row, shown.mark)


def test_a_new_player_of_the_seat_is_proposed_anew_and_the_former_one_nothing(
    proposing: Game, ben: User, david: User, now: dt.datetime
) -> None:
    propose_all(now)
    row = row_of(proposing, ben)
    shown = proposals.load(row)
    assert shown is not None
    Game.objects.filter(pk=proposing.pk).update(absent_seats="takeover")
    seat = seat_of(proposing, ben)
    absences.leave(absences.locked_seat(seat.pk), now)
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    row = row_of(proposing, david)
    assert proposals.load(row) is None
    with pytest.raises(Conflict):
        accept(row, shown.mark)
    propose_all(now)
    again = proposals.load(row_of(proposing, david))
    assert again is not None
    assert again.mark != shown.mark


def test_the_mark_tells_nothing_of_how_many_rows_there_are(proposing: Game, ben: User, now: dt.datetime) -> None:
    """Questions that others' orders answer unseen have rows as well."""
    proposal = proposals.load_or_make(row_of(proposing, ben), now)
    assert proposal is not None
    other = copy(proposal)
    other.decision = copy(proposal.decision)
    other.decision.pk += 1000
    assert other.mark == proposal.mark


def test_the_mark_names_what_was_proposed_and_to_whom(proposing: Game, ben: User, now: dt.datetime) -> None:
    propose_all(now)
    shown = proposals.load(row_of(proposing, ben))
    assert shown is not None
    mark, reason = shown.mark, msgspec.json.decode(shown.reason)
    shown.reason = msgspec.json.encode({**reason, "code": "other"}).decode()
    assert shown.mark != mark


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "on"),
        ({"is_listed": True}, "off"),
        ({"is_listed": True, "allows_own_bots": True}, "on"),
        ({"is_listed": True, "proposals": "on"}, "on"),
        ({"proposals": "off"}, "off"),
    ],
    ids=["friends", "rated", "listed but not rated", "rated and wanted", "unwanted"],
)
def test_proposals_are_on_unless_the_game_is_rated_or_the_host_says_otherwise(
    anna: User, now: dt.datetime, changes: dict[str, object], expected: str
) -> None:
    assert new_table(anna, now, **{"proposals": "", **changes}).proposals == expected
