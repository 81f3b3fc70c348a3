"""The pages of a person's bots, and where others meet them."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.lobby import bot_accounts, invitations, lifecycle
from games.models import Game, Match, User
from games.people import staff, tokens
from games.tables import table_links
from games.tournaments import matches
from notifications.clock import present
from tests.games.conftest import fresh, new_table
from tests.games.web.filling import soup_of, words
from tests.games.web.signing_in import freshly

LIST = reverse("bots")


@pytest.fixture
def robo(ben: User, now: dt.datetime) -> User:
    """Ben's bot, which every host may seat."""
    return bot_accounts.create(owner=ben, name="Robo", is_for_all=True, now=now)


@pytest.fixture
def owner(ben: User) -> Client:
    """Ben, signed in."""
    client = Client()
    client.force_login(ben)
    freshly(client)
    return client


def press(client: Client, bot: User, **data: Any) -> Any:
    return client.post(reverse("bot", args=[bot.ref]), data, follow=True)


def test_a_bot_is_made_and_its_token_shown_once(owner: Client, ben: User, now: dt.datetime) -> None:
    page = owner.post(LIST, {"name": " Robo ", "is_for_all": "on"}, follow=True)
    assert "Now it needs a token." in words(page) and "has no token · any host can seat it" in words(page)
    (bot,) = bot_accounts.own(ben)
    page = press(owner, bot, do="renew", scopes=["play", "account"])
    key = soup_of(page).select_one("code.secret").text
    found = tokens.find(key, now)
    assert found is not None and found.user == bot
    assert key not in owner.get(reverse("bot", args=[bot.ref])).content.decode()
    assert "ready to play" in words(owner.get(LIST))
    press(owner, bot, do="revoke")
    assert tokens.find(key, now) is None


def test_a_browser_left_open_makes_no_token_for_a_bot(client: Client, ben: User, robo: User) -> None:
    client.force_login(ben)
    freshly(client, minutes=11)
    page = soup_of(client.get(reverse("bot", args=[robo.ref])))
    assert page.select_one("form[action$='data/sign-in/'] input[name=page]")["value"] == "bots"
    assert not page.select("button[value=renew]")
    refused = client.post(reverse("bot", args=[robo.ref]), {"do": "renew", "scopes": ["play"]})
    assert refused.status_code == 403 and "sign in again" in words(refused)
    sent = client.post(f"/api/v1/me/bots/{robo.ref}/token/", {"scopes": ["play"]}, "application/json")
    assert sent.status_code == 403 and bot_accounts.token_of(robo) is None
    again = client.post(reverse("sign_in_again"), {"page": "bots"})
    assert f"next={LIST.replace('/', '%2F')}" in again.url


@pytest.mark.parametrize(
    ("name", "said"),
    [("", "This field is required."), ("greedy", "reserved"), ("robo", "already"), ("x" * 31, "at most 30")],
)
def test_a_name_that_cannot_be_is_said_at_its_field(owner: Client, robo: User, name: str, said: str) -> None:
    for address, more in ((LIST, {}), (reverse("bot", args=[robo.ref]), {"do": "save"})):
        if name == "robo" and more:
            continue  # it has this name
        page = owner.post(address, {"name": name, **more})
        assert page.status_code in (409, 422) and said in words(page)
    assert User.objects.get(owner__isnull=False).name == "Robo"


def test_its_owner_renames_rests_and_closes_it(owner: Client, ben: User, robo: User) -> None:
    press(owner, robo, do="save", name="Robbie")
    robo.refresh_from_db()
    assert (robo.name, robo.is_for_all) == ("Robbie", False)
    assert "paused" in words(press(owner, robo, do="pause"))
    assert "can play again" in words(press(owner, robo, do="go-on"))
    page = soup_of(owner.get(reverse("bot", args=[robo.ref])))
    assert page.select("details:not([open]) button.danger[value=close]"), "it is unfolded before it can be pressed"
    press(owner, robo, do="close")
    assert not bot_accounts.own(ben).exists()
    assert press(owner, robo, do="pause").status_code == 404


def test_nobody_else_gets_there(client: Client, anna: User, robo: User) -> None:
    assert client.get(LIST).status_code == 302
    client.force_login(anna)
    assert client.get(reverse("bot", args=[robo.ref])).status_code == 404
    assert press(client, robo, do="close").status_code == 404
    assert press(client, robo, do="nothing").status_code == 404
    assert User.objects.get(pk=robo.pk).is_active


def test_a_host_seats_one_by_typing_its_name_or_choosing_his_own(
    owner: Client, ben: User, anna: User, robo: User, now: dt.datetime
) -> None:
    bot_accounts.create(owner=anna, name="Anton", is_for_all=True, now=now)
    table = new_table(ben, now, allows_own_bots=True)
    room = owner.get(reverse("table", args=[table.ref]))
    assert "your bot Robo" in words(room) and "Anton" not in words(room)
    add = reverse("add_bot", args=[table.ref])
    assert "Bot Anton has joined." in words(owner.post(add, {"bot": "greedy", "name": "anton"}, follow=True))
    page = owner.post(add, {"bot": "Robo", "name": ""}, follow=True)
    assert "Bot Robo bot of Ben" in words(page) and "Bot Anton bot of Anna" in words(page)


def test_a_host_is_not_offered_his_own_where_the_table_does_not_allow_it(
    owner: Client, ben: User, robo: User, now: dt.datetime
) -> None:
    table = new_table(ben, now)
    assert "your bot Robo" not in words(owner.get(reverse("table", args=[table.ref])))
    page = owner.post(reverse("add_bot", args=[table.ref]), {"bot": "greedy", "name": "Robo"}, follow=True)
    assert "who owns the bot Robo, is already playing here. To play together, ask the host" in words(page)
    assert not table.seats.filter(user=robo).exists()


def test_lobby_and_join_page_say_that_a_table_is_unrated_before_anybody_joins(
    client: Client, anna: User, ben: User, now: dt.datetime
) -> None:
    unrated = "Unrated: players may play alongside their own bots here."
    for allows in (False, True):
        table = new_table(anna, now, is_listed=True, allows_own_bots=allows)
        invitation = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
        pages = [reverse("lobby"), table_links.join_url(table), table_links.invitation_url(invitation)]
        assert [unrated in words(client.get(page)) for page in pages] == [allows] * 3


def test_an_owner_reads_on_the_join_page_why_the_seat_is_not_his(
    owner: Client, anna: User, ben: User, robo: User, now: dt.datetime
) -> None:
    table = new_table(anna, now, is_listed=True, bots=("Robo",))
    page = owner.post(table_links.join_url(table), {"entropy": ""})
    assert page.status_code == 409 and "a bot owned by Ben, is already playing here. To play together" in words(page)
    assert not table.seats.filter(user=ben).exists()


def test_wherever_it_plays_one_sees_what_it_is_and_whose(
    client: Client, anna: User, robo: User, now: dt.datetime
) -> None:
    table = new_table(anna, now, bots=("Robo", "greedy"))
    lifecycle.start(game_id=table.pk, host=anna, now=now)
    client.force_login(anna)
    page = words(client.get(reverse("table", args=[table.ref])))
    assert "Bot Robo bot of Ben" in page and "Nur bot" in page
    assert "Robo bot of Ben" in words(client.get(reverse("player", args=[robo.ref])))


def test_moderators_see_owners_and_bots(client: Client, ben: User, robo: User, table: Game) -> None:
    client.force_login(staff.make_moderator("eva@example.org"))
    for user, other in ((ben, robo), (robo, ben)):
        page = client.get(reverse("admin:games_user_moderate", args=[user.pk]))
        link = reverse("admin:games_user_moderate", args=[other.pk])
        assert soup_of(page).select_one(f"dl.facts a[href='{link}']")
        assert "bots.invalid" not in page.content.decode()
    shown = client.get(reverse("admin:games_user_change", args=[robo.pk])).content.decode()
    assert "bots.invalid" not in shown and fresh(table).host.name in words(client.get("/admin/games/user/"))


def test_an_owner_says_on_its_page_which_games_it_takes(owner: Client, ben: User, robo: User) -> None:
    form = {"do": "takes", "takes_rules": ["cave-of-wonders"], "takes_paces": ["live"], "takes_seat_counts": ["3"]}
    assert "Saved." in words(press(owner, robo, **form, takes_games="2", answers_invitations="on"))
    terms = User.objects.get(pk=robo.pk).terms
    assert (terms.takes_rules, terms.takes_seat_counts, terms.takes_games) == (["cave-of-wonders"], [3], 2)
    page = soup_of(owner.get(reverse("bot", args=[robo.ref])))
    assert page.select_one("[name=takes_games]")["value"] == "2"
    assert len(page.select("#takes-heading ~ form input:checked")) == 4
    refused = owner.post(reverse("bot", args=[robo.ref]), {**form, "takes_games": "0"})
    assert refused.status_code == 422
    press(owner, robo, do="renew", scopes=["play"])
    assert "Evening · 3 seats · games at a time: 2" in words(
        Client().get(reverse("bot_directory") + "?game=cave-of-wonders")
    )


def test_a_host_reads_why_a_bot_does_not_come_and_that_one_is_invited(
    client: Client, anna: User, robo: User, table: Game
) -> None:
    client.force_login(anna)
    add = reverse("add_bot", args=[table.ref])
    bot_accounts.set_terms(bot=robo, takes_seat_counts=[2])
    assert "Robo plays only at tables with this many seats: 2." in words(
        client.post(add, {"name": "Robo"}, follow=True)
    )
    bot_accounts.set_terms(bot=robo, takes_seat_counts=[], answers_invitations=True)
    page = words(client.post(add, {"name": "Robo"}, follow=True))
    assert "Robo is invited, and decides itself." in page and "no answer yet" in page and "bots.invalid" not in page


def test_a_match_is_opened_followed_downloaded_and_ended_on_pages(
    owner: Client, anna: User, robo: User, now: dt.datetime
) -> None:
    for bot in (robo, bot_accounts.create(owner=anna, name="Ada", is_for_all=True, now=now)):
        bot_accounts.renew_token(bot=bot, now=now)
    form = {"rules_name": "cave-of-wonders", "bots": ["Robo", "Ada"], "games": "3", "pace": "live"}
    alone = owner.post(reverse("new_match"), {**form, "bots": ["Robo"]})
    assert alone.status_code == 422 and "two different bots" in words(alone)
    page = owner.post(reverse("new_match"), form, follow=True)
    match = Match.objects.get()
    assert "3 games" in words(page) and "opened by Ben" in words(page)
    matches.step_one(present.now())
    stranger = Client()
    shown = soup_of(stranger.get(reverse("match", args=[match.ref])))
    assert len(shown.select("ol li")) == 1 and not shown.select("main form")
    file = stranger.get(reverse("match_csv", args=[match.ref]))
    assert file["Content-Type"].startswith("text/csv") and len(file.content.decode().splitlines()) == 3
    assert "Ada" in words(stranger.get(reverse("bot_directory") + "?game=cave-of-wonders"))
    stranger.post(reverse("match", args=[match.ref]))
    assert Match.objects.get().status == Match.Status.RUNNING
    assert "called off" in words(owner.post(reverse("match", args=[match.ref]), follow=True))
    assert stranger.get(reverse("match", args=["nosuchmatch1"])).status_code == 404
