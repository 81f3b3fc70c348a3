"""Opening a table, and sitting down by a link or an invitation."""

import pytest
from django.test import Client
from django.urls import reverse

from games.lobby import invitations, lifecycle
from games.models import Game, Invitation, User
from games.tables import pace, table_links
from tests.games.conftest import new_table
from tests.games.web.filling import pressed, soup_of, words

GOOD = {
    "title": "Thursday",
    "seats": "3",
    "bots": "0",
    "bot": "greedy",
    "pace": "daily",
    "missed": "ask",
    "is_first_miss_excused": "on",
    "absent_after": "3",
    "absent_seats": "pass",
    "option-version": "basic",
    "option-last_first": "reverse",
    "option-open_hoards": "on",
    "option-safety_stop": "off",
    "option-placing": "turns",
    "option-tokens_per_turn": "1",
    "option-length": "full",
    "option-tally": "step",
}


@pytest.fixture
def host(client, anna) -> Client:
    client.force_login(anna)
    return client


@pytest.fixture
def invited(table, anna, now) -> Invitation:
    return invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)


# New table


def test_the_form_as_it_stands_opens_a_table(host, anna):
    page = soup_of(host.get(reverse("new_table")))
    data = {}
    for field in page.select("main form input, main form select"):
        if field.name == "select":
            data[field["name"]] = field.select_one("option[selected]")["value"]
        elif field.get("type") not in ("radio", "checkbox") or field.has_attr("checked"):
            is_tick = field.get("type") == "checkbox"
            data[field["name"]] = field.get("value", "on" if is_tick else "")
    response = host.post(reverse("new_table"), data)
    game = Game.objects.get()
    assert response.headers["Location"] == reverse("table", args=[game.ref])
    assert (game.title, game.seat_count, game.pace, game.is_listed) == ("Anna's table", 4, "daily", False)


def test_every_wish_reaches_the_table(host):
    wishes = {
        "seats": "4",
        "bots": "2",
        "bot": "random",
        "pace": "relaxed",
        "missed": "proposal",
        "absent_after": "5",
        "absent_seats": "takeover",
        "is_listed": "on",
        "option-open_hoards": "off",
    }
    data = GOOD | wishes
    del data["is_first_miss_excused"]
    host.post(reverse("new_table"), data)
    game = Game.objects.get()
    assert (game.title, game.seat_count, game.pace, game.missed) == ("Thursday", 4, "relaxed", "proposal")
    assert (game.absent_after, game.absent_seats, game.is_listed) == (5, "takeover", True)
    assert not game.is_first_miss_excused
    wanted = {"version": "basic", "last_first": "reverse", "open_hoards": "off", "safety_stop": "off"}
    assert game.options.items() >= wanted.items()
    assert [seat.bot for seat in game.seats.order_by("number")] == ["", "random", "random"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "value", "beside"),
    [
        ("seats", "2", "Select a valid choice"),
        ("seats", "", "required"),
        ("seats", "many", "Select a valid choice"),
        ("bots", "3", "at most 2 bots"),
        ("bot", "cheater", "Select a valid choice"),
        ("pace", "never", "Select a valid choice"),
        ("missed", "explode", "Select a valid choice"),
        ("absent_after", "0", "greater than or equal to 1"),
        ("absent_after", "99999999999999999999", "less than or equal to 20"),
        ("title", "x" * 61, "at most 60"),
        ("option-version", "cheap", "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_no_table_opens(host, field, value, beside):
    response = host.post(reverse("new_table"), GOOD | {field: value})
    assert response.status_code == 422
    page = soup_of(response)
    marked = page.select_one(f"#id_{field}_error")
    assert beside in marked.text
    assert marked.find_parent(class_="field").select_one(f"[name='{field}']")
    assert page.select_one("[role=alert]")
    assert not Game.objects.exists()


def test_an_empty_form_opens_nothing(host):
    assert host.post(reverse("new_table"), {}).status_code == 422
    assert not Game.objects.exists()


def test_a_host_with_too_many_open_tables_is_told_so(host, settings):
    settings.OPEN_TABLES_PER_HOST = 1
    host.post(reverse("new_table"), GOOD)
    response = host.post(reverse("new_table"), GOOD)
    assert "too many tables waiting" in words(response)
    assert Game.objects.count() == 1


def test_a_host_allows_a_player_and_that_players_bot(host):
    host.post(reverse("new_table"), {**GOOD, "allows_own_bots": "on"})
    assert Game.objects.get().allows_own_bots


def test_a_table_is_opened_by_members_only(client, db):
    for response in (client.get(reverse("new_table")), client.post(reverse("new_table"), GOOD)):
        assert response.status_code == 302
    assert not Game.objects.exists()


def test_a_game_that_does_not_exist_falls_back_to_one_that_does(host):
    assert "Aladdin's Dragons" in words(host.get(reverse("new_table") + "?game=<nothing>"))


@pytest.mark.slow
def test_a_title_with_markup_is_shown_as_it_was_written(host, anna, now):
    game = new_table(anna, now, title="<b>Thursday</b>\r\nround", is_listed=True)
    page = host.get(reverse("lobby"))
    assert "<b>Thursday</b> round" in soup_of(page).select_one(".card-title").text
    assert game.title == "<b>Thursday</b> round"


# The lobby


def test_the_lobby_shows_listed_tables_to_strangers(client, anna, now):
    new_table(anna, now, title="For all", is_listed=True)
    new_table(anna, now, title="For friends")
    page = words(client.get(reverse("lobby")))
    assert "For all" in page and "Hosted by Anna" in page and "For friends" not in page


def test_an_empty_lobby_says_what_to_do(client, db):
    assert soup_of(client.get(reverse("lobby"))).select_one(".empty img")


@pytest.mark.parametrize(
    ("looked_for", "found"),
    [
        ({}, {"Dragons", "Cave", "Bots"}),
        ({"game": "cave-of-wonders"}, {"Cave"}),
        ({"free": "2"}, {"Dragons", "Cave"}),
        ({"pace": "brisk"}, {"Dragons"}),
        ({"language": "es"}, {"Cave"}),
        ({"bots": "no"}, {"Dragons", "Cave"}),
        ({"bots": "yes"}, {"Bots"}),
        ({"game": "chess", "free": "many", "pace": "' OR 1=1"}, {"Dragons", "Cave", "Bots"}),
        ({"game": "cave-of-wonders", "bots": "yes"}, set()),
    ],
)
def test_the_lobby_shows_what_somebody_looks_for(client, anna, ben, now, looked_for, found):
    ben.recipient.language = "es"
    ben.recipient.save()
    new_table(anna, now, title="Dragons", is_listed=True, pace="brisk")
    new_table(ben, now, title="Cave", is_listed=True, rules_name="cave-of-wonders")
    new_table(anna, now, title="Bots", is_listed=True, bots=("greedy",))
    new_table(anna, now, title="Full", is_listed=True, bots=("greedy", "greedy"))
    page = soup_of(client.get(reverse("lobby"), looked_for))
    assert {title.text for title in page.select(".card-title")} == found
    assert ("No tables match" in page.text) == (not found)


def test_a_table_in_the_lobby_says_how_long_it_takes_and_who_sits_there(client, anna, now):
    new_table(anna, now, seat_count=4, is_listed=True, options={"tally": "plan"}, bots=("greedy",))
    page = words(client.get(reverse("lobby")))
    assert "daily: one day per move; about 4 weeks" in page, "a listed table is rated, and has no proposals"
    assert "Hosted by Anna (English)" in page and "there: Anna, Nur" in page


@pytest.mark.slow
def test_a_new_table_is_offered_as_it_suits_a_game_by_mail_and_says_how_long_it_takes(host):
    page = soup_of(host.get(reverse("new_table")))
    assert page.select_one("[name=option-tally][checked]")["value"] == "plan"
    lengths = {label["data-pace"]: label.small.text for label in page.select("[data-pace]")}
    assert lengths == {"daily": "about 4 days", "relaxed": "about 6 days", "live": "15 minutes per move"}
    basic = soup_of(host.get(reverse("new_table"), {"option-version": "basic", "seats": "nonsense"}))
    changed = {label["data-pace"]: label.small.text for label in basic.select("[data-pace]")}
    assert changed == {"daily": "about 5 days", "relaxed": "about 7 days", "live": "15 minutes per move"}
    alone = soup_of(host.get(reverse("new_table"), {"option-tally": "nonsense", "seats": "5"}))
    assert alone.select_one("[data-pace=daily] small").text == "one day per move", (
        "nothing is said that nobody measured"
    )
    data = {
        "game": "aladdins-dragons",
        "pace": "daily",
        "seats": "4",
        "option-tally": "plan",
        "option-version": "magic",
    }
    host.post(reverse("new_table"), GOOD | data)
    assert pace.days_in_words(pace.days(Game.objects.get())) == lengths["daily"], "the table says the same"


def test_a_new_table_invites_by_address_and_bots_fill_what_is_left(host):
    wrong = host.post(reverse("new_table"), GOOD | {"seats": "4", "addresses": "eva@example.org, nobody, x@"})
    assert "nobody, x@" in soup_of(wrong).select_one("#id_addresses_error").text
    assert soup_of(wrong).select_one("[name=addresses]")["value"] == "eva@example.org, nobody, x@", "nothing is lost"
    crowd = ", ".join(f"{name}@example.org" for name in "abcd")
    full = host.post(reverse("new_table"), GOOD | {"seats": "4", "addresses": crowd})
    assert "only 3 seats" in soup_of(full).select_one("#id_addresses_error").text
    assert not Game.objects.exists()
    host.post(reverse("new_table"), GOOD | {"seats": "4", "bots": "0", "addresses": "eva@example.org", "fill": "on"})
    game = Game.objects.get()
    assert [seat.is_bot for seat in game.seats.order_by("number")] == [False, True, True]
    assert [row.address for row in game.invitations.all()] == ["eva@example.org"]


@pytest.mark.slow
def test_what_is_folded_is_open_when_something_is_wrong_in_it(host):
    page = soup_of(host.post(reverse("new_table"), GOOD | {"absent_after": "0", "option-placing": "never"}))
    assert page.select_one("#more").has_attr("open")
    assert page.select_one("#missed").has_attr("open") and page.select_one("#fine-points").has_attr("open")
    page = soup_of(host.post(reverse("new_table"), GOOD | {"seats": "9"}))
    assert not page.select("details[open]")


# Joining by the table's link


@pytest.mark.slow
def test_whoever_has_the_link_and_an_account_can_sit_down(client, table, ben, settings):
    path = table_links.join_url(table).removeprefix(settings.SITE_URL)
    client.force_login(ben)
    assert "Join" in words(client.get(path))
    assert not table.seats.filter(user=ben).exists()
    response = client.post(path, {"entropy": "camels and sand"})
    assert response.headers["Location"] == reverse("table", args=[table.ref])
    assert table.seats.get(user=ben).entropy == "camels and sand"
    assert "You've joined this table" in words(client.get(path))


def test_sitting_down_twice_is_sitting_down_once(client, table, ben, settings):
    path = table_links.join_url(table).removeprefix(settings.SITE_URL)
    client.force_login(ben)
    for _ in range(2):
        client.post(path, {"entropy": ""})
    assert table.seats.filter(user=ben).count() == 1


def test_a_stranger_with_the_link_is_sent_to_the_doors_and_back(client, table, settings):
    path = table_links.join_url(table).removeprefix(settings.SITE_URL)
    page = soup_of(client.get(path))
    doors = [link["href"] for link in page.select("main .card.important a")]
    assert doors == [f"{reverse(name)}?next={path}" for name in ("account_request_login_code", "account_signup")]
    assert client.post(path, {"entropy": ""}).status_code == 403
    assert table.seats.count() == 1


@pytest.mark.slow
def test_a_full_or_begun_or_closed_table_cannot_be_joined(client, anna, ben, carla, david, now, settings):
    client.force_login(david)
    full = new_table(anna, now, bots=("random", "random"))
    path = table_links.join_url(full).removeprefix(settings.SITE_URL)
    response = client.post(path, {"entropy": ""})
    assert response.status_code == 409 and "All seats at this table are taken" in words(response)
    lifecycle.start(game_id=full.pk, host=anna, now=now)
    response = client.post(path, {"entropy": ""})
    assert response.status_code == 409 and "already started" in words(response)
    closed = new_table(anna, now)
    lifecycle.close(game_id=closed.pk, host=anna, now=now)
    response = client.post(table_links.join_url(closed).removeprefix(settings.SITE_URL), {"entropy": ""})
    assert response.status_code == 409 and "closed" in words(response)
    assert not david.seats.exists()


def test_too_long_words_for_the_shuffle_are_refused(client, table, ben, settings):
    client.force_login(ben)
    response = client.post(table_links.join_url(table).removeprefix(settings.SITE_URL), {"entropy": "x" * 65})
    assert response.status_code == 422
    assert not table.seats.filter(user=ben).exists()


@pytest.mark.parametrize("token", ["x", "a" * 26, "a" * 500])
def test_a_tampered_link_leads_nowhere(client, table, ben, token):
    client.force_login(ben)
    path = reverse("join", args=[table.ref, token])
    assert client.get(path).status_code == client.post(path).status_code == 404
    assert table.seats.count() == 1


def test_a_link_of_one_table_does_not_open_another(client, table, anna, ben, now):
    other = new_table(anna, now)
    token = table_links.join_url(other).rstrip("/").rsplit("/", 1)[-1]
    client.force_login(ben)
    assert client.get(reverse("join", args=[table.ref, token])).status_code == 404


# Joining by invitation


def invitation_path(invited, settings) -> str:
    return table_links.invitation_url(invited).removeprefix(settings.SITE_URL)


@pytest.mark.slow
def test_an_invitation_says_who_and_what_and_does_nothing_by_itself(client, invited, settings):
    path = invitation_path(invited, settings)
    for response in (client.get(path), client.head(path), client.options(path)):
        assert response.status_code in (200, 405)
    page = words(client.get(path))
    assert "Anna saved you a seat" in page and "Aladdin's Dragons" in page and "one day per move" in page
    assert "Unsubscribe" in page
    invited.refresh_from_db()
    assert invited.status == Invitation.Status.SENT and not User.objects.filter(email=invited.address).exists()


@pytest.mark.parametrize("data", [{}, {"name": "Eva"}, {"answer": ""}, {"answer": "perhaps"}, {"entropy": "x" * 65}])
def test_a_form_without_a_choice_answers_nothing(client, invited, settings, data):
    response = client.post(invitation_path(invited, settings), data)
    assert response.status_code == 422
    invited.refresh_from_db()
    assert invited.status == Invitation.Status.SENT and User.objects.count() == 1


def test_nothing_is_chosen_on_the_page_of_an_invitation(client, invited, settings):
    page = soup_of(client.get(invitation_path(invited, settings)))
    assert [one["value"] for one in page.select("button[name=answer]")] == ["join", "decline", "block"]
    assert not page.select("input[checked]")


def test_a_program_that_presses_the_buttons_of_an_invitation_answers_nothing(client, invited, settings):
    for answer in ("join", "decline", "block"):
        page = client.post(invitation_path(invited, settings), {"answer": answer, "name": "Eva"})
        assert soup_of(page).select_one("form.who")
    invited.refresh_from_db()
    assert invited.status == Invitation.Status.SENT and User.objects.count() == 1


def test_a_new_person_joins_with_a_name_and_without_a_session(settings, invited, table):
    client = Client(enforce_csrf_checks=True)
    data = {"answer": "join", "name": "Eva", "zone": "America/Lima", "entropy": "dunes", **pressed()}
    response = client.post(invitation_path(invited, settings), data)
    assert response.status_code == 200 and "You're in" in words(response)
    seat = table.seats.get(user__email="eva@example.org")
    assert (seat.name, seat.entropy, seat.user.recipient.zone) == ("Eva", "dunes", "America/Lima")
    assert not seat.user.has_usable_password()
    assert settings.SESSION_COOKIE_NAME not in client.cookies


@pytest.mark.slow
def test_a_new_person_without_a_name_is_asked_for_one(client, invited, settings):
    for name in ("", "   ", "\x00\u202e"):
        response = client.post(invitation_path(invited, settings), {"answer": "join", "name": name, **pressed()})
        assert response.status_code == 422
        assert soup_of(response).select_one("#id_name_error")
    assert User.objects.count() == 1


def test_a_member_is_not_asked_for_a_name(client, table, anna, ben, now, settings):
    row = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    path = invitation_path(row, settings)
    assert not soup_of(client.get(path)).select("[name=name]")
    client.post(path, {"answer": "join", "name": "Somebody else", **pressed()})
    assert table.seats.get(user=ben).name == "Ben"


def test_declining_is_remembered_and_can_be_said_twice(client, invited, settings):
    path = invitation_path(invited, settings)
    for _ in range(2):
        response = client.post(path, {"answer": "decline", **pressed()})
        assert response.status_code == 200 and "You've declined" in words(response)
    response = client.post(path, {"answer": "join", "name": "Eva", **pressed()})
    assert response.status_code == 409
    assert not User.objects.filter(email=invited.address).exists()


def test_an_invitation_to_a_table_that_filled_up_says_so(client, invited, table, anna, now, settings):
    for _ in range(2):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="random", now=now)
    path = invitation_path(invited, settings)
    assert "All seats at this table are now taken" in words(client.get(path))
    assert client.post(path, {"answer": "join", "name": "Eva", **pressed()}).status_code == 409


def test_a_withdrawn_invitation_says_so(client, invited, table, anna, settings):
    invitations.withdraw(ref=invited.ref, game_id=table.pk, host=anna)
    path = invitation_path(invited, settings)
    assert "no longer open" in words(client.get(path))
    assert client.post(path, {"answer": "join", "name": "Eva", **pressed()}).status_code == 409
    assert client.post(path, {"answer": "decline", **pressed()}).status_code == 409


def test_a_tampered_invitation_leads_nowhere(client, invited):
    for token in ("x", "a" * 26):
        path = reverse("invitation", args=[invited.ref, token])
        assert (
            client.get(path).status_code
            == client.post(path, {"answer": "join", "name": "E", **pressed()}).status_code
            == 404
        )


def test_pages_with_a_token_are_told_to_nobody(client, invited, table, settings):
    for path in (invitation_path(invited, settings), table_links.join_url(table).removeprefix(settings.SITE_URL)):
        response = client.get(path)
        assert response.headers["Referrer-Policy"] == "strict-origin"
        assert "no-store" in response.headers["Cache-Control"]
        assert response.headers["X-Robots-Tag"] == "noindex"
