"""Moderators by the API: the same acts as on the admin site, for tokens that are good for them alone."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from games.models import Game, ModerationEntry, User
from games.moderation import reports, tables
from games.people import staff
from games.play import table_talk
from notifications.clock import present
from notifications.models import DeliveryState
from tests.games.api.conftest import Program
from tests.games.conftest import answer, deliveries, fresh, open_rows, seat_of

Programs = Callable[[User], Program]
WHY = {"reason": "Because of the storm."}


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    with present.going_by(lambda: now):
        yield


@pytest.fixture
def eva(db: None) -> User:
    """A moderator who sits at no table."""
    return staff.make_moderator("eva@example.org")


@pytest.fixture
def evas(eva: User) -> Program:
    """Her program."""
    return Program.with_scopes(eva, "moderate", "play")


def acts(game: Game, ben: User) -> dict[str, dict[str, Any]]:
    """Every act on a game with a body that is good."""
    number = seat_of(game, ben).number
    return {
        "nudge": {}, "extend": {"hours": 5}, "pause": {"until": None}, "resume": {}, "force": {}, "release": {},
        "mail_again": {"seat": number}, "to_bot": {"seat": number, "bot": "greedy"},
        "give_back": {"seat": number}, "replace": {"seat": number, "address": "david@example.org"},
        "roll_back": {"step": 1}, "sandbox": {"step": 1, "seat": number}, "look": {"seat": number}, "cancel": {},
    }  # fmt: skip


def do(program: Program, act: str, ref: str, status: int = 200, **fields: Any) -> Any:
    """What an act is answered with."""
    return program.post("moderation/acts/", {"act": act, "ref": ref, **WHY, **fields}, status)


def test_a_moderator_needs_the_right_and_the_scope(
    game: Game, annas: Program, anna: User, ben: User, eva: User, program: Programs
) -> None:
    without_right, without_scope = Program.with_scopes(anna, "moderate"), program(eva)
    for held in (without_right, without_scope, annas):
        for path in (
            "queue/",
            f"games/{game.ref}/",
            f"games/{game.ref}/forecast/",
            "people/?q=ben",
            f"people/{ben.ref}/",
        ):
            assert held.get(f"moderation/{path}", 403)["code"] == "forbidden"
        for name, body in acts(game, ben).items():
            do(held, name, game.ref, 403, **body)
        for name in ("warn", "suspend"):
            do(held, name, ben.ref, 403)
    assert not ModerationEntry.objects.exists()


def test_nobody_moderates_the_game_he_plays(game: Game, anna: User, ben: User) -> None:
    staff.make_moderator(anna.email)
    held = Program.with_scopes(User.objects.get(pk=anna.pk), "moderate")
    held.get(f"moderation/games/{game.ref}/", 409)
    for path in ("forecast", "steps", "steps/1/learned"):
        held.get(f"moderation/games/{game.ref}/{path}/", 409)
    for name, body in acts(game, ben).items():
        do(held, name, game.ref, 409 if name != "look" else 403, **body)
    assert not ModerationEntry.objects.exists()


def test_every_act_on_a_game_is_written_down(game: Game, evas: Program, ben: User, david: User) -> None:
    steps = acts(game, ben)
    order = ["nudge", "extend", "mail_again", "pause", "resume", "to_bot", "give_back", "replace", "force", "cancel"]
    for name in order:
        entry = do(evas, name, game.ref, **steps[name])["entry"]
        assert (entry["action"], entry["actor"], entry["reason"]) == (name, "eva", WHY["reason"])
    shown = evas.get(f"moderation/games/{game.ref}/")["entries"]
    assert [row["action"] for row in shown] == order[::-1]
    assert (fresh(game).status, seat_of(game, david).user) == ("closed", david)
    do(evas, "release", game.ref, 409)
    do(evas, "look", game.ref, 403, seat=0)
    do(evas, "nudge", game.ref, 422, reason="")
    do(evas, "nudge", "nosuchgame12", 404)
    for unknown in ("nonsense", "", None, 5, ["nudge"]):
        assert evas.post("moderation/acts/", {"act": unknown, "ref": game.ref}, 422)["errors"][0]["field"] == "act"


def test_an_act_takes_its_own_fields_and_no_others(game: Game, evas: Program) -> None:
    assert do(evas, "nudge", game.ref, 422, hours=5)["errors"][0]["field"] == "hours"
    assert do(evas, "extend", game.ref, 422)["errors"][0]["field"] == "hours"
    assert do(evas, "extend", game.ref, 422, hours="5")["errors"][0]["field"] == "hours"
    assert do(evas, "note", game.ref)["entry"] is None and game.moderator_notes.get().text == WHY["reason"]


def test_a_game_is_taken_back_after_one_has_read_what_it_means(placing: Game, evas: Program, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    answer(placing, row, now)
    path = f"moderation/games/{placing.ref}/"
    first = evas.get(f"{path}steps/")["items"][0]
    assert evas.get(f"{path}steps/{first['number']}/learned/")["lines"]
    assert evas.get(f"{path}forecast/")["defaults"]
    done = do(evas, "roll_back", placing.ref, step=first["number"])
    assert done["entry"]["action"] == "roll_back" and fresh(placing).branch == 1
    do(evas, "roll_back", placing.ref, 409, step=999)
    sandbox = evas.get(f"games/{do(evas, 'sandbox', placing.ref, step=1, seat=0)['sandbox_ref']}/")
    assert (sandbox["seat"], sandbox["paused_by"]) == (0, "sandbox")


def test_what_a_moderator_reads_is_what_everybody_may_know(game: Game, evas: Program) -> None:
    shown = evas.get(f"moderation/games/{game.ref}/")["game"]
    assert shown["seat"] is None and shown["fairness"]["server_seed"] is None and shown["join_url"] is None
    assert shown["view"]["hand"] is None


def test_a_hand_is_shown_to_who_was_given_the_right_and_the_look_is_written_down(
    game: Game, evas: Program, eva: User
) -> None:
    eva.user_permissions.add(Permission.objects.get(codename="look_at_hands"))
    seen = do(evas, "look", game.ref, seat=1)["hand"]
    assert seen["seat"] == 1 and seen["board"]
    assert [row.action for row in ModerationEntry.objects.all()] == ["look"]
    do(evas, "look", game.ref, 404, seat=9)


def test_a_report_is_queued_and_settled(game: Game, evas: Program, anna: User, now: dt.datetime) -> None:
    row = reports.file_report(game=game, by=anna, text="He shouts.", now=now)
    (queued,) = evas.get("moderation/queue/")["reports"]
    assert (queued["ref"], queued["text"], queued["game_ref"]) == (row.ref, "He shouts.", game.ref)
    do(evas, "settle", row.ref, outcome="acted")
    assert evas.get("moderation/queue/")["reports"] == []
    do(evas, "settle", row.ref, 409, outcome="acted")
    do(evas, "settle", "nothing12345", 404, outcome="acted")
    do(evas, "settle", row.ref, 422)


def test_a_message_that_was_given_up_is_named_by_chance_and_tried_again(game: Game, evas: Program) -> None:
    """The number of its row would count the notices of the house, those that are hidden among them."""
    row = deliveries().filter(notice__kind="started", channel="mail")[0]
    deliveries().filter(pk=row.pk).update(state=DeliveryState.QUARANTINED, attempt_after=None)
    (queued,) = evas.get("moderation/queue/")["given_up"]
    assert f"<{queued['message_id']}@" in row.message_id and "number" not in queued
    do(evas, "try_again", str(row.pk), 404)
    do(evas, "try_again", queued["message_id"])
    row.refresh_from_db()
    assert row.state == DeliveryState.WAITING


def test_people_are_found_warned_silenced_and_closed_out(
    game: Game, evas: Program, ben: User, program: Programs, now: dt.datetime
) -> None:
    bens = program(ben)
    for wish in ("ben@example.org", ben.ref, "Ben"):
        assert [row["ref"] for row in evas.get(f"moderation/people/?q={wish}")["items"]] == [ben.ref]
    path, later = f"moderation/people/{ben.ref}/", (now + dt.timedelta(days=2)).isoformat()
    do(evas, "warn", ben.ref)
    do(evas, "mute", ben.ref, until=later)
    assert evas.get(path)["silent_until"]
    assert bens.post(f"games/{game.ref}/talk/", {"text": "Hello"}, 403)["code"] == "forbidden"
    do(evas, "unmute", ben.ref)
    do(evas, "suspend", ben.ref)
    assert evas.get(path)["is_open"] is False
    bens.get("me/", 403)
    do(evas, "lift", ben.ref)
    shown = evas.get(path)
    assert shown["is_open"] and [row["action"] for row in shown["entries"]] == [
        "lift", "suspend", "unmute", "mute", "warn",
    ]  # fmt: skip
    assert table_talk.say(game_id=game.pk, user=ben, text="Hello", now=now)
    evas.get("moderation/people/nobody123456/", 404)
    do(evas, "hook_off", "nothing12345", 404)


def test_a_moderator_reads_of_nobody_who_looked_at_his_hand_at_their_own_table(
    placing: Game, ben: User, carla: User, now: dt.datetime
) -> None:
    tables.reveal_hand(game=placing, seat=seat_of(placing, ben).number, by=staff.make_administrator("eva@example.org"),
               reason="He asked for it.", now=now)  # fmt: skip
    staff.make_moderator(carla.email)
    for user, is_told in ((User.objects.get(pk=carla.pk), False), (staff.make_moderator("frida@example.org"), True)):
        seen = Program.with_scopes(user, "moderate").get(f"moderation/people/{ben.ref}/")["entries"]
        assert bool(seen) == is_told
