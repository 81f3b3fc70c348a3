"""A table's webhook tells what everybody may know: of a sealed question never who has answered, in no way."""

import datetime as dt

import pytest

from games.models import Decision, Game, User
from games.play import notify
from games.tables import webhooks
from notifications import composers
from notifications.messages import Form
from notifications.models import Delivery, Notice
from tests.games.conftest import answer, deliveries, open_rows
from tests.games.letters.conftest import asked_again, hook

CHAT = "https://discord.com/api/webhooks/1/abc"


@pytest.fixture
def listening(game: Game, anna: User, now: dt.datetime) -> Game:
    """The game with a webhook."""
    webhooks.create(user=anna, wanted=webhooks.WebhookSettings(CHAT), game=game, now=now)
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
