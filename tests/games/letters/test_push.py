"""What notices say on a screen that may be locked: the table, whose turn it is and the time left, and no more."""

import pytest

from games.models import Comment, Decision, Game, User
from games.play import decision_links, notify, table_talk
from games.tables import table_links
from notifications import composers
from notifications.channels.push import sending
from notifications.messages import UNTIL, PushMessage
from notifications.models import Notice
from tests.games.conftest import answer, deliveries, open_rows, seat_of
from tests.notifications.browsers import Browser


def due_notice(row: Decision) -> Notice:
    return Notice.objects.get(dedupe_key=row.due_key)


def short(notice: Notice) -> PushMessage:
    found = composers.push(notice, notice.recipient.language)
    assert found is not None
    return found


def test_a_turn_names_the_table_and_the_deadline_and_leads_to_the_answer(placing: Game) -> None:
    row = open_rows(placing)[0]
    message = short(due_notice(row))
    assert (message.title, message.text) == (placing.title, "It's your turn.")
    assert message.asks == row.game.ref
    assert message.until == row.due_at and message.time_left == f"Time left: {UNTIL}."
    assert message.url == decision_links.act_url(row)


def test_it_is_said_in_the_readers_language(placing: Game) -> None:
    row = open_rows(placing)[0]
    notice = due_notice(row)
    notice.recipient.language = "es"
    assert short(notice).text == "Te toca."


def test_of_the_question_and_the_hand_nothing_is_said(placing: Game) -> None:
    for row in open_rows(placing):
        message = short(due_notice(row))
        text = f"{message.title} {message.text} {message.time_left}"
        assert text == f"{placing.title} It's your turn. Time left: {UNTIL}."


def test_a_stopped_clock_has_no_time_left(placing: Game) -> None:
    row = open_rows(placing)[0]
    Decision.objects.filter(pk=row.pk).update(left=row.due_at - row.opened_at)
    message = short(due_notice(row))
    assert message.until is None and message.time_left == ""


def test_a_mention_says_who_and_not_what_and_that_it_is_still_ones_turn(placing: Game, now) -> None:
    row = open_rows(placing)[0]
    asked = row.seat.user
    other = next(seat.user for seat in placing.seated() if seat.user not in (None, asked))
    table_talk.say(game_id=placing.pk, user=other, text=f"@{asked.name} the lamp is a lie", now=now)
    message = short(Notice.objects.get(kind="talk", recipient=asked.recipient))
    assert message.text == f"{other.name} mentioned you. It's your turn."
    assert "lamp" not in message.text and message.url == decision_links.act_url(row), Comment.objects.get().text


def test_news_of_a_table_lead_to_its_page(placing: Game, now) -> None:
    row = open_rows(placing)[0]
    idle = next(seat for seat in placing.seated() if seat.pk != row.seat_id and seat.user)
    notify.started(placing, [idle], now)
    message = short(Notice.objects.filter(kind="started", recipient=idle.user.recipient).latest("pk"))
    assert (message.title, message.text, message.until) == (placing.title, "The game has begun", None)
    assert message.url == table_links.game_url(placing)


@pytest.mark.parametrize("kind", composers.kinds())
def test_what_concerns_an_account_never_stands_on_a_locked_screen(kind: str) -> None:
    topic = composers.topic_of(kind)
    assert composers.has_push(kind) == (topic is not None and not topic.is_weekly)


def test_a_device_is_offered_the_topics_of_which_it_can_show_something() -> None:
    offered = {topic.name for topic in composers.pushed_topics()}
    assert {"turns", "reminders", "tables", "results", "orders", "talk", "invitations"} <= offered
    assert "weekly" not in offered


def test_a_move_tells_a_device_of_who_is_asked_next(placing: Game, now) -> None:
    rows = open_rows(placing)
    for seat in placing.seated():
        if seat.user:
            Browser(f"https://push.example.org/{seat.number}").subscribe(seat.user.recipient)
    answer(placing, rows[0], now)
    opened = [row for row in open_rows(placing) if row.pk not in {one.pk for one in rows}]
    told = deliveries().filter(channel="push", notice__kind="due")
    assert {row.notice.subject for row in told} == {row.subject for row in opened} != set()
    for delivery in told:
        device = delivery.recipient.push_subscriptions.get()
        text = sending.payload(device, delivery.notice, short(delivery.notice))
        assert len(sending.encrypt(device, text)) < 4096


def test_an_erased_account_has_no_devices(placing: Game, anna: User) -> None:
    from notifications import privacy

    Browser().subscribe(anna.recipient)
    assert seat_of(placing, anna)
    privacy.erase(anna.recipient)
    assert not anna.recipient.push_subscriptions.exists()
