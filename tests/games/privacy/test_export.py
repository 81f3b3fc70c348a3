"""A person's copy has everything that is kept of him, and nothing that is another's."""

import datetime as dt
import json
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from games.errors import TooMany
from games.models import Game, Move, User
from games.privacy import personal_data as export
from games.privacy.personal_data import PERSONAL_DATA
from notifications import privacy
from tests.games.conftest import answer, open_rows, seat_of
from tests.games.privacy.conftest import SECRET_URL

DAY = dt.timedelta(days=1)
# Nothing in these leads to a person, or only by a seat, whose row is in the copy.
OF_NOBODY = {
    "admin.LogEntry": "",  # told under changes_on_the_admin_site, by whom
    "auth.Group": "rights of staff",
    "auth.Permission": "rights of staff",
    "account.EmailConfirmation": "keys of a kind of mail that is not sent",
    "contenttypes.ContentType": "names of tables",
    "games.Decision": "what the game asked a seat; the answers are in the copy",
    "games.Extension": "a deadline of the table that moved",
    "games.Heartbeat": "the service's own",
    "games.RequestCount": "the service's own",
    "games.Outage": "the service's own",
    "games.SettingsChange": "what was agreed at a table",
    "games.PackedActor": "leads to his moves, which are in the copy",
    "games.PackedLog": "the log of the table; his moves are in the copy",
    "games.Receipt": "is gone when the answer is dealt with",
    "games.Snapshot": "a state of the table",
    "games.TournamentRound": "of the tournament; who sat where is in the copy",
    "games.TournamentTable": "of the tournament; who sat where is in the copy",
    "notifications.ChannelHealth": "the service's own",
    "notifications.PushService": "which host of others is in trouble",
    "otp_totp.TOTPDevice": "the table of games.SealedTOTPDevice",
    "sessions.Session": "is empty: games.Session stands in its place",
}


def copy_for(user: User, now: dt.datetime) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(export.give(user=user, now=now))
    return copied


def test_every_table_is_told_of_or_is_nobodys(busy_ben: User) -> None:
    told: dict[type[Model], set[str]] = {}
    for holding in PERSONAL_DATA:
        model = holding.find(busy_ben).model
        told.setdefault(model, set()).update(holding.columns(model))
    for other in privacy.PERSONAL_DATA:
        model = other.find(busy_ben.recipient).model
        told.setdefault(model, set()).update(other.columns(model))
    untold = {model._meta.label for model in apps.get_models()} - {model._meta.label for model in told}
    assert untold <= set(OF_NOBODY)
    for model, columns in told.items():
        assert {field.name for field in model._meta.concrete_fields} == columns, model


def test_the_copy_has_something_of_everything(busy_ben: User, now: dt.datetime) -> None:
    copied = copy_for(busy_ben, now)
    empty = {name for name, rows in copied.items() if rows == []}
    assert empty == {
        "acts_as_host_or_moderator", "anonymous_requests",
        "blocked", "changes_on_the_admin_site", "ends_of_orders", "invitations_received",
        "read_until", "reviews_asked", "table_mail_settings", "why_no_mail", "wish_to_leave",
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
    text = export.give(user=busy_ben, now=now)
    hidden = [SECRET_URL, busy_ben.password, placing.server_seed, placing.chain]
    hidden += [busy_ben.api_tokens.get().digest, busy_ben.sign_ins.all()[0].mark, "eva@example.org"]
    assert [secret for secret in hidden if secret in text] == []


def test_its_owner_is_told_and_may_have_three_a_day(ben: User, now: dt.datetime) -> None:
    for _time in range(export.MOST_A_DAY):
        export.give(user=ben, now=now)
    with pytest.raises(TooMany):
        export.give(user=ben, now=now)
    assert ben.recipient.notices.filter(kind="copy_taken").count() == export.MOST_A_DAY
    assert export.give(user=ben, now=now + DAY + dt.timedelta(seconds=1))
