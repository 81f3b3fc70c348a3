"""The waiting room and its buttons, for host, guest, onlooker and stranger."""

import pytest
from django.test import Client
from django.urls import reverse

from games.lobby import invitations, lifecycle
from games.models import Game, Invitation
from games.tables import table_links
from notifications.channels.mail.suppressions import suppress
from notifications.models import Notice
from tests.games.conftest import fresh, new_table
from tests.games.web.filling import outcomes, soup_of, words

BUTTONS = ["invite", "add_bot", "start", "close_table"]


def press(client, name, game, data=None, *more):
    return client.post(reverse(name, args=[game.ref, *more]), data or {}, follow=True)


@pytest.fixture
def host(client, anna) -> Client:
    client.force_login(anna)
    return client


@pytest.fixture
def guest(table, ben, now) -> Client:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    client = Client()
    client.force_login(ben)
    return client


def room(client, game):
    return client.get(reverse("table", args=[game.ref]))


# What it shows


def test_the_host_sees_seats_link_bots_and_commitment(host, table):
    page = words(room(host, table))
    for shown in (
        "Seats: 1 of 3 taken",
        "Anna host you",
        "free",
        "Send invitations",
        "Nur ★★★☆☆",
        table.commitment,
    ):
        assert shown in page
    assert table_links.join_url(table) in page
    assert "one day per move" in page and "Open hoards" in page
    assert "Start the game" not in page


def test_start_is_there_when_every_seat_is_taken(host, table, anna, now):
    for _ in range(2):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="greedy", now=now)
    page = room(host, table)
    assert soup_of(page).select_one(f"form[action='{reverse('start', args=[table.ref])}'] button.big")
    assert "Send invitations" not in words(page)


@pytest.mark.slow
def test_a_guest_sees_who_is_here_and_nothing_to_manage(guest, table, anna, now):
    invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    page = words(room(guest, table))
    assert "Ben you" in page and "Anna will start the game" in page and "Leave this table" in page
    for hidden in ("eva@example.org", "Send invitations", "Remove", "Close this table"):
        assert hidden not in page


def test_an_onlooker_of_a_listed_table_is_offered_a_seat(client, anna, david, now):
    game = new_table(anna, now, is_listed=True)
    client.force_login(david)
    page = soup_of(room(client, game))
    assert page.select_one(f"a[href='{table_links.join_url(game)}']")
    assert not page.select("main form")


def test_the_seed_is_on_no_page(host, table):
    assert table.server_seed not in room(host, table).content.decode()


# Inviting


def test_several_addresses_each_have_their_own_result(host, table, ben, now):
    suppress("never@example.org", "asked")
    text = "Carla@Example.org; <eva@example.org>,nonsense\r\nnever@example.org  carla@example.org anna@example.org"
    page = words(press(host, "invite", table, {"addresses": text}))
    assert sorted(table.invitations.values_list("address", flat=True)) == ["carla@example.org", "eva@example.org"]
    assert "2 invitations are on their way." in page
    assert "nonsense: nonsense is not an email address." in page
    assert "never@example.org: We can't send an invitation to this address." in page
    assert "anna@example.org: anna@example.org is already at this table." in page
    assert "carla@example.org: already invited" in page
    assert Notice.objects.filter(kind="invited").count() == 2


@pytest.mark.slow
def test_inviting_again_sends_nothing_and_says_so(host, table):
    press(host, "invite", table, {"addresses": "eva@example.org"})
    page = words(press(host, "invite", table, {"addresses": "eva@example.org"}))
    assert "eva@example.org: already invited" in page and "on its way" not in page
    assert Notice.objects.filter(kind="invited").count() == 1


@pytest.mark.slow
def test_the_days_limit_is_said_once_and_stops_there(host, table, settings):
    settings.INVITATIONS_PER_HOST_AND_DAY = 2
    addresses = " ".join(f"p{number}@example.org" for number in range(5))
    page = words(press(host, "invite", table, {"addresses": addresses}))
    assert table.invitations.count() == 2
    assert page.count("today's limit of invitations") == 1 and "2 invitations are on their way" in page


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", " ,; ", "x" * 4001, " ".join(f"p{n}@example.org" for n in range(21))])
def test_nothing_or_far_too_much_invites_nobody(host, table, text):
    response = press(host, "invite", table, {"addresses": text})
    assert response.status_code == 200 and soup_of(response).select(".notice.error")
    assert not Invitation.objects.exists()


@pytest.mark.slow
def test_an_invitation_can_be_withdrawn(host, table, anna, now):
    row = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    assert outcomes(press(host, "withdraw_invitation", table, {}, row.ref)) == ["success"]
    row.refresh_from_db()
    assert row.status == Invitation.Status.WITHDRAWN
    assert outcomes(press(host, "withdraw_invitation", table, {}, row.ref)) == ["error"]


@pytest.mark.slow
def test_an_invitation_of_another_table_is_not_withdrawn(host, table, anna, now):
    other = new_table(anna, now)
    row = invitations.invite(game_id=other.pk, host=anna, address="eva@example.org", now=now)
    page = press(host, "withdraw_invitation", table, {}, row.ref)
    row.refresh_from_db()
    assert row.status == Invitation.Status.SENT
    assert outcomes(page) == ["error"] and "eva@example.org" not in words(page)


# Seats


@pytest.mark.slow
def test_bots_sit_down_until_the_table_is_full(host, table):
    pressed = [outcomes(press(host, "add_bot", table, {"bot": bot})) for bot in ("greedy", "random", "random")]
    assert pressed == [["success"], ["success"], ["error"]]
    assert table.seats.count() == 3


@pytest.mark.parametrize("bot", ["", "cheater", "x" * 1000, "\x00"])
def test_a_bot_that_does_not_exist_does_not_sit_down(host, table, bot):
    assert outcomes(press(host, "add_bot", table, {"bot": bot})) == ["error"]
    assert table.seats.count() == 1


@pytest.mark.slow
def test_the_host_sends_a_guest_away(host, guest, table, ben):
    seat = table.seats.get(user=ben)
    assert outcomes(press(host, "remove_seat", table, {"seat": seat.pk}, seat.number)) == ["success"]
    assert not table.seats.filter(user=ben).exists()


@pytest.mark.slow
def test_a_stale_remove_button_removes_nobody_else(host, guest, table, ben, carla, anna, now):
    lifecycle.join(game_id=table.pk, user=carla, now=now)
    stale = table.seats.get(user=ben)
    lifecycle.remove_seat(game_id=table.pk, host=anna, number=stale.number)
    assert outcomes(press(host, "remove_seat", table, {"seat": stale.pk}, stale.number)) == ["error"]
    assert table.seats.filter(user=carla).exists()


@pytest.mark.slow
def test_the_host_does_not_remove_himself(host, table, anna):
    seat = table.seats.get(user=anna)
    assert outcomes(press(host, "remove_seat", table, {"seat": seat.pk}, seat.number)) == ["error"]
    assert table.seats.count() == 1


def test_a_guest_leaves_and_is_back_at_his_games(guest, table, ben):
    response = press(guest, "leave_table", table)
    assert response.redirect_chain[-1][0] == reverse("my_games")
    assert outcomes(response) == ["success"]
    assert not table.seats.filter(user=ben).exists()


@pytest.mark.slow
def test_the_host_closes_instead_of_leaving(host, table):
    assert outcomes(press(host, "leave_table", table)) == ["error"]
    assert table.seats.count() == 1


# Starting and closing


def test_the_host_starts_a_full_table(host, table):
    for _ in range(2):
        press(host, "add_bot", table, {"bot": "random"})
    assert outcomes(press(host, "start", table)) == ["success"]
    assert fresh(table).status == Game.Status.RUNNING


@pytest.mark.slow
def test_a_table_with_free_seats_does_not_start(host, table):
    assert outcomes(press(host, "start", table)) == ["error"]
    assert fresh(table).status == Game.Status.OPEN


@pytest.mark.slow
def test_starting_twice_starts_once(host, table):
    for _ in range(2):
        press(host, "add_bot", table, {"bot": "random"})
    assert [outcomes(press(host, "start", table)) for _ in range(2)] == [["success"], ["error"]]


@pytest.mark.slow
def test_a_table_is_closed(host, table):
    assert outcomes(press(host, "close_table", table)) == ["success"]
    assert fresh(table).status == Game.Status.CLOSED
    assert "closed before the game started" in words(room(host, table))


# Who may


@pytest.mark.slow
@pytest.mark.parametrize("name", BUTTONS)
def test_a_guest_presses_the_hosts_buttons_in_vain(guest, table, name):
    data = {"addresses": "eva@example.org", "bot": "random"}
    assert outcomes(press(guest, name, table, data)) == ["error"]
    assert fresh(table).status == Game.Status.OPEN and table.seats.count() == 2
    assert not table.invitations.exists()


@pytest.mark.parametrize("name", [*BUTTONS, "leave_table"])
def test_an_outsider_meets_no_table(client, table, david, name):
    client.force_login(david)
    theirs = client.post(reverse(name, args=[table.ref]), {"bot": "random"})
    none = client.post(reverse(name, args=["nothing12345"]), {"bot": "random"})
    assert (theirs.status_code, none.status_code) == (404, 404)
    assert words(theirs) == words(none)
    assert fresh(table).status == Game.Status.OPEN and table.seats.count() == 1


@pytest.mark.parametrize("name", [*BUTTONS, "leave_table"])
def test_a_stranger_is_asked_to_sign_in(client, table, name):
    response = client.post(reverse(name, args=[table.ref]))
    assert response.status_code == 302
    assert response.headers["Location"].startswith(reverse("account_request_login_code"))


@pytest.mark.parametrize("name", [*BUTTONS, "leave_table"])
def test_a_link_alone_does_nothing(host, table, name):
    page = reverse("table", args=[table.ref])
    assert host.get(reverse(name, args=[table.ref])).headers["Location"] == f"{page}#again"
    assert fresh(table).status == Game.Status.OPEN


def test_a_form_from_elsewhere_is_refused_in_the_sites_look(table, anna):
    client = Client(enforce_csrf_checks=True)
    client.force_login(anna)
    response = client.post(reverse("close_table", args=[table.ref]))
    assert response.status_code == 403 and "This form has expired" in words(response)
    assert fresh(table).status == Game.Status.OPEN
