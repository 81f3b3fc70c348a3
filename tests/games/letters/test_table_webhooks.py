"""A table's webhook tells what everybody may know: of a sealed question never who has answered, in no way. One of a
club or a tournament tells the same of all tables that are part of it at that moment."""

import datetime as dt

import pytest

from games.clubs import clubs
from games.errors import Conflict, Forbidden, NotFound
from games.lobby import lifecycle
from games.models import Decision, Game, Tournament, User
from games.play import notify
from games.tables import webhooks
from games.tournaments import tournaments
from notifications import composers
from notifications.messages import Form
from notifications.models import Delivery, Endpoint, Notice
from tests.games.clubs.founding import found
from tests.games.conftest import answer, deliveries, new_table, open_rows
from tests.games.letters.conftest import asked_again, hook
from tests.games.tournaments.conftest import enter_many, plan, tables, work

CHAT = "https://discord.com/api/webhooks/1/abc"


@pytest.fixture
def listening(game: Game, anna: User, now: dt.datetime) -> Game:
    """The game with a webhook."""
    webhooks.create(user=anna, wanted=webhooks.WebhookSettings(CHAT), source=game, now=now)
    return game


def of_table() -> list[Delivery]:
    return list(deliveries().filter(channel="webhook").order_by("pk"))


def sealed(game: Game, user: User) -> Decision:
    row = next(row for row in open_rows(game) if row.seat.user == user)
    assert row.is_sealed
    return row


@pytest.mark.parametrize("kind", ["reminder", "excused", "passed"])
def test_that_somebody_is_reminded_is_not_even_in_the_log(
    listening: Game, ben: User, now: dt.datetime, kind: str
) -> None:
    asked_again(kind, sealed(listening, ben), now)
    assert Notice.objects.filter(kind=kind).exists() and of_table() == []


def test_who_is_asked_again_is_asked_alone(listening: Game, ben: User, now: dt.datetime) -> None:
    row = sealed(listening, ben)
    row.seat.link_generation += 1
    notify.ask(row, row.seat, now, is_again=True)
    assert of_table() == []


def test_what_waits_to_be_tried_again_says_the_same_whoever_has_answered(
    listening: Game, ben: User, carla: User, now: dt.datetime
) -> None:
    notices = {user: Notice.objects.filter(kind="due", recipient=user.recipient).latest("pk") for user in (ben, carla)}
    both = list(notices.values())
    before = composers.announce(both, "en")
    answer(listening, sealed(listening, ben), now)
    assert composers.why_stale(notices[ben], Form.LETTER, now) != "", "he has answered"
    assert [composers.why_stale(notice, Form.ANNOUNCEMENT, now) for notice in both] == ["", ""]
    assert composers.announce(both, "en") == before and hook("due", ben) is not None
    Decision.objects.filter(game=listening, seat__user=carla).update(due_at=now + dt.timedelta(days=9))
    assert composers.announce([notices[ben]], "en").until == composers.announce([notices[carla]], "en").until  # type: ignore[union-attr]


def test_when_all_have_answered_nobody_is_told_any_more(listening: Game, ben: User, now: dt.datetime) -> None:
    notice = Notice.objects.filter(kind="due", recipient=ben.recipient).latest("pk")
    for row in open_rows(listening):
        answer(listening, row, now)
    assert composers.why_stale(notice, Form.ANNOUNCEMENT, now) != ""


def test_what_an_order_answers_at_once_is_told_as_if_it_waited(listening: Game, ben: User, now: dt.datetime) -> None:
    row = sealed(listening, ben)
    row.status, row.ref = Decision.Status.ANSWERED, "at-once"
    row.opened_at = now + dt.timedelta(seconds=1)
    notify.after_move(listening, {row.seat.number: row.seat}, [row], [], now)
    (delivery,) = of_table()
    assert delivery.notice.kind == "due" and delivery.notice.recipient == ben.recipient
    assert set(deliveries().filter(notice=delivery.notice).values_list("channel", flat=True)) == {"webhook"}


@pytest.mark.parametrize(
    ("kind", "word"), [("started", "\u2068דני\u2069"), ("taken_over", "\u2068דני\u2069 takes over")]
)
def test_a_name_written_from_right_to_left_leaves_the_sentence_as_it_is(
    game: Game, anna: User, ben: User, now: dt.datetime, kind: str, word: str
) -> None:
    game.seats.filter(user=ben).update(name="דני")
    notify.taken_over(game.seats.get(user=ben), ben.recipient, now)
    message = hook(kind, anna if kind == "started" else ben)
    assert message is not None and word in message.text and "\u2068Anna" not in message.text


# Of a club, and of a tournament


def of_games() -> set[str]:
    """The threads of what webhooks are sent."""
    return {delivery.notice.thread for delivery in of_table()}


@pytest.mark.slow
def test_a_webhook_of_a_club_hears_of_its_tables_of_later_ones_too_and_of_no_other(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    club = found(anna, ben)
    webhooks.create(user=anna, wanted=webhooks.WebhookSettings(CHAT), source=club, now=now)
    later = new_table(anna, now, club=club.ref)
    other = new_table(anna, now)
    for table in (later, other):
        lifecycle.close(game_id=table.pk, host=anna, now=now)
    assert of_games() == {later.thread}
    seat = game.seats.get(user=ben)
    notify.absent(seat, "before", now)
    assert of_games() == {later.thread}
    Game.objects.filter(pk=game.pk).update(club=club)
    notify.absent(seat, "after", now)
    assert of_games() == {later.thread, game.thread}, "also where nothing else is told at that moment"


@pytest.mark.slow
def test_a_table_that_leaves_a_club_or_whose_club_is_closed_or_handed_over_is_told_no_more(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    club = found(anna, ben)
    Game.objects.filter(pk=game.pk).update(club=club)
    webhooks.create(user=anna, wanted=webhooks.WebhookSettings(CHAT), source=club, now=now)
    Game.objects.filter(pk=game.pk).update(club=None)
    notify.absent(game.seats.get(user=ben), "once", now)
    assert of_table() == []
    clubs.hand_over(club=club, by=anna, member=ben.ref)
    assert not Endpoint.objects.exists()
    with pytest.raises(Forbidden):
        webhooks.create(user=anna, wanted=webhooks.WebhookSettings(CHAT), source=club, now=now)
    bens = webhooks.create(user=ben, wanted=webhooks.WebhookSettings(CHAT), source=club, now=now)
    clubs.close(club=club, by=ben, now=now)
    with pytest.raises(NotFound):
        webhooks.find(ben, bens.ref)
    with pytest.raises(Conflict):
        webhooks.create(user=ben, wanted=webhooks.WebhookSettings(CHAT), source=club, now=now)


@pytest.mark.slow
def test_a_webhook_of_a_tournament_hears_of_all_its_tables_from_their_beginning(
    anna: User, ben: User, now: dt.datetime
) -> None:
    cup = tournaments.open_tournament(host=anna, plan=plan(now), now=now)
    with pytest.raises(Forbidden):
        webhooks.create(user=ben, wanted=webhooks.WebhookSettings(CHAT), source=cup, now=now)
    webhooks.create(user=anna, wanted=webhooks.WebhookSettings(CHAT), source=cup, now=now)
    enter_many(cup, 6, now)
    tournaments.start_now(tournament_id=cup.pk, by=anna, now=now)
    work(now)
    games = {table.game.thread for table in tables(cup, 1) if table.game}
    assert len(games) == 2 and of_games() == games
    assert {delivery.notice.kind for delivery in of_table()} >= {"started", "due"}
    Tournament.objects.filter(pk=cup.pk).update(status=Tournament.Status.FINISHED)
    with pytest.raises(Conflict):
        webhooks.create(user=anna, wanted=webhooks.WebhookSettings(CHAT), source=Tournament.objects.get(), now=now)
