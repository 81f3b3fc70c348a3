"""What can be read beside a game by the API: numbers, tally, proof, rulebook, lessons."""

import datetime as dt
from collections.abc import Callable

from games.models import Game, User
from tests.games.api.conftest import Program
from tests.games.api.playing import abandoned


def test_a_finished_game_has_numbers_and_a_proof(game: Game, annas: Program, now: dt.datetime) -> None:
    for ask in (
        lambda: annas.get(f"games/{game.ref}/statistics/", 409),
        lambda: annas.post(f"games/{game.ref}/verify/", {}, 409),
    ):
        assert ask()["code"] == "conflict"
    abandoned(game, now)
    tables = annas.get(f"games/{game.ref}/statistics/")["items"]
    assert tables and all(len(row["numbers"]) == 3 for table in tables for row in table["rows"])
    assert annas.get(f"games/{game.ref}/story/")["lines"] is not None
    verdict = annas.post(f"games/{game.ref}/verify/")
    assert verdict["fault"] == "" and verdict["moves"] > 0


def test_a_game_has_no_tally_before_the_first(
    game: Game, table: Game, annas: Program, david: User, program: Callable[[User], Program]
) -> None:
    assert annas.get(f"games/{game.ref}/tally/") == {"tally": None}
    assert annas.get(f"games/{table.ref}/tally/", 409)["code"] == "conflict"
    program(david).get(f"games/{game.ref}/tally/", 404)


def test_the_rules_are_read_in_the_language_that_is_asked_for(annas: Program) -> None:
    english, spanish = (annas.get(f"rules/aladdins-dragons/book/?language={one}") for one in ("en", "es"))
    assert (english["language"], spanish["language"]) == ("en", "es")
    assert english["html"] != spanish["html"]
    assert annas.get("rules/aladdins-dragons/book/?language=xx")["language"] == "en"
    annas.get("rules/chess/book/", 404)


def test_a_lesson_is_begun_once(annas: Program) -> None:
    assert {row["game_ref"] for row in annas.get("lessons/")["items"]} == {None}
    begun = annas.post("lessons/cave-of-wonders/")
    assert begun["status"] == "running" and begun["is_lesson"]
    assert annas.post("lessons/cave-of-wonders/")["ref"] == begun["ref"]
    assert begun["ref"] in {row["game_ref"] for row in annas.get("lessons/")["items"]}
    annas.post("lessons/chess/", {}, 404)
