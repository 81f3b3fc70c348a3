"""Hours, vacations and pauses on the pages."""

import datetime as dt
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Decision, Game, User, Vacation
from games.people import notification_preferences
from games.play import absences, decision_links, pauses
from notifications.clock import present
from tests.games.conftest import fresh, open_rows, running, seat_of, to_placing
from tests.games.web.filling import soup_of, watch, words

SETTINGS, HOURS, PLAN = reverse("settings"), reverse("change_hours"), reverse("plan_vacation")


@pytest.fixture(autouse=True)
def at_noon(now):
    """The pages' own clock stands at the tests' time."""
    with present.going_by(lambda: now):
        yield


@pytest.mark.slow
def test_quiet_hours_and_reminders_are_kept_and_shown_again(member, anna):
    sent = {"quiet_from": "22:30", "quiet_until": "07:00", "remind": "chosen", "leads": ["180", "1440"]}
    assert member.post(HOURS, sent).status_code == 302
    anna.refresh_from_db()
    assert (anna.recipient.quiet_from, anna.recipient.quiet_until) == (dt.time(22, 30), dt.time(7))
    assert anna.remind_before == [1440, 180]
    page = soup_of(member.get(SETTINGS))
    assert page.select_one("[name=quiet_from]")["value"] == "22:30"
    assert {box["value"] for box in page.select("[name=leads][checked]")} == {"180", "1440"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"quiet_from": "22:00", "quiet_until": ""}, "need a start and an end"),
        ({"quiet_from": "06:00", "quiet_until": "21:00"}, "at most 14 hours"),
        ({"quiet_from": "08:00", "quiet_until": "08:00"}, "at most 14 hours"),
        ({"quiet_from": "25:00", "quiet_until": "07:00"}, "valid time"),
        ({"remind": "chosen"}, "at least one time"),
        ({"remind": "chosen", "leads": ["60", "180", "720", "1440"]}, "At most 3 reminders"),
        ({"remind": "chosen", "leads": ["61"]}, "valid choice"),
    ],
)
def test_hours_that_cannot_be_are_refused_where_they_were_typed(member, anna, sent, why):
    response = member.post(HOURS, {"remind": "auto"} | sent)
    assert response.status_code == 422
    assert why in words(response)
    anna.refresh_from_db()
    assert (anna.recipient.quiet_from, anna.remind_before) == (None, None)


@pytest.mark.slow
def test_a_vacation_is_planned_shown_and_called_off(member):
    assert member.post(PLAN, {"first_day": "2026-05-01", "last_day": "2026-05-10"}).status_code == 302
    page = words(member.get(SETTINGS))
    assert "1 May 2026 to 10 May 2026" in page or "May 1, 2026 to May 10, 2026" in page
    assert "You have 20 vacation days left in 2026" in page
    vacation = Vacation.objects.get()
    assert member.post(reverse("end_vacation", args=[vacation.ref])).status_code == 302
    assert not Vacation.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "last", "why"),
    [
        ("2026-02-30", "2026-05-10", "That isn't a valid date"),
        ("2026-05-10", "2026-05-01", "before the first"),
        ("2026-05-01", "2026-06-10", "30 vacation days left in 2026; this would use 41"),
        ("2025-05-01", "2026-05-10", "start before today"),
        ("", "2026-05-10", "required"),
    ],
)
def test_days_that_cannot_be_are_refused_where_they_were_typed(member, first, last, why):
    response = member.post(PLAN, {"first_day": first, "last_day": last})
    assert response.status_code in (409, 422)
    page = soup_of(response)
    assert why in " ".join(page.text.split())
    assert page.select_one("[name=last_day]")["value"] == last
    assert not Vacation.objects.exists()


def test_nobody_ends_the_vacation_of_another(member, ben, now):
    vacation = absences.plan(user=ben, first_day=dt.date(2026, 5, 1), last_day=dt.date(2026, 5, 2), now=now)
    assert member.post(reverse("end_vacation", args=[vacation.ref])).status_code == 404
    assert Vacation.objects.get().ends_at == vacation.ends_at


@pytest.fixture
def table(placing: Game) -> Game:
    return placing


@pytest.mark.slow
def test_a_pause_is_wished_seen_by_all_and_taken_back(member, table, anna, ben):
    url, pause = reverse("table", args=[table.ref]), reverse("pause", args=[table.ref])
    page = words(member.post(pause, {"wish": "pause"}, follow=True))
    assert "The others can see that you'd like a pause." in page and "1 of 3 players want a pause" in page
    other = Client()
    other.force_login(ben)
    assert "wants a pause" in words(other.get(url))
    other.post(pause, {"wish": "pause"})
    page = words(member.get(url))
    assert "The game has been paused since" in page and "goes on by itself on" in page
    assert "paused" in words(member.get(reverse("my_games")))
    member.post(pause, {"wish": "go on"})
    assert fresh(table).paused_at is None
    assert "has been paused since" not in words(member.get(url))


@pytest.mark.slow
def test_a_page_that_waits_notices_a_pause(table, anna, ben, now):
    (row,) = open_rows(table)
    reader = next(user for user in (anna, ben) if user != row.seat.user)
    client = Client()
    client.force_login(reader)
    seen = watch(client, table)
    assert seen() == 304
    pauses.pause_by_moderator(game_id=table.pk, now=now)
    assert seen() == 200


@pytest.mark.slow
def test_a_game_is_ended_by_agreement_and_its_table_says_so(member, table, ben, carla):
    url, agree = reverse("table", args=[table.ref]), reverse("agree_end", args=[table.ref])
    sure = {"wish": "end"}
    page = words(member.post(agree, sure, follow=True))
    assert "1 of 3 players want to end the game" in page and "wants to end" in page
    assert "You play on." in words(member.post(agree, {"wish": "go on"}, follow=True))
    member.post(agree, sure)
    for user in (ben, carla):
        other = Client()
        other.force_login(user)
        page = words(other.post(agree, sure, follow=True))
    assert "The game has ended without a result, as everyone agreed." in page
    page = words(member.get(url))
    assert "Everyone still playing agreed to end it." in page and "continues by itself" not in page
    assert "Ended without a result." in words(member.get(reverse("my_games")))
    assert "This game is over." in words(member.post(agree, sure, follow=True))


def test_an_outsider_ends_nothing(client, table, david):
    client.force_login(david)
    assert client.post(reverse("agree_end", args=[table.ref]), {"wish": "end"}).status_code == 404


def test_an_outsider_wishes_no_pause(client, table, david):
    client.force_login(david)
    assert client.post(reverse("pause", args=[table.ref]), {"wish": "pause"}).status_code == 404


@pytest.mark.slow
def test_a_sleeping_game_is_said_to_wait_for_nobody(member, table, now):
    for row in open_rows(table):
        for seat in table.seats.all():
            absences.make_absent(seat, row, now)
    for page in (words(member.get(reverse("table", args=[table.ref]))), words(member.get(reverse("my_games")))):
        assert "The game waits until someone comes back" in page
        assert "Waiting for" not in page


@pytest.mark.slow
def test_the_time_bank_is_shown_to_its_own_player_alone(anna, ben, carla, now):
    game = to_placing(running(anna, [ben, carla], now, pace="brisk"), now)
    game.seats.filter(user=ben).update(bank=dt.timedelta(hours=7, minutes=5, seconds=59))
    for user, is_shown in ((ben, True), (anna, False)):
        client = Client()
        client.force_login(user)
        assert ("7 hours, 5 minutes" in words(client.get(reverse("table", args=[game.ref])))) == is_shown


@pytest.mark.slow
def test_the_table_sees_until_when_a_player_is_on_vacation_and_spectators_do_not(table, anna, ben, david, now):
    absences.plan(user=ben, first_day=now.date(), last_day=dt.date(2026, 3, 9), now=now)
    Game.objects.update(is_listed=True)
    for user, is_shown in ((anna, True), (david, False)):
        client = Client()
        client.force_login(user)
        assert ("on vacation until" in words(client.get(reverse("table", args=[table.ref])))) == is_shown


@pytest.mark.slow
def test_hosts_choose_when_clocks_stand_still(member, anna):
    new = reverse("new_table") + "?game=aladdins-dragons"
    page = soup_of(member.get(new))
    boxes = page.select("form[method=post] input[checked], form[method=post] input[type=text]")
    menus = page.select("select option[selected]")
    sent = {field["name"]: field.get("value", "") for field in boxes}
    sent |= {option.parent["name"]: option["value"] for option in menus}
    sent |= {"absent_after": "3", "pace": "brisk", "stops_on_weekends": "on"}
    del sent["stops_at_night"], sent["allows_vacation"]
    assert member.post(new, sent).status_code == 302
    game = Game.objects.get()
    assert (game.pace, game.stops_at_night, game.stops_on_weekends, game.allows_vacation) == (
        "brisk",
        False,
        True,
        False,
    )
    page = words(member.get(reverse("table", args=[game.ref])))
    assert "Clocks stop on weekends." in page and "Clocks stop during quiet hours." not in page


@pytest.mark.slow
def test_a_decision_in_a_pause_can_be_answered_from_its_link(table, now, client):

    (row,) = open_rows(table)
    pauses.pause_by_moderator(game_id=table.pk, now=now)
    response = client.get(decision_links.act_url(row))
    assert response.status_code == 200
    assert "Please answer by" not in words(response)
    assert "no clock runs until it goes on" in words(response)
    assert Decision.objects.get(pk=row.pk).is_open
    assert seat_of(table, row.seat.user).pk == row.seat_id


@pytest.mark.slow
def test_a_zone_that_does_not_exist_is_refused(member, anna: User):
    response = member.post(SETTINGS, {"name": "Anna", "language": "en", "zone": "Europe/Atlantis"})
    assert response.status_code == 422
    anna.refresh_from_db()
    assert anna.recipient.zone == "UTC"


def test_an_hour_together_is_proposed_agreed_and_in_everybodys_calendar(
    client: Client, game: Game, anna: User, ben: User, carla: User, david: User
) -> None:
    path = reverse("hour", args=[game.ref])
    for user, typed, answered in (
        (anna, "soon", "Enter a date and a time."),
        (anna, "2026-03-01T18:00", "between now and two weeks"),
        (anna, "2026-03-06T18:00", "The others are asked whether they agree."),
        (ben, "2026-03-06T19:00", "Another time is already proposed"),
        (ben, fresh(game).hour_at, "The others are asked"),
        (carla, None, "agreed."),
    ):
        client.force_login(user)
        at = typed if isinstance(typed, str) else fresh(game).hour_at.isoformat()
        page = client.post(path, {"at": at, "wish": "agree"}, follow=True).content.decode()
        assert answered in page
    assert "The table plays live together" in page and 'value="decline"' in page
    events = client.get(urlsplit(notification_preferences.calendar_url(carla)).path)
    assert b"plays live together" in events.content
    client.post(path, {"wish": "decline"})
    assert fresh(game).hour_state == ""
    client.force_login(david)
    assert client.post(path, {"at": "2026-03-06T18:00"}).status_code == 404
