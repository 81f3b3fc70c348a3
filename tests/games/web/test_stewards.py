"""A steward is chosen at the table, by the API and as one sits down; emails and pages say when it acts."""

import datetime as dt
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from games.lobby import invitations
from games.models import Game, User
from games.play import stewards
from games.tables import pace, table_links
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.conftest import new_table, row_of, seat_of
from tests.games.letters.conftest import mail
from tests.games.web.acting import act_path
from tests.games.web.filling import pressed, soup_of, words

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    """It is noon: the question has just been asked."""
    with present.going_by(lambda: now):
        yield


@pytest.fixture
def chosen(proposing: Game, ben: User, now: dt.datetime) -> Game:
    """Ben's steward acts after six of his waking hours."""
    stewards.change(game_id=proposing.pk, seat=seat_of(proposing, ben).number, hours=6, now=now)
    return proposing


def test_at_the_table_its_player_chooses_and_changes_his_mind(client: Client, proposing: Game, ben: User) -> None:
    client.force_login(ben)
    table, page = reverse("table", args=[proposing.ref]), reverse("steward", args=[proposing.ref])
    assert "My steward" in words(client.get(table))
    answered = client.post(page, {"hours": "6"}, follow=True)
    assert "Your steward acts after 6 of your waking hours." in words(answered)
    assert "Your steward will play the proposal from" in words(client.get(table))
    assert seat_of(proposing, ben).steward_hours == 6
    assert "You don't have a steward." in words(client.post(page, {"hours": ""}, follow=True))
    assert seat_of(proposing, ben).steward_hours is None


@pytest.mark.parametrize("typed", ["0", "-2", "100", "six", "6.5", "٣٣٣٣٣", "1e3", "99999999999"])
def test_hours_that_are_none_are_refused_in_words_and_nothing_changes(
    client: Client, chosen: Game, ben: User, typed: str
) -> None:
    client.force_login(ben)
    page = reverse("steward", args=[chosen.ref])
    said = words(client.post(page, {"hours": typed}, follow=True))
    assert "a steward can act after 1 to 24 of your waking hours" in said or "Enter a whole number of hours" in said
    assert seat_of(chosen, ben).steward_hours == 6


def test_the_page_says_nothing_of_it_to_others_nor_where_nothing_is_proposed(
    client: Client, chosen: Game, game: Game, anna: User
) -> None:
    client.force_login(anna)
    page = words(client.get(reverse("table", args=[chosen.ref])))
    assert "Your steward will play the proposal from" not in page
    assert "My steward" not in words(client.get(reverse("table", args=[game.ref])))


def test_the_email_and_the_page_behind_its_link_say_when_it_acts(client: Client, chosen: Game, ben: User) -> None:
    letter = mail("due", ben)
    for part in (letter.text, letter.html):
        assert "If you do nothing, the proposal is played around" in part
        assert "once everyone else has answered" in part
    assert "Your steward will play the proposal from" in words(client.get(act_path(row_of(chosen, ben))))


def test_a_program_chooses_for_its_person_and_reads_it_alone(
    proposing: Game, ben: User, anna: User, now: dt.datetime
) -> None:
    path, program = f"games/{proposing.ref}/", Program(ben)
    assert program.put(f"{path}steward/", {"hours": 4})["steward_hours"] == 4
    (question,) = program.get(f"{path}decisions/")["items"]
    assert question["steward_at"] == (now + dt.timedelta(hours=4)).isoformat().replace("+00:00", "Z")
    assert Program(anna).get(path)["steward_hours"] is None
    for hours in (0, -1, 25):
        refused = program.put(f"{path}steward/", {"hours": hours}, status=422)
        assert "after 1 to 24 of your waking hours" in refused["detail"]
    program.put(f"{path}steward/", {"hours": "soon"}, status=422)
    program.put(f"{path}steward/", {}, status=422)
    assert program.get(path)["steward_hours"] == 4
    assert program.put(f"{path}steward/", {"hours": None})["steward_hours"] is None


def test_who_sits_down_by_a_link_or_an_invitation_may_choose_at_once(
    client: Client, anna: User, ben: User, now: dt.datetime
) -> None:
    table = new_table(anna, now, proposals="on")
    client.force_login(ben)
    path = table_links.join_url(table).split("/", 3)[3]
    refused = client.post(f"/{path}", {"steward_hours": "99"})
    assert refused.status_code == 422
    assert not table.seats.filter(user=ben).exists()
    client.post(f"/{path}", {"steward_hours": "5"})
    assert seat_of(table, ben).steward_hours == 5
    row = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    path = table_links.invitation_url(row).split("/", 3)[3]
    Client().post(f"/{path}", {"answer": "join", "name": "Eva", "steward_hours": "7", **pressed()})
    assert table.seats.get(user__email="eva@example.org").steward_hours == 7


def test_who_sits_in_the_waiting_room_may_choose_before_the_game_begins(
    client: Client, anna: User, ben: User, now: dt.datetime
) -> None:
    table = new_table(anna, now, proposals="on")
    client.force_login(anna)
    assert "My steward" in words(client.get(reverse("table", args=[table.ref])))
    client.post(reverse("steward", args=[table.ref]), {"hours": "8"})
    assert seat_of(table, anna).steward_hours == 8
    row = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    invitation = table_links.invitation_url(row)
    assert invitation in mail("invited", ben).text
    page = soup_of(Client().get("/" + invitation.split("/", 3)[3]))
    agreed = {term.text: " ".join(term.find_next("dd").text.split()) for term in page.select("dl dt")}
    assert (agreed["Proposals"], "When a deadline is missed" in agreed) == ("on", True)
    assert page.select("[name=steward_hours]")


def test_nobody_is_asked_for_one_where_nothing_is_proposed(client: Client, anna: User, ben: User, table: Game) -> None:
    client.force_login(ben)
    path = table_links.join_url(table).split("/", 3)[3]
    assert "steward_hours" not in client.get(f"/{path}").content.decode()
    client.post(f"/{path}", {})
    assert seat_of(table, ben).steward_hours is None


def test_who_sits_down_at_a_swift_table_is_told_what_he_agrees_to(
    client: Client, anna: User, ben: User, now: dt.datetime
) -> None:
    table = new_table(anna, now, pace="swift", proposals="on")
    client.force_login(ben)
    path = table_links.join_url(table).split("/", 3)[3]
    hours = pace.steward_hours("swift")
    assert f"the proposal is played after {hours} waking hours" in words(client.get(f"/{path}"))
    Program(ben).post(f"games/{table.ref}/join/", {"link": path.rstrip("/").rsplit("/", 1)[1]})
    assert seat_of(table, ben).steward_hours == hours
