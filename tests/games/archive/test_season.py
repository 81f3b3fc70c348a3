"""The bots' season with which each installation begins: in the archive, on the leaderboard, featured day by day."""

import datetime as dt

import pytest
from django.test import Client

from games.archive import finished_games, ratings, reviews
from games.archive.finished_games import SeasonGame
from games.models import Game, PackedLog, User
from games.play.replay import replay
from tests.games.web.filling import soup_of

pytestmark = pytest.mark.slow


@pytest.fixture
def season(db: None, monkeypatch: pytest.MonkeyPatch, now: dt.datetime) -> list[SeasonGame]:
    """The shortest game of each rule set, laid in."""
    every = sorted(finished_games.load_season(), key=lambda game: len(game.moves))
    games = list({game.rules: game for game in reversed(every)}.values())
    monkeypatch.setattr(finished_games, "load_season", lambda: games)
    assert finished_games.lay_in_season(now) == len(games) == 2
    return games


def test_the_season_is_laid_in_once_whole_and_by_nobody_who_could_sign_in(
    season: list[SeasonGame], now: dt.datetime
) -> None:
    assert finished_games.lay_in_season(now) == 0
    for game in Game.objects.all():
        assert replay(game).moves == game.seq
        assert all(seat.is_bot and not seat.is_person for seat in game.seated())
        assert reviews.review_of(game).review is not None
    assert PackedLog.objects.count() == Game.objects.count() == 2
    assert not any(user.has_usable_password() or user.recipient.address for user in User.objects.all())


def test_archive_and_leaderboard_begin_with_the_season_and_say_that_it_is_of_bots(
    season: list[SeasonGame], now: dt.datetime
) -> None:
    assert ratings.rate_all(now + dt.timedelta(days=3650)) == 2
    archive = soup_of(Client().get("/archive/"))
    cards = archive.select("ul.cards > li")
    assert len(cards) == 2 and all("Bots’ season" in card.text for card in cards)
    for name in {game.rules for game in season}:
        page = soup_of(Client().get(f"/ranking/{name}/"))
        assert "Nobody is on the leaderboard" in page.text, "no bot stands among people"
        rows = page.select("#bots-heading ~ ol li")
        assert len(rows) >= 2 and all("after 1 game" in row.text for row in rows), "few games tell little of strength"
        assert not finished_games.sums(name), "no one learns from bots how long games last"


def test_each_day_a_game_is_featured_and_its_turning_points_play_themselves(
    season: list[SeasonGame], now: dt.datetime
) -> None:
    days = [finished_games.featured(now + dt.timedelta(days=number)) for number in range(3)]
    assert days[0] == days[2] and {day.ref for day in days if day} == {game.ref for game in season}
    front = soup_of(Client().get("/"))
    assert "Bots only." in front.text
    (link,) = [str(link["href"]) for link in front.select("a") if "?turns" in str(link["href"])]
    (picture,) = [str(image["src"]) for image in front.select("img") if "/board.svg" in str(image["src"])]
    assert Client().get(picture)["Content-Type"] == "image/svg+xml"
    page = soup_of(Client().get(link))
    steps = page.select("ol.turns a")
    assert 1 <= len(steps) <= 6 and len(page.select("ol.turns noscript img")) == len(steps)
    played = soup_of(Client().get(link.replace("history/", "scenes/") + "&since=0&replay"))
    turns = [scene.select("p")[0].text for scene in played.select("[data-turn]")]
    assert turns == [step.text for step in steps]
    assert len(played.select("article")) < 60
