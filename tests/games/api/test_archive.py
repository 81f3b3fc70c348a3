"""The archive and the ranking by the API."""

import datetime as dt

import pytest

from games.models import Game, User
from tests.conftest import NOON
from tests.games.api.conftest import Program
from tests.games.archive.test_ratings import CAVE, over, rate


def test_the_archive_is_read_page_by_page_and_a_game_that_ends_meanwhile_moves_nothing(
    annas: Program, anna: User, ben: User
) -> None:
    games = [over([anna, ben, "greedy"]) for _game in range(5)]
    found, cursor = [], ""
    for _page in range(3):
        page = annas.get(f"archive/?limit=2&cursor={cursor}")
        found += [game["ref"] for game in page["items"]]
        cursor = page["next"]
        over([ben, anna])
    assert cursor is None and found == [game.ref for game in reversed(games)]


def test_a_game_is_told_with_places_and_without_what_only_its_players_may_know(
    annas: Program, anna: User, ben: User
) -> None:
    over([anna, ben], is_listed=False)
    game = over([anna, "greedy", ben], winners=2)
    (told,) = annas.get("archive/")["items"]
    assert told["ref"] == game.ref and told["ending"] == "complete"
    assert [(one["name"], one["bot"], one["place"]) for one in told["places"]] == [
        ("Anna", None, 1), ("greedy", "greedy", 1), ("Ben", None, 3),
    ]  # fmt: skip
    assert set(told) == {
        "ref", "title", "rules", "rules_version", "options", "started_at", "finished_at", "ending",
        "commitment", "places",
    }  # fmt: skip
    assert annas.get(f"archive/?rules={CAVE}&seat_count=3")["items"] == [told]
    assert annas.get("archive/?seat_count=4")["items"] == []


@pytest.mark.parametrize("cursor", ["x", "%00", "AAAA", "MjAyNi0wMS0wMSA1", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "%C3%A9"])
def test_a_cursor_that_is_none_of_ours_is_refused(cursor: str, annas: Program) -> None:
    assert annas.get(f"archive/?cursor={cursor}", 422)["errors"][0]["field"] == "cursor"


def test_a_cursor_of_the_archive_opens_no_other_list(annas: Program, anna: User, ben: User) -> None:
    for _game in range(2):
        over([anna, ben])
    cursor = annas.get("archive/?limit=1")["next"]
    assert annas.get(f"tables/?cursor={cursor}", 422)["errors"][0]["field"] == "cursor"


def test_the_archive_goes_on_where_a_game_is_gone(annas: Program, anna: User, ben: User) -> None:
    games = [over([anna, ben], NOON + dt.timedelta(days=number)) for number in range(4)]
    cursor = annas.get("archive/?limit=2")["next"]
    Game.objects.filter(pk=games[2].pk).delete()
    assert [game["ref"] for game in annas.get(f"archive/?cursor={cursor}")["items"]] == [games[1].ref, games[0].ref]


def test_what_cannot_be_looked_for_is_refused(annas: Program) -> None:
    for query in ("seat_count=many", "since=soon", "limit=1000", "limit=0"):
        annas.get(f"archive/?{query}", 422)
    annas.get("ratings/chess/", 404)


def test_the_ranking_tells_of_those_who_want_it(annas: Program, anna: User, ben: User) -> None:
    over([anna, ben])
    rate()
    path = f"ratings/{CAVE}/"
    assert annas.get(path)["items"] == []
    User.objects.filter(pk=ben.pk).update(is_ranked=True, has_profile=False)
    told = annas.get(path)
    (row,) = told["items"]
    assert (row["place"], row["name"], row["player_ref"], row["games"], row["wins"]) == (1, "Ben", None, 1, 0)
    assert told["count"] == 1 and told["sums"] == [{"seat_count": 2, "games": 1, "hours": 9 * 24.0}]
    assert told["next"] is None
