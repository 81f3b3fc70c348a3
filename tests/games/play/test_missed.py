"""A missed sheet costs nobody else time (A21, A99): played as proposed, forfeited, or asked on, one miss each time."""

import datetime as dt
import json

import pytest

from games.models import Decision, Game, Move, Seat, User
from games.play import deadlines, history, proposals, queries
from notifications.models import Notice
from tests.games.conftest import answer, fresh, new_table, open_rows, propose_all, row_of, settle
from tests.games.letters.conftest import composed, mail
from tests.games.play.test_deadlines import told

pytestmark = [pytest.mark.slow, pytest.mark.both]
DAY = dt.timedelta(days=1)


def miss(game: Game, missed: str, user: User, now: dt.datetime) -> Decision:
    """This person alone misses his sheet; the others have given theirs as proposed. No miss is excused."""
    Game.objects.filter(pk=game.pk).update(missed=missed, is_first_miss_excused=False)
    propose_all(now)
    mine = row_of(game, user)
    for row in open_rows(fresh(game)):
        told(row, now)
        if row.pk != mine.pk:
            shown = proposals.load(row)
            assert shown is not None
            answer(game, row, now, json.loads(shown.answer))
    assert deadlines.expire_one(now + DAY)
    assert not deadlines.expire_one(now + DAY)
    settle(now + DAY)
    mine.refresh_from_db()
    return mine


def misses_of(game: Game, user: User) -> int:
    """How many deadlines in a row he has missed."""
    return Seat.objects.get(game=game, user=user).misses


def asked_of(game: Game, user: User) -> list[str]:
    """The kinds of what he is asked now."""
    return [row.kind for row in open_rows(fresh(game)) if row.seat.user == user]


def test_a_missed_sheet_is_played_as_proposed_for_the_whole_round_as_one_miss(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    row = miss(proposing, "proposal", ben, now)
    move = proposing.moves.get(decision=row.code, seat=row.seat.number)
    shown = proposals.load(row)
    assert shown is not None
    rules = proposing.rules
    assert move.source == Move.Source.DEADLINE
    assert move.action == rules.dump_action(rules.parse(json.loads(shown.answer))).decode()
    assert misses_of(proposing, ben) == 1
    assert "place" not in asked_of(proposing, ben)


def test_the_letter_about_a_missed_sheet_says_what_was_played(proposing: Game, ben: User, now: dt.datetime) -> None:
    Game.objects.filter(pk=proposing.pk).update(missed="proposal")
    assert "If you do nothing, the proposal is played." in mail("due", ben).text
    miss(proposing, "proposal", ben, now)
    letter = composed("passed", ben)
    assert "The proposal was played for you:" in letter.text
    assert "Place a token face down: " in letter.text


def test_what_was_played_for_somebody_is_in_his_letter_alone_and_in_no_row_that_staff_reads(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    miss(proposing, "proposal", ben, now)
    notice = Notice.objects.get(kind="passed")
    assert notice.data == {"is_proposal": True}
    assert notice.recipient == ben.recipient


def test_a_round_left_to_the_defaults_is_forfeited_whole_as_one_miss_a21_a99(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    Game.objects.filter(pk=proposing.pk).update(missed="default")
    letter = mail("due", ben)
    assert "This round is played without you: none of your tokens is placed" in letter.text
    row = miss(proposing, "default", ben, now)
    assert proposing.moves.get(decision=row.code, seat=row.seat.number).action == '{"type":"sheet_nothing"}'
    assert misses_of(proposing, ben) == 1
    assert asked_of(proposing, ben) in ([], ["sheet"]), "nothing more of this round"
    told_to_all = queries.Access(fresh(proposing), None)
    assert not any("Ben places" in line.text for line in history.log_lines(told_to_all))
    assert "This round is played without you" in composed("passed", ben).text


def test_where_the_table_asks_on_a_missed_sheet_is_empty_and_each_token_is_asked(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    row = miss(proposing, "ask", ben, now)
    assert json.loads(proposing.moves.get(decision=row.code, seat=row.seat.number).action)["type"] == "sheet"
    assert asked_of(proposing, ben) == ["place"]


def test_where_nothing_can_be_proposed_the_default_stands_in(
    proposing: Game, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.filter(pk=proposing.pk).update(proposals="off")
    monkeypatch.setattr(proposals, "load_or_make", lambda *_arguments: None)
    monkeypatch.setattr(proposals, "load", lambda row: None)
    Game.objects.filter(pk=proposing.pk).update(missed="proposal", is_first_miss_excused=False)
    row = row_of(proposing, ben)
    for one in open_rows(proposing):
        told(one, now)
    while deadlines.expire_one(now + DAY):
        pass
    assert json.loads(proposing.moves.get(decision=row.code, seat=row.seat.number).action)["type"] == "sheet"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "proposal"),
        ({"proposals": "off"}, "ask"),
        ({"is_listed": True}, "ask"),
        ({"missed": "default"}, "default"),
        ({"proposals": "off", "missed": "proposal"}, "proposal"),
    ],
    ids=["friends", "without proposals", "rated", "chosen", "proposed only then"],
)
def test_a_missed_deadline_plays_the_proposal_where_there_are_any_unless_the_host_says_otherwise(
    anna: User, now: dt.datetime, changes: dict[str, object], expected: str
) -> None:
    assert new_table(anna, now, **{"proposals": "", "missed": "", **changes}).missed == expected
