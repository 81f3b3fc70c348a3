"""The host sees whom the game waits for, by public facts, and reminds once for each question."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.errors import Conflict
from games.lobby import waiting
from games.models import Decision, Game, User
from games.moderation import tables
from notifications.delivery.policy import Facts, Verdict, decide
from notifications.models import Notice
from tests.games.conftest import answer, deliveries, fresh, open_rows, seat_of
from tests.games.web.filling import words

HOUR = dt.timedelta(hours=1)


def test_the_host_sees_who_was_asked_what_since_when_and_until_when(
    placing: Game, anna: User, now: dt.datetime, client: Client
) -> None:
    row = open_rows(placing)[0]
    shown = waiting.waiting(fresh(placing))
    assert [(one.seat.pk, one.since, one.due_at) for one in shown] == [(row.seat_id, row.opened_at, row.due_at)]
    client.force_login(anna)
    page = words(client.get(reverse("care", args=[placing.ref])))
    assert "Who the game is waiting for" in page
    assert ("You" if row.seat.user_id == row.game.host_id else row.seat.name) in page


def test_it_shows_the_same_whether_or_not_somebody_has_answered_in_secret(game: Game, now: dt.datetime) -> None:
    first, *_others = open_rows(game)
    assert first.is_sealed
    before = waiting.waiting(fresh(game))
    answer(game, first, now + HOUR)
    assert waiting.waiting(fresh(game)) == before and len(before) == 3
    assert tables.may_nudge(fresh(game))


def test_what_somebody_usually_takes_counts_open_answers_and_no_sealed_ones(placing: Game, now: dt.datetime) -> None:
    rows = Decision.objects.filter(game=placing, is_sealed=True)
    assert rows.exists()
    rows.update(closed_at=now + 90 * HOUR)
    seat = open_rows(placing)[0].seat
    assert waiting.waiting(fresh(placing))[0].usual is None
    for number, hours in enumerate((1, 2, 6)):
        Decision.objects.create(
            game=placing, seat=seat, code=f"old-{number}", kind="place", status=Decision.Status.ANSWERED,
            opened_at=now, closed_at=now + hours * HOUR,
        )  # fmt: skip
    assert waiting.waiting(fresh(placing))[0].usual == 2 * HOUR


def test_a_question_is_reminded_of_once(game: Game, anna: User, now: dt.datetime) -> None:
    rows = open_rows(game)
    answer(game, rows[0], now)
    tables.nudge(game=game, by=anna, reason="please", now=now + HOUR)
    assert Notice.objects.filter(kind="reminder").count() == 2
    for hours in (2, 20):
        with pytest.raises(Conflict, match="already been reminded"):
            tables.nudge(game=game, by=anna, reason="please", now=now + hours * HOUR)
    assert waiting.waiting(fresh(game))[0].reminded_at == now + HOUR
    assert Notice.objects.filter(kind="reminder").count() == 2


def test_the_next_question_may_be_reminded_of_at_once(placing: Game, anna: User, now: dt.datetime) -> None:
    tables.nudge(game=placing, by=anna, reason="please", now=now + HOUR)
    answer(placing, open_rows(placing)[0], now + 2 * HOUR)
    assert waiting.waiting(fresh(placing))[0].reminded_at is None
    tables.nudge(game=placing, by=anna, reason="please", now=now + 3 * HOUR)
    assert Notice.objects.filter(kind="reminder").count() == 2


def test_the_button_is_gone_until_something_else_is_asked(
    placing: Game, anna: User, now: dt.datetime, client: Client
) -> None:
    client.force_login(anna)
    address = reverse("care", args=[placing.ref])
    page = client.post(address, {"act": "nudge", "nudge-reason": "please"}, follow=True)
    assert "Everyone the game is waiting for has been reminded." in words(page)
    assert "You can do this once for each question." not in words(page)
    assert "Everyone was reminded on" in words(page)


def test_a_reminder_waits_for_the_end_of_quiet_hours(placing: Game, anna: User, now: dt.datetime) -> None:
    row = open_rows(placing)[0]
    assert row.seat.user is not None
    recipient = row.seat.user.recipient
    night = now.replace(hour=23)
    recipient.zone, recipient.quiet_from, recipient.quiet_until = "UTC", dt.time(22), dt.time(7)
    recipient.save()
    tables.nudge(game=placing, by=anna, reason="please", now=night)
    delivery = deliveries(night).get(notice__kind="reminder")
    decision = decide(delivery, night, Facts.of([delivery]), is_new=True)
    assert (decision.verdict, decision.until) == (Verdict.HOLD, night.replace(hour=7) + 24 * HOUR)


def test_nobody_is_waited_for_at_a_table_that_sleeps(placing: Game) -> None:
    placing.seats.update(status="absent")
    assert waiting.waiting(fresh(placing)) == []
    assert seat_of(placing, placing.host).status == "absent"
