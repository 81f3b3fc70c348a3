"""What a moderator is offered he may do: no button leads to a refusal. And the ways of moderators, each walked once."""

import datetime as dt
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.lobby import bot_accounts
from games.models import Game, ModerationEntry, Seat, User
from games.moderation import people, reports, tables
from games.people import staff
from games.play import absences, game_moves, locking, queries
from notifications.clock import present
from tests.games.conftest import answer, fresh, new_table, open_rows, seat_of
from tests.games.web.filling import soup_of, words

pytestmark = pytest.mark.slow
WHY = "Because of the storm."
Scene = Callable[[Game, User, dt.datetime], object]


@pytest.fixture
def eva(db: None) -> User:
    """A moderator who plays nowhere."""
    return staff.make_moderator("eva@example.org")


@pytest.fixture
def client(eva: User, now: dt.datetime) -> Iterator[Client]:
    with present.going_by(lambda: now):
        client = Client()
        client.force_login(eva)
        yield client


def page_of(row: Game | User) -> str:
    return reverse(f"admin:games_{type(row).__name__.lower()}_moderate", args=[row.pk])


def offered(page) -> dict[str, dict[str, str]]:
    """By act: what its form sends, each choice the first one there is."""
    forms: dict[str, dict[str, str]] = {}
    for form in soup_of(page).select("details.act form"):
        sent = {field["name"]: field.get("value", "") for field in form.select("input[name]")}
        for field in form.select("select"):
            values = [option["value"] for option in field.select("option") if option["value"]]
            sent[field["name"]] = values[-1] if values else ""
        act = sent["act"]
        sent |= {f"{act}-reason": WHY, f"{act}-sure": "on", f"{act}-address": "david@example.org"}
        sent |= {f"{act}-until": "2099-12-24T18:00"} if act in ("mute", "pause", "suspend") else {}
        forms[act] = sent
    return forms


def refusals(client: Client, address: str) -> dict[str, str]:
    """What is refused of all that a page offers, each pressed by itself."""
    refused = {}
    for act, sent in offered(client.get(address)).items():
        with transaction.atomic():
            response = client.post(address, sent)
            if response.status_code != 302:
                refused[act] = words(response)
            transaction.set_rollback(True)
    return refused


def nudged(game: Game, eva: User, now: dt.datetime) -> None:
    tables.nudge(game=game, by=eva, reason=WHY, now=now)


def paused(game: Game, eva: User, now: dt.datetime) -> None:
    tables.pause(game=game, by=eva, reason=WHY, now=now)


def broken(game: Game, eva: User, now: dt.datetime) -> None:
    locking.quarantine(game.pk, now)


def asleep(game: Game, eva: User, now: dt.datetime) -> None:
    for seat in game.seats.select_related("game", "user"):
        absences.leave(seat, now)


def resigned(game: Game, eva: User, now: dt.datetime) -> None:
    game.seats.update(status=Seat.Status.RESIGNED)


def closed(game: Game, eva: User, now: dt.datetime) -> None:
    game_moves.close_game(game, now)


def answered(game: Game, eva: User, now: dt.datetime) -> None:
    for row in open_rows(game)[:2]:
        answer(game, row, now)


SCENES: tuple[Scene, ...] = (lambda *_: None, nudged, paused, broken, asleep, resigned, closed, answered)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_nothing_that_is_offered_on_a_game_is_refused(
    game: Game, eva: User, david: User, now: dt.datetime, client: Client, scene: Scene
) -> None:
    scene(game, eva, now)
    assert refusals(client, page_of(game)) == {}


def test_nothing_that_is_offered_before_a_game_is_refused(anna: User, now: dt.datetime, client: Client) -> None:
    game = new_table(anna, now)
    assert set(offered(client.get(page_of(game)))) == {"note"}
    assert refusals(client, page_of(game)) == {}


@pytest.mark.parametrize("state", ["open", "closed", "muted", "bot", "staff", "erased"])
def test_nothing_that_is_offered_on_a_person_is_refused(
    ben: User, eva: User, now: dt.datetime, client: Client, state: str
) -> None:
    if state == "closed":
        people.suspend(user=ben, by=eva, reason=WHY, now=now)
    if state == "muted":
        people.mute(user=ben, by=eva, reason=WHY, now=now, until=now + dt.timedelta(days=2))
    if state == "staff":
        staff.make_moderator(ben.email)
    if state == "erased":
        User.objects.filter(pk=ben.pk).update(is_active=False, erased_at=now)
    if state == "bot":
        ben = bot_accounts.create(owner=ben, name="Robo", is_for_all=False, now=now)
    assert refusals(client, page_of(ben)) == {}
    assert bool(offered(client.get(page_of(ben)))) == (state != "staff")


def test_nobody_is_offered_anything_on_his_own_page(eva: User, client: Client) -> None:
    page = client.get(page_of(eva))
    assert offered(page) == {} and "You can't moderate your own account." in words(page)


def test_a_question_is_resent_only_to_seats_that_get_email(
    game: Game, anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    absences.leave(game.seats.select_related("game", "user").get(user=ben), now)
    names = [option.text for option in soup_of(client.get(page_of(game))).select("[name=mail_again-seat] option")]
    assert "Ben" not in names and "Anna" in names


def test_only_who_may_look_at_hands_is_offered_it_and_the_look_is_in_the_log(
    placing: Game, eva: User, ben: User, client: Client
) -> None:
    hand = reverse("admin:games_game_hand", args=[placing.pk])
    assert hand not in client.get(page_of(placing)).content.decode()
    assert client.get(hand).status_code == 403
    eva.user_permissions.add(Permission.objects.get(codename="look_at_hands"))
    assert hand in client.get(page_of(placing)).content.decode()
    number = seat_of(placing, ben).number
    assert client.post(hand, {"seat": number}).status_code == 400, "not without a reason"
    assert not ModerationEntry.objects.exists()
    seen = client.post(hand, {"seat": number, "reason": WHY})
    assert f"What {ben.name} sees" in words(seen)
    assert ModerationEntry.objects.get().action == ModerationEntry.Action.LOOK
    assert queries.moderation(queries.access_game(ben, placing.ref)) == [], "players are not told"


def test_a_broken_game_is_set_going_from_the_queue_and_its_players_read_it(
    game: Game, ben: User, now: dt.datetime, client: Client
) -> None:
    locking.quarantine(game.pk, now)
    queue_page = client.get("/admin/")
    assert 'data-need="quarantined"' in queue_page.content.decode() and page_of(game) in queue_page.content.decode()
    acts = offered(client.get(page_of(game)))
    assert "release" in acts and "nudge" not in acts and "extend" not in acts
    client.post(page_of(game), acts["release"])
    assert fresh(game).quarantined_at is None
    assert "data-need" not in client.get("/admin/").content.decode()
    done = queries.moderation(queries.access_game(ben, game.ref))
    assert [entry.action for entry in done] == [ModerationEntry.Action.RELEASE]


def test_a_moderator_at_his_own_table_finds_every_door_closed(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    staff.make_moderator(anna.email)
    anna.user_permissions.add(Permission.objects.get(codename="look_at_hands"))
    own = Client()
    own.force_login(anna)
    reports.file_report(game=game, by=ben, text="Anna is rude.", now=now)
    assert "Anna is rude" not in words(own.get("/admin/"))
    page = own.get(page_of(game))
    assert offered(page) == {} and "You're playing at this table" in words(page)
    hand = reverse("admin:games_game_hand", args=[game.pk])
    assert own.post(hand, {"seat": "1", "reason": WHY}).status_code == 400
    for act in ("note", "nudge", "extend", "pause", "cancel"):
        own.post(page_of(game), {"act": act, f"{act}-reason": WHY, f"{act}-hours": "5", f"{act}-sure": "on"})
    assert not ModerationEntry.objects.exists() and not game.moderator_notes.exists()


def test_the_emails_of_a_mailbox_are_nowhere_on_the_admin_site(client: Client, administrator: Client) -> None:
    for one in (client, administrator):
        assert one.get("/admin/notifications/storedmail/").status_code == 404
        assert "storedmail" not in one.get("/admin/").content.decode()
