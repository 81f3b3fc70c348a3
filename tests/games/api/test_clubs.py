"""Friends and clubs by API, and what a program is told of a player."""

import datetime as dt
from typing import Any

from games.clubs import clubs
from games.lobby import bot_accounts
from games.models import Club, ClubInvitation, Friendship, Game, User
from games.people import friends
from notifications.models import Recipient
from tests.games.api.conftest import Program
from tests.games.archive.test_player_profile import answered, finish
from tests.games.archive.test_ratings import over, rate
from tests.games.clubs.founding import found


def test_friends_are_asked_accepted_and_ended(anna: User, ben: User) -> None:
    mine, his = Program.with_scopes(anna, "play"), Program.with_scopes(ben, "play")
    asked = mine.post("me/friends/", {"player_ref": ben.ref})
    assert [one["name"] for one in asked["sent"]] == ["Ben"]
    ref = his.get("me/friends/")["received"][0]["ref"]
    assert his.post(f"me/friends/{ref}/accept/")["friends"][0]["player_ref"] == anna.ref
    assert his.get(f"players/{anna.ref}/")["is_friend"]
    assert mine.delete(f"me/friends/{ref}/", 200) == {"friends": [], "received": [], "sent": []}
    mine.delete(f"me/friends/{ref}/", 404)
    mine.post("me/friends/", {"player_ref": "nobody"}, status=404)
    mine.post("me/friends/", {"player_ref": anna.ref}, status=409)
    mine.post("me/friends/", {}, status=422)
    assert not Friendship.objects.exists()


def test_a_bot_account_has_no_friends_and_no_clubs(anna: User, now: dt.datetime) -> None:
    bot = bot_accounts.create(owner=anna, name="Robo", is_for_all=True, now=now)
    robo = Program.with_scopes(bot, "play")
    robo.get("me/friends/")
    robo.post("me/friends/", {"player_ref": anna.ref}, status=403)
    robo.post("me/clubs/", {"name": "Machines"}, status=403)
    assert not Club.objects.exists()


def test_a_club_is_founded_joined_and_closed_and_its_table_is_for_members(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    mine, his, hers = (Program.with_scopes(one, "play") for one in (anna, ben, carla))
    club = mine.post("me/clubs/", {"name": "Lamp"}, status=201)
    assert mine.get("me/clubs/")["items"] == [{"ref": club["ref"], "name": "Lamp"}]
    path = f"clubs/{club['ref']}/"
    his.get(path, status=404)
    token = club["join_url"].rsplit("/", 2)[1]
    his.post(f"{path}join/{'a' * 26}/", status=404)
    assert [one["name"] for one in his.post(f"{path}join/{token}/")["members"]] == ["Anna", "Ben"]
    table = mine.post("games/", {"rules": "cave-of-wonders", "seat_count": 3, "club_ref": club["ref"]}, status=201)
    assert table["club_ref"] == club["ref"] and his.get(path)["tables"][0]["ref"] == table["ref"]
    hers.post(f"games/{table['ref']}/join/", {}, status=404)
    his.post(f"games/{table['ref']}/join/", {})
    public = {"rules": "cave-of-wonders", "seat_count": 3, "club_ref": club["ref"], "is_listed": True}
    mine.post("games/", public, status=422)
    hers.post("games/", public | {"is_listed": False}, status=404)
    his.put(path, {"name": "Stolen"}, status=403)
    mine.put(path, {"name": " "}, status=422)
    mine.post(f"{path}invitations/", {"address": "eva@example.org"}, status=204)
    assert mine.post(f"{path}hand-over/", {"player_ref": ben.ref})["owner_ref"] == ben.ref
    mine.delete(f"{path}membership/")
    mine.get(path, status=404)
    his.delete(path, status=409)  # somebody was invited today
    ClubInvitation.objects.update(created_at=now - dt.timedelta(days=2))
    his.delete(path)
    assert not Club.objects.exists() and Game.objects.get().club is None


def test_a_player_is_told_as_on_the_page(game: Game, anna: User, ben: User, now: dt.datetime) -> None:
    def told() -> Any:
        return Program.with_scopes(ben, "read").get(f"players/{anna.ref}/")

    answered(game, anna, [now] * 20)
    for _game in range(2):
        over([anna, ben])
    rate()
    before = told()
    assert (before["ratings"], before["hours"], before["reliability"]) == ([], [], None)
    assert before["head_to_head"] == {"games": 2, "ahead": 0, "behind": 2}
    finish(game, is_lesson=False)
    me = {"name": "Anna", "language": "en", "zone": "UTC", "is_ranked": True, "hours_shown": "friends"}
    changed = Program.with_scopes(anna, "account", "play").patch("me/", me | {"curve_shown": "nobody"})
    assert changed["hours_shown"] == "friends"
    stranger = told()
    assert stranger["reliability"] == {"asked": 20, "in_time": 20} and stranger["hours"] == []
    assert stranger["ratings"][0]["games"] == 2 and stranger["ratings"][0]["curve"] == []
    clubs.join(club=found(anna), user=ben, now=now)
    assert [part["often"] for part in told()["hours"]] == ["seldom", "seldom", "often", "seldom"]
    User.objects.filter(pk=anna.pk).update(curve_shown="friends")
    assert len(told()["ratings"][0]["curve"]) == 2 and not told()["is_friend"]
    friends.accept(user=anna, ref=friends.ask(user=ben, other=anna, now=now).ref, now=now)
    assert told()["is_friend"]


def test_the_weekly_summary_is_switched_on_by_its_own_field(ben: User) -> None:
    program = Program.with_scopes(ben, "account", "read")
    wanted = {"rhythm": "at_once", "daily_at": "08:00", "quiet_holds_all": False, "ways": "both", "muted": []}
    program.put("me/mail/", wanted, status=422)
    wanted |= {"wants_weekly": False}
    assert not program.put("me/mail/", wanted)["wants_weekly"]
    assert program.put("me/mail/", wanted | {"wants_weekly": True})["wants_weekly"]
    program.put("me/mail/", wanted | {"muted": ["weekly"]}, status=422)
    assert not program.put("me/mail/", wanted)["wants_weekly"]
    assert Recipient.objects.get(pk=ben.recipient_id).weekly_at is None
