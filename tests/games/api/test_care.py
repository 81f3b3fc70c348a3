"""Looking after a table by the API: the host's part, and calling a moderator."""

import datetime as dt
from collections.abc import Callable, Iterator

import pytest

from games.models import Game, Report, User
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.conftest import open_rows, seat_of

Programs = Callable[[User], Program]
WHY = {"reason": "The harbour is closed."}


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    with present.going_by(lambda: now):
        yield


def test_a_host_gives_time_and_reminds_and_everybody_reads_why(
    game: Game, annas: Program, ben: User, program: Programs
) -> None:
    before = {row.pk: row.due_at for row in open_rows(game)}
    annas.post(f"games/{game.ref}/extend/", WHY | {"hours": 5})
    assert all(row.due_at == before[row.pk] + dt.timedelta(hours=5) for row in open_rows(game))
    annas.post(f"games/{game.ref}/nudge/", WHY)
    done = program(ben).get(f"games/{game.ref}/care/")["items"]
    assert [(row["action"], row["reason"]) for row in done] == [("nudge", WHY["reason"]), ("extend", WHY["reason"])]
    annas.post(f"games/{game.ref}/nudge/", WHY, 409)
    annas.post(f"games/{game.ref}/extend/", WHY | {"hours": 73}, 422)
    annas.post(f"games/{game.ref}/extend/", {"hours": 1}, 422)


def test_a_guest_looks_after_nothing(game: Game, ben: User, program: Programs) -> None:
    bens, body = program(ben), WHY | {"hours": 5}
    for path, sent in (("extend", body), ("nudge", WHY), ("seats/0/replace", WHY | {"address": "a@example.org"})):
        bens.post(f"games/{game.ref}/{path}/", sent, 404)
    assert not game.moderation.exists()


def test_the_seat_of_an_absent_player_is_offered_and_no_other(
    game: Game, annas: Program, ben: User, david: User, program: Programs
) -> None:
    number = seat_of(game, ben).number
    path, body = f"games/{game.ref}/seats/{number}/replace/", WHY | {"address": david.email}
    annas.post(path, body, 409)
    game.seats.filter(user=ben).update(status="absent")
    told = [
        annas.post(path, body | {"address": address})["items"][0] for address in ("nobody@example.org", david.email)
    ]
    assert told[0] == told[1], "that one has no account is told to nobody"
    assert seat_of(game, ben).number == number
    (invited,) = program(david).get("me/invitations/")["items"]
    assert (invited["seat"], invited["game_ref"]) == (number, game.ref)
    program(david).post(f"me/invitations/{invited['ref']}/accept/")
    assert seat_of(game, david).number == number
    annas.post(f"games/{game.ref}/seats/9/replace/", body, 404)


def test_a_report_reaches_the_moderators_alone(
    game: Game, annas: Program, ben: User, david: User, program: Programs
) -> None:
    number = seat_of(game, ben).number
    annas.post(f"games/{game.ref}/reports/", {"text": "He shouts.", "seat": number}, 201)
    row = Report.objects.get()
    assert (row.text, row.seat, row.reporter.name) == ("He shouts.", number, "Anna")
    assert "shouts" not in str(program(ben).get(f"games/{game.ref}/care/")["items"])
    annas.post(f"games/{game.ref}/reports/", {"text": "x", "seat": 9}, 404)
    annas.post(f"games/{game.ref}/reports/", {"text": " "}, 422)
    program(david).post(f"games/{game.ref}/reports/", {"text": "x"}, 404)
