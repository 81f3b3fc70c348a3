"""What other sites show of us: pasted links, boards and feeds, as a stranger may see them."""

import io
import re
from datetime import datetime
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from PIL import Image

from games.clubs import invitations as club_invitations
from games.lobby import invitations
from games.models import Game, User
from games.tables import table_links
from games.tournaments import tournaments
from tests.games.clubs.founding import found
from tests.games.conftest import cave_of_three, fresh, play_to_the_end
from tests.games.tournaments.conftest import plan
from tests.games.web.filling import soup_of

MOST_BYTES = 60_000


def shown(path: str) -> dict[str, str]:
    """What a program learns of a page: its tags by their names."""
    head = BeautifulSoup(Client().get(path, follow=True).content, "html.parser").head
    assert head is not None
    tags = {
        str(tag.get("property") or tag["name"]): str(tag["content"])
        for tag in head.select("meta[property], meta[name]")
    }
    canonical = head.select_one("link[rel=canonical]")
    return tags | ({"canonical": str(canonical["href"])} if canonical else {})


def picture_of(tags: dict[str, str]) -> Image.Image:
    answer = Client().get(tags["og:image"].removeprefix("http://localhost:8000"))
    assert answer.headers["Content-Type"] == "image/png" and len(answer.content) <= MOST_BYTES
    assert "public" in answer.headers["Cache-Control"]
    return Image.open(io.BytesIO(answer.content))


@pytest.fixture
def watched(placing: Game) -> Game:
    """A running table that anybody may watch."""
    placing.is_watchable = True
    placing.save()
    return fresh(placing)


def test_a_table_that_anybody_may_watch_shows_its_name_and_its_board(watched: Game) -> None:
    tags = shown(reverse("table", args=[watched.ref]))
    assert tags["og:title"] == watched.title and "Anna" in tags["og:description"]
    assert picture_of(tags).size == (1200, 630)
    assert tags["robots"] == "noindex" and "canonical" not in tags  # until it is over


def test_a_private_table_shows_nothing_and_has_no_picture(placing: Game, watched: Game) -> None:
    open_tags = shown(reverse("table", args=[watched.ref]))
    watched.is_watchable = False
    watched.save()
    for name in ("table", "review", "history", "statistics"):
        assert not {tag for tag in shown(reverse(name, args=[placing.ref])) if tag.startswith("og:")}
    assert Client().get(open_tags["og:image"].removeprefix("http://localhost:8000")).status_code == 404


def test_whoever_is_signed_in_carries_none_of_it(client: Client, watched: Game, anna: User) -> None:
    client.force_login(anna)
    page = client.get(reverse("table", args=[watched.ref])).content.decode()
    assert "og:" not in page and "canonical" not in page


def test_an_invitation_says_who_invites_and_to_what_and_not_whom(table: Game, anna: User, now) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address="dora@example.org", now=now)
    for url in (table_links.invitation_url(row), table_links.join_url(table)):
        tags = shown(url.removeprefix("http://localhost:8000"))
        assert tags["og:title"].startswith("Anna invites you to play") and tags["robots"] == "noindex"
        assert "dora" not in str(tags) and table.ref not in str(tags)
        assert picture_of(tags).size == (1200, 630)
    assert not [tag for tag in shown(reverse("invitation", args=["abcdefghjkmn", "0" * 26])) if tag.startswith("og:")]


def test_the_link_to_a_club_says_which_club_and_nobody_in_it(anna: User) -> None:
    club = found(anna)
    tags = shown(club_invitations.join_url(club).removeprefix("http://localhost:8000"))
    assert (tags["og:title"], tags["og:description"]) == ("Lamp & Genie", "We play on Thursdays.")
    assert tags["robots"] == "noindex" and "Anna" not in str(tags) and picture_of(tags).size == (1200, 630)
    assert not [tag for tag in shown(reverse("club", args=[club.ref])) if tag.startswith("og:")]


def test_search_engines_may_show_a_profile_once_its_owner_is_on_the_leaderboard(anna: User) -> None:
    path = reverse("player", args=[anna.ref])
    assert shown(path)["robots"] == "noindex"
    anna.is_ranked = True
    anna.save()
    assert "robots" not in shown(path) and shown(path)["canonical"].endswith(path)
    anna.has_profile = False
    anna.save()
    assert shown(path)["robots"] == "noindex" and "og:title" not in shown(path)


def test_the_map_of_the_site_has_public_pages_alone(client: Client, placing: Game) -> None:
    said = client.get("/sitemap.xml").content.decode()
    assert reverse("rules_index") in said and placing.ref not in said
    assert "Disallow: /act/" in client.get("/robots.txt").content.decode()
    for path in re.findall(r"<loc>http://testserver(/[^<]*)</loc>", said):
        page = Client().get(path)
        assert page.status_code == 200 and not soup_of(page).select("meta[content=noindex]"), path


def test_the_link_for_friends_and_a_game_that_is_over_can_be_shared(
    client: Client, table: Game, anna: User, ben: User, carla: User, now: datetime
) -> None:
    client.force_login(anna)
    (button,) = soup_of(client.get(reverse("table", args=[table.ref]))).select("[data-share]")
    assert button["data-url"] == table_links.join_url(table) and button["data-share"] == table.title
    over = play_to_the_end(cave_of_three(now), now)
    (button,) = soup_of(client.get(reverse("table", args=[over.ref]))).select("[data-share]")
    assert str(button["data-share"]).endswith(over.title) and not button.get("data-url")


def test_the_board_of_a_table_that_anybody_may_watch_stands_on_other_sites(watched: Game) -> None:
    page = Client().get(reverse("embed", args=[watched.ref]))
    tree = soup_of(page)
    assert "frame-ancestors *" in page.headers["Content-Security-Policy"] and "X-Frame-Options" not in page.headers
    assert not page.cookies and not tree.select("form, script, input")
    board = Client().get(reverse("board_svg", args=[watched.ref]))
    assert [picture["src"] for picture in tree.select("img")] == [reverse("board_svg", args=[watched.ref])]
    assert board.headers["Content-Type"] == "image/svg+xml" and board.content.startswith(b"<svg")
    assert board.headers["Cross-Origin-Resource-Policy"] == "cross-origin" and "Anna" in board.content.decode()
    png = Client().get(reverse("board_png", args=[watched.ref])).content
    assert Image.open(io.BytesIO(png)).width == 800
    watched.is_watchable = False
    watched.save()
    for name in ("embed", "board_svg", "board_png", "table_feed"):
        assert Client().get(reverse(name, args=[watched.ref])).status_code == 404


def test_a_feed_tells_what_happened_at_a_table_and_which_games_are_over(
    watched: Game, anna: User, ben: User, carla: User, now: datetime
) -> None:
    feed = ElementTree.fromstring(Client().get(reverse("table_feed", args=[watched.ref])).content)  # noqa: S314  # ours
    entries = feed.findall("{*}entry")
    assert entries and all(entry.findtext("{*}title") and entry.findtext("{*}updated") for entry in entries)
    links = [entry.find("{*}link").get("href") for entry in entries]  # type: ignore[union-attr]
    assert len(set(links)) == len(links)
    over = play_to_the_end(cave_of_three(now, is_listed=True), now)
    said = Client().get(reverse("archive_feed")).content.decode()
    assert f"/table/{over.ref}/" in said and watched.ref not in said
    assert Client().get(reverse("tournament_feed", args=["abcdefghjkmn"])).status_code == 404


def test_a_tournament_has_a_calendar_of_when_entries_close_and_rounds_end(anna: User, now: datetime) -> None:
    row = tournaments.open_tournament(host=anna, plan=plan(now), now=now)
    answer = Client().get(reverse("tournament_calendar", args=[row.ref]))
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert event["summary"] == f"Entries close: {row.title}" and event["dtend"].dt == row.closes_at
    assert event["url"] == tournaments.tournament_url(row) and not answer.cookies
    assert Client().get(reverse("tournament_calendar", args=["abcdefghjkmn"])).status_code == 404
