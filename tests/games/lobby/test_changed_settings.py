"""A table is changed before its game: everybody there agrees again, or the game does not begin."""

import datetime as dt

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.errors import Conflict, NotFound, SameOwner, ServiceError, TooMany
from games.lobby import bot_accounts, hosting, invitations, lifecycle
from games.models import Game, Seat, User
from games.tables import table_links
from games.tables.settings import TablePlan, agreed_of
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage
from notifications.models import Notice
from tests.games.conftest import fresh, new_table, seat_of
from tests.games.web.filling import pressed, soup_of, words


def changed(game: Game, host: User, now: dt.datetime, **values: object) -> Game:
    """The table after its host has changed these values."""
    wanted = {**agreed_of(game), "title": game.title, "rules_name": game.rules_name, **values}
    return hosting.change_settings(game_id=game.pk, host=host, plan=TablePlan(**wanted), now=now)  # type: ignore[arg-type]


@pytest.fixture
def full(table: Game, anna: User, ben: User, now: dt.datetime) -> Game:
    """Anna, Ben and a bot."""
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="greedy", now=now)
    return fresh(table)


def test_nobody_is_started_under_settings_he_has_not_agreed_to(
    full: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    changed(full, anna, now, pace="brisk")
    with pytest.raises(Conflict, match="Ben"):
        lifecycle.start(game_id=full.pk, host=anna, now=now)
    hosting.agree_to_settings(game_id=full.pk, user=ben, seen=1)
    lifecycle.start(game_id=full.pk, host=anna, now=now)
    assert fresh(full).pace == "brisk"


def test_agreeing_to_what_has_changed_once_more_is_refused(full: Game, anna: User, ben: User, now: dt.datetime) -> None:
    changed(full, anna, now, pace="brisk")
    changed(fresh(full), anna, now, absent_after=5)
    with pytest.raises(Conflict, match="in the meantime"):
        hosting.agree_to_settings(game_id=full.pk, user=ben, seen=1)
    assert [seat.name for seat in hosting.seats_undecided(fresh(full))] == ["Ben"]


def test_each_player_is_told_what_differs_from_what_he_agreed_to(
    full: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    changed(full, anna, now, pace="brisk", is_watchable=True)
    changed(fresh(full), anna, now, pace="daily", absent_after=5, is_watchable=True)
    told = {one.label: (one.before, one.after) for one in hosting.settings_differences(seat_of(fresh(full), ben))}
    assert told == {
        "Allow spectators": ("no", "yes"),
        "Missed deadlines in a row before a player is marked absent": ("3", "5"),
    }, "the pace is what he had agreed to again"


def test_the_title_and_the_same_settings_ask_nobody_again(full: Game, anna: User, now: dt.datetime) -> None:
    changed(full, anna, now, title="Friday")
    assert (fresh(full).title, fresh(full).settings_version) == ("Friday", 0)
    assert not Notice.objects.filter(kind="settings_changed").exists()


def test_who_cannot_be_changed_for_is_refused_and_nothing_changes(
    full: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    before = agreed_of(fresh(full))
    for host, values, error in (
        (ben, {"pace": "brisk"}, NotFound),
        (anna, {"seat_count": 2}, ServiceError),
        (anna, {"pace": "never"}, ServiceError),
        (anna, {"options": {"no": "such"}}, ServiceError),
    ):
        with pytest.raises(error):
            changed(fresh(full), host, now, **values)
    assert agreed_of(fresh(full)) == before
    assert fresh(full).settings_version == 0


def test_a_table_of_four_with_four_people_cannot_become_one_of_three(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    game = new_table(anna, now, seat_count=4)
    for guest in (ben, carla, david):
        lifecycle.join(game_id=game.pk, user=guest, now=now)
    with pytest.raises(Conflict, match="Remove somebody first"):
        changed(fresh(game), anna, now, seat_count=3)


def test_bots_that_sit_there_keep_a_table_open_to_them(anna: User, now: dt.datetime) -> None:
    game = new_table(anna, now, allows_own_bots=True)
    bot = bot_accounts.create(owner=anna, name="Robo", is_for_all=False, now=now)
    lifecycle.add_bot(game_id=game.pk, host=anna, bot=bot.name, now=now)
    with pytest.raises(SameOwner):
        changed(fresh(game), anna, now, allows_own_bots=False)


def test_a_steward_that_cannot_act_any_more_is_gone(table: Game, anna: User, ben: User, now: dt.datetime) -> None:
    game = changed(table, anna, now, proposals="on")
    lifecycle.join(game_id=game.pk, user=ben, steward_hours=6, now=now)
    changed(fresh(game), anna, now, proposals="off")
    assert seat_of(game, ben).steward_hours is None
    changed(fresh(game), anna, now, pace="swift", proposals="on")
    assert {seat.steward_hours for seat in fresh(game).seats.all()} == {8}, "at this pace everybody has one"


def test_whom_the_host_removes_at_the_same_moment_is_told_so(
    full: Game, anna: User, ben: User, now: dt.datetime, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(full, anna, now, absent_after=5)
    page, lock = table_links.agreement_url(seat_of(full, ben)).replace(settings.SITE_URL, ""), lifecycle.lock_open

    def lock_too_late(game_id: int, host: User | None = None) -> Game:
        Seat.objects.filter(game=game_id, user=ben).delete()
        return lock(game_id, host)

    monkeypatch.setattr(lifecycle, "lock_open", lock_too_late)
    response = client.post(page, {"answer": "agree", "seen": "1", **pressed()})
    assert response.status_code == 404 and "You're not at this table." in words(response)


def test_a_table_is_changed_ten_times_a_day_at_most(full: Game, anna: User, now: dt.datetime) -> None:
    for number in range(hosting.SETTINGS_CHANGES_A_DAY):
        changed(fresh(full), anna, now, absent_after=4 + number)
    with pytest.raises(TooMany):
        changed(fresh(full), anna, now, absent_after=2)


def test_who_joins_by_a_page_that_is_older_than_the_change_is_shown_the_new_settings_first(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    row = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    changed(table, anna, now, pace="brisk")
    with pytest.raises(Conflict, match="look at them again"):
        lifecycle.join(game_id=table.pk, user=ben, seen=0, now=now)
    with pytest.raises(Conflict, match="look at them again"):
        invitations.accept(invitation=row, name="Eva", seen=0, now=now)
    assert lifecycle.join(game_id=table.pk, user=ben, seen=1, now=now).agreed_version == 1


# By email


def letter(seat: Seat) -> MailMessage:
    """The newest email that asks this player to agree."""
    assert seat.user is not None
    notice = Notice.objects.filter(kind="settings_changed", recipient=seat.user.recipient).latest("pk")
    assert composer_for(notice.kind).is_current(notice) == ""
    made = composer_for(notice.kind).compose(notice, "en", Form.LETTER)
    assert isinstance(made, MailMessage)
    return made


def test_the_email_says_what_has_changed_and_one_button_agrees(
    full: Game, anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    changed(full, anna, now, pace="brisk")
    mail = letter(seat_of(fresh(full), ben))
    assert "brisk: 12 hours per move" in mail.text and "was: daily: one day per move" in mail.text
    url = table_links.agreement_url(seat_of(full, ben))
    assert url in mail.text
    page = client.get(url)
    assert "The settings have changed. Do you agree?" in words(page)
    assert not seat_of(fresh(full), ben).has_agreed, "looking at it agrees to nothing"
    posted = {"seen": soup_of(page).select_one("input[name=seen]")["value"], "answer": "agree"}
    assert soup_of(client.post(url, posted)).select_one("form.who")
    assert not seat_of(fresh(full), ben).has_agreed, "a program that presses the button agrees to nothing"
    done = client.post(url, posted | pressed() | {"mine": "yes"})
    assert "You've agreed to these settings." in words(done)
    assert seat_of(fresh(full), ben).has_agreed
    changed(fresh(full), anna, now, absent_after=7)
    assert not soup_of(client.get(url)).select("input[name=mine]"), "the device is known from now on: one tap"
    client.post(url, {"seen": "2", "answer": "agree"})
    assert seat_of(fresh(full), ben).has_agreed


def test_who_does_not_agree_leaves_by_the_same_page(
    full: Game, anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    changed(full, anna, now, pace="brisk")
    url = table_links.agreement_url(seat_of(full, ben))
    done = client.post(url, {"seen": "1", "answer": "leave", **pressed()})
    assert "You've left the table." in words(done)
    assert not full.seats.filter(user=ben).exists()
    assert client.get(url).status_code == 404


def test_a_change_that_follows_at_once_is_told_once(full: Game, anna: User, ben: User, now: dt.datetime) -> None:
    changed(full, anna, now, pace="brisk")
    changed(fresh(full), anna, now, pace="live")
    row = Notice.objects.get(kind="settings_changed", recipient=ben.recipient)
    assert (row.data["version"], row.not_before) == (2, now + hosting.CORRECTED_WITHIN)


def test_bots_and_the_host_are_asked_nothing(full: Game, anna: User, now: dt.datetime) -> None:
    changed(full, anna, now, pace="brisk")
    assert Notice.objects.filter(kind="settings_changed").count() == 1


# In the waiting room


def test_the_host_changes_the_table_on_its_page_and_a_guest_agrees_in_the_waiting_room(
    full: Game, anna: User, ben: User, client: Client
) -> None:
    client.force_login(anna)
    address = reverse("change_table", args=[full.ref])
    form = soup_of(client.get(address)).select_one("main form")
    sent = {field["name"]: field.get("value", "on") for field in form.select("input[checked], input[type=number]")}
    sent |= {field["name"]: field.select_one("option[selected]")["value"] for field in form.select("select")}
    sent |= {"title": "Friday", "pace": "brisk"}
    done = client.post(address, sent, follow=True)
    assert "The settings are saved." in words(done)
    assert "hasn't agreed yet" in words(done) and "Start the game" not in words(done)
    assert (fresh(full).title, fresh(full).pace) == ("Friday", "brisk")
    guest = Client()
    guest.force_login(ben)
    room = guest.get(reverse("table", args=[full.ref]))
    assert "brisk: 12 hours per move" in words(room) and "I agree" in words(room)
    pressed = guest.post(reverse("agree_settings", args=[full.ref]), {"seen": "1", "answer": "agree"}, follow=True)
    assert "You've agreed to the new settings." in words(pressed)
    assert "Start the game" in words(client.get(reverse("table", args=[full.ref])))


@pytest.mark.parametrize("posted", [{}, {"answer": "perhaps", "seen": "1"}, {"answer": "agree", "seen": "x"}])
def test_a_form_that_says_nothing_agrees_to_nothing(
    full: Game, anna: User, ben: User, now: dt.datetime, client: Client, posted: dict[str, str]
) -> None:
    changed(full, anna, now, pace="brisk")
    client.force_login(ben)
    page = client.post(reverse("agree_settings", args=[full.ref]), posted, follow=True)
    assert "Please choose whether you agree." in words(page)
    assert not seat_of(fresh(full), ben).has_agreed


def test_only_the_host_has_the_form_and_only_before_the_game(full: Game, anna: User, ben: User, client: Client) -> None:
    address = reverse("change_table", args=[full.ref])
    client.force_login(ben)
    assert client.get(address).status_code == 404
    client.force_login(anna)
    Game.objects.filter(pk=full.pk).update(status=Game.Status.CLOSED)
    assert "can't be changed once the game has started" in words(client.get(address, follow=True))
