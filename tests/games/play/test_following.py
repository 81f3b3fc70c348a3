"""The next game that waits for a player: on the pages after an answer, at the table, and in emails."""

import datetime as dt

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.models import Decision, Game, User
from games.people import sessions
from games.play import decision_links, lists
from games.web.play import answering
from notifications.clock import present
from tests.games.conftest import answer, row_of, running
from tests.games.letters.conftest import mail
from tests.games.web.filling import soup_of, words
from tests.games.web.test_players import signed_in


@pytest.fixture
def friday(game: Game, anna: User, ben: User, carla: User, now: dt.datetime) -> Game:
    """A second game of the three, where all are asked."""
    return running(anna, [ben, carla], now, title="Friday")


def path_to(row: Decision) -> str:
    return "/" + decision_links.act_url(row).split("/", 3)[3]


def test_the_most_urgent_game_comes_first_and_each_once(
    game: Game, friday: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    assert [row.game for row in lists.waiting_elsewhere(ben, game, 5)] == [friday]
    third = running(anna, [ben, carla], now, title="Sunday")
    Decision.objects.filter(game=friday).update(due_at=None)
    Decision.objects.filter(game=third).update(due_at=now + dt.timedelta(hours=1))
    assert [row.game for row in lists.waiting_elsewhere(ben, game, 5)] == [third, friday]
    assert [row.game for row in lists.waiting_elsewhere(ben, game)] == [third]
    answer(friday, row_of(friday, ben), now)
    assert friday not in [row.game for row in lists.waiting_elsewhere(ben, game, 5)]
    assert lists.waiting_elsewhere(None, game) == []
    Game.objects.filter(pk=third.pk).update(is_lesson=True)
    assert lists.waiting_elsewhere(ben, game, 5) == []


def test_at_a_table_where_nothing_is_asked_the_next_one_is_one_tap_away(
    game: Game, friday: Game, ben: User, david: User, now: dt.datetime
) -> None:
    client, table = signed_in(ben), reverse("table", args=[game.ref])

    def offered(page: HttpResponse) -> list[tuple[str, str]]:
        """The buttons among what is asked that lead to another table."""
        links = soup_of(page).select("#asked .waiting a.button")
        return [(link.get_text(strip=True), str(link["href"])) for link in links]

    def is_named(page: HttpResponse) -> bool:
        return "Friday" in words(page)

    first = client.get(table)
    assert offered(first) == [] and not is_named(first)  # first what is asked here
    answer(game, row_of(game, ben), now)
    following = [("Next game: Friday", reverse("table", args=[friday.ref]))]
    assert offered(client.get(table)) == following
    assert offered(client.get(table, headers={"HX-Request": "true"})) == following  # the page that stays open keeps it
    Game.objects.filter(pk=game.pk).update(is_watchable=True)
    watched = signed_in(david).get(table)
    assert offered(watched) == [] and not is_named(watched)


def test_the_page_behind_a_link_names_it_only_where_the_device_is_the_players(
    game: Game, friday: Game, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = row_of(game, ben)
    other = decision_links.act_url(row_of(friday, ben)).rsplit("/", 2)[1]
    move = answer(game, row, now, idempotency_key="a" * 40)
    done = answering.redirect_to_result(path_to(row), move).headers["Location"]

    def shown(client: Client) -> bool:
        with present.going_by(lambda: now):
            page = client.get(done).content.decode()
        assert reverse("my_games") in page
        assert ("Friday" in page) is (other in page)
        return "Friday" in page

    assert not shown(Client())
    assert shown(signed_in(ben)) and not shown(signed_in(game.host))
    monkeypatch.setattr(sessions, "is_trusted", lambda request, user: user == ben)
    assert shown(Client())


def test_emails_list_what_else_waits_with_a_link_to_answer(
    game: Game, friday: Game, ben: User, anna: User, now: dt.datetime
) -> None:
    letter = mail("due", ben)
    first, second = row_of(game, ben), row_of(friday, ben)
    other = second if decision_links.act_url(first) in letter.text.split("Also waiting for you:")[0] else first
    for part in (letter.text, letter.html):
        assert "Also waiting for you:" in part and decision_links.act_url(other) in part
    answer(other.game, other, now)
    assert "Also waiting for you:" not in mail("due", ben).text
