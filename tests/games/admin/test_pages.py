"""The admin site: every page opens and says who is waited for."""

import datetime as dt
import re
from itertools import count

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.lobby import invitations
from games.models import Decision, Game, Report, User
from games.moderation import people, reports, tables
from tests.games.admin.conftest import pages, read
from tests.games.api.playing import abandoned
from tests.games.conftest import (
    new_table,
    open_rows,
    running,
    seat_of,
    to_placing,
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("who", ["administrator", "moderator"])
def test_every_page_opens(seeded: Game, request: pytest.FixtureRequest, who: str) -> None:
    read_pages = dict(pages(request.getfixturevalue(who), "games"))
    models = [model for model in admin.site._registry if model._meta.app_label == "games"]
    assert len(models) == 13
    # the start, a list of each, a page of each but decisions, moves and moved deadlines
    assert len(read_pages) >= 1 + 2 * len(models) - 3
    assert reverse("admin:games_game_change", args=[seeded.pk]) in read_pages


@pytest.mark.slow
def test_filters_and_searches_that_are_offered_work(seeded: Game, administrator: Client) -> None:
    chosen = ("status__exact=running", "trouble=overdue", "trouble=broken", "trouble=paused", "is_listed__exact=0")
    for query in (*chosen, "q=Thursday", "q=Ben", "o=1"):
        assert administrator.get(f"{reverse('admin:games_game_changelist')}?{query}").status_code == 200
    for query in ("asked=yes", "asked=no", "kind=place", "is_sealed__exact=1", "q=r1"):
        assert administrator.get(f"{reverse('admin:games_decision_changelist')}?{query}").status_code == 200


@pytest.mark.slow
def test_the_list_says_whom_a_game_waits_for_and_until_when(
    placing: Game, administrator: Client, now: dt.datetime
) -> None:
    (row,) = open_rows(placing)
    assert shown(administrator)[:2] == [row.seat.name, "Thu 5 Mar, 12:00 UTC (in 1\xa0day)"]


@pytest.mark.slow
def test_the_page_of_a_game_says_in_words_what_it_waits_for(
    placing: Game, administrator: Client, now: dt.datetime
) -> None:
    (row,) = open_rows(placing)
    page = reverse("admin:games_game_change", args=[placing.pk])
    for kind, words in (
        ("place", "When you place a token"),
        ("sheet", "The orders for a round"),
        ("plan", "The plan for a tally"),
        ("take_treasures", "A one-time question"),
    ):
        Decision.objects.filter(pk=row.pk).update(kind=kind)
        said = administrator.get(page).content.decode()
        assert f"{row.seat.name}: {words}, since Wed 4 Mar, 12:00 UTC" in said and f": {kind}," not in said


def test_a_game_whose_state_cannot_be_read_has_its_page_all_the_same(placing: Game, administrator: Client) -> None:
    (row,) = open_rows(placing)
    Game.objects.filter(pk=placing.pk).update(state="broken")
    said = administrator.get(reverse("admin:games_game_change", args=[placing.pk])).content.decode()
    assert f"{row.seat.name}: place, since" in said and "t be shown." in said


def test_the_admin_site_has_the_sign_of_the_house(db: None, administrator: Client) -> None:
    for address in (reverse("admin:index"), reverse("admin_lists")):
        assert re.search(r'<link rel="icon" href="[^"]*/games/icon.svg', administrator.get(address).content.decode())


def shown(client: Client) -> list[str]:
    _address, html = read(client, reverse("admin:games_game_changelist"))
    cells = (re.search(rf"field-{name}[^>]*>(.*?)</td>", html) for name in ("waits_for", "due", "trouble"))
    return [re.sub("<[^>]*>", "", cell.group(1)) for cell in cells if cell]


@pytest.mark.slow
def test_an_overdue_game_is_flagged(game: Game, administrator: Client, now: dt.datetime) -> None:
    changelist = reverse("admin:games_game_changelist")
    Decision.objects.filter(game=game).update(due_at=now + dt.timedelta(hours=1))
    assert shown(administrator)[2] == "-"
    assert game.title not in read(administrator, f"{changelist}?trouble=overdue")[1].split('id="changelist-form"')[1]
    Decision.objects.filter(game=game).update(due_at=now - dt.timedelta(hours=1))
    assert shown(administrator)[2] == "overdue"
    assert game.title in read(administrator, f"{changelist}?trouble=overdue")[1].split('id="changelist-form"')[1]


@pytest.mark.slow
def test_the_list_costs_the_same_for_one_game_and_for_many(
    anna: User, ben: User, carla: User, administrator: Client, now: dt.datetime
) -> None:
    def costs() -> dict[str, int]:
        return {
            name: cost(f"admin:games_{name}_changelist") for name in ("game", "seat", "decision", "move", "invitation")
        }

    def cost(name: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            read(administrator, reverse(name))
        return len(captured)

    def one_more() -> None:
        to_placing(running(anna, [ben, carla], now), now)
        invitations.invite(game_id=new_table(anna, now).pk, host=anna, address="eva@example.org", now=now)

    one_more()
    costs()
    one = costs()
    for _copy in range(3):
        one_more()
    assert costs() == one


@pytest.mark.slow
def test_the_pages_of_moderators_cost_the_same_however_much_there_is(
    anna: User, ben: User, carla: User, administrator: Client, now: dt.datetime
) -> None:
    days = count()

    def one_more() -> Game:
        game = to_placing(running(anna, [ben, carla], now), now)
        at = now + next(days) * dt.timedelta(days=2)  # nobody reports more than five things in a day
        reports.file_report(game=game, by=ben, text="Slow.", seat=seat_of(game, carla).number, now=at)
        people.warn(user=carla, by=eva, reason="Be kind.", now=now)
        tables.pause(game=game, by=eva, reason="A storm", now=now)
        tables.resume(game=game, by=eva, reason="It is over", now=now)
        return game

    def costs() -> dict[str, int]:
        found = {}
        for address in (*pages, reverse("admin:games_user_changelist"), reverse("admin:games_report_changelist")):
            with CaptureQueriesContext(connection) as captured:
                read(administrator, address)
            found[address] = len(captured)
        return found

    eva = User.objects.get(email="eva@example.org")
    game = one_more()
    for row in (game, carla, Report.objects.get()):
        name = type(row).__name__.lower()
        one_more()
        pages = [reverse(f"admin:games_{name}_moderate", args=[row.pk])]
        costs()
        before = costs()
        for _copy in range(2):
            one_more()
        assert costs() == before, name
    pages = [reverse("admin:index"), f"{reverse('admin_find')}?q=a", f"{reverse('admin_find')}?q=Thursday"]
    before = costs()
    one_more()
    assert costs() == before


def test_a_game_whose_state_cannot_be_read_can_still_be_looked_at(game: Game, administrator: Client) -> None:
    Game.objects.filter(pk=game.pk).update(state='{"broken": 1}')
    _address, html = read(administrator, reverse("admin:games_game_change", args=[game.pk]))
    assert "t be shown." in html


@pytest.mark.slow
def test_a_finished_game_names_its_winner(game: Game, administrator: Client, now: dt.datetime) -> None:
    game = abandoned(game, now)
    _address, html = read(administrator, reverse("admin:games_game_change", args=[game.pk]))
    assert game.outcome is not None
    assert game.seat_names()[game.outcome["winners"][0]] in re.findall(r"field-result.*?</div>", html, re.DOTALL)[0]
    assert game.server_seed not in html
