"""The pages of tournaments, as players and hosts press them."""

import datetime as dt
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.errors import Conflict, Forbidden, Illegal
from games.models import Entrant, Game, Tournament, User
from games.moderation import reports
from games.people import staff
from games.tournaments import tournaments
from notifications.clock import present
from notifications.models import Notice
from tests.games.tournaments.conftest import DAY, Open, again, enter_many, let_all_end, work
from tests.games.web.filling import outcomes
from tests.games.web.test_players import signed_in

pytestmark = pytest.mark.slow
NEW: dict[str, object] = {
    "title": "Winter Cup", "about": "Be quick.", "table_size": 3, "rounds": 2, "round_days": 30, "fewest": 3, "most": 9,
    "pace": "daily", "stops_at_night": "on", "option-equal_turns": "off", "option-full_distance": "off",
    "closes_at": "2026-03-11T20:00",
}  # fmt: skip


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages ask for the time themselves."""
    monkeypatch.setattr(present, "now", lambda: now)


def page(client: Client, name: str, *args: object) -> str:
    """A page in words."""
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def press(client: Client, button: str, row: Tournament, **data: object) -> list[str]:
    """Presses a button; how it went."""
    answer = client.post(reverse(button, args=[row.ref]), data, follow=True)
    assert answer.redirect_chain == [(reverse("tournament", args=[row.ref]), 302)]
    return outcomes(answer)


def test_a_host_opens_a_tournament_by_the_form(client: Client, anna: User) -> None:
    client.force_login(anna)
    address = reverse("new_tournament") + "?game=cave-of-wonders"
    assert "Winter Cup" in client.get(address).content.decode()  # as an example
    answer = client.post(address, NEW)
    row = Tournament.objects.get()
    assert answer.headers["Location"] == reverse("tournament", args=[row.ref])
    assert (row.title, row.host, row.table_size, row.round_count, row.most) == ("Winter Cup", anna, 3, 2, 9)
    assert (row.stops_at_night, row.stops_on_weekends) == (True, False)
    shown = page(client, "tournament", row.ref)
    assert "Be quick." in shown and "Enter the tournament" in shown and "Start now" in shown


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rounds": "many"}, "whole number"), ({"rounds": 99}, "less than or equal to 12"),
        ({"closes_at": "soon"}, "valid"),
        ({"closes_at": "2026-03-01T20:00"}, "in the future"), ({"fewest": 20}, "minimum can't be above"),
        ({"pace": "never"}, "valid choice"), ({"table_size": 7}, "valid choice"),
    ],
)  # fmt: skip
def test_a_form_that_is_wrong_says_so_and_opens_nothing(
    client: Client, anna: User, change: dict[str, object], said: str
) -> None:
    client.force_login(anna)
    answer = client.post(reverse("new_tournament") + "?game=cave-of-wonders", NEW | change)
    assert answer.status_code == 422
    assert said in unescape(answer.content.decode())
    assert not Tournament.objects.exists()


def test_a_player_enters_and_leaves_with_one_press_each(client: Client, open_cup: Open, ben: User) -> None:
    row = open_cup()
    assert "Sign in to enter" in page(client, "tournament", row.ref)
    client.force_login(ben)
    assert press(client, "enter_tournament", row) == ["success"]
    assert "Spring Cup" in page(client, "my_games")
    assert "Spring Cup" in page(client, "lobby")
    assert press(client, "leave_tournament", row) == ["success"]
    assert "Spring Cup" not in page(client, "my_games")
    assert row.entrants.get().status == Entrant.Status.LEFT


def test_who_is_not_signed_in_changes_nothing(client: Client, open_cup: Open) -> None:
    row = open_cup()
    answer = client.post(reverse("enter_tournament", args=[row.ref]))
    assert answer.status_code == 302 and "/accounts/" in answer.headers["Location"]
    assert not row.entrants.exists()
    assert client.get(reverse("tournament", args=["nothing"])).status_code == 404
    assert client.get(reverse("enter_tournament", args=[row.ref])).status_code == 302


def test_rounds_standings_and_tables_are_shown_to_everybody(client: Client, open_cup: Open, now: dt.datetime) -> None:
    row = open_cup()
    people = enter_many(row, 6, now)
    work(now + DAY)
    shown = page(client, "tournament", row.ref)
    assert "Round 1 of 2" in shown and "Table 2" in shown and "Standings" not in shown
    let_all_end(row, 1)
    work(now + DAY)
    client.force_login(people[0])
    shown = page(client, "tournament", row.ref)
    assert "Round 2 of 2" in shown and "Standings" in shown and "<strong><bdi>Player0" in shown
    game = people[0].seats.order_by("pk").last()
    assert game is not None
    assert "Round 2 of the tournament" in page(client, "table", game.game.ref)
    assert "You're playing" in shown
    let_all_end(row, 2)
    work(now + DAY)
    assert "final standings" in page(client, "tournament", row.ref)
    assert "Spring Cup" in page(client, "tournaments")


def test_its_host_removes_starts_ends_and_calls_off(
    client: Client, open_cup: Open, anna: User, ben: User, now: dt.datetime
) -> None:
    row = open_cup()
    client.force_login(anna)
    assert press(client, "start_tournament", row) == ["error"]
    enter_many(row, 3, now)
    entrant = tournaments.enter(tournament_id=row.pk, user=ben, now=now)
    assert press(client, "remove_entrant", row, entrant=entrant.ref, reason="") == ["error"]
    assert press(client, "remove_entrant", row, entrant="x", reason="rude") == ["error"]
    entered = {"entrant": f"{entrant.ref}\0", "reason": "rude\0"}  # PostgreSQL takes no NUL
    assert press(client, "remove_entrant", row, **entered) == ["success"]
    client.force_login(ben)
    assert "rude" in page(client, "tournament", row.ref)
    assert press(client, "enter_tournament", row) == ["error"]
    for name in ("start_tournament", "remove_entrant", "enter_bot"):
        assert press(client, name, row, entrant=entrant.ref, reason="x") == ["error"]
    client.force_login(anna)
    assert press(client, "start_tournament", row) == ["success"]
    work(now)
    press(client, "end_round", row, round="9" * 5000)  # no number of a round
    assert press(client, "end_round", row, round="1") == ["success"]
    assert row.rounds.count() == 2
    press(client, "end_round", row, round="nonsense")
    press(client, "end_round", row, round="1")
    assert row.rounds.get(number=2).finished_at is None, "the same press again ends no other round"
    assert press(client, "call_off_tournament", row, **{"off-reason": "I am ill"}) == ["success"]
    assert again(row).reason == "I am ill"
    assert "I am ill" in page(client, "tournament", row.ref)


def test_with_bots_allowed_the_host_finds_the_form_for_them(client: Client, open_cup: Open, anna: User) -> None:
    row = open_cup(allows_bots=True)
    client.force_login(anna)
    assert "Enter a bot" in page(client, "tournament", row.ref)
    assert press(client, "enter_bot", row, name="Nobody") == ["error"]


def test_a_report_reaches_a_moderator_who_hides_the_title_everywhere_and_the_host_is_told(
    anna: User, ben: User, open_cup: Open, now: dt.datetime
) -> None:
    cup = open_cup(title="Rude Cup", about="Rude words")
    enter_many(cup, 3, now)
    his, eva = signed_in(ben), staff.make_moderator("eva@example.org")
    assert "Report this tournament" in page(his, "tournament", cup.ref)
    assert press(his, "report_tournament", cup) == ["error"]
    assert press(his, "report_tournament", cup, text="It's rude.") == ["success"]
    assert press(signed_in(anna), "report_tournament", cup, text="x") == ["error"]
    assert Notice.objects.get(kind="reported").recipient == eva.recipient
    hers = signed_in(eva)
    assert "Tournament Rude Cup" in page(hers, "admin:index")
    tournaments.start_now(tournament_id=cup.pk, by=anna, now=now)
    work(now)
    act = {"tournament_id": cup.pk, "by": eva, "now": now}
    with pytest.raises(Illegal):
        reports.set_tournament_hidden(**act, reason=" ", is_hidden=True)
    reports.set_tournament_hidden(**act, reason="Too rude.", is_hidden=True)
    with pytest.raises(Conflict):
        reports.set_tournament_hidden(**act, reason="Too rude.", is_hidden=True)
    with pytest.raises(Forbidden):
        reports.set_tournament_hidden(**act | {"by": ben}, reason="x", is_hidden=False)
    assert Notice.objects.get(kind="moderated").recipient == anna.recipient
    shown = page(his, "tournament", cup.ref) + page(his, "tournaments")
    assert "Rude" not in shown and f"Tournament {cup.ref}" in shown
    titles = set(Game.objects.values_list("title", flat=True))
    assert titles == {f"{cup.ref} 1–1"}
    reports.set_tournament_hidden(**act, reason="It was a joke.", is_hidden=False)
    assert "Rude words" in page(his, "tournament", cup.ref)
    assert set(Game.objects.values_list("title", flat=True)) == {"Rude Cup 1–1"}


def test_a_moderator_who_has_entered_a_tournament_leaves_a_report_about_it_to_another(
    anna: User, ben: User, open_cup: Open, now: dt.datetime
) -> None:
    cup, eva = open_cup(), staff.make_moderator("eva@example.org")
    tournaments.enter(tournament_id=cup.pk, user=eva, now=now)
    report = reports.report_tournament(tournament=cup, by=ben, text="It's rude.", now=now)
    assert not Notice.objects.filter(kind="reported").exists() and reports.open_reports(eva) == []
    with pytest.raises(Forbidden):
        reports.settle_report(report=report, by=eva, outcome="acted", reason="Done.", now=now)
    with pytest.raises(Forbidden):
        reports.set_tournament_hidden(tournament_id=cup.pk, by=eva, reason="x", now=now, is_hidden=True)
