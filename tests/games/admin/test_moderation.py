"""The pages on which moderators and hosts act."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games.models import Decision, Game, Import, ModerationEntry, Report, Seat, User
from games.moderation import reports, tables
from games.people import staff
from games.play import game_moves
from notifications.channels.mail import refusals, suppressions
from notifications.clock import present
from notifications.models import Attempt, ChannelHealth, DeliveryState
from notifications.reasons import in_words
from tests.games.conftest import answer, deliveries, fresh, open_rows, seat_of, to_placing
from tests.games.web.filling import soup_of

QUEUE = "/admin/"


@pytest.fixture
def moderator(db: None) -> Client:
    client = Client()
    client.force_login(staff.make_moderator("eva@example.org"))
    return client


def page_of(game: Game) -> str:
    return reverse("admin:games_game_moderate", args=[game.pk])


def act(client: Client, game: Game, name: str, **fields: object) -> str:
    """The page after an act, in words."""
    sent = {"act": name, **{f"{name}-{key}": value for key, value in fields.items()}}
    return client.post(page_of(game), sent, follow=True).content.decode()


@pytest.mark.slow
def test_a_game_is_paused_and_goes_on_from_its_page(game: Game, moderator: Client) -> None:
    assert "Done: Pause." in act(moderator, game, "pause", reason="A storm", until="")
    assert fresh(game).paused_at
    said = act(moderator, game, "resume", reason="It is over")
    assert "Done: Resume." in said
    assert "A storm" in said
    assert not fresh(game).paused_at


def test_a_form_without_a_reason_comes_back_with_what_is_missing(game: Game, moderator: Client) -> None:
    response = moderator.post(page_of(game), {"act": "pause", "pause-until": ""})
    assert response.status_code == 400
    assert "This field is required" in response.content.decode()
    assert not fresh(game).paused_at


@pytest.mark.slow
def test_ending_a_game_needs_a_tick(game: Game, moderator: Client) -> None:
    act(moderator, game, "cancel", reason="They left")
    assert fresh(game).status == Game.Status.RUNNING
    assert "Done: End without a result." in act(moderator, game, "cancel", reason="They left", sure="on")
    assert fresh(game).status == Game.Status.CLOSED


@pytest.mark.slow
@pytest.mark.parametrize("sent", [{"act": "resume", "resume-reason": "x"}, {"act": "nonsense"}])
def test_what_is_not_possible_any_more_is_said(game: Game, moderator: Client, sent: dict[str, str]) -> None:
    said = moderator.post(page_of(game), sent, follow=True).content.decode()
    assert "no longer possible" in said
    assert not ModerationEntry.objects.exists()


@pytest.mark.slow
def test_what_a_service_refuses_is_said_on_the_page(game: Game, moderator: Client) -> None:
    fields = {"seat": game.seats.get(user__name="Ben").number, "address": "nobody@example.org", "reason": "x"}
    User.objects.filter(name="Carla").update(is_active=False)
    fields["address"] = "carla@example.org"
    assert "no open account with this address" in act(moderator, game, "replace", **fields)


def test_a_moderator_is_offered_nothing_at_his_own_table(game: Game, anna: User) -> None:
    staff.make_moderator(anna.email)
    anna.user_permissions.add(Permission.objects.get(codename="look_at_hands"))
    client = Client()
    client.force_login(anna)
    for address in (page_of(game), reverse("admin:games_game_hand", args=[game.pk])):
        content = client.get(address).content.decode().split('id="content"')[1]
        assert "playing at this table, so another moderator" in content
        assert "<form" not in content


@pytest.mark.slow
def test_the_page_does_not_tell_who_has_answered_a_sealed_question(
    game: Game, ben: User, moderator: Client, now: dt.datetime
) -> None:
    def page() -> str:
        return moderator.get(page_of(game)).content.decode().split('id="content"')[1]

    before = page().split("csrfmiddlewaretoken")[0]
    answer(game, next(row for row in open_rows(game) if row.seat.user == ben), now)
    assert page().split("csrfmiddlewaretoken")[0] == before


def test_staff_without_the_right_has_no_such_pages(game: Game, david: User) -> None:
    david.is_staff = True
    david.save()
    client = Client()
    client.force_login(david)
    assert client.get(page_of(game)).status_code == 403
    assert client.get(QUEUE)["Location"] == reverse("admin_lists")
    assert client.get(reverse("admin_find"), {"q": game.ref}).status_code == 403
    assert client.get(reverse("admin:games_user_moderate", args=[david.pk])).status_code == 403


def test_an_account_is_closed_and_opened_from_its_page(ben: User, moderator: Client) -> None:
    address = reverse("admin:games_user_moderate", args=[ben.pk])
    moderator.post(address, {"act": "suspend", "suspend-reason": "Rude", "suspend-until": "2099-01-01T12:00"})
    ben.refresh_from_db()
    assert not ben.is_active
    assert ben.closed_until == dt.datetime(2099, 1, 1, 12, tzinfo=dt.UTC)
    said = moderator.post(address, {"act": "lift", "lift-reason": "Forgiven"}, follow=True).content.decode()
    assert "Done: Reopen the account." in said
    ben.refresh_from_db()
    assert ben.is_active


# The steps behind a game


@pytest.mark.slow
def test_a_game_is_taken_back_from_the_page_of_a_step(game: Game, moderator: Client, now: dt.datetime) -> None:
    to_placing(game, now)
    answer(game, open_rows(game)[0], now)
    listed = moderator.get(reverse("admin:games_game_steps", args=[game.pk])).content.decode()
    page = reverse("admin:games_game_step", args=[game.pk, 3])
    assert f'href="{page}?act=roll_back"' in listed
    shown = moderator.get(page).content.decode()
    assert ", ".join(game.seat_names()) in shown
    assert " places a token" in shown.split("What everyone has learned since")[1]
    assert moderator.post(page, {"act": "roll_back", "roll_back-reason": ""}).status_code == 400
    response = moderator.post(page, {"act": "roll_back", "roll_back-reason": "A wrong card"}, follow=True)
    assert response.redirect_chain == [(page_of(game), 302)]
    assert "Done: Roll back to this step." in response.content.decode()
    assert "A wrong card" in response.content.decode()
    assert fresh(game).branch == 1


@pytest.mark.slow
def test_a_copy_leads_to_its_table(game: Game, moderator: Client, now: dt.datetime) -> None:
    to_placing(game, now)
    page = reverse("admin:games_game_step", args=[game.pk, 2])
    response = moderator.post(page, {"act": "sandbox", "sandbox-seat": "1", "sandbox-reason": "To see"}, follow=True)
    made = game.sandboxes.get()
    assert response.redirect_chain == [(f"/table/{made.ref}/", 302)]
    assert "Sandbox: Thursday" in response.content.decode()


@pytest.mark.parametrize("number", [0, 2, 99999])
def test_a_step_that_is_not_behind_the_game_has_no_page(game: Game, moderator: Client, number: int) -> None:
    assert moderator.get(reverse("admin:games_game_step", args=[game.pk, number])).status_code == 404


@pytest.mark.parametrize(("act", "fields", "words"), [
    ("extend", {"hours": "24"}, "until Fri 6 Mar, 12:00 UTC"),
    ("pause", {"until": ""}, "Paused until somebody resumes it"),
    ("cancel", {"sure": "on"}, "The game is over."),
])  # fmt: skip
def test_an_act_is_looked_at_before_it_is_done(
    game: Game, moderator: Client, act: str, fields: dict[str, str], words: str
) -> None:
    before = {row.pk: row.due_at for row in open_rows(game)}
    sent = {"act": act, f"{act}-reason": "A storm", "look": "1"} | {f"{act}-{name}": x for name, x in fields.items()}
    response = moderator.post(page_of(game), sent)
    page = soup_of(response)
    (then,) = page.select(f"details[open]#{act} .then")
    assert response.status_code == 200 and words in then.text and "A storm" in str(page.select_one(f"#{act}"))
    assert {row.pk: row.due_at for row in open_rows(game)} == before
    assert not ModerationEntry.objects.exists() and fresh(game).status == Game.Status.RUNNING


def test_what_was_typed_is_not_lost_when_the_game_has_just_ended(
    game: Game, moderator: Client, now: dt.datetime
) -> None:
    game_moves.close_game(game, now)
    said = moderator.post(page_of(game), {"act": "pause", "pause-reason": "A storm"}, follow=True).content.decode()
    assert "no longer possible" in said and "You wrote: A storm" in said


@pytest.fixture
def colleague(db: None) -> User:
    return staff.make_moderator("fred@example.org")


NOVEL = "It was a dark and stormy night. " * 200


def test_of_two_moderators_the_second_is_told_and_loses_no_word(
    game: Game, ben: User, moderator: Client, colleague: User, now: dt.datetime
) -> None:
    row = reports.file_report(game=game, by=ben, text="Anna is rude.", now=now)
    page = reverse("admin:games_report_moderate", args=[row.pk])
    reports.settle_report(report=row, by=colleague, outcome="known", reason="Seen.", now=now)
    sent = {"act": "settle", "settle-outcome": "acted", "settle-reason": "I wrote to her."}
    said = moderator.post(page, sent, follow=True).content.decode()
    assert "no longer possible" in said and "You wrote: I wrote to her." in said
    assert Report.objects.get().answer == "Seen."


def test_nobody_does_again_what_a_colleague_has_just_done(
    game: Game, moderator: Client, colleague: User, now: dt.datetime
) -> None:
    (seen,) = {field["value"] for field in soup_of(moderator.get(page_of(game))).select("[name=seen]")}
    tables.extend(game=game, by=colleague, hours=24, reason="A storm.", now=now)
    before = {row.pk: row.due_at for row in open_rows(game)}
    sent = {"act": "extend", "extend-hours": "24", "extend-reason": "The storm.", "seen": seen}
    response = moderator.post(page_of(game), sent)
    said = response.content.decode()
    assert response.status_code == 400 and "The storm." in said
    assert "Meanwhile: Thursday: fred gave more time, “A storm.”" in said
    assert {row.pk: row.due_at for row in open_rows(game)} == before
    sent["seen"] = soup_of(response).select_one("[name=seen]")["value"]
    assert "Done: Give more time." in moderator.post(page_of(game), sent, follow=True).content.decode()
    assert moderator.post(page_of(game), {**sent, "seen": "9" * 5000}).status_code == 302


def test_a_reason_of_a_novels_length_comes_back_whole(
    game: Game, ben: User, moderator: Client, now: dt.datetime
) -> None:
    deliveries().filter(notice__kind="started").update(state=DeliveryState.QUARANTINED)
    tries = {
        page_of(game): {"act": "pause", "pause-until": "", "pause-reason": NOVEL},
        reverse("admin:games_user_moderate", args=[ben.pk]): {"act": "warn", "warn-reason": NOVEL},
        reverse("admin:games_game_forecast", args=[game.pk]): {
            "act": "force",
            "force-sure": "on",
            "force-reason": NOVEL,
        },
        QUEUE: {"delivery": deliveries().filter(state=DeliveryState.QUARANTINED)[0].name, "reason": NOVEL},
    }
    for address, sent in tries.items():
        response = moderator.post(address, sent, follow=True)
        said = response.content.decode()
        assert NOVEL.strip() in said and ("at most 200" in said or "The limit is 300" in said), address
    assert not ModerationEntry.objects.exists()


def test_an_act_on_an_account_that_is_gone_is_refused_in_words(
    game: Game, ben: User, moderator: Client, now: dt.datetime
) -> None:
    User.objects.filter(pk=ben.pk).update(is_active=False, erased_at=now)
    page = reverse("admin:games_user_moderate", args=[ben.pk])
    said = moderator.post(page, {"act": "warn", "warn-reason": "Rude."}, follow=True).content.decode()
    assert "no longer possible" in said and "You wrote: Rude." in said and "This account was deleted." in said
    fields = {"seat": game.seats.get(user=ben).number, "address": ben.email, "reason": "Vanished."}
    said = act(moderator, game, "replace", **fields)
    assert "no open account with this address" in said and "Vanished." in said
    assert not ModerationEntry.objects.exists()


def test_a_roll_back_says_before_and_after_what_it_undoes(game: Game, moderator: Client, now: dt.datetime) -> None:
    to_placing(game, now)
    answer(game, open_rows(game)[0], now)
    page, words = reverse("admin:games_game_step", args=[game.pk, 2]), "Back to step 2 of "
    (then,) = soup_of(moderator.get(f"{page}?act=roll_back")).select("#roll_back .then")
    assert words in then.text and "All of them are told: " in then.text
    said = moderator.post(page, {"act": "roll_back", "roll_back-reason": "A wrong card"}, follow=True).content.decode()
    assert f"Done: Roll back to this step. {words}" in said


def test_a_search_leads_to_a_person_and_to_a_table_by_half_its_title(
    game: Game, ben: User, moderator: Client, now: dt.datetime
) -> None:
    for term in (ben.ref, "BEN@example.org", "ben"):
        found = moderator.get(reverse("admin_find"), {"q": term})
        assert found["Location"] == reverse("admin:games_user_moderate", args=[ben.pk]), term
    for term in (game.ref, "thurs", "hursda"):
        assert moderator.get(reverse("admin_find"), {"q": term})["Location"] == page_of(game), term
    assert "Nothing found" in moderator.get(reverse("admin_find"), {"q": "nobody\0%_"}).content.decode()


# The desk


def kinds(client: Client) -> list[str]:
    """What needs a person, in the order of the desk."""
    return re.findall(r'data-need="([^"]+)"', client.get(QUEUE).content.decode())


def test_an_empty_queue_says_so(game: Game, moderator: Client) -> None:
    Decision.objects.update(due_at=present.now() + dt.timedelta(days=1))
    assert kinds(moderator) == []


@pytest.mark.slow
def test_the_queue_shows_everything_that_needs_somebody(
    game: Game, ben: User, carla: User, moderator: Client, now: dt.datetime
) -> None:
    Game.objects.filter(pk=game.pk).update(advance_at=present.now() - dt.timedelta(hours=1))
    suppressions.suppress(carla.email, suppressions.BOUNCED)
    ChannelHealth.objects.create(channel="mail", failures=7, paused_until=present.now() + dt.timedelta(hours=1))
    deliveries().filter(notice__kind="started").update(state=DeliveryState.QUARANTINED, reason="Broken template")
    tried = deliveries().filter(channel="mail").latest("pk")
    Attempt.objects.create(delivery=tried, started_at=now, outcome="retry", detail=refusals.NO_RELAY)
    reports.file_report(game=game, by=ben, text="<b>Anna</b> is rude.", seat=seat_of(game, carla).number, now=now)
    User.objects.filter(pk=ben.pk).update(is_staff=False)
    Import.objects.create(user=ben, state=Import.State.REFUSED, settled_at=present.now())
    said = moderator.get(QUEUE).content.decode()
    needed = kinds(moderator)
    assert needed[0] == "channel" and needed[-3:] == ["stuck", "unreachable", "import"], "oldest first"
    assert set(needed) == {"channel", "stuck", "report", "import", "unreachable", "given-up"}
    for words in ("7 failures", in_words(refusals.NO_RELAY).split(":")[0], "The game has begun", "Broken template"):
        assert words in said
    assert "&lt;b&gt;Anna&lt;/b&gt; is rude." in said
    Game.objects.filter(pk=game.pk).update(quarantined_at=present.now())
    assert "quarantined" in kinds(moderator) and "stuck" not in kinds(moderator)
    Game.objects.filter(pk=game.pk).update(quarantined_at=None, advance_at=None)
    Seat.objects.filter(game=game).update(status=Seat.Status.ABSENT)
    assert "abandoned" in kinds(moderator)


@pytest.mark.slow
def test_a_report_is_settled_from_the_queue(game: Game, ben: User, moderator: Client, now: dt.datetime) -> None:
    row = reports.file_report(game=game, by=ben, text="Anna is rude.", now=now)
    page = reverse("admin:games_report_moderate", args=[row.pk])
    assert page in moderator.get(QUEUE).content.decode()
    for sent in (
        {"settle-outcome": "unproven"},
        {"settle-reason": "x"},
        {"settle-outcome": "upheld", "settle-reason": "x"},
    ):
        assert moderator.post(page, {"act": "settle", **sent}).status_code == 400
        assert not Report.objects.get().settled_at
    moderator.post(page, {"act": "settle", "settle-outcome": "acted", "settle-reason": "I wrote to her."})
    settled = Report.objects.get()
    assert (settled.outcome, settled.answer) == ("acted", "I wrote to her.") and settled.settled_at
    assert "Anna is rude" not in moderator.get(QUEUE).content.decode()


def test_the_queue_costs_the_same_however_much_is_in_it(
    game: Game, ben: User, moderator: Client, now: dt.datetime, django_assert_max_num_queries: object
) -> None:
    for number in range(4):
        reports.file_report(game=game, by=ben, text=f"report {number}", now=now)
    with django_assert_max_num_queries(22):  # type: ignore[operator]
        moderator.get(QUEUE)


# The page of a table's host and players


def care(client: Client, game: Game, name: str, **fields: object) -> str:
    sent = {"act": name, **{f"{name}-{key}": value for key, value in fields.items()}}
    return client.post(reverse("care", args=[game.ref]), sent, follow=True).content.decode()


@pytest.mark.slow
def test_a_host_gives_time_and_everybody_sees_why(game: Game, anna: User, ben: User, client: Client) -> None:
    client.force_login(anna)
    before = open_rows(game)[0].due_at
    assert "Everyone who is being asked has more time." in care(client, game, "extend", hours=24, reason="Fair at work")
    assert before is not None
    assert open_rows(game)[0].due_at == before + dt.timedelta(days=1)
    client.force_login(ben)
    assert "Fair at work" in client.get(reverse("care", args=[game.ref])).content.decode()


@pytest.mark.parametrize("hours", ["73", "0", "-1", "many", "1e9", ""])
def test_hours_that_cannot_be_given_are_refused_where_they_are_typed(
    game: Game, anna: User, client: Client, hours: str
) -> None:
    client.force_login(anna)
    sent = {"act": "extend", "extend-hours": hours, "extend-reason": "x"}
    response = client.post(reverse("care", args=[game.ref]), sent)
    assert response.status_code == 400
    assert "field-error" in response.content.decode() or "error" in response.content.decode()
    assert not ModerationEntry.objects.exists()


def test_players_have_no_acts_of_a_host_but_may_call_a_moderator(game: Game, ben: User, client: Client) -> None:
    client.force_login(ben)
    page = client.get(reverse("care", args=[game.ref])).content.decode()
    assert "Give more time" not in page
    care(client, game, "extend", hours=1, reason="x")
    assert not ModerationEntry.objects.exists()
    seat = Seat.objects.exclude(user=ben).filter(game=game).first()
    assert seat is not None
    said = care(client, game, "report", seat=seat.number, text="Look at this.")
    assert "told the moderators, and nobody else." in said
    assert Report.objects.get().seat == seat.number
    assert seat.number != seat_of(game, ben).number


def test_what_moderators_settle_or_look_at_is_not_on_the_page(
    game: Game, ben: User, client: Client, now: dt.datetime
) -> None:
    by = staff.make_moderator("eva@example.org")
    row = reports.file_report(game=game, by=ben, text="Anna is rude.", now=now)
    reports.settle_report(report=row, by=by, outcome="acted", reason="I wrote to her.", now=now)
    client.force_login(ben)
    assert "I wrote to her." not in client.get(reverse("care", args=[game.ref])).content.decode()


def test_strangers_do_not_see_the_page(game: Game, david: User, client: Client) -> None:
    assert client.get(reverse("care", args=[game.ref])).status_code == 302
    client.force_login(david)
    assert client.get(reverse("care", args=[game.ref])).status_code == 404
