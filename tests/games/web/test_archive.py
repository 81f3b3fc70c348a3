"""The public archive and the ranking, as everybody sees them."""

import datetime as dt

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.archive import ratings
from games.models import Game, User
from games.web import archive as pages
from tests.conftest import NOON
from tests.games.archive.test_ratings import CAVE, LATER, over, rate
from tests.games.conftest import answer, open_rows
from tests.games.letters.conftest import end_soon
from tests.games.web.filling import soup_of

pytestmark = pytest.mark.slow
ARCHIVE, RANKING = "/archive/", f"/ranking/{CAVE}/"


def words(response: object) -> str:
    return " ".join(soup_of(response).text.split())


def titles(**query: object) -> list[str]:
    """The titles that a stranger is shown."""
    soup = soup_of(Client().get(ARCHIVE, query))
    return [link.text for link in soup.select("a.card-title")]


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_listed_game_that_was_played_is_there_for_everybody_and_one_that_was_not_listed_is_not(
    game: Game, anna: User, now: dt.datetime
) -> None:
    assert "No public game has been finished" in words(Client().get(ARCHIVE))
    answer(game, open_rows(game)[0], now)
    end_soon(game, anna, now)
    Game.objects.filter(pk=game.pk).update(is_watchable=True)
    assert titles() == []
    Game.objects.filter(pk=game.pk).update(is_listed=True)
    response = Client().get(ARCHIVE)
    assert titles() == [game.title] and "1. Anna" in words(response)
    for link in soup_of(response).select("ul.cards a"):
        assert Client().get(link["href"]).status_code == 200


def test_one_finds_games_by_rules_version_players_and_date(anna: User, ben: User, carla: User) -> None:
    first, second = over([anna, ben]), over([anna, ben, carla], NOON + dt.timedelta(days=30))
    Game.objects.filter(pk=second.pk).update(
        rules_name="aladdins-dragons", rules_version=2, options={"version": "magic"}
    )
    assert titles() == [second.title, first.title]
    assert titles(game=CAVE) == [first.title]
    assert titles(game="aladdins-dragons.magic") == [second.title] and titles(game="aladdins-dragons.basic") == []
    assert titles(seats="3") == [second.title] and titles(seats="4") == []
    day = (NOON + dt.timedelta(days=20)).date().isoformat()
    assert titles(since=day) == [second.title] and titles(until=day) == [first.title]
    assert titles(game="chess", seats="many", since="soon", page="x") == [second.title, first.title]
    assert "No games match" in words(Client().get(ARCHIVE, {"seats": "4"}))


def test_a_page_asks_the_database_as_often_whether_it_shows_one_game_or_thirty(anna: User, ben: User) -> None:
    counts = []
    for many in (1, 34):
        for _game in range(many):
            over([anna, ben])
        with CaptureQueriesContext(
            connection,
        ) as asked:
            response = Client().get(ARCHIVE)
        counts.append(len(asked))
    assert counts[0] == counts[1] < 8
    assert len(titles()) == 30 and "Older" in words(response) and "Newest" not in words(response)
    behind = response.context["behind"]
    assert len(titles(after=behind)) == 5 and titles(after="no such place") == titles()
    assert "Newest" in words(Client().get(ARCHIVE, {"after": behind}))


def test_the_ranking_shows_who_wants_it_and_everybody_his_own(anna: User, ben: User) -> None:
    over([anna, ben])
    rate()
    assert "Nobody is on the leaderboard yet" in words(Client().get(RANKING))
    own = words(signed_in(anna).get(RANKING))
    assert "after 1 game" in own and "Only you can see this" in own
    User.objects.filter(pk=anna.pk).update(is_ranked=True)
    page = Client().get(RANKING)
    rows = [[cell.text.strip() for cell in row.select("td, th")] for row in soup_of(page).select("tbody tr")]
    (row,) = ratings.ranking(CAVE)
    assert rows == [["1", "Anna", str(row.points), "1", "1"]] and "Ben" not in words(page)
    assert "With 2 players: 1 game, of 9 days on average" in words(page)
    assert Client().get("/ranking/chess/").status_code == 404
    assert Client().get("/ranking/", follow=True).status_code == 200


def test_the_ranking_goes_on_page_by_page(anna: User, ben: User, monkeypatch: pytest.MonkeyPatch) -> None:
    over([anna, ben])
    rate()
    User.objects.update(is_ranked=True)
    monkeypatch.setattr(pages, "PEOPLE_PER_PAGE", 1)
    for address, place, ways in ((RANKING, "1", ["Lower"]), (f"{RANKING}?page=2", "2", ["Higher"])):
        page = soup_of(Client().get(address))
        assert [row.td.text for row in page.select("tbody tr")] == [place]
        assert [way.text for way in page.select("nav.between a")] == ways
    assert Client().get(f"{RANKING}?page=3")["Location"] == RANKING
    assert Client().get(f"{RANKING}?page=-x").status_code == 200


def test_a_rating_is_on_the_page_of_its_person_if_he_wants_that(anna: User, ben: User) -> None:
    over([anna, ben])
    rate()
    url = reverse("player", args=[anna.ref])
    assert "points" not in words(Client().get(url)) and "points" in words(signed_in(anna).get(url))
    settings_page = signed_in(anna)
    facts = {"name": "Anna", "language": "en", "zone": "UTC", "has_profile": "on", "is_ranked": "on"}
    settings_page.post(reverse("settings"), facts)
    anna.refresh_from_db()
    assert anna.is_ranked
    assert "points" in words(Client().get(url))


def test_how_often_a_game_is_played_is_reckoned_once_an_hour(anna: User, ben: User) -> None:
    over([anna, ben])
    assert "1 game" in words(Client().get(RANKING))
    over([anna, ben])
    with CaptureQueriesContext(connection) as asked:
        assert "1 game" in words(Client().get(RANKING))
    assert not any("AVG(" in entry["sql"] for entry in asked)
    cache.clear()
    assert "2 games" in words(Client().get(RANKING))


@pytest.mark.parametrize("path", [ARCHIVE, RANKING])
def test_in_spanish_too(path: str, anna: User, ben: User) -> None:
    over([anna, ben])
    ratings.rate_all(LATER)
    page = Client().get(path, headers={"Accept-Language": "es"}).content.decode()
    assert ('<html lang="es">' in page and "Partidas" in page) or "partidas" in page
