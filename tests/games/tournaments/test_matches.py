"""Matches of bot accounts, without people: opened, played, counted, called off."""

import csv
import datetime as dt
import io
from collections.abc import Iterator

import pytest
from django.test import Client

from games.archive import finished_games, ratings
from games.errors import ServiceError
from games.lobby import bot_accounts
from games.models import Game, Match, Rating, User
from games.tournaments import matches
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.conftest import fresh, play_to_the_end

BODY = {"rules": "cave-of-wonders", "bots": ["Robo", "Ada"], "games": 2}


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    with present.going_by(lambda: now):
        yield


@pytest.fixture
def bots(anna: User, ben: User, now: dt.datetime) -> list[User]:
    """Robo is Anna's; Ada is Ben's, and every host may seat it."""
    robo = bot_accounts.create(owner=anna, name="Robo", is_for_all=False, now=now)
    ada = bot_accounts.create(owner=ben, name="Ada", is_for_all=True, now=now)
    for bot in (robo, ada):
        bot_accounts.renew_token(bot=bot, now=now)
    return [robo, ada]


def work(now: dt.datetime) -> None:
    """Takes every step that is due."""
    for _nth in range(20):
        if not matches.step_one(now):
            return
    raise AssertionError("it never ends")


def over(game: Game, winner: User, now: dt.datetime) -> None:
    """Ends a game; its winner is first."""
    seats = {seat.user_id: seat.number for seat in game.seats.all()}
    first = seats.pop(winner.pk)
    outcome = {"ranking": [first, *seats.values()], "winners": [first], "scores": [0, 0], "ending": "complete"}
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED, outcome=outcome, finished_at=now)


def test_a_match_is_played_and_its_results_are_a_table_and_a_download(
    anna: User, bots: list[User], now: dt.datetime
) -> None:
    robo, ada = bots
    annas = Program.with_scopes(anna, "play")
    made = annas.post("matches/", BODY, 201, idempotency_key="one")
    assert annas.post("matches/", BODY, 201, idempotency_key="one")["ref"] == made["ref"]
    assert (made["owner"], made["status"], made["pace"], made["played"]) == ("Anna", "running", "live", [])
    work(now)
    first, second = Match.objects.get().games.order_by("pk")
    assert {seat.user for seat in first.seats.all()} == {robo, ada} and first.status == Game.Status.RUNNING
    over(first, ada, now)
    over(second, ada, now)
    work(now + matches.LOOK_EVERY)
    shown = Client().get(f"/api/v1/public/matches/{made['ref']}/").json()
    assert shown["status"] == "finished" and shown == annas.get(f"matches/{made['ref']}/")
    assert [(row["name"], row["games"], row["wins"], row["beaten"], row["met"]) for row in shown["results"]] == [
        ("Ada", 2, 2, 2, 2),
        ("Robo", 2, 0, 0, 2),
    ]
    assert [game["number"] for game in shown["played"]] == [1, 2]
    rows = list(csv.DictReader(io.StringIO(matches.as_csv(Match.objects.get()))))
    assert len(rows) == 4 and {row["bot"]: row["place"] for row in rows} == {"Bot Robo": "2", "Bot Ada": "1"}
    assert Client().get("/api/v1/public/matches/").json()["items"][0]["ref"] == made["ref"]


def test_its_games_rate_bots_against_bots_and_stand_in_no_archive(
    anna: User, bots: list[User], now: dt.datetime
) -> None:
    plan = matches.MatchPlan(rules_name="cave-of-wonders", bots=["Robo", "Ada"], games=1)
    match = matches.open_match(owner=anna, plan=plan, now=now)
    work(now)
    over(match.games.get(), bots[0], now)
    later = now + 2 * ratings.SETTLED
    assert ratings.rate_one(later)
    points = dict(Rating.objects.values_list("user__name", "points"))
    assert points["Robo"] > points["Ada"] and set(points) == {"Robo", "Ada"}
    assert not finished_games.archived().exists() and not ratings.ranking("cave-of-wonders").exists()
    ratings.rate_all(later)
    assert dict(Rating.objects.values_list("user__name", "points")) == points
    bot_accounts.change(bot=bots[0], name="Robo", is_for_all=True)
    assert [bot.bot.name for bot in ratings.listed_bots("cave-of-wonders")] == ["Robo", "Ada"]


def test_bots_play_a_game_of_it_to_its_end(anna: User, bots: list[User], now: dt.datetime) -> None:
    plan = matches.MatchPlan(rules_name="cave-of-wonders", bots=["Robo", "Ada"], games=1)
    match = matches.open_match(owner=anna, plan=plan, now=now)
    work(now)
    assert play_to_the_end(match.games.get(), now).status == Game.Status.FINISHED


def test_no_more_games_are_opened_than_its_bots_take(anna: User, bots: list[User], now: dt.datetime) -> None:
    bot_accounts.set_terms(bot=bots[0], takes_games=1)
    match = matches.open_match(
        owner=anna, plan=matches.MatchPlan(rules_name="cave-of-wonders", bots=["Robo", "Ada"], games=3), now=now
    )
    work(now)
    over(match.games.get(), bots[0], now)
    later = now + matches.LOOK_EVERY
    bot_accounts.switch(bot=bots[1], is_on=False, now=later)
    work(later)
    assert match.games.count() == 1, "a bot that is paused is waited for"
    bot_accounts.switch(bot=bots[1], is_on=True, now=later)
    work(later + matches.LOOK_EVERY)
    assert match.games.count() == 2
    Program.with_scopes(anna, "play").delete(f"matches/{match.ref}/")
    running = match.games.order_by("pk").last()
    assert running is not None and fresh(running).status == Game.Status.RUNNING
    work(later + 9 * matches.LOOK_EVERY)
    assert match.games.count() == 2 and Match.objects.get().status == Match.Status.CALLED_OFF


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"bots": ["Robo", "robo"]}, 422, "two different bots"),
        ({"bots": ["Robo", "Nobody"]}, 422, "no bot with that name"),
        ({"bots": ["Ada", "Eve"]}, 403, "must be yours"),
        ({"bots": ["Robo", "Shy"]}, 409, "decides about each game itself"),
        ({"bots": ["Robo", "Ada", "Eve", "Shy", "Robo"]}, 409, "Shy decides"),
        ({"bots": ["Robo", "Eve"]}, 409, "Eve has no token"),
        ({"games": 0}, 422, ""),
        ({"games": 201}, 422, ""),
        ({"rules": "chess"}, 422, "no game"),
        ({"pace": "never"}, 422, ""),
        ({"options": {"colour": "red"}}, 422, "no option"),
    ],
)
def test_what_cannot_be_a_match_is_refused_in_words(
    anna: User, carla: User, david: User, bots: list[User], now: dt.datetime, change: dict[str, object], status: int,
    words: str,
) -> None:  # fmt: skip
    bot_accounts.create(owner=carla, name="Eve", is_for_all=True, now=now)
    shy = bot_accounts.create(owner=david, name="Shy", is_for_all=True, now=now)
    bot_accounts.set_terms(bot=shy, answers_invitations=True)
    refusal = Program.with_scopes(anna, "play").post("matches/", BODY | change, status)
    assert words in refusal["detail"] and not Match.objects.exists()


def test_a_match_that_is_called_off_counts_until_its_games_are_over(
    anna: User, bots: list[User], now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    annas = Program.with_scopes(anna, "play")
    for _nth in range(matches.MOST_RUNNING):
        ref = annas.post("matches/", BODY | {"games": 1}, 201)["ref"]
        work(now)
        annas.delete(f"matches/{ref}/")
    assert annas.post("matches/", BODY, 409)["code"] == "limit-reached"
    for game in Game.objects.all():
        over(game, bots[0], now)
    monkeypatch.setattr(matches, "MOST_A_DAY", matches.MOST_RUNNING + 1)
    annas.delete(f"matches/{annas.post('matches/', BODY, 201)['ref']}/")
    assert annas.post("matches/", BODY, 429)["code"] == "too-many"


def test_a_match_waits_a_day_for_a_bot_that_is_paused(anna: User, bots: list[User], now: dt.datetime) -> None:
    locked: list[int] = []
    plan = matches.MatchPlan(rules_name="cave-of-wonders", bots=["Ada", "Robo"], games=1)
    for bot in bots:
        bot_accounts.set_terms(bot=bot, takes_games=9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(User, "one_at_a_time", lambda self: locked.append(self.pk))
        match = matches.open_match(owner=anna, plan=plan, now=now)
    assert locked == [anna.pk, *sorted(bot.pk for bot in bots)], "two matches of the same bots wait for each other"
    bot_accounts.switch(bot=bots[1], is_on=False, now=now)
    for later, status in ((matches.LOOK_EVERY, "running"), (matches.WAITED_FOR, "called_off")):
        work(now + later)
        match.refresh_from_db()
        assert match.status == status


def test_who_shows_no_profile_is_named_with_none_of_his_bots(
    anna: User, ben: User, bots: list[User], now: dt.datetime, client: Client
) -> None:
    plan = matches.MatchPlan(rules_name="cave-of-wonders", bots=["Robo", "Ada"], games=1)
    match = matches.open_match(owner=anna, plan=plan, now=now)
    work(now)
    anna.has_profile = False
    anna.save()
    for path in (f"/player/{bots[0].ref}/", f"/match/{match.ref}/", f"/table/{match.games.get().ref}/"):
        assert "Anna" not in client.get(path).content.decode(), path
    assert client.get("/api/v1/public/matches/").json()["items"][0]["owner"] is None
    assert Program.with_scopes(ben, "play", "account").get(f"players/{bots[0].ref}/")["owner"] is None
    assert [seat.owner_name for seat in match.games.get().seats.order_by("user")] == [None, "Ben"]


def test_only_three_run_at_a_time_and_only_their_owner_ends_them(
    anna: User, ben: User, bots: list[User], now: dt.datetime
) -> None:
    annas, bens = Program.with_scopes(anna, "play"), Program.with_scopes(ben, "play")
    refs = [annas.post("matches/", BODY, 201)["ref"] for _nth in range(matches.MOST_RUNNING)]
    assert annas.post("matches/", BODY, 409)["code"] == "limit-reached"
    bens.delete(f"matches/{refs[0]}/", 403)
    User.objects.filter(pk=ben.pk).update(is_active=False)
    work(now)
    assert set(Match.objects.values_list("status", flat=True)) == {Match.Status.CALLED_OFF}
    with pytest.raises(ServiceError):
        matches.find("nosuchmatch1")
