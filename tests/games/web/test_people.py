"""Pages of friends and clubs, a player's profile, and tables that are opened for people by name."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.clubs import clubs, invitations
from games.lobby import guests
from games.models import Club, Friendship, Game, Invitation, Membership, ModerationEntry, Report, User
from games.people import friends, staff
from games.tables import table_links
from notifications.models import Notice
from tests.conftest import NOON
from tests.games.clubs.founding import found
from tests.games.web.filling import outcomes, soup_of, words
from tests.games.web.test_players import profile, signed_in

pytestmark = pytest.mark.slow


def befriend(anna: User, ben: User, now: dt.datetime) -> None:
    friends.accept(user=ben, ref=friends.ask(user=anna, other=ben, now=now).ref, now=now)


def act(client: Client, club: Club, do: str, **data: Any) -> Any:
    return client.post(reverse("act_on_club", args=[club.ref]), {"do": do, **data}, follow=True)


# Friends


def test_one_asks_on_a_profile_and_the_other_accepts_on_his_page(anna: User, ben: User) -> None:
    mine, his = signed_in(anna), signed_in(ben)
    assert "You have no friends here yet." in words(mine.get(reverse("people")))
    ask = {"next": profile(ben)}
    assert outcomes(mine.post(reverse("ask_friend", args=[ben.ref]), ask, follow=True)) == ["success"]
    row = Friendship.objects.get()
    answer = reverse("answer_friend", args=[row.ref])
    assert soup_of(mine.get(profile(ben))).select_one(f"form[action='{answer}'] [value=take_back]")
    assert soup_of(his.get(reverse("people"))).select_one(f"form[action='{answer}'] [value=accept]")
    done = his.post(answer, {"do": "accept"}, follow=True)
    assert outcomes(done) == ["success"] and "Start a game with them" in words(done)
    ended = mine.post(answer, {"do": "take_back"}, follow=True)
    assert outcomes(ended) == ["success"] and not Friendship.objects.exists()


def test_what_cannot_be_is_said_and_changes_nothing(anna: User, ben: User, now: dt.datetime) -> None:
    client = signed_in(anna)
    row = friends.ask(user=ben, other=anna, now=now)
    assert outcomes(client.post(reverse("answer_friend", args=[row.ref]), {"do": "eat"}, follow=True)) == ["error"]
    assert client.post(reverse("ask_friend", args=["nobody"])).status_code == 404
    assert outcomes(client.post(reverse("ask_friend", args=[anna.ref]), follow=True)) == ["error"]
    assert Friendship.objects.get().status == "asked"


def test_the_link_in_the_mail_answers_without_signing_in_and_only_with_a_choice(
    anna: User, ben: User, now: dt.datetime
) -> None:
    row = friends.ask(user=anna, other=ben, now=now)
    path = friends.friend_request_url(row).removeprefix("http://testserver")
    path = "/" + path.split("/", 3)[3] if path.startswith("http") else path
    client = Client(enforce_csrf_checks=True)
    page = client.get(path)
    assert "Anna would like to be friends" in words(page) and page.headers["X-Robots-Tag"] == "noindex"
    untouched = client.post(path)
    assert untouched.status_code == 422 and "Please choose yes or no." in words(untouched)
    assert "You and Anna are friends" in words(client.post(path, {"answer": "yes"}))
    assert friends.friends_of(anna) == [ben]
    assert client.get(path[:-2] + ("y/" if path[-2] == "x" else "x/")).status_code == 404


def test_guests_have_no_friends_and_no_page(client: Client, anna: User, now: dt.datetime) -> None:
    guest = guests.create(language="en", now=now)
    assert signed_in(anna).get(profile(guest)).status_code == 404
    session = client.session
    session["guest"] = guest.pk
    session.save()
    for page in (reverse("people"), reverse("club", args=["any"])):
        assert client.get(page).status_code == 302


# Opening a table for people


def fields(host: User, **changes: Any) -> dict[str, Any]:
    page = soup_of(signed_in(host).get(reverse("new_table")))
    form = page.select_one("form[action^='?']")
    assert form is not None
    data: dict[str, Any] = {}
    for field in form.select("input[name], select[name]"):
        if field.name == "select":
            chosen = field.select_one("option[selected]") or field.select_one("option")
            data[field["name"]] = chosen["value"] if chosen else ""
        elif field.get("type") not in ("radio", "checkbox") or field.has_attr("checked"):
            data[field["name"]] = field.get("value", "on" if field.get("type") == "checkbox" else "")
    return data | changes


def test_a_table_with_friends_invites_them_and_shows_no_address(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    befriend(anna, ben, now)
    befriend(anna, carla, now)
    client = signed_in(anna)
    page = client.get(reverse("new_table"), {"with": [ben.ref, f"{carla.ref}\0", "nobody"]})  # a stray NUL
    ticked = {one["value"] for one in soup_of(page).select("input[name=people][checked]")}
    assert ticked == {ben.ref, carla.ref}
    opened = client.post(reverse("new_table"), fields(anna, people=[ben.ref, carla.ref]), follow=True)
    assert outcomes(opened) == ["success"]
    assert set(Invitation.objects.values_list("address", "name")) == {(ben.email, "Ben"), (carla.email, "Carla")}
    assert ben.email not in words(opened)


def test_all_who_played_a_game_are_ticked_in_a_new_table_for_its_players_alone(
    game: Game, anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    again = {"again": game.ref, "game": "cave-of-wonders"}
    assert not soup_of(signed_in(anna).get(reverse("new_table"), again)).select("input[name=people]")
    Game.objects.filter(pk=game.pk).update(status="finished", finished_at=now)
    User.objects.filter(pk=carla.pk).update(has_profile=False)
    page = soup_of(signed_in(anna).get(reverse("new_table"), again))
    assert {one["value"] for one in page.select("input[name=people][checked]")} == {ben.ref, carla.ref}
    assert page.select_one(f"form[action*='again={game.ref}']")
    stray = soup_of(signed_in(anna).get(reverse("new_table"), again | {"again": f"{game.ref}\0"}))
    assert len(stray.select("input[name=people][checked]")) == 2
    assert not soup_of(signed_in(david).get(reverse("new_table"), again)).select("input[name=people]")


def test_more_people_than_seats_and_a_public_table_of_a_club_are_said_at_their_fields(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    befriend(anna, ben, now)
    befriend(anna, carla, now)
    club = found(anna)
    client = signed_in(anna)
    data = fields(anna, people=[ben.ref, carla.ref], seats="3", bots="1", club=club.ref, is_listed="on")
    page = client.post(reverse("new_table"), data)
    assert page.status_code == 422 and not Game.objects.exists()
    assert "There is only 1 seat for them." in words(page) and "can't be public as well" in words(page)
    stranger = client.post(reverse("new_table"), fields(anna, people=["m4x8wq2hzc6r"]))
    assert stranger.status_code == 422 and not Game.objects.exists()


def test_a_table_of_the_club_stands_in_the_lobby_of_its_members_alone(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    club = found(anna, ben)
    page = signed_in(anna).get(reverse("new_table"), {"club": club.ref})
    assert soup_of(page).select_one(f"select[name=club] option[value='{club.ref}'][selected]")
    signed_in(anna).post(reverse("new_table"), fields(anna, club=club.ref, title="Our round"))
    game = Game.objects.get(club=club)
    his = signed_in(ben)
    assert "Tables of your clubs" in words(his.get(reverse("lobby")))
    room = his.get(reverse("table", args=[game.ref]))
    assert "Lamp & Genie: only members can take a seat." in words(room) and "Join this table" in words(room)
    for stranger, status in ((signed_in(carla), 404), (Client(), 302)):
        assert "Our round" not in words(stranger.get(reverse("lobby")))
        assert stranger.get(reverse("table", args=[game.ref])).status_code == status
    link = table_links.join_url(game).split("/", 3)[3]
    refused = signed_in(carla).post(f"/{link}", {})
    assert refused.status_code == 409 and "Only members of Lamp & Genie" in words(refused)


# Clubs


def test_a_club_is_founded_on_the_page_and_a_club_of_one_says_what_to_do(anna: User) -> None:
    client = signed_in(anna)
    empty = client.post(reverse("found_club"), {"name": "  "})
    assert empty.status_code == 422 and not Club.objects.exists()
    page = client.post(reverse("found_club"), {"name": "Lamp", "about": "<b>Hi</b>"}, follow=True)
    assert "You're the only member so far." in words(page) and "<b>Hi</b>" in words(page)
    assert "Lamp" in words(client.get(reverse("people")))


def test_a_member_invites_friends_by_name_and_others_by_address(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    befriend(anna, ben, now)
    club, client = found(anna, carla), signed_in(anna)
    nobody = act(client, club, "invite")
    assert nobody.status_code == 422 and "Tick a friend, or enter an email address." in words(nobody)
    page = act(client, club, "invite", friends=[ben.ref], addresses="eva@example.org, carla@example.org, eva")
    assert sorted(outcomes(page)) == ["error", "success"] and "already a member" not in words(page)
    assert outcomes(act(client, club, "invite", addresses="anna@example.org")) == ["error"]
    assert Notice.objects.filter(kind="club_invited").count() == 3  # to the member as to the others
    seen = words(signed_in(carla).get(reverse("club", args=[club.ref])))
    assert "eva@example.org" not in seen and ben.email not in seen and "someone invited by Anna" in seen
    row = invitations.open_in(club)[0]
    assert outcomes(act(client, club, "withdraw", invitation=row.ref)) == ["success"]


def test_the_invitation_in_the_mail_asks_a_stranger_for_a_name(anna: User, now: dt.datetime) -> None:
    club = found(anna)
    row = invitations.invite(club=club, by=anna, address="eva@example.org", now=now)
    path = "/" + invitations.invitation_url(row).split("/", 3)[3]
    client = Client(enforce_csrf_checks=True)
    assert "Anna invites you to the club Lamp & Genie" in words(client.get(path))
    assert client.post(path, {"answer": "yes"}).status_code == 422 and not User.objects.filter(name="Eva").exists()
    joined = client.post(path, {"answer": "yes", "name": "Eva"})
    assert "You're a member" in words(joined) and Membership.objects.filter(user__name="Eva", club=club).exists()
    assert "You're a member" in words(client.post(path, {"answer": "yes", "name": "Eva"}))


def test_the_link_of_the_club_lets_in_until_there_is_a_new_one(anna: User, ben: User, carla: User) -> None:
    club = found(anna)
    path = "/" + invitations.join_url(club).split("/", 3)[3]
    assert "Sign in" in words(Client().get(path)) and Client().post(path).status_code == 403
    assert outcomes(signed_in(ben).post(path, follow=True)) == ["success"]
    act(signed_in(anna), club, "renew")
    assert signed_in(carla).get(path).status_code == signed_in(carla).post(path).status_code == 404


def test_the_owner_changes_hands_over_removes_and_closes_and_nobody_else(anna: User, ben: User, carla: User) -> None:
    club = found(anna, ben, carla)
    mine, his = signed_in(anna), signed_in(ben)
    for do in ("change", "renew", "close", "remove", "hand_over", "hide"):
        data = {"name": "Stolen", "member": carla.ref, "reason": "x"}
        assert outcomes(act(his, club, do, **data)) == ["error"], do
    assert outcomes(act(mine, club, "eat")) == ["error"]
    for client, do, data in (
        (mine, "change", {"name": "New name", "about": ""}),
        (mine, "remove", {"member": f"{carla.ref}\0"}),  # a stray NUL
        (mine, "hand_over", {"member": ben.ref}),
        (mine, "leave", {}),
    ):
        assert outcomes(act(client, club, do, **data)) == ["success"], do
    club.refresh_from_db()
    assert (club.name, club.owner, [row.user for row in clubs.memberships_of(club)]) == ("New name", ben, [ben])
    assert outcomes(act(his, club, "close")) == ["success"] and not Club.objects.exists()


def test_outsiders_do_not_find_a_club(anna: User, ben: User) -> None:
    club = found(anna)
    assert signed_in(ben).get(reverse("club", args=[club.ref])).status_code == 404
    assert act(signed_in(ben), club, "invite", addresses="eva@example.org").status_code == 404


def test_a_report_reaches_a_moderator_who_hides_the_name_and_the_owner_is_told(
    anna: User, ben: User, settings: Any
) -> None:
    club = found(anna, ben, name="Rude name")
    assert outcomes(act(signed_in(ben), club, "report", text="It's rude.")) == ["success"]
    eva = staff.make_moderator("eva@example.org")
    page = reverse("club", args=[club.ref])
    settings.STAFF_SECOND_FACTOR = True
    assert signed_in(eva).get(page).status_code == 404
    settings.STAFF_SECOND_FACTOR = False
    hers = signed_in(eva)
    assert "Rude name" in words(hers.get(reverse("admin:index"))) and hers.get(page).status_code == 200
    hidden = [outcomes(act(hers, club, "hide", reason=reason)) for reason in ("", "Too rude.", "Too rude.")]
    assert hidden == [["error"], ["success"], ["error"]]
    assert ModerationEntry.objects.get().reason == "Rude name: Too rude."
    assert Notice.objects.filter(kind="moderated", recipient=anna.recipient).count() == 1
    seen = words(signed_in(anna).get(page))
    assert "Rude name" not in seen and f"Club {club.ref}" in seen
    assert outcomes(act(signed_in(anna), club, "change", name="Other")) == ["error"]
    act(hers, club, "show", reason="It was a joke.")
    assert "Rude name" in words(signed_in(anna).get(page))
    clubs.close(club=Club.objects.get(), by=anna, now=NOON)
    assert Report.objects.get().club is None and "A club that was closed" in words(hers.get(reverse("admin:index")))


def test_a_moderator_who_is_a_member_leaves_it_to_another(anna: User, ben: User) -> None:
    eva = staff.make_moderator("eva@example.org")
    club = found(anna, ben, eva)
    act(signed_in(ben), club, "report", text="It's rude.")
    assert outcomes(act(signed_in(eva), club, "hide", reason="x")) == ["error"]
    assert "It's rude." not in words(signed_in(eva).get(reverse("admin:index")))
    assert not Notice.objects.filter(kind="reported").exists()
