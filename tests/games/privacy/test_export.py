"""A person's copy has everything that is kept of him, and nothing that is another's."""

import datetime as dt
import json
from typing import Any

import pytest

from games.errors import TooMany
from games.models import Game, Move, User
from games.play.models import Note
from games.privacy import personal_data, retention
from notifications.privacy import PersonalData
from tests.games.conftest import answer, open_rows, seat_of
from tests.games.privacy.conftest import SECRET_URL

pytestmark = [pytest.mark.slow, pytest.mark.both]
DAY = dt.timedelta(days=1)


def copy_for(user: User, now: dt.datetime) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(personal_data.give(user=user, now=now))
    return copied


def test_a_table_or_a_column_that_nobody_accounts_for_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert retention.check_tables() == []
    without_notes = [table for table in retention.TABLES if table.name != "notes"]
    monkeypatch.setattr(retention, "TABLES", without_notes)
    assert [error.msg for error in retention.check_tables()] == ["games.Note: it isn't said what becomes of its rows"]
    hasty = PersonalData[Any]("notes", Note, "user", ("text",))
    monkeypatch.setattr(retention, "TABLES", [*without_notes, hasty])
    (error,) = retention.check_tables()
    assert "changed_at" in error.msg


def test_the_copy_has_something_of_everything(busy_ben: User, now: dt.datetime) -> None:
    copied = copy_for(busy_ben, now)
    empty = {name for name, rows in copied.items() if rows == []}
    assert empty == {
        "acts_as_host_or_moderator", "anonymous_requests", "beaten_bots",
        "blocked", "changes_on_the_admin_site", "ends_of_orders", "invitations_received",
        "read_until", "reviews_asked", "table_mail_settings", "told_of_what_is_over", "why_no_mail", "wish_to_leave",
        "written_code_sheets", "written_codes",
    }  # fmt: skip
    assert copied["account"][0]["email"] == "ben@example.org"
    assert copied["said_at_tables"][0]["text"] == "I am Ben and I say so"
    assert copied["notes"][0]["text"] == "Anna bluffs"


def test_of_the_moves_he_has_his_own_answers_and_of_no_other_seat(
    placing: Game, busy_ben: User, now: dt.datetime
) -> None:
    moves = copy_for(busy_ben, now)["moves"]
    assert moves
    assert {move["seat"] for move in moves} == {seat_of(placing, busy_ben).number}
    assert all(move["action"]["type"] for move in moves)
    assert placing.moves.count() > len(moves)


def test_what_he_decided_for_others_as_a_moderator_is_not_in_his_copy(game: Game, ben: User, now: dt.datetime) -> None:
    answer(game, open_rows(game)[0], now, source=Move.Source.MODERATOR, actor=ben)
    assert copy_for(ben, now)["moves"] == []


def test_no_key_no_seed_and_no_hash_is_in_it(placing: Game, busy_ben: User, now: dt.datetime) -> None:
    text = personal_data.give(user=busy_ben, now=now)
    hidden = [SECRET_URL, busy_ben.password, placing.server_seed, placing.chain]
    hidden += [busy_ben.api_tokens.get().digest, busy_ben.sign_ins.all()[0].mark, "eva@example.org"]
    assert [secret for secret in hidden if secret in text] == []


def test_its_owner_is_told_and_may_have_three_a_day(ben: User, now: dt.datetime) -> None:
    for _time in range(personal_data.MOST_A_DAY):
        personal_data.give(user=ben, now=now)
    with pytest.raises(TooMany):
        personal_data.give(user=ben, now=now)
    assert ben.recipient.notices.filter(kind="copy_taken").count() == personal_data.MOST_A_DAY
    assert personal_data.give(user=ben, now=now + DAY + dt.timedelta(seconds=1))
