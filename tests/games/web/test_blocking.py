"""Pages about blocking: from a profile, beside a line of talk, and behind the link of an invitation."""

import datetime as dt
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from games.clubs import invitations as club_invitations
from games.lobby import invitations
from games.models import Block, Game, User
from games.people import friends
from games.play import table_talk
from games.tables import table_links
from tests.games.clubs.founding import found
from tests.games.web.filling import pressed, soup_of, words
from tests.games.web.test_players import profile, signed_in

pytestmark = pytest.mark.slow


def path_of(url: str) -> str:
    return urlsplit(url).path


def test_one_blocks_on_a_profile_and_undoes_it_there(anna: User, ben: User, now: dt.datetime) -> None:
    client, page = signed_in(anna), reverse("block_player", args=[ben.ref])
    assert page in str(client.get(profile(ben)).content)
    assert "Block Ben?" in words(client.get(page)) and not Block.objects.exists()
    assert "You've blocked Ben" in words(client.post(page, {"do": "block"}, follow=True))
    shown = words(client.get(profile(ben)))
    assert "You've blocked this person" in shown and "Ask to be friends" not in shown
    assert "Block" not in words(signed_in(ben).get(profile(anna))).replace("Block this person", "")
    assert "Block Ben?" in words(client.post(page, {"do": "unblock"}, follow=True)) and not Block.objects.exists()
    assert client.get(reverse("block_player", args=["nobody"])).status_code == 404
    assert "You can't block yourself." in words(client.post(reverse("block_player", args=[anna.ref])))


def test_the_settings_list_whom_one_has_blocked_and_take_it_back(anna: User, ben: User) -> None:
    client = signed_in(anna)
    assert reverse("blocked") in str(client.get(reverse("settings")).content)
    assert "You haven't blocked anyone." in words(client.get(reverse("blocked")))
    client.post(reverse("block_player", args=[ben.ref]))
    ref = soup_of(client.get(reverse("blocked"))).select_one("button[name=ref]")["value"]
    assert "You've unblocked Ben." in words(client.post(reverse("blocked"), {"ref": ref}, follow=True))
    assert "unblocked them already" in words(client.post(reverse("blocked"), {"ref": ref}, follow=True))


def test_talk_of_the_blocked_is_folded_on_a_page_that_was_open(
    placing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    line = table_talk.say(game_id=placing.pk, user=ben, text="Some words", now=now)
    own = table_talk.say(game_id=placing.pk, user=anna, text="Mine", now=now)
    client, table = signed_in(anna), reverse("table", args=[placing.ref])
    before = client.get(table)
    links_there = [link["href"] for link in soup_of(before).select(".talk a")]
    assert links_there == [reverse("block_author", args=[placing.ref, line.ref])]
    assert "You've blocked Ben" in words(client.post(links_there[0], follow=True))
    after = client.get(table, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert "Some words" in soup_of(after).select_one(".talk details").text
    assert not soup_of(signed_in(ben).get(table)).select(".talk details")
    assert client.get(reverse("block_author", args=[placing.ref, own.ref])).status_code == 404
    assert not soup_of(Client().get(table)).select(".talk a")


def test_who_is_invited_declines_and_blocks_behind_the_link_and_undoes_it_there(
    table: Game, anna: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    page, client = path_of(table_links.invitation_url(row)), Client(enforce_csrf_checks=True)
    assert soup_of(client.get(page)).select("button[name=answer][value=block]")
    assert "You've blocked Anna." in words(client.post(page, {"answer": "block", **pressed()}))
    row.refresh_from_db()
    assert row.status == "declined" and Block.objects.get().recipient == row.recipient
    assert "Block Anna" in words(client.post(page, {"answer": "unblock"})) and not Block.objects.exists()
    assert not User.objects.filter(email="eva@example.org").exists()


def test_the_same_behind_the_links_about_clubs_and_friends(anna: User, ben: User, now: dt.datetime) -> None:
    invited = club_invitations.invite(club=found(anna), by=anna, address=ben.email, now=now)
    asked = friends.ask(user=anna, other=ben, now=now)
    for page in (path_of(club_invitations.invitation_url(invited)), path_of(friends.friend_request_url(asked))):
        client = Client(enforce_csrf_checks=True)
        assert "No, and block" in words(client.get(page))
        assert "You've blocked Anna." in words(client.post(page, {"answer": "block"}))
        assert Block.objects.get().recipient == ben.recipient
        assert "Block Anna" in words(client.post(page, {"answer": "unblock"})) and not Block.objects.exists()
        for row in (invited, asked):
            row.refresh_from_db()
            type(row).objects.filter(pk=row.pk).update(status=row.Status.ASKED if row is asked else row.Status.SENT)


def test_tables_of_the_blocked_are_not_in_the_lobby(table: Game, anna: User, ben: User, now: dt.datetime) -> None:
    Game.objects.filter(pk=table.pk).update(is_listed=True, title="Thursday with Anna")
    client = signed_in(ben)
    addresses = (reverse("lobby"), reverse("lobby") + "?game=aladdins-dragons")
    assert all("Thursday with Anna" in words(client.get(address)) for address in addresses)
    client.post(reverse("block_player", args=[anna.ref]))
    assert not any("Thursday with Anna" in words(client.get(address)) for address in addresses)
